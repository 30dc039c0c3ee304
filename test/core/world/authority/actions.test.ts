import { describe, expect, test } from 'vitest';
import type { BodyId, Sequence } from '../../../../src/core/base/ids.ts';
import { holdOf, LEFT, NOT_HELD, RIGHT } from '../../../../src/core/base/ids.ts';
import { RETURN_AFTER_SECONDS, TICK_RATE, ticksIn } from '../../../../src/core/base/constants.ts';
import {
  claimPast,
  free,
  give,
  giveBack,
  grab,
  mayGrab,
  mayReturn,
  moveOwnershipPast,
  release,
  take,
} from '../../../../src/core/world/authority.ts';
import type { Claim } from '../../../../src/core/world/record.ts';
import { claim, readClaim, Records, writeClaim } from '../../../../src/core/world/record.ts';
import { claimOf, GUEST_1, GUEST_2, HOST, IN_A_HAND, NOBODY } from './claims.ts';

const RETURN_AFTER_TICKS = ticksIn(RETURN_AFTER_SECONDS, TICK_RATE);

const body = 1 as BodyId;

/** Records of three bodies, of which the middle one is as claimed. */
function recordsWith(held: Claim): Records {
  const records = new Records(3);
  writeClaim(held, records, body);
  records.acceptedOwnership[body] = held.ownershipSequence;
  return records;
}

/** Checks that an action did not touch the bodies beside the one that it was about. */
function expectOthersUntouched(records: Records): void {
  for (const other of [0, 2] as BodyId[]) {
    expect(readClaim(records, other, claim())).toEqual(claimOf(NOBODY, 0, 0));
    expect([records.confirmed[other], records.pendingCommit[other]]).toEqual([0, 0]);
  }
}

describe('[A9] giving', () => {
  test('[A9.5] adds 1 to the ownership sequence, sets the authority sequence to 0, and puts the body into that hand', () => {
    for (const [to, isOwn] of [
      [GUEST_1, false],
      [HOST, true],
    ] as const) {
      const records = recordsWith(claimOf(GUEST_2, 65535, 7));
      give(records, body, to, LEFT, isOwn);
      expect(readClaim(records, body, claim())).toEqual(claimOf(to, 0, 0, holdOf(LEFT)));
      expect(records.acceptedOwnership[body]).toBe(0);
      expect(records.confirmed[body]).toBe(isOwn ? 1 : 0);
      expectOthersUntouched(records);
    }
  });
});

describe('[A5] taking', () => {
  test('[A5.4] adds 1 to the authority sequence; it keeps the ownership, and is not confirmed on a guest', () => {
    const records = recordsWith(claimOf(NOBODY, 5, 7));
    records.pendingCommit[body] = 1;
    records.confirmed[body] = 1;
    take(records, body, GUEST_1, false);
    expect(readClaim(records, body, claim())).toEqual(claimOf(GUEST_1, 5, 8));
    expect([records.confirmed[body], records.pendingCommit[body]]).toEqual([0, 0]);
    expectOthersUntouched(records);
  });

  test('by the host is confirmed at once', () => {
    const records = recordsWith(claimOf(NOBODY, 5, 7));
    take(records, body, HOST, true);
    expect(readClaim(records, body, claim())).toEqual(claimOf(HOST, 5, 8));
    expect(records.confirmed[body]).toBe(1);
  });

  test('wraps', () => {
    const records = recordsWith(claimOf(NOBODY, 5, 65535));
    take(records, body, GUEST_1, false);
    expect(records.authoritySequence[body]).toBe(0);
  });
});

describe('[A6] grabbing', () => {
  test('[A6.1] adds 1 to the ownership sequence, sets the authority sequence to 0, and is not confirmed on a guest', () => {
    const records = recordsWith(claimOf(GUEST_2, 5, 7));
    records.confirmed[body] = 1;
    records.pendingCommit[body] = 1;
    records.resting[body] = 1;
    grab(records, body, GUEST_1, RIGHT, false);
    expect(readClaim(records, body, claim())).toEqual(claimOf(GUEST_1, 6, 0, holdOf(RIGHT)));
    expect([records.confirmed[body], records.pendingCommit[body]]).toEqual([0, 0]);
    expect([records.resting[body], records.acceptedOwnership[body]]).toEqual([0, 6]);
    expectOthersUntouched(records);
  });

  test('by the host is confirmed at once', () => {
    const records = recordsWith(claimOf(NOBODY, 65535, 7));
    grab(records, body, HOST, LEFT, true);
    expect(readClaim(records, body, claim())).toEqual(claimOf(HOST, 0, 0, holdOf(LEFT)));
    expect(records.confirmed[body]).toBe(1);
  });

  test('[A6.2] is allowed unless another slot holds the body', () => {
    expect(mayGrab(recordsWith(claimOf(NOBODY, 5, 7)), body, GUEST_1)).toBe(true);
    expect(mayGrab(recordsWith(claimOf(GUEST_2, 5, 7)), body, GUEST_1)).toBe(true);
    expect(mayGrab(recordsWith(claimOf(GUEST_2, 5, 0, IN_A_HAND)), body, GUEST_1)).toBe(false);
    expect(mayGrab(recordsWith(claimOf(HOST, 5, 0, IN_A_HAND)), body, GUEST_1)).toBe(false);
  });

  test('[A6.3] by the other hand of the same player is allowed: that is passing', () => {
    expect(mayGrab(recordsWith(claimOf(GUEST_1, 5, 0, IN_A_HAND)), body, GUEST_1)).toBe(true);
  });
});

