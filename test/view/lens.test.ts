import { expect, test } from 'vitest';
import { fieldOfView, halfWidth } from '../../src/view/lens.ts';

test('a wide picture has the usual field of view', () => {
  for (const aspect of [16 / 9, 844 / 390, 1, 0.7]) expect(fieldOfView(aspect)).toBe(60);
});

test('a phone held upright sees a friend and the cubes beside the friend', () => {
  const aspect = 390 / 844;
  expect((halfWidth(aspect) * 360) / Math.PI).toBeCloseTo(44, 6);
  expect(fieldOfView(aspect)).toBeGreaterThan(80);
});

test('no picture is stretched too far', () => {
  expect(fieldOfView(0.1)).toBe(83);
});
