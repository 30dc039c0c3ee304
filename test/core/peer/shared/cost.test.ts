import { expect, test } from 'vitest';
import type { Slot } from '../../../../src/core/base/ids.ts';
import { TICK_MS } from '../../../../src/core/base/constants.ts';
import { playerInput } from '../../../../src/core/hands/hand-input.ts';
import { Peer } from '../../../../src/core/peer/peer.ts';
import type { SharedSchema } from '../../../../src/core/shared/schema.ts';
import { createLoopback } from '../../../../src/transport/loopback.ts';
import { connection } from '../../room/samples.ts';
import { floatingSimulation } from '../../../support/bodiless.ts';
import { SCHEMA } from '../../../support/shared-room.ts';
import { apart, sceneOf } from '../../../support/stage.ts';

const [HOST, GUEST] = [0 as Slot, 1 as Slot];
const SECONDS = 60;

/** Bytes that a host sends to a guest whose head moves in every tick, after the first two seconds. */
function bytesSent(schema: SharedSchema | null): number {
  const level = sceneOf(apart(8));
  const network = createLoopback({ seed: 1, slots: 2, conditions: { latencyMs: 50 } });
  const peers = [HOST, GUEST].map(
    (slot) => new Peer({ slot, host: HOST, level, simulation: floatingSimulation(level), schema }),
  );
  peers[0].connect(GUEST, connection(1));
  peers[1].connect(HOST, connection(1));
  const input = playerInput();
  let before = 0;
  for (let tick = 0; tick < SECONDS * 60; tick++) {
    const now = tick * TICK_MS;
    network.now = now;
    input.head.position.x = Math.sin(tick / 10);
    for (const [slot, peer] of peers.entries()) {
      network.transports[slot].receive(now, (from, bytes) => peer.receive(now, from, bytes));
      peer.tick(input);
      peer.poll(now, (to, bytes) => network.transports[slot].send(to, bytes));
    }
    if (tick === 120) before = peers[0].traffic(GUEST).bytesSent;
  }
  const bytes = peers[0].traffic(GUEST).bytesSent - before;
  for (const peer of peers) peer.dispose();
  return bytes;
}

test('[V1.3] a schema of which nothing changes costs less than a bit a packet', () => {
  const packets = (SECONDS - 2) * 60;
  const more = (bytesSent(SCHEMA) - bytesSent(null)) * 8;
  expect(more / packets).toBeLessThan(0.1);
  expect(more).toBeGreaterThanOrEqual(0);
});
