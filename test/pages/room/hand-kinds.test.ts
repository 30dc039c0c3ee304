import { expect, test } from 'vitest';
import type { Slot } from '../../../src/core/base/ids.ts';
import type { Roster } from '../../../src/core/room/messages.ts';
import type { HandKind } from '../../../src/core/room/profile.ts';
import type { HandDevice } from '../../../src/input/headset/hand-reader.ts';
import { HandKinds } from '../../../src/pages/room/hand-kinds.ts';

function setUp() {
  const told: (HandKind | undefined)[] = [];
  const players = [{ slot: 1, hands: 'bare' }];
  const roster = { players } as unknown as Roster;
  const kinds = new HandKinds({ roster, setProfile: ({ hands }) => void told.push(hands) });
  let now = 0;
  const wear = (left: HandDevice, right: HandDevice, ms: number): void => {
    for (let i = 0; i < ms; i += 10) kinds.tell({ devices: [left, right] }, (now += 10));
  };
  const takeOff = (ms: number): void => {
    for (let i = 0; i < ms; i += 10) kinds.tell(null, (now += 10));
  };
  return { told, kinds, wear, takeOff };
}

test('the others learn once what a player’s hands are, when they have been so for a moment', () => {
  const { told, wear, takeOff } = setUp();
  takeOff(1000);
  expect(told).toEqual([]);
  wear('controller', 'controller', 300);
  expect(told).toEqual([]);
  wear('controller', 'none', 300);
  expect(told).toEqual(['controllers']);
  wear('none', 'none', 5000);
  wear('hand', 'hand', 200);
  wear('controller', 'controller', 200);
  expect(told).toEqual(['controllers']);
  wear('hand', 'none', 600);
  takeOff(600);
  expect(told).toEqual(['controllers', 'bare', 'pointer']);
});

test('a friend’s hands are those of the roster; of somebody unknown, a pointer', () => {
  const { kinds } = setUp();
  expect(kinds.of(1 as Slot)).toBe('bare');
  expect(kinds.of(2 as Slot)).toBe('pointer');
});
