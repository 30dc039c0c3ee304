import type { BodyId, HandSide, Slot } from '../core/base/ids.ts';
import { HAND_SIDES, NO_BODY, NOT_HELD } from '../core/base/ids.ts';
import { TICK_SECONDS } from '../core/base/constants.ts';
import type { Pose, ReadonlyVector, Vector } from '../core/base/math.ts';
import {
  addScaled,
  copyPose,
  copyVector,
  distance,
  lerpVector,
  lookAt,
  nlerp,
  pose,
  setVector,
  vector,
} from '../core/base/math.ts';
import { MOTION, STRIDE } from '../core/base/state.ts';
import type { Random } from '../core/base/random.ts';
import type { Numbers, RecordsDiagnostics } from '../core/peer/diagnostics/bodies-diagnostics.ts';
import type { PlayerInput } from '../core/hands/hand-input.ts';

/** The world as a bot sees it: that of its own peer, as for a player. */
export type BotSight = {
  readonly records: RecordsDiagnostics;
  /** STRIDE a body. */
  readonly motion: Numbers;
  /** True if there is a body of this id. */
  exists(body: BodyId): boolean;
};

/** A scripted player. In each tick it fills the input that a device would fill. */
export type Bot = { act(tick: number, sight: BotSight, out: PlayerInput): void };

/** The bot's slot, the number of bots that take turns, its source of chance, and the ticks a second (60 if left out). */
export type BotSeat = {
  readonly slot: Slot;
  readonly players: number;
  readonly random: Random;
  readonly rate?: number;
};

/**
 * Metres: the distance from the middle of the floor at which bots stand, the height of their eyes, the reach of
 * an arm.
 */
const STAND = 6;
const EYES = 1.65;
const ARM = 0.35;
/** The share of a turn that a hand makes in a tick, and its greatest speed in metres a second. */
const TURN_SHARE = 0.3;
const FASTEST = 14;

/** A bot's place, and its hands while they do nothing. */
export class BotBody {
  readonly eyes: Vector;
  /** From the eyes to the middle, level. */
  readonly forward: Vector;
  readonly #right: Vector;
  readonly #last: readonly [Pose, Pose] = [pose(), pose()];
  #moved = false;

  /** @param stand metres from the middle of the floor. */
  constructor(seat: Pick<BotSeat, 'slot' | 'players'>, stand = STAND) {
    const angle = (2 * Math.PI * seat.slot) / Math.max(2, seat.players);
    this.eyes = vector(stand * Math.sin(angle), EYES, stand * Math.cos(angle));
    this.forward = vector(-Math.sin(angle), 0, -Math.cos(angle));
    this.#right = vector(Math.cos(angle), 0, -Math.sin(angle));
  }

  /** Stands at another place of the floor from now on, and faces a point; it must not be above that place. */
  stand(x: number, z: number, towards: ReadonlyVector): void {
    setVector(this.eyes, x, EYES, z);
    const far = Math.hypot(towards.x - x, towards.z - z);
    setVector(this.forward, (towards.x - x) / far, 0, (towards.z - z) / far);
    setVector(this.#right, -this.forward.z, 0, this.forward.x);
  }

  /** Opens both hands and lowers them, and turns the head to the middle. */
  relax(out: PlayerInput): void {
    copyVector(this.eyes, out.head.position);
    lookAt(this.eyes, MIDDLE, out.head.rotation);
    out.age = 0;
    out.voice = 0;
    for (const side of HAND_SIDES) {
      const hand = out.hands[side];
      hand.tracked = true;
      hand.grip = 0;
      hand.trigger = 0;
      setVector(this.handAt(side, hand.pose.position), hand.pose.position.x, 1.2, hand.pose.position.z);
      lookAt(hand.pose.position, MIDDLE, hand.pose.rotation);
    }
  }

  /** Limits how fast the hands turn and move to what an arm can do. Call it last. */
  ease(out: PlayerInput): void {
    for (const side of HAND_SIDES) {
      const { position, rotation } = out.hands[side].pose;
      const last = this.#last[side];
      if (this.#moved) {
        nlerp(last.rotation, rotation, TURN_SHARE, rotation);
        const away = distance(last.position, position);
        const share = Math.min(1, (FASTEST * TICK_SECONDS) / Math.max(away, 1e-9));
        lerpVector(last.position, position, share, position);
      }
      copyPose(out.hands[side].pose, last);
    }
    this.#moved = true;
  }

  /** The place of an idle hand: an arm's length in front of the eyes, to its side. */
  handAt(side: HandSide, out: Vector): Vector {
    addScaled(this.eyes, this.forward, ARM, out);
    return addScaled(out, this.#right, side === 0 ? -0.22 : 0.22, out);
  }
}

/** Points a hand at a body. */
export function aim(body: BodyId, sight: BotSight, side: HandSide, out: PlayerInput): void {
  const { pose } = out.hands[side];
  lookAt(pose.position, positionOf(body, sight, aimed), pose.rotation);
}

/** The position of a body in metres, as the bot's own engine has it. @returns `out`. */
export function positionOf(body: BodyId, sight: BotSight, out: Vector): Vector {
  const at = body * STRIDE;
  return setVector(out, sight.motion[at], sight.motion[at + 1], sight.motion[at + 2]);
}

/** Metres a second. 0 for a body at rest, whatever its engine still has. */
export function speedOf(body: BodyId, sight: BotSight): number {
  if (sight.records.resting[body] === 1) return 0;
  const at = body * STRIDE + MOTION.linear;
  const [x, y, z] = [sight.motion[at], sight.motion[at + 1], sight.motion[at + 2]];
  return Math.sqrt(x * x + y * y + z * z);
}

/** Picks by chance one of the slow bodies within reach that nobody holds; NO_BODY if there is none. */
export function pickSlowBody(from: ReadonlyVector, sight: BotSight, random: Random): BodyId {
  let [picked, seen] = [NO_BODY, 0];
  for (let i = 0; i < sight.records.count; i++) {
    const body = i as BodyId;
    if (!sight.exists(body) || sight.records.hold[body] !== NOT_HELD || speedOf(body, sight) > 1.5) continue;
    const away = distance(from, positionOf(body, sight, candidate));
    if (away < 1 || away > 11) continue;
    seen++;
    if (random.below(seen) === 0) picked = body;
  }
  return picked;
}

const MIDDLE = vector(0, 0.8, 0);
const aimed = vector();
const candidate = vector();
