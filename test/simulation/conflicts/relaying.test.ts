import { describe, expect, test } from 'vitest';
import { guestPolicy } from '../../../src/core/peer/policy/guest-policy.ts';
import { apart, CUBES, setStage } from '../../support/stage.ts';

const [cube, other] = CUBES;

describe('[W5] a body that a guest has thrown is relayed first', () => {
  test.each([
    ['thrown', 4, true],
    ['put down', 0, false],
  ] as const)('[W5.4] %s: for a second', async (_, speed, first) => {
    const stage = await setStage({ guests: 2, cubes: apart(2), bodiless: true });
    const { thrownUntil } = stage.host.peer.state;
    stage.guest(1).grabs(cube);
    stage.letPass(0.3);
    stage.guest(1).throws([speed, 0, 0]);
    stage.waitFor(() => stage.host.says(cube).holder === null);
    expect(thrownUntil[cube] > stage.host.peer.state.tick).toBe(first);
    expect(thrownUntil[other]).toBe(0);
    stage.letPass(1.1);
    expect(thrownUntil[cube] > stage.host.peer.state.tick).toBe(false);
  });
});

describe('[T3] the host relays the newest state of a guest’s body', () => {
  test('[T3.1] and no state from when the guest had it before: guest 2 sees it nowhere else', async () => {
    const stage = await setStage({ guests: 2, cubes: apart(1), bodiless: true });
    const guest = stage.guest(1);
    guest.grabs(cube);
    stage.letPass(0.2);
    guest.throws([8, 0, 0]);
    stage.letAllRest();
    guest.grabs(cube);
    stage.letPass(0.2);
    guest.moves([0, 0, -4], 2);
    stage.letPass(0.5);
    // It lets go, and its packets are full of other things for a while.
    guest.peer.state.policy = { ...guestPolicy, describe: () => false };
    guest.releases();
    for (let tick = 0; tick < 60; tick++) {
      if (tick === 20) guest.peer.state.policy = guestPolicy;
      stage.tick();
      expect(stage.guest(2).says(cube).position[2], `tick ${tick}`).toBeLessThan(-7.9);
    }
    stage.letAllRest();
    expect(stage).toAgree();
  });
});
