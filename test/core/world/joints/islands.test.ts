import { describe, expect, test } from 'vitest';
import type { BodyId, Sequence, Slot } from '../../../../src/core/base/ids.ts';
import { KEPT, LEFT, NO_SLOT, NOT_HELD, RIGHT } from '../../../../src/core/base/ids.ts';
import { RETURN_AFTER_SECONDS, TICK_RATE, ticksIn } from '../../../../src/core/base/constants.ts';
import { vector } from '../../../../src/core/base/math.ts';
import * as authority from '../../../../src/core/world/authority.ts';
import { ContactGraph } from '../../../../src/core/world/contacts.ts';
import { Islands } from '../../../../src/core/world/joints/islands.ts';
import type { Joint } from '../../../../src/core/world/joints/joint.ts';
import { jointEnd } from '../../../../src/core/world/joints/joint.ts';
import { STANDARD_MATERIAL } from '../../../../src/core/world/level.ts';
import { claim, holdOfIsland, Records, writeClaim } from '../../../../src/core/world/record.ts';

const RETURN_AFTER_TICKS = ticksIn(RETURN_AFTER_SECONDS, TICK_RATE);

const [a, b, c, loose, hung] = [0, 1, 2, 3, 4] as BodyId[];
const [SELF, OTHER] = [1, 2] as Slot[];
const TEMPLATE = { ...STANDARD_MATERIAL, shape: { kind: 'ball', radius: 0.1 } } as const;
const BODIES = [0, 1, 2, 3, 4].map(() => ({
  template: TEMPLATE,
  start: { position: vector(), rotation: { x: 0, y: 0, z: 0, w: 1 } },
}));

function tie(one: number | null, other: number): Joint {
  return {
    kind: 'ball',
    ends: [jointEnd(BODIES, one, vector()), jointEnd(BODIES, other, vector())],
    collides: false,
  };
}

/** The first three bodies are a chain, the fourth is loose, and the fifth hangs from the world. */
const ISLANDS = new Islands(5, [tie(b, c), tie(a, b), tie(null, hung)]);

/** All under another player, with sequences that no rule leads to. */
function records(): Records {
  const made = new Records(5, ISLANDS);
  for (const body of [a, b, c, loose, hung]) {
    writeClaim(
      { ...claim(), authority: OTHER, ownershipSequence: 5 as Sequence, authoritySequence: 7 as Sequence },
      made,
      body,
    );
  }
  return made;
}

/** The numbers that all parts of an island have alike. */
function shared(of: Records, body: BodyId): number[] {
  return [
    of.authority[body],
    of.ownershipSequence[body],
    of.authoritySequence[body],
    of.confirmed[body],
    of.pendingCommit[body],
    of.restTicks[body],
  ];
}

test('joints make islands, and the world ties nothing together', () => {
  expect(ISLANDS.parts).toEqual([[a, b, c], [a, b, c], [a, b, c], [loose], [hung]]);
  expect([...ISLANDS.isJointed]).toEqual([1, 1, 1, 0, 1]);
  expect([a, b, c, loose, hung].map((body) => ISLANDS.rootOf(body))).toEqual([a, a, a, loose, hung]);
});

describe('[J2.1] whatever changes the claim on a part changes that of its whole island', () => {
  test.each<[string, (of: Records) => void]>([
    ['taking', (of) => authority.take(of, b, SELF, false)],
    ['a grab', (of) => authority.grab(of, b, SELF, LEFT, false)],
    ['gathering', (of) => authority.gather(of, c, SELF)],
    ['keeping', (of) => authority.keep(of, b, SELF, false)],
    ['its end', (of) => authority.endKeeping(of, b, SELF, false)],
    ['letting go', (of) => authority.release(of, b)],
    ['a return', (of) => authority.giveBack(of, b, false)],
    ['leaving', (of) => authority.free(of, c)],
    ['moving past a claim', (of) => authority.moveOwnershipPast(of, b, 9 as Sequence)],
    ['claiming again', (of) => authority.claimPast(of, c, SELF, NOT_HELD, 8 as Sequence)],
  ])('%s', (_, change) => {
    const of = records();
    const before = [loose, hung].map((body) => shared(of, body));
    of.restTicks.fill(9, a, c + 1);
    const was = shared(of, a);
    change(of);
    expect(shared(of, a)).not.toEqual(was);
    expect(shared(of, b)).toEqual(shared(of, a));
    expect(shared(of, c)).toEqual(shared(of, a));
    expect([loose, hung].map((body) => shared(of, body))).toEqual(before);
  });
});

