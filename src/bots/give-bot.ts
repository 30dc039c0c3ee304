import type { BodyId, Slot } from '../core/base/ids.ts';
import { LEFT, NO_BODY, NOT_HELD, RIGHT } from '../core/base/ids.ts';
import { addScaled, lookAt, vector } from '../core/base/math.ts';
import type { Bot, BotSeat, BotSight } from './bot.ts';
import { aim, BotBody, pickSlowBody } from './bot.ts';
import type { PlayerInput } from '../core/hands/hand-input.ts';

/** Metres from the middle: near enough to the next bot for giving [A9]. */
const STAND = 1.4;
/** Ticks of a round: one bot takes a cube and gives it to the next. */
const ROUND = 180;
/**
 * Ticks into a round at which the giver closes its hand, has pulled the cube near, opens the hand, and takes it
 * back.
 */
const CLOSES = 14;
const PULLED = 56;
const OPENS = 120;
const GOES = 140;
/**
 * Ticks into a round at which the receiver looks for the cube, closes its hand, and opens it. Now and then it
 * opens too early.
 */
const LOOKS = 70;
const REACHES = 96;
const PUTS_DOWN = 172;
const TOO_EARLY = 117;
const TOO_EARLY_CHANCE = 0.2;
/** Ticks before the first round: falling cubes have landed by then. */
const LANDED = 135;

/**
 * Stands in a circle. In turn each bot takes a cube with its right hand, and the next one takes it over with its
 * left.
 */
export function createGiveBot(seat: BotSeat): Bot {
  const self = new BotBody(seat, STAND);
  const { slot, players, random } = seat;
  let cube: BodyId = NO_BODY;
  let opens = PUTS_DOWN;
  return {
    act(tick, sight, out) {
      self.relax(out);
      const [at, giver] = [tick % ROUND, Math.floor(tick / ROUND) % players];
      if (tick >= LANDED && at === 0) {
        cube = giver === slot ? pickSlowBody(self.eyes, sight, random) : NO_BODY;
        opens = random.chance(TOO_EARLY_CHANCE) ? TOO_EARLY : PUTS_DOWN;
      }
      if (giver === slot && cube !== NO_BODY) offer(self, sight, cube, at, out);
      if ((giver + 1) % players === slot && at >= LOOKS && at < opens) {
        if (at < REACHES) cube = heldBy(giver as Slot, sight);
        if (cube !== NO_BODY) reach(self, sight, cube, at, out);
      }
      self.ease(out);
    },
  };
}

/** The right hand takes a cube, pulls it near, holds it up and lets it go. */
function offer(self: BotBody, sight: BotSight, cube: BodyId, at: number, out: PlayerInput): void {
  const hand = out.hands[RIGHT];
  if (at >= GOES) return;
  self.handAt(RIGHT, hand.pose.position);
  hand.grip = at >= CLOSES && at < OPENS ? 1 : 0;
  hand.trigger = at > CLOSES && at < PULLED ? 1 : 0;
  if (at < CLOSES + 2) {
    aim(cube, sight, RIGHT, out);
    return;
  }
  addScaled(hand.pose.position, self.forward, 2, ahead);
  lookAt(hand.pose.position, ahead, hand.pose.rotation);
}

/** The left hand points at a cube in another bot's hand, and closes. */
function reach(self: BotBody, sight: BotSight, cube: BodyId, at: number, out: PlayerInput): void {
  const hand = out.hands[LEFT];
  self.handAt(LEFT, hand.pose.position);
  if (at < REACHES + 2) aim(cube, sight, LEFT, out);
  else {
    addScaled(hand.pose.position, self.forward, 2, ahead);
    lookAt(hand.pose.position, ahead, hand.pose.rotation);
  }
  hand.grip = at >= REACHES ? 1 : 0;
}

function heldBy(slot: Slot, { records }: BotSight): BodyId {
  for (let body = 0; body < records.count; body++) {
    if (records.authority[body] === slot && records.hold[body] !== NOT_HELD) return body as BodyId;
  }
  return NO_BODY;
}

const ahead = vector();
