import { describe, expect, test } from 'vitest';
import type { BodyId } from '../../../src/core/base/ids.ts';
import { NO_SLOT, toSlot } from '../../../src/core/base/ids.ts';
import { setVector } from '../../../src/core/base/math.ts';
import { CUBE_SIZE } from '../../../src/levels/arrangements.ts';
import type { Player, Stage } from '../../support/stage.ts';
import { apart, CUBES, LEFT, RIGHT, setStage } from '../../support/stage.ts';

const [cube, other] = CUBES;

/** Guest 1 holds the cube, and everybody sees it. */
async function holding(guests: number, latencyMs = 50): Promise<Stage> {
  const stage = await setStage({ guests, cubes: apart(2), bodiless: true, latencyMs });
  stage.guest(1).grabs(cube);
  stage.letPass(0.5);
  for (const player of stage.present) expect(player.says(cube).holder).toEqual({ slot: 1, hand: 'right' });
  return stage;
}

function holderOf(stage: Stage): (number | undefined)[] {
  return stage.present.map((player) => player.says(cube).holder?.slot);
}

/** A hand at a place beside the cube, which closes. */
function reachesFrom(player: Player, metres: number): void {
  const { position } = player.input.hands[RIGHT].pose;
  player.grabs(cube);
  setVector(position, position.x, position.y, position.z + metres);
}

/** From now on a guest's avatar says that its hand reaches for a body, whatever the hand does. */
function pretendsToReach(cheat: Player, body: BodyId): void {
  const { player } = cheat.peer;
  const sample = player.sample.bind(player);
  player.sample = (peer) => {
    sample(peer);
    peer.authors[peer.self].avatar.hands[RIGHT].reach = body;
  };
}

function agreesInTheEnd(stage: Stage): void {
  stage.letAllRest();
  expect(stage).toAgree();
}

describe('[A9] reaching takes nothing out of a hand', () => {
  test('[A9.1] [A9.3] [A9.4] [H2.1] as long as the holder holds it; the other hand of the player that reaches is free', async () => {
    const stage = await holding(2);
    stage.guest(2).grabs(cube);
    stage.letPass(1);
    expect(stage.guest(2).counted('reach')).toBe(1);
    expect([stage.guest(1).holds(cube), stage.guest(2).holds(cube)]).toEqual([true, false]);
    stage.guest(2).grabs(other, LEFT);
    stage.letPass(0.5);
    expect(stage.guest(2).holds(other)).toBe(true);
    for (const player of stage.present) expect(player.sees(2).hands[RIGHT].reach).toBe(cube);
    expect(stage.guest(2).sees(2).hands[RIGHT].grip).toBe(1);
    expect(stage.guest(2).peer.player.lost.tick).toBe(-1);
    agreesInTheEnd(stage);
  });

  test('[A9.2] a hand does not reach from more than 3 m away: its player learns which player has the cube', async () => {
    const stage = await holding(2);
    stage.guest(2).peer.state.bodies.simulation.castRay = () => cube;
    reachesFrom(stage.guest(2), 3.1 + CUBE_SIZE / 2);
    stage.letPass(0.2);
    expect(stage.guest(2).counted('reach')).toBe(0);
    expect(stage.guest(2).peer.player.lost.to).toBe(1);
    stage.guest(2).releases();
    stage.tick();
    reachesFrom(stage.guest(2), 2.9 + CUBE_SIZE / 2);
    stage.letPass(0.2);
    expect(stage.guest(2).counted('reach')).toBe(1);
    agreesInTheEnd(stage);
  });
});

describe('[A9] a reach', () => {
  test('[A9.3] ends when the hand is more than 4 m from the cube, and does not begin again by itself', async () => {
    const stage = await holding(2);
    const guest = stage.guest(2);
    guest.grabs(cube);
    stage.letPass(0.3);
    guest.moves([0, 0, 3.9], 1);
    stage.letPass(0.3);
    for (const player of stage.present) expect(player.sees(2).hands[RIGHT].reach).toBe(cube);
    guest.moves([0, 0, 5], 0.1);
    stage.letPass(0.3);
    for (const player of stage.present) expect(player.sees(2).hands[RIGHT].reach).toBe(-1);
    guest.moves([0, 0, -5], 0.1);
    stage.letPass(0.3);
    expect(stage.host.sees(2).hands[RIGHT].reach).toBe(-1);
    agreesInTheEnd(stage);
  });
});

