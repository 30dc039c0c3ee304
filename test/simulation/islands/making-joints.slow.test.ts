import { describe, expect, test } from 'vitest';
import type { BodyId, Slot } from '../../../src/core/base/ids.ts';
import { poseIn } from '../../../src/core/base/motion.ts';
import { MOTION, STRIDE } from '../../../src/core/base/state.ts';
import type { Vector } from '../../../src/core/base/math.ts';
import { pose, vector } from '../../../src/core/base/math.ts';
import type { JointWish } from '../../../src/core/peer/joints/joints.ts';
import { readWorldFile, writeWorldFile } from '../../../src/core/wire/files/saved-world.ts';
import { mayChange } from '../../../src/core/peer/joints/joint-writers.ts';
import { wordsOf } from '../../../src/core/peer/joints/made-joints.ts';
import { isOneClaim } from '../../../src/core/world/authority.ts';
import type { Making } from '../../../src/core/world/joints/joint.ts';
import { referTo } from '../../../src/core/world/level-reference.ts';
import type { Player, Stage, StageOptions } from '../../support/stage.ts';
import { CUBES, sceneOf, setStage } from '../../support/stage.ts';
import { withChain } from '../../support/stage-levels.ts';

const [first, second, third] = CUBES;
const MAKING: Making = {
  perPlayer: 2,
  slots: 3,
  kinds: [
    { kind: 'fixed', collides: true },
    { kind: 'rope', length: 1.5, collides: true },
    { kind: 'ball', collides: true, breaksAt: 60 },
  ],
};
const [FIXED, ROPE, BREAKS] = [0, 1, 2];

/** Three cubes beside one another, not tied. */
function setLoose(guests: number, options: Partial<StageOptions> = {}): Promise<Stage> {
  const cubes = [0, 1, 2].map((i): [number, number, number] => [i * 0.6, 0.25, 0]);
  return setStage({ guests, cubes, chain: { making: MAKING }, ...options });
}

function placeAt(player: Player, body: BodyId): Vector {
  return { ...poseIn(player.peer.state.bodies.motion, body, pose()).position };
}

/** Ties two cubes half way between them. */
function tie(
  player: Player,
  a: BodyId,
  b: BodyId | null,
  kind = FIXED,
): ReturnType<Player['peer']['joints']['make']> {
  const one = placeAt(player, a);
  const other = b === null ? one : placeAt(player, b);
  const at = vector((one.x + other.x) / 2, (one.y + other.y) / 2, (one.z + other.z) / 2);
  const wish: JointWish = { kind, a, b, at };
  return player.peer.joints.make(wish);
}

function takes(stage: Stage, player: Player, ...bodies: readonly BodyId[]): void {
  for (const body of bodies) player.peer.act({ kind: 'take', body });
  stage.letPass(0.3);
}

function passWhole(stage: Stage, seconds: number): void {
  for (let tick = 0; tick < seconds * 60; tick++) {
    stage.tick();
    const { records } = stage.host.peer.state.bodies;
    for (let body = 0 as BodyId; body < records.count; body++) expect(isOneClaim(records, body)).toBe(true);
  }
}

function islandsOf(stage: Stage): (readonly number[])[] {
  return [stage.host, ...stage.guests].map(({ peer }) => peer.state.bodies.records.islands.parts[first]);
}

function expectAgreement(stage: Stage): void {
  stage.letAllRest();
  expect(stage).toAgree();
}

describe('[J5.1] a player makes joints as the level lets it', () => {
  test('of its kinds, and so many', async () => {
    const stage = await setLoose(1);
    const { host } = stage;
    expect(host.peer.joints.make({ kind: 7, a: first, b: second, at: vector() })).toBe('not allowed');
    expect(tie(host, first, first)).toBe('not allowed');
    expect(tie(host, first, second)).toBe(0);
    expect(tie(host, second, third)).toBe(1);
    expect(tie(host, first, third)).toBe('too many');
    expect(host.peer.joints.remove(0)).toBeNull();
    expect(tie(host, first, null)).toBe(0);
    expectAgreement(stage);
  });

  test('where there is none, players make none', async () => {
    const stage = await setStage({ guests: 1, cubes: [[0, 0.25, 0]] });
    expect(tie(stage.host, first, null)).toBe('not allowed');
  });

  test('within the world, with numbers', async () => {
    const stage = await setLoose(1);
    const make = (at: Vector): unknown =>
      stage.host.peer.joints.make({ kind: FIXED, a: first, b: second, at });
    expect(make(vector(0, Number.NaN, 0))).toBe('bounds');
    expect(make(vector(500, 1, 0))).toBe('bounds');
    const axis = vector(0, 0, 0);
    const wish = { kind: FIXED, a: first, b: second, at: vector(0.3, 0.25, 0), axis };
    expect(stage.host.peer.joints.make(wish)).toBe('bounds');
  });
});

