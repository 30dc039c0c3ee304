import type { BodyId } from '../core/base/ids.ts';
import { NO_BODY, NOT_HELD, RIGHT } from '../core/base/ids.ts';
import { TICK_SECONDS } from '../core/base/constants.ts';
import type { Vector } from '../core/base/math.ts';
import { addScaled, copyVector, lookAt, setVector, vector } from '../core/base/math.ts';
import { CUBE_SIZE } from '../levels/arrangements.ts';
import type { Bot, BotSeat, BotSight } from './bot.ts';
import { BotBody, positionOf } from './bot.ts';
import type { PlayerInput } from '../core/hands/hand-input.ts';
import { highestBut, Tower } from './tower.ts';

/** The place of the tower, and its greatest height in cubes. */
export const TOWER_X = 3.5;
export const TOWER_Z = 0;
const TOWER_MOST = 12;
/** Metres a second at which a hand moves a cube, and at which it sets the cube down over the last metres. */
const CARRY_SPEED = 2.5;
const SET_DOWN_SPEED = 0.5;
const SET_DOWN_FROM = 0.25;
/** Metres above all cubes at which a cube is carried. */
const APPROACH = 0.4;
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
  readonly #tower = new Tower(TOWER_X, TOWER_Z);
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
    const height = this.#tower.height(sight);
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
    this.#place = this.#tower.placeHeight(sight);
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
    return highestBut(this.#body, sight) + CUBE_SIZE + APPROACH;
  }

  /** Chooses, in its turn, a free cube that lies flat, carries nothing, and can be pointed at. */
  #choose(sight: BotSight): boolean {
    if (this.#steadyTicks < STEADY || this.#height >= TOWER_MOST) return false;
    if (this.#height % this.#seat.players !== this.#seat.slot) return false;
    this.#self.handAt(RIGHT, this.#hand);
    this.#hand.y += 0.8;
    copyVector(this.#hand, this.#start);
    this.#body = this.#tower.nearestFree(this.#hand, sight);
    if (this.#body === NO_BODY) return false;
    positionOf(this.#body, sight, this.#cube);
    return true;
  }
}

const way = vector();