describe('[A9] a cube that is let go is given to', () => {
  test('[A9.5] [A9.6] the nearest of several hands that reach, whichever was first', async () => {
    const stage = await holding(3);
    stage.guest(2).peer.state.bodies.simulation.castRay = () => cube;
    reachesFrom(stage.guest(2), 1);
    stage.letPass(0.5);
    stage.guest(3).grabs(cube);
    stage.letPass(0.5);
    stage.guest(1).releases();
    stage.letPass(1);
    expect(holderOf(stage)).toEqual([3, 3, 3, 3]);
    expect(stage.guest(2).peer.player.hands[RIGHT].reach).toBe(cube);
    stage.guest(3).releases();
    stage.letPass(1);
    expect(holderOf(stage)).toEqual([2, 2, 2, 2]);
    agreesInTheEnd(stage);
  });

  test('[A9.6] the lower slot, of equally near hands', async () => {
    const stage = await holding(3);
    stage.guest(3).grabs(cube);
    stage.letPass(0.3);
    stage.guest(2).grabs(cube);
    stage.letPass(0.3);
    stage.guest(1).releases();
    stage.letPass(1);
    expect(holderOf(stage)).toEqual([2, 2, 2, 2]);
    agreesInTheEnd(stage);
  });

  test('[A9.7] nobody, if it is thrown', async () => {
    const stage = await holding(2);
    stage.guest(2).grabs(cube);
    stage.letPass(0.5);
    stage.guest(1).throws([0, 4, 0]);
    stage.letPass(1);
    expect(stage.host.counted('give')).toBe(0);
    expect(holderOf(stage)).toEqual([undefined, undefined, undefined]);
    expect(stage.host.says(cube).authority).toBe(1);
    agreesInTheEnd(stage);
  });

  test('[A9.10] [A9.11] nobody, if the reach has ended before: it waits for the host’s ruling, and then falls', async () => {
    const stage = await holding(2);
    stage.guest(2).grabs(cube);
    stage.letPass(0.5);
    stage.guest(2).releases();
    stage.tick();
    stage.tick();
    stage.guest(1).releases();
    stage.tick();
    expect(stage.guest(1).peer.state.giving.waits(cube)).toBe(true);
    stage.letPass(0.25);
    expect(stage.guest(1).peer.state.giving.waits(cube)).toBe(false);
    expect(stage.guest(1).peer.state.bodies.kinematic.has(cube)).toBe(false);
    expect(stage.host.counted('give')).toBe(0);
    agreesInTheEnd(stage);
  });

  test('[A9.14] a player that has opened its hand meanwhile, but unheld', async () => {
    const stage = await holding(2, 125);
    stage.guest(2).grabs(cube);
    stage.letPass(0.5);
    stage.guest(1).releases();
    stage.letPass(0.2);
    expect(stage.host.says(cube).holder).toEqual({ slot: 2, hand: 'right' });
    stage.guest(2).releases();
    stage.letPass(0.5);
    for (const player of stage.present)
      expect(player.says(cube)).toMatchObject({ authority: 2, holder: null });
    agreesInTheEnd(stage);
  });

  test.each([0, 1, 2, 4])(
    '[A9.14] a player that opens its hand %i ticks after the giver, unheld: it falls everywhere',
    async (ticks) => {
      const stage = await holding(2);
      stage.guest(2).grabs(cube);
      stage.letPass(0.5);
      stage.guest(1).releases();
      for (let i = 0; i < ticks; i++) stage.tick();
      stage.guest(2).releases();
      // Packets between the two are lost.
      stage.guest(1).downlink.loss = 1;
      stage.letPass(0.25);
      stage.guest(1).downlink.loss = 0;
      stage.letPass(0.5);
      expect(stage.host.counted('give')).toBe(1);
      agreesInTheEnd(stage);
    },
  );

  test('[A9.15] nobody, if the hand closes as the cube is let go; that hand grabs it if it is still there', async () => {
    const stage = await holding(2);
    stage.guest(1).releases();
    stage.guest(2).grabs(cube);
    stage.letPass(1);
    expect(stage.host.counted('give')).toBe(0);
    expect(holderOf(stage)).toEqual([2, 2, 2]);
    agreesInTheEnd(stage);
  });

  test('[A9.5] the host; and from the host, which sees it at once', async () => {
    const stage = await holding(1);
    stage.host.grabs(cube);
    stage.letPass(0.5);
    stage.guest(1).releases();
    stage.waitFor(() => stage.host.says(cube).holder?.slot === 0);
    stage.tick();
    expect(stage.host.holds(cube)).toBe(true);
    stage.guest(1).releases();
    stage.tick();
    stage.guest(1).grabs(cube);
    stage.letPass(0.5);
    stage.host.releases();
    stage.tick();
    expect(stage.host.says(cube).holder?.slot).toBe(1);
    expect(stage.host.peer.player.given.to).toBe(1);
    stage.letPass(0.5);
    expect(stage.guest(1).holds(cube)).toBe(true);
    agreesInTheEnd(stage);
  });
});

