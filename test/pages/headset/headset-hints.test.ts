import { describe, expect, test } from 'vitest';
import { LEFT, RIGHT } from '../../../src/core/base/ids.ts';
import type { HandMoment, Moment } from '../../../src/pages/headset/headset-hints.ts';
import { hintsAt } from '../../../src/pages/headset/headset-hints.ts';
import type { HeadsetAction } from '../../../src/storage/done-actions.ts';
import { HEADSET_ACTIONS } from '../../../src/storage/done-actions.ts';
import type { Hint } from '../../../src/view/headset/label.ts';

const FREE: HandMoment = { device: 'controller', holds: false, finds: false };
const FINDS: HandMoment = { ...FREE, finds: true };
const HOLDS: HandMoment = { ...FREE, holds: true };
const BARE: HandMoment = { ...FREE, device: 'hand' };
const NONE: HandMoment = { ...FREE, device: 'none' };

/** The texts at the left and at the right hand. */
function said(
  left: HandMoment,
  right: HandMoment,
  done: readonly HeadsetAction[] = [],
  smoothWalking = false,
  hasMenu = true,
): [string[], string[]] {
  const lists: [Hint[], Hint[]] = [[], []];
  hintsAt({ hands: [left, right], smoothWalking, hasMenu }, new Set(done), lists);
  return [lists[LEFT].map(({ text }) => text), lists[RIGHT].map(({ text }) => text)];
}

describe('a newcomer in a headset is told', () => {
  test('how to take a cube, to get about, and where the menu is', () => {
    expect(said(FREE, FREE)).toEqual([['Y: menu'], ['Point at a cube, then grip', 'Stick: jump, turn']]);
  });

  test('of no menu where there is none', () => {
    expect(said(FREE, FREE, [], false, false)[LEFT]).toEqual([]);
  });

  test('to grip at the hand that can', () => {
    expect(said(FREE, FINDS)[RIGHT][0]).toBe('Grip: take the cube');
    expect(said(FINDS, FREE)).toEqual([['Grip: take the cube', 'Y: menu'], ['Stick: jump, turn']]);
  });

  test('what can be done with a cube in the hand, at that hand, and nothing else', () => {
    const all = ['Let go in motion: throw it', 'Trigger: bring it to your hand', 'Stick: out, in, turn'];
    expect(said(FREE, HOLDS)).toEqual([[], all]);
    expect(said(HOLDS, FREE)).toEqual([all, []]);
    expect(said(FREE, HOLDS, ['throw', 'shift'])).toEqual([['Stick: jump, turn', 'Y: menu'], [all[1]]]);
  });

  test('how to pinch and throw with bare hands, and of nothing that they lack', () => {
    expect(said(BARE, BARE)).toEqual([[], ['Point at a cube, then pinch']]);
    expect(said({ ...BARE, finds: true }, BARE)).toEqual([['Pinch: take the cube'], []]);
    expect(said(BARE, { ...BARE, holds: true })).toEqual([[], ['Let go in motion: throw it']]);
    expect(said(BARE, BARE, ['grip'])).toEqual([[], ['Point at a cube, then pinch']]);
    expect(said(BARE, BARE, ['pinch'])).toEqual([[], []]);
  });

  test('nothing at a hand that is not there', () => {
    expect(said(NONE, NONE)).toEqual([[], []]);
    expect(said(NONE, FREE)).toEqual([[], ['Point at a cube, then grip', 'Stick: jump, turn', 'B: menu']]);
    expect(said(FREE, NONE)).toEqual([['Point at a cube, then grip', 'Stick: jump, turn', 'Y: menu'], []]);
  });

  test('only what is left to do', () => {
    expect(said(FREE, FREE, ['grip', 'turn'])).toEqual([['Y: menu'], ['Stick forward: jump']]);
    expect(said(FREE, FREE, ['grip', 'go', 'menu'])).toEqual([[], ['Stick left or right: turn']]);
    expect(said(FREE, HOLDS, ['throw', 'snap', 'shift', 'go', 'turn', 'menu'])).toEqual([[], []]);
  });

  test('that the left stick walks where it does', () => {
    expect(said(FREE, FREE, ['grip', 'turn', 'menu'], true)).toEqual([['Stick: walk'], []]);
    expect(said(FREE, FREE, ['grip', 'go', 'menu'], true)).toEqual([[], ['Stick left or right: turn']]);
  });
});

test('at no moment is more said than three things, or two at one button, or anything to who has done it all', () => {
  const flags = [false, true];
  const hands = (['none', 'controller', 'hand'] as const).flatMap((device) =>
    flags.flatMap((holds) => flags.map((finds) => ({ device, holds, finds }))),
  );
  for (const left of hands) {
    for (const right of hands) {
      for (const smoothWalking of flags) {
        const moment: Moment = { hands: [left, right], smoothWalking, hasMenu: true };
        const lists: [Hint[], Hint[]] = [[], []];
        for (const done of HEADSET_ACTIONS) {
          hintsAt(moment, new Set([done]), lists);
          expect(lists[LEFT].length + lists[RIGHT].length).toBeLessThanOrEqual(3);
          for (const list of lists) expect(new Set(list.map(({ button }) => button)).size).toBe(list.length);
        }
        hintsAt(moment, new Set(HEADSET_ACTIONS), lists);
        expect(lists).toEqual([[], []]);
      }
    }
  }
});
