import { describe, expect, test } from 'vitest';
import type { BodyId, Sequence, Slot } from '../../../../../src/core/base/ids.ts';
import { NO_SLOT } from '../../../../../src/core/base/ids.ts';
import { IslandClaims, restsWhole } from '../../../../../src/core/peer/policy/claims/island-claims.ts';
import { BallisticCache } from '../../../../../src/core/wire/bodies/flights.ts';
import type { BodyUpdate } from '../../../../../src/core/wire/bodies/update.ts';
import { bodyUpdate } from '../../../../../src/core/wire/bodies/update.ts';
import { PacketReader } from '../../../../../src/core/wire/packet.ts';
import { existing } from '../../../../../src/core/world/existence.ts';
import { Records } from '../../../../../src/core/world/record.ts';
import { Islands } from '../../../../../src/core/world/joints/islands.ts';
import type { Joint } from '../../../../../src/core/world/joints/joint.ts';
import { pose } from '../../../../../src/core/base/math.ts';
import { cubeLaws } from '../../../../support/laws.ts';

const GUEST = 1 as Slot;

function tie(a: number, b: number): Joint {
  const [one, other] = [a, b].map((body) => ({ body, frame: pose() }));
  return { kind: 'ball', ends: [one, other], collides: false };
}

/** Two islands of two bodies each, and a loose body between them. */
const RECORDS = new Records(5, new Islands(5, [tie(0, 3), tie(1, 4)]));

function update(
  body: number,
  ownershipSequence: number,
  changes: Partial<BodyUpdate['claim']> = {},
): BodyUpdate {
  const made = { ...bodyUpdate(), body: body as BodyId, kind: 'rest' as const };
  Object.assign(made.claim, { authority: GUEST, ownershipSequence: ownershipSequence as Sequence }, changes);
  return made;
}

function packetOf(...updates: BodyUpdate[]): PacketReader {
  const packet = new PacketReader(5, new BallisticCache(cubeLaws(5)));
  packet.updates.push(...updates);
  packet.updateCount = updates.length;
  return packet;
}

describe('[J2.4] the claim on an island is decided once for each packet', () => {
  test('by its first update, for each island and loose body apart', () => {
    const claims = new IslandClaims(RECORDS);
    const packet = packetOf(update(0, 1), update(1, 1), update(2, 1), update(3, 1), update(4, 1));
    claims.begin(packet);
    expect([0, 1, 2].map((i) => claims.verdictOn(packet, i))).toEqual([null, null, null]);
    claims.keep(0 as BodyId, 0, 'accept');
    claims.keep(1 as BodyId, 1, 'override');
    claims.keep(2 as BodyId, 2, 'accept');
    expect([3, 4].map((i) => claims.verdictOn(packet, i))).toEqual(['accept', 'override']);
    claims.begin(packet);
    expect(claims.verdictOn(packet, 3), 'in the next packet').toBeNull();
  });

  test('and a different claim on the same island is rejected', () => {
    for (const other of [
      update(3, 1, { existence: existing(2, 0) }),
      update(3, 2),
      update(3, 1, { authority: NO_SLOT }),
      update(3, 1, { authoritySequence: 4 as Sequence }),
    ]) {
      const claims = new IslandClaims(RECORDS);
      const packet = packetOf(update(0, 1), other);
      claims.begin(packet);
      claims.keep(0 as BodyId, 0, 'accept');
      expect(claims.verdictOn(packet, 1)).toBe('reject');
    }
  });
});

test('[J2.4] [J5.3] each part is the body that the record says, whichever that is', () => {
  const records = new Records(5, new Islands(5, [tie(0, 3)]));
  const spawned = existing(2, 0);
  records.existence[3] = spawned;
  const packet = packetOf(
    update(0, 1, { authority: NO_SLOT }),
    update(3, 1, { authority: NO_SLOT, existence: spawned }),
  );
  const claims = new IslandClaims(records);
  claims.begin(packet);
  claims.keep(0 as BodyId, 0, 'accept');
  expect(claims.verdictOn(packet, 1)).toBe('accept');
  expect(restsWhole(records, packet, packet.updates[0])).toBe(true);
  records.existence[3] = existing(3, 0);
  expect(claims.verdictOn(packet, 1)).toBe('reject');
  expect(restsWhole(records, packet, packet.updates[0])).toBe(false);
});

describe('[J2.3] a return counts from a packet in which the whole island rests', () => {
  const free = { authority: NO_SLOT };
  test.each<[string, BodyUpdate[], boolean]>([
    ['with all parts', [update(0, 1, free), update(3, 1, free)], true],
    ['of a loose body', [update(2, 1, free)], true],
    ['with one part', [update(0, 1, free)], false],
    ['with a part that moves', [update(0, 1, free), { ...update(3, 1, free), kind: 'motion' }], false],
    ['with a part that moves first', [{ ...update(0, 1, free), kind: 'motion' }, update(3, 1, free)], false],
    ['with a part that is claimed otherwise', [update(0, 1, free), update(3, 2, free)], false],
  ])('%s: %#', (_, updates, rests) => {
    const packet = packetOf(...updates);
    expect(restsWhole(RECORDS, packet, packet.updates[0])).toBe(rests);
  });
});
