import { beforeAll, describe, expect, it } from 'vitest';
import { TICK_MS, TICK_RATE } from '../../src/core/base/constants.ts';
import type { BodyId, ConnectionId, Slot } from '../../src/core/base/ids.ts';
import { MOTION, STRIDE } from '../../src/core/base/state.ts';
import { playerInput } from '../../src/core/hands/hand-input.ts';
import { Peer } from '../../src/core/peer/peer.ts';
import { peerView } from '../../src/core/peer/shown/peer-view.ts';
import { reachBelow } from '../../src/core/world/extent/extent.ts';
import type { Level } from '../../src/core/world/level.ts';
import { capacityOf } from '../../src/core/world/existence.ts';
import { flatLevel } from '../../src/core/world/level.ts';
import type { Shape } from '../../src/core/world/shape.ts';
import { giants } from '../../src/levels/giants.ts';
import { playground } from '../../src/levels/playground.ts';
import type { Simulation } from '../../src/core/world/simulation.ts';
import { createRapierSimulation, loadPhysics } from '../../src/physics/rapier-simulation.ts';
import { createLoopback } from '../../src/transport/loopback.ts';

beforeAll(loadPhysics);

const [HOST, GUEST] = [0, 1] as Slot[];

type Room = {
  readonly peers: readonly Peer[];
  readonly engines: readonly Simulation[];
  run(ticks: number): void;
};

/** A host and a guest in a level, on a line that loses nothing. */
function room(level: Level): Room {
  const engines = [HOST, GUEST].map(() => createRapierSimulation(level));
  const peers = [HOST, GUEST].map((slot) => new Peer({ slot, host: HOST, level, simulation: engines[slot] }));
  const { transports } = createLoopback({ seed: 1, slots: 2, conditions: { latencyMs: 50 } });
  peers[HOST].connect(GUEST, 1 as ConnectionId);
  peers[GUEST].connect(HOST, 1 as ConnectionId);
  let tick = 0;
  const run = (ticks: number): void => {
    for (const end = tick + ticks; tick < end; tick++) {
      const now = tick * TICK_MS;
      peers.forEach((peer, slot) => {
        transports[slot].receive(now, (from, bytes) => peer.receive(now, from, bytes));
        peer.tick(playerInput());
        peer.poll(
          now,
          (to, bytes) => transports[slot].send(to, bytes),
          (to) => transports[slot].ready(to),
        );
      });
    }
  };
  return { peers, engines, run };
}

/** The bodies that an engine has not put to sleep. */
function awake(engine: Simulation): number[] {
  return Array.from({ length: engine.count }, (_, body) => body).filter(
    (body) => !engine.isAsleep(body as BodyId),
  );
}

function posesOf(peer: Peer, level: Level): number[] {
  const view = peerView(capacityOf(level));
  peer.view(1, null, view);
  return [...view.poses];
}

/** Metres a second by which the pillars of the gate go, to the side and forwards: half of its beam's. */
const SHOVES = [
  [0.35, 0.1],
  [-0.35, 0.1],
] as const;

/** The pillars of the Playground's gate are cylinders of 1.5 m, and its beam is 36 cm wide. */
function isOfGate(shape: Shape): boolean {
  if (shape.kind === 'cylinder') return shape.halfHeight === 0.75;
  return shape.kind === 'box' && shape.halfExtents[2] === 0.18;
}

describe.each([playground(), giants()])('the level $id', (level) => {
  it('is the same whenever it is made, within its bounds, and above its floor', () => {
    expect(level.id === 'giants' ? giants() : playground()).toEqual(level);
    for (const { template, start } of level.bodies) {
      const { x, y, z } = start.position;
      expect(level.templates).toContain(template);
      expect(Math.max(Math.abs(x), Math.abs(z))).toBeLessThan(level.bounds.across);
      expect(y - reachBelow(template.shape, start.rotation)).toBeGreaterThan(-1e-3);
    }
  });

  it('begins with nothing inside anything: no body is pushed away', () => {
    const simulation = createRapierSimulation(level);
    const motion = new Float32Array(simulation.count * STRIDE);
    let fastest = 0;
    for (let tick = 0; tick < 3; tick++) {
      simulation.step();
      simulation.capture(motion);
      for (let body = 0; body < simulation.count; body++) {
        const [x, y, z] = motion.subarray(body * STRIDE + 7, body * STRIDE + 10);
        fastest = Math.max(fastest, Math.hypot(x, Math.max(0, y), z));
      }
    }
    expect(fastest).toBeLessThan(0.3);
    simulation.dispose();
  });

  it('comes to rest within 20 s, asleep on both peers, and the same on them to the bit', () => {
    const { peers, engines, run } = room(level);
    run(20 * 60);
    expect(engines.map(awake)).toEqual([[], []]);
    expect(posesOf(peers[GUEST], level)).toEqual(posesOf(peers[HOST], level));
    for (const engine of engines) engine.dispose();
  });
});

