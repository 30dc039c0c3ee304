import type { BodyId } from '../core/base/ids.ts';
import { NO_BODY, NOT_HELD, RIGHT } from '../core/base/ids.ts';
import { TICK_SECONDS } from '../core/base/constants.ts';
import type { Vector } from '../core/base/math.ts';
import {
  addScaled,
  copyVector,
  distance,
  lookAt,
  quaternion,
  rotate,
  setVector,
  vector,
} from '../core/base/math.ts';
import { MOTION, STRIDE } from '../core/base/state.ts';
import { CUBE_SIZE } from '../core/world/scene.ts';
import type { Bot, BotSeat, BotSight } from './bot.ts';
import { BotBody, positionOf, speedOf } from './bot.ts';
import type { PlayerInput } from '../core/hands/hand-input.ts';

/** The place of the tower, and its greatest height in cubes. */
export const TOWER_X = 3.5;
export const TOWER_Z = 0;
const TOWER_MOST = 12;
/** Metres from the tower's axis, and from a level's height, within which a cube belongs to the tower. */
const IN_TOWER = 0.2;
const IN_LEVEL = 0.1;
/** Metres a second at which a hand moves a cube, and at which it sets the cube down over the last metres. */
const CARRY_SPEED = 2.5;
const SET_DOWN_SPEED = 0.5;
const SET_DOWN_FROM = 0.25;
/** Metres a second below which a cube stands still. */
const STANDS_STILL = 0.1;
/** Metres above all cubes at which a cube is carried, and above its place at which it is released. */
const APPROACH = 0.4;
const GAP = 0.003;
/** Ticks between the steps: to point, to close, to keep still before letting go, and after. */
const POINTING = 6;
const STILL = 12;
const AFTER = 20;
/** Ticks for which the tower must keep its height before the next cube comes: longer than news travels. */
const STEADY = 40;

type Step = 'choose' | 'point' | 'lift' | 'across' | 'down' | 'still' | 'after';

/** Builds one tower together with the other players, each in its turn. */
export function createStackBot(seat: BotSeat): Bot {
  return new StackBot(seat);
}

class StackBot implements Bot {
  readonly #seat: BotSeat;
  readonly #self: BotBody;
  readonly #hand: Vector;
  readonly #cube = vector();
  #step: Step = 'choose';
  #ticks = 0;
  #body: BodyId = NO_BODY;
  /** Metres: the height at which the centre of the held cube is released. */
  #place = 0;
  /** The tower's height in cubes, and the ticks for which it has had that height. */
  #height = 0;
  #steadyTicks = 0;

  constructor(seat: BotSeat) {
    this.#seat = seat;
    this.#self = new BotBody(seat);
    this.#hand = this.#self.handAt(RIGHT, vector());
  }

