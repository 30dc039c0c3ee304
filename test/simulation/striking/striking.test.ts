import { describe, expect, test } from 'vitest';
import { MOTION, STRIDE } from '../../../src/core/base/state.ts';
import { touch } from '../../../src/core/peer/bodies/blows.ts';
import type { Place, Stage } from '../../support/stage.ts';
import { CUBES, setStage } from '../../support/stage.ts';

const [first, second] = CUBES;

/** A cube for each of the two guests, and the gap between them along x. */
const TWO: readonly Place[] = [
  [0, 0.25, 0],
  [3, 0.25, 0],
];

/**
 * Guest 1 has thrown its cube along x at the height of a bat, which guest 2 holds in its way, `aside` metres away along
 * z.
 */
async function setThrown(latencyMs: number, speed: number, aside = 0): Promise<Stage> {
  const stage = await setStage({ guests: 2, cubes: TWO, latencyMs });
  stage.guest(1).grabs(first);
  stage.guest(2).grabs(second);
  stage.letPass(0.5);
  stage.guest(1).moves([0, 2, 0], 0.5);
  stage.guest(2).moves([0, 2, aside * 2], 0.5);
  stage.letPass(0.5);
  stage.guest(1).throws([speed, 2, 0]);
  return stage;
}

/** The slot that has the cube, by everybody's record. */
function authorities(stage: Stage, cube: typeof first): (number | null)[] {
  return stage.present.map((player) => player.says(cube).authority);
}

/** Lets time pass until a guest has taken the cube; or not. */
function isTakenBy(stage: Stage, slot: number, cube: typeof first): boolean {
  for (let tick = 0; tick < 60 && stage.guest(slot).says(cube).authority !== slot; tick++) stage.tick();
  return stage.guest(slot).says(cube).authority === slot;
}

