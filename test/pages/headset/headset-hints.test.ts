import { describe, expect, test } from 'vitest';
import type { Slot } from '../../../src/core/base/ids.ts';
import { LEFT, RIGHT } from '../../../src/core/base/ids.ts';
import type { GivingStep } from '../../../src/pages/giving/giving-step.ts';
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
  giving: GivingStep | null = null,
): [string[], string[]] {
  const lists: [Hint[], Hint[]] = [[], []];
  const moment = {
    hands: [left, right],
    smoothWalking,
    hasMenu,
    canKick: hasMenu,
    giving,
    friend: 'Bo',
  } as const;
  hintsAt(moment, new Set(done), lists);
  return [lists[LEFT].map(({ text }) => text), lists[RIGHT].map(({ text }) => text)];
}

describe('a new player in a headset sees hints', () => {
  test('for taking a cube, moving and the menu', () => {
    expect(said(FREE, FREE)).toEqual([
      ['Y: menu'],
      ['Point at something, then grip', 'Stick: teleport, turn'],
    ]);
  });

  test('but none for a menu that does not exist', () => {
    expect(said(FREE, FREE, [], false, false)[LEFT]).toEqual([]);
  });

  test('for the grip, at the hand that can take a cube', () => {
    expect(said(FREE, FINDS)[RIGHT][0]).toBe('Grip: take it');
    expect(said(FINDS, FREE)).toEqual([['Grip: take it', 'Y: menu'], ['Stick: teleport, turn']]);
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
    const floor = 'Pinch at the floor: go there';
    const finds = { ...BARE, finds: true };
    expect(said(BARE, BARE)).toEqual([[], ['Point at something, then pinch', floor]]);
    expect(said(finds, BARE)).toEqual([['Pinch: take it'], [floor]]);
    // There a pinch takes the cube.
    expect(said(finds, finds)).toEqual([[], ['Pinch: take it']]);
    expect(said(BARE, { ...BARE, holds: true }, ['go'])).toEqual([[], ['Swing and let go: throw it']]);
    expect(said(BARE, BARE, ['grip', 'go'])).toEqual([[], ['Point at something, then pinch']]);
    expect(said(BARE, BARE, ['pinch'])).toEqual([[], [floor]]);
    expect(said(BARE, BARE, ['pinch', 'go'])).toEqual([[], []]);
  });

  test('but none at an untracked hand', () => {
    expect(said(NONE, NONE)).toEqual([[], []]);
    expect(said(NONE, FREE)).toEqual([
      [],
      ['Point at something, then grip', 'Stick: teleport, turn', 'B: menu'],
    ]);
    expect(said(FREE, NONE)).toEqual([
      ['Point at something, then grip', 'Stick: teleport, turn', 'Y: menu'],
      [],
    ]);
  });

  test('only for actions that are not done yet', () => {
    expect(said(FREE, FREE, ['grip', 'turn'])).toEqual([['Y: menu'], ['Stick forward: teleport']]);
    expect(said(FREE, FREE, ['grip', 'go', 'menu'])).toEqual([[], ['Stick left or right: turn']]);
    expect(said(FREE, HOLDS, ['throw', 'snap', 'shift', 'go', 'turn', 'menu'])).toEqual([[], []]);
  });

  test('for a kick, once it can take and throw', () => {
    const done: HeadsetAction[] = ['grip', 'pinch', 'go', 'turn', 'menu'];
    expect(said(FREE, FINDS, done)).toEqual([[], []]);
    expect(said(FREE, FINDS, [...done, 'throw'])).toEqual([[], ['A: kick it']]);
    expect(said(FINDS, FREE, [...done, 'throw'])).toEqual([['X: kick it'], []]);
    const finds = { ...BARE, finds: true };
    expect(said(BARE, finds, [...done, 'throw'])).toEqual([[], ['Middle finger to thumb: kick it']]);
    expect(said(FREE, FREE, [...done, 'throw'])).toEqual([[], []]);
    expect(said(FREE, FINDS, [...done, 'throw', 'kick'])).toEqual([[], []]);
    expect(said(FREE, FINDS, [...done, 'throw'], false, false), 'where no button kicks').toEqual([[], []]);
  });

  test('for walking, if the left stick walks', () => {
    expect(said(FREE, FREE, ['grip', 'turn', 'menu'], true)).toEqual([['Stick: walk'], []]);
    expect(said(FREE, FREE, ['grip', 'go', 'menu'], true)).toEqual([[], ['Stick left or right: turn']]);
  });
});