describe('the playground', () => {
  it('has 200 bodies of every shape, and every kind of ground', () => {
    const { bodies, statics } = playground();
    expect(bodies).toHaveLength(200);
    const kinds = new Set(bodies.map(({ template }) => template.shape.kind));
    expect([...kinds].sort()).toEqual(['ball', 'box', 'capsule', 'compound', 'cone', 'cylinder', 'hull']);
    expect(new Set(statics.map(({ shape }) => shape.kind))).toEqual(new Set(['box', 'mesh', 'height field']));
  });

  it('has a slope on which a box slides, and two on which friction holds it', () => {
    const level = playground();
    const simulation = createRapierSimulation(level);
    const motion = new Float32Array(simulation.count * STRIDE);
    for (let tick = 0; tick < 300; tick++) simulation.step();
    simulation.capture(motion);
    const onSlopes = level.bodies.length - 3;
    const fell = [0, 1, 2].map(
      (i) => level.bodies[onSlopes + i].start.position.y - motion[(onSlopes + i) * STRIDE + 1],
    );
    expect(Math.max(...fell.slice(0, 2))).toBeLessThan(0.05);
    expect(fell[2]).toBeGreaterThan(0.8);
    simulation.dispose();
  });

  it.each(SHOVES)('has a gate that stands still again after a shove of %d and %d m/s', (x, z) => {
    const gate = playground().bodies.filter(({ template }) => isOfGate(template.shape));
    expect(gate).toHaveLength(3);
    const simulation = createRapierSimulation(flatLevel('gate', gate));
    const motion = new Float32Array(simulation.count * STRIDE);
    simulation.capture(motion);
    gate.forEach(({ template }, body) => {
      const isPillar = template.shape.kind === 'cylinder';
      const to = body * STRIDE;
      motion.set(isPillar ? [x, 0, z] : [2 * x, 0, 2 * z], to + MOTION.linear);
      // The pillars tilt about their feet.
      if (isPillar) motion.set([z / 0.75, 0, -x / 0.75], to + MOTION.angular);
      simulation.write(body as BodyId, motion);
    });
    for (let tick = 0; tick < 16 * TICK_RATE; tick++) simulation.step();
    simulation.capture(motion);
    const beam = gate.findIndex(({ template }) => template.shape.kind === 'box') * STRIDE;
    expect(motion[beam + 1]).toBeCloseTo(1.6, 2);
    expect(Math.hypot(...motion.subarray(beam + MOTION.linear, beam + STRIDE))).toBeLessThan(0.01);
    simulation.dispose();
  });
});

describe('[R3] towers of cubes of a metre', () => {
  it.each([20, 30])('[R3.1] %i of them stand, sleep, and are the same on both peers to the bit', (high) => {
    const { template } = giants().bodies[0];
    const level = flatLevel(
      'tower',
      Array.from({ length: high }, (_, i) => ({
        template,
        start: { position: { x: 0, y: 0.5 + i, z: 0 }, rotation: { x: 0, y: 0, z: 0, w: 1 } },
      })),
    );
    const { peers, engines, run } = room(level);
    run(15 * 60);
    expect(engines.map(awake)).toEqual([[], []]);
    const poses = posesOf(peers[HOST], level);
    expect(poses[(high - 1) * 7 + 1]).toBeGreaterThan((high - 0.5) * 0.985);
    expect(posesOf(peers[GUEST], level)).toEqual(poses);
    run(5 * 60);
    expect(posesOf(peers[HOST], level)).toEqual(poses);
    for (const engine of engines) engine.dispose();
  });
});
