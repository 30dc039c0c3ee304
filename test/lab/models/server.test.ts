import { beforeAll, describe, expect, it } from 'vitest';
import { TICK_MS } from '../../../src/core/base/constants.ts';
import { OrderedIntake } from '../../../src/lab/game/intake.ts';
import { PredictingClient } from '../../../src/lab/models/prediction.ts';
import { RewindingServer } from '../../../src/lab/models/reconciliation.ts';
import { StateServer } from '../../../src/lab/models/server.ts';
import { LabNetwork } from '../../../src/lab/network/network.ts';
import type { LabEngines } from '../../../src/lab/run.ts';
import { ScriptedPlayer } from '../../../src/lab/game/scripts.ts';
import { createRun, loadEngines, play, setupOf } from '../play.ts';

let engines: LabEngines;
beforeAll(async () => {
  engines = await loadEngines();
});

describe('prediction', () => {
  it('without latency never corrects', () => {
    const run = createRun('prediction', engines);
    play(run, 8, [0]);
    expect(run.game.peers[1].report.corrections).toBe(0);
    run.dispose();
  });

  it('corrects where the other player has moved what it pushes', () => {
    const run = createRun('prediction', engines, { scene: 'push', conditions: { latencyMs: 100 } });
    play(run, 12);
    expect(run.game.peers[1].report.corrections).toBeGreaterThan(10);
    run.dispose();
  });

  it('at 25 % loss the server misses no hand, since hands are said again', () => {
    const setup = setupOf(engines);
    const intakes: OrderedIntake[] = [];
    const server = new StateServer(setup, (home) => {
      intakes.push(new OrderedIntake(home));
      return intakes[intakes.length - 1];
    });
    const options = { lead: 0, tickOf: (_: unknown, line: { applied: number }): number => line.applied };
    const clients = [0, 1].map((player) => new PredictingClient(setup, player, options));
    const network = new LabNetwork(3, 7, { latencyMs: 50, loss: 0.25 });
    const players = [0, 1].map((player) => new ScriptedPlayer(setup.scene, player, 1));
    const peers = [...clients, server];
    for (let tick = 1; tick <= 900; tick++) {
      const now = tick * TICK_MS;
      const hands = players.map((player) => player.hand(tick));
      peers.forEach((peer, self) => {
        network.receive(now, self, (from, bytes) => peer.receive(now, from, bytes));
        peer.tick(hands[self] ?? hands[0]);
        peer.poll(now, (to, bytes) => network.send(now, self, to, bytes));
      });
    }
    for (const intake of intakes) {
      expect(intake.missing).toBe(0);
      expect(intake.applied).toBeGreaterThan(900 - 20);
    }
  });

  it.each([60, 15, 2])(
    'takes snapshots %i times a second, and its own cube follows at once all the same',
    (rate) => {
      const run = createRun('prediction', engines, { rate, conditions: { latencyMs: 80 } });
      play(run, 8, [0]);
      expect(run.figures().delay).toBeLessThan(100);
      run.dispose();
    },
  );
});

describe('hands that come late, at a server that goes back', () => {
  const hand = (x: number): { x: number; y: number; z: number } => ({ x, y: 87, z: 0 });

  /** Ticks a server; `comes` says which of player 0's hands arrive before which of its ticks. */
  function serve(comes: Readonly<Record<number, readonly number[]>>, ticks = 20): RewindingServer {
    const server = new RewindingServer(setupOf(engines));
    for (let tick = 1; tick <= ticks; tick++) {
      for (const late of comes[tick] ?? []) server.take(0, late, hand(-800 + late * 40));
      server.tick();
    }
    return server;
  }
  const posesOf = (server: RewindingServer): number[] => {
    const out = new Float32Array(14 * 7);
    server.view(out);
    return [...out];
  };
  const inTime = { 1: [1, 2], 2: [3], 3: [4], 4: [5], 5: [6], 6: [7, 8] };

  it.each([
    ['one late', { 1: [1, 2], 2: [3], 3: [4], 4: [5], 5: [6], 14: [7], 6: [8] }],
    ['in reverse', { 15: [8, 7, 6, 5, 4, 3, 2, 1] }],
    ['all mixed, some twice', { 4: [3, 8], 7: [1, 3], 9: [6, 2], 12: [8, 4], 13: [7, 5] }],
  ])('%s: they are placed where they belong, and all ends as if they had been in time', (_, comes) => {
    const server = serve(comes);
    expect(server.late.inserted).toBeGreaterThan(0);
    expect(posesOf(server)).toEqual(posesOf(serve(inTime)));
  });

  it('beyond the window they are dropped, and counted', () => {
    const server = serve({ ...inTime, 5: [], 36: [6] }, 40);
    expect(server.late).toEqual({ inserted: 0, dropped: 1 });
  });

  it('clients predict right but for what others do', () => {
    const run = createRun('reconciliation', engines, { conditions: { latencyMs: 100, jitterMs: 40 } });
    play(run, 10, [0]);
    expect(run.game.peers[1].report.corrections).toBeLessThan(5);
    run.dispose();
  });
});