describe('[J2.2] an island is held and kept whole', () => {
  test('by a hand on one part', () => {
    const of = records();
    authority.grab(of, b, SELF, RIGHT, true);
    expect([...of.hold]).toEqual([0, 2, 0, 0, 0]);
    expect([a, b, c].map((body) => holdOfIsland(of, body))).toEqual([2, 2, 2]);
    expect([a, c, loose].map((body) => authority.mayGrab(of, body, OTHER))).toEqual([false, false, true]);
    authority.grab(of, c, SELF, LEFT, true);
    expect([...of.hold], 'the other hand').toEqual([0, 2, 1, 0, 0]);
    authority.release(of, b);
    expect(authority.mayGrab(of, a, OTHER)).toBe(false);
    authority.release(of, c);
    expect(authority.mayGrab(of, a, OTHER)).toBe(true);
  });

  test('keeping one part keeps all, and counts once; grabbing one ends it for all', () => {
    const of = records();
    authority.keep(of, b, SELF, true);
    expect([...of.hold]).toEqual([KEPT, KEPT, KEPT, 0, 0]);
    expect(authority.keptBy(of, SELF)).toBe(1);
    authority.grab(of, c, SELF, LEFT, true);
    expect([...of.hold]).toEqual([0, 0, 1, 0, 0]);
  });

  test('what another player held of it, it holds no more', () => {
    const of = records();
    of.hold[c] = 2;
    authority.take(of, a, SELF, true);
    expect([...of.hold]).toEqual([0, 0, 0, 0, 0]);
  });
});

test('[J2.3] a part returns once its whole island has rested for a second, in no hand', () => {
  const of = records();
  authority.take(of, a, SELF, true);
  of.resting.fill(1);
  of.restTicks.fill(RETURN_AFTER_TICKS);
  expect(authority.mayReturn(of, b, RETURN_AFTER_TICKS)).toBe(true);
  for (const spoil of [() => (of.resting[c] = 0), () => of.restTicks[c]--, () => (of.hold[c] = 1)]) {
    of.resting[c] = 1;
    of.restTicks[c] = RETURN_AFTER_TICKS;
    of.hold[c] = NOT_HELD;
    expect(authority.mayReturn(of, a, RETURN_AFTER_TICKS)).toBe(true);
    spoil();
    expect(authority.mayReturn(of, a, RETURN_AFTER_TICKS)).toBe(false);
  }
  expect(of.authority[c]).not.toBe(NO_SLOT);
});

test('[J2.7] what a template forbids guests to take or keep is forbidden for its island; holding is not', () => {
  const none = { take: false, hold: false, keep: false };
  const forbidding = { ...TEMPLATE, guests: none };
  const of = new Records(5, ISLANDS);
  of.forbidden[a] = authority.forbiddenInIsland(TEMPLATE, [TEMPLATE, forbidding]);
  of.forbidden[b] = authority.forbiddenInIsland(forbidding, [TEMPLATE, forbidding]);
  const may = (body: BodyId, right: 'take' | 'hold' | 'keep'): boolean =>
    authority.isAllowed(of, body, right, false);
  expect([may(a, 'take'), may(a, 'keep'), may(a, 'hold')]).toEqual([false, false, true]);
  expect([may(b, 'take'), may(b, 'hold')]).toEqual([false, false]);
});

describe('[J1.3] in the contact graph', () => {
  test('a joint counts as a touch, and outlasts touching', () => {
    const graph = new ContactGraph(5);
    graph.tie(a, b);
    expect([graph.touching(b, a), graph.startedCount, graph.changed[a]]).toEqual([true, 0, 1]);
    graph.add(b, a);
    expect([graph.startedCount, graph.neighbours[a]]).toEqual([2, [b]]);
    graph.remove(a, b);
    expect(graph.neighbours[a]).toEqual([b]);
    graph.untie(b, a);
    expect(graph.neighbours).toEqual([[], [], [], [], []]);
  });

  test('the second of two joints ties on, and a body that is gone is tied to nothing', () => {
    const graph = new ContactGraph(5);
    graph.tie(a, b);
    graph.tie(a, b);
    graph.untie(a, b);
    expect(graph.touching(a, b)).toBe(true);
    graph.clear(a);
    expect(graph.touching(a, b)).toBe(false);
    graph.add(a, b);
    graph.remove(a, b);
    expect(graph.touching(a, b)).toBe(false);
  });
});
