import type { BodyId } from '../../base/ids.ts';
import { NO_SLOT } from '../../base/ids.ts';
import { ticksIn } from '../../base/constants.ts';
import { pose, rotate, vector } from '../../base/math.ts';
import { poseIn } from '../../base/motion.ts';
import { STRIDE } from '../../base/state.ts';
import { dequantiseMotion } from '../../wire/bodies/quantise.ts';
import type { BodyUpdate } from '../../wire/bodies/update.ts';
import { templateOf } from '../../world/existence.ts';
import type { InnerBall } from '../../world/extent/inner-ball.ts';
import { ballInside } from '../../world/extent/inner-ball.ts';
import type { Level, Template } from '../../world/level.ts';
import type { Bodies } from '../bodies/bodies.ts';
import type { Relay } from './relay.ts';

/** [H9.5] Bodies of one size in a cell, at most: eight balls as wide as a cube lie in its corners. */
const MOST_IN_CELL = 8;
/** Seconds after which the places of bodies that no guest simulates are looked up again. */
const LOOK_SECONDS = 1;
/** For a body that is in no cell, and for the end of a list. */
const NONE = -1;

/** The places of all bodies as the host knows them: a PeerState, as far as it matters here. */
type Places = { readonly tick: number; readonly bodies: Bodies; readonly relay: Relay };

/**
 * [H9.5] The host's count of bodies in cells of space, one grid of cells for each size of body. It judges the place of
 * each state that a guest sends: the engine compares all bodies that overlap, so a guest that puts all bodies into one
 * place would make each of the host's steps as long as hundreds. The time for a state does not depend on how many
 * bodies the world has.
 */
export class Crowds {
  readonly #level: Level;
  readonly #balls: ReadonlyMap<Template, Cells>;
  /** For each body the number of its cell, which is a hash of its place; of meaning only for a body in a list. */
  readonly #cell: Int32Array;
  /** For each hash of a cell, shortened, the first body of a list; for each body the next one, and the one before. */
  readonly #first: Int16Array;
  readonly #next: Int16Array;
  readonly #before: Int16Array;
  readonly #isListed: Uint8Array;
  #lookedAt = -Infinity;

  /** @param count ids of bodies in the level. */
  constructor(level: Level, count: number) {
    this.#level = level;
    this.#balls = new Map(level.templates.map((template) => [template, cellsOf(template)]));
    this.#cell = new Int32Array(count);
    this.#first = new Int16Array(1 << (33 - Math.clz32(count))).fill(NONE);
    this.#next = new Int16Array(count);
    this.#before = new Int16Array(count);
    this.#isListed = new Uint8Array(count);
  }

  /** The level begins anew: all bodies are elsewhere. */
  clear(): void {
    this.#lookedAt = -Infinity;
  }

