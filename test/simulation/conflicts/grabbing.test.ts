import { describe, expect, test } from 'vitest';
import { apart, CUBES, LEFT, RIGHT, setStage } from '../../support/stage.ts';

const [cube] = CUBES;

describe('two players grab one cube', () => {
  test('[A3.3] two guests in the same tick: the guest that the host hears first holds it', async () => {
    const stage = await setStage({ guests: 2, cubes: apart(1) });
    stage.guest(1).uplink.latencyMs = 80;
    stage.guest(1).grabs(cube);
    stage.guest(2).grabs(cube);
    stage.tick();
    expect([stage.guest(1).holds(cube), stage.guest(2).holds(cube)]).toEqual([true, true]);
    stage.letPass(0.5);
    expect([stage.guest(1).holds(cube), stage.guest(2).holds(cube)]).toEqual([false, true]);
    for (const player of stage.present) {
      expect(player.says(cube)).toMatchObject({ holder: { slot: 2, hand: 'right' }, ownershipSequence: 1 });
    }
    stage.letAllRest();
    expect(stage).toAgree();
  });

  test('[A3.3] [A4.1] the host and a guest in the same tick: the host holds it, and the guest lets go', async () => {
    const stage = await setStage({ guests: 1, cubes: apart(1) });
    stage.host.grabs(cube);
    stage.guest(1).grabs(cube);
    stage.tick();
    expect([stage.host.holds(cube), stage.guest(1).holds(cube)]).toEqual([true, true]);
    stage.letPass(0.5);
    expect([stage.host.holds(cube), stage.guest(1).holds(cube)]).toEqual([true, false]);
    expect(stage.host.refused('A4')).toBeGreaterThan(0);
    expect(stage.guest(1).counted('lose')).toBe(1);
    stage.letAllRest();
    expect(stage).toAgree();
  });

  test('[H3.1] guest 1 grabs; guest 2, before it hears of it, grabs, releases and grabs again', async () => {
    const stage = await setStage({ guests: 2, cubes: apart(1) });
    stage.guest(2).uplink.latencyMs = 80;
    stage.guest(1).grabs(cube);
    stage.guest(2).grabs(cube, RIGHT);
    stage.tick();
    stage.guest(2).releases(RIGHT);
    stage.tick();
    stage.guest(2).grabs(cube, LEFT);
    stage.tick();
    expect(stage.guest(1).says(cube).ownershipSequence).toBe(1);
    expect(stage.guest(2).says(cube).ownershipSequence).toBe(2);
    for (let tick = 0; tick < 60; tick++) {
      expect(stage.guest(1).holds(cube)).toBe(true);
      stage.tick();
    }
    expect(stage.guest(2).holds(cube)).toBe(false);
    expect(stage.host.counted('override')).toBe(1);
    for (const player of stage.present) {
      expect(player.says(cube)).toMatchObject({ holder: { slot: 1 }, ownershipSequence: 3 });
    }
    stage.letAllRest();
    expect(stage).toAgree();
  });

  test('[H2.1] four grabs in a row by a guest that hears nothing do not take a cube from the host', async () => {
    const stage = await setStage({ guests: 2, cubes: apart(1) });
    stage.guest(2).downlink.loss = 1;
    stage.host.grabs(cube);
    stage.letPass(0.2);
    for (const side of [RIGHT, LEFT, RIGHT, LEFT] as const) {
      stage.guest(2).grabs(cube, side);
      stage.letPass(0.1);
      stage.guest(2).releases(side);
      stage.letPass(0.2);
      expect(stage.host.says(cube).holder).toEqual({ slot: 0, hand: 'right' });
    }
    expect(stage.host.holds(cube)).toBe(true);
    expect(stage.host.refused('H2')).toBeGreaterThan(0);
    stage.guest(2).downlink.loss = 0;
    stage.letPass(0.5);
    expect(stage.guest(2).says(cube).holder).toEqual({ slot: 0, hand: 'right' });
    stage.letAllRest();
    expect(stage).toAgree();
  });

  test('[A6.2] a guest does not grab a cube that it knows to be in the hand of another', async () => {
    const stage = await setStage({ guests: 2, cubes: apart(1) });
    stage.guest(1).grabs(cube);
    stage.letPass(0.5);
    stage.guest(2).grabs(cube);
    stage.letPass(0.5);
    expect([stage.guest(1).holds(cube), stage.guest(2).holds(cube)]).toEqual([true, false]);
    expect(stage.guest(2).counted('grab')).toBe(0);
    expect(stage.host.counted('refuse')).toBe(0);
    stage.letAllRest();
    expect(stage).toAgree();
  });

  test('[A6.3] guest 1 passes the cube to its other hand while guest 2 reaches for it', async () => {
    const stage = await setStage({ guests: 2, cubes: apart(1) });
    stage.guest(1).grabs(cube, RIGHT);
    stage.guest(2).grabs(cube, RIGHT);
    stage.tick();
    stage.guest(1).grabs(cube, LEFT);
    stage.tick();
    expect(stage.guest(1).says(cube).holder).toEqual({ slot: 1, hand: 'left' });
    stage.guest(1).releases(RIGHT);
    stage.letPass(0.5);
    expect([stage.guest(1).holds(cube), stage.guest(2).holds(cube)]).toEqual([true, false]);
    for (const player of stage.present) {
      expect(player.says(cube)).toMatchObject({ holder: { slot: 1, hand: 'left' }, ownershipSequence: 2 });
    }
    stage.letAllRest();
    expect(stage).toAgree();
  });
});

