import type { BodyId, Slot } from '../core/base/ids.ts';
import { NO_BODY, NOT_HELD, RIGHT } from '../core/base/ids.ts';
import { TICK_RATE, TICK_SECONDS } from '../core/base/constants.ts';
import type { ReadonlyVector, Vector } from '../core/base/math.ts';
import {
  addScaled,
  copyQuaternion,
  copyVector,
  distance,
  length,
  lookAt,
  multiply,
  quaternion,
  rotate,
  setQuaternion,
  setVector,
  vector,
} from '../core/base/math.ts';
import { MOTION, STRIDE } from '../core/base/state.ts';
import type { PlayerInput } from '../core/hands/hand-input.ts';
import type { BotSight } from './bot.ts';
import { BotBody, positionOf } from './bot.ts';
import type { Friend } from './friend-watcher.ts';
import { FriendWatcher } from './friend-watcher.ts';
import { Tower } from './tower.ts';

/** The tower that the helper builds has at most so many cubes: as high as its arm. */
const TOWER_MOST = 4;
/** Ticks before the first move, and between two: the player is to see each begin. */
const FIRST_PAUSE = 3 * TICK_RATE;
const PAUSE = 2.5 * TICK_RATE;
/** Ticks to point at a cube, until the hand has it, to pull it near, to keep still before letting go, and after. */
const POINTING = 22;
const TAKING = 28;
const PULLING = 45;
const STILL = 12;
const AFTER = 40;
/** Ticks after which a pull ends in any case, and metres from the hand at which a cube is near. */
const PULLED = 3 * TICK_RATE;
const NEAR_HAND = 0.6;
/** Ticks for which a cube is held out; after that it goes to the tower. */
const OFFERING = 15 * TICK_RATE;
/** Ticks for which the player reaches for it before the helper lets go, so that both see it. */
const REACHED = 18;
/** Ticks for which it reaches for a cube that is held out to it. */
const REACHING = 6 * TICK_RATE;
/** Metres from the player at which the helper holds a cube out: within reach of a hand [A9]. */
const NEAR_FRIEND = 3.4;
/** Metres from the tower's axis at which it lifts a cube, and at which it stands when it sets it down. */
const BEFORE_TOWER = 1.6;
const AT_TOWER = 0.95;
/** Metres from its place, away from the cubes, at which it stands to point at what is high. */
const BEHIND = 2.5;
/** m/s of its walk, of a cube in its hand, of one that is set down, and of an empty hand. */
const WALK_SPEED = 1.3;
const CARRY_SPEED = 1.5;
const SET_DOWN_SPEED = 0.5;
const LOWER_SPEED = 3;
/** Metres above its place from which a cube is set down, and above which it comes to the tower. */
const SET_DOWN_FROM = 0.2;
const APPROACH = 0.45;
/** Metres: the hand that carries or offers a cube, before the eyes, beside them, and above the floor. */
const HAND = { ahead: 0.5, height: 1.25 } as const;

/** The step that is under way. */
type Step =
  | 'wait'
  | 'point'
  | 'pull'
  | 'offer'
  | 'reach'
  | 'carry'
  | 'lift'
  | 'across'
  | 'down'
  | 'still'
  | 'after';

/** Where the helper stands while it has nothing to do, and where it builds: places of the floor, in metres. */
export type HelperPlaces = { readonly home: ReadonlyVector; readonly tower: ReadonlyVector };

/**
 * A player for one other player: in turn it holds a cube out to that player and puts one on a tower, and it takes what
 * is held out to it.
 */
export class HelperBot {
  readonly #slot: Slot;
  readonly #home: ReadonlyVector;
  readonly #behind: ReadonlyVector;
  readonly #tower: Tower;
  readonly #towerFoot: ReadonlyVector;
  readonly #self: BotBody;
  /** The right hand, as the present step wants it. */
  readonly #hand = vector();
  readonly #turn = quaternion();
  #step: Step = 'wait';
  #ticks = PAUSE - FIRST_PAUSE;
  #body: BodyId = NO_BODY;
  /** The next cube is for the player, and not for the tower. */
  #gives = true;
  readonly #watcher: FriendWatcher;
  #isBuilt = false;
  /** Where it stands while it has nothing to do. */
  #spot: ReadonlyVector;
  /** Metres: the height at which the held cube is let go. */
  #place = 0;

  constructor(slot: Slot, { home, tower }: HelperPlaces) {
    this.#slot = slot;
    this.#home = home;
    this.#behind = vector(home.x, home.y, home.z + BEHIND);
    this.#spot = home;
    this.#tower = new Tower(tower.x, tower.z);
    this.#towerFoot = tower;
    this.#self = new BotBody({ slot, players: 2 });
    this.#self.stand(home.x, home.z, tower);
    this.#self.handAt(RIGHT, this.#hand);
    this.#watcher = new FriendWatcher(slot);
  }

