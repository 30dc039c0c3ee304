import { beforeAll, expect, onTestFinished, test } from 'vitest';
import { TICK_MS } from '../../../../src/core/base/constants.ts';
import type { Slot } from '../../../../src/core/base/ids.ts';
import { toConnection } from '../../../../src/core/index.ts';
import { playerInput } from '../../../../src/core/hands/hand-input.ts';
import { Peer } from '../../../../src/core/peer/peer.ts';
import { gameLevels } from '../../../../src/levels/levels.ts';
import { createRapierSimulation, loadPhysics } from '../../../../src/physics/rapier-simulation.ts';
import { createLoopback } from '../../../../src/transport/loopback.ts';

const [HOST, GUEST] = [0 as Slot, 1 as Slot];
/** Milliseconds for which a guest must have acked every body before a host relies on it [N3.2]. */
const KNOWS_FOR_MS = 500;

beforeAll(() => loadPhysics());

/** A host in a level of 400 cubes, and a guest that comes in over a network that loses so much of what it is sent. */
function meeting(seed: number, loss: number) {
  const level = gameLevels({ id: 'grid', seed, count: 400 });
  if (level === null) throw new Error('there is no such level');
  const network = createLoopback({ seed, slots: 2, conditions: { latencyMs: 60, loss } });
  const peers = [HOST, GUEST].map((slot) => {
    const peer = new Peer({ slot, host: HOST, level, simulation: createRapierSimulation(level) });
    peer.connect(slot === HOST ? GUEST : HOST, toConnection(1));
    onTestFinished(() => peer.dispose());
    return { peer, transport: network.transportOf(slot), input: playerInput() };
  });
  const [host, guest] = peers.map(({ peer }) => peer);
  let now = 0;
  let brought = 0;
  const tick = (mostBrought = Infinity): number => {
    const nowMs = (now += TICK_MS);
    const isBrought = (to: Peer): boolean => to === host || brought++ < mostBrought;
    for (const { peer, transport, input } of peers) {
      transport.receive(nowMs, (from, bytes) => {
        if (isBrought(peer)) peer.receive(nowMs, from, bytes);
      });
      peer.tick(input);
      peer.poll(
        nowMs,
        (to, bytes) => transport.send(to, bytes),
        (to) => transport.ready(to),
      );
    }
    return nowMs;
  };
  return { host, guest, tick };
}

test.each([
  [1, 0],
  [2, 0.1],
  [3, 0.3],
  [4, 0.5],
  [5, 0.7],
])('[N3.2] who has acked every body has the world half a second later: seed %i, %f lost', (seed, loss) => {
  const { host, guest, tick } = meeting(seed, loss);
  expect(host.hasAcked(GUEST), 'at first').toBe(false);
  let sinceMs: number | null = null;
  for (let nowMs = 0; nowMs - (sinceMs ?? nowMs) < KNOWS_FOR_MS; nowMs = tick()) {
    if (!host.hasAcked(GUEST)) sinceMs = null;
    else sinceMs ??= nowMs;
    expect(nowMs).toBeLessThan(60_000);
  }
  expect(guest.hasWorld).toBe(true);
});

test('[N3.2] who is heard, but hears no more than a first packet, has not acked every body', () => {
  const { host, guest, tick } = meeting(6, 0);
  for (let nowMs = 0; nowMs < 4000;) nowMs = tick(1);
  expect(host.lastReceivedMs(GUEST)).toBeGreaterThan(3500);
  expect([host.hasAcked(GUEST), guest.hasWorld]).toEqual([false, false]);
  for (let nowMs = 0; nowMs < 8000;) nowMs = tick();
  expect([host.hasAcked(GUEST), guest.hasWorld]).toEqual([true, true]);
  host.reset();
  tick();
  expect(host.hasAcked(GUEST), 'of the world that begins anew').toBe(false);
  host.disconnect(GUEST);
  expect(host.hasAcked(GUEST)).toBe(false);
});