describe('[J5.2] a joint that was made is alike for all', () => {
  test('to the bit, and who comes later has it', async () => {
    const stage = await setLoose(2);
    stage.guest(2).leaves();
    expect(tie(stage.host, first, second)).toBe(0);
    stage.letPass(1);
    stage.guest(2).returns();
    stage.waitFor(() => stage.guest(2).peer.hasWorld);
    const joints = [stage.host, ...stage.guests].map(({ peer }) => peer.joints.get(0));
    expect(joints[0]?.ends.map(({ body }) => body)).toEqual([first, second]);
    expect(joints[1]).toEqual(joints[0]);
    expect(joints[2]).toEqual(joints[0]);
    expectAgreement(stage);
  });

  test('[V4.4] a saved world has it, and a reset removes it', async () => {
    const stage = await setLoose(1);
    const reference = referTo({ id: stage.level.id, seed: 1 }, stage.level);
    tie(stage.host, first, second);
    stage.letPass(1);
    const made = stage.host.peer.joints.get(0);
    const file = writeWorldFile(stage.host.peer.saveWorld(reference, 0));
    stage.host.peer.reset();
    stage.letPass(1);
    expect(stage.guest(1).peer.joints.has(0)).toBe(false);
    const saved = readWorldFile(file, () => stage.level);
    if (typeof saved !== 'object') throw new Error(saved);
    stage.host.peer.reset(saved);
    passWhole(stage, 0.5);
    expect(stage.guest(1).peer.joints.get(0)).toEqual(made);
    expectAgreement(stage);
  });
});

describe('[J5.3] who simulates both bodies ties them', () => {
  test('a guest, at once; and the cubes are one island, under it, by one claim', async () => {
    const stage = await setLoose(2);
    expect(tie(stage.guest(1), first, second)).toBe('not yours');
    takes(stage, stage.guest(1), first, second);
    expect(tie(stage.guest(1), first, second)).toBe(2);
    expect(islandsOf(stage)).toEqual([[first], [first, second], [first]]);
    passWhole(stage, 0.5);
    expect(islandsOf(stage)).toEqual([
      [first, second],
      [first, second],
      [first, second],
    ]);
    stage.guest(2).grabs(first);
    passWhole(stage, 0.5);
    expect(stage.host.says(second).authority).toBe(2);
    stage.guest(2).releases();
    expectAgreement(stage);
  });

  test('also one in its hand to another, and to the world', async () => {
    const stage = await setLoose(1);
    stage.guest(1).grabs(first);
    stage.letPass(0.3);
    takes(stage, stage.guest(1), second);
    expect(tie(stage.guest(1), first, second)).toBe(2);
    passWhole(stage, 0.5);
    expect(stage.guest(1).holds(first)).toBe(true);
    expect(stage.host.peer.state.bodies.kinematic.has(first)).toBe(false);
    stage.guest(1).moves([0, 0.5, 0], 0.5);
    expect(placeAt(stage.host, second).y).toBeGreaterThan(0.3);
    stage.guest(1).releases();
    stage.letPass(0.2);
    expectAgreement(stage);
  });

  test('the host refuses a guest that has lost a body meanwhile', async () => {
    const stage = await setLoose(1);
    takes(stage, stage.guest(1), first, second);
    stage.host.grabs(second);
    expect(tie(stage.guest(1), first, second)).toBe(2);
    passWhole(stage, 1);
    expect(islandsOf(stage)).toEqual([[first], [first]]);
    stage.host.releases();
    expectAgreement(stage);
  });

  test('a rope hangs between two places', async () => {
    const stage = await setLoose(1);
    const [a, b] = [first, third].map((body) => placeAt(stage.host, body));
    expect(stage.host.peer.joints.make({ kind: ROPE, a: first, b: third, at: a, to: b })).toBe(0);
    stage.host.grabs(first);
    stage.letPass(0.2);
    stage.host.moves([-2, 0.3, 0], 1);
    expect(placeAt(stage.host, third).x).toBeLessThan(0.6);
    stage.host.releases();
    expectAgreement(stage);
  });

  test('[J6.2] and it breaks under more than its force', async () => {
    const stage = await setLoose(1);
    takes(stage, stage.guest(1), first, second);
    expect(tie(stage.guest(1), first, second, BREAKS)).toBe(2);
    stage.letPass(0.5);
    stage.guest(1).peer.act({ kind: 'impulse', body: first, push: vector(-8, 0, 0), at: null });
    stage.letPass(0.5);
    expect(stage.guest(1).counted('break')).toBe(1);
    expect(stage.host.peer.joints.has(2)).toBe(false);
    expectAgreement(stage);
  });
});

