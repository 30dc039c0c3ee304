import type { BodyId } from '../core/base/ids.ts';
import { LEFT, NO_BODY, RIGHT } from '../core/base/ids.ts';
import { TICK_RATE, TICK_SECONDS } from '../core/base/constants.ts';
import { addScaled, lookAt, setVector, vector } from '../core/base/math.ts';
import type { Bot, BotSeat, BotSight } from './bot.ts';
import { aim, BotBody, pickSlowBody } from './bot.ts';
import { BotOnDisplay } from './bot-on-display.ts';
import type { PlayerInput } from '../core/hands/hand-input.ts';
import { createGiveBot } from './give-bot.ts';
import { createHeapBot } from './heap-bot.ts';
import { createMachineBot } from './machine-bot.ts';
import { createRallyBot } from './rally-bot.ts';
import { createStackBot } from './stack-bot.ts';

export const BOT_NAMES = ['idle', 'stack', 'chaos', 'fight', 'give', 'heap', 'rally', 'machine'] as const;
export type BotName = (typeof BOT_NAMES)[number];

/** True for a name in BOT_NAMES. */
export function isBotName(name: string): name is BotName {
  return (BOT_NAMES as readonly string[]).includes(name);
}

/**
 * Makes a player that plays by itself. The same seat and the same sights give the same play. At a rate other than 60 it
 * moves as on a display with 60 frames a second.
 */
export function createBot(name: BotName, seat: BotSeat): Bot {
  const bot = create(name, seat);
  const { rate = TICK_RATE } = seat;
  return rate === TICK_RATE ? bot : new BotOnDisplay(bot, rate);
}

function create(name: BotName, seat: BotSeat): Bot {
  switch (name) {
    case 'idle':
      return createIdleBot(seat);
    case 'chaos':
      return createChaosBot(seat);
    case 'fight':
      return createFightBot(seat);
    case 'stack':
      return createStackBot(seat);
    case 'give':
      return createGiveBot(seat);
    case 'heap':
      return createHeapBot(seat);
    case 'rally':
      return createRallyBot(seat);
    case 'machine':
      return createMachineBot(seat);
  }
}

/** Stands and looks. */
function createIdleBot(seat: BotSeat): Bot {
  const self = new BotBody(seat);
  return { act: (_tick, _sight, out) => self.relax(out) };
}

/** Ticks between two throws: two seconds. */
const CHAOS_CYCLE = 2 * TICK_RATE;
/** Ticks before the first move: cubes that fall from 24 m have landed by then. */
const LANDED = 135;

/** Throws a cube at the pile every two seconds, and moves another about in between. */
function createChaosBot(seat: BotSeat): Bot {
  const self = new BotBody(seat);
  const { random } = seat;
  const begin = LANDED + random.below(25);
  let thrown: BodyId = NO_BODY;
  let moved: BodyId = NO_BODY;
  let speed = 10;
  let lift = 1;
  return {
    act(tick, sight, out) {
      self.relax(out);
      if (tick < begin) {
        self.ease(out);
        return;
      }
      const at = (tick - begin) % CHAOS_CYCLE;
      if (at === 0) {
        thrown = pickSlowBody(self.eyes, sight, random);
        speed = random.between(8, 13);
      }
      if (thrown !== NO_BODY) throwOver(self, sight, thrown, at, speed, out);
      if (at === 74) {
        moved = pickSlowBody(self.eyes, sight, random);
        lift = random.between(0.3, 1.6);
      }
      if (moved !== NO_BODY && at >= 74) moveAbout(self, sight, moved, at - 74, lift, out);
      self.ease(out);
    },
  };
}

/**
 * Ticks into a throw at which the hand points, closes, has pulled the cube near, has drawn back, and the length
 * of the swing.
 */
const POINTED = 14;
const PULLED = 52;
const DRAWN = 62;
const SWINGS = 9;

