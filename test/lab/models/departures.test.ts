import { beforeAll, describe, expect, it } from 'vitest';
import { GONE_AFTER } from '../../../src/lab/game/departures.ts';
import { ScriptedPlayer } from '../../../src/lab/game/scripts.ts';
import { LockstepPeer } from '../../../src/lab/models/lockstep.ts';
import { RollbackPeer } from '../../../src/lab/models/rollback.ts';
import { LabNetwork } from '../../../src/lab/network/network.ts';
import type { LabEngines } from '../../../src/lab/run.ts';
import { createRun, loadEngines, play, playMachines, setupOf } from '../play.ts';

let engines: LabEngines;
beforeAll(async () => {
  engines = await loadEngines();
});

describe('a player who vanishes from lockstep', () => {
  it('of two: after five seconds the other goes on alone, and is told', () => {
    const run = createRun('lockstep', engines, { conditions: { latencyMs: 30 } });
    play(run, 2);
    const { report } = run.game.peers[1];
    run.stall(0, 100_000);
    play(run, 4.5);
    expect(report.word).toContain('Waiting');
    const before = report.worldTick;
    play(run, 2);
    expect(report.word).toContain('gone for five seconds');
    expect(report.worldTick - before).toBeGreaterThan(60);
    run.dispose();
  });

  it('of rollback with three: the others go on, with the same hashes', () => {
    const conditions = { latencyMs: 60, jitterMs: 40, loss: 0.2 };
    const setup = setupOf(engines, 'deterministic', 'plane', {}, 3);
    const peers = [0, 1, 2].map((self) => new RollbackPeer(setup, self));
    const network = new LabNetwork(3, 5, conditions);
    const players = [0, 1, 2].map((player) => new ScriptedPlayer(setup.scene, player, 5));
    const vanishes = 195;
    playMachines(
      peers,
      network,
      players,
      vanishes + GONE_AFTER + 150,
      (self, tick) => self !== 2 || tick <= vanishes,
    );
    const [a, b] = peers;
    const both = Math.min(a.hashes.newest, b.hashes.newest);
    expect(both).toBeGreaterThan(vanishes + 100);
    for (let tick = 1; tick <= both; tick++) expect(a.hashes.at(tick)).toBe(b.hashes.at(tick));
    expect(a.report.word).toContain('gone for five seconds');
  });

  it.each([3, 8, 11])(
    'of three, over a network with loss: the two others agree on its last hand, tick for tick (seed %i)',
    (seed) => {
      const setup = setupOf(engines, 'deterministic', 'plane', {}, 3);
      const peers = [0, 1, 2].map((self) => new LockstepPeer(setup, self, 8));
      const network = new LabNetwork(3, seed, { latencyMs: 60, jitterMs: 60, loss: 0.2 });
      const players = [0, 1, 2].map((player) => new ScriptedPlayer(setup.scene, player, seed));
      // In the middle of a stroke of its hand.
      const vanishes = 190 + seed;
      playMachines(
        peers,
        network,
        players,
        vanishes + GONE_AFTER + 200,
        (self, tick) => self !== 2 || tick <= vanishes,
      );
      const [a, b] = peers;
      const both = Math.min(a.report.worldTick, b.report.worldTick);
      expect(both).toBeGreaterThan(vanishes + 100);
      for (let tick = 1; tick <= both; tick++) expect(a.hashes.at(tick)).toBe(b.hashes.at(tick));
      expect([a, b].map(({ report }) => report.word.slice(0, 24))).toEqual(
        Array(2).fill('A player has been gone f'),
      );
    },
  );
});
