import { describe, expect, test } from 'vitest';
import type { BodyId, Sequence, Slot } from '../../../../src/core/base/ids.ts';
import { LEFT, NO_SLOT, NOT_HELD } from '../../../../src/core/base/ids.ts';
import { quaternion, vector } from '../../../../src/core/base/math.ts';
import { MOTION, STRIDE } from '../../../../src/core/base/state.ts';
import { readLevel } from '../../../../src/core/wire/files/level-text.ts';
import { writeLevel } from '../../../../src/core/wire/files/write-level.ts';
import * as authority from '../../../../src/core/world/authority.ts';
import { ContactGraph } from '../../../../src/core/world/contacts.ts';
import { Islands } from '../../../../src/core/world/joints/islands.ts';
import type { Joint, JointKind, Making } from '../../../../src/core/world/joints/joint.ts';
import { BREAKING_GAP, canGo, jointEnd } from '../../../../src/core/world/joints/joint.ts';
import { madeIn, makerOf } from '../../../../src/core/world/joints/making.ts';
import { isAsMade, loadOf, Tears } from '../../../../src/core/world/joints/tears.ts';
import type { Level } from '../../../../src/core/world/level.ts';
import { flatLevel, STANDARD_MATERIAL } from '../../../../src/core/world/level.ts';
import { faultsOfLevel } from '../../../../src/core/world/level-faults.ts';
import { referTo } from '../../../../src/core/world/level-reference.ts';
import { claim, Records, writeClaim } from '../../../../src/core/world/record.ts';

const [a, b, c] = [0, 1, 2] as BodyId[];
const [SELF, OTHER] = [1, 2] as Slot[];
const TEMPLATE = { ...STANDARD_MATERIAL, shape: { kind: 'ball', radius: 0.1 } } as const;
const BODIES = [0, 1, 2].map((i) => ({
  template: TEMPLATE,
  start: { position: vector(i, 1, 0), rotation: quaternion() },
}));

type Going = Pick<Joint, 'breaksAt' | 'removable'>;

function tie(one: number, other: number, kind: JointKind & Going = { kind: 'ball' }): Joint {
  const at = vector(one + 0.5, 1, 0);
  const ends = [jointEnd(BODIES, one, at), jointEnd(BODIES, other, at)] as const;
  return { ends, collides: false, ...kind };
}

/** The three bodies in a row. */
function chain(): Islands {
  return new Islands(3, [tie(a, b), tie(b, c)]);
}

/** Poses of the bodies, where the level begins. */
function motionAtStart(): Float32Array {
  const motion = new Float32Array(3 * STRIDE);
  for (const i of [0, 1, 2]) {
    motion.set([i, 1, 0], i * STRIDE);
    motion[i * STRIDE + MOTION.rotation + 3] = 1;
  }
  return motion;
}

describe('[J4.1] a joint that is gone ties nothing', () => {
  test('and its island comes apart', () => {
    const islands = chain();
    islands.set(1, null);
    islands.find();
    expect(islands.parts).toEqual([[a, b], [a, b], [c]]);
    expect([...islands.isJointed]).toEqual([1, 1, 0]);
    expect([...islands.isTied]).toEqual([1, 1, 1]);
    islands.set(1, islands.joints[1]);
    islands.find();
    expect(islands.parts[c]).toEqual([a, b, c]);
  });

  test('nor is it torn', () => {
    const islands = chain();
    const tears = new Tears(islands);
    const motion = motionAtStart();
    motion[c * STRIDE] += 2;
    expect(tears.tearOf(c, motion)).toBeCloseTo(2);
    islands.set(1, null);
    islands.find();
    expect(tears.tearOf(c, motion)).toBe(0);
  });

  test('two bodies that touch besides go on touching', () => {
    const graph = new ContactGraph(3);
    graph.add(a, b);
    graph.tie(a, b);
    graph.untie(a, b);
    expect(graph.touching(a, b)).toBe(true);
    graph.tie(a, b);
    graph.remove(a, b);
    expect(graph.touching(a, b)).toBe(true);
    graph.untie(a, b);
    expect(graph.touching(a, b)).toBe(false);
    graph.tie(b, c);
    graph.add(b, c);
    graph.clear(c);
    graph.tie(b, c);
    graph.untie(b, c);
    expect(graph.touching(b, c)).toBe(false);
  });
});

