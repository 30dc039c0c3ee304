import { expect, test } from 'vitest';
import { quaternion, vector } from '../../../src/core/base/math.ts';
import type { Level, Template } from '../../../src/core/world/level.ts';
import { flatLevel, STANDARD_MATERIAL } from '../../../src/core/world/level.ts';
import { referTo } from '../../../src/core/world/level-reference.ts';

const BALL: Template = { ...STANDARD_MATERIAL, shape: { kind: 'ball', radius: 0.1 } };

function levelOf(template: Template): Level {
  return flatLevel('balls', [{ template, start: { position: vector(0, 0.1, 0), rotation: quaternion() } }]);
}

function hashOf(template: Template): string {
  return referTo({ id: 'balls', seed: 0 }, levelOf(template)).hash;
}

test('[R6.1] peers with another rolling friction are found by the hash of the level', () => {
  expect(hashOf({ ...BALL, rollingFriction: 0.002 })).not.toBe(hashOf({ ...BALL, rollingFriction: 0.003 }));
  expect(hashOf({ ...BALL, rollingFriction: 0.002 })).not.toBe(hashOf(BALL));
});

test('without rolling friction a level has the hash that it had before there was any', () => {
  expect(hashOf(BALL)).toBe('af88e6d12580ad966b98');
});
