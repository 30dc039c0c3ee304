import { describe, expect, test } from 'vitest';
import type { Hold, Slot } from '../../../../src/core/base/ids.ts';
import { NOT_HELD } from '../../../../src/core/base/ids.ts';
import { MAX_SEQUENCE_LEAD } from '../../../../src/core/base/constants.ts';
import type { HostRecord } from '../../../../src/core/world/decide.ts';
import { decideAsHost } from '../../../../src/core/world/decide.ts';
import type { Claim } from '../../../../src/core/world/record.ts';
import { claimOf, GUEST_1, GUEST_2, HOST, hostHas, IN_A_HAND, NOBODY } from './claims.ts';

/** The verdict and its rule, as in 'accept A1'. */
function decide(sender: Slot, local: HostRecord, incoming: Claim): string {
  const { verdict, rule } = decideAsHost(local, incoming, sender, MAX_SEQUENCE_LEAD);
  return `${verdict} ${rule}`;
}

describe('the host decides a guest’s claim', () => {
  test('[A1.1] a newer ownership sequence is accepted, whatever the authority sequence', () => {
    for (const owner of [NOBODY, HOST, GUEST_1, GUEST_2]) {
      expect(decide(GUEST_1, hostHas(owner, 5, 7), claimOf(GUEST_1, 6, 0))).toBe('accept A1');
    }
  });

  test('[A1.2] an older ownership sequence is rejected, whatever the authority sequence', () => {
    for (const owner of [NOBODY, HOST, GUEST_1, GUEST_2]) {
      expect(decide(GUEST_1, hostHas(owner, 5, 7), claimOf(GUEST_1, 4, 90))).toBe('reject A1');
    }
  });

  test('[A2.1] [A2.2] ownership equal: a newer authority sequence is accepted, an older one rejected', () => {
    for (const owner of [NOBODY, HOST, GUEST_1, GUEST_2]) {
      expect(decide(GUEST_1, hostHas(owner, 5, 7), claimOf(GUEST_1, 5, 8))).toBe('accept A2');
      expect(decide(GUEST_1, hostHas(owner, 5, 7), claimOf(GUEST_1, 5, 6))).toBe('reject A2');
    }
  });

  test('[A4.1] both equal: accepted only if the host has the body under that guest', () => {
    expect(decide(GUEST_1, hostHas(GUEST_1, 5, 7), claimOf(GUEST_1, 5, 7))).toBe('accept A4');
    for (const owner of [HOST, GUEST_2]) {
      expect(decide(GUEST_1, hostHas(owner, 5, 7), claimOf(GUEST_1, 5, 7))).toBe('reject A4');
    }
  });

  test('[A4.2] both equal, and the host has the body under nobody: it moves past the claim', () => {
    expect(decide(GUEST_1, hostHas(NOBODY, 5, 7), claimOf(GUEST_1, 5, 7))).toBe('override A4');
  });

  test('[A4.1] both equal: a claim that gives the body back is rejected, since its sequences are not newer', () => {
    for (const owner of [NOBODY, HOST, GUEST_1, GUEST_2]) {
      expect(decide(GUEST_1, hostHas(owner, 5, 7), claimOf(NOBODY, 5, 7))).toBe('reject A4');
    }
  });

  test('[H1.1] a guest speaks for itself alone, however new its sequences', () => {
    for (const owner of [NOBODY, HOST, GUEST_1, GUEST_2]) {
      expect(decide(GUEST_1, hostHas(owner, 5, 7), claimOf(GUEST_2, 6, 0))).toBe('reject H1');
      expect(decide(GUEST_1, hostHas(owner, 5, 7), claimOf(HOST, 6, 0))).toBe('reject H1');
    }
  });

  test('[H1.1] it gives back what the host has under it, and nothing else', () => {
    expect(decide(GUEST_1, hostHas(GUEST_1, 5, 7), claimOf(NOBODY, 5, 8))).toBe('accept A2');
    for (const owner of [NOBODY, HOST, GUEST_2]) {
      expect(decide(GUEST_1, hostHas(owner, 5, 7), claimOf(NOBODY, 5, 8))).toBe('reject H1');
    }
  });

  test('[A7.6] it does not give back what the host still has in its hand', () => {
    expect(decide(GUEST_1, hostHas(GUEST_1, 5, 7, IN_A_HAND), claimOf(NOBODY, 5, 8))).toBe('reject A7');
  });

  test('[H2.1] no claim takes a body out of the hand of another, the host included', () => {
    for (const holder of [HOST, GUEST_2]) {
      const held = hostHas(holder, 5, 0, IN_A_HAND);
      expect(decide(GUEST_1, held, claimOf(GUEST_1, 6, 0))).toBe('override H3');
      expect(decide(GUEST_1, held, claimOf(GUEST_1, 5, 1))).toBe('override H3');
      expect(decide(GUEST_1, held, claimOf(NOBODY, 6, 0))).toBe('override H3');
      expect(decide(GUEST_1, held, claimOf(GUEST_1, 5, 0))).toBe('reject A4');
      expect(decide(GUEST_1, held, claimOf(GUEST_1, 4, 9))).toBe('reject A1');
    }
  });

  test('[A6.3] a guest may take a body from one of its hands with the other: that is passing', () => {
    expect(decide(GUEST_1, hostHas(GUEST_1, 5, 0, IN_A_HAND), claimOf(GUEST_1, 6, 0))).toBe('accept A1');
  });
});

