import { describe, expect, test } from 'vitest';
import type { BodyId } from '../../../src/core/base/ids.ts';
import { NO_SLOT } from '../../../src/core/base/ids.ts';
import { distance, vector } from '../../../src/core/base/math.ts';
import type { Place, Stage } from '../../support/stage.ts';
import { apart, CUBES, LEFT, RIGHT, setStage } from '../../support/stage.ts';

const [first, second, third, fourth, loose] = CUBES;
const CHAIN = [first, second, third, fourth];

/** Four cubes on the floor, tied together; and more beside them. */
async function setChain(guests: number, more: readonly Place[] = [], bodiless = false): Promise<Stage> {
  const row = [0, 1, 2, 3].map((i): Place => [i * 0.6, 0.25, 0]);
  return setStage({ guests, cubes: [...row, ...more], chained: 4, bodiless });
}

/** The players that have the parts of the chain, by a player's record. */
function having(stage: Stage, slot: number): (number | null)[] {
  return CHAIN.map((part) => stage.guest(slot).says(part).authority);
}

/** [I9] Lets time pass, and sees that on the host the chain is under one player, with one pair of sequences. */
function passWhole(stage: Stage, seconds: number): void {
  for (let tick = 0; tick < seconds * 60; tick++) {
    stage.tick();
    const claims = CHAIN.map((part) => {
      const { authority, ownershipSequence, authoritySequence } = stage.host.says(part);
      return `${authority} ${ownershipSequence} ${authoritySequence}`;
    });
    expect(new Set(claims).size, claims.join(', ')).toBe(1);
  }
}

function placeOf(stage: Stage, slot: number, body: BodyId): ReturnType<typeof vector> {
  return vector(...stage.guest(slot).says(body).position);
}

describe('[J2.1] one peer simulates an island', () => {
  test('[I9] who grabs one part has all of it, at once here and in one packet there', async () => {
    const stage = await setChain(2);
    stage.guest(1).grabs(second);
    stage.tick();
    expect(having(stage, 1)).toEqual([1, 1, 1, 1]);
    passWhole(stage, 0.5);
    for (const slot of [0, 1, 2]) expect(having(stage, slot)).toEqual([1, 1, 1, 1]);
    expect(stage.guest(1).says(second).holder).toEqual({ slot: 1, hand: 'right' });
    expect(stage.guest(2).says(third).holder).toBeNull();
    stage.guest(1).releases();
    stage.letAllRest();
    expect(stage).toAgree();
  });

  test('[I9] of two that grab two parts in one tick, the host agrees with one about all of it', async () => {
    const stage = await setChain(2, [], true);
    stage.guest(1).grabs(first);
    stage.guest(2).grabs(fourth);
    passWhole(stage, 1);
    const [has] = having(stage, 0);
    expect([1, 2]).toContain(has);
    for (const slot of [0, 1, 2]) expect(having(stage, slot)).toEqual([has, has, has, has]);
    expect([1, 2].map((slot) => stage.guest(slot).holds(first) || stage.guest(slot).holds(fourth))).toEqual([
      has === 1,
      has === 2,
    ]);
    for (const slot of [1, 2]) stage.guest(slot).releases();
    stage.letAllRest();
    expect(stage).toAgree();
  });

  test('[J1.3] a push on one end takes the whole chain, and it returns whole', async () => {
    const stage = await setChain(1);
    expect(
      stage.guest(1).peer.act({ kind: 'impulse', body: first, push: vector(0, 2, 0), at: null }),
    ).toBeNull();
    stage.tick();
    expect(having(stage, 1)).toEqual([1, 1, 1, 1]);
    for (let tick = 0; tick < 600; tick++) {
      stage.tick();
      for (const slot of [0, 1]) expect(new Set(having(stage, slot)).size).toBe(1);
    }
    expect(having(stage, 0)).toEqual([null, null, null, null]);
    expect(stage).toAgree();
  });

  test('[H6.1] when its player leaves, all of it falls free', async () => {
    const stage = await setChain(2);
    stage.guest(1).grabs(third);
    passWhole(stage, 0.5);
    stage.guest(1).leaves();
    passWhole(stage, 0.5);
    expect(having(stage, 2)).toEqual([null, null, null, null]);
    stage.letAllRest();
    expect(stage).toAgree();
  });

  test('[J2.2] a part is kept with its island, and no other player takes any of it', async () => {
    const stage = await setChain(2);
    stage.guest(1).peer.act({ kind: 'keep', body: second, on: true });
    passWhole(stage, 0.5);
    expect(CHAIN.map((part) => stage.guest(2).says(part).kept)).toEqual([true, true, true, true]);
    stage.guest(2).grabs(fourth);
    passWhole(stage, 0.5);
    expect(stage.guest(2).holds(fourth)).toBe(false);
    expect(stage.guest(2).peer.act({ kind: 'take', body: first })).toBe('taken');
    stage.guest(2).releases();
    stage.guest(1).peer.act({ kind: 'keep', body: first, on: false });
    stage.letAllRest();
    expect(stage).toAgree();
  });

  test('[H8.2] under a new connection it is let go whole, and under none', async () => {
    const stage = await setChain(2);
    stage.guest(1).grabs(first);
    stage.guest(1).grabs(third, LEFT);
    passWhole(stage, 0.5);
    stage.guest(1).joins();
    for (const side of [LEFT, RIGHT]) stage.guest(1).releases(side);
    passWhole(stage, 1);
    expect(having(stage, 1)).toEqual([null, null, null, null]);
    stage.letAllRest();
    expect(stage).toAgree();
  });
});

