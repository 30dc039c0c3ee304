import { describe, expect, test } from 'vitest';
import { DEDICATED_SLOT } from '../../../../src/core/base/constants.ts';
import type { Slot } from '../../../../src/core/base/ids.ts';
import type { Signature } from '../../../../src/core/room/identity/key.ts';
import type { Lineage } from '../../../../src/core/room/identity/lineage.ts';
import {
  checksOf,
  newLineage,
  reignOf,
  relationOf,
  roomIdOf,
} from '../../../../src/core/room/identity/lineage.ts';
import { renewalOf } from '../../../../src/core/room/identity/renewal.ts';
import { isNewerTerm } from '../../../../src/core/room/term.ts';
import { areValid, createKeys, MemberKey } from '../../../../src/session/member-key.ts';

const SLOT = DEDICATED_SLOT as Slot;

async function renewed(lineage: Lineage, key: MemberKey): Promise<Lineage> {
  const { text, signed } = renewalOf(lineage, SLOT);
  return signed((await key.sign(text)) as Signature);
}

describe('[N6.2] a new term of the same host', () => {
  test('is proved by its own handover, and followed by players of the term before', async () => {
    const key = await MemberKey.of(await createKeys());
    const before = newLineage(key.publicKey, 'salt');
    const after = await renewed(before, key);
    expect(await areValid(checksOf(after) ?? [])).toBe(true);
    expect(checksOf(after)).toHaveLength(1);
    expect(reignOf(after)).toMatchObject({ key: key.publicKey, term: renewalOf(before, SLOT).term });
    expect(isNewerTerm(reignOf(after).term, reignOf(before).term)).toBe(true);
    expect(relationOf(after, before)).toBe('successor');
  });

  test('never makes another room of it, however often it begins', async () => {
    const key = await MemberKey.of(await createKeys());
    const first = newLineage(key.publicKey, 'salt');
    let lineage = first;
    for (let i = 0; i < 20; i++) {
      const next = await renewed(lineage, key);
      expect(isNewerTerm(reignOf(next).term, reignOf(lineage).term)).toBe(true);
      expect(roomIdOf(next)).toBe(roomIdOf(first));
      expect(await areValid(checksOf(next) ?? [])).toBe(true);
      lineage = next;
    }
  });
});
