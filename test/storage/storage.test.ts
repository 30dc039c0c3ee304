import { beforeEach, describe, expect, test } from 'vitest';
import type { Slot } from '../../src/core/base/ids.ts';
import { MAX_NAME_BYTES, MAX_PLAYERS, MAX_ROOM_PLAYERS } from '../../src/core/base/constants.ts';
import type { RoomCode } from '../../src/core/room/code.ts';
import { roomIdOf } from '../../src/core/room/identity/lineage.ts';
import {
  DESK_ACTIONS,
  forgetHandOver,
  HEADSET_ACTIONS,
  loadDoneDeskActions,
  loadDoneHeadsetActions,
  saveDoneDeskActions,
  saveDoneHeadsetActions,
} from '../../src/storage/done-actions.ts';
import { hasProfile, loadProfile, saveProfile } from '../../src/storage/profile.ts';
import { gameLevels } from '../../src/levels/levels.ts';
import type { StoredSeat } from '../../src/storage/seat.ts';
import { clearSeat, loadSeat, saveSeat } from '../../src/storage/seat.ts';
import { createStore } from '../../src/storage/store.ts';
import { LINEAGE } from '../core/room/samples.ts';
import { StorageDouble } from './storage-double.ts';

let storage: StorageDouble;

/** Each call is another page of the same browser. */
const page = (): ReturnType<typeof createStore> => createStore(storage);

beforeEach(() => {
  storage = new StorageDouble();
});

describe('a store', () => {
  test('keeps texts for the next page, and deletes texts', () => {
    page().write('a', '1');
    expect(page().read('a')).toBe('1');
    expect(page().read('b')).toBeNull();
    page().write('a', null);
    expect(page().read('a')).toBeNull();
  });

  test('keeps refused texts as long as the page lives', () => {
    storage.refuses = true;
    const here = page();
    here.write('a', '1');
    expect(here.read('a')).toBe('1');
    expect(page().read('a')).toBeNull();
    here.write('a', null);
    expect(here.read('a')).toBeNull();
  });

  test('works in memory without a storage', () => {
    const here = createStore(null);
    here.write('a', '1');
    expect(here.read('a')).toBe('1');
  });

  test('does not return an older text when the storage is full, and stores texts again when they fit', () => {
    const here = page();
    here.write('a', 'old');
    storage.isFull = true;
    here.write('a', 'new');
    expect(here.read('a')).toBe('new');
    storage.isFull = false;
    here.write('a', 'newer');
    expect(page().read('a')).toBe('newer');
    expect(here.read('a')).toBe('newer');
  });

  test('shows the texts that another tab has written', () => {
    const [here, there] = [page(), page()];
    here.write('a', '1');
    there.write('a', '2');
    expect(here.read('a')).toBe('2');
  });
});

/** Invalid texts that a storage may have under any key. */
const NONSENSE = ['', '{', 'null', '7', '"text"', '[]', '[1,2]', '{}', '{"__proto__":{"colour":3}}'];

describe('the profile', () => {
  test('comes back as it was', () => {
    saveProfile({ name: 'Zoë 🙂', colour: 5 as Slot }, page());
    expect(loadProfile(page())).toEqual({ name: 'Zoë 🙂', colour: 5 });
  });

  test.each(NONSENSE)('%j gives the default profile', (text) => {
    storage.setItem('handover.profile', text);
    expect(loadProfile(page())).toEqual({ name: '', colour: 0 });
  });

  test.each([-1, MAX_ROOM_PLAYERS, 1.5, '2', null])(
    'a colour %j is ignored, and the name stays',
    (colour) => {
      storage.setItem('handover.profile', JSON.stringify({ name: 'Ann', colour }));
      expect(loadProfile(page())).toEqual({ name: 'Ann', colour: 0 });
    },
  );

  test.each([7, null, ['Ann']])('a name %j is ignored, and the colour stays', (name) => {
    storage.setItem('handover.profile', JSON.stringify({ name, colour: 3 }));
    expect(loadProfile(page())).toEqual({ name: '', colour: 3 });
  });

  test('is there once the player has chosen it', () => {
    expect(hasProfile(page())).toBe(false);
    saveProfile({ name: '', colour: 0 as Slot }, page());
    expect(hasProfile(page())).toBe(true);
  });

  test('names are cleaned in and out', () => {
    const raw = `  A\u0000n\u202en${'é'.repeat(MAX_NAME_BYTES)} `;
    const clean = `Ann${'é'.repeat((MAX_NAME_BYTES - 3) >> 1)}`;
    saveProfile({ name: raw, colour: 0 as Slot }, page());
    expect(JSON.parse(storage.getItem('handover.profile') ?? '')).toEqual({ name: clean, colour: 0 });
    storage.setItem('handover.profile', JSON.stringify({ name: raw, colour: 0 }));
    expect(loadProfile(page()).name).toBe(clean);
  });
});