describe('[J2.6] a jointed body', () => {
  test('is neither despawned nor teleported', async () => {
    const stage = await setChain(1, [[4, 0.25, 2]]);
    expect(stage.host.peer.despawn(second)).toBe('jointed');
    const pose = { position: vector(1, 2, 0), rotation: { x: 0, y: 0, z: 0, w: 1 } };
    expect(stage.host.peer.act({ kind: 'teleport', body: first, pose })).toBe('jointed');
    expect(stage.host.peer.act({ kind: 'teleport', body: loose, pose })).toBeNull();
    expect(stage.host.peer.despawn(loose)).toBeNull();
  });

  test('[R4.1] that leaves the world is put back with its island', async () => {
    const stage = await setChain(1);
    const { bodies } = stage.host.peer.state;
    for (const part of CHAIN) {
      bodies.motion.set([62.9 + part * 0.6, 3, 0, 0, 0, 0, 1, 20, 0, 0, 0, 0, 0], part * 13);
      bodies.engine.write(part);
    }
    stage.letPass(0.2);
    const places = CHAIN.map((part) => stage.host.says(part).position[0]);
    places.forEach((x, part) => expect(x).toBeCloseTo(part * 0.6, 1));
    stage.letAllRest();
    expect(stage).toAgree();
  });
});

test('[J1.4] a chain that falls is not written back into the engine, as a loose body is', async () => {
  const stage = await setStage({ guests: 1, cubes: [...apart(1), [0, 6, 3], [0.6, 6, 3]] });
  const chained = await setStage({
    guests: 1,
    cubes: [
      [0, 6, 3],
      [0.6, 6, 3],
    ],
    chained: 2,
  });
  const written = (of: Stage, body: BodyId): number => {
    const { simulation } = of.host.peer.state.bodies;
    let count = 0;
    const write = simulation.write.bind(simulation);
    simulation.write = (id, motion) => {
      if (id === body) count++;
      write(id, motion);
    };
    of.host.peer.reset();
    of.letPass(0.5);
    return count;
  };
  expect(written(stage, second)).toBeGreaterThan(20);
  expect(written(chained, second), 'but for the restart').toBeLessThan(3);
});

describe('[J3] hands', () => {
  test('[J3.1] pull a jointed body, and everybody draws it where its simulator has it', async () => {
    const stage = await setChain(2);
    stage.guest(1).grabs(first);
    stage.guest(1).moves([0, 1, 0], 0.6);
    stage.letPass(0.6);
    const { bodies } = stage.guest(1).peer.state;
    expect(bodies.kinematic.has(first)).toBe(false);
    const hand = stage.guest(1).input.hands[RIGHT].pose.position;
    expect(distance(placeOf(stage, 1, first), hand), 'three cubes hang from it').toBeLessThan(0.15);
    expect(placeOf(stage, 1, first).y).toBeGreaterThan(0.6);
    for (const slot of [0, 2]) {
      expect(distance(placeOf(stage, slot, first), placeOf(stage, 1, first))).toBeLessThan(0.02);
      const apart = distance(placeOf(stage, slot, first), placeOf(stage, slot, second));
      expect(Math.abs(apart - 0.6)).toBeLessThan(0.15);
    }
    stage.guest(1).releases();
    stage.letAllRest();
    expect(stage).toAgree();
  });

  test('[J3.2] [J3.3] of two players pull two ends, and the second has it when the first lets go', async () => {
    const stage = await setChain(2);
    stage.guest(1).grabs(first);
    stage.letPass(0.4);
    stage.guest(2).grabs(fourth);
    stage.letPass(0.3);
    expect(stage.guest(2).peer.player.hands[RIGHT].reach).toBe(fourth);
    const before = placeOf(stage, 1, fourth);
    stage.guest(2).moves([0, 0, 1], 0.5);
    stage.letPass(0.5);
    expect(having(stage, 2), 'one of them simulates it').toEqual([1, 1, 1, 1]);
    expect(placeOf(stage, 1, fourth).z - before.z, 'on the simulator it follows').toBeGreaterThan(0.35);
    expect(placeOf(stage, 2, fourth).z - before.z, 'and the other sees so').toBeGreaterThan(0.35);
    stage.guest(1).releases();
    passWhole(stage, 0.6);
    expect(stage.guest(2).holds(fourth)).toBe(true);
    for (const slot of [0, 1, 2]) expect(having(stage, slot)).toEqual([2, 2, 2, 2]);
    stage.guest(2).releases();
    stage.letAllRest();
    expect(stage).toAgree();
  });

  test('[J3.4] that pull too far lose their part, and their player is told', async () => {
    const stage = await setChain(2);
    stage.guest(1).grabs(first);
    stage.letPass(0.4);
    stage.guest(2).grabs(fourth);
    stage.letPass(0.3);
    stage.guest(2).moves([0, 0, 6], 0.5);
    stage.letPass(1);
    const { player } = stage.guest(2).peer;
    expect(player.hands[RIGHT].reach).toBe(-1);
    expect(player.lost).toMatchObject({ to: NO_SLOT, side: RIGHT });
    expect(player.lost.tick).toBeGreaterThan(0);
    expect(stage.guest(1).holds(first), 'the other holds on').toBe(true);
    stage.guest(1).releases();
    stage.guest(2).releases();
    stage.letAllRest();
    expect(stage).toAgree();
  });
});
