import { describe, expect, test } from 'vitest';
import type { BodyId, Hold, Sequence, Slot } from '../../../../src/core/base/ids.ts';
import { NO_SLOT } from '../../../../src/core/base/ids.ts';
import { MAX_BODIES } from '../../../../src/core/base/constants.ts';
import { STRIDE } from '../../../../src/core/base/state.ts';
import { UpdatePool } from '../../../../src/core/peer/incoming/update-pool.ts';
import {
  PACKED_UPDATE,
  packUpdate,
  sameClaimPacked,
  samePacked,
} from '../../../../src/core/wire/bodies/packed-update.ts';
import type { BodyUpdate } from '../../../../src/core/wire/bodies/update.ts';
import { bodyUpdate, KINDS } from '../../../../src/core/wire/bodies/update.ts';
import { existing } from '../../../../src/core/world/existence.ts';

/** An update of which every part is at an end of its range, or another one if it is `other`. */
function update(body: number, other = 0): BodyUpdate {
  return {
    body: body as BodyId,
    claim: {
      authority: (other === 0 ? 7 : NO_SLOT) as Slot,
      hold: (2 - other) as Hold,
      ownershipSequence: (0xffff - other) as Sequence,
      authoritySequence: other as Sequence,
      existence: existing(255 - other, 249 - other),
    },
    kind: KINDS[2 - other],
    tick: other === 0 ? 2 ** 30 : -63,
    state: Int32Array.from({ length: STRIDE }, (_, i) => (i - 6) * 40_000 + other),
    mode: other === 0 ? 2 : 1,
  };
}

describe('updates that wait in a pool', () => {
  test('come out as they went in, however many there are', () => {
    const pool = new UpdatePool();
    const bodies = Array.from({ length: 300 }, (_, i) => (i * 37) % MAX_BODIES);
    const rows = bodies.map((body, i) => pool.take(update(body, i % 2)));
    const out = bodyUpdate();
    rows.forEach((row, i) => {
      pool.read(row, out);
      expect(out).toEqual(update(bodies[i], i % 2));
      expect(pool.bodyIn(row)).toBe(bodies[i]);
    });
  });

  test('give their places to others', () => {
    const pool = new UpdatePool();
    const [first, second] = [pool.take(update(1)), pool.take(update(2))];
    pool.giveBack(first);
    expect(pool.take(update(3))).toBe(first);
    expect([first, second].map((row) => pool.bodyIn(row))).toEqual([3, 2]);
  });

  test('are replaced by newer ones, not by older', () => {
    const pool = new UpdatePool();
    const row = pool.take({ ...update(1), tick: 5 });
    const out = bodyUpdate();
    pool.keepNewer(row, { ...update(1, 1), tick: 4 });
    pool.read(row, out);
    expect(out).toEqual({ ...update(1), tick: 5 });
    pool.keepNewer(row, { ...update(1, 1), tick: 5 });
    pool.read(row, out);
    expect(out).toEqual({ ...update(1, 1), tick: 5 });
  });
});

describe('a packed update', () => {
  const row = new Int32Array(PACKED_UPDATE);
  const rest: BodyUpdate = { ...update(1), kind: 'rest' };

  test('says the same as one that differs in time only, and nothing else', () => {
    packUpdate(rest, row, 0);
    expect(samePacked(row, 0, { ...rest, tick: 1, mode: 0 })).toBe(true);
    expect(samePacked(row, 0, { ...rest, kind: 'motion' })).toBe(false);
    const moved = rest.state.map((n, i) => (i === 12 ? n + 1 : n));
    expect(samePacked(row, 0, { ...rest, state: moved })).toBe(false);
    expect(sameClaimPacked(row, 0, { ...rest, state: moved })).toBe(true);
    packUpdate({ ...rest, kind: 'record' }, row, 0);
    expect(samePacked(row, 0, { ...rest, kind: 'record', state: moved })).toBe(true);
  });

  test.each([
    { authority: 6 as Slot },
    { hold: 1 as Hold },
    { ownershipSequence: 0 as Sequence },
    { authoritySequence: 1 as Sequence },
  ])('does not say the same if it claims something else: %j', (change) => {
    packUpdate(rest, row, 0);
    expect(sameClaimPacked(row, 0, { ...rest, claim: { ...rest.claim, ...change } })).toBe(false);
  });
});