describe('[A14] a blow', () => {
  test.each([0, 50, 100])(
    '[A14.1] [A14.2] [A14.3] of a held cube takes a thrown one in that tick, %i ms apart',
    async (latencyMs) => {
      const stage = await setThrown(latencyMs, 6);
      const before = stage.guest(2).says(first).authoritySequence;
      expect(isTakenBy(stage, 2, first)).toBe(true);
      expect(stage.guest(2).says(first)).toMatchObject({
        authoritySequence: before + 2,
        confirmed: false,
      });
      stage.letPass(0.5);
      expect(authorities(stage, first)).toEqual([2, 2, 2]);
      stage.letAllRest();
      expect(stage).toAgree();
    },
  );

  test('[A14.3] [A14.6] of the host is confirmed at once, and late claims are not logged', async () => {
    const stage = await setStage({ guests: 1, cubes: TWO, latencyMs: 50 });
    stage.guest(1).grabs(first);
    stage.host.grabs(second);
    stage.letPass(0.5);
    stage.guest(1).moves([0, 2, 0], 0.5);
    stage.host.moves([0, 2, 0], 0.5);
    stage.letPass(0.5);
    stage.guest(1).throws([6, 2, 0]);
    expect(isTakenBy(stage, 0, first)).toBe(true);
    expect(stage.host.says(first).confirmed).toBe(true);
    // Late claims of the guest are passed over.
    const refusals = stage.host.counted('refuse');
    stage.letPass(0.05);
    expect(stage.host.refused('A2')).toBeGreaterThan(0);
    expect(stage.host.counted('refuse')).toBe(refusals);
    stage.letAllRest();
    expect(stage).toAgree();
  });

  test('[A14.1] [A14.2] of a thrown cube takes an awake one, a second after the throw no more', async () => {
    for (const [wait, takes] of [
      [0, true],
      [1.2, false],
    ] as const) {
      const stage = await setStage({ guests: 2, cubes: TWO, latencyMs: 30 });
      stage.guest(1).grabs(first);
      stage.guest(2).grabs(second);
      stage.letPass(0.4);
      stage.guest(1).throws([7, 0, 0]);
      const { state } = stage.guest(1).peer;
      if (wait > 0) state.thrownUntil[first] = state.tick;
      stage.guest(2).releases();
      expect(isTakenBy(stage, 1, second)).toBe(takes);
      stage.letAllRest();
      expect(stage).toAgree();
    }
  });

  test('[A14.2] takes nothing that is held, rests, or comes along the line of centres at 1 m/s or less', async () => {
    const stage = await setStage({ guests: 2, cubes: TWO, bodiless: true });
    stage.guest(1).grabs(first);
    stage.guest(2).grabs(second);
    stage.letPass(0.5);
    const { state } = stage.guest(2).peer;
    const { motion, records } = state.bodies;
    const strikes = (along: number): number => {
      motion.set([along, 9, -9], first * STRIDE + MOTION.linear);
      touch(state, second, first);
      return records.authority[first];
    };
    expect(strikes(5)).toBe(1);
    stage.guest(1).releases();
    stage.waitFor(() => stage.guest(2).says(first).holder === null);
    state.bodies.kinematic.makeDynamic(first, { x: 0, y: 0, z: 0 }, { x: 0, y: 0, z: 0 });
    records.resting[first] = 1;
    expect(strikes(5)).toBe(1);
    records.resting[first] = 0;
    state.blows.clear();
    expect(strikes(-5)).toBe(1);
    expect(strikes(1)).toBe(1);
    expect(strikes(1.01)).toBe(2);
  });

  test('[A14.4] does not take a cube that has just gone from one player to another', async () => {
    const stage = await setThrown(30, 6);
    const { state } = stage.guest(2).peer;
    const struck = (): boolean => isTakenBy(stage, 2, first);
    state.blows.took(first, state.tick);
    const from = state.tick;
    stage.waitFor(() => {
      if (state.tick - from > 8) state.blows.took(first, state.tick);
      return state.bodies.simulation.contacts.touching(first, second);
    });
    expect(stage.guest(2).says(first).authority).toBe(1);
    stage.letPass(0.05);
    expect(struck()).toBe(false);
    stage.letAllRest();
    expect(stage).toAgree();
  });

  test.each([0, 50, 100])(
    '[A14.5] of two thrown cubes, the one of the lower slot takes the other, %i ms apart',
    async (latencyMs) => {
      const stage = await setStage({ guests: 2, cubes: TWO, latencyMs });
      for (const [slot, cube] of [
        [1, first],
        [2, second],
      ] as const)
        stage.guest(slot).grabs(cube);
      stage.letPass(0.5);
      for (let tick = 0; tick < 9; tick++) {
        stage.guest(1).input.hands[1].pose.position.x += 5 / 60;
        stage.guest(2).input.hands[1].pose.position.x -= 5 / 60;
        if (tick === 8) for (const slot of [1, 2]) stage.guest(slot).releases();
        stage.tick();
      }
      let changes = 0;
      for (let tick = 0, had = ''; tick < 120; tick++) {
        stage.tick();
        const has = `${stage.host.says(first).authority} ${stage.host.says(second).authority}`;
        if (tick > 0 && had !== has && !has.includes('null')) changes++;
        had = has;
        expect(stage.host.says(first).authority).not.toBe(2);
      }
      expect(changes).toBe(1);
      stage.letAllRest();
      expect(stage).toAgree();
    },
  );

  test.each([0, 1])(
    '[A14.7] slot %i sees the struck cube eased to where the striker has it',
    async (slot) => {
      const stage = await setThrown(50, 6);
      const { drawn } = stage.guest(slot).peer.diagnostics.bodies;
      const places: number[][] = [];
      for (let tick = 0; tick < 90; tick++) {
        stage.tick();
        places.push([drawn[0], drawn[1], drawn[2]]);
      }
      const ways = places.slice(1).map((to, i) => Math.hypot(...to.map((x, axis) => x - places[i][axis])));
      expect(Math.max(...ways)).toBeLessThan(0.7);
    },
  );
});
