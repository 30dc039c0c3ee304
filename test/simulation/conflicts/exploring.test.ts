import { describe, expect, test } from 'vitest';
import type { HandSide } from '../../../src/core/base/ids.ts';
import { HAND_SIDES } from '../../../src/core/base/ids.ts';
import { Random } from '../../../src/core/base/random.ts';
import type { Player, Stage } from '../../support/stage.ts';
import { apart, CUBES, setStage } from '../../support/stage.ts';

/** Stories from seeds, played one after the other on one stage, and the actions in them. */
const STORIES = 20;
const DEEDS = 6;
/** The most ticks that pass after an action: two ways through the network, and a little. */
const PAUSE = 12;

const [first, second] = CUBES;

/** The actions that anybody may do at any time; each returns its words. */
const anybody: readonly ((player: Player, random: Random, stage: Stage) => string)[] = [
  (player, random) => {
    const [cube, side] = [CUBES[random.below(2)], sideOf(random)];
    player.grabs(cube, side);
    return `grabs cube ${cube} with hand ${side}`;
  },
  (player, random) => {
    const side = sideOf(random);
    player.releases(side);
    return `opens hand ${side}`;
  },
  (player, random) => {
    const side = sideOf(random);
    player.input.hands[side].pose.position.z += 0.4;
    return `moves hand ${side}`;
  },
  ({ peer }, _, stage) => {
    const { contacts } = peer.state.bodies.simulation;
    contacts.add(first, second);
    stage.tick();
    contacts.remove(first, second);
    return 'sees the cubes touch';
  },
];

function sideOf(random: Random): HandSide {
  return HAND_SIDES[random.below(HAND_SIDES.length)];
}

/** Somebody acts. Once in a while a guest leaves, and comes back, with its world or without. */
function somethingHappens(stage: Stage, random: Random): string {
  const player = stage.present[random.below(stage.present.length)];
  if (player !== stage.host && random.chance(0.1)) {
    if (random.chance(0.5)) player.joins();
    else {
      player.leaves();
      stage.letPass(random.below(PAUSE) / 60);
      player.returns();
    }
    return `${player.slot} leaves and returns`;
  }
  return `${player.slot} ${anybody[random.below(anybody.length)](player, random, stage)}`;
}

describe('[I1] whatever three players do with two cubes, over a network that loses packets, all agree in the end', () => {
  test.each([1, 2, 3, 4])('seed %i', async (seed) => {
    const random = new Random(seed);
    const stage = await setStage({ guests: 2, cubes: apart(2), bodiless: true });
    for (let story = 0; story < STORIES; story++) {
      stage.network.setConditions({ loss: random.below(3) * 0.3, jitterMs: random.below(3) * 50 });
      const told: string[] = [];
      for (let deed = 0; deed < DEEDS; deed++) {
        told.push(somethingHappens(stage, random));
        stage.letPass(random.below(PAUSE) / 60);
      }
      stage.network.setConditions({ loss: 0, jitterMs: 0 });
      stage.letAllRest();
      expect(stage, told.join('; ')).toAgree();
    }
  });
});
