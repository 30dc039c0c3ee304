import { describe, expect, test } from 'vitest';
import type { BodyId, Existence } from '../../../src/core/base/ids.ts';
import { KEPT } from '../../../src/core/base/ids.ts';
import { MAX_KEPT, TICK_RATE } from '../../../src/core/base/constants.ts';
import { quaternion, vector } from '../../../src/core/base/math.ts';
import { STRIDE } from '../../../src/core/base/state.ts';
import type { Spawn } from '../../../src/core/peer/actions/spawning.ts';
import { POSITION_STEPS } from '../../../src/core/wire/bodies/quantise.ts';
import { existing, firstIdOf, generationOf, gone } from '../../../src/core/world/existence.ts';
import { avatarAt } from '../../support/hostile-avatar.ts';
import { StageAttacker } from '../../support/stage-attacker.ts';
import type { Place, Stage, StageOptions } from '../../support/stage.ts';
import { CUBES, setStage } from '../../support/stage.ts';

/** Stages in which a guest sends what it likes about ids, generations and keeping. Everybody else plays on. */

const HONEST = 1;
const HOSTILE = 2;
const PER_PLAYER = 3;
const [first] = CUBES;
const OWN_IDS = [0, 1, 2];

type Scene = { readonly stage: Stage; readonly attacker: StageAttacker; readonly free: BodyId };

/** @returns also the first id of the honest guest. */
async function attacked(options: Partial<StageOptions> = {}): Promise<Scene> {
  const spawning = { perPlayer: PER_PLAYER, perSecond: 20 };
  const stage = await setStage({ guests: 2, cubes: grid(2), spawning, latencyMs: 30, ...options });
  const free = firstIdOf(stage.level, stage.guest(HONEST).slot);
  return { stage, attacker: new StageAttacker(stage, HOSTILE), free };
}

function grid(count: number): Place[] {
  return Array.from({ length: count }, (_, i) => [2 * (i % 10) - 10, 0.25, 2 * Math.floor(i / 10)]);
}

function cubeAt(stage: Stage, x: number, z = 5): Spawn {
  const [template] = stage.level.spawning.templates;
  return {
    template,
    pose: { position: vector(x, 2, z), rotation: quaternion() },
    linear: vector(),
    angular: vector(),
  };
}

function stillAt(x: number, y: number, z: number): number[] {
  return [...[x, y, z].map((n) => n * POSITION_STEPS), 3, 0, 0, 0, 0, 0, 0, 0, 0, 0];
}

function existenceOf({ host }: Stage, body: number): Existence {
  return host.peer.state.bodies.records.existence[body] as Existence;
}

/** The attacker sends these packets once, and nothing but its presence from then on. */
function sendsOnce({ stage, attacker }: Scene, packets: () => readonly Uint8Array[]): void {
  let isDone = false;
  attacker.attacks(() => {
    if (isDone) return [attacker.packet([])];
    isDone = true;
    return packets();
  });
  stage.waitFor(() => isDone);
}

/** The honest guest spawns a body, and all have it. */
function spawnsForAll({ stage }: Scene): void {
  const body = stage.guest(HONEST).peer.spawn(cubeAt(stage, 0)) as BodyId;
  expect(body).toBeTypeOf('number');
  stage.letPass(1);
  for (const { peer } of stage.present) expect(peer.state.bodies.has(body)).toBe(true);
}

/** The attacker leaves, and the others agree. */
function ends({ stage }: Scene): void {
  stage.guest(HOSTILE).leaves();
  stage.letAllRest();
  expect(stage).toAgree();
}

