import { describe, expect, test } from 'vitest';
import { decideAsGuest } from '../../../../src/core/world/decide.ts';
import type { Claim } from '../../../../src/core/world/record.ts';
import { claimOf, GUEST_1, GUEST_2, HOST, IN_A_HAND, NOBODY } from './claims.ts';

/** Guest 1's decision on the host's ruling: the verdict and its rule, as in 'accept A1'. */
function decide(local: Claim, ruling: Claim, stale = false): string {
  const { verdict, rule } = decideAsGuest(local, ruling, GUEST_1, stale);
  return `${verdict} ${rule}`;
}

describe('guest 1 decides the host’s ruling', () => {
  test('[A1.1] [A1.2] a newer ownership sequence is accepted, an older one rejected', () => {
    for (const owner of [NOBODY, HOST, GUEST_1, GUEST_2])
      for (const ruling of [NOBODY, HOST, GUEST_2]) {
        expect(decide(claimOf(owner, 5, 7), claimOf(ruling, 6, 0))).toBe('accept A1');
        expect(decide(claimOf(owner, 5, 7), claimOf(ruling, 4, 9))).toBe('reject A1');
      }
  });

  test('[A2.1] [A2.2] ownership equal: a newer authority sequence is accepted, an older one rejected', () => {
    for (const owner of [NOBODY, HOST, GUEST_1, GUEST_2])
      for (const ruling of [NOBODY, HOST, GUEST_2]) {
        expect(decide(claimOf(owner, 5, 7), claimOf(ruling, 5, 8))).toBe('accept A2');
        expect(decide(claimOf(owner, 5, 7), claimOf(ruling, 5, 6))).toBe('reject A2');
      }
  });

  test('[A1.1] [A1.2] [A2.1] [A2.2] sequences wrap', () => {
    expect(decide(claimOf(GUEST_2, 65535, 7), claimOf(NOBODY, 0, 1))).toBe('accept A1');
    expect(decide(claimOf(GUEST_2, 0, 1), claimOf(NOBODY, 65535, 7))).toBe('reject A1');
    expect(decide(claimOf(GUEST_2, 5, 65535), claimOf(NOBODY, 5, 0))).toBe('accept A2');
    expect(decide(claimOf(GUEST_2, 5, 0), claimOf(NOBODY, 5, 65535))).toBe('reject A2');
  });
});

describe('[A3] both sequences equal', () => {
  test('[A3.1] the host names this guest, which has the body: that is confirmation', () => {
    expect(decide(claimOf(GUEST_1, 5, 7), claimOf(GUEST_1, 5, 7))).toBe('confirm A3');
    expect(decide(claimOf(GUEST_1, 5, 7, IN_A_HAND), claimOf(GUEST_1, 5, 7))).toBe('confirm A3');
  });

  test('[A3.2] the host names this guest against the guest’s own record: the guest takes the body back', () => {
    for (const owner of [NOBODY, HOST, GUEST_2])
      expect(decide(claimOf(owner, 5, 7), claimOf(GUEST_1, 5, 7))).toMatch('accept');
  });

  test('[A3.3] the host names another player: the ruling is accepted, also if this guest holds the body', () => {
    for (const owner of [NOBODY, GUEST_1, GUEST_2])
      expect(decide(claimOf(owner, 5, 7), claimOf(HOST, 5, 7))).toBe('accept A3');
    expect(decide(claimOf(GUEST_1, 5, 0, IN_A_HAND), claimOf(GUEST_2, 5, 0))).toBe('accept A3');
  });

  test('[A3.4] the host names none, and this guest has taken the body: rejected', () => {
    expect(decide(claimOf(GUEST_1, 5, 7), claimOf(NOBODY, 5, 7))).toBe('reject A3');
    expect(decide(claimOf(GUEST_1, 5, 7, IN_A_HAND), claimOf(NOBODY, 5, 7))).toBe('reject A3');
  });

  test('[A3.4] the host names none, and the guest’s record too: accepted', () => {
    expect(decide(claimOf(NOBODY, 5, 7), claimOf(NOBODY, 5, 7))).toBe('accept A3');
  });
});

describe('[H4] the host tells the player that it names', () => {
  test('[H4.2] newer sequences confirm, and take nothing out of a hand', () => {
    for (const [ownership, sequence] of [
      [6, 0],
      [5, 8],
      [9, 7],
    ]) {
      expect(decide(claimOf(GUEST_1, 5, 7, IN_A_HAND), claimOf(GUEST_1, ownership, sequence))).toBe(
        'confirm H4',
      );
    }
  });

  test('a guest that does not have the body takes it back', () => {
    for (const owner of [NOBODY, HOST, GUEST_2])
      expect(decide(claimOf(owner, 5, 7), claimOf(GUEST_1, 6, 0))).toBe('accept H4');
  });

  test('[A1.2] [A2.2] an old ruling confirms nothing: it is not about a newer claim of the guest', () => {
    expect(decide(claimOf(GUEST_1, 6, 0, IN_A_HAND), claimOf(GUEST_1, 5, 7))).toBe('reject A1');
    expect(decide(claimOf(GUEST_1, 5, 8), claimOf(GUEST_1, 5, 7))).toBe('reject A2');
    expect(decide(claimOf(NOBODY, 5, 8), claimOf(GUEST_1, 5, 7))).toBe('reject A2');
  });
});

describe('[H8] a guest that has to adopt the rulings of a new term', () => {
  test('[H8.2] adopts a ruling whole, older or newer, and whichever player it names', () => {
    for (const owner of [NOBODY, GUEST_1, GUEST_2])
      for (const ruling of [NOBODY, HOST, GUEST_1, GUEST_2])
        for (const ownership of [4, 5, 6])
          expect(decide(claimOf(owner, 5, 7), claimOf(ruling, ownership, 7), true)).toBe('accept H8');
  });
});
