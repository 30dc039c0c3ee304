import { beforeAll, describe, expect, it } from 'vitest';
import type { ConnectionId, Slot } from '../../src/core/index.ts';
import { inspect, Peer, peerView, playerInput, POSE_STRIDE, TICK_MS } from '../../src/core/index.ts';
import { createRapierSimulation, loadPhysics } from '../../src/physics/rapier-simulation.ts';
import { createLoopback } from '../../src/transport/loopback.ts';
import { createLevel } from '../../src/levels/levels.ts';

describe("the library's face", () => {
  beforeAll(loadPhysics);

  it('is enough to run a host and a guest without a page', () => {
    const scene = createLevel({ id: 'tower', seed: 1 });
    const loopback = createLoopback({ seed: 1, slots: 2, conditions: { latencyMs: 20 } });
    const peers = [0, 1].map((slot) => {
      const simulation = createRapierSimulation(scene);
      return new Peer({
        slot: slot as Slot,
        host: 0 as Slot,
        level: scene,
        simulation,
        name: `Player ${slot}`,
      });
    });
    peers[0].connect(1 as Slot, 1 as ConnectionId);
    peers[1].connect(0 as Slot, 1 as ConnectionId);
    const input = playerInput();
    for (let now = 0; now < 4000; now += TICK_MS) {
      for (const peer of peers) {
        const transport = loopback.transports[peer.diagnostics.slot];
        transport.receive(now, (from, bytes) => peer.receive(now, from, bytes));
        peer.tick(input);
        peer.poll(
          now,
          (to, bytes) => transport.send(to, bytes),
          (to) => transport.ready(to),
        );
      }
    }
    const view = peerView(scene.bodies.length);
    peers[1].view(1, null, view);
    const [host, guest] = peers.map(inspect);
    expect(view.poses[19 * POSE_STRIDE + 1], 'height of the top cube').toBeGreaterThan(9.6);
    expect(guest.bodies.map((body) => body.position)).toEqual(host.bodies.map((body) => body.position));
    expect(guest.bodies.every((body) => body.asleep)).toBe(true);
    expect(view.avatars[0].name).toBe('Player 0');
    expect(guest.links[0].roundTripMs).toBeGreaterThan(40);
  });
});
