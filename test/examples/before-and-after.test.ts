import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import type { Slot } from '../../src/core/base/ids.ts';
import { toConnection, toSlot } from '../../src/core/base/ids.ts';
import type { Vector } from '../../src/core/base/math.ts';
import { REST_TOLERANCE, TICK_MS } from '../../src/core/base/constants.ts';
import type { Transport } from '../../src/core/link/transport.ts';
import { Peer } from '../../src/core/peer/peer.ts';
import { runTick } from '../../src/core/run-tick.ts';
import { adopt } from '../../src/physics/lent/adopt.ts';
import type { OwnWorld } from '../../src/room/shared-game.ts';
import { createLoopback } from '../../src/transport/loopback.ts';

const FOLDER = 'examples/before-and-after';

type Game = { tick(): void; kick(ball: number): void };
type Draw = (ball: number, place: Vector) => void;
/** The part of a room that the examples use. */
type ExampleRoom = { readonly peer: Peer; tick(): void };
type Join = (shared: OwnWorld) => Promise<ExampleRoom>;
/** The examples are plain JavaScript. */
type Before = { createGame(draw: Draw): Game };
type After = { createGame(draw: Draw, join: Join): Promise<Game> };

const before = (await import(`../../${FOLDER}/before.js`)) as Before;
const after = (await import(`../../${FOLDER}/after.js`)) as After;

/** Ticks: half a minute. */
const TICKS = 1800;

it('the game for two differs from the game for one in at most eight lines', () => {
  const [one, two] = ['before', 'after'].map((name) =>
    readFileSync(`${FOLDER}/${name}.js`, 'utf8')
      .split('\n')
      .filter((line) => line.trim() !== ''),
  );
  const added = two.filter((line) => !one.includes(line));
  const removed = one.filter((line) => !two.includes(line));
  expect(added.length).toBeLessThanOrEqual(8);
  expect(removed.length).toBeLessThanOrEqual(added.length);
  expect(added.join('\n')).toContain('await join(');
});

it('alone, balls roll onto the lift, which carries them', () => {
  const places: Vector[] = [];
  const game = before.createGame((ball, place) => (places[ball] = place));
  for (let tick = 0; tick < TICKS; tick++) {
    if (tick === 200) game.kick(0);
    if (tick === 230) game.kick(1);
    game.tick();
  }
  expect(Math.max(...places.map(({ y }) => y))).toBeCloseTo(0.7, 1);
});

/** A room of two over a simulated network. */
function joinBy(transport: Transport, slot: Slot, host: Slot, other: Slot): Join {
  return ({ engine, world, bodies }) => {
    const { level, simulation } = adopt(engine, world, bodies);
    const peer = new Peer({ slot, host, level, simulation, avatar: false });
    peer.connect(other, toConnection(1));
    let ticks = 0;
    return Promise.resolve({ peer, tick: () => runTick(peer, transport, ++ticks * TICK_MS) });
  };
}

it('for two over a bad network, the players see the same, and both can kick', async () => {
  const network = createLoopback({ seed: 1, slots: 2, conditions: { latencyMs: 50, loss: 0.05 } });
  const [host, guest] = [toSlot(0), toSlot(1)];
  const places: Vector[][] = [[], []];
  const games = await Promise.all(
    [
      [host, guest],
      [guest, host],
    ].map(([slot, other]) =>
      after.createGame(
        (ball, place) => (places[slot][ball] = place),
        joinBy(network.transportOf(slot), slot, host, other),
      ),
    ),
  );
  let leftmost = Infinity;
  for (let tick = 0; tick < TICKS; tick++) {
    if (tick === 200) games[guest].kick(0);
    if (tick === 230) games[host].kick(1);
    for (const game of games) game.tick();
    if (tick === 215) leftmost = places[host][0].x;
  }
  expect(places[host]).toHaveLength(3);
  expect(leftmost, 'the guest’s kick, as the host sees it').toBeLessThan(2);
  for (let ball = 0; ball < 3; ball++)
    for (const axis of ['x', 'y', 'z'] as const)
      expect(Math.abs(places[host][ball][axis] - places[guest][ball][axis])).toBeLessThan(2 * REST_TOLERANCE);
  expect(Math.max(...places[host].map(({ y }) => y)), 'on the lift').toBeCloseTo(0.7, 1);
});
