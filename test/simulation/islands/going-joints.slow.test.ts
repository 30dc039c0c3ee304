import { describe, expect, test } from 'vitest';
import { vector } from '../../../src/core/base/math.ts';
import { peerView } from '../../../src/core/peer/shown/peer-view.ts';
import { readWorldFile, writeWorldFile } from '../../../src/core/wire/files/saved-world.ts';
import { isOneClaim } from '../../../src/core/world/authority.ts';
import { faultsOfLevel } from '../../../src/core/world/level-faults.ts';
import { referTo } from '../../../src/core/world/level-reference.ts';
import { withGoingJoints } from '../../../src/harness/going-joints.ts';
import { createLevel, LEVEL_IDS } from '../../../src/levels/levels.ts';
import type { Place, Player, Stage, StageOptions } from '../../support/stage.ts';
import { CUBES, LEFT, setStage } from '../../support/stage.ts';

const [first, second, third, fourth] = CUBES;
const CHAIN = [first, second, third, fourth];
/** Ties the second cube to the third. */
const MIDDLE = 1;

/** Four cubes on the floor, tied together by joints that players may remove. */
async function setChain(guests: number, options: Partial<StageOptions> = {}): Promise<Stage> {
  const cubes = [0, 1, 2, 3].map((i): Place => [i * 0.6, 0.25, 0]);
  return setStage({ guests, cubes, chained: 4, chain: { removable: true }, ...options });
}

/** [I9] Lets time pass, and sees that on the host each island is under one player, by one claim. */
function passWhole(stage: Stage, seconds: number): void {
  for (let tick = 0; tick < seconds * 60; tick++) {
    stage.tick();
    const { records } = stage.host.peer.state.bodies;
    for (const part of CHAIN) expect(isOneClaim(records, part)).toBe(true);
  }
}

function has(stage: Stage, joint: number): boolean[] {
  return [stage.host, ...stage.guests].map(({ peer }) => peer.joints.has(joint));
}

function having(stage: Stage, slot: number): (number | null)[] {
  return CHAIN.map((part) => stage.guest(slot).says(part).authority);
}

function expectAgreement(stage: Stage): void {
  stage.letAllRest();
  expect(stage).toAgree();
}

describe('[J4.1] a joint that can go', () => {
  test('is removed by the host, who has what nobody has, and all hear of it', async () => {
    const stage = await setChain(2);
    expect(stage.host.peer.joints.remove(MIDDLE)).toBeNull();
    expect(has(stage, MIDDLE)).toEqual([false, true, true]);
    passWhole(stage, 0.3);
    expect(has(stage, MIDDLE)).toEqual([false, false, false]);
    expect(has(stage, 0)).toEqual([true, true, true]);
    expectAgreement(stage);
  });

  test('is one that the level lets players remove', async () => {
    const stage = await setChain(1, { chain: { breaksAt: 1e5 } });
    expect(stage.host.peer.joints.remove(MIDDLE)).toBe('not allowed');
    expect(stage.host.peer.joints.remove(7)).toBe('no joint');
  });
});

test('[J4.1] a view has the joints that are there, by their numbers', async () => {
  const stage = await setChain(1);
  const view = peerView(stage.level);
  const viewed = ({ peer }: Player): (number | null)[] => {
    peer.view(1, null, view);
    return view.joints.map((joint) => joint?.ends[0].body ?? null);
  };
  expect(viewed(stage.guest(1))).toEqual([0, 1, 2]);
  stage.host.peer.joints.remove(MIDDLE);
  expect(viewed(stage.host)).toEqual([0, null, 2]);
  passWhole(stage, 0.3);
  expect(viewed(stage.guest(1))).toEqual([0, null, 2]);
});

test('[J4.11] a guest acts on no part of an island of which, as far as it knows, another player has a part', async () => {
  const stage = await setChain(1);
  const { peer } = stage.guest(1);
  const take = { kind: 'take', body: first } as const;
  peer.state.bodies.records.authority[fourth] = 0;
  expect(peer.act(take)).toBe('taken');
  peer.state.bodies.records.authority[fourth] = -1;
  expect(peer.act(take)).toBeNull();
});

test('[V5.1] a removal that is one write too many is refused at once, and does not wait', async () => {
  const stage = await setChain(1);
  stage.guest(1).grabs(first);
  passWhole(stage, 0.5);
  const writes = stage.host.peer.state.links[1]?.shared?.writes;
  // Until that time there are no more.
  while (writes?.take(1e9) === true);
  expect(stage.guest(1).peer.joints.remove(MIDDLE)).toBeNull();
  passWhole(stage, 0.5);
  expect(has(stage, MIDDLE)).toEqual([true, true]);
  expect(stage.host.peer.state.rejections['V5.1']).toBeGreaterThan(0);
  stage.guest(1).releases();
  expectAgreement(stage);
});