  act(_tick: number, sight: BotSight, out: PlayerInput): void {
    this.#self.relax(out);
    this.#ticks++;
    this.#watchTower(sight);
    const next = this.#next(sight);
    if (next !== this.#step) {
      this.#step = next;
      this.#ticks = 0;
    }
    const hand = out.hands[RIGHT];
    copyVector(this.#hand, hand.pose.position);
    if (this.#step === 'choose') return;
    const isOpen = this.#step === 'after' || (this.#step === 'point' && this.#ticks < POINTING);
    hand.grip = isOpen ? 0 : 1;
    lookAt(this.#start, this.#cube, hand.pose.rotation);
  }

  /**
   * The place of the hand when it closed. The hand points from there, so that the cube only moves and never
   * turns.
   */
  readonly #start = vector();

  #watchTower(sight: BotSight): void {
    const height = towerHeight(sight);
    this.#steadyTicks = height === this.#height ? this.#steadyTicks + 1 : 0;
    this.#height = height;
  }

  #next(sight: BotSight): Step {
    switch (this.#step) {
      case 'choose':
        return this.#choose(sight) ? 'point' : 'choose';
      case 'point':
        if (this.#ticks < POINTING + 2) return 'point';
        positionOf(this.#body, sight, this.#cube);
        return sight.records.hold[this.#body] !== NOT_HELD ? 'lift' : 'after';
      case 'lift':
        return this.#carry(sight, this.#cube.x, this.#clearHeight(sight), this.#cube.z, CARRY_SPEED)
          ? 'across'
          : 'lift';
      case 'across':
        return this.#carryAcross(sight) ? 'down' : 'across';
      case 'down':
        return this.#setDown(sight) ? 'still' : 'down';
      case 'still':
        return this.#ticks < STILL ? 'still' : 'after';
      case 'after':
        if (this.#ticks < AFTER) return 'after';
        this.#self.handAt(RIGHT, this.#hand);
        return 'choose';
    }
  }

  /**
   * Moves the hand so that the cube comes to a place.
   * @returns true once the cube is there, or lost.
   */
  #carry(sight: BotSight, x: number, y: number, z: number, speed: number): boolean {
    if (sight.records.hold[this.#body] === NOT_HELD) return true;
    setVector(way, x - this.#cube.x, y - this.#cube.y, z - this.#cube.z);
    const left = Math.sqrt(way.x * way.x + way.y * way.y + way.z * way.z);
    const step = Math.min(left, speed * TICK_SECONDS);
    if (left < 1e-4) return true;
    addScaled(this.#cube, way, step / left, this.#cube);
    addScaled(this.#hand, way, step / left, this.#hand);
    addScaled(this.#start, way, step / left, this.#start);
    return false;
  }

  /**
   * Carries the cube over its place. The place is measured anew until then, because a tower that is touched may
   * stir.
   */
  #carryAcross(sight: BotSight): boolean {
    this.#place = placeHeight(sight);
    return this.#carry(sight, TOWER_X, this.#clearHeight(sight), TOWER_Z, CARRY_SPEED);
  }

  /**
   * Lowers the cube to its place.
   * @returns true once the cube is there, or lost.
   */
  #setDown(sight: BotSight): boolean {
    const speed = this.#cube.y - this.#place > SET_DOWN_FROM ? CARRY_SPEED : SET_DOWN_SPEED;
    return this.#carry(sight, TOWER_X, this.#place, TOWER_Z, speed);
  }

  /** Metres: the height at which the held cube passes over all others. */
  #clearHeight(sight: BotSight): number {
    let highest = 0;
    for (let i = 0; i < sight.records.count; i++) {
      if (i !== this.#body && sight.records.hold[i] === NOT_HELD) {
        highest = Math.max(highest, positionOf(i as BodyId, sight, other).y);
      }
    }
    return highest + CUBE_SIZE + APPROACH;
  }

  /** Chooses, in its turn, a free cube that lies flat, carries nothing, and can be pointed at. */
  #choose(sight: BotSight): boolean {
    if (this.#steadyTicks < STEADY || this.#height >= TOWER_MOST) return false;
    if (this.#height % this.#seat.players !== this.#seat.slot) return false;
    this.#self.handAt(RIGHT, this.#hand);
    this.#hand.y += 0.8;
    copyVector(this.#hand, this.#start);
    let nearest = Infinity;
    for (let i = 0; i < sight.records.count; i++) {
      const body = i as BodyId;
      positionOf(body, sight, place);
      const away = distance(place, this.#hand) - 2 * place.y;
      if (away >= nearest || !isFree(body, sight) || isHidden(body, this.#hand, sight)) continue;
      nearest = away;
      this.#body = body;
      copyVector(place, this.#cube);
    }
    return nearest < Infinity;
  }
}

function isFree(body: BodyId, sight: BotSight): boolean {
  positionOf(body, sight, candidate);
  const fromTower = Math.max(Math.abs(candidate.x - TOWER_X), Math.abs(candidate.z - TOWER_Z));
  if (fromTower < CUBE_SIZE && levelOf(candidate.y) < towerHeight(sight)) return false;
  if (sight.records.hold[body] !== NOT_HELD || speedOf(body, sight) > STANDS_STILL) return false;
  return liesFlat(body, sight) && !hasLoad(body, sight);
}

function hasLoad(body: BodyId, sight: BotSight): boolean {
  for (let i = 0; i < sight.records.count; i++) {
    positionOf(i as BodyId, sight, other);
    const beside = Math.max(Math.abs(other.x - candidate.x), Math.abs(other.z - candidate.z));
    if (i !== body && beside < CUBE_SIZE && other.y > candidate.y + 0.2) return true;
  }
  return false;
}

/** True if another cube may stand in the line from the hand to the centre of `candidate`. */
function isHidden(body: BodyId, hand: Readonly<Vector>, sight: BotSight): boolean {
  const far = distance(hand, candidate);
  for (let i = 0; i < sight.records.count; i++) {
    positionOf(i as BodyId, sight, other);
    setVector(way, candidate.x - hand.x, candidate.y - hand.y, candidate.z - hand.z);
    const along =
      ((other.x - hand.x) * way.x + (other.y - hand.y) * way.y + (other.z - hand.z) * way.z) / (far * far);
    if (i === body || along < 0 || along > 1) continue;
    addScaled(hand, way, along, way);
    if (distance(way, other) < HALF_DIAGONAL && distance(hand, other) < far) return true;
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

/** Cubes of the tower that stand still, one on the other. */
function towerHeight(sight: BotSight): number {
  for (let height = 0; ; height++) if (cubeAt(height, sight) === NO_BODY) return height;
}

/** Metres: the height for the centre of the tower's next cube. */
function placeHeight(sight: BotSight): number {
  const height = towerHeight(sight);
  const below = height === 0 ? -CUBE_SIZE / 2 : positionOf(cubeAt(height - 1, sight), sight, other).y;
  return below + CUBE_SIZE + GAP;
}

/** The cube that stands at a level of the tower, or NO_BODY. */
function cubeAt(level: number, sight: BotSight): BodyId {
  for (let i = 0; i < sight.records.count; i++) {
    const body = i as BodyId;
    positionOf(body, sight, other);
    const beside = Math.max(Math.abs(other.x - TOWER_X), Math.abs(other.z - TOWER_Z));
    if (beside > IN_TOWER || Math.abs(levelOf(other.y) - level) > IN_LEVEL / CUBE_SIZE) continue;
    if (sight.records.hold[body] === NOT_HELD && speedOf(body, sight) < STANDS_STILL) return body;
  }
  return NO_BODY;
}

/** The level of the tower, in cubes, for a cube's centre at this height; a fraction between two levels. */
function levelOf(height: number): number {
  return height / CUBE_SIZE - 0.5;
}

/** Metres: all of a cube lies within this distance of its centre. */
const HALF_DIAGONAL = (CUBE_SIZE * Math.sqrt(3)) / 2;
const AXES = [vector(1, 0, 0), vector(0, 1, 0), vector(0, 0, 1)];
const way = vector();
const place = vector();
const candidate = vector();
const other = vector();
const upright = vector();
const turned = quaternion();