describe('[A9] packets are lost, and players leave', () => {
  test('[A9.5] the release comes late: the cube is given when it comes', async () => {
    const stage = await holding(2);
    stage.guest(2).grabs(cube);
    stage.letPass(0.5);
    stage.guest(1).uplink.loss = 1;
    stage.guest(1).releases();
    stage.letPass(0.3);
    expect(stage.host.says(cube).holder?.slot).toBe(1);
    stage.guest(1).uplink.loss = 0;
    stage.letPass(0.5);
    expect(holderOf(stage)).toEqual([2, 2, 2]);
    agreesInTheEnd(stage);
  });

  test('[A9.10] no ruling comes: after half a second the giver lets it fall; a later ruling still gives it', async () => {
    const stage = await holding(2);
    stage.guest(2).grabs(cube);
    stage.letPass(0.5);
    stage.guest(1).downlink.loss = 1;
    stage.guest(1).releases();
    stage.letPass(0.5);
    expect(stage.guest(1).peer.state.bodies.kinematic.has(cube)).toBe(true);
    stage.tick();
    expect(stage.guest(1).peer.state.bodies.kinematic.has(cube)).toBe(false);
    expect(stage.guest(1).says(cube)).toMatchObject({ authority: 1, holder: null });
    stage.guest(1).downlink.loss = 0;
    stage.letPass(0.5);
    expect(holderOf(stage)).toEqual([2, 2, 2]);
    agreesInTheEnd(stage);
  });

  test('[A9.13] [A9.14] the player that reaches receives nothing: the cube waits for its hand', async () => {
    const stage = await holding(2);
    stage.guest(2).grabs(cube);
    stage.letPass(0.5);
    stage.guest(2).downlink.loss = 1;
    stage.guest(1).releases();
    stage.letPass(1.5);
    expect([stage.host.says(cube).holder?.slot, stage.guest(2).holds(cube)]).toEqual([2, false]);
    expect(stage.host.peer.state.bodies.kinematic.has(cube)).toBe(true);
    stage.guest(2).downlink.loss = 0;
    stage.letPass(0.5);
    expect(stage.guest(2).holds(cube)).toBe(true);
    expect(holderOf(stage)).toEqual([2, 2, 2]);
    agreesInTheEnd(stage);
  });

  test('[A9.9] a player that was not heard for half a second reaches for nothing', async () => {
    const stage = await holding(2);
    stage.guest(2).grabs(cube);
    stage.letPass(0.5);
    stage.guest(2).uplink.loss = 1;
    stage.letPass(0.7);
    stage.guest(1).releases();
    stage.letPass(0.5);
    expect(stage.host.counted('give')).toBe(0);
    stage.guest(2).uplink.loss = 0;
    agreesInTheEnd(stage);
  });

  test('[A9.8] [H6.1] the holder leaves: the cube falls free, and is given to nobody', async () => {
    const stage = await holding(2);
    stage.guest(2).peer.state.bodies.simulation.castRay = () => cube;
    reachesFrom(stage.guest(2), 2);
    stage.letPass(0.5);
    stage.guest(1).leaves();
    stage.letPass(0.5);
    expect(stage.host.counted('give')).toBe(0);
    expect(holderOf(stage)).toEqual([undefined, undefined]);
    agreesInTheEnd(stage);
  });

  test.each(['before the cube is let go', 'as it gets the cube'])(
    '[H6.1] the player that reaches leaves, %s',
    async (when) => {
      const stage = await holding(2);
      stage.guest(2).grabs(cube);
      stage.letPass(0.5);
      if (when.startsWith('before')) stage.guest(2).leaves();
      stage.guest(1).releases();
      stage.letPass(0.07);
      if (!when.startsWith('before')) stage.guest(2).leaves();
      stage.letPass(0.5);
      expect(stage.host.counted('give')).toBe(when.startsWith('before') ? 0 : 1);
      for (const { peer } of stage.present) expect(peer.state.bodies.kinematic.has(cube)).toBe(false);
      agreesInTheEnd(stage);
    },
  );

  test('[H8.6] the scene is reset while a player reaches, and that player hears of it late', async () => {
    const stage = await holding(2);
    stage.guest(2).grabs(cube);
    stage.letPass(0.5);
    stage.guest(1).releases();
    stage.guest(2).downlink.loss = 1;
    stage.host.peer.reset();
    stage.tick();
    stage.host.grabs(cube);
    stage.tick();
    stage.host.releases();
    stage.letPass(0.1);
    stage.guest(2).downlink.loss = 0;
    stage.guest(2).releases();
    stage.letPass(1);
    expect(stage.host.counted('give')).toBe(0);
    agreesInTheEnd(stage);
  });

  test('[H8.6] the scene is reset while a cube is on its way', async () => {
    const stage = await holding(2, 125);
    stage.guest(2).grabs(cube);
    stage.letPass(0.5);
    stage.guest(1).releases();
    stage.letPass(0.2);
    expect(stage.host.peer.state.giving.from(cube)).toBe(1);
    stage.host.peer.reset();
    expect(stage.host.peer.state.giving.from(cube)).toBe(NO_SLOT);
    stage.letPass(0.5);
    for (const { peer } of stage.present) {
      expect(peer.state.bodies.kinematic.has(cube)).toBe(false);
      expect(peer.player.hands.map(({ held, reach }) => [held, reach])).toEqual([
        [-1, -1],
        [-1, -1],
      ]);
    }
    agreesInTheEnd(stage);
  });
});

describe('[A9] a guest reaches for a cube that it can’t reach', () => {
  test('[A9.9] [A9.16] far beyond an arm: it gets nothing, and is not counted', async () => {
    const stage = await holding(2);
    setVector(stage.guest(2).input.hands[RIGHT].pose.position, 8, 1, 0);
    pretendsToReach(stage.guest(2), cube);
    stage.letPass(0.5);
    expect(stage.host.peer.offences(toSlot(2))).toBe(0);
    stage.guest(1).releases();
    stage.letPass(0.5);
    expect(stage.host.counted('give')).toBe(0);
    agreesInTheEnd(stage);
  });

  test('[A9.16] [F1.3] one in its own other hand: it is counted, and the other hand still holds the cube', async () => {
    const stage = await setStage({ guests: 1, cubes: apart(1), bodiless: true });
    stage.guest(1).grabs(cube, LEFT);
    stage.letPass(0.5);
    pretendsToReach(stage.guest(1), cube);
    stage.letPass(0.5);
    expect(stage.host.refused('A9')).toBeGreaterThan(10);
    expect(stage.host.says(cube).holder).toEqual({ slot: 1, hand: 'left' });
    agreesInTheEnd(stage);
  });
});
