import type { Slot } from '../../../src/core/base/ids.ts';
import type { RoomCode } from '../../../src/core/room/code.ts';
import { newLineage } from '../../../src/core/room/identity/lineage.ts';
import type { RosterPlayer } from '../../../src/core/room/messages.ts';
import { newProfile } from '../../../src/core/room/profile.ts';
import type { RoomSnapshot } from '../../../src/dedicated/snapshots/snapshot.ts';
import { createKeys, MemberKey, writePrivateKey } from '../../../src/session/member-key.ts';
import { World } from '../../../src/session/world.ts';
import { createLoopback } from '../../../src/transport/loopback.ts';
import { GAME } from '../node-player.ts';

export const CODE = 'ACDEF' as RoomCode;

/** @returns a snapshot of a room with one player. @param savedAt seconds since the beginning of 1970. */
export async function snapshotOf(code = CODE, savedAt = 7): Promise<RoomSnapshot> {
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
  const saved = world.peer.saveWorld(world.choice, savedAt);
  world.dispose();
  return {
    code,
    key: await writePrivateKey(keys),
    door: 'the secret of its door',
    founder: 'the name of a network',
    lineage: newLineage(publicKey, 'salt', 5),
    epoch: 12,
    capacity: 8,
    locked: true,
    players: [player],
    world: saved,
  };
}