  /**
   * Fills the input of one tick.
   * @param friend the other player; null while it is not there.
   */
  act(sight: BotSight, friend: Friend | null, out: PlayerInput): void {
    this.#ticks++;
    this.#watcher.watch(sight, friend, this.#self.eyes, this.#body);
    const next = this.#next(sight, friend);
    if (next !== this.#step) {
      this.#step = next;
      this.#ticks = 0;
      this.#watcher.forgetReach();
    }
    this.#self.relax(out);
    this.#look(sight, friend, out);
    this.#useHand(sight, out);
    this.#self.ease(out);
  }

  #next(sight: BotSight, friend: Friend | null): Step {
    if (HOLDING.has(this.#step) && !this.#isMine(this.#body, sight)) return this.#end();
    switch (this.#step) {
      case 'wait':
        return this.#waited(sight);
      case 'point':
        if (this.#ticks < TAKING) return 'point';
        this.#takeWhatItGot(sight);
        return this.#isMine(this.#body, sight) ? 'pull' : this.#end();
      case 'pull':
        if (this.#ticks < PULLING || (this.#isFar(sight) && this.#ticks < PULLED)) return 'pull';
        // Exactly, now that the hand has come to rest.
        this.#turnUpright(sight);
        return this.#gives && friend !== null ? 'offer' : 'carry';
      case 'offer':
        return this.#offers(friend);
      case 'reach':
        return this.#reaches(sight);
      case 'carry':
        return this.#carries() ? 'lift' : 'carry';
      case 'lift':
        this.#place = this.#tower.placeHeight(sight);
        return this.#bring(sight, 0, this.#place + APPROACH, CARRY_SPEED) ? 'across' : 'lift';
      case 'across':
        this.#goes(this.#towerFoot, this.#towerFoot, AT_TOWER);
        this.#place = this.#tower.placeHeight(sight);
        return this.#bring(sight, 1, this.#place + APPROACH, CARRY_SPEED) ? 'down' : 'across';
      case 'down':
        return this.#setDown(sight) ? 'still' : 'down';
      case 'still':
        return this.#ticks < STILL ? 'still' : this.#end();
      case 'after':
        if (this.#ticks < STILL) return 'after';
        if (this.#watcher.offered !== NO_BODY) return this.#reachFor(this.#watcher.offered);
        return this.#goes(this.#spot, this.#towerFoot, 0) && this.#ticks >= AFTER ? 'wait' : 'after';
    }
  }

  /** The ray of the hand may have met another cube than it was meant for. */
  #takeWhatItGot(sight: BotSight): void {
    for (let i = 0; i < sight.records.count; i++)
      if (this.#isMine(i as BodyId, sight)) this.#body = i as BodyId;
  }

  /** True while the held cube is not before the hand yet. */
  #isFar(sight: BotSight): boolean {
    return distance(positionOf(this.#body, sight, cube), this.#hand) > NEAR_HAND;
  }

  /** The hand opens. What was done last is not done next. */
  #end(): Step {
    this.#gives = !this.#gives;
    return 'after';
  }

  #waited(sight: BotSight): Step {
    if (this.#watcher.offered !== NO_BODY) return this.#reachFor(this.#watcher.offered);
    if (this.#ticks < PAUSE) return 'wait';
    this.#isBuilt = this.#tower.height(sight) >= TOWER_MOST;
    if (this.#isBuilt) this.#gives = true;
    this.#body = this.#tower.nearestFree(this.#hand, sight, true);
    if (this.#body !== NO_BODY) return 'point';
    // From further back one points at what is high.
    this.#spot = this.#spot === this.#home ? this.#behind : this.#home;
    return 'after';
  }

  #offers(friend: Friend | null): Step {
    const isOver = this.#ticks > OFFERING && !this.#isBuilt;
    if (friend === null || isOver) return 'carry';
    if (this.#watcher.reachTicks > REACHED) {
      this.#watcher.hasGiven(this.#body);
      return this.#end();
    }
    // It drops its own, and takes what the player holds out.
    if (this.#watcher.reachTicks === 0 && this.#watcher.offered !== NO_BODY) return this.#end();
    if (this.#goes(friend.head.position, friend.head.position, NEAR_FRIEND)) this.#carryHand();
    return 'offer';
  }

  #reachFor(body: BodyId): Step {
    this.#body = body;
    return 'reach';
  }

  #reaches(sight: BotSight): Step {
    if (this.#isMine(this.#body, sight)) {
      this.#turnUpright(sight);
      // The player has given it to build with.
      this.#gives = false;
      return 'pull';
    }
    const isLetGo = this.#ticks > TAKING && sight.records.hold[this.#body] === NOT_HELD;
    return isLetGo || this.#ticks > REACHING ? this.#end() : 'reach';
  }

  /** Walks to the tower with the cube. @returns true once it is there. */
  #carries(): boolean {
    const isThere = this.#goes(this.#towerFoot, this.#towerFoot, BEFORE_TOWER);
    this.#carryHand();
    return isThere;
  }

  /**
   * Walks towards a place of the floor until it is so many metres from it, facing a point.
   * @returns true once it is there.
   */
  #goes({ x, z }: ReadonlyVector, facing: ReadonlyVector, until: number): boolean {
    const { eyes } = this.#self;
    const far = Math.hypot(x - eyes.x, z - eyes.z);
    const left = Math.max(0, far - until);
    const isThere = left < 0.02;
    const share = isThere ? 0 : Math.min(left, WALK_SPEED * TICK_SECONDS) / far;
    this.#self.stand(eyes.x + (x - eyes.x) * share, eyes.z + (z - eyes.z) * share, facing);
    return isThere;
  }

  /** The hand with a cube, before the chest. */
  #carryHand(): void {
    addScaled(this.#self.eyes, this.#self.forward, HAND.ahead, wanted);
    wanted.y = HAND.height;
    approach(this.#hand, wanted, CARRY_SPEED * 2);
  }

  /**
   * Moves the hand so that its cube comes to a height, and over the tower's axis by a share of 0 or 1.
   * @returns true once the cube is there.
   */
  #bring(sight: BotSight, across: 0 | 1, height: number, speed: number): boolean {
    positionOf(this.#body, sight, cube);
    setVector(way, across * (this.#tower.x - cube.x), height - cube.y, across * (this.#tower.z - cube.z));
    const left = length(way);
    addScaled(this.#hand, way, Math.min(1, (speed * TICK_SECONDS) / Math.max(left, 1e-9)), this.#hand);
    return left < 0.01;
  }

  #setDown(sight: BotSight): boolean {
    const isNear = positionOf(this.#body, sight, cube).y - this.#place < SET_DOWN_FROM;
    return this.#bring(sight, 1, this.#place, isNear ? SET_DOWN_SPEED : CARRY_SPEED);
  }

  /** Looks at the player, or at the cube that it has to do with. */
  #look(sight: BotSight, friend: Friend | null, out: PlayerInput): void {
    const looksUp = this.#step === 'wait' || this.#step === 'after' || this.#step === 'offer';
    if (!looksUp) lookAt(this.#self.eyes, positionOf(this.#body, sight, cube), out.head.rotation);
    else if (friend !== null) lookAt(this.#self.eyes, friend.head.position, out.head.rotation);
  }

  #useHand(sight: BotSight, out: PlayerInput): void {
    const hand = out.hands[RIGHT];
    switch (this.#step) {
      case 'wait':
        this.#lowerHand();
        break;
      case 'after':
        // A hand that opens keeps still at first: else it would throw.
        if (this.#ticks >= STILL) this.#lowerHand();
        break;
      case 'point':
      case 'reach':
        if (this.#ticks <= POINTING || this.#step === 'reach')
          lookAt(this.#hand, positionOf(this.#body, sight, cube), this.#turn);
        hand.grip = this.#ticks < POINTING ? 0 : 1;
        break;
      default:
        hand.grip = 1;
    }
    hand.trigger = this.#step === 'pull' ? 1 : 0;
    copyVector(this.#hand, hand.pose.position);
    copyQuaternion(this.#turn, hand.pose.rotation);
  }

  #lowerHand(): void {
    approach(this.#hand, this.#idleHand(), LOWER_SPEED);
    addScaled(this.#self.eyes, this.#self.forward, 3, wanted);
    wanted.y = HAND.height;
    lookAt(this.#hand, wanted, this.#turn);
  }

  #idleHand(): ReadonlyVector {
    this.#self.handAt(RIGHT, wanted);
    wanted.y = HAND.height;
    return wanted;
  }

  /** Turns the hand so that the cube in it lies flat: by the least turn. */
  #turnUpright(sight: BotSight): void {
    const at = this.#body * STRIDE + MOTION.rotation;
    const { motion } = sight;
    setQuaternion(turned, motion[at], motion[at + 1], motion[at + 2], motion[at + 3]);
    let most = 0;
    for (const axis of AXES) {
      rotate(turned, axis, along);
      if (Math.abs(along.y) <= Math.abs(most)) continue;
      most = along.y;
      copyVector(along, upright);
    }
    const sign = Math.sign(most);
    // The half-way turn from the face's direction to straight up: (up × face, 1 + up · face), normalised.
    const w = 1 + Math.abs(most);
    const norm = Math.hypot(upright.z, upright.x, w);
    setQuaternion(turned, (-sign * upright.z) / norm, 0, (sign * upright.x) / norm, w / norm);
    multiply(turned, this.#turn, this.#turn);
  }

  #isMine(body: BodyId, { records }: BotSight): boolean {
    return body !== NO_BODY && records.hold[body] !== NOT_HELD && records.authority[body] === this.#slot;
  }
}

/** Moves a point to another, by a tick's way at most. @param speed in m/s. */
function approach(point: Vector, to: ReadonlyVector, speed: number): void {
  setVector(way, to.x - point.x, to.y - point.y, to.z - point.z);
  const left = length(way);
  addScaled(point, way, Math.min(1, (speed * TICK_SECONDS) / Math.max(left, 1e-9)), point);
}

/** The steps in which the hand holds a cube. */
const HOLDING: ReadonlySet<Step> = new Set(['pull', 'offer', 'carry', 'lift', 'across', 'down']);
const AXES = [vector(1, 0, 0), vector(0, 1, 0), vector(0, 0, 1)];
const cube = vector();
const way = vector();
const wanted = vector();
const along = vector();
const upright = vector();
const turned = quaternion();