describe('[J4.3] who simulates both ends of a joint removes and mends it', () => {
  test('a guest at once, and nobody else', async () => {
    const stage = await setChain(2);
    expect(stage.guest(1).peer.joints.remove(MIDDLE)).toBe('not yours');
    stage.guest(1).grabs(first);
    passWhole(stage, 0.5);
    expect(stage.host.peer.joints.remove(MIDDLE)).toBe('not yours');
    expect(stage.guest(2).peer.joints.remove(MIDDLE)).toBe('not yours');
    expect(stage.guest(1).peer.joints.remove(MIDDLE)).toBeNull();
    expect(stage.guest(1).peer.joints.has(MIDDLE)).toBe(false);
    passWhole(stage, 0.5);
    expect(has(stage, MIDDLE)).toEqual([false, false, false]);
    expectAgreement(stage);
  });

  test('the host refuses it to a guest that has lost the bodies meanwhile', async () => {
    const stage = await setChain(1);
    stage.guest(1).peer.act({ kind: 'take', body: first });
    stage.letPass(0.3);
    stage.guest(1).peer.joints.remove(MIDDLE);
    stage.host.grabs(first);
    passWhole(stage, 1);
    expect(has(stage, MIDDLE)).toEqual([true, true]);
    expect(stage.host.refused('V2')).toBeGreaterThan(0);
    expectAgreement(stage);
  });
});

describe('[J4.4] both halves of an island that parts keep their authority', () => {
  test('until another player takes one of them', async () => {
    const stage = await setChain(2);
    stage.guest(1).grabs(first);
    passWhole(stage, 0.5);
    stage.guest(1).peer.joints.remove(MIDDLE);
    passWhole(stage, 0.3);
    expect(having(stage, 0)).toEqual([1, 1, 1, 1]);
    stage.guest(2).grabs(fourth);
    passWhole(stage, 0.5);
    for (const slot of [0, 1, 2]) expect(having(stage, slot)).toEqual([1, 1, 2, 2]);
    stage.guest(1).releases();
    stage.guest(2).releases();
    expectAgreement(stage);
  });
});

describe('[J4.5] a joint that is mended makes one island of two, by one claim', () => {
  test('of a guest that has both', async () => {
    const stage = await setChain(2);
    stage.host.peer.joints.remove(MIDDLE);
    stage.letPass(0.3);
    // The halves have different sequences.
    stage.guest(2).grabs(fourth);
    stage.letPass(0.3);
    stage.guest(2).releases();
    expectAgreement(stage);
    expect(stage.guest(1).peer.joints.mend(MIDDLE)).toBe('not yours');
    stage.guest(1).peer.act({ kind: 'take', body: first });
    stage.guest(1).peer.act({ kind: 'take', body: fourth });
    stage.letPass(0.3);
    expect(stage.guest(1).peer.joints.mend(MIDDLE)).toBeNull();
    passWhole(stage, 0.5);
    expect(has(stage, MIDDLE)).toEqual([true, true, true]);
    expect(new Set(having(stage, 0)).size).toBe(1);
    expectAgreement(stage);
  });

  test('of the host, under which they are then', async () => {
    const stage = await setChain(1);
    stage.host.peer.joints.remove(MIDDLE);
    stage.letPass(0.3);
    stage.guest(1).grabs(fourth);
    stage.letPass(0.3);
    stage.guest(1).releases();
    expectAgreement(stage);
    expect(stage.host.peer.joints.mend(MIDDLE)).toBeNull();
    passWhole(stage, 0.5);
    expect(has(stage, MIDDLE)).toEqual([true, true]);
    expectAgreement(stage);
  });

  test('not if its ends are apart', async () => {
    const stage = await setChain(1);
    stage.host.peer.joints.remove(MIDDLE);
    stage.host.grabs(fourth);
    stage.host.moves([1, 0.2, 0], 1);
    stage.host.releases();
    stage.letPass(0.5);
    expect(stage.host.peer.joints.mend(MIDDLE)).toBe('apart');
    expect(stage.guest(1).peer.joints.mend(MIDDLE), 'who has no part is told that first').toBe('not yours');
    expectAgreement(stage);
  });
});

describe('[J4.6] rulings count for single bodies', () => {
  test('so who hears late that a joint is gone agrees in the end', async () => {
    const stage = await setChain(2);
    stage.guest(2).downlink.loss = 0.6;
    stage.guest(1).grabs(first);
    stage.letPass(0.4);
    stage.guest(1).peer.joints.remove(MIDDLE);
    stage.letPass(0.1);
    stage.host.grabs(fourth);
    stage.letPass(0.4);
    stage.guest(2).downlink.loss = 0;
    stage.host.releases();
    expectAgreement(stage);
    expect(has(stage, MIDDLE)).toEqual([false, false, false]);
  });
});

