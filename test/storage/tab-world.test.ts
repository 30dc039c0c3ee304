import { beforeEach, expect, test } from 'vitest';
import { STRIDE } from '../../src/core/base/state.ts';
import type { RoomCode } from '../../src/core/room/code.ts';
import { quantiseMotion } from '../../src/core/wire/bodies/quantise.ts';
import type { SavedWorld } from '../../src/core/wire/files/saved-world.ts';
import { chooseLevel, gameLevels } from '../../src/levels/levels.ts';
import { createStore } from '../../src/storage/store.ts';
import { clearTabWorld, loadTabWorld, saveTabWorld } from '../../src/storage/tab-world.ts';
import { StorageDouble } from './storage-double.ts';

const CODE = 'KQXMT' as RoomCode;
const KEY = 'handover.world';

let storage: StorageDouble;
/** Each call is another page of the same tab. */
const page = (): ReturnType<typeof createStore> => createStore(storage);

beforeEach(() => {
  storage = new StorageDouble();
});

function worldOf(id: string): SavedWorld {
  const level = chooseLevel({ id, seed: 1, count: 2 });
  const state = new Int32Array(2 * STRIDE);
  const motion = Float32Array.from([1.5, 0.25, -2, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0]);
  for (let body = 0; body < 2; body++)
    quantiseMotion(motion, 0, state.subarray(body * STRIDE, (body + 1) * STRIDE));
  return { level, savedAt: 7, existence: new Uint16Array(2), resting: Uint8Array.of(1, 1), state };
}

test('[F3] the world of a room comes back to the bit, and of no other room', () => {
  const world = worldOf('grid');
  saveTabWorld(CODE, world, page());
  expect(loadTabWorld(CODE, gameLevels, page())).toEqual(world);
  expect(loadTabWorld('AAAAA' as RoomCode, gameLevels, page())).toBeNull();
  clearTabWorld(page());
  expect(loadTabWorld(CODE, gameLevels, page())).toBeNull();
});

test('a world of a game that has changed is none', () => {
  saveTabWorld(CODE, worldOf('grid'), page());
  expect(loadTabWorld(CODE, () => null, page())).toBeNull();
});

test.each([
  '',
  'null',
  '7',
  '{}',
  `{"code":"${CODE}"}`,
  `{"code":"${CODE}","file":"%"}`,
  `{"code":"${CODE}","file":"AAAA"}`,
])('what can’t be read is none: %j', (text) => {
  storage.setItem(KEY, text);
  expect(loadTabWorld(CODE, gameLevels, page())).toBeNull();
});
