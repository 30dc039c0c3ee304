import { expect, test } from 'vitest';
import { HAND_SIDES, LEFT, NO_BODY, NO_SLOT, NOT_HELD, RIGHT, holdOf } from '../../../src/core/base/ids.ts';

test('each hand has a hold of its own, and none is another', () => {
  expect(new Set([NOT_HELD, holdOf(LEFT), holdOf(RIGHT)]).size).toBe(3);
  expect(HAND_SIDES).toEqual([LEFT, RIGHT]);
});

test('a fresh Uint8Array of holds holds nothing', () => {
  expect(NOT_HELD).toBe(new Uint8Array(1)[0]);
});

test('none is no index, and survives a signed typed array', () => {
  for (const none of [NO_SLOT, NO_BODY]) {
    expect(none).toBe(-1);
    expect(Int8Array.of(none)[0]).toBe(none);
  }
});
