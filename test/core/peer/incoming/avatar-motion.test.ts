import { TICK_RATE } from '../../../../src/core/base/constants.ts';
import { beforeEach, describe, expect, test } from 'vitest';
import type { BodyId } from '../../../../src/core/base/ids.ts';
import { NO_BODY, RIGHT } from '../../../../src/core/base/ids.ts';
import { pose, setVector } from '../../../../src/core/base/math.ts';
import { AvatarMotion } from '../../../../src/core/peer/incoming/avatar-motion.ts';
import { BatchBuffer } from '../../../../src/core/peer/incoming/batches.ts';
import type { AvatarSample } from '../../../../src/core/wire/avatar/avatar.ts';
import { avatarSample } from '../../../../src/core/wire/avatar/avatar.ts';
import { quantisePose } from '../../../../src/core/wire/bodies/quantise.ts';

const CUBE = 4 as BodyId;
/** Metres: half a step of the position grid, and a little. */
const GRID = 0.0003;
let motion: AvatarMotion;
let waiting: BatchBuffer;

beforeEach(() => {
  motion = new AvatarMotion(TICK_RATE);
  waiting = new BatchBuffer(TICK_RATE, () => {}, motion.add);
});

/** A sample with head and right hand at x metres; the hand holds a body or none. */
function sample(x: number, held: BodyId = NO_BODY): AvatarSample {
  const avatar = avatarSample();
  const at = pose();
  setVector(at.position, x, 1, 0);
  quantisePose(at, avatar.head, 0);
  const hand = avatar.hands[RIGHT];
  hand.tracked = true;
  hand.held = held;
  quantisePose(at, hand.pose, 0);
  return avatar;
}

function headAt(moment: number, position: number): number {
  motion.moveTo(moment, position, waiting);
  const out = pose();
  motion.poseHead(out);
  return out.position.x;
}

describe('the motion of an avatar', () => {
  test('goes along the samples that are due, and on to those that still wait', () => {
    for (const tick of [10, 11]) waiting.addAvatar(tick, sample(tick / 10));
    waiting.deliver(10);
    expect(motion.hasSample).toBe(true);
    expect(headAt(10.5, 10.5)).toBeGreaterThan(1.05 - GRID);
    expect(headAt(10.5, 10.5)).toBeLessThan(1.05 + GRID);
    expect(motion.newest.time).toBe(10);
  });

  test('ends at the newest sample, and begins at the oldest', () => {
    motion.add({ avatar: sample(1), time: 10 });
    expect(Math.abs(headAt(20, 20) - 1)).toBeLessThan(GRID);
    expect(Math.abs(headAt(5, 5) - 1)).toBeLessThan(GRID);
  });

  test('does not go back for a sample that comes late, and takes the newer of two of one frame', () => {
    motion.add({ avatar: sample(1), time: 10 });
    motion.add({ avatar: sample(2), time: 9 });
    expect(motion.newest.time).toBe(10);
    motion.add({ avatar: sample(3), time: 10.1 });
    expect(motion.newest.time).toBe(10.1);
    expect(Math.abs(headAt(10.1, 10.1) - 3)).toBeLessThan(GRID);
  });

  test('of a hand that carries a body passes over samples that do not carry it', () => {
    motion.add({ avatar: sample(1, CUBE), time: 10 });
    waiting.addAvatar(11, sample(1.2));
    motion.moveTo(10.5, 10.5, waiting);
    const out = pose();
    motion.poseHand(RIGHT, CUBE, out);
    expect(Math.abs(out.position.x - 1)).toBeLessThan(GRID);
    motion.poseHand(RIGHT, NO_BODY, out);
    expect(Math.abs(out.position.x - 1.1)).toBeLessThan(GRID);
  });

  test('is empty again after a reset', () => {
    motion.add({ avatar: sample(1), time: 10 });
    motion.reset();
    expect(motion.hasSample).toBe(false);
  });
});