describe('[J4.1] a level says which joints can go', () => {
  const levelWith = (going: Going, kind: JointKind = { kind: 'ball' }): Level => ({
    ...flatLevel('tied', BODIES),
    joints: [tie(a, b, { ...kind, ...going })],
  });

  test('by a force or a right', () => {
    const goings: readonly Going[] = [{}, { breaksAt: 5 }, { removable: true }, { removable: false }];
    const can = goings.map((going) => canGo(tie(a, b, { kind: 'ball', ...going })));
    expect(can).toEqual([false, true, true, false]);
  });

  test('[B1.4] with a sentence for each fault', () => {
    expect(faultsOfLevel(levelWith({ breaksAt: 50, removable: true }))).toEqual([]);
    expect(faultsOfLevel(levelWith({ breaksAt: 0 }))).toEqual([
      'Joint 0: The force at which it breaks is 0; it must be 0.01 to 1000000.',
    ]);
    expect(faultsOfLevel(levelWith({ breaksAt: 50 }, { kind: 'rope', length: 2 }))).toEqual([
      'Joint 0: A rope has no force at which it breaks.',
    ]);
  });

  test('[B1.2] which counts in its hash, and is in its text', () => {
    const hashes = [{}, { breaksAt: 50 }, { breaksAt: 60 }, { removable: true }].map((going) => {
      const level = levelWith(going);
      const { level: read } = readLevel(writeLevel(level));
      expect(read?.joints).toEqual(level.joints);
      return referTo({ id: 'tied', seed: 1 }, level).hash;
    });
    expect(new Set(hashes).size).toBe(4);
  });

  test('[B1.4] a text with another value is refused', () => {
    const text = writeLevel(levelWith({ removable: true })).replace('"removable":true', '"removable":1');
    expect(readLevel(text).faults).toEqual(['joints[0].removable is neither true nor false.']);
  });
});

describe('[J5.1] a level says which joints players may make', () => {
  const MAKING: Making = {
    perPlayer: 2,
    slots: 4,
    kinds: [
      { kind: 'fixed', collides: true },
      { kind: 'hinge', limits: null, motor: null, friction: 0.1, collides: false, breaksAt: 90 },
    ],
  };
  const levelWith = (making: Making): Level => ({
    ...flatLevel('making', BODIES),
    joints: [tie(a, b)],
    making,
  });

  test('[B1.2] which counts in its hash, and is in its text', () => {
    const level = levelWith(MAKING);
    expect(faultsOfLevel(level)).toEqual([]);
    expect(readLevel(writeLevel(level)).level).toEqual(level);
    const hashes = [level, { ...flatLevel('making', BODIES), joints: level.joints }].map(
      (each) => referTo({ id: 'making', seed: 1 }, each).hash,
    );
    expect(hashes[0]).not.toBe(hashes[1]);
  });

  test('under numbers after its own', () => {
    const level = levelWith(MAKING);
    expect(madeIn(level)).toBe(8);
    expect([0, 1, 2, 3, 8].map((joint) => makerOf(level, joint))).toEqual([NO_SLOT, 0, 0, 1, 3]);
    expect(madeIn(flatLevel('none', BODIES))).toBe(0);
  });

  test('[B1.4] with a sentence for each fault', () => {
    const kinds = [{ kind: 'rope', length: 0, collides: true, breaksAt: 5 }] as const;
    expect(faultsOfLevel(levelWith({ perPlayer: 0.5, slots: 99, kinds }))).toEqual([
      'A player may make a whole number of joints, or none.',
      'Of the slots, 0 to 32 have numbers for making joints.',
      'Kind 0 of joint: Its length is 0; it must be 0.01 to 100.',
      'Kind 0 of joint: A rope has no force at which it breaks.',
    ]);
    expect(faultsOfLevel(levelWith({ ...MAKING, perPlayer: 2000 }))).toEqual([
      'A level has at most 4096 joints, with those that players may make.',
    ]);
  });
});

