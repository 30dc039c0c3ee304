import { beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import type { BodyId, ConnectionId, Slot } from '../../../../src/core/base/ids.ts';
import { NO_SLOT, RIGHT } from '../../../../src/core/base/ids.ts';
import { TICK_MS, TICK_RATE } from '../../../../src/core/base/constants.ts';
import { pose, setVector } from '../../../../src/core/base/math.ts';
import { poseIn } from '../../../../src/core/base/motion.ts';
import { STATE, STRIDE } from '../../../../src/core/base/state.ts';
import type { PlayerInput } from '../../../../src/core/hands/hand-input.ts';
import { playerInput } from '../../../../src/core/hands/hand-input.ts';
import { Peer } from '../../../../src/core/peer/peer.ts';
import type { SavedWorld } from '../../../../src/core/wire/files/saved-world.ts';
import { readWorldFile, writeWorldFile } from '../../../../src/core/wire/files/saved-world.ts';
import type { LevelReference } from '../../../../src/core/world/level-reference.ts';
import { existing } from '../../../../src/core/world/existence.ts';
import type { Template } from '../../../../src/core/world/level.ts';
import { chooseLevel, createLevel, gameLevels } from '../../../../src/levels/levels.ts';
import { createRapierSimulation, loadPhysics } from '../../../../src/physics/rapier-simulation.ts';
import { createLoopback } from '../../../../src/transport/loopback.ts';

const [HOST, GUEST] = [0, 1] as Slot[];
const PILE: LevelReference = chooseLevel({ id: 'pile', seed: 9 });
const TOWER: LevelReference = chooseLevel({ id: 'tower', seed: 1 });
/** The uppermost cube of the tower. */
const TOP = 19 as BodyId;

beforeAll(loadPhysics);

function peerOf(choice: LevelReference, slot = HOST): Peer {
  const level = createLevel(choice);
  const peer = new Peer({ slot, host: HOST, level, simulation: createRapierSimulation(level) });
  onTestFinished(() => peer.state.bodies.simulation.dispose());
  return peer;
}

function run(peer: Peer, seconds: number, input: PlayerInput = playerInput()): void {
  for (let tick = seconds * TICK_RATE; tick > 0; tick--) peer.tick(input);
}

/** The world of a peer, through a file. */
function kept(peer: Peer, choice: LevelReference): SavedWorld {
  const world = readWorldFile(writeWorldFile(peer.saveWorld(choice, 5)), gameLevels);
  if (typeof world === 'string') throw new Error(world);
  return world;
}

function beginFrom(saved: SavedWorld): Peer {
  const peer = peerOf(saved.level);
  peer.reset(saved);
  return peer;
}

describe('a saved world', () => {
  test.each([
    ['a tower of 20', TOWER, 4],
    ['a heap', PILE, 10],
  ] as const)(
    '[H8.7] [R2.3] of %s goes on to the bit on a new peer: bodies at rest still rest, and sleep',
    (_, choice, seconds) => {
      const before = peerOf(choice);
      run(before, seconds);
      const saved = kept(before, choice);
      expect(
        saved.resting.every((rests) => rests === 1),
        'all had come to rest',
      ).toBe(true);
      expect(saved.state).toEqual(before.state.bodies.records.state);
      const after = beginFrom(saved);
      for (let second = 0; second < 10; second++) {
        run(after, 1);
        expect(after.state.bodies.records.state).toEqual(saved.state);
        expect(after.state.bodies.records.resting).toEqual(saved.resting);
      }
      for (let body = 0 as BodyId; body < saved.resting.length; body++) {
        expect(after.state.bodies.simulation.isAsleep(body)).toBe(true);
      }
    },
  );

  test('[H8.7] of falling bodies goes on falling', () => {
    const before = peerOf(PILE);
    run(before, 1);
    const after = beginFrom(kept(before, PILE));
    expect(after.state.bodies.records.state).toEqual(before.state.bodies.records.state);
    run(after, 10);
    expect(after.state.bodies.records.resting.every((rests) => rests === 1)).toBe(true);
  });

  test('[H8.7] is drawn where it is from the first frame on', () => {
    const before = peerOf(PILE);
    run(before, 3);
    const { bodies } = beginFrom(kept(before, PILE)).state;
    expect(bodies.drawn.poses).toEqual(bodies.drawn.before);
    expect(bodies.drawn.poses[1]).toBeCloseTo(before.state.bodies.motion[1], 3);
  });

  test('[H8.7] has a body that was in a hand where it was, unheld and still', () => {
    const peer = peerOf(TOWER);
    run(peer, 2);
    const input = playerInput();
    const hand = input.hands[RIGHT];
    hand.tracked = true;
    const { position } = poseIn(peer.state.bodies.motion, TOP, pose());
    setVector(hand.pose.position, position.x, position.y, position.z);
    run(peer, 0.1, input);
    expect(peer.isTouched).toBe(false);
    hand.grip = 1;
    run(peer, 0.1, input);
    expect(peer.player.hands[RIGHT].held).toBe(TOP);
    expect(peer.isTouched).toBe(true);
    hand.pose.position.x += 2;
    run(peer, 0.05, input);
    const saved = kept(peer, TOWER);
    const at = TOP * STRIDE;
    expect(saved.state[at] / 4096).toBeCloseTo(position.x + 2, 1);
    expect([...saved.state.subarray(at + STATE.linear, at + STRIDE)]).toEqual([0, 0, 0, 0, 0, 0]);
    const { records } = beginFrom(saved).state.bodies;
    expect([records.authority[TOP], records.hold[TOP], records.resting[TOP]]).toEqual([NO_SLOT, 0, 0]);
    expect(beginFrom(saved).isTouched).toBe(false);
  });

  test('[H8.3] reaches a guest that joins, to the bit', () => {
    const before = peerOf(PILE);
    run(before, 10);
    const saved = kept(before, PILE);
    const host = beginFrom(saved);
    const guest = peerOf(PILE, GUEST);
    const network = createLoopback({ seed: 1, slots: 2, conditions: { latencyMs: 40, loss: 0.05 } });
    host.connect(GUEST, 1 as ConnectionId);
    guest.connect(HOST, 1 as ConnectionId);
    for (let step = 1; step < 4 * TICK_RATE; step++) {
      const now = (network.now = step * TICK_MS);
      for (const peer of [host, guest]) {
        const transport = network.transports[peer.state.self];
        transport.receive(now, (from, bytes) => peer.receive(now, from, bytes));
        peer.tick(playerInput());
        peer.poll(now, (to, bytes) => transport.send(to, bytes));
      }
    }
    expect(guest.hasWorld).toBe(true);
    for (const { state } of [host, guest]) expect(state.bodies.records.state).toEqual(saved.state);
  });

  test('[H8.6] can be begun by the host alone', () => {
    const saved = kept(peerOf(TOWER), TOWER);
    expect(() => peerOf(TOWER, GUEST).reset(saved)).toThrow('only the host');
  });
});

test('[S8.1] a reset restores a body of the level that had become one of another template', () => {
  const { templates, ...level } = createLevel(PILE);
  const ball: Template = { ...templates[0], shape: { kind: 'ball', radius: 2 } };
  const changed = { ...level, templates: [...templates, ball] };
  const simulation = createRapierSimulation(changed);
  const peer = new Peer({ slot: HOST, host: HOST, level: changed, simulation });
  onTestFinished(() => simulation.dispose());
  const saved = peer.saveWorld(PILE, 5);
  const existence = saved.existence.fill(existing(1, 1), 0, 1);
  peer.reset({ ...saved, existence });
  expect(peer.state.bodies.templates[0]).toBe(ball);
  peer.reset();
  expect(peer.state.bodies.templates[0]).toBe(level.bodies[0].template);
  const { position } = level.bodies[0].start;
  const side = { x: position.x + 1.5, y: position.y, z: position.z };
  run(peer, 0.05);
  expect(simulation.overlapSphere(side, 0.1), 'the engine has its own shape again').not.toBe(0);
});
