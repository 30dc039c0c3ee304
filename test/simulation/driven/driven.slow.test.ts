import { beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import type { BodyId, Slot } from '../../../src/core/base/ids.ts';
import { MOTION, POSE_STRIDE, STRIDE } from '../../../src/core/base/state.ts';
import { vector } from '../../../src/core/base/math.ts';
import { readWorldFile, writeWorldFile } from '../../../src/core/wire/files/saved-world.ts';
import { referTo } from '../../../src/core/world/level-reference.ts';
import type { Peer } from '../../../src/core/peer/peer.ts';
import { peerView } from '../../../src/core/peer/shown/peer-view.ts';
import type { Level } from '../../../src/core/world/level.ts';
import { RoomHarness } from '../../../src/harness/room.ts';
import { createRapierSimulation, loadPhysics } from '../../../src/physics/rapier-simulation.ts';
import { drivenLevel, plate, shuttle } from '../../support/driven-levels.ts';

beforeAll(loadPhysics);

const CONDITIONS = { latencyMs: 100, jitterMs: 20, loss: 0.02 };
const [BOTTOM, TOP] = [0 as BodyId, 1 as BodyId];
/** Up by two metres from the third to the sixth second, and down again from the eighth to the eleventh. */
const LIFT = plate([1, 0.1, 1], [0, 0.1, 0], shuttle([0, 2.1, 0], 3, 2));
/** As slow as a lift may be that nobody sees moving: 1 cm/s. */
const CREEPER = plate([1, 0.1, 1], [0, 0.1, 0], shuttle([0, 1.1, 0], 150, 1));
const TWO_CUBES = [
  [0, 0.46, 0],
  [0, 0.97, 0],
] as const;

function open(level: Level, players = 2): RoomHarness {
  const room = new RoomHarness(
    {
      players,
      scene: { id: 'driven', seed: 1 },
      levels: () => level,
      bots: 'idle',
      seed: 1,
      conditions: CONDITIONS,
      quietFrom: Infinity,
    },
    createRapierSimulation,
  );
  onTestFinished(() => room.dispose());
  return room;
}

function pass(room: RoomHarness, seconds: number, watch: () => void = () => undefined): void {
  for (let step = 0; step < seconds * room.level.rate; step++) {
    room.step();
    watch();
  }
}

/** Metres: how high a body, or a driven body, is drawn. */
function drawn(peer: Peer): { readonly body: (body: BodyId) => number; readonly driven: number } {
  const view = peerView(peer.diagnostics.bodies.records.count);
  peer.view(1, null, view);
  return { body: (body) => view.poses[body * POSE_STRIDE + 1], driven: view.driven[1] };
}

describe('[K1.4] a lift with two cubes on it', () => {
  test('takes them up and down again, on the host and on a guest', () => {
    const room = open(drivenLevel([LIFT], TWO_CUBES));
    const highest = [0, 0];
    pass(room, 10, () => {
      room.peers.forEach((peer, i) => {
        const { body, driven } = drawn(peer);
        highest[i] = Math.max(highest[i], driven);
        const gap = body(BOTTOM) - driven - 0.35;
        // A guest draws what it has heard up to a tick beside the moment of its lift.
        if (room.steps > 60) expect(Math.abs(gap), `at player ${i}, step ${room.steps}`).toBeLessThan(0.03);
      });
    });
    expect(highest).toEqual([expect.closeTo(2.1, 2), expect.closeTo(2.1, 2)]);
    pass(room, 1.5);
    for (const peer of room.peers) {
      expect(drawn(peer).body(TOP)).toBeCloseTo(0.2 + 0.75, 1);
      expect(peer.diagnostics.bodies.records.resting[TOP]).toBe(1);
    }
    expect(room.peers[1].diagnostics.bodies.records.state).toEqual(
      room.peers[0].diagnostics.bodies.records.state,
    );
  });

  test('[K1.5] which sleep while it waits, and wake with it', () => {
    const room = open(drivenLevel([LIFT], TWO_CUBES));
    const [host] = room.peers;
    const { resting } = host.diagnostics.bodies.records;
    pass(room, 1.9);
    expect([resting[BOTTOM], resting[TOP]]).toEqual([1, 1]);
    pass(room, 0.2);
    expect([resting[BOTTOM], resting[TOP]]).toEqual([0, 0]);
  });

  test('[K1.5] never rest on a lift that is as slow as 1 cm/s, nor fall behind it', () => {
    const room = open(drivenLevel([CREEPER], TWO_CUBES));
    const [host] = room.peers;
    pass(room, 20);
    pass(room, 5, () => {
      const { body, driven } = drawn(host);
      const { resting } = host.diagnostics.bodies.records;
      expect([resting[BOTTOM], resting[TOP]]).toEqual([0, 0]);
      expect(Math.abs(body(TOP) - driven - 0.85)).toBeLessThan(0.01);
    });
  });
});

test('[K1.3] a belt takes a cube to its end', () => {
  const belt = plate([2, 0.1, 0.5], [0, 0.1, 0], { kind: 'belt', velocity: vector(1, 0, 0) });
  const room = open(drivenLevel([belt], [[-1.5, 0.46, 0]]));
  const { motion } = room.peers[0].diagnostics.bodies;
  pass(room, 2);
  expect(motion[0 * STRIDE]).toBeGreaterThan(0.2);
  expect(motion[0 * STRIDE]).toBeLessThan(0.6);
  pass(room, 4);
  expect(motion[0 * STRIDE], 'it has fallen off').toBeGreaterThan(2);
});

test('[K1.2] who joins later has the room’s time, a little behind the host', () => {
  const room = open(drivenLevel([LIFT], TWO_CUBES), 3);
  room.miss(2 as Slot);
  room.exit(2 as Slot);
  pass(room, 3.5);
  room.enter(2 as Slot);
  room.join(2 as Slot);
  pass(room, 1);
  const heights = room.peers.map((peer) => drawn(peer).driven);
  // The lift is on its way up, with a metre a second at most, and 0.2 to 0.35 s of difference.
  expect(heights[0] - heights[2]).toBeGreaterThan(0.05);
  expect(heights[0] - heights[2]).toBeLessThan(0.4);
  expect(Math.abs(heights[1] - heights[2]), 'of two guests').toBeLessThan(0.06);
});

test('[K1.6] a reset begins the room’s time anew, and a saved world goes on from its own', () => {
  const level = drivenLevel([LIFT], TWO_CUBES);
  const room = open(level);
  const [host, guest] = room.peers;
  const heights = (): number[] => [host, guest].map((peer) => drawn(peer).driven);
  pass(room, 4.5);
  const [high] = heights();
  const saved = readWorldFile(
    writeWorldFile(host.saveWorld(referTo({ id: 'driven', seed: 1 }, level), 0)),
    () => level,
  );
  if (typeof saved !== 'object') throw new Error(saved);
  expect(high).toBeGreaterThan(0.5);
  host.reset();
  pass(room, 0.5);
  for (const height of heights()) expect(height).toBeCloseTo(0.1, 3);
  host.reset(saved);
  pass(room, 0.5);
  for (const height of heights()) expect(height).toBeGreaterThan(high);
});

test('[K1.4] a lift that jumps throws nothing, however slow it is', () => {
  const slow = plate([1, 0.1, 1], [0, 0.1, 0], shuttle([0, 1.1, 0], 10, 0));
  const room = open(drivenLevel([slow], TWO_CUBES));
  const [host] = room.peers;
  pass(room, 2);
  // A page that slept: its time goes on where the room's is.
  const { driven } = host.state.bodies;
  driven.restart(driven.clock.time + 3 * 60 * 64);
  let fastest = 0;
  pass(room, 1, () => {
    for (let axis = 0; axis < 3; axis++)
      fastest = Math.max(fastest, Math.abs(host.diagnostics.bodies.motion[MOTION.linear + axis]));
  });
  expect(fastest, 'metres a second').toBeLessThan(6);
});

test('[K1.6] after a reset a guest’s lift, too, is never ahead of the host’s', () => {
  const restless = plate([1, 0.1, 1], [0, 0.1, 0], shuttle([0, 2.1, 0], 3, 0));
  const room = open(drivenLevel([restless], TWO_CUBES));
  const [host, guest] = room.peers;
  pass(room, 5.5);
  host.reset();
  let looks = 0;
  pass(room, 1.5, () => {
    if (guest.state.reset !== host.state.reset) return;
    looks++;
    expect(drawn(guest).driven).toBeLessThanOrEqual(drawn(host).driven);
  });
  expect(looks).toBeGreaterThan(30);
});

test('[K1.5] an id whose body is despawned beside a carried one stays at rest, and the world can be saved', () => {
  const belt = plate([2, 0.1, 1], [0, 0.1, 0], { kind: 'belt', velocity: vector(0.05, 0, 0) });
  const plain = drivenLevel([belt], [[0, 0.46, 0]]);
  const spawning = { perPlayer: 1, slots: 1, perSecond: 10, templates: plain.templates };
  const level = { ...plain, spawning };
  const room = open(level);
  const [host] = room.peers;
  const { motion, records } = host.diagnostics.bodies;
  pass(room, 1);
  const [x, y, z] = motion;
  const [template] = plain.templates;
  const pose = { position: vector(x, y, z + 0.51), rotation: { x: 0, y: 0, z: 0, w: 1 } };
  const spawned = host.spawn({ template, pose, linear: vector(), angular: vector() });
  if (typeof spawned !== 'number') throw new Error(spawned);
  pass(room, 0.5);
  expect(host.state.bodies.simulation.contacts.touching(BOTTOM, spawned), 'it lies against the other').toBe(
    true,
  );
  expect(host.despawn(spawned)).toBeNull();
  pass(room, 0.5, () => expect(records.resting[spawned]).toBe(1));
  const file = writeWorldFile(host.saveWorld(referTo({ id: 'driven', seed: 1 }, level), 0));
  expect(typeof readWorldFile(file, () => level)).toBe('object');
});
