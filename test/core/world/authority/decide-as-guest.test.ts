import { describe, expect, test } from 'vitest';
import { decideAsGuest } from '../../../../src/core/world/decide.ts';
import type { Claim } from '../../../../src/core/world/record.ts';
import { claimOf, GUEST_1, GUEST_2, HOST, IN_A_HAND, NOBODY } from './claims.ts';

/** What guest 1 makes of the host's word: the verdict and its rule, as in 'accept A1'. */
function hear(local: Claim, word: Claim, stale = false): string {
  const { verdict, rule } = decideAsGuest(local, word, GUEST_1, stale);
  return `${verdict} ${rule}`;
}

describe('guest 1 hears the host', () => {
  test('[A1] a newer ownership sequence is accepted, an older one rejected', () => {
    for (const owner of [NOBODY, HOST, GUEST_1, GUEST_2])
      for (const word of [NOBODY, HOST, GUEST_2]) {
        expect(hear(claimOf(owner, 5, 7), claimOf(word, 6, 0))).toBe('accept A1');
        expect(hear(claimOf(owner, 5, 7), claimOf(word, 4, 9))).toBe('reject A1');
      }
  });

  test('[A2] ownership equal: a newer authority sequence is accepted, an older one rejected', () => {
    for (const owner of [NOBODY, HOST, GUEST_1, GUEST_2])
      for (const word of [NOBODY, HOST, GUEST_2]) {
        expect(hear(claimOf(owner, 5, 7), claimOf(word, 5, 8))).toBe('accept A2');
        expect(hear(claimOf(owner, 5, 7), claimOf(word, 5, 6))).toBe('reject A2');
      }
  });

  test('[A1], [A2] sequences wrap', () => {
    expect(hear(claimOf(GUEST_2, 65535, 7), claimOf(NOBODY, 0, 1))).toBe('accept A1');
    expect(hear(claimOf(GUEST_2, 0, 1), claimOf(NOBODY, 65535, 7))).toBe('reject A1');
    expect(hear(claimOf(GUEST_2, 5, 65535), claimOf(NOBODY, 5, 0))).toBe('accept A2');
    expect(hear(claimOf(GUEST_2, 5, 0), claimOf(NOBODY, 5, 65535))).toBe('reject A2');
  });
});

describe('[A3] both sequences equal', () => {
  test('the host names this guest, which has the body: that is confirmation', () => {
    expect(hear(claimOf(GUEST_1, 5, 7), claimOf(GUEST_1, 5, 7))).toBe('confirm A3');
    expect(hear(claimOf(GUEST_1, 5, 7, IN_A_HAND), claimOf(GUEST_1, 5, 7))).toBe('confirm A3');
  });

  test('the host names this guest, whose own record says otherwise: it takes the body back', () => {
    for (const owner of [NOBODY, HOST, GUEST_2])
      expect(hear(claimOf(owner, 5, 7), claimOf(GUEST_1, 5, 7))).toMatch('accept');
  });

  test('the host names another: its word stands, also against a hand', () => {
    for (const owner of [NOBODY, GUEST_1, GUEST_2])
      expect(hear(claimOf(owner, 5, 7), claimOf(HOST, 5, 7))).toBe('accept A3');
    expect(hear(claimOf(GUEST_1, 5, 0, IN_A_HAND), claimOf(GUEST_2, 5, 0))).toBe('accept A3');
  });

  test('the host names none, and this guest has taken the body: rejected', () => {
    expect(hear(claimOf(GUEST_1, 5, 7), claimOf(NOBODY, 5, 7))).toBe('reject A3');
    expect(hear(claimOf(GUEST_1, 5, 7, IN_A_HAND), claimOf(NOBODY, 5, 7))).toBe('reject A3');
  });

  test('the host names none, and here it is none: accepted', () => {
    expect(hear(claimOf(NOBODY, 5, 7), claimOf(NOBODY, 5, 7))).toBe('accept A3');
  });
});

describe('[H4] the host tells the one that it names', () => {
  test('its newer sequences confirm, and take nothing out of a hand', () => {
    for (const [ownership, sequence] of [
      [6, 0],
      [5, 8],
      [9, 7],
    ]) {
      expect(hear(claimOf(GUEST_1, 5, 7, IN_A_HAND), claimOf(GUEST_1, ownership, sequence))).toBe(
        'confirm H4',
      );
    }
  });

  test('a guest that does not have the body takes it back', () => {
    for (const owner of [NOBODY, HOST, GUEST_2])
      expect(hear(claimOf(owner, 5, 7), claimOf(GUEST_1, 6, 0))).toBe('accept H4');
  });

  test('an old word confirms nothing: it is not about what the guest has claimed since', () => {
    expect(hear(claimOf(GUEST_1, 6, 0, IN_A_HAND), claimOf(GUEST_1, 5, 7))).toBe('reject A1');
    expect(hear(claimOf(GUEST_1, 5, 8), claimOf(GUEST_1, 5, 7))).toBe('reject A2');
    expect(hear(claimOf(NOBODY, 5, 8), claimOf(GUEST_1, 5, 7))).toBe('reject A2');
  });
});

describe('[H8] a guest that is to adopt the word of a new term', () => {
  test('adopts it whole, older or newer, whoever it names', () => {
    for (const owner of [NOBODY, GUEST_1, GUEST_2])
      for (const word of [NOBODY, HOST, GUEST_1, GUEST_2])
        for (const ownership of [4, 5, 6])
          expect(hear(claimOf(owner, 5, 7), claimOf(word, ownership, 7), true)).toBe('accept H8');
  });
});
