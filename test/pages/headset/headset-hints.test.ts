import { describe, expect, test } from 'vitest';
import { LEFT, RIGHT } from '../../../src/core/base/ids.ts';
import type { HandMoment, Moment } from '../../../src/pages/headset/headset-hints.ts';
import { hintsAt } from '../../../src/pages/headset/headset-hints.ts';
import type { HeadsetAction } from '../../../src/storage/done-actions.ts';
import { HEADSET_ACTIONS } from '../../../src/storage/done-actions.ts';
import type { Hint } from '../../../src/view/headset/labels/label.ts';

const FREE: HandMoment = { device: 'controller', holds: false, finds: false };
const FINDS: HandMoment = { ...FREE, finds: true };
const HOLDS: HandMoment = { ...FREE, holds: true };
const BARE: HandMoment = { ...FREE, device: 'hand' };
const NONE: HandMoment = { ...FREE, device: 'none' };

/** Returns the texts at the left and at the right hand. */
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

describe('a new player in a headset sees hints', () => {
  test('for taking a cube, moving and the menu', () => {
    expect(said(FREE, FREE)).toEqual([['Y: menu'], ['Point at a cube, then grip', 'Stick: teleport, turn']]);
  });

  test('but none for a menu that does not exist', () => {
    expect(said(FREE, FREE, [], false, false)[LEFT]).toEqual([]);
  });

  test('for the grip, at the hand that can take a cube', () => {
    expect(said(FREE, FINDS)[RIGHT][0]).toBe('Grip: take the cube');
    expect(said(FINDS, FREE)).toEqual([['Grip: take the cube', 'Y: menu'], ['Stick: teleport, turn']]);
  });

  test('for a held cube, at that hand, and no others', () => {
    const all = [
      'Swing and let go: throw it',
      'Trigger: bring it to your hand',
      'Stick: further, nearer, turn',
    ];
    expect(said(FREE, HOLDS)).toEqual([[], all]);
    expect(said(HOLDS, FREE)).toEqual([all, []]);
    expect(said(FREE, HOLDS, ['throw', 'shift'])).toEqual([['Stick: teleport, turn', 'Y: menu'], [all[1]]]);
  });

  test('for pinching and throwing with bare hands, and none for buttons', () => {
    expect(said(BARE, BARE)).toEqual([[], ['Point at a cube, then pinch']]);
    expect(said({ ...BARE, finds: true }, BARE)).toEqual([['Pinch: take the cube'], []]);
    expect(said(BARE, { ...BARE, holds: true })).toEqual([[], ['Swing and let go: throw it']]);
    expect(said(BARE, BARE, ['grip'])).toEqual([[], ['Point at a cube, then pinch']]);
    expect(said(BARE, BARE, ['pinch'])).toEqual([[], []]);
  });

  test('but none at an untracked hand', () => {
    expect(said(NONE, NONE)).toEqual([[], []]);
    expect(said(NONE, FREE)).toEqual([
      [],
      ['Point at a cube, then grip', 'Stick: teleport, turn', 'B: menu'],
    ]);
    expect(said(FREE, NONE)).toEqual([
      ['Point at a cube, then grip', 'Stick: teleport, turn', 'Y: menu'],
      [],
    ]);
  });

  test('only for actions that are not done yet', () => {
    expect(said(FREE, FREE, ['grip', 'turn'])).toEqual([['Y: menu'], ['Stick forward: teleport']]);
    expect(said(FREE, FREE, ['grip', 'go', 'menu'])).toEqual([[], ['Stick left or right: turn']]);
    expect(said(FREE, HOLDS, ['throw', 'snap', 'shift', 'go', 'turn', 'menu'])).toEqual([[], []]);
  });

  test('for walking, if the left stick walks', () => {
    expect(said(FREE, FREE, ['grip', 'turn', 'menu'], true)).toEqual([['Stick: walk'], []]);
    expect(said(FREE, FREE, ['grip', 'go', 'menu'], true)).toEqual([[], ['Stick left or right: turn']]);
  });
});

test('there are never more than three hints, nor two at one button, nor any after all actions are done', () => {
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
