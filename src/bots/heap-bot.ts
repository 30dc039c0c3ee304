import type { BodyId } from '../core/base/ids.ts';
import { NO_BODY, NOT_HELD, RIGHT } from '../core/base/ids.ts';
import { TICK_SECONDS } from '../core/base/constants.ts';
import type { Vector } from '../core/base/math.ts';
import {
  addScaled,
  copyQuaternion,
  copyVector,
  length,
  quaternion,
  setVector,
  vector,
} from '../core/base/math.ts';
import { CUBE_SIZE } from '../levels/arrangements.ts';
import type { Bot, BotSeat, BotSight } from './bot.ts';
import { aim, BotBody, pickSlowBody, positionOf } from './bot.ts';
import type { PlayerInput } from '../core/hands/hand-input.ts';

/** The place of the heap, in metres, and the distance up to which a cube belongs to it. */
const HEAP = vector(-2, 0, 1);
const HEAP_RADIUS = 0.7;
/** Ticks before the first move: falling cubes have landed by then. */
const LANDED = 135;
/** Ticks into a round at which the hand closes, moves, and opens at the latest. */
const CLOSES = 14;
const MOVES = 17;
const OPENS = 130;
/** Ticks from the opening of the hand to the end of the round. */
const AFTER = 8;
/** Metres above the heap at which a cube is carried, and its distance from its place at which it is released. */
const CLEAR = 0.3;
const NEAR = 0.03;
/** Metres a second of a carried cube. */
const CARRY_SPEED = 4;

/**
 * Carries cubes to one place and puts them on whatever lies there, at the same time as others. It waits for
 * nobody.
 */
export function createHeapBot(seat: BotSeat): Bot {
  const self = new BotBody(seat);
  const { random } = seat;
  const hand = vector();
  const turned = quaternion();
  let begins = LANDED + random.below(60);
  let opens = OPENS;
  let cube: BodyId = NO_BODY;
  return {
    act(tick, sight, out) {
      self.relax(out);
      const at = tick - begins;
      if (at === 0) {
        cube = pickSlowBody(self.eyes, sight, random);
        self.handAt(RIGHT, hand);
        hand.y += 1;
        opens = OPENS;
      }
      if (at >= 0 && cube !== NO_BODY) {
        const { pose } = out.hands[RIGHT];
        if (at >= MOVES && at < opens && bringOn(cube, sight, hand)) opens = at;
        copyVector(hand, pose.position);
        if (at < MOVES) copyQuaternion(aimed(cube, sight, out), turned);
        copyQuaternion(turned, pose.rotation);
        out.hands[RIGHT].grip = at >= CLOSES && at < opens ? 1 : 0;
      }
      if (at > opens + AFTER || (at >= 0 && cube === NO_BODY)) begins = tick + 1 + random.below(30);
      self.ease(out);
    },
  };
}

function aimed(cube: BodyId, sight: BotSight, out: PlayerInput) {
  aim(cube, sight, RIGHT, out);
  return out.hands[RIGHT].pose.rotation;
}

/**
 * Moves the hand so that its cube comes to the heap.
 * @returns true once the cube is there, or out of the hand.
 */
function bringOn(cube: BodyId, sight: BotSight, hand: Vector): boolean {
  if (sight.records.hold[cube] === NOT_HELD) return true;
  positionOf(cube, sight, place);
  const aside = Math.sqrt((HEAP.x - place.x) ** 2 + (HEAP.z - place.z) ** 2);
  const top = heapTop(cube, sight) + CUBE_SIZE / 2;
  setVector(way, HEAP.x - place.x, top + (aside > NEAR ? CLEAR : 0) - place.y, HEAP.z - place.z);
  const left = length(way);
  if (left < NEAR && aside <= NEAR) return true;
  addScaled(hand, way, Math.min(1, (CARRY_SPEED * TICK_SECONDS) / Math.max(left, 1e-9)), hand);
  return false;
}

/** Metres: the height of the heap without this cube. */
function heapTop(cube: BodyId, sight: BotSight): number {
  let top = 0;
  for (let i = 0; i < sight.records.count; i++) {
    positionOf(i as BodyId, sight, other);
    const aside = Math.max(Math.abs(other.x - HEAP.x), Math.abs(other.z - HEAP.z));
    const isFree = sight.exists(i as BodyId) && sight.records.hold[i] === NOT_HELD;
    const counts = i !== cube && isFree && aside < HEAP_RADIUS;
    if (counts) top = Math.max(top, other.y + CUBE_SIZE / 2);
  }
  return top;
}

const way = vector();
const place = vector();
const other = vector();
