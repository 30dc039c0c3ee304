import { describe, expect, test } from 'vitest';
import type { BodyId } from '../../../../src/core/base/ids.ts';
import { NO_BODY } from '../../../../src/core/base/ids.ts';
import { AuthoritySpread, supportSet } from '../../../../src/core/world/authority.ts';
import { ContactGraph } from '../../../../src/core/world/contacts.ts';
import { pose } from '../../../../src/core/base/math.ts';
import { Islands } from '../../../../src/core/world/joints/islands.ts';
import { Records } from '../../../../src/core/world/record.ts';
import { GUEST_1, GUEST_2, HOST, IN_A_HAND, NOBODY } from './claims.ts';

/** Bodies of which these pairs touch. */
function touching(count: number, ...pairs: readonly (readonly [number, number])[]): ContactGraph {
  const graph = new ContactGraph(count);
  for (const [a, b] of pairs) graph.add(a as BodyId, b as BodyId);
  return graph;
}

/** Records in which these slots have the bodies, awake. */
function had(...authority: number[]): Records {
  const records = new Records(authority.length);
  records.authority.set(authority);
  return records;
}

/** Three bodies; two of them are one island. */
function islandOf(a: number, b: number): Islands {
  const ends = [a, b].map((body) => ({ body: body as BodyId, frame: pose() }));
  return new Islands(3, [{ kind: 'ball', ends: [ends[0], ends[1]], collides: true, removable: true }]);
}

/** Spreads the authority of guest 1; returns what was taken. */
function spread(records: Records, contacts: ContactGraph, isHost = false): number[] {
  const taken: number[] = [];
  const self = isHost ? HOST : GUEST_1;
  new AuthoritySpread(records.count).run(records, contacts, self, isHost, (body) => taken.push(body));
  return taken;
}

describe('[A5] authority spreads by contact', () => {
  test('[A5.2] [A5.3] from an awake body of its own to bodies under none that it touches, and on, in the same tick', () => {
    const records = had(GUEST_1, NOBODY, NOBODY, NOBODY, NOBODY);
    const taken = spread(records, touching(5, [0, 1], [1, 2], [2, 3]));
    expect(taken).toEqual([1, 2, 3]);
    expect([...records.authority]).toEqual([GUEST_1, GUEST_1, GUEST_1, GUEST_1, NOBODY]);
    expect([...records.authoritySequence]).toEqual([0, 1, 1, 1, 0]);
    expect([...records.confirmed]).toEqual([0, 0, 0, 0, 0]);
  });

  test('[A5.1] not to bodies under another player, nor beyond them', () => {
    const records = had(GUEST_1, GUEST_2, NOBODY, HOST, NOBODY);
    expect(spread(records, touching(5, [0, 1], [1, 2], [0, 3], [3, 4]))).toEqual([]);
    expect([...records.authority]).toEqual([GUEST_1, GUEST_2, NOBODY, HOST, NOBODY]);
    expect([...records.authoritySequence]).toEqual([0, 0, 0, 0, 0]);
  });

  test.each([HOST, GUEST_2])('[J4.11] not to an island of which player %i has a part', (other) => {
    const records = new Records(3, islandOf(1, 2));
    records.authority.set([GUEST_1, NOBODY, other]);
    expect(spread(records, touching(3, [0, 1]))).toEqual([]);
    records.authority[2] = NOBODY;
    expect(spread(records, touching(3, [0, 1]))).toEqual([1]);
    expect([...records.authority]).toEqual([GUEST_1, GUEST_1, GUEST_1]);
  });

  test('[A5.2] from the body in its hand', () => {
    const records = had(GUEST_1, NOBODY);
    records.hold[0] = IN_A_HAND;
    expect(spread(records, touching(2, [0, 1]))).toEqual([1]);
    expect([...records.hold]).toEqual([IN_A_HAND, 0]);
  });

  test('[A5.2] not from a body at rest, but through one that an awake body touches', () => {
    const records = had(GUEST_1, NOBODY, GUEST_1, GUEST_1, NOBODY);
    records.resting.set([1, 0, 0, 1, 1]);
    expect(spread(records, touching(5, [0, 1], [2, 3], [3, 4]))).toEqual([4]);
  });

  test('[A7.3] restarts the second at rest of the bodies that it reaches', () => {
    const records = had(GUEST_1, GUEST_1, GUEST_1);
    records.resting.set([0, 1, 1]);
    records.restTicks.set([0, 50, 50]);
    spread(records, touching(3, [0, 1]));
    expect([...records.restTicks]).toEqual([0, 0, 50]);
  });

  test('[A5.4] in a ring of contacts, once to each', () => {
    const records = had(GUEST_1, NOBODY, NOBODY);
    expect(spread(records, touching(3, [0, 1], [1, 2], [2, 0])).sort()).toEqual([1, 2]);
    expect([...records.authoritySequence]).toEqual([0, 1, 1]);
  });

  test('[A5.4] on the host is confirmed', () => {
    const records = had(HOST, NOBODY, GUEST_1);
    expect(spread(records, touching(3, [0, 1], [1, 2]), true)).toEqual([1]);
    expect([...records.confirmed]).toEqual([0, 1, 0]);
  });

  test('and again in the next tick, from what it took in the last', () => {
    const records = had(GUEST_1, NOBODY, NOBODY);
    const contacts = touching(3, [0, 1]);
    const authority = new AuthoritySpread(3);
    const taken: number[] = [];
    const run = (): void => authority.run(records, contacts, GUEST_1, false, (body) => taken.push(body));
    run();
    contacts.add(1 as BodyId, 2 as BodyId);
    run();
    expect(taken).toEqual([1, 2]);
  });
});

describe('[A8] the support set', () => {
  const stride = 3;

  /** The support set of `body`, for bodies with their middles at these heights. */
  function above(body: number, heights: readonly number[], contacts: ContactGraph): number[] {
    const positions = new Float32Array(heights.length * stride);
    heights.forEach((y, i) => (positions[i * stride + 1] = y));
    const out = new Array<BodyId>(heights.length).fill(NO_BODY);
    return out.slice(0, supportSet(contacts, positions, stride, body as BodyId, out)).sort();
  }

  test('[A8.1] is everything that lies on a body, directly or on other bodies', () => {
    const column = touching(4, [0, 1], [1, 2], [2, 3]);
    const heights = [0.25, 0.75, 1.25, 1.75];
    expect(above(0, heights, column)).toEqual([1, 2, 3]);
    expect(above(2, heights, column)).toEqual([3]);
    expect(above(3, heights, column)).toEqual([]);
  });

  test('[A8.1] contains no body below it, and none beside it', () => {
    const contacts = touching(4, [0, 1], [1, 2], [1, 3]);
    expect(above(1, [0.25, 0.75, 0.8, 1.25], contacts)).toEqual([3]);
  });

  test('[A8.1] contains no body above it that nothing connects with it', () => {
    expect(above(0, [0.25, 0.75, 1.25], touching(3, [1, 2]))).toEqual([]);
  });

  test('[A8.1] contains a body that lies on two of its bodies once, and never the body itself', () => {
    const arch = touching(4, [0, 1], [0, 2], [1, 3], [2, 3], [0, 3]);
    expect(above(0, [0.25, 0.75, 0.75, 1.25], arch)).toEqual([1, 2, 3]);
  });

  test('[A8.1] goes upwards only: a body on the floor beside a carried body is not in it', () => {
    const contacts = touching(4, [0, 1], [1, 2], [2, 3]);
    expect(above(0, [0.25, 0.75, 0.25, 0.75], contacts)).toEqual([1]);
  });
});
