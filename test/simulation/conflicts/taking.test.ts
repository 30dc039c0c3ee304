import { describe, expect, test } from 'vitest';
import { gatherBody } from '../../../src/core/peer/bodies/gathering.ts';
import type { Place, Stage } from '../../support/stage.ts';
import { apart, CUBES, setStage, tower } from '../../support/stage.ts';

const [first, second, third] = CUBES;

/** A cube to the left, one to the right, and one between them, at `x` metres. */
const THREE: readonly Place[] = [
  [0, 0.25, 0],
  [2, 0.25, 0],
  [4, 0.25, 0],
];

/** The slot that has the cube, by everybody's record. */
function authorities(stage: Stage, cube: (typeof CUBES)[number]): (number | null)[] {
  return stage.present.map((player) => player.says(cube).authority);
}

describe('[A5] authority by contact', () => {
  test('[A5.2] [A5.3] [A5.4] guest 1 throws a cube against two that touch: both are its own in the same tick', async () => {
    const cubes: Place[] = [[0, 0.25, 0], ...tower(2).map(([, y]): Place => [1.5, y, 0])];
    const stage = await setStage({ guests: 2, cubes });
    stage.guest(1).grabs(first);
    stage.guest(1).throws([5, 0, 0]);
    stage.waitFor(() => stage.guest(1).says(second).authority === 1);
    expect(stage.guest(1).says(third)).toMatchObject({
      authority: 1,
      authoritySequence: 1,
      confirmed: false,
    });
    stage.letPass(0.3);
    for (const cube of [second, third]) expect(authorities(stage, cube)).toEqual([1, 1, 1]);
    expect(stage.guest(1).says(third).confirmed).toBe(true);
    stage.letAllRest();
    expect(stage).toAgree();
  });

  test('[A5.1] guest 1 throws a cube at the one that guest 2 holds: it does not take that one', async () => {
    const stage = await setStage({ guests: 2, cubes: apart(2) });
    stage.guest(2).grabs(second);
    stage.guest(1).grabs(first);
    stage.letPass(0.3);
    stage.guest(1).throws([7, 0, 0]);
    const { contacts } = stage.guest(2).peer.state.bodies.simulation;
    let touched = false;
    for (let tick = 0; tick < 40; tick++) {
      stage.tick();
      touched ||= contacts.touching(first, second);
      expect(stage.guest(2).holds(second)).toBe(true);
      expect(authorities(stage, second)).toEqual([2, 2, 2]);
    }
    expect(touched).toBe(true);
    stage.letAllRest();
    expect(stage).toAgree();
  });

  test('[A4.1] two guests hit one cube in the same tick, each with its own: the guest that the host hears first has it', async () => {
    const stage = await setStage({ guests: 2, cubes: THREE });
    stage.guest(2).uplink.latencyMs = 80;
    stage.guest(1).grabs(first);
    stage.guest(2).grabs(third);
    stage.letPass(0.3);
    for (let tick = 0; tick < 8; tick++) {
      stage.guest(1).input.hands[1].pose.position.x += 6 / 60;
      stage.guest(2).input.hands[1].pose.position.x -= 6 / 60;
      stage.tick();
    }
    stage.guest(1).releases();
    stage.guest(2).releases();
    stage.waitFor(
      () => stage.guest(1).says(second).authority === 1 || stage.guest(2).says(second).authority === 2,
    );
    stage.waitFor(
      () => stage.guest(1).says(second).authority === 1 && stage.guest(2).says(second).authority === 2,
    );
    expect(stage.guest(1).says(second).authoritySequence).toBe(stage.guest(2).says(second).authoritySequence);
    stage.waitFor(() => stage.guest(2).says(second).authority !== 2);
    expect(authorities(stage, second)).toEqual([1, 1, 1]);
    expect(stage.host.refused('A4')).toBeGreaterThan(0);
    stage.letAllRest();
    expect(stage).toAgree();
  });

  test('[A2.1] guest 2 pushes a cube that guest 1 pushed and gave back: by the newer authority sequence', async () => {
    const stage = await setStage({ guests: 2, cubes: THREE });
    stage.guest(1).grabs(first);
    stage.guest(1).throws([6, 0, 0]);
    stage.waitFor(() => authorities(stage, second).every((authority) => authority === 1));
    stage.letAllRest();
    const before = stage.host.says(second);
    expect(before).toMatchObject({ authority: null, ownershipSequence: 0 });
    stage.guest(2).grabs(third);
    stage.guest(2).moves([-2, 0, 0], 1.2);
    stage.letPass(0.2);
    expect(authorities(stage, second)).toEqual([2, 2, 2]);
    const after = stage.host.says(second);
    expect(after.authoritySequence).toBeGreaterThan(before.authoritySequence);
    expect(after.ownershipSequence).toBe(before.ownershipSequence);
    stage.letAllRest();
    expect(stage).toAgree();
  });
});

