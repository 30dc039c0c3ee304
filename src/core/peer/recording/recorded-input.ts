import { HAND_SIDES } from '../../base/ids.ts';
import type { Pose } from '../../base/math.ts';
import type { HandInput, PlayerInput } from '../../hands/hand-input.ts';
import { TRAIL_LENGTH } from '../../hands/hand-input.ts';
import type { ByteCoder } from '../../wire/files/bytes.ts';

/** Numbers that share a byte of flags: one bit for each, set if it differs from the last input's. */
const GROUP = 8;

/**
 * Codes the inputs of one player, one after the other, exactly. Only numbers that differ from the last input's are
 * written, so that a hand that is still or absent takes next to nothing. One coder writes, or reads, a whole sequence.
 */
export class InputCoder {
  /** The numbers of the last input. */
  readonly #last: number[] = [];
  /** The numbers of the present group. */
  readonly #group = new Float64Array(GROUP);

  /** Writes an input. @throws Error if it cannot be one: that is a fault of the caller. */
  write(c: ByteCoder, input: Readonly<PlayerInput>): void {
    let [at, inGroup] = [0, 0];
    const flush = (): void => {
      let differing = 0;
      const first = at - inGroup;
      for (let i = 0; i < inGroup; i++)
        if (!Object.is(this.#group[i], this.#last[first + i])) differing |= 1 << i;
      c.u8(differing);
      for (let i = 0; i < inGroup; i++) {
        if (((differing >> i) & 1) === 1) this.#last[first + i] = c.f64(this.#group[i]);
      }
      inGroup = 0;
    };
    eachNumber(input, (value) => {
      this.#group[inGroup++] = value;
      at++;
      if (inGroup === GROUP) flush();
      return value;
    });
    if (inGroup > 0) flush();
  }

  /** Reads an input into `out`; the reader fails if it cannot be one. */
  read(c: ByteCoder, out: PlayerInput): void {
    let at = 0;
    let differing = 0;
    const fail = (): void => c.fail();
    eachNumber(
      out,
      () => {
        if (at % GROUP === 0) differing = c.u8(0);
        if (((differing >> (at % GROUP)) & 1) === 1) this.#last[at] = c.f64(0);
        return this.#last[at++] ?? 0;
      },
      fail,
    );
    // The flags of a last group that is not full have no further bits.
    if (at % GROUP !== 0 && differing >> (at % GROUP) !== 0) c.fail();
  }
}

/**
 * Visits all numbers of an input, always in the same order; each is replaced by the number that `visit` returns.
 * @param fail called for an impossible number: a flag that is neither 0 nor 1, or a count of more poses than fit.
 */
function eachNumber(input: PlayerInput, visit: (value: number) => number, fail: () => void = assert): void {
  const flag = (value: boolean): boolean => {
    const number = visit(Number(value));
    if (number !== 0 && number !== 1) fail();
    return number === 1;
  };
  eachOfPose(input.head, visit);
  input.age = visit(input.age);
  input.voice = visit(input.voice);
  for (const side of HAND_SIDES) {
    const hand = input.hands[side];
    hand.tracked = flag(hand.tracked);
    hand.busy = flag(hand.busy);
    hand.tilt = flag(hand.tilt);
    hand.pointing = flag(hand.pointing);
    hand.thumbUp = flag(hand.thumbUp);
    hand.grip = visit(hand.grip);
    hand.trigger = visit(hand.trigger);
    hand.stick.x = visit(hand.stick.x);
    hand.stick.y = visit(hand.stick.y);
    eachOfPose(hand.pose, visit);
    hand.trail.broken = flag(hand.trail.broken);
    eachOfTrail(hand, visit, fail);
  }
}

function eachOfTrail({ trail }: HandInput, visit: (value: number) => number, fail: () => void): void {
  const count = visit(trail.count);
  const isCount = Number.isInteger(count) && count >= 0 && count <= TRAIL_LENGTH;
  if (!isCount) fail();
  trail.count = isCount ? count : 0;
  for (let i = 0; i < trail.count; i++) {
    trail.before[i] = visit(trail.before[i]);
    eachOfPose(trail.poses[i], visit);
  }
}

function eachOfPose({ position, rotation }: Pose, visit: (value: number) => number): void {
  position.x = visit(position.x);
  position.y = visit(position.y);
  position.z = visit(position.z);
  rotation.x = visit(rotation.x);
  rotation.y = visit(rotation.y);
  rotation.z = visit(rotation.z);
  rotation.w = visit(rotation.w);
}

function assert(): never {
  throw new Error('an impossible input');
}