describe('[H3] the host has moved its ownership sequence from 6 to 9, past claims that it refused', () => {
  const held = hostHas(GUEST_1, 9, 2, IN_A_HAND, 6);

  test('[H3.3] the holder may claim with the sequence at which it was accepted, and with any newer one up to the host’s', () => {
    for (const known of [6, 7, 8, 9]) {
      expect(decide(GUEST_1, held, claimOf(GUEST_1, known, 2))).toBe('accept A4');
      expect(decide(GUEST_1, held, claimOf(GUEST_1, known, 3))).toBe('accept A2');
      expect(decide(GUEST_1, held, claimOf(GUEST_1, known, 1))).toBe('reject A2');
    }
  });

  test('[H3.3] it may give the body back by that sequence, once it is out of its hand', () => {
    const released = hostHas(GUEST_1, 9, 2, NOT_HELD, 6);
    expect(decide(GUEST_1, released, claimOf(NOBODY, 6, 3))).toBe('accept A2');
  });

  test('[H3.3] its claims from before it was accepted are old, and a new grab is new', () => {
    expect(decide(GUEST_1, held, claimOf(GUEST_1, 5, 9))).toBe('reject A1');
    expect(decide(GUEST_1, held, claimOf(GUEST_1, 10, 0))).toBe('accept A1');
  });

  test('[H3.3] no other player may claim with it', () => {
    for (const known of [6, 7, 8]) {
      expect(decide(GUEST_2, held, claimOf(GUEST_2, known, 3))).toBe('reject A1');
    }
    expect(decide(GUEST_2, held, claimOf(GUEST_2, 9, 3))).toBe('override H3');
  });

  test('[H3.3] it holds where the sequences wrap', () => {
    const wrapped = hostHas(GUEST_1, 1, 0, IN_A_HAND, 65534);
    for (const known of [65534, 65535, 0, 1]) {
      expect(decide(GUEST_1, wrapped, claimOf(GUEST_1, known, 0))).toBe('accept A4');
    }
    expect(decide(GUEST_1, wrapped, claimOf(GUEST_1, 65533, 0))).toBe('reject A1');
    expect(decide(GUEST_1, wrapped, claimOf(GUEST_1, 2, 0))).toBe('accept A1');
  });
});

