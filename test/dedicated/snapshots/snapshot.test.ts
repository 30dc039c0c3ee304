import { beforeAll, describe, expect, test } from 'vitest';
import { PROTOCOL_VERSION } from '../../../src/core/room/messages.ts';
import { DEDICATED_SLOT } from '../../../src/core/base/constants.ts';
import { MAX_EPOCH } from '../../../src/core/room/identity/lineage-reader.ts';
import {
  HEAD_CHARACTERS,
  readSnapshot,
  seatsOf,
  writeSnapshot,
} from '../../../src/dedicated/snapshots/snapshot.ts';
import { loadPhysics } from '../../../src/physics/rapier-simulation.ts';
import { MemberKey } from '../../../src/session/member-key.ts';
import { GAME } from '../node-player.ts';
import { snapshotOf } from './snapshot-of.ts';

const { levels } = GAME;

describe('[N6.1] a snapshot of a room', () => {
  beforeAll(() => loadPhysics());

  test('reads as it was written, with a key that signs, and seats that wait', async () => {
    const before = await snapshotOf();
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

  test('[N3.7] that lacks the epoch of its roster is read, and makes no votes count', async () => {
    const { epoch, ...rest } = JSON.parse(writeSnapshot(await snapshotOf())) as Record<string, unknown>;
    expect(epoch).toBe(12);
    expect(readSnapshot(JSON.stringify(rest), levels)?.epoch).toBe(MAX_EPOCH);
  });

  test('[N9.9] has its protocol version where a store finds it without reading the rest', async () => {
    const head = writeSnapshot(await snapshotOf()).slice(0, HEAD_CHARACTERS);
    expect(head).toContain(`"protocol":${PROTOCOL_VERSION}`);
  });

  test('is not read if any part of it is wrong', async () => {
    const text = writeSnapshot(await snapshotOf());
    const good = JSON.parse(text) as Record<string, unknown>;
    const [player] = good.players as Record<string, unknown>[];
    const wrong: Record<string, unknown>[] = [
      { format: 'another' },
      { version: 1 },
      { code: 'ABC' },
      { key: 7 },
      { door: 'x'.repeat(65) },
      { epoch: -1 },
      { epoch: 'x' },
      { founder: 7 },
      { founder: 'x'.repeat(65) },
      { lineage: {} },
      { capacity: 32 },
      { players: [{ ...player, slot: 8 }] },
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
    const [one, other] = [await snapshotOf(), await snapshotOf()];
    expect(await MemberKey.read(other.lineage.founder, one.key)).toBeNull();
    expect(await MemberKey.read(one.lineage.founder, 'no key')).toBeNull();
  });
});
