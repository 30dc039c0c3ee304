import { beforeAll, expect, test } from 'vitest';
import { Keeper } from '../../../src/dedicated/snapshots/keeper.ts';
import { KeptDoors } from '../../../src/dedicated/snapshots/kept-doors.ts';
import type { Loaded, SnapshotStore } from '../../../src/dedicated/snapshots/snapshot-store.ts';
import { loadPhysics } from '../../../src/physics/rapier-simulation.ts';
import { snapshotOf } from './snapshot-of.ts';

/** A store that only counts what it is given. */
class CountingStore implements SnapshotStore {
  readonly isShared = false;
  saved = 0;

  save(): Promise<void> {
    this.saved++;
    return Promise.resolve();
  }

  remove(): Promise<void> {
    return Promise.resolve();
  }

  setAside(): Promise<void> {
    return Promise.resolve();
  }

  load(): Promise<Loaded> {
    return Promise.resolve({ stored: [], left: 0, removed: 0 });
  }
}

beforeAll(() => loadPhysics());

test('[N6.1] [F4.21] a room is saved every ten seconds, and a second after its door has another secret', async () => {
  const store = new CountingStore();
  const keeper = new Keeper(store, new KeptDoors(() => undefined));
  const saved = await snapshotOf();
  const { code, founder, lineage } = saved;
  let [door, players] = ['a secret', saved.players];
  const room = {
    code,
    founder,
    key: lineage.founder,
    get doorSecret(): string {
      return door;
    },
    snapshot: () => ({ ...saved, door, players }),
  };
  const savedAt = async (nowMs: number): Promise<number> => {
    keeper.tick(room, nowMs);
    await keeper.written();
    return store.saved;
  };
  expect(await savedAt(0)).toBe(1);
  players = [];
  expect(await savedAt(5000)).toBe(1);
  expect(await savedAt(10_000)).toBe(2);
  door = 'another secret';
  expect(await savedAt(10_100)).toBe(2);
  expect(await savedAt(11_000)).toBe(2);
  expect(await savedAt(11_100)).toBe(3);
  expect(await savedAt(12_200)).toBe(3);
});