describe('[H5] a sequence runs ahead of the host by 256 at the most', () => {
  const most = MAX_SEQUENCE_LEAD;
  const local = hostHas(NOBODY, 1000, 2000);

  test('[H5.1] of ownership', () => {
    expect(most).toBe(256);
    expect(decide(GUEST_1, local, claimOf(GUEST_1, 1000 + most, 0))).toBe('accept A1');
    expect(decide(GUEST_1, local, claimOf(GUEST_1, 1001 + most, 0))).toBe('reject H5');
  });

  test('[H5.1] of authority', () => {
    expect(decide(GUEST_1, local, claimOf(GUEST_1, 1000, 2000 + most))).toBe('accept A2');
    expect(decide(GUEST_1, local, claimOf(GUEST_1, 1000, 2001 + most))).toBe('reject H5');
  });

  test('[H5.1] of authority under a new ownership, where it starts at 0', () => {
    expect(decide(GUEST_1, local, claimOf(GUEST_1, 1001, most))).toBe('accept A1');
    expect(decide(GUEST_1, local, claimOf(GUEST_1, 1001, most + 1))).toBe('reject H5');
  });

  test('[H5.1] of a body in the hand of another: such a claim does not move the host’s sequence', () => {
    const held = hostHas(GUEST_2, 1000, 0, IN_A_HAND);
    expect(decide(GUEST_1, held, claimOf(GUEST_1, 1001 + most, 0))).toBe('reject H5');
  });

  test('[H5.1] where the sequences wrap', () => {
    const last = hostHas(NOBODY, 65535, 65535);
    expect(decide(GUEST_1, last, claimOf(GUEST_1, most - 1, 0))).toBe('accept A1');
    expect(decide(GUEST_1, last, claimOf(GUEST_1, most, 0))).toBe('reject H5');
  });
});

describe('sequences that wrap', () => {
  test.each([
    [65535, 0],
    [65534, 3],
    [65500, 40],
  ])('[A1.1] [A1.2] after ownership %i, %i is newer, and the other way round older', (before, after) => {
    expect(decide(GUEST_1, hostHas(NOBODY, before, 9), claimOf(GUEST_1, after, 0))).toBe('accept A1');
    expect(decide(GUEST_1, hostHas(NOBODY, after, 0), claimOf(GUEST_1, before, 9))).toBe('reject A1');
  });

  test.each([
    [65535, 0],
    [65500, 40],
  ])('[A2.1] [A2.2] after authority %i, %i is newer, and the other way round older', (before, after) => {
    expect(decide(GUEST_1, hostHas(NOBODY, 5, before), claimOf(GUEST_1, 5, after))).toBe('accept A2');
    expect(decide(GUEST_1, hostHas(NOBODY, 5, after), claimOf(GUEST_1, 5, before))).toBe('reject A2');
  });
});

/** Every record of a body near the end of the numbers, with every claim on it by guest 1 near that. */
function* everyCase(): Generator<{ local: HostRecord; incoming: Claim }> {
  const sequences = [65534, 65535, 0, 1];
  for (const owner of [NOBODY, HOST, GUEST_1, GUEST_2]) {
    const holds: Hold[] = owner === NOBODY ? [NOT_HELD] : [NOT_HELD, IN_A_HAND];
    for (const hold of holds)
      for (const claimed of [NOBODY, HOST, GUEST_1, GUEST_2])
        for (const claimedHold of claimed === NOBODY ? [NOT_HELD] : [NOT_HELD, IN_A_HAND])
          for (const ownership of sequences)
            for (const sequence of sequences)
              yield {
                local: hostHas(owner, 65535, 65535, hold, 65534),
                incoming: claimOf(claimed, ownership, sequence, claimedHold),
              };
  }
}

describe('of all records and all claims by guest 1', () => {
  test('[H1.1] [A7.6] none is accepted that names another, or gives back a body that guest 1 does not have or still holds', () => {
    for (const { local, incoming } of everyCase()) {
      if (decideAsHost(local, incoming, GUEST_1, MAX_SEQUENCE_LEAD).verdict !== 'accept') continue;
      expect([GUEST_1, NOBODY]).toContain(incoming.authority);
      if (incoming.authority === NOBODY) expect(local).toMatchObject({ authority: GUEST_1, hold: NOT_HELD });
    }
  });

  test('[H2.1] [H3.1] [A4.2] none is accepted on a body in the hand of another; only there, and where the host has none by the same sequences, is a claim overridden', () => {
    for (const { local, incoming } of everyCase()) {
      const { verdict } = decideAsHost(local, incoming, GUEST_1, MAX_SEQUENCE_LEAD);
      const others = local.hold !== NOT_HELD && local.authority !== GUEST_1;
      if (others) expect(['reject', 'override']).toContain(verdict);
      else if (verdict === 'override') {
        const { ownershipSequence, authoritySequence } = incoming;
        expect(local).toMatchObject({ authority: NOBODY, ownershipSequence, authoritySequence });
      }
    }
  });
});
