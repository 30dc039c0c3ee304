import type { BodyId, Existence } from '../../core/base/ids.ts';
import type { PeerView } from '../../core/peer/shown/peer-view.ts';
import { AS_AT_START, capacityOf, templateOf } from '../../core/world/existence.ts';
import type { Level } from '../../core/world/level.ts';
import type { Shape } from '../../core/world/shape.ts';
import { shapeKey } from './shapes.ts';

/** The index of the shape of an id without a body. */
const NO_SHAPE = -1;

/** [S1] The bodies of a view by their shapes. Shapes that look the same count as one. */
export class PresentBodies {
  /** Ids in the level, with and without a body. */
  readonly count: number;
  /** Every shape that the level's bodies have, or that players may spawn. */
  readonly shapes: readonly Shape[];
  /** For each shape the most bodies that are drawn at a time. */
  readonly capacities: readonly number[];
  /** For each shape the ids of its bodies, ascending; read only. */
  readonly bodiesOf: readonly BodyId[][];
  /** The ids that have another body since the last `update`; overwritten by the next one. */
  readonly begun: BodyId[] = [];
  readonly #level: Level;
  /** For each id its existence when it was looked at last, and the index of its shape. */
  readonly #existence: Int32Array;
  readonly #shapeOf: Int16Array;
  readonly #indexOf = new Map<string, number>();

  /** The bodies are those that the level begins with, until the first `update`. */
  constructor(level: Level) {
    this.#level = level;
    this.count = capacityOf(level);
    this.#existence = new Int32Array(this.count).fill(AS_AT_START);
    this.#shapeOf = new Int16Array(this.count).fill(NO_SHAPE);
    const shapes: Shape[] = [];
    const begins = level.bodies.map(({ template }) => template);
    for (const { shape } of [...begins, ...level.spawning.templates]) {
      if (this.#indexOf.has(shapeKey(shape))) continue;
      this.#indexOf.set(shapeKey(shape), shapes.length);
      shapes.push(shape);
    }
    this.shapes = shapes;
    this.bodiesOf = shapes.map(() => []);
    for (let body = 0 as BodyId; body < this.count; body++) this.#begin(body, AS_AT_START);
    const spawned = this.count - level.bodies.length;
    const spawnable = new Set(
      level.spawning.templates.map(({ shape }) => this.#indexOf.get(shapeKey(shape))),
    );
    this.capacities = this.bodiesOf.map(({ length }, i) => length + (spawnable.has(i) ? spawned : 0));
  }

  /** The index of a body's shape; negative without a body. */
  shapeOf(body: BodyId): number {
    return this.#shapeOf[body] ?? NO_SHAPE;
  }

  /** Takes over which bodies a view has. @returns whether a body has begun or is gone. */
  update({ exists, existence }: PeerView): boolean {
    this.begun.length = 0;
    let hasChanged = false;
    const count = Math.min(this.count, exists.length);
    for (let body = 0 as BodyId; body < count; body++) {
      const now = exists[body] === 0 ? GONE : existence[body];
      if (now === this.#existence[body]) continue;
      this.#existence[body] = now;
      hasChanged = true;
      this.#end(body);
      if (now !== GONE) this.#begin(body, now as Existence);
    }
    return hasChanged;
  }

  #begin(body: BodyId, existence: Existence): void {
    const template = templateOf(this.#level, body, existence);
    const index = template === null ? undefined : this.#indexOf.get(shapeKey(template.shape));
    if (index === undefined) return;
    this.#shapeOf[body] = index;
    this.bodiesOf[index].push(body);
    this.bodiesOf[index].sort((a, b) => a - b);
    this.begun.push(body);
  }

  #end(body: BodyId): void {
    const index = this.#shapeOf[body];
    this.#shapeOf[body] = NO_SHAPE;
    if (index === NO_SHAPE) return;
    const bodies = this.bodiesOf[index];
    bodies.splice(bodies.indexOf(body), 1);
  }
}

/** In place of the existence of an id without a body; no existence is negative. */
const GONE = -1;
