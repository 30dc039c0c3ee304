import type { BodyId } from '../core/base/ids.ts';
import { NO_BODY, NOT_HELD } from '../core/base/ids.ts';
import type { ReadonlyVector } from '../core/base/math.ts';
import { addScaled, distance, quaternion, rotate, setVector, vector } from '../core/base/math.ts';
import { MOTION, STRIDE } from '../core/base/state.ts';
import { CUBE_SIZE } from '../levels/arrangements.ts';
import type { BotSight } from './bot.ts';
import { positionOf, speedOf } from './bot.ts';

/** Metres from a tower's axis, and from a level's height, within which a cube belongs to the tower. */
const IN_TOWER = 0.2;
const IN_LEVEL = 0.1;
/** Metres a second below which a cube stands still. */
const STANDS_STILL = 0.1;
/** Metres above its place at which a cube is released. */
const GAP = 0.003;
/** Metres beside the line to a cube's middle that must be free of other middles, to point at it. */
const CLEARANCE = 0.3;
/** Metres from the tower's axis to the middle of a cube that may touch it. */
const TOUCHES = 0.65;
/** Metres: all of a cube lies within this distance of its centre. */
const HALF_DIAGONAL = (CUBE_SIZE * Math.sqrt(3)) / 2;

/** A tower of cubes, one on the other, that bots build at a place of the floor. */
export class Tower {
  readonly x: number;
  readonly z: number;

  /** The place of its axis, in metres. */
  constructor(x: number, z: number) {
    this.x = x;
    this.z = z;
  }

  /** Cubes of the tower that stand still, one on the other. */
  height(sight: BotSight): number {
    for (let height = 0; ; height++) if (this.#cubeAt(height, sight) === NO_BODY) return height;
  }

  /** Metres: the height for the centre of the tower's next cube. */
  placeHeight(sight: BotSight): number {
    const height = this.height(sight);
    const top = this.#cubeAt(height - 1, sight);
    const below = top === NO_BODY ? -CUBE_SIZE / 2 : positionOf(top, sight, other).y;
    return below + CUBE_SIZE + GAP;
  }

  /**
   * Returns a cube outside the tower that nobody holds, that lies flat, carries nothing, and that a hand can point at:
   * the nearest, or a higher one. NO_BODY if there is none.
   * @param isPulled the hand pulls the cube straight to itself, so it must not touch the tower on its way; and it is
   * enough that the hand can point at its middle.
   */
  nearestFree(hand: ReadonlyVector, sight: BotSight, isPulled = false): BodyId {
    const clearance = isPulled ? CLEARANCE : HALF_DIAGONAL;
    let nearest = Infinity;
    let found: BodyId = NO_BODY;
    for (let i = 0; i < sight.records.count; i++) {
      const body = i as BodyId;
      positionOf(body, sight, candidate);
      const away = distance(candidate, hand) - 2 * candidate.y;
      if (away >= nearest || !this.#isFree(body, sight) || isHidden(body, hand, sight, clearance)) continue;
      if (isPulled && this.#isBehind(hand, sight)) continue;
      nearest = away;
      found = body;
    }
    return found;
  }

  /** True for `candidate`, if it may be taken. */
  #isFree(body: BodyId, sight: BotSight): boolean {
    const fromTower = Math.max(Math.abs(candidate.x - this.x), Math.abs(candidate.z - this.z));
    if (fromTower < CUBE_SIZE && levelOf(candidate.y) < this.height(sight)) return false;
    if (!sight.exists(body) || sight.records.hold[body] !== NOT_HELD) return false;
    if (speedOf(body, sight) > STANDS_STILL) return false;
    return liesFlat(body, sight) && !hasLoad(body, sight);
  }

  /** True if the way of `candidate` to the hand would touch the tower. */
  #isBehind(hand: ReadonlyVector, sight: BotSight): boolean {
    const [wayX, wayZ] = [hand.x - candidate.x, hand.z - candidate.z];
    const [toX, toZ] = [this.x - candidate.x, this.z - candidate.z];
    const along = Math.min(1, Math.max(0, (wayX * toX + wayZ * toZ) / (wayX * wayX + wayZ * wayZ)));
    const beside = Math.hypot(toX - along * wayX, toZ - along * wayZ);
    return beside < TOUCHES && this.height(sight) > 0;
  }

  /** The cube that stands at a level of the tower, or NO_BODY. */
  #cubeAt(level: number, sight: BotSight): BodyId {
    for (let i = 0; i < sight.records.count; i++) {
      const body = i as BodyId;
      positionOf(body, sight, other);
      const beside = Math.max(Math.abs(other.x - this.x), Math.abs(other.z - this.z));
      if (beside > IN_TOWER || Math.abs(levelOf(other.y) - level) > IN_LEVEL / CUBE_SIZE) continue;
      const isFree = sight.exists(body) && sight.records.hold[body] === NOT_HELD;
      if (isFree && speedOf(body, sight) < STANDS_STILL) return body;
    }
    return NO_BODY;
  }
}

/** Metres: the height of the highest centre of all cubes that nobody holds, without one of them; 0 if there is none. */
export function highestBut(body: BodyId, sight: BotSight): number {
  let highest = 0;
  for (let i = 0; i < sight.records.count; i++) {
    if (i !== body && sight.exists(i as BodyId) && sight.records.hold[i] === NOT_HELD)
      highest = Math.max(highest, positionOf(i as BodyId, sight, other).y);
  }
  return highest;
}

/** True if another cube lies on `candidate`. */
function hasLoad(body: BodyId, sight: BotSight): boolean {
  for (let i = 0; i < sight.records.count; i++) {
    positionOf(i as BodyId, sight, other);
    const beside = Math.max(Math.abs(other.x - candidate.x), Math.abs(other.z - candidate.z));
    if (i !== body && sight.exists(i as BodyId) && beside < CUBE_SIZE && other.y > candidate.y + 0.2)
      return true;
  }
  return false;
}

/** True if another cube may stand in the line from the hand to the centre of `candidate`. */
function isHidden(body: BodyId, hand: ReadonlyVector, sight: BotSight, clearance: number): boolean {
  const far = distance(hand, candidate);
  for (let i = 0; i < sight.records.count; i++) {
    positionOf(i as BodyId, sight, other);
    setVector(way, candidate.x - hand.x, candidate.y - hand.y, candidate.z - hand.z);
    const along =
      ((other.x - hand.x) * way.x + (other.y - hand.y) * way.y + (other.z - hand.z) * way.z) / (far * far);
    if (i === body || !sight.exists(i as BodyId) || along < 0 || along > 1) continue;
    addScaled(hand, way, along, way);
    if (distance(way, other) < clearance && distance(hand, other) < far) return true;
  }
  return false;
}

function liesFlat(body: BodyId, sight: BotSight): boolean {
  const at = body * STRIDE + MOTION.rotation;
  const m = sight.motion;
  turned.x = m[at];
  turned.y = m[at + 1];
  turned.z = m[at + 2];
  turned.w = m[at + 3];
  for (const axis of AXES) if (Math.abs(rotate(turned, axis, upright).y) > 0.9999) return true;
  return false;
}

/** The level of a tower, in cubes, for a cube's centre at this height; a fraction between two levels. */
function levelOf(height: number): number {
  return height / CUBE_SIZE - 0.5;
}

const AXES = [vector(1, 0, 0), vector(0, 1, 0), vector(0, 0, 1)];
const way = vector();
const candidate = vector();
const other = vector();
const upright = vector();
const turned = quaternion();
