import type { BodyId, HandSide } from '../core/base/ids.ts';
import { LEFT, NO_BODY, NOT_HELD, RIGHT } from '../core/base/ids.ts';
import { GRAVITY, TICK_RATE, TICK_SECONDS } from '../core/base/constants.ts';
import type { Pose, Vector } from '../core/base/math.ts';
import {
  addScaled,
  composePose,
  copyPose,
  distance,
  length,
  lookAt,
  pose,
  relativePose,
  setQuaternion,
  setVector,
  vector,
} from '../core/base/math.ts';
import { MOTION, STRIDE } from '../core/base/state.ts';
import type { PlayerInput } from '../core/hands/hand-input.ts';
import type { Bot, BotSeat, BotSight } from './bot.ts';
import { aim, BotBody, positionOf, speedOf } from './bot.ts';

/** Ticks before the first move: cubes that fall from 24 m have landed by then. */
const LANDED = 135;
/** Metres: from the middle of a court to where a bot stands, and between two courts; where and how high it strikes. */
const BASELINE = 2.3;
const COURT = 3;
const STRIKE_AT = 1.4;
const STRIKE_HEIGHT = 1.3;
/** Seconds for which a struck cube flies to the other bot. */
const FLIGHT = 0.7;
/** Metres between the middles of bat and ball when they touch. */
const TOUCH = 0.55;
/** Seconds of a swing before it meets the ball, and ticks for which it goes on after. */
const SWING = 0.12;
const FOLLOW_TICKS = 6;
/** Metres from the middle of the court, along it and across, where a ball is struck. */
const NEAREST = 0.3;
const FARTHEST = 4;
const WIDEST = 2;
/** The share of speed that is left of a bounce of two cubes. */
const BOUNCE = 0.1;
/** Ticks into taking a cube at which the hand closes; at which the ball is thrown; and for which the throw swings. */
const CLOSES = 16;
const SERVES = 60;
const SERVE_SWING = 10;
/** Ticks for which the ball lies still before it is served. */
const STILL = TICK_RATE / 2;
/** Metres: no cube farther away is taken. */
const REACH = 11;

/**
 * Two neighbours bat a cube back and forth, each with a cube in the right hand. The bot of the lower slot throws the
 * ball with its left hand when it lies still.
 */
export function createRallyBot(seat: BotSeat): Bot {
  const player = new RallyPlayer(seat);
  return { act: (tick, sight, out) => player.act(tick, sight, out) };
}

class RallyPlayer {
  readonly #self: BotBody;
  readonly #seat: BotSeat;
  /** The cube that is batted. Every court has its own. */
  readonly #ball: BodyId;
  readonly #court: number;
  /** Which end of the court is its own: 1 or -1 along z. */
  readonly #side: number;
  /** The pose of the right hand in the last tick. */
  readonly #lastHand: Pose = pose();
  /** Where the bat is on its way, in the world. */
  readonly #bat: Pose = pose();
  readonly #swing: Vector = vector();
  #followed = FOLLOW_TICKS;
  #swings = false;
  #taking = 0;
  #wanted: BodyId = NO_BODY;
  #still = 0;
  #serving = -1;

  constructor(seat: BotSeat) {
    const pairs = Math.ceil(seat.players / 2);
    const court = seat.slot >> 1;
    this.#seat = seat;
    this.#self = new BotBody(seat);
    this.#ball = court as BodyId;
    this.#court = (court - (pairs - 1) / 2) * COURT;
    this.#side = seat.slot % 2 === 0 ? 1 : -1;
    this.#self.stand(this.#court, this.#side * BASELINE, vector(this.#court, 0, 0));
  }