const CODE = 'KQXMT' as RoomCode;
/** [P3] The room's id. */
const ROOM = roomIdOf(LINEAGE);
const GUEST: StoredSeat = { role: 'guest', code: CODE, slot: 2 as Slot, room: ROOM };
const HOST: StoredSeat = {
  role: 'host',
  code: CODE,
  slot: 0 as Slot,
  scene: { id: 'grid', seed: 7, count: 64 },
  capacity: 6,
  locked: true,
  isNew: false,
  lineage: LINEAGE,
  hasGuests: true,
  takenOver: true,
};

describe('[F3] the seat in a room', () => {
  test.each([GUEST, HOST, { ...HOST, isNew: true }] as const)('of a $role comes back as it was', (seat) => {
    saveSeat(seat, page());
    expect(loadSeat(gameLevels, page())).toEqual(seat);
  });

  test('[P5] of a host without a readable lineage is that of a founder', () => {
    for (const lineage of [null, undefined, 'none', { ...LINEAGE, term: -1 }]) {
      storage.setItem('handover.seat', JSON.stringify({ ...HOST, lineage }));
      expect(loadSeat(gameLevels, page())).toEqual({ ...HOST, lineage: null });
    }
  });

  test('is missing after it was cleared', () => {
    saveSeat(GUEST, page());
    clearSeat(page());
    expect(loadSeat(gameLevels, page())).toBeNull();
  });

  test.each(NONSENSE)('%j is none', (text) => {
    storage.setItem('handover.seat', text);
    expect(loadSeat(gameLevels, page())).toBeNull();
  });

  test.each<[string, object]>([
    ['an unknown role', { ...GUEST, role: 'guests' }],
    ['a code of other letters', { ...GUEST, code: 'KQXM0' }],
    ['no code', { ...GUEST, code: null }],
    ['a slot beyond the last', { ...GUEST, slot: MAX_PLAYERS }],
    ['a host’s slot that only a large room has', { ...HOST, slot: MAX_ROOM_PLAYERS }],
    ['the slot of a dedicated host', { ...GUEST, slot: 31 }],
    ['no slot', { ...HOST, slot: undefined }],
    ['no room', { ...GUEST, room: undefined }],
    ['an empty room', { ...GUEST, room: '' }],
    ['a room that no founder has', { ...GUEST, room: `${ROOM}0` }],
    ['no scene', { ...HOST, scene: undefined }],
    ['a scene that cannot be built', { ...HOST, scene: { id: 'grid', seed: 7, count: 1e9 } }],
    ['more players than a room holds', { ...HOST, capacity: 9 }],
    ['no number of players', { ...HOST, capacity: undefined }],
  ])('%s is none', (_, fields) => {
    storage.setItem('handover.seat', JSON.stringify(fields));
    expect(loadSeat(gameLevels, page())).toBeNull();
  });
});

describe('the done actions', () => {
  test('add up, and come back', () => {
    expect(loadDoneDeskActions(page())).toEqual(new Set());
    saveDoneDeskActions(new Set(['throw', 'look']), page());
    expect(loadDoneDeskActions(page())).toEqual(new Set(['throw', 'look']));
    saveDoneDeskActions(new Set(DESK_ACTIONS), page());
    expect(loadDoneDeskActions(page())).toEqual(new Set(DESK_ACTIONS));
  });

  test('of a hand-over can be forgotten, with every device', () => {
    saveDoneDeskActions(new Set(DESK_ACTIONS), page());
    saveDoneHeadsetActions(new Set(HEADSET_ACTIONS), page());
    forgetHandOver(page());
    const isKept = (action: string): boolean => action !== 'give' && action !== 'take';
    expect([...loadDoneDeskActions(page())]).toEqual(DESK_ACTIONS.filter(isKept));
    expect([...loadDoneHeadsetActions(page())]).toEqual(HEADSET_ACTIONS.filter(isKept));
  });

  test('are separate for headset and desk', () => {
    saveDoneHeadsetActions(new Set(['throw', 'snap']), page());
    expect(loadDoneHeadsetActions(page())).toEqual(new Set(['throw', 'snap']));
    expect(loadDoneDeskActions(page())).toEqual(new Set());
    saveDoneDeskActions(new Set(DESK_ACTIONS), page());
    expect(loadDoneHeadsetActions(page())).toEqual(new Set(['throw', 'snap']));
    saveDoneHeadsetActions(new Set(HEADSET_ACTIONS), page());
    expect(loadDoneHeadsetActions(page())).toEqual(new Set(HEADSET_ACTIONS));
  });

  test.each([...NONSENSE, '{"fly":true}', '{"look":1}'])('%j gives no actions', (text) => {
    for (const key of ['handover.hints', 'handover.headset-hints']) storage.setItem(key, text);
    expect(loadDoneDeskActions(page())).toEqual(new Set());
    expect(loadDoneHeadsetActions(page())).toEqual(new Set());
  });
});