describe('[J4.6] a claim on an island begins from the newest sequences of its parts', () => {
  /** The parts of the chain have three claims. */
  function mixed(): Records {
    const records = new Records(3, chain());
    const put = (body: BodyId, has: Slot, owned: number, claimed: number): void =>
      writeClaim(
        {
          ...claim(),
          authority: has,
          ownershipSequence: owned as Sequence,
          authoritySequence: claimed as Sequence,
        },
        records,
        body,
      );
    put(a, NO_SLOT, 3, 9);
    put(b, NO_SLOT, 5, 1);
    put(c, NO_SLOT, 5, 3);
    return records;
  }

  test.each<[string, (of: Records) => void, number, number]>([
    ['taking', (of) => authority.take(of, a, SELF, false), 5, 4],
    ['a grab', (of) => authority.grab(of, a, SELF, LEFT, false), 6, 0],
    ['a return', (of) => authority.giveBack(of, b, false), 5, 4],
    ['leaving', (of) => authority.free(of, a), 6, 1],
    ['mending', (of) => authority.unite(of, a, SELF, false), 6, 0],
    ['claiming again', (of) => authority.claimPast(of, a, SELF, NOT_HELD, 2 as Sequence), 6, 0],
  ])('%s', (_, change, owned, claimed) => {
    const of = mixed();
    change(of);
    expect([...of.ownershipSequence]).toEqual([owned, owned, owned]);
    expect([...of.authoritySequence]).toEqual([claimed, claimed, claimed]);
    expect(authority.isOneClaim(of, b)).toBe(true);
  });

  test.each([SELF, OTHER])(
    '[J4.10] taking passes the return of player %i, who has the newest part',
    (has) => {
      const of = mixed();
      of.authority[c] = has;
      of.authoritySequence[c] = 4;
      authority.take(of, a, SELF, false);
      expect([...of.authoritySequence]).toEqual([6, 6, 6]);
    },
  );

  test('[J4.10] so it does if a part under none has the same sequences', () => {
    const of = mixed();
    of.authoritySequence.fill(4, b);
    of.authority[c] = OTHER;
    authority.take(of, a, SELF, false);
    expect([...of.authoritySequence]).toEqual([6, 6, 6]);
  });

  test('[J4.10] a blow passes a newest part under none by one step', () => {
    const of = mixed();
    of.authority[a] = OTHER;
    authority.take(of, a, SELF, false);
    expect([...of.authoritySequence]).toEqual([4, 4, 4]);
  });

  test('a ruling is on one body alone', () => {
    const of = mixed();
    writeClaim({ ...claim(), authority: OTHER }, of, b);
    expect([...of.authority]).toEqual([NO_SLOT, OTHER, NO_SLOT]);
    expect(authority.isOneClaim(of, a)).toBe(false);
  });

  test('and what is not all of this peer’s does not return', () => {
    const of = mixed();
    of.authority.fill(SELF);
    of.confirmed.fill(1);
    of.resting.fill(1);
    of.restTicks.fill(100);
    expect(authority.mayReturn(of, a, 60)).toBe(true);
    of.authority[c] = OTHER;
    expect(authority.mayReturn(of, a, 60)).toBe(false);
    of.authority[c] = SELF;
    of.confirmed[c] = 0;
    expect(authority.mayReturn(of, a, 60)).toBe(false);
  });
});

test('[J4.5] mending keeps what hands hold, and rest', () => {
  const of = new Records(3, chain());
  of.authority.fill(SELF);
  of.hold.set([0, 1, 2]);
  of.resting[a] = 1;
  authority.unite(of, a, SELF, false);
  expect([...of.hold]).toEqual([0, 1, 2]);
  expect(of.resting[a]).toBe(1);
});

describe('[J6.1] the distance of the ends shows the force', () => {
  test('of a joint, as a share of the force at which it breaks', () => {
    const motion = motionAtStart();
    const joint = tie(a, b, { kind: 'ball', breaksAt: 300 });
    expect(loadOf(joint, motion)).toBeCloseTo(0, 5);
    motion[b * STRIDE + 1] += BREAKING_GAP / 2;
    expect(loadOf(joint, motion)).toBeCloseTo(0.5, 4);
  });

  test('of a spring by its length', () => {
    const motion = motionAtStart();
    const spring = tie(a, b, { kind: 'spring', length: 0, stiffness: 100, damping: 1, breaksAt: 50 });
    motion[b * STRIDE] += 0.25;
    expect(loadOf(spring, motion)).toBeCloseTo(0.5, 4);
  });
});

describe('[J4.5] the ends of a joint that is mended fit', () => {
  const turned = (body: BodyId, axis: number, angle: number): Float32Array => {
    const motion = motionAtStart();
    const at = body * STRIDE + MOTION.rotation;
    motion[at + axis] = Math.sin(angle / 2);
    motion[at + 3] = Math.cos(angle / 2);
    return motion;
  };
  const FREE = { limits: null, motor: null, friction: 0 } as const;

  test('if they are near', () => {
    const motion = motionAtStart();
    expect(isAsMade(tie(a, b), motion)).toBe(true);
    motion[b * STRIDE] += 0.12;
    expect(isAsMade(tie(a, b), motion)).toBe(false);
  });

  test('and turned as its kind wants', () => {
    // The body turns about the joint, which stays in its place, by 30 degrees about z, and about x.
    for (const [kind, aboutX, aboutZ] of [
      [{ kind: 'ball' }, true, true],
      [{ kind: 'hinge', ...FREE }, true, false],
      [{ kind: 'fixed' }, false, false],
    ] as const) {
      const end = { ...jointEnd(BODIES, b, vector(1, 1, 0)) };
      const ends = [jointEnd(BODIES, a, vector(1, 1, 0)), end] as const;
      const joint: Joint = { ...tie(a, b, kind), ends };
      expect(isAsMade(joint, turned(b, 0, Math.PI / 6))).toBe(aboutX);
      expect(isAsMade(joint, turned(b, 2, Math.PI / 6))).toBe(aboutZ);
    }
  });
});