describe('[A9] a player in a headset reads', () => {
  const step = (kind: GivingStep['kind'], side: GivingStep['side'] = RIGHT): GivingStep => {
    return { kind, friend: 1 as Slot, side };
  };
  const first = (left: HandMoment, right: HandMoment, giving: GivingStep, done: HeadsetAction[] = []) =>
    said(left, right, done, false, true, giving).map(([text]) => text);

  test('at the hand that holds a cube, how to give it to a friend; and nothing of throwing meanwhile', () => {
    expect(first(FREE, HOLDS, step('hold out'))[RIGHT]).toBe('Hold it out to Bo');
    expect(first(HOLDS, FREE, step('hold still', LEFT))[LEFT]).toBe('Hold still: Bo can take it');
    const lists = said(FREE, HOLDS, [], false, true, step('let go'));
    expect(lists[RIGHT]).toEqual([
      'Let go: Bo takes it',
      'Trigger: bring it to your hand',
      'Stick: further, nearer, turn',
    ]);
    expect(first(FREE, HOLDS, step('let go'), ['give'])[RIGHT]).toBe('Swing and let go: throw it');
  });

  test('at the nearest free hand, how to take a friend’s cube, with a controller or bare hands', () => {
    const lists = said(FREE, FINDS, [], false, true, step('press'));
    expect(lists).toEqual([['Y: menu'], ['Grip it to take it from Bo', 'Stick: teleport, turn']]);
    expect(first(BARE, BARE, step('press', LEFT))[LEFT]).toBe('Pinch it to take it from Bo');
    expect(first(FREE, FREE, step('keep'))[RIGHT]).toBe('Hold on until Bo lets go');
    expect(first(FREE, HOLDS, step('put down'))[RIGHT]).toBe('Let go of yours, then grip Bo’s');
    expect(first(FREE, FREE, step('press'), ['grip', 'go', 'turn', 'menu', 'take'])).toEqual([
      undefined,
      undefined,
    ]);
  });

  test('to hold a cube out only once it knows how to take one', () => {
    expect(first(FREE, FREE, step('pick up'))[RIGHT]).toBe('Point at something, then grip');
    expect(first(FREE, FREE, step('pick up'), ['grip'])[RIGHT]).toBe('Hold something out to Bo');
    expect(first(BARE, BARE, step('pick up'), ['grip'])[RIGHT]).toBe('Point at something, then pinch');
  });
});

test('there are never more than three hints, nor two at one button, nor any after all actions are done', () => {
  const flags = [false, true];
  const hands = (['none', 'controller', 'hand'] as const).flatMap((device) =>
    flags.flatMap((holds) => flags.map((finds) => ({ device, holds, finds }))),
  );
  const steps: (GivingStep | null)[] = KINDS.flatMap((kind) =>
    [LEFT, RIGHT].map((side) => ({ kind, friend: 1 as Slot, side })),
  );
  steps.push(null);
  for (const left of hands) {
    for (const right of hands) {
      for (const smoothWalking of flags) {
        for (const giving of steps) {
          const hands = [left, right] as const;
          const all = { hasMenu: true, canKick: true } as const;
          const moment: Moment = { ...all, hands, smoothWalking, giving, friend: 'Bo' };
          expectFewHints(moment);
        }
      }
    }
  }
});

const KINDS = ['pick up', 'hold out', 'hold still', 'let go', 'put down', 'press', 'keep'] as const;

function expectFewHints(moment: Moment): void {
  const lists: [Hint[], Hint[]] = [[], []];
  for (const done of HEADSET_ACTIONS) {
    hintsAt(moment, new Set([done]), lists);
    const few = lists[LEFT].length + lists[RIGHT].length <= 3;
    const ofOneButton = lists.some((list) => new Set(list.map(({ button }) => button)).size < list.length);
    if (!few || ofOneButton) expect.fail(JSON.stringify({ moment, done, lists }));
  }
  hintsAt(moment, new Set(HEADSET_ACTIONS), lists);
  expect(lists).toEqual([[], []]);
}
