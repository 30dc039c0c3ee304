import { describe, expect, test } from 'vitest';
import type { Pose } from '../../../../src/core/base/math.ts';
import { pose, vector } from '../../../../src/core/base/math.ts';
import { madeJoint, wordsOf } from '../../../../src/core/peer/joints/made-joints.ts';
import { Islands } from '../../../../src/core/world/joints/islands.ts';
import type { Joint } from '../../../../src/core/world/joints/joint.ts';
import { apart } from '../../../support/stage.ts';
import { sceneOf, withChain } from '../../../support/stage-levels.ts';

const MAKING = { perPlayer: 1, slots: 1, kinds: [{ kind: 'fixed', collides: true }] } as const;
const LEVEL = withChain(sceneOf(apart(3)), 0, { making: MAKING });

function at(x: number): Pose {
  return { ...pose(), position: vector(x, 0, 0) };
}

/** The joint by the words of one with these ends. */
function read(a: number | null, frame: Pose, b = 1, other = pose()): Joint | null {
  const ends = [
    { body: a, frame },
    { body: b, frame: other },
  ] as const;
  return madeJoint(LEVEL, wordsOf(LEVEL, 0, ends), 0);
}

describe('[J5.5] words that make no joint', () => {
  test('have a frame that is too far from its body, or out of the bounds of the level', () => {
    expect(read(0, at(19.9))?.ends[0].frame.position.x).toBeCloseTo(19.9, 3);
    expect(read(0, at(20.1))).toBeNull();
    expect(read(2, pose(), 1, at(-20.1))).toBeNull();
    expect(read(null, at(LEVEL.bounds.across - 0.1))).not.toBeNull();
    expect(read(null, at(LEVEL.bounds.across + 0.1))).toBeNull();
  });

  test('or one that is no unit rotation', () => {
    expect(read(0, { ...pose(), rotation: { x: 0, y: 0, z: 0, w: 0.9 } })).toBeNull();
    expect(read(0, { ...pose(), rotation: { x: 0.5, y: 0.5, z: 0.5, w: 0.5 } })).not.toBeNull();
  });

  test('or tie a body to itself', () => {
    expect(read(1, pose())).toBeNull();
  });
});

test('[J5.5] a joint that would make an island of 17 bodies is gone, by whoever’s word', () => {
  const islands = new Islands(18, [], 17);
  for (let i = 0; i < 17; i++) {
    const ends = [
      { body: i, frame: pose() },
      { body: i + 1, frame: pose() },
    ] as const;
    islands.set(i, { kind: 'fixed', collides: true, removable: true, ends });
  }
  islands.find();
  expect(islands.parts[0]).toHaveLength(16);
  expect(islands.isGone[15]).toBe(1);
  expect(islands.parts[17]).toEqual([16, 17]);
});
