import { HAND_SIDES } from '../../base/ids.ts';
import type { Pose } from '../../base/math.ts';
import type { HandInput, PlayerInput } from '../../hands/hand-input.ts';
import { TRAIL_LENGTH } from '../../hands/hand-input.ts';
import type { ByteCoder } from '../../wire/files/bytes.ts';

/** Numbers that share a byte, which says of each whether it differs from the last input's. */
const GROUP = 8;

/**
 * The inputs of one player, one after the other, to the bit. A hand that is still, or absent, takes next to
 * nothing: of the numbers of an input, in their order, only those that differ from the last one's are said.
 */
export class InputCoder {
  readonly #last: number[] = [];
  /** The numbers of the present group, and how many there are. */
  readonly #group = new Float64Array(GROUP);

  /** Writes an input. */
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

  /** Reads an input into `out`. */
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
    // Of a last group that is not full, nothing is left over.
    if (at % GROUP !== 0 && differing >> (at % GROUP) !== 0) c.fail();
  }
}

/**
 * Goes through all numbers of an input in one order: each is given to `visit`, and becomes what that returns.
 * @param fail called for what can't be: a flag that is neither 0 nor 1, more poses than there are.
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
  throw new Error('an input that can’t be');
}