/** The right hand throws a body towards the middle: `at` counts the ticks since it began to point. */
function throwOver(
  self: BotBody,
  sight: BotSight,
  body: BodyId,
  at: number,
  speed: number,
  out: PlayerInput,
): void {
  const hand = out.hands[RIGHT];
  if (at > DRAWN + SWINGS) return;
  self.handAt(RIGHT, hand.pose.position);
  // The hand opens while it moves.
  hand.grip = at >= POINTED && at < DRAWN + SWINGS ? 1 : 0;
  if (at < POINTED + 2) aim(body, sight, RIGHT, out);
  else {
    hand.trigger = at < PULLED ? 1 : 0;
    const back = Math.min(1, Math.max(0, at - PULLED) / (DRAWN - PULLED)) * 0.4;
    const swing = Math.max(0, at - DRAWN) * speed * TICK_SECONDS;
    addScaled(hand.pose.position, self.forward, swing - back, hand.pose.position);
    addScaled(hand.pose.position, UP, back, hand.pose.position);
    addScaled(hand.pose.position, self.forward, 10, target);
    lookAt(hand.pose.position, target, hand.pose.rotation);
  }
}

/** Ticks after which the moved cube is released. */
const MOVED = 45;

/** The left hand takes a body, lifts it, carries it sideways and lets it go; `at` counts the ticks. */
function moveAbout(
  self: BotBody,
  sight: BotSight,
  body: BodyId,
  at: number,
  lift: number,
  out: PlayerInput,
): void {
  const hand = out.hands[LEFT];
  if (at > MOVED) return;
  self.handAt(LEFT, hand.pose.position);
  hand.grip = at >= POINTED && at < MOVED ? 1 : 0;
  aim(body, sight, LEFT, out);
  if (at < POINTED + 2) return;
  const share = Math.min(1, (at - POINTED - 2) / 26);
  lookAt(hand.pose.position, AHEAD, hand.pose.rotation);
  setVector(
    hand.pose.position,
    hand.pose.position.x + 0.8 * share * self.forward.z,
    hand.pose.position.y + lift * Math.sin(share * Math.PI),
    hand.pose.position.z - 0.8 * share * self.forward.x,
  );
}

/** Ticks of a fight's round, and the cubes that are fought over. */
const FIGHT_ROUND = 30;
const FOUGHT_OVER = 3;

/** Every player grabs and throws the same few cubes, in the same tick. */
function createFightBot(seat: BotSeat): Bot {
  const self = new BotBody(seat);
  const { random } = seat;
  let speed = 5;
  return {
    act(tick, sight, out) {
      self.relax(out);
      if (tick < LANDED) {
        self.ease(out);
        return;
      }
      const at = (tick - LANDED) % FIGHT_ROUND;
      if (at === 0) speed = random.between(5, 9);
      const body = (Math.floor((tick - LANDED) / FIGHT_ROUND) %
        Math.min(FOUGHT_OVER, sight.records.count)) as BodyId;
      const hand = out.hands[RIGHT];
      self.handAt(RIGHT, hand.pose.position);
      // Above the others' heads, so that nothing stands between the hand and the cube.
      hand.pose.position.y += 1.5;
      aim(body, sight, RIGHT, out);
      if (at >= POINTED && at <= FIGHT_ROUND - 2) {
        hand.grip = at < FIGHT_ROUND - 2 ? 1 : 0;
        if (at >= POINTED + 2) swingForward(self, at - 20, speed, out);
      }
      self.ease(out);
    },
  };
}

/** Pulls the held cube near; from tick 0 on, swings it towards the middle. */
function swingForward(self: BotBody, at: number, speed: number, out: PlayerInput): void {
  const { pose } = out.hands[RIGHT];
  out.hands[RIGHT].trigger = 1;
  addScaled(pose.position, self.forward, Math.max(0, at) * speed * TICK_SECONDS, pose.position);
  lookAt(pose.position, AHEAD, pose.rotation);
}

const UP = vector(0, 1, 0);
const AHEAD = vector(0, 0.5, 0);
const target = vector();