describe('[A7] letting go', () => {
  test('[A7.1] keeps authority and changes no sequence', () => {
    const records = recordsWith(claimOf(GUEST_1, 5, 7, IN_A_HAND));
    records.confirmed[body] = 1;
    release(records, body);
    expect(readClaim(records, body, claim())).toEqual(claimOf(GUEST_1, 5, 7));
    expect(records.confirmed[body]).toBe(1);
    expectOthersUntouched(records);
  });
});

describe('[A7] giving back', () => {
  /** A body of guest 1 that may be given back. */
  function rested(): Records {
    const records = recordsWith(claimOf(GUEST_1, 5, 7));
    records.resting[body] = 1;
    records.confirmed[body] = 1;
    records.restTicks[body] = RETURN_AFTER_TICKS;
    return records;
  }

  test('[A7.2] is allowed after one second at rest', () => {
    expect(RETURN_AFTER_TICKS).toBe(TICK_RATE);
    const records = rested();
    expect(mayReturn(records, body, RETURN_AFTER_TICKS)).toBe(true);
    records.restTicks[body]--;
    expect(mayReturn(records, body, RETURN_AFTER_TICKS)).toBe(false);
  });

  test('[A7.2] is not allowed before the host has confirmed, nor awake, nor from a hand', () => {
    const unconfirmed = rested();
    unconfirmed.confirmed[body] = 0;
    const awake = rested();
    awake.resting[body] = 0;
    const held = rested();
    held.hold[body] = IN_A_HAND;
    for (const records of [unconfirmed, awake, held])
      expect(mayReturn(records, body, RETURN_AFTER_TICKS)).toBe(false);
  });

  test('[A7.2] [A7.4] adds 1 to the authority sequence, and is a pending commit on a guest', () => {
    const records = rested();
    giveBack(records, body, false);
    expect(readClaim(records, body, claim())).toEqual(claimOf(NOBODY, 5, 8));
    expect([records.confirmed[body], records.pendingCommit[body]]).toEqual([0, 1]);
    expectOthersUntouched(records);
  });

  test('[A7.4] by the host is no pending commit', () => {
    const records = rested();
    giveBack(records, body, true);
    expect(readClaim(records, body, claim())).toEqual(claimOf(NOBODY, 5, 8));
    expect(records.pendingCommit[body]).toBe(0);
  });
});

test('[H3.1] the host moves its ownership sequence past a rejected claim, and changes nothing else', () => {
  const records = recordsWith(claimOf(GUEST_1, 5, 0, IN_A_HAND));
  moveOwnershipPast(records, body, 8 as Sequence);
  expect(readClaim(records, body, claim())).toEqual(claimOf(GUEST_1, 9, 0, IN_A_HAND));
  expect(records.acceptedOwnership[body]).toBe(5);
  moveOwnershipPast(records, body, 65535 as Sequence);
  expect(records.ownershipSequence[body]).toBe(0);
});

test('[H6.1] a body that falls free: ownership sequence + 1, authority sequence 1, under none, in no hand', () => {
  const records = recordsWith(claimOf(GUEST_1, 5, 7, IN_A_HAND));
  records.confirmed[body] = 1;
  records.pendingCommit[body] = 1;
  free(records, body);
  expect(readClaim(records, body, claim())).toEqual(claimOf(NOBODY, 6, 1));
  expect([records.confirmed[body], records.pendingCommit[body]]).toEqual([0, 0]);
  expect(records.acceptedOwnership[body]).toBe(6);
  expectOthersUntouched(records);
});

describe('[H8] claiming again', () => {
  test.each([
    ['its own', 9, 4, 10],
    ["the new host's", 4, 9, 10],
    ['both, which are equal', 4, 4, 5],
    ['its own, where the numbers wrap', 0, 65535, 1],
    ["the new host's, where the numbers wrap", 65534, 65535, 0],
  ])('[H8.2] goes past %s', (_, own, theirs, past) => {
    const records = recordsWith(claimOf(GUEST_2, theirs, 7));
    records.confirmed[body] = 1;
    claimPast(records, body, GUEST_1, IN_A_HAND, own as Sequence);
    expect(readClaim(records, body, claim())).toEqual(claimOf(GUEST_1, past, 0, IN_A_HAND));
    expect(records.confirmed[body]).toBe(0);
    expectOthersUntouched(records);
  });

  test('does not hold what was not held', () => {
    const records = recordsWith(claimOf(NOBODY, 4, 7));
    records.pendingCommit[body] = 1;
    claimPast(records, body, GUEST_1, NOT_HELD, 6 as Sequence);
    expect(readClaim(records, body, claim())).toEqual(claimOf(GUEST_1, 7, 0));
    expect(records.pendingCommit[body]).toBe(0);
  });
});