describe('a guest that claims an id without a body', () => {
  test('[S4.3] with a state does not stop the host', async () => {
    const scene = await attacked();
    const { stage, attacker, free } = scene;
    const state = stillAt(0, 3, 0);
    attacker.attacks(() => [attacker.packet([attacker.claim(free, { kind: 'motion', state })])]);
    stage.letPass(2);
    ends(scene);
  });

  test('[S3.2] nor with a state of a body that it despawns', async () => {
    const scene = await attacked();
    const { stage, attacker } = scene;
    const own = stage.guest(HOSTILE).peer.spawn(cubeAt(stage, 0)) as BodyId;
    stage.letPass(0.5);
    sendsOnce(scene, () => {
      const existence = gone(existenceOf(stage, own), 'despawned');
      const lie = { authority: -1, authoritySequence: 1, existence, state: stillAt(0, 1, 0) };
      return [attacker.packet([attacker.claim(own, { ...lie, kind: 'rest' })])];
    });
    stage.letPass(1);
    expect(stage.host.peer.state.bodies.has(own)).toBe(false);
    ends(scene);
  });

  test('[S4.3] to keep it does not get it, and has nobody sent out who spawns there', async () => {
    const scene = await attacked();
    const { stage, attacker, free } = scene;
    sendsOnce(scene, () => [attacker.packet(OWN_IDS.map((i) => attacker.claim(free + i, { hold: KEPT })))]);
    stage.letPass(0.5);
    for (let i = 0; i < 40; i++) {
      stage.guest(HONEST).peer.spawn(cubeAt(stage, i / 2 - 10));
      expect(attacker.judgedFor(0.2)).not.toContain(HONEST);
    }
    for (const i of OWN_IDS) expect(stage.host.peer.state.bodies.has((free + i) as BodyId)).toBe(true);
    ends(scene);
  });

  test('[S4.5] in its hand, by half of all numbers, does not take it from its player', async () => {
    const scene = await attacked();
    const { stage, attacker, free } = scene;
    const { hands, ...rest } = avatarAt([0, 1, 0]);
    const held = { body: free, ownership: 0x7fff, authority: 0, offset: [0, 0, 0, 3, 0, 0, 0] };
    const pose = [0, POSITION_STEPS, 0, 3, 0, 0, 0];
    const hand = { pose, grip: 63, trigger: 0, pointing: false, thumbUp: false, held, reach: -1 };
    sendsOnce(scene, () => [attacker.packet([], { ...rest, hands: [hands[0], hand] })]);
    stage.letPass(0.5);
    spawnsForAll(scene);
    ends(scene);
  });

  test('[S4.4] while its player spawns under it: the two agree in the end', async () => {
    const scene = await attacked();
    const { stage, attacker, free } = scene;
    const existence = existing(2, 0);
    sendsOnce(scene, () => [attacker.packet([attacker.claim(free, { lead: 0, existence })])]);
    stage.guest(HONEST).peer.spawn(cubeAt(stage, 0));
    stage.letPass(1);
    ends(scene);
  });
});

describe('a guest that spawns under another player’s ids', () => {
  test('[S2.4] does not keep the player from spawning', async () => {
    const scene = await attacked();
    const { stage, attacker, free } = scene;
    attacker.attacks(() => {
      const spawns = OWN_IDS.map((i) => {
        const existence = existing(generationOf(existenceOf(stage, free + i)), 0);
        return attacker.claim(free + i, { existence });
      });
      return [attacker.packet(spawns)];
    });
    attacker.judgedFor(4);
    expect(OWN_IDS.map((i) => generationOf(existenceOf(stage, free + i)))).toEqual([0, 0, 0]);
    attacker.attacks(() => [attacker.packet([])]);
    stage.letPass(0.2);
    spawnsForAll(scene);
    ends(scene);
  });

  test('[F1.3] [S2.3] and again and again what it may not is sent out', async () => {
    const { stage, attacker } = await attacked();
    const own = firstIdOf(stage.level, stage.guest(HOSTILE).slot);
    attacker.attacks(() => {
      const spawns = OWN_IDS.map((i) => {
        const existence = existing(generationOf(existenceOf(stage, own + i)), 2);
        return attacker.claim(own + i, { existence });
      });
      return [attacker.packet(spawns)];
    });
    expect(attacker.judgedFor(9)).toEqual([HOSTILE]);
    expect(stage.host.refused('S2')).toBeGreaterThan(40);
  });

  test('[S4.5] a hundred times at once does not turn the sequence half around', async () => {
    const scene = await attacked();
    const { attacker, free } = scene;
    sendsOnce(scene, () =>
      Array.from({ length: 140 }, (_, i) => {
        const lie = { lead: 1 + 257 * i, existence: existing(i & 0xff, 0) };
        return attacker.packet([attacker.claim(free, lie)]);
      }),
    );
    scene.stage.letPass(0.5);
    spawnsForAll(scene);
    ends(scene);
  });
});