describe('[J4.7] a hand', () => {
  test('carries a part whose last joint is gone, and pulls one that has got a joint', async () => {
    const stage = await setChain(1);
    stage.guest(1).grabs(fourth);
    stage.letPass(0.5);
    const isCarried = (): boolean[] =>
      [stage.host, stage.guest(1)].map(({ peer }) => peer.state.bodies.kinematic.has(fourth));
    expect(isCarried()).toEqual([false, false]);
    stage.guest(1).peer.joints.remove(2);
    stage.letPass(0.5);
    expect(isCarried()).toEqual([true, true]);
    expect(stage.guest(1).holds(fourth)).toBe(true);
    stage.guest(1).peer.act({ kind: 'take', body: first });
    stage.letPass(0.3);
    expect(stage.guest(1).peer.joints.mend(2)).toBeNull();
    stage.letPass(0.5);
    expect(isCarried()).toEqual([false, false]);
    expect(stage.guest(1).holds(fourth)).toBe(true);
    expectAgreement(stage);
  });
});

describe('[J6.2] a joint under more than its force breaks', () => {
  /** Three cubes that hang on one another from the world, in the air. */
  const hung = (breaksAt: number): Promise<Stage> =>
    setStage({
      guests: 2,
      cubes: [0, 1, 2].map((i): Place => [0, 6 - i * 0.6, 0]),
      chained: 3,
      chain: { breaksAt, isHung: true },
    });
  /** Newtons: the weight of three cubes. */
  const WEIGHT = 3 * 9.8;

  test('and not under less', async () => {
    const stage = await hung(1.5 * WEIGHT);
    expect([0, 1, 2].map((joint) => stage.host.peer.joints.has(joint))).toEqual([true, true, true]);
    const loads = [2, 0, 1].map((joint) => stage.guest(1).peer.joints.loadOf(joint) * 1.5);
    expect(loads[0]).toBeCloseTo(1, 1);
    expect(loads[1]).toBeCloseTo(2 / 3, 1);
    expect(loads[2]).toBeCloseTo(1 / 3, 1);
  });

  test('on the peer that simulates it, and only there', async () => {
    const stage = await hung(1.5 * WEIGHT);
    stage.guest(1).peer.act({ kind: 'impulse', body: third, push: vector(0, -12, 0), at: null });
    stage.letPass(0.2);
    expect(stage.guest(1).counted('break')).toBeGreaterThan(0);
    expect(stage.host.counted('break') + stage.guest(2).counted('break')).toBe(0);
    stage.letPass(0.5);
    const gone = (slot: number): boolean[] => [0, 1, 2].map((j) => stage.guest(slot).peer.joints.has(j));
    expect(gone(0)).toEqual(gone(1));
    expect(gone(2)).toEqual(gone(1));
    expectAgreement(stage);
  });
});

describe('[J4.2] whether a joint is gone is shared state', () => {
  test('[V3.4] a guest that comes later hears of it before it has the world', async () => {
    const stage = await setChain(2);
    stage.guest(2).leaves();
    stage.host.peer.joints.remove(MIDDLE);
    stage.letPass(1);
    stage.guest(2).returns();
    stage.guest(2).downlink.loss = 0.5;
    stage.waitFor(() => stage.guest(2).peer.hasWorld);
    expect(stage.guest(2).peer.joints.has(MIDDLE)).toBe(false);
    stage.guest(2).downlink.loss = 0;
    expectAgreement(stage);
  });

  test('[S8.1] a reset mends all joints', async () => {
    const stage = await setChain(1);
    stage.host.peer.joints.remove(MIDDLE);
    stage.letPass(0.5);
    stage.host.peer.reset();
    stage.letPass(0.5);
    expect(has(stage, MIDDLE)).toEqual([true, true]);
    expectAgreement(stage);
  });

  test('[V4.4] a saved world has it', async () => {
    const stage = await setChain(1);
    const reference = referTo({ id: stage.level.id, seed: 1 }, stage.level);
    stage.host.peer.joints.remove(MIDDLE);
    stage.letPass(1);
    const file = writeWorldFile(stage.host.peer.saveWorld(reference, 0));
    stage.host.peer.reset();
    stage.letPass(1);
    const saved = readWorldFile(file, () => stage.level);
    expect(typeof saved).toBe('object');
    if (typeof saved === 'object') stage.host.peer.reset(saved);
    passWhole(stage, 0.5);
    expect(has(stage, MIDDLE)).toEqual([false, false]);
    expectAgreement(stage);
  });
});

test('[H6.1] of a player that leaves, both halves fall free', async () => {
  const stage = await setChain(2);
  stage.guest(1).grabs(first);
  stage.guest(1).grabs(fourth, LEFT);
  stage.letPass(0.5);
  stage.guest(1).peer.joints.remove(MIDDLE);
  stage.letPass(0.3);
  stage.guest(1).leaves();
  passWhole(stage, 0.5);
  expect(having(stage, 2)).toEqual([null, null, null, null]);
  expectAgreement(stage);
});

test('[J2.6] a body that the level ties is not despawned, though its joints are gone', async () => {
  const stage = await setChain(1);
  stage.host.peer.joints.remove(0);
  expect(stage.host.peer.despawn(first)).toBe('jointed');
});

test.each(LEVEL_IDS)('[B1.4] cruel rooms can play the level %s with joints that go', (id) => {
  expect(faultsOfLevel(withGoingJoints(createLevel({ id, seed: 1 })))).toEqual([]);
});
