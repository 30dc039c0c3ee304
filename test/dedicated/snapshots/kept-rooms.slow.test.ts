import { beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest';
import type { RoomCode } from '../../../src/core/room/code.ts';
import { RoomHouse } from '../../../src/dedicated/room-house.ts';
import { Keeper } from '../../../src/dedicated/snapshots/keeper.ts';
import type { KeptDoor } from '../../../src/dedicated/snapshots/kept-doors.ts';
import { KeptDoors } from '../../../src/dedicated/snapshots/kept-doors.ts';
import { loadSnapshots } from '../../../src/dedicated/snapshots/load-snapshots.ts';
import { writeSnapshot } from '../../../src/dedicated/snapshots/snapshot.ts';
import type { SnapshotStore } from '../../../src/dedicated/snapshots/snapshot-store.ts';
import { loadPhysics } from '../../../src/physics/rapier-simulation.ts';
import { startBroker } from '../../server/broker/broker-client.ts';
import { keyOf } from '../../support/keys.ts';
import { GAME } from '../node-player.ts';
import { CODE, snapshotOf } from './snapshot-of.ts';

const [OLD, BROKEN, LOST, STUCK] = ['ACDEG', 'ACDEH', 'ACDEJ', 'ACDEK'] as RoomCode[];
const HOUR_MS = 3_600_000;
const KEY = keyOf('the server');

function now(): number {
  return Math.floor(Date.now() / 1000);
}

const WANTED = { places: 8, count: 0, has: () => false };

/** A store in memory that notes what it is asked to do. */
function storeOf(texts: ReadonlyMap<RoomCode, string | null>) {
  const done: string[] = [];
  const act = async (what: string, code: RoomCode): Promise<void> => {
    if (code === STUCK) throw new Error('a disk that can only be read');
    await Promise.resolve(done.push(`${what} ${code}`));
  };
  const store: SnapshotStore = {
    isShared: false,
    save: (code) => act('save', code),
    remove: (code) => act('remove', code),
    setAside: (code) => act('set aside', code),
    load: () =>
      Promise.resolve({
        stored: Array.from(texts, ([code, text]) => ({ code, text })),
        left: 2,
        removed: 1,
      }),
  };
  return { store, done };
}

describe('[N6.4] kept rooms', () => {
  beforeAll(() => loadPhysics());

  test('that are too old are removed, what can’t be read is set aside, and one line counts them', async () => {
    const fresh = await snapshotOf(CODE, now());
    const old = writeSnapshot(await snapshotOf(OLD, now() - 7200));
    const texts = new Map([
      [CODE, writeSnapshot(fresh)],
      [OLD, old],
      [BROKEN, '{'],
      [LOST, null],
      // In the file of another room: its own would never be removed.
      [STUCK, writeSnapshot(fresh)],
    ]);
    const { store, done } = storeOf(texts);
    const isTooOld = ({ code }: { readonly code: RoomCode }): boolean => code === OLD;
    expect(await loadSnapshots(store, WANTED, GAME.levels, isTooOld)).toEqual({
      snapshots: [fresh],
      isRead: true,
      unreadable: 4,
      news: 'Kept rooms: 1 read, 2 too old, removed, 3 unreadable, set aside, 2 more than are read, 1 could not be removed or set aside.',
    });
    expect(done).toEqual([`remove ${OLD}`, `set aside ${BROKEN}`, `set aside ${LOST}`]);
    const failing = { ...store, load: () => Promise.reject(new Error('no disk')) };
    expect(await loadSnapshots(failing, WANTED, GAME.levels, () => false)).toMatchObject({
      snapshots: [],
      isRead: false,
    });
  });

  test('of a house are given up when they are too old, at once or while they wait', async () => {
    const { url: site, broker } = await startBroker();
    await broker.stop();
    const network = { broker: { url: `${site.replace('http', 'ws')}broker` }, address: '127.0.0.1' };
    const texts = new Map([
      [LOST, writeSnapshot(await snapshotOf(LOST, now() + 60))],
      [OLD, writeSnapshot(await snapshotOf(OLD, now() - 3600))],
      [CODE, writeSnapshot(await snapshotOf(CODE, now()))],
    ]);
    const { store, done } = storeOf(texts);
    const told: string[] = [];
    const kept = (doors: readonly KeptDoor[]): void => void told.push(doors.map(({ code }) => code).join());
    const written = vi.spyOn(console, 'error').mockImplementation(() => undefined);
    onTestFinished(() => written.mockRestore());
    const options = { game: GAME, network, mostRooms: 1, emptyMs: 60_000, keepMs: 4000, store, kept };
    const house = new RoomHouse(options);
    onTestFinished(() => house.stop());
    await house.restore();
    expect(done).toEqual([`remove ${OLD}`]);
    expect(written.mock.calls).toEqual([[expect.stringMatching(/^Kept rooms: 2 read, 2 too old, removed/)]]);
    expect(await house.open({ level: { id: 'tower', seed: 1 } }), 'its place is taken').toBe('full');
    await expect.poll(() => done, { timeout: 20_000 }).toEqual([`remove ${OLD}`, `remove ${CODE}`]);
    expect(house.figures).toMatchObject({ rooms: 1, returning: 1 });
    expect(told).toEqual([`${LOST},${CODE}`, LOST]);
  });

  test('[N4.3] whose snapshot fails harm no other room, and are counted', async () => {
    const { store, done } = storeOf(new Map());
    const keeper = new Keeper(store, new KeptDoors(() => undefined));
    const written = vi.spyOn(console, 'error').mockImplementation(() => undefined);
    onTestFinished(() => written.mockRestore());
    const whole = await snapshotOf();
    const faulty = (): never => {
      throw new Error('a fault of the world');
    };
    const rooms = [
      { code: BROKEN, doorSecret: 'secret', founder: null, key: KEY, snapshot: faulty },
      { code: CODE, doorSecret: 'secret', founder: null, key: KEY, snapshot: () => whole },
    ];
    for (const room of rooms) keeper.tick(room, 0);
    for (const room of rooms) keeper.tick(room, 20);
    await keeper.saveAll(rooms);
    expect(done).toEqual([`save ${CODE}`]);
    expect(keeper.failures).toBe(2);
    expect(written).toHaveBeenCalledOnce();
  });

  test('in which nothing changes are saved every ten minutes, and are never old while they live', async () => {
    vi.useFakeTimers({ now: 50 * HOUR_MS });
    onTestFinished(() => void vi.useRealTimers());
    const { store, done } = storeOf(new Map());
    const keeper = new Keeper(store, new KeptDoors(() => undefined));
    const room = await snapshotOf();
    const snapshot = (savedAt: number) => ({ ...room, world: { ...room.world, savedAt } });
    for (let i = 0; i < 360; i++) {
      keeper.tick({ code: CODE, doorSecret: 'secret', founder: null, key: KEY, snapshot }, Date.now());
      vi.advanceTimersByTime(10_000);
    }
    await keeper.written();
    expect(done).toEqual(Array<string>(6).fill(`save ${CODE}`));
  });
});
