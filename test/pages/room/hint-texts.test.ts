import { describe, expect, test } from 'vitest';
import type { Slot } from '../../../src/core/base/ids.ts';
import { RIGHT } from '../../../src/core/base/ids.ts';
import type { GivingStep } from '../../../src/pages/giving/giving-step.ts';
import type { Device } from '../../../src/pages/room/screen/hint-texts.ts';
import { createLevel, LEVEL_IDS } from '../../../src/levels/levels.ts';
import { hasOnlyCubes, hintAt } from '../../../src/pages/room/screen/hint-texts.ts';
import type { DeskAction } from '../../../src/storage/done-actions.ts';
import { DESK_ACTIONS } from '../../../src/storage/done-actions.ts';

function said(
  done: readonly DeskAction[],
  kind?: GivingStep['kind'],
  device: Device = 'mouse',
): string | undefined {
  const step = kind === undefined ? null : { kind, friend: 1 as Slot, side: RIGHT };
  return hintAt(device, new Set(done), step)?.text;
}

describe('a newcomer at a desk reads', () => {
  test('first how to hold a cube, then how to hold it out to a friend, then the rest', () => {
    expect(said([], 'pick up')).toBe('Drag a cube with the left button.');
    expect(said(['hold'], 'pick up')).toBe('Take a cube and hold it out to {friend}.');
    expect(said(['hold', 'give'], 'pick up')).toBe('Flick a cube and let go: it flies.');
    expect(said(['hold'])).toBe('Flick a cube and let go: it flies.');
  });

  test('each step of a hand-over, also before it has held a cube', () => {
    expect(said([], 'hold out')).toBe('Hold it out to {friend}: press [O].');
    expect(said([], 'hold still')).toBe('Hold it still: {friend} can take it now.');
    expect(said([], 'let go')).toBe('Let go: {friend} takes it.');
    expect(said([], 'put down')).toBe('Put yours down, then press and hold {friend}’s cube.');
    expect(said([], 'press')).toBe('Press and hold {friend}’s cube to take it.');
    expect(said([], 'keep')).toBe('Keep pressing until {friend} lets go.');
  });

  test('of things, not of cubes, in a level that has other shapes', () => {
    const step = { kind: 'press', friend: 1 as Slot, side: RIGHT } as const;
    expect(hintAt('mouse', new Set(), null, false)?.text).toBe('Drag something with the left button.');
    expect(hintAt('mouse', new Set(), step, false)?.text).toBe('Press and hold {friend}’s thing to take it.');
    const cubes = LEVEL_IDS.filter((id) => hasOnlyCubes(createLevel({ id, seed: 1 })));
    expect(cubes).toEqual(LEVEL_IDS.filter((id) => id !== 'playground' && id !== 'workshop'));
  });

  test('with fingers, of the button that holds a cube out', () => {
    expect(said([], 'hold out', 'touch')).toBe('Hold it out to {friend}: tap Give.');
    expect(said([], undefined, 'touch')).toBe('Drag a cube with one finger.');
  });

  test('nothing of what it has done', () => {
    expect(said(['take'], 'press')).toBe('Drag a cube with the left button.');
    expect(said(['hold', 'take'], 'let go')).toBe('Let go: {friend} takes it.');
    for (const device of ['mouse', 'touch'] as const) {
      expect(said(DESK_ACTIONS, 'let go', device)).toBeUndefined();
      expect(said(DESK_ACTIONS, undefined, device)).toBeUndefined();
    }
  });
});

test('who closes each hint as it comes has closed them all in the end, each by itself', () => {
  for (const device of ['mouse', 'touch'] as const) {
    const done = new Set<DeskAction>();
    const read: string[] = [];
    for (let hint = hintAt(device, done, null); hint !== null; hint = hintAt(device, done, null)) {
      read.push(hint.text);
      for (const action of hint.doneBy) done.add(action);
    }
    expect(new Set(read).size).toBe(read.length);
    expect(read).toHaveLength(device === 'mouse' ? 6 : 5);
  }
});