  act(tick: number, sight: BotSight, out: PlayerInput): void {
    this.#self.relax(out);
    if (tick >= LANDED && this.#ball < sight.records.count) {
      const bat = this.#heldIn(RIGHT, sight);
      if (bat === NO_BODY || bat === this.#ball) this.#takeBat(bat, sight, out);
      else this.#play(bat, sight, out);
      if (bat !== NO_BODY && this.#seat.slot % 2 === 0) this.#serve(sight, out);
    }
    this.#self.ease(out);
    copyPose(out.hands[RIGHT].pose, this.#lastHand);
  }

  #heldIn(side: HandSide, { records }: BotSight): BodyId {
    for (let body = 0; body < records.count; body++)
      if (records.authority[body] === this.#seat.slot && records.hold[body] === side + 1)
        return body as BodyId;
    return NO_BODY;
  }

  /** Points at the nearest cube that is no ball, and closes the hand. A ball in it is let go. */
  #takeBat(held: BodyId, sight: BotSight, out: PlayerInput): void {
    if (this.#taking === 0 || held !== NO_BODY) this.#wanted = this.#nearest(sight);
    this.#taking = held === NO_BODY ? (this.#taking + 1) % (2 * CLOSES) : 0;
    if (this.#wanted === NO_BODY) return;
    const hand = out.hands[RIGHT];
    this.#self.handAt(RIGHT, hand.pose.position);
    aim(this.#wanted, sight, RIGHT, out);
    hand.grip = this.#taking >= CLOSES ? 1 : 0;
  }

  #nearest(sight: BotSight): BodyId {
    const balls = Math.ceil(this.#seat.players / 2);
    let [nearest, least] = [NO_BODY, REACH];
    for (let body = balls as BodyId; body < sight.records.count; body++) {
      if (!sight.exists(body) || sight.records.hold[body] !== NOT_HELD || speedOf(body, sight) > 1) continue;
      const away = distance(this.#self.eyes, positionOf(body, sight, place));
      if (away >= least) continue;
      [nearest, least] = [body, away];
    }
    return nearest;
  }

  /** Holds the bat ready, swings at a ball that comes, and follows through. */
  #play(bat: BodyId, sight: BotSight, out: PlayerInput): void {
    const hand = out.hands[RIGHT];
    hand.grip = 1;
    hand.trigger = 1;
    const meets = this.#followed >= FOLLOW_TICKS && this.#meet(sight);
    if (!meets && this.#swings) this.#followed = 0;
    this.#swings &&= meets;
    if (this.#followed < FOLLOW_TICKS) {
      this.#followed++;
      addScaled(this.#bat.position, this.#swing, TICK_SECONDS, this.#bat.position);
    } else if (!meets) {
      const { position, rotation } = this.#bat;
      setVector(
        position,
        this.#court + 0.3 * this.#side,
        STRIKE_HEIGHT - 0.4,
        this.#side * (STRIKE_AT + 0.3),
      );
      lookAt(position, setVector(ahead, this.#court, STRIKE_HEIGHT, 0), rotation);
    }
    // The hand goes where it has to be for the bat to be there.
    relativePose(this.#lastHand, poseOf(bat, sight, held), held);
    composePose(this.#bat, relativePose(held, NOWHERE, held), hand.pose);
  }

  /** Moves the bat to meet the ball. Returns false if no ball comes. */
  #meet(sight: BotSight): boolean {
    const v = this.#ball * STRIDE + MOTION.linear;
    setVector(velocity, sight.motion[v], sight.motion[v + 1], sight.motion[v + 2]);
    if (velocity.z * this.#side < 0.5 || sight.records.hold[this.#ball] !== NOT_HELD) return false;
    positionOf(this.#ball, sight, meeting);
    const fall = velocity.y * velocity.y + 2 * GRAVITY * (meeting.y - STRIKE_HEIGHT);
    if (fall < 0) return false;
    const left = (velocity.y + Math.sqrt(fall)) / GRAVITY;
    addScaled(meeting, velocity, left, meeting);
    meeting.y = STRIKE_HEIGHT;
    velocity.y -= GRAVITY * left;
    const [deep, wide] = [meeting.z * this.#side, Math.abs(meeting.x - this.#court)];
    if (left > 2 || deep < NEAREST || deep > FARTHEST || wide > WIDEST) return false;
    this.#aimAtPartner(meeting, this.#swing);
    const speed = length(this.#swing);
    const against = -dot3(velocity, this.#swing) / speed;
    const swing = (speed - BOUNCE * against) / (1 + BOUNCE);
    addScaled(NOWHERE.position, this.#swing, swing / speed, this.#swing);
    addScaled(meeting, this.#swing, -TOUCH / swing - Math.min(SWING, left), this.#bat.position);
    lookAt(this.#bat.position, meeting, this.#bat.rotation);
    this.#swings = left <= SWING;
    return true;
  }

  /** The velocity with which the ball flies from a place to where the other bot strikes. */
  #aimAtPartner(from: Readonly<Vector>, out: Vector): Vector {
    const rise = STRIKE_HEIGHT - from.y + (GRAVITY / 2) * FLIGHT * FLIGHT;
    return setVector(
      out,
      (this.#court - from.x) / FLIGHT,
      rise / FLIGHT,
      (-this.#side * STRIKE_AT - from.z) / FLIGHT,
    );
  }

  /** The left hand picks the ball up when it lies still, and throws it to the other bot. */
  #serve(sight: BotSight, out: PlayerInput): void {
    const isStill = sight.records.hold[this.#ball] === NOT_HELD && speedOf(this.#ball, sight) < 0.3;
    this.#still = isStill ? this.#still + 1 : 0;
    if (this.#serving < 0 && this.#still < STILL) return;
    this.#serving++;
    const hand = out.hands[LEFT];
    this.#self.handAt(LEFT, hand.pose.position);
    aim(this.#ball, sight, LEFT, out);
    hand.grip = this.#serving >= CLOSES && this.#serving < SERVES + SERVE_SWING ? 1 : 0;
    if (this.#serving > SERVES + SERVE_SWING) this.#serving = -1;
    if (this.#serving < CLOSES + 2) return;
    hand.trigger = 1;
    setVector(hand.pose.position, this.#court, STRIKE_HEIGHT, this.#side * (BASELINE - 0.5));
    this.#aimAtPartner(hand.pose.position, velocity);
    lookAt(hand.pose.position, setVector(ahead, this.#court, STRIKE_HEIGHT, 0), hand.pose.rotation);
    const swung = Math.max(0, this.#serving - SERVES) - SERVE_SWING / 2;
    addScaled(hand.pose.position, velocity, swung * TICK_SECONDS, hand.pose.position);
  }
}

/** The pose of a body, as the bot's own engine has it. */
function poseOf(body: BodyId, sight: BotSight, out: Pose): Pose {
  const [m, r] = [sight.motion, body * STRIDE + MOTION.rotation];
  positionOf(body, sight, out.position);
  setQuaternion(out.rotation, m[r], m[r + 1], m[r + 2], m[r + 3]);
  return out;
}

function dot3(a: Readonly<Vector>, b: Readonly<Vector>): number {
  return a.x * b.x + a.y * b.y + a.z * b.z;
}

const NOWHERE: Readonly<Pose> = pose();
const place = vector();
const meeting = vector();
const velocity = vector();
const ahead = vector();
const held = pose();
