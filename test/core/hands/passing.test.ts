import { describe, expect, test } from 'vitest';
import { LEFT, RIGHT } from '../../../src/core/base/ids.ts';
import type { HandSide } from '../../../src/core/base/ids.ts';
import { apart, CUBES, setStage } from '../../support/stage.ts';

const [cube] = CUBES;

describe('[A6] passing from one hand to the other', () => {
  const ways: readonly (readonly [string, HandSide, HandSide])[] = [
    ['left to right', LEFT, RIGHT],
    ['right to left', RIGHT, LEFT],
  ];

  test.each(ways)('[A6.3] %s: it changes hands at once, and never falls', async (_, from, to) => {
    const stage = await setStage({ guests: 2, cubes: apart(1) });
    const guest = stage.guest(1);
    guest.grabs(cube, from);
    guest.moves([0, 1.5, 0], 0.6, from);
    const height = guest.says(cube).position[1];
    expect(height).toBeGreaterThan(1);
    const { ownershipSequence } = guest.says(cube);
    guest.grabs(cube, to);
    stage.tick();
    const hands = guest.peer.player.hands;
    expect([hands[from].held, hands[to].held]).toEqual([-1, cube]);
    guest.releases(from);
    stage.letPass(0.6);
    const name = to === LEFT ? 'left' : 'right';
    for (const player of stage.present) {
      const seen = player.says(cube);
      expect(seen.holder, `by player ${player.slot}`).toEqual({ slot: 1, hand: name });
      expect(seen.ownershipSequence).toBe(ownershipSequence + 1);
      expect(seen.position[1], `by player ${player.slot}`).toBeCloseTo(height, 2);
    }
    expect(guest.counted('lose')).toBe(0);
    guest.releases(to);
    stage.letAllRest();
    expect(stage).toAgree();
  });

  test('[A6.3] the hand that gave it away may open, and grab something else', async () => {
    const stage = await setStage({ guests: 1, cubes: apart(2) });
    const { host } = stage;
    host.grabs(cube, LEFT);
    stage.tick();
    host.grabs(cube, RIGHT);
    stage.tick();
    host.releases(LEFT);
    stage.letPass(0.5);
    host.grabs(CUBES[1], LEFT);
    stage.tick();
    expect(host.peer.player.hands.map(({ held }) => held)).toEqual([CUBES[1], cube]);
  });
});