describe('a guest that says what is wrong of a body', () => {
  test('[S4.5] half of all numbers ahead, in another generation, leaves no difference behind', async () => {
    const scene = await attacked();
    const { stage, attacker } = scene;
    const existence = existing(2, 0);
    sendsOnce(scene, () => [attacker.packet([attacker.claim(first, { lead: 0x7fff, existence })])]);
    stage.letPass(1);
    ends(scene);
  });

  test('[S3.1] does not despawn one that the level has, nor one in another hand', async () => {
    const scene = await attacked({ cubes: grid(8) });
    const { stage, attacker } = scene;
    const honest = stage.guest(HONEST);
    honest.grabs(first);
    const { peer } = stage.guest(HOSTILE);
    const others = CUBES.slice(1);
    for (const body of others) peer.act({ kind: 'take', body });
    stage.letPass(0.3);
    expect(others.map((body) => peer.despawn(body))).toEqual(others.map(() => 'not allowed'));
    const lie = { authority: -1, authoritySequence: 1 };
    attacker.attacks(() => [
      attacker.packet(
        CUBES.map((body) => attacker.claim(body, { ...lie, existence: gone(0 as Existence, 'despawned') })),
      ),
    ]);
    stage.letPass(2);
    expect(CUBES.map((body) => stage.host.peer.state.bodies.has(body))).not.toContain(false);
    expect(honest.holds(first)).toBe(true);
    expect(honest.counted('lose')).toBe(0);
    ends(scene);
  });

  test('[A12.7] keeps no more than a few', async () => {
    const scene = await attacked({ cubes: grid(30) });
    const { stage, attacker } = scene;
    const honest = stage.guest(HONEST).peer;
    const all = Array.from({ length: 30 }, (_, i) => i as BodyId);
    sendsOnce(scene, () => [attacker.packet(all.map((body) => attacker.claim(body, { hold: KEPT })))]);
    stage.letPass(0.5);
    const { hold } = stage.host.peer.state.bodies.records;
    expect(hold.filter((hand) => hand === KEPT)).toHaveLength(MAX_KEPT);
    const free = all.filter((body) => hold[body] !== KEPT);
    stage.guest(HOSTILE).leaves();
    stage.letPass(0.3);
    for (const body of free) honest.act({ kind: 'keep', body, on: true });
    stage.letPass(0.3);
    for (const body of all.slice(0, 3)) honest.act({ kind: 'keep', body, on: true });
    stage.letPass(0.3);
    expect(hold.filter((hand) => hand === KEPT)).toHaveLength(MAX_KEPT);
    expect(honest.act({ kind: 'keep', body: all[5], on: true })).toBe('too many');
    for (const body of all) honest.act({ kind: 'keep', body, on: false });
    stage.letAllRest();
    expect(stage).toAgree();
  });

  test('[A11.7] and never of its pose keeps no newcomer out', async () => {
    const scene = await attacked();
    const { stage, attacker } = scene;
    stage.guest(HONEST).leaves();
    sendsOnce(scene, () => [attacker.packet([attacker.claim(first, { hold: KEPT })])]);
    stage.letPass(0.5);
    stage.guest(HONEST).returns();
    stage.letPass(5);
    expect(stage.guest(HONEST).peer.hasWorld).toBe(true);
  });

  test('[H9.4] begins none out of the world', async () => {
    const scene = await attacked();
    const { stage, attacker } = scene;
    const own = firstIdOf(stage.level, stage.guest(HOSTILE).slot);
    const lie = { kind: 'motion', existence: existing(0, 0), state: stillAt(900, 900, 900) } as const;
    sendsOnce(scene, () => [attacker.packet([attacker.claim(own, lie)])]);
    stage.letPass(0.5);
    expect(stage.host.refused('H9')).toBe(1);
    for (const n of stage.host.says(own).position) expect(Math.abs(n)).toBeLessThan(60);
    ends(scene);
  });
});

describe('an honest player', () => {
  test('[S5.2] that spawns and despawns as fast as the level allows is not sent out', async () => {
    const spawning = { perPlayer: 20, perSecond: 20 };
    const { stage, attacker, free } = await attacked({ spawning });
    const { peer } = stage.guest(HONEST);
    for (let tick = 0; tick < 10 * TICK_RATE; tick++) {
      peer.spawn(cubeAt(stage, (tick % 20) - 10, tick % 7));
      for (let i = 0; i < spawning.perPlayer; i++) peer.despawn((free + i) as BodyId);
      expect(attacker.judgedFor(1 / TICK_RATE)).toEqual([]);
    }
    expect(stage.host.counted('spawn')).toBeGreaterThan(190);
    expect(stage.host.refused('H5')).toBe(0);
  });

  test('[S7.1] that comes after one who has spawned much may spawn as much', async () => {
    const spawning = { perPlayer: 40, perSecond: 10 };
    const { stage } = await attacked({ spawning, latencyMs: 10 });
    const guest = stage.guest(HONEST);
    const spawnsTen = (z: number): void => {
      for (let i = 0; i < 10; i++)
        expect(guest.peer.spawn(cubeAt(stage, 2 * i - 10, z))).toBeTypeOf('number');
    };
    spawnsTen(5);
    stage.letPass(0.1);
    guest.leaves();
    guest.returns();
    stage.waitFor(() => guest.peer.hasWorld);
    spawnsTen(10);
    stage.letPass(0.5);
    expect(guest.counted('refuse')).toBe(0);
    expect(stage.host.counted('spawn')).toBe(20);
  });

  test('[A13.2] pushes a body that it has spawned', async () => {
    const { stage } = await attacked();
    const { peer } = stage.guest(HONEST);
    const body = peer.spawn(cubeAt(stage, 0)) as BodyId;
    stage.letPass(0.2);
    peer.act({ kind: 'impulse', body, push: vector(0, 9, 0), at: null });
    stage.tick();
    expect(peer.state.bodies.motion[body * STRIDE + 8]).toBeGreaterThan(3);
  });
});
