import { FLAT_BOUNDS } from '../../../src/core/world/level.ts';
import { expect, test } from 'vitest';
import type { BodyId } from '../../../src/core/base/ids.ts';
import { RIGHT } from '../../../src/core/base/ids.ts';
import { pose, setVector, vector } from '../../../src/core/base/math.ts';
import { clampHeld } from '../../../src/core/hands/clamp-held.ts';
import { AuthorStream } from '../../../src/core/peer/incoming/author-stream.ts';
import { avatarSample } from '../../../src/core/wire/avatar/avatar.ts';
import { quantiseOffset, quantisePose } from '../../../src/core/wire/bodies/quantise.ts';

test.each([
  ['beyond the world', vector(70, 80, -90), vector(63, 61, -63)],
  ['below the floor', vector(-1, -3, 2), vector(-1, 0.25, 2)],
  ['within the world', vector(62.9, 60.9, -62.9), vector(62.9, 60.9, -62.9)],
])('[I5] a held body %s is held within it', (_, at, held) => {
  const out = pose();
  setVector(out.position, at.x, at.y, at.z);
  expect(clampHeld(out, FLAT_BOUNDS).position).toEqual(held);
});

test.each([
  ['the ceiling', 60, 10],
  ['the floor', 0.5, -5],
])('[I5] a hand near %s shows a body where its holder has it', (_, height, offset) => {
  const [hand, held] = [pose(), pose()];
  setVector(hand.position, 0, height, 0);
  setVector(held.position, 0, offset, 0);
  const sample = avatarSample();
  const { [RIGHT]: right } = sample.hands;
  right.tracked = true;
  right.held = 0 as BodyId;
  quantisePose(hand, right.pose, 0);
  quantiseOffset(held, right.offset);
  const stream = new AuthorStream(FLAT_BOUNDS, () => undefined);
  for (let tick = 0; tick < 40; tick++) {
    stream.clock.arrive(tick, tick);
    stream.addAvatar(tick, sample);
    stream.advance(tick);
  }
  const { carriedPose } = stream.shown.hands[RIGHT];
  setVector(held.position, 0, height + offset, 0);
  expect(carriedPose.position.y).toBe(clampHeld(held, FLAT_BOUNDS).position.y);
});
