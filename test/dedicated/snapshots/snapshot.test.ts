import { statSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { DEDICATED_SLOT } from '../../../src/core/base/constants.ts';
import type { Slot } from '../../../src/core/base/ids.ts';
import type { RoomCode } from '../../../src/core/room/code.ts';
import { newLineage } from '../../../src/core/room/identity/lineage.ts';
import type { RosterPlayer } from '../../../src/core/room/messages.ts';
import { newProfile } from '../../../src/core/room/profile.ts';
import { FolderStore } from '../../../src/dedicated/snapshots/folder-store.ts';
import type { RoomSnapshot } from '../../../src/dedicated/snapshots/snapshot.ts';
import { readSnapshot, seatsOf, writeSnapshot } from '../../../src/dedicated/snapshots/snapshot.ts';
import { loadPhysics } from '../../../src/physics/rapier-simulation.ts';
import { createKeys, MemberKey, writePrivateKey } from '../../../src/session/member-key.ts';
import { World } from '../../../src/session/world.ts';
import { createLoopback } from '../../../src/transport/loopback.ts';
import { temporaryFolder } from '../../server/folders.ts';
import { GAME } from '../node-player.ts';

const { levels } = GAME;
const CODE = 'ACDEF' as RoomCode;

async function snapshot(): Promise<RoomSnapshot> {
  const keys = await createKeys(true);
  const { publicKey } = await MemberKey.of(keys);
  const slot = 2 as Slot;
  const profile = newProfile('Ada');
  const player: RosterPlayer = {
    slot,
    ...profile,
    id: 'a-page',
    presence: 'here',
    roundTripMs: 3,
    key: publicKey,
  };
  const { transports } = createLoopback({ seed: 1, slots: 2 });
  const place = { slot: 0 as Slot, host: 0 as Slot, name: '' };
  const world = new World(GAME, { id: 'tower', seed: 1 }, place, transports[0]);
  const saved = world.peer.saveWorld(world.choice, 7);
  world.dispose();
  return {
    code: CODE,
    key: await writePrivateKey(keys),
    door: 'the secret of its door',
    lineage: newLineage(publicKey, 'salt', 5),
    capacity: 8,
    locked: true,
    players: [player],
    world: saved,
  };
}

describe('[N6.1] a snapshot of a room', () => {
  beforeAll(() => loadPhysics());

  test('reads as it was written, with a key that signs, and seats that wait', async () => {
    const before = await snapshot();
    const after = readSnapshot(writeSnapshot(before), levels);
    expect(after).toEqual(before);
    const key = await MemberKey.read(before.lineage.founder, before.key);
    expect(key?.publicKey).toBe(before.lineage.founder);
    expect(seatsOf(before, 9)).toMatchObject({
      host: DEDICATED_SLOT,
      capacity: 8,
      locked: true,
      term: 9,
      players: [{ slot: 2, presence: 'away' }],
    });
  });

  test('is not read if any part of it is wrong', async () => {
    const text = writeSnapshot(await snapshot());
    const good = JSON.parse(text) as Record<string, unknown>;
    const [player] = good.players as Record<string, unknown>[];
    const wrong: Record<string, unknown>[] = [
      { format: 'another' },
      { version: 1 },
      { code: 'ABC' },
      { key: 7 },
      { door: 'x'.repeat(65) },
      { lineage: {} },
      { capacity: 9 },
      { players: null },
      { players: [{ ...player, slot: DEDICATED_SLOT }] },
      { players: [player, player] },
      { players: Array.from({ length: 9 }, (_, slot) => ({ ...player, slot })) },
      { world: '' },
      { world: (good.world as string).slice(8) },
    ];
    for (const part of wrong)
      expect(readSnapshot(JSON.stringify({ ...good, ...part }), levels), JSON.stringify(part)).toBeNull();
    for (const cut of ['', '[]', text.slice(0, -1), `${text}${' '.repeat(1_000_000)}`])
      expect(readSnapshot(cut, levels)).toBeNull();
    expect(readSnapshot(text, () => null)).toBeNull();
    expect(readSnapshot(text, levels)).not.toBeNull();
  });

  test('has a key that is refused with another public half, or as garbage', async () => {
    const [one, other] = [await snapshot(), await snapshot()];
    expect(await MemberKey.read(other.lineage.founder, one.key)).toBeNull();
    expect(await MemberKey.read(one.lineage.founder, 'no key')).toBeNull();
  });
});

describe('a folder of snapshots', () => {
  test('keeps the newest text of each room for its owner’s eyes, until the room is removed', async () => {
    const path = join(temporaryFolder(), 'rooms');
    const store = new FolderStore(path);
    expect(await store.load()).toEqual([]);
    await store.save(CODE, 'first');
    await store.save(CODE, 'second');
    await store.save('FGHJK' as RoomCode, 'other');
    expect([...(await store.load())].sort()).toEqual(['other', 'second']);
    expect(statSync(path).mode & 0o777).toBe(0o700);
    expect(statSync(join(path, `${CODE}.room.json`)).mode & 0o777).toBe(0o600);
    await store.remove(CODE);
    await store.remove(CODE);
    expect(await store.load()).toEqual(['other']);
  });
});
