import { describe, expect, test } from 'vitest';
import type { BodyId, Hold, Sequence, Slot } from '../../../src/core/base/ids.ts';
import { NO_SLOT, NOT_HELD } from '../../../src/core/base/ids.ts';
import { STRIDE } from '../../../src/core/base/state.ts';
import type { Claim } from '../../../src/core/world/record.ts';
import {
  claim,
  copyClaim,
  readClaim,
  Records,
  sameClaim,
  writeClaim,
} from '../../../src/core/world/record.ts';
import { AS_AT_START, existing } from '../../../src/core/world/existence.ts';

const CLAIM: Claim = {
  authority: 3 as Slot,
  hold: 2,
  ownershipSequence: 65535 as Sequence,
  authoritySequence: 40000 as Sequence,
  existence: existing(255, 3),
};

describe('claims', () => {
  test('a new claim is of nobody', () => {
    expect(claim()).toEqual({
      authority: NO_SLOT,
      hold: NOT_HELD,
      ownershipSequence: 0,
      authoritySequence: 0,
      existence: AS_AT_START,
    });
  });

  test('are read from the records as they were written, for one body alone', () => {
    const records = new Records(3);
    writeClaim(CLAIM, records, 1 as BodyId);
    expect(readClaim(records, 1 as BodyId, claim())).toEqual(CLAIM);
    for (const other of [0, 2] as BodyId[]) expect(readClaim(records, other, claim())).toEqual(claim());
  });

  test('none is kept as none', () => {
    const records = new Records(1);
    writeClaim(CLAIM, records, 0 as BodyId);
    writeClaim(claim(), records, 0 as BodyId);
    expect(readClaim(records, 0 as BodyId, { ...CLAIM })).toEqual(claim());
  });

  test('are the same if all that they say is', () => {
    expect(sameClaim(copyClaim(CLAIM, claim()), CLAIM)).toBe(true);
    for (const other of [
      { ...CLAIM, authority: 2 as Slot },
      { ...CLAIM, hold: 1 as Hold },
      { ...CLAIM, ownershipSequence: 0 as Sequence },
      { ...CLAIM, authoritySequence: 0 as Sequence },
    ]) {
      expect(sameClaim(other, CLAIM)).toBe(false);
    }
  });
});

describe('Records', () => {
  test('begin with nobody having anything', () => {
    const records = new Records(2);
    expect([...records.authority]).toEqual([NO_SLOT, NO_SLOT]);
    expect(records.state).toHaveLength(2 * STRIDE);
  });

  test('cleared, are as new in every field', () => {
    const records = new Records(2);
    for (const field of Object.values(records)) if (ArrayBuffer.isView(field)) fillOnes(field);
    records.clear();
    expect(records).toEqual(new Records(2));
  });
});

function fillOnes(field: ArrayBufferView): void {
  new Uint8Array(field.buffer).fill(1);
}
