import { describe, expect, test } from 'vitest';
import { distance, fromAxisAngle, pose, quaternion, vector } from '../../../../src/core/base/math.ts';
import type { Joint, JointKind } from '../../../../src/core/world/joints/joint.ts';
import { frameAtStart, jointEnd } from '../../../../src/core/world/joints/joint.ts';
import type { Level, LevelBody } from '../../../../src/core/world/level.ts';
import { flatLevel, STANDARD_MATERIAL } from '../../../../src/core/world/level.ts';
import { faultsOfLevel } from '../../../../src/core/world/level-faults.ts';
import { openLevel, referTo } from '../../../../src/core/world/level-reference.ts';

const BALL = { ...STANDARD_MATERIAL, shape: { kind: 'ball', radius: 0.3 } } as const;
const TURNED = fromAxisAngle(vector(0, 0, 1), 1, quaternion());
const UP = vector(0, 1, 0);
const AXIS = { limits: { least: -1, most: 1 }, motor: null, friction: 0.2 } as const;

function bodiesIn(count: number): LevelBody[] {
  return Array.from({ length: count }, (_, i) => ({
    template: BALL,
    start: { position: vector(i, 1, 0), rotation: TURNED },
  }));
}

/** The second body is tied to the first one, or to the world, half a metre before the second one. */
function levelWith(
  kind: JointKind,
  changes: Partial<Pick<Joint, 'ends'>> = {},
  to: number | null = 0,
): Level {
  const bodies = bodiesIn(2);
  const ends = [to, 1].map((body) => jointEnd(bodies, body, vector(0.5, 1, 0), UP));
  return {
    ...flatLevel('tied', bodies),
    joints: [{ ...kind, ends: [ends[0], ends[1]], collides: false, ...changes }],
  };
}

const KINDS: readonly JointKind[] = [
  { kind: 'fixed' },
  { kind: 'hinge', ...AXIS },
  { kind: 'slider', ...AXIS, friction: 0, motor: { speed: 1, strength: 2 } },
  { kind: 'ball' },
  { kind: 'rope', length: 1 },
  { kind: 'spring', length: 0.5, stiffness: 100, damping: 1 },
];

describe('[J1.1] a joint', () => {
  test.each(KINDS)('of kind $kind has no fault, between two bodies and between one and the world', (kind) => {
    expect(faultsOfLevel(levelWith(kind))).toEqual([]);
    expect(faultsOfLevel(levelWith(kind, {}, null))).toEqual([]);
  });

  test('has its ends at one place of the world where the level begins, however the bodies are turned', () => {
    const { bodies, joints } = levelWith({ kind: 'ball' });
    for (const end of joints[0].ends) {
      const { position, rotation } = frameAtStart(bodies, end);
      expect(distance(position, vector(0.5, 1, 0))).toBeLessThan(1e-6);
      expect(rotation.z).toBeCloseTo(Math.SQRT1_2, 6);
    }
  });

  test('has no end at a body that is not there, and no axis without a direction', () => {
    const bodies = bodiesIn(2);
    expect(() => jointEnd(bodies, 2, vector())).toThrow(new RangeError('There is no body 2.'));
    expect(() => jointEnd(bodies, 1, vector(), vector())).toThrow('The axis of a joint has a length.');
  });

  const far = { body: 1, frame: pose() };
  test.each<[string, Level]>([
    [
      'It names a body that the level does not have.',
      levelWith(KINDS[0], { ends: [far, { ...far, body: 7 }] }),
    ],
    ['It ties a body to itself, or the world to the world.', levelWith(KINDS[0], { ends: [far, far] })],
    ['Its two ends begin 1.00 m apart.', levelWith(KINDS[3], { ends: [{ ...far, body: 0 }, far] })],
    [
      'It begins longer than it is.',
      levelWith({ kind: 'rope', length: 0.1 }, { ends: [{ ...far, body: 0 }, far] }),
    ],
    ['Its length is 0; it must be 0.01 to 100.', levelWith({ kind: 'rope', length: 0 })],
    [
      'Its stiffness is -1; it must be 0 to 1000000.',
      levelWith({ kind: 'spring', length: 1, stiffness: -1, damping: 0 }),
    ],
    [
      'Its damping is NaN; it must be 0 to 1000000.',
      levelWith({ kind: 'spring', length: 1, stiffness: 1, damping: NaN }),
    ],
    [
      'Its lower limit is 1; it must be -3.141592653589793 to 0.',
      levelWith({ ...AXIS, kind: 'hinge', limits: { least: 1, most: 2 } }),
    ],
    [
      'Its upper limit is 101; it must be 0 to 100.',
      levelWith({ ...AXIS, kind: 'slider', limits: { least: 0, most: 101 } }),
    ],
    ['Its friction is -1; it must be 0 to 1000000.', levelWith({ ...AXIS, kind: 'hinge', friction: -1 })],
    [
      'The speed of its motor is 50; it must be -40 to 40.',
      levelWith({ ...AXIS, kind: 'hinge', friction: 0, motor: { speed: 50, strength: 1 } }),
    ],
    [
      'The strength of its motor is -1; it must be 0 to 1000000.',
      levelWith({ ...AXIS, kind: 'hinge', friction: 0, motor: { speed: 1, strength: -1 } }),
    ],
    [
      'It has a motor and friction: the motor’s strength is to count for both.',
      levelWith({ ...AXIS, kind: 'hinge', motor: { speed: 1, strength: 1 } }),
    ],
  ])('has a fault: %s', (fault, level) => {
    expect(faultsOfLevel(level)).toEqual([`Joint 0: ${fault}`]);
  });

  test('has a fault if its axes differ, or its frame is not finite', () => {
    const bodies = bodiesIn(2);
    const at = vector(0.5, 1, 0);
    const askew = [jointEnd(bodies, 0, at, UP), jointEnd(bodies, 1, at, vector(0, 1, 0.1))] as const;
    expect(faultsOfLevel(levelWith(KINDS[1], { ends: askew }))).toEqual([
      'Joint 0: The axes of its two ends are not alike where the level begins.',
    ]);
    const nowhere = { body: 0, frame: { position: vector(NaN, 0, 0), rotation: quaternion() } };
    expect(faultsOfLevel(levelWith(KINDS[0], { ends: [nowhere, askew[1]] }))).toEqual([
      'Joint 0: The frame of an end is not finite, or its rotation is not a unit quaternion.',
    ]);
  });

  test('[B1.2] counts in the hash of a level', () => {
    const [loose, stiff] = [AXIS.friction, 0.3].map((friction) =>
      levelWith({ ...AXIS, kind: 'hinge', friction }),
    );
    const reference = referTo({ id: 'tied', seed: 1 }, loose);
    expect(openLevel(reference, () => loose)).toBe(loose);
    expect(openLevel(reference, () => stiff)).toBeNull();
    expect(openLevel(reference, () => ({ ...loose, joints: [] }))).toBeNull();
  });
});

test('[J1.2] sixteen bodies may be tied together, and not seventeen', () => {
  const chain = (count: number): Level => {
    const bodies = bodiesIn(count);
    const joints = bodies.slice(1).map((_, i): Joint => {
      const at = vector(i + 0.5, 1, 0);
      return { kind: 'ball', ends: [jointEnd(bodies, i, at), jointEnd(bodies, i + 1, at)], collides: false };
    });
    return { ...flatLevel('chain', bodies), joints };
  };
  expect(faultsOfLevel(chain(16))).toEqual([]);
  expect(faultsOfLevel(chain(17))).toEqual(['Joints tie at most 16 bodies together.']);
});
