import type { HandSide } from '../core/base/ids.ts';
import { LEFT } from '../core/base/ids.ts';
import type { Quaternion } from '../core/base/math.ts';
import { fromAxisAngle, multiply, quaternion, rotate, setVector, vector } from '../core/base/math.ts';
import type { PlayerInput } from '../core/hands/hand-input.ts';

/** Milliseconds of a wave, and of one swing to a side and back. */
const WAVE_MS = 1900;
const SWING_MS = 480;
/** Metres from the eyes to the hand that waves: to its side, up, and ahead. */
const ASIDE = 0.34;
const ABOVE = 0.1;
const AHEAD = -0.26;
/** Metres to either side of that; and radians by which the hand leans there. */
const SWING = 0.11;
const LEAN = 0.35;

const UP = vector(0, 1, 0);
const ACROSS = vector(1, 0, 0);
const BACK = vector(0, 0, 1);
/** From a hand that points ahead to one whose fingers point up, with its palm ahead. */
const RAISED = [raised(1), raised(-1)] as const;

/**
 * A wave by a key or a button. At a desk or on a phone the left hand waves, which is absent otherwise; in a headset a
 * free hand waves, as others see it. No message is sent: other pages recognise the movement.
 */
export class WaveGesture {
  readonly #yawTurn = quaternion();
  readonly #lean = quaternion();
  #beganAt = -Infinity;

  /** Begins a wave, unless one goes on. @param nowMs on the clock of `into`. */
  begin(nowMs: number): void {
    if (!this.#isOn(nowMs)) this.#beganAt = nowMs;
  }

  /** Writes the waving hand into the input of a player without a left hand of its own, and takes it out after the wave. */
  into(input: PlayerInput, nowMs: number): PlayerInput {
    input.hands[LEFT].tracked = this.#isOn(nowMs);
    return this.over(input, nowMs, LEFT);
  }

  /** Writes the waving hand over one of a player's own hands, while it waves. */
  over(input: PlayerInput, nowMs: number, side: HandSide): PlayerInput {
    if (!this.#isOn(nowMs)) return input;
    const hand = input.hands[side];
    const outwards = side === LEFT ? -1 : 1;
    const { position, rotation } = input.head;
    const ahead = rotate(rotation, BACK, hand.pose.position);
    fromAxisAngle(UP, Math.atan2(ahead.x, ahead.z), this.#yawTurn);
    const swing = Math.sin((2 * Math.PI * (nowMs - this.#beganAt)) / SWING_MS);
    rotate(
      this.#yawTurn,
      setVector(hand.pose.position, outwards * ASIDE + swing * SWING, ABOVE, AHEAD),
      hand.pose.position,
    );
    hand.pose.position.x += position.x;
    hand.pose.position.y += position.y;
    hand.pose.position.z += position.z;
    multiply(this.#yawTurn, fromAxisAngle(BACK, -swing * LEAN, this.#lean), this.#lean);
    multiply(this.#lean, RAISED[side], hand.pose.rotation);
    hand.tracked = true;
    // It takes no cube.
    hand.busy = true;
    hand.grip = hand.trigger = 0;
    hand.pointing = hand.thumbUp = true;
    return input;
  }

  #isOn(nowMs: number): boolean {
    return nowMs >= this.#beganAt && nowMs - this.#beganAt < WAVE_MS;
  }
}

function raised(inwards: 1 | -1): Quaternion {
  const turned = fromAxisAngle(UP, (inwards * Math.PI) / 2, quaternion());
  return multiply(turned, fromAxisAngle(ACROSS, Math.PI / 2, quaternion()), quaternion());
}