  /**
   * Judges where a guest's states put an island [J1.1], and counts its bodies there unless one is one too many.
   * @param parts of the island.
   * @param update of one of the parts, with its claim; of the others the records say which bodies they are.
   * @param motion STRIDE numbers for each body of the world, with the poses of the parts.
   * @returns false if a body is one too many in a cell that it was not in before.
   */
  admits(
    places: Places,
    parts: readonly BodyId[],
    { body, claim }: Readonly<BodyUpdate>,
    motion: Float32Array,
  ): boolean {
    const { existence } = places.bodies.records;
    if (places.tick - this.#lookedAt >= ticksIn(LOOK_SECONDS, this.#level.rate)) this.#look(places);
    for (const part of parts) {
      const template = templateOf(this.#level, part, part === body ? claim.existence : existence[part]);
      if (template === null) return true;
      this.#leave(part, this.#cellOf(template, motion, part));
    }
    let isRoom = true;
    for (const part of parts) {
      if (this.#isListed[part] === 1) continue;
      this.#enter(part);
      isRoom &&= this.#countIn(this.#cell[part]) <= MOST_IN_CELL;
    }
    if (!isRoom) for (const part of parts) this.#lookAt(places, part);
    return isRoom;
  }

  /** Counts all bodies where their records have them, but a guest's where its newest state has it. */
  #look(places: Places): void {
    this.#lookedAt = places.tick;
    for (let body = 0 as BodyId; body < places.bodies.count; body++) this.#lookAt(places, body);
  }

  #lookAt({ bodies, relay }: Places, body: BodyId): void {
    const { records } = bodies;
    const template = bodies.templates[body];
    const has = records.authority[body];
    const isJudged = has !== NO_SLOT && relay.author[body] === has;
    if (template === null || bodies.kinematic.has(body)) {
      this.#remove(body);
      return;
    }
    dequantiseMotion(isJudged ? relay.state : records.state, body * STRIDE, scratch, 0);
    this.#leave(body, this.#cellOf(template, scratch, 0 as BodyId));
    if (this.#isListed[body] === 0) this.#enter(body);
  }

  /** The number of the cell in which a body of this template is. Two cells may have one number, but hardly ever do. */
  #cellOf(template: Template, motion: Float32Array, body: BodyId): number {
    const { centre, width, size } = this.#balls.get(template) ?? NO_CELLS;
    const { position, rotation } = poseIn(motion, body, where);
    rotate(rotation, centre, away);
    const x = Math.floor((position.x + away.x) / width);
    const y = Math.floor((position.y + away.y) / width);
    const z = Math.floor((position.z + away.z) / width);
    return mix(mix(mix(mix(size) ^ x) ^ y) ^ z);
  }

  #countIn(cell: number): number {
    let count = 0;
    for (let body = this.#first[this.#listOf(cell)]; body !== NONE; body = this.#next[body])
      if (this.#cell[body] === cell) count++;
    return count;
  }

  #listOf(cell: number): number {
    return cell & (this.#first.length - 1);
  }

  /** A body is in this cell now: it is counted in no other one. */
  #leave(body: BodyId, cell: number): void {
    if (this.#cell[body] !== cell) this.#remove(body);
    this.#cell[body] = cell;
  }

  /** Counts a body in its cell. */
  #enter(body: BodyId): void {
    const list = this.#listOf(this.#cell[body]);
    const next = this.#first[list];
    this.#isListed[body] = 1;
    this.#next[body] = next;
    this.#before[body] = NONE;
    this.#first[list] = body;
    if (next !== NONE) this.#before[next] = body;
  }

  #remove(body: BodyId): void {
    if (this.#isListed[body] === 0) return;
    this.#isListed[body] = 0;
    const next = this.#next[body];
    const before = this.#before[body];
    if (next !== NONE) this.#before[next] = before;
    if (before === NONE) this.#first[this.#listOf(this.#cell[body])] = next;
    else this.#next[before] = next;
  }
}

/** The cells in which bodies of one template are counted. */
type Cells = {
  /** The middle of its inner ball, in the shape's frame. */
  readonly centre: InnerBall['centre'];
  /** Metres. */
  readonly width: number;
  /** The binary logarithm of the width: bodies of one size are counted together. */
  readonly size: number;
};

function cellsOf({ shape }: Template): Cells {
  const { centre, radius } = ballInside(shape);
  const size = 1 + Math.floor(Math.log2(radius));
  return { centre, size, width: 2 ** size };
}

/** Scatters the bits of a whole number (the last step of Murmur3, by Austin Appleby). */
function mix(n: number): number {
  n = Math.imul(n ^ (n >>> 16), 0x85ebca6b);
  n = Math.imul(n ^ (n >>> 13), 0xc2b2ae35);
  return n ^ (n >>> 16);
}

const NO_CELLS: Cells = { centre: vector(), width: 1, size: 0 };
/** Work space. */
const scratch = new Float32Array(STRIDE);
const where = pose();
const away = vector();