describe('one player lets a cube go, another grabs it', () => {
  test('[A1.1] guest 1 grabs what the host just threw: it catches it in flight, and all see it held', async () => {
    const stage = await setStage({ guests: 2, cubes: apart(1) });
    stage.host.grabs(cube);
    stage.host.throws([3, 6, 0]);
    stage.letPass(0.2);
    expect(stage.guest(1).says(cube)).toMatchObject({ authority: 0, resting: false });
    stage.guest(1).grabs(cube);
    stage.tick();
    expect(stage.guest(1).holds(cube)).toBe(true);
    stage.letPass(0.5);
    expect(stage.guest(1).holds(cube)).toBe(true);
    expect(stage.host.counted('lose')).toBe(1);
    for (const player of stage.present) {
      expect(player.says(cube)).toMatchObject({ holder: { slot: 1 }, ownershipSequence: 2 });
      expect(player.says(cube).position[1]).toBeGreaterThan(0.5);
    }
    stage.letAllRest();
    expect(stage).toAgree();
  });

  test('[H2.1] guest 1 grabs it before it hears that the host has it: then the host throws it anyway', async () => {
    const stage = await setStage({ guests: 2, cubes: apart(1), latencyMs: 100 });
    stage.host.grabs(cube);
    stage.letPass(0.05);
    stage.guest(1).grabs(cube, RIGHT);
    stage.tick();
    stage.guest(1).grabs(cube, LEFT);
    stage.host.throws([3, 6, 0]);
    stage.letPass(0.5);
    expect(stage.guest(1).holds(cube)).toBe(false);
    expect(stage.guest(1).says(cube).authority).toBe(0);
    expect(stage.host.counted('lose')).toBe(0);
    stage.letAllRest();
    expect(stage).toAgree();
  });

  test('[A1.1] [A4.1] guest 2 catches what guest 1 threw, while guest 1 grabs after it: the first that the host hears has it', async () => {
    const stage = await setStage({ guests: 2, cubes: apart(1) });
    stage.guest(1).grabs(cube);
    stage.letPass(0.3);
    stage.guest(1).throws([0, 7, 0]);
    stage.waitFor(() => stage.guest(2).says(cube).holder === null);
    stage.guest(1).uplink.latencyMs = 90;
    stage.guest(2).grabs(cube);
    stage.guest(1).grabs(cube, LEFT);
    stage.tick();
    expect([stage.guest(1).holds(cube), stage.guest(2).holds(cube)]).toEqual([true, true]);
    stage.letPass(0.5);
    expect([stage.guest(1).holds(cube), stage.guest(2).holds(cube)]).toEqual([false, true]);
    expect(stage.host.says(cube).holder).toEqual({ slot: 2, hand: 'right' });
    stage.letAllRest();
    expect(stage).toAgree();
  });

  test('[H2.1] guest 2 throws what guest 1 holds: an update that names a held cube does not move it', async () => {
    const stage = await setStage({ guests: 2, cubes: apart(1), latencyMs: 100 });
    stage.guest(2).uplink.latencyMs = 120;
    stage.guest(1).grabs(cube);
    stage.guest(2).grabs(cube, RIGHT);
    stage.tick();
    stage.guest(2).grabs(cube, LEFT);
    stage.tick();
    stage.guest(2).releases(RIGHT);
    stage.guest(2).throws([4, 4, 0], LEFT);
    for (let tick = 0; tick < 60; tick++) {
      expect(stage.guest(1).holds(cube)).toBe(true);
      expect(stage.host.says(cube).position[0]).toBeCloseTo(0, 2);
      stage.tick();
    }
    expect(stage.host.refused('H2')).toBeGreaterThan(0);
    for (const player of stage.present) expect(player.says(cube).holder).toEqual({ slot: 1, hand: 'right' });
    stage.letAllRest();
    expect(stage).toAgree();
  });
});

describe('[T1] a guest with a page that draws nothing, so that its sample grows older', () => {
  test('[T1.3] grabs and lets go: the host hears of both as soon as from any other guest', async () => {
    const stage = await setStage({ guests: 2, cubes: apart(1), bodiless: true });
    const guest = stage.guest(1);
    const oldest = 15;
    const ticksUntil = (isSo: () => boolean): number => {
      for (let ticks = 0; ; ticks++) {
        if (isSo() || ticks > 60) return ticks;
        guest.input.age = Math.min(oldest, guest.input.age + 1);
        stage.tick();
      }
    };
    stage.letPass(1);
    ticksUntil(() => guest.input.age === 4);
    guest.grabs(cube);
    expect(ticksUntil(() => stage.host.says(cube).holder !== null)).toBeLessThan(6);
    expect(guest.input.age).toBeLessThan(oldest);
    guest.releases();
    expect(ticksUntil(() => stage.host.says(cube).holder === null)).toBeLessThan(6);
    expect(guest.input.age).toBeLessThan(oldest);
    stage.letAllRest();
    expect(stage).toAgree();
  });
});
