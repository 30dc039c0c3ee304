import { beforeAll, describe, expect, it } from 'vitest';
import { TICK_MS } from '../../../src/core/base/constants.ts';
import { OrderedIntake } from '../../../src/lab/game/intake.ts';
import { PredictingClient } from '../../../src/lab/models/predicting-client.ts';
import { NumberedHands } from '../../../src/lab/models/prediction.ts';
import { LEAD, RewindingServer } from '../../../src/lab/models/rewinding-server.ts';
import { StateServer } from '../../../src/lab/models/server.ts';
import { BEST_SWITCHES } from '../../../src/lab/switches.ts';
import { LabNetwork } from '../../../src/lab/network/network.ts';
import type { LabFigures } from '../../../src/lab/judge/figures.ts';
import type { LabEngines } from '../../../src/lab/run.ts';
import { ScriptedPlayer } from '../../../src/lab/game/scripts.ts';
import { createRun, loadEngines, play, playMachines, setupOf } from '../play.ts';

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

  it('draws what it pushes as it predicts it, so a pushed cube answers at once; between snapshots it does not', () => {
    const figures = (neighbours: 'predicted' | 'interpolated', latencyMs: number): LabFigures => {
      const run = createRun('prediction', engines, {
        conditions: { latencyMs },
        switches: { ...BEST_SWITCHES, neighbours },
      });
      play(run, 9, [0]);
      const result = run.figures();
      run.dispose();
      return result;
    };
    // Two ticks at most, at any latency.
    expect(figures('predicted', 0).push).toBeLessThan(2.1 * TICK_MS);
    expect(figures('predicted', 150).push).toBeLessThan(2.1 * TICK_MS);
    expect(figures('interpolated', 150).push).toBeGreaterThan(150);
    // Nobody else moves, so it foresees exactly what the server keeps for its tick.
    expect(figures('predicted', 150).errorWorst).toBeLessThan(0.001);
  });

  it('in a gap of inputs the server repeats the last hand, or has the cube stand, as it is told', () => {
    const after = (gap: 'repeat' | 'stand'): number => {
      const setup = { ...setupOf(engines), switches: { ...BEST_SWITCHES, gap } };
      const intakes = setup.scene.homes.map((home) => new OrderedIntake(home));
      let made = 0;
      const server = new StateServer(setup, () => intakes[made++]);
      const home = setup.scene.homes[0];
      intakes[1].take(1, setup.scene.homes[1]);
      for (let tick = 1; tick <= 10; tick++) intakes[0].take(tick, { ...home, x: home.x + 20 * tick });
      for (let tick = 1; tick <= 10; tick++) server.tick();
      const poses = new Float32Array(14 * 7);
      server.view(poses);
      const [x, y] = poses;
      for (let tick = 0; tick < 30; tick++) server.tick();
      server.view(poses);
      expect(Math.abs(poses[1] - y)).toBeLessThan(0.05);
      return poses[0] - x;
    };
    // The cube lags its hand, so with the last hand it still comes nearer.
    expect(after('repeat')).toBeGreaterThan(0.1);
    expect(Math.abs(after('stand'))).toBeLessThan(0.001);
  });

  it('at 25 % loss the server misses no hand, since hands are said again', () => {
    const setup = setupOf(engines);
    const intakes: OrderedIntake[] = [];
    const server = new StateServer(setup, (home) => {
      intakes.push(new OrderedIntake(home));
      return intakes[intakes.length - 1];
    });
    const options = { server: 2, isInterpolated: (): boolean => false };
    const clients = [0, 1].map(
      (player) => new PredictingClient(setup, player, new NumberedHands(setup, player), options),
    );
    const network = new LabNetwork(3, 7, { latencyMs: 50, loss: 0.25 });
    const players = [0, 1].map((player) => new ScriptedPlayer(setup.scene, player, 1));
    const peers = [...clients, server];
    playMachines(peers, network, players, 900);
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

  it('clients predict to a centimetre what the server keeps in the end, if nobody else moves', () => {
    const run = createRun('reconciliation', engines, { conditions: { latencyMs: 100, jitterMs: 40 } });
    play(run, 10, [0]);
    const { error95, errorWorst } = run.figures();
    expect(error95).toBeLessThan(0.015);
    expect(errorWorst).toBeLessThan(0.05);
    run.dispose();
  });

  it('tells a player whose hands are refused, and counts each refused hand once', () => {
    const run = createRun('reconciliation', engines, {
      conditions: { latencyMs: 200 },
      switches: { ...BEST_SWITCHES, window: 100 },
    });
    play(run, 4);
    const { report } = run.game.peers[1];
    expect(report.word).toContain('refuses your hands');
    expect(report.refused).toBeGreaterThan(60);
    expect(report.refused).toBeLessThanOrEqual(run.ticks);
    expect(run.figures().refused).toBeGreaterThan(90);
    run.dispose();
    const patient = createRun('reconciliation', engines, { conditions: { latencyMs: 200 } });
    play(patient, 4);
    expect(patient.game.peers[1].report).toMatchObject({ refused: 0, word: '' });
    patient.dispose();
  });

  it('refuses a hand that comes 460 ms late with a window of 400 ms, and takes one that comes 390 ms late', () => {
    const late = (ticks: number): number => {
      const server = new RewindingServer(setupOf(engines));
      for (let tick = 1; tick <= 60; tick++) server.tick();
      // It would have acted `ticks` ago.
      server.take(0, 60 - ticks - LEAD, hand(0));
      return server.late.dropped;
    };
    expect([late(28), late(23)]).toEqual([1, 0]);
  });
});