test('[J5.1] a number whose joint was removed is free once the host has heard it', async () => {
  const stage = await setLoose(1);
  const guest = stage.guest(1);
  takes(stage, guest, first, second, third);
  expect(tie(guest, first, second)).toBe(2);
  stage.letPass(0.5);
  expect(guest.peer.joints.remove(2)).toBeNull();
  expect(tie(guest, second, third)).toBe(3);
  stage.letPass(0.5);
  takes(stage, guest, first, second);
  expect(tie(guest, first, second)).toBe(2);
  passWhole(stage, 0.5);
  expect([2, 3].map((joint) => stage.host.peer.joints.has(joint))).toEqual([true, true]);
  expectAgreement(stage);
});

test('[J5.1] a joint that makes way for another one of a lower number does so in the same packet', async () => {
  const stage = await setLoose(1);
  const guest = stage.guest(1);
  takes(stage, guest, first, second, third);
  expect(tie(guest, first, second)).toBe(2);
  expect(tie(guest, second, third)).toBe(3);
  stage.letPass(0.5);
  expect(guest.peer.joints.remove(2)).toBeNull();
  stage.letPass(0.5);
  takes(stage, guest, second, third);
  expect(guest.peer.joints.remove(3)).toBeNull();
  expect(tie(guest, second, third)).toBe(2);
  stage.letPass(0.5);
  expect(stage.host.refused('V2'), 'refused by the host').toBe(0);
  expect([2, 3].map((joint) => stage.host.peer.joints.has(joint))).toEqual([true, false]);
  expect([2, 3].map((joint) => guest.peer.joints.has(joint))).toEqual([true, false]);
  expectAgreement(stage);
});

test('[J4.9] a guest that has moved one of two bodies that are tied meanwhile unties them', async () => {
  const stage = await setLoose(1);
  const guest = stage.guest(1);
  expect(tie(stage.host, first, second)).toBe(0);
  takesAway(guest);
  let fastest = 0;
  for (let tick = 0; tick < 60; tick++) {
    stage.tick();
    const { motion } = guest.peer.state.bodies;
    for (const body of [first, second])
      for (let i = 0; i < 3; i++)
        fastest = Math.max(fastest, Math.abs(motion[body * STRIDE + MOTION.linear + i]));
  }
  expect(fastest).toBeLessThan(8);
  expect(guest.peer.joints.has(0)).toBe(stage.host.peer.joints.has(0));
  expectAgreement(stage);
});

/** The guest takes two cubes, and one is a metre higher. */
function takesAway({ peer }: Player): void {
  for (const body of [first, second]) peer.act({ kind: 'take', body });
  const at = { ...pose(), position: vector(0.6, 1.25, 0.2) };
  peer.act({ kind: 'teleport', body: second, pose: at });
}

describe('[J5.6] where a joint ties two bodies, players make no other one', () => {
  test('but a rope, and the host takes none from a guest', async () => {
    const stage = await setLoose(1);
    const guest = stage.guest(1);
    takes(stage, guest, first, second);
    expect(tie(guest, first, second)).toBe(2);
    expect(tie(guest, second, first, BREAKS)).toBe('tied');
    expect(tie(guest, first, second, ROPE)).toBe(3);
    passWhole(stage, 0.2);
    const { peer } = stage.host;
    const ends = peer.joints.get(2)?.ends;
    if (ends === undefined) throw new Error('there is no joint');
    const words = wordsOf(stage.level, FIXED, ends);
    expect(guest.peer.joints.remove(3)).toBeNull();
    passWhole(stage, 0.2);
    expect(mayChange(peer.state, 3, 1 as Slot, words, 0)).toBe(false);
    expect(guest.peer.joints.remove(2)).toBeNull();
    passWhole(stage, 0.2);
    expect(mayChange(peer.state, 3, 1 as Slot, words, 0)).toBe(true);
    expectAgreement(stage);
  });

  test('nor mends one of the level where one ties that was made; those of the level do not count', async () => {
    const cubes = [0, 1].map((i): [number, number, number] => [i * 0.6, 0.25, 0]);
    const one = withChain(sceneOf(cubes), 2, { making: MAKING, removable: true });
    const scene = { ...one, joints: [...one.joints, ...one.joints] };
    const stage = await setStage({ guests: 1, cubes, scene });
    const { joints } = stage.host.peer;
    expect(tie(stage.host, first, second)).toBe('tied');
    expect(joints.remove(0)).toBeNull();
    expect(joints.mend(0)).toBeNull();
    for (const joint of [0, 1]) expect(joints.remove(joint)).toBeNull();
    expect(tie(stage.host, first, second)).toBe(2);
    expect(joints.mend(0)).toBe('tied');
    expect(joints.remove(2)).toBeNull();
    expect(joints.mend(0)).toBeNull();
    expectAgreement(stage);
  });
});

