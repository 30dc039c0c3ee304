import { beforeAll, describe, expect, it } from 'vitest';
import { TICK_MS } from '../../../src/core/base/constants.ts';
import { LockstepPeer } from '../../../src/lab/models/lockstep.ts';
import { RollbackPeer } from '../../../src/lab/models/rollback.ts';
import { LabNetwork } from '../../../src/lab/network/network.ts';
import type { LabEngines } from '../../../src/lab/run.ts';
import { ScriptedPlayer } from '../../../src/lab/game/scripts.ts';
import { createRun, loadEngines, play, playMachines, scripted, setupOf } from '../play.ts';

const BAD = { latencyMs: 60, jitterMs: 30, loss: 0.05 };

describe('lockstep', () => {
  let engines: LabEngines;
  beforeAll(async () => {
    engines = await loadEngines();
  });

  it('has equal hashes for 10,000 ticks over a bad network', () => {
    const setup = setupOf(engines, 'deterministic', 'push', BAD);
    const peers = [new LockstepPeer(setup, 0, 8), new LockstepPeer(setup, 1, 8)];
    const network = new LabNetwork(2, 3, BAD);
    const players = [0, 1].map((player) => new ScriptedPlayer(setup.scene, player, 1));
    let compared = 0;
    for (let tick = 1; compared < 10_000 && tick < 20_000; tick++) {
      const now = tick * TICK_MS;
      const hands = players.map((player) => player.hand(tick));
      peers.forEach((peer, self) => {
        network.receive(now, self, (from, bytes) => peer.receive(now, from, bytes));
        peer.tick(hands[self]);
        peer.poll(now, (to, bytes) => network.send(now, self, to, bytes));
      });
      const both = Math.min(peers[0].report.worldTick, peers[1].report.worldTick);
      for (; compared < both; compared++) {
        expect(peers[0].hashes.at(compared + 1)).toBe(peers[1].hashes.at(compared + 1));
      }
    }
    expect(compared).toBe(10_000);
    expect(peers.map(({ report }) => report.word)).toEqual(['', '']);
  });

  it('stands still for all while one player stalls, says so, and goes on after it', () => {
    const run = createRun('lockstep', engines, { conditions: { latencyMs: 30 } });
    play(run, 3);
    const { report } = run.game.peers[1];
    const before = report.worldTick;
    run.stall(0, 60);
    play(run, 0.9);
    expect(report.worldTick - before).toBeLessThan(12);
    expect(report.word).toContain('Waiting');
    play(run, 1);
    expect(report.worldTick - before).toBeGreaterThan(40);
    expect(report.word).toBe('');
    run.dispose();
  });

  it('says when the worlds have come apart', () => {
    const run = createRun('lockstep', engines);
    const hands = scripted(run);
    // Another scene at one end: as another version of the game would be.
    const other = new LockstepPeer(setupOf(engines, 'deterministic', 'push'), 0, 4);
    const here = new LockstepPeer(setupOf(engines, 'deterministic', 'plane'), 1, 4);
    for (let tick = 1; tick < 30; tick++) {
      other.tick(hands(tick)[0]);
      here.tick(hands(tick)[1]);
      other.poll(0, (_to, bytes) => here.receive(0, 0, bytes));
      here.poll(0, (_to, bytes) => other.receive(0, 1, bytes));
    }
    expect(here.report.word).toContain('no longer the same');
    expect(other.report.word).toContain('no longer the same');
    run.dispose();
  });
});

describe('rollback', () => {
  let engines: LabEngines;
  beforeAll(async () => {
    engines = await loadEngines();
  });

  it('ends up with the very state that lockstep has for the same hands', () => {
    const ticks = 240;
    const setup = setupOf(engines, 'deterministic', 'plane', BAD);
    const acted: Record<string, ReturnType<ScriptedPlayer['hand']>> = {};
    const peers = [0, 1].map(
      (self) =>
        new RollbackPeer(setup, self, {
          acted: (tick, hand) => {
            acted[`${self} ${tick}`] = hand;
          },
        }),
    );
    const network = new LabNetwork(2, 3, BAD);
    const players = [0, 1].map((player) => new ScriptedPlayer(setup.scene, player, 1));
    playMachines(peers, network, players, ticks + 60);
    expect(peers[0].report.corrections).toBeGreaterThan(50);
    const plain = setup.createWorld(0);
    for (let tick = 1; tick <= ticks; tick++) {
      plain.step([0, 1].map((player) => acted[`${player} ${tick}`]));
      expect(peers[0].hashes.at(tick)).toBe(plain.hash());
      expect(peers[1].hashes.at(tick)).toBe(plain.hash());
    }
  });
});
