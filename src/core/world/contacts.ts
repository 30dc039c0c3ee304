import type { BodyId } from '../base/ids.ts';

/**
 * The graph of bodies that touch, as lists of neighbours. The engine reports where contacts begin and end, so that a
 * tick costs only as much as changed. The floor is no neighbour.
 */
export class ContactGraph {
  /** For each body the bodies that touch it, in no order. Read only; the lists change with `add` and `remove`. */
  readonly neighbours: readonly (readonly BodyId[])[];
  /** Pairs that began to touch in the last step, flat: a, b, a, b… Valid up to `startedCount`. */
  readonly started: BodyId[] = [];
  startedCount = 0;
  /** Bodies that began to touch the floor in the last step. Valid up to `landedCount`. */
  readonly landed: BodyId[] = [];
  landedCount = 0;
  /** 1 for a body whose neighbours have changed; RestDetector sets it back to 0. */
  readonly changed: Uint8Array;
  readonly #lists: BodyId[][];

  /** @param count bodies in the world. */
  constructor(count: number) {
    this.#lists = Array.from({ length: count }, () => []);
    this.neighbours = this.#lists;
    this.changed = new Uint8Array(count);
  }

  /** Forgets which contacts are new; the engine calls it before a step. */
  beginStep(): void {
    this.startedCount = 0;
    this.landedCount = 0;
  }

  /** Two bodies have come to touch; does nothing if they touched already. */
  add(a: BodyId, b: BodyId): void {
    if (this.touching(a, b)) return;
    this.#lists[a].push(b);
    this.#lists[b].push(a);
    this.#change(a, b);
    this.started[this.startedCount++] = a;
    this.started[this.startedCount++] = b;
  }

  /** A body has come to touch the floor. */
  land(body: BodyId): void {
    this.landed[this.landedCount++] = body;
  }

  /** Two bodies touch no more. */
  remove(a: BodyId, b: BodyId): void {
    removeFrom(this.#lists[a], b);
    removeFrom(this.#lists[b], a);
    this.#change(a, b);
  }

  /** A body is no more: nothing touches it. */
  clear(body: BodyId): void {
    while (this.#lists[body].length > 0) this.remove(body, this.#lists[body][0]);
  }

  #change(a: BodyId, b: BodyId): void {
    this.changed[a] = 1;
    this.changed[b] = 1;
  }

  /** True if two bodies touch. */
  touching(a: BodyId, b: BodyId): boolean {
    return this.#lists[a].includes(b);
  }
}

function removeFrom(list: BodyId[], body: BodyId): void {
  const index = list.indexOf(body);
  if (index < 0) return;
  list[index] = list[list.length - 1];
  list.pop();
}