test('[J5.4] [R4.1] of an island that leaves the world the made joints go, and each body to its start', async () => {
  const stage = await setStage({
    guests: 1,
    cubes: [
      [0, 0.25, 0],
      [3, 0.25, 0],
    ],
    chain: { making: MAKING },
  });
  const { host } = stage;
  host.grabs(second);
  stage.letPass(0.2);
  host.moves([-2.4, 0, 0], 1);
  host.releases();
  stage.letPass(0.5);
  expect(tie(host, first, second)).toBe(0);
  host.peer.act({ kind: 'velocity', body: first, linear: vector(-28, 25, 0), angular: vector() });
  host.peer.act({ kind: 'velocity', body: second, linear: vector(-28, 25, 0), angular: vector() });
  stage.letPass(5);
  expect(host.peer.joints.has(0)).toBe(false);
  expect(host.counted('put back')).toBe(2);
  expect(placeAt(host, second).x).toBeCloseTo(3, 1);
  expectAgreement(stage);
});

describe('[J5.4] bodies that were spawned', () => {
  const SPAWNING = { perPlayer: 4, perSecond: 20 } as const;

  /** The guest has spawned a cube above the first one, so far along x, and both are its own, tied. */
  async function setTied(x = 0, y = 0.8): Promise<{ stage: Stage; body: BodyId; joint: number }> {
    const stage = await setLoose(1, { spawning: SPAWNING });
    const guest = stage.guest(1);
    const [template] = stage.level.spawning.templates;
    const at = { ...pose(), position: vector(x, y, 0) };
    const body = guest.peer.spawn({ template, pose: at, linear: vector(), angular: vector() });
    if (typeof body !== 'number') throw new Error(body);
    stage.letPass(1);
    takes(stage, guest, first, body);
    const joint = tie(guest, first, body);
    if (typeof joint !== 'number') throw new Error(joint);
    passWhole(stage, 0.5);
    return { stage, body, joint };
  }

  test('[J2.4] a guest simulates an island of one and a cube of the level', async () => {
    const { stage, body } = await setTied();
    const guest = stage.guest(1);
    guest.grabs(first);
    passWhole(stage, 0.3);
    guest.moves([0.6, 0.5, 1], 0.5);
    passWhole(stage, 0.5);
    for (const part of [first, body]) expect(stage.host.says(part).authority).toBe(1);
    expect(placeAt(stage.host, body).z).toBeGreaterThan(0.4);
    guest.releases();
    stage.letPass(0.2);
    expect(stage.host.counted('refuse')).toBe(0);
    expectAgreement(stage);
  });

  test('the host takes away with what a guest has tied to them', async () => {
    const { stage, body, joint } = await setTied();
    expect(stage.host.peer.despawn(body)).toBeNull();
    passWhole(stage, 0.5);
    expect(stage.guest(1).peer.joints.has(joint)).toBe(false);
    expect(stage.guest(1).peer.state.bodies.exists(body)).toBe(false);
    expectAgreement(stage);
  });

  test('are despawned once they have no joint, by everybody’s word', async () => {
    const { stage, body, joint } = await setTied(0.3, 0.9);
    const guest = stage.guest(1);
    expect(guest.peer.despawn(body)).toBe('jointed');
    expect(guest.peer.joints.remove(joint)).toBeNull();
    expect(guest.peer.despawn(body)).toBe('jointed');
    stage.letPass(0.3);
    expect(guest.peer.despawn(body)).toBeNull();
    passWhole(stage, 0.5);
    expect(stage.host.peer.state.bodies.exists(body)).toBe(false);
    expectAgreement(stage);
  });
});