describe('[A11] gathering', () => {
  test('[A11.6] guest 1 grabs a cube while the host gathers it: the hand loses it', async () => {
    const stage = await setStage({ guests: 2, cubes: apart(2), bodiless: true });
    const guest = stage.guest(1);
    guest.grabs(first);
    stage.letPass(0.3);
    guest.throws([0, 3, 0]);
    stage.letPass(0.6);
    expect(authorities(stage, first)).toEqual([1, 1, 1]);
    guest.grabs(first);
    stage.tick();
    gatherBody(stage.host.peer.state, first);
    expect([guest.holds(first), stage.host.says(first).authority]).toEqual([true, 0]);
    stage.letPass(0.3);
    expect(guest.holds(first)).toBe(false);
    expect(authorities(stage, first)).toEqual([0, 0, 0]);
    stage.letAllRest();
    expect(stage).toAgree();
  });
});

describe('[A5], [A8] towers', () => {
  test('[A5.2] guest 1 pushes a held cube through a tower: the cubes that fall are its own, and lie alike for all', async () => {
    const cubes: Place[] = [[-1.5, 0.75, 0], ...tower(5)];
    const stage = await setStage({ guests: 2, cubes });
    const [held, ...column] = CUBES.slice(0, 6);
    stage.guest(1).grabs(held);
    stage.letPass(0.2);
    stage.guest(1).moves([2.5, 0.4, 0], 1);
    expect(stage.guest(1).holds(held)).toBe(true);
    for (const cube of column.slice(1)) expect(stage.guest(1).says(cube).authority).toBe(1);
    stage.letPass(0.3);
    for (const cube of column.slice(1)) expect(authorities(stage, cube)).toEqual([1, 1, 1]);
    for (const player of stage.present) expect(player.says(held).holder).toEqual({ slot: 1, hand: 'right' });
    stage.letAllRest();
    for (const player of stage.present) {
      const heights = column.map((cube) => player.says(cube).position[1]);
      expect(Math.max(...heights)).toBeLessThan(2);
    }
    expect(stage).toAgree();
  });

  test('[A8.2] [A8.3] guest 1 snatches the lowest cube: the cubes on it wake, are its own, and fall', async () => {
    const stage = await setStage({ guests: 2, cubes: tower(4) });
    const [lowest, ...above] = CUBES.slice(0, 4);
    expect(stage.guest(1).says(above[2])).toMatchObject({ asleep: true, authority: null });
    stage.guest(1).grabs(lowest);
    stage.tick();
    for (const cube of above) {
      expect(stage.guest(1).says(cube)).toMatchObject({ authority: 1, authoritySequence: 1, resting: false });
      expect(stage.guest(1).peer.state.log.ofBody(cube, 1)).toMatchObject([{ kind: 'take', rule: 'A8' }]);
    }
    stage.guest(1).moves([0, 0, 60], 1 / 60);
    stage.letPass(0.5);
    for (const player of stage.present) {
      expect(player.says(above[2]).authority).toBe(1);
      expect(player.says(above[2]).position[1]).toBeLessThan(1.5);
    }
    stage.letAllRest();
    expect(stage).toAgree();
  });

  test.each([2, 20, 60])(
    '[A8.2] guest 1 pulls the lowest cube away at %i m/s from under a cube of guest 2: that falls, under guest 2',
    async (speed) => {
      const stage = await setStage({ guests: 2, cubes: tower(3) });
      stage.guest(2).grabs(third);
      stage.letPass(0.3);
      stage.guest(2).releases();
      stage.letPass(0.5);
      expect(authorities(stage, third)).toEqual([2, 2, 2]);
      stage.guest(1).grabs(first);
      stage.tick();
      stage.guest(1).moves([0, 0, speed], 2 / speed);
      stage.letPass(0.7);
      for (const player of stage.present) expect(player.says(third).position[1]).toBeLessThan(1);
      expect(authorities(stage, third)).toEqual([2, 2, 2]);
      stage.letAllRest();
      expect(stage).toAgree();
    },
  );

  test('[A8.2] guest 1 throws the lowest cube away while guest 2 hears nothing: its cube falls once it hears', async () => {
    const stage = await setStage({ guests: 2, cubes: tower(3) });
    stage.guest(2).grabs(third);
    stage.letPass(0.3);
    stage.guest(2).releases();
    stage.letPass(0.5);
    stage.guest(2).downlink.loss = 1;
    stage.guest(1).grabs(first);
    stage.tick();
    stage.guest(1).throws([0, 0, 12]);
    stage.letPass(0.2);
    expect(stage.guest(2).says(first).position[2]).toBeCloseTo(0, 1);
    stage.guest(2).downlink.loss = 0;
    stage.letPass(1);
    for (const player of stage.present) expect(player.says(third).position[1]).toBeLessThan(1);
    stage.letAllRest();
    expect(stage).toAgree();
  });
});
