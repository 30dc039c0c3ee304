import { GRAVITY, LINEAR_DAMPING } from '../../core/base/constants.ts';
import type { ReadonlyVector, Vector } from '../../core/base/math.ts';
import { setVector, wrapAngle } from '../../core/base/math.ts';
import { HAND_SIDES } from '../../core/base/ids.ts';
import type { AvatarView, PeerView } from '../../core/peer/shown/peer-view.ts';

/** The tangent of a far throw's elevation: 42 degrees. */
const STEEPNESS = 0.9;
/** Metres per second along the floor, at least: [G3] puts a slower body down. So near throws are flatter. */
const LEAST_ALONG = 3.2;
/** Seconds that a throw flies at least, at a target that is close and high. */
const LEAST_FLIGHT = 0.15;
/** Radians: a throw is meant for a player if its direction misses the player by at most this angle. */
const MEANT = (8 * Math.PI) / 180;
/**
 * A throw may be meant for a player as far away as its range times this factor, plus a metre: nobody throws past a
 * friend on purpose.
 */
const TOO_SHORT = 3;
/** Metres: a player that is nearer to the body could as well be handed it. */
const NEAREST = 0.4;
/** Metres below the eyes and in front of them where a throw for a player arrives: its hands, before its chest. */
const CHEST = 0.4;
const LOWEST_CHEST = 0.6;
const BEFORE_CHEST = 0.2;

/** A wished throw. Bearings are radians to the left of -z, seen from the eye. */
export type Wish = {
  readonly eye: ReadonlyVector;
  /** Where the held body is. */
  readonly body: ReadonlyVector;
  /** Metres: the height of its centre when it lies on the floor. */
  readonly lies: number;
  /** Where the pointer was as the flick began, and where the throw goes. */
  readonly from: number;
  readonly to: number;
  /** Metres along the floor. */
  readonly range: number;
};

/** A throw: the velocity at its start in metres a second, and the seconds until it lands. The caller owns it. */
export type Aim = { readonly velocity: Vector; seconds: number };

/**
 * Works out the throw that a player wishes: from the body along its bearing, so that it lands on the floor at its
 * range. Soft aim assist: if a player stands between where the flick began and where the throw goes, or within a few
 * degrees of that, and the range is not far too short, the throw lands at that player's chest.
 * @param view what the thrower sees; null if nobody else is there.
 * @returns `out`.
 */
export function aimThrow(wish: Wish, view: PeerView | null, out: Aim): Aim {
  const friend = view === null ? null : meantFriend(wish, view);
  const { body, lies, to, range } = wish;
  if (friend === null) {
    setVector(target, body.x - Math.sin(to) * range, lies, body.z - Math.cos(to) * range);
  } else {
    const { x, y, z } = friend.head.position;
    const far = Math.hypot(x - body.x, z - body.z);
    const share = Math.max(0, far - BEFORE_CHEST) / far;
    const chest = Math.max(LOWEST_CHEST, y - CHEST);
    setVector(target, body.x + (x - body.x) * share, chest, body.z + (z - body.z) * share);
  }
  return lob(body, target, out);
}

/**
 * Fills `out` with the throw from one point to another: at 42 degrees, or flatter if that would be too slow along the
 * floor. It is exact under gravity and the bodies' damping.
 */
function lob(from: ReadonlyVector, to: ReadonlyVector, out: Aim): Aim {
  const [x, rise, z] = [to.x - from.x, to.y - from.y, to.z - from.z];
  const along = Math.hypot(x, z);
  const fall = Math.max(0, along * STEEPNESS - rise);
  const lobbed = Math.sqrt((2 * fall) / GRAVITY);
  const seconds = Math.max(LEAST_FLIGHT, Math.min(lobbed, along / LEAST_ALONG));
  // A damped body covers in `seconds` what an undamped one covers in `worth`.
  const worth = (1 - Math.exp(-LINEAR_DAMPING * seconds)) / LINEAR_DAMPING;
  const ending = GRAVITY / LINEAR_DAMPING;
  setVector(out.velocity, x / worth, (rise + ending * seconds) / worth - ending, z / worth);
  out.seconds = seconds;
  return out;
}

/**
 * Fills `out` (x, y, z for each point) with the way of a throw from its start to its end, at even times.
 * @param from where the body is.
 */
export function traceThrow(from: ReadonlyVector, { velocity, seconds }: Aim, out: Float32Array): void {
  const last = out.length / 3 - 1;
  const ending = GRAVITY / LINEAR_DAMPING;
  for (let i = 0; i <= last; i++) {
    const time = (seconds * i) / last;
    const worth = (1 - Math.exp(-LINEAR_DAMPING * time)) / LINEAR_DAMPING;
    out[i * 3] = from.x + velocity.x * worth;
    out[i * 3 + 1] = from.y + (velocity.y + ending) * worth - ending * time;
    out[i * 3 + 2] = from.z + velocity.z * worth;
  }
}

/** The player that the throw is meant for, or null. */
function meantFriend({ eye, body, from, to, range }: Wish, view: PeerView): AvatarView | null {
  let [best, meant]: [AvatarView | null, number] = [null, Infinity];
  for (const avatar of view.avatars) {
    if (!avatar.present || avatar.slot === view.self) continue;
    const { head, hands } = avatar;
    const way = Math.hypot(head.position.x - body.x, head.position.z - body.z);
    if (way < NEAREST || way > range * TOO_SHORT + 1) continue;
    let beside = besideSweep(bearingOf(eye, head.position), from, to);
    for (const side of HAND_SIDES) {
      if (!hands[side].tracked) continue;
      beside = Math.min(beside, besideSweep(bearingOf(eye, hands[side].pose.position), from, to));
    }
    if (beside > MEANT) continue;
    const off = Math.abs(wrapAngle(bearingOf(eye, head.position) - to));
    if (off < meant) [best, meant] = [avatar, off];
  }
  return best;
}

/** Radians to the left of -z in which one point lies from another. */
export function bearingOf(from: ReadonlyVector, to: ReadonlyVector): number {
  return Math.atan2(from.x - to.x, from.z - to.z);
}

/** Radians by which a bearing lies outside of the shorter way between two others; 0 inside. */
function besideSweep(bearing: number, from: number, to: number): number {
  const whole = wrapAngle(to - from);
  const part = wrapAngle(bearing - from);
  if (whole * part >= 0 && Math.abs(part) <= Math.abs(whole)) return 0;
  return Math.min(Math.abs(part), Math.abs(wrapAngle(bearing - to)));
}

const target: Vector = { x: 0, y: 0, z: 0 };
