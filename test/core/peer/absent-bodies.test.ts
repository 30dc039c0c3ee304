import { beforeAll, describe, expect, test } from 'vitest';
import type { BodyId, Existence, Slot } from '../../../src/core/base/ids.ts';
import { Peer } from '../../../src/core/peer/peer.ts';
import { playerInput } from '../../../src/core/hands/hand-input.ts';
import { applyDue } from '../../../src/core/peer/simulator.ts';
import { POSITION_STEPS } from '../../../src/core/wire/bodies/quantise.ts';
import { bodyUpdate } from '../../../src/core/wire/bodies/update.ts';
import type { Level } from '../../../src/core/world/level.ts';
import { FLAT_BOUNDS } from '../../../src/core/world/level.ts';
import { loadPhysics } from '../../../src/physics/engine.ts';
import { createRapierSimulation } from '../../../src/physics/rapier-simulation.ts';
import { sceneOf } from '../../support/stage-levels.ts';

const HOST = 0 as Slot;
const GUEST = 1 as Slot;
const input = playerInput();

/** One cube, and ids for more. */
function levelWithin(low: number): Level {
  const level = sceneOf([[0, 2, 0]]);
  const spawning = { slots: 2, perPlayer: 1, perSecond: 1, templates: level.templates };
  return { ...level, bounds: { ...FLAT_BOUNDS, low }, spawning };
}

function peerIn(level: Level, slot: Slot): Peer {
  return new Peer({ slot, host: HOST, level, simulation: createRapierSimulation(level) });
}

beforeAll(() => loadPhysics());

describe('an id without a body', () => {
  test('[R4.1] is no stray, wherever the bounds of its level are', () => {
    const peer = peerIn(levelWithin(0), HOST);
    for (let tick = 0; tick < 3; tick++) peer.tick(input);
    expect(peer.state.log.counts['put back']).toBe(0);
    peer.dispose();
  });

  test('[S4.2] shows no pose, also if its sender calls it by the right existence', () => {
    const peer = peerIn(levelWithin(-1), GUEST);
    const update = bodyUpdate();
    update.body = 1 as BodyId;
    update.kind = 'motion';
    update.claim.existence = 0 as Existence;
    update.state[1] = POSITION_STEPS;
    peer.tick(input);
    applyDue(peer.state, HOST, update);
    peer.tick(input);
    expect(peer.state.bodies.has(update.body)).toBe(false);
    peer.dispose();
  });
});
