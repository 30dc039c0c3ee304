import { expect, test } from 'vitest';
import { quaternion, vector } from '../../../src/core/base/math.ts';
import type { Level, Template } from '../../../src/core/world/level.ts';
import { flatLevel, STANDARD_MATERIAL } from '../../../src/core/world/level.ts';
import { obstacleTo, referTo } from '../../../src/core/world/level-reference.ts';

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

test('[B2.1] [B2.3] the rate is a part of the hash, and of the reference, unless it is the usual one', () => {
  const recipe = { id: 'balls', seed: 0 };
  const usual = levelOf(BALL);
  expect(usual.rate).toBe(60);
  expect(referTo(recipe, usual)).toEqual({ ...recipe, hash: 'af88e6d12580ad966b98' });
  const fast = referTo(recipe, { ...usual, rate: 120 });
  expect(fast.rate).toBe(120);
  expect(fast.hash).not.toBe('af88e6d12580ad966b98');
});

test('[B1.2] [B2.3] a page knows what keeps it from playing in a level', () => {
  const recipe = { id: 'balls', seed: 0 };
  const slow = { ...levelOf(BALL), rate: 30 };
  const reference = referTo(recipe, slow);
  expect(obstacleTo(reference, () => slow)).toBeNull();
  expect(obstacleTo(reference, () => levelOf(BALL))).toBe('other rate');
  expect(obstacleTo(referTo(recipe, levelOf(BALL)), () => slow)).toBe('other rate');
  expect(obstacleTo(reference, () => ({ ...slow, gravity: 1 }))).toBe('other level');
  expect(obstacleTo(reference, () => null)).toBe('other level');
});
