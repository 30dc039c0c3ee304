import { beforeAll, describe, expect, it } from 'vitest';
import type { Hand } from '../../../src/lab/game/hand.ts';
import type { Knock } from '../../../src/lab/game/knocks.ts';
import { HeldKnocks, knocksBetween } from '../../../src/lab/game/knocks.ts';
import { ScriptedPlayer } from '../../../src/lab/game/scripts.ts';
import { BEST_SWITCHES } from '../../../src/lab/switches.ts';
import { LockstepPeer } from '../../../src/lab/models/lockstep.ts';
import { RollbackPeer } from '../../../src/lab/models/rollback.ts';
import { LabNetwork } from '../../../src/lab/network/network.ts';
import type { LabEngines } from '../../../src/lab/run.ts';
import { createRun, loadEngines, play, playMachines, setupOf } from '../play.ts';

const BAD = { latencyMs: 60, jitterMs: 30, loss: 0.05 };
const key = ({ tick, body }: Knock): string => `${tick} ${body}`;

let engines: LabEngines;
beforeAll(async () => {
  engines = await loadEngines();
});

describe('effects that can’t be taken back', () => {
  it('are held until their tick is certain, and change with it until then', () => {
    const held = new HeldKnocks();
    held.put(5, [{ tick: 5, body: 1 }]);
    held.put(6, [{ tick: 6, body: 2 }]);
    expect(held.take(4)).toEqual([]);
    held.put(5, [{ tick: 5, body: 3 }]);
    expect(held.take(5)).toEqual([{ tick: 5, body: 3 }]);
    expect(held.take(6)).toEqual([{ tick: 6, body: 2 }]);
    expect(held.take(9)).toEqual([]);
  });

  it('in rollback each is heard once, and they are those that happened', () => {
    const setup = setupOf(engines, 'deterministic', 'plane', BAD);
    const heard: Knock[] = [];
    const acted: Hand[][] = [[], []];
    const peers = [0, 1].map(
      (self) =>
        new RollbackPeer(setup, self, {
          acted: (tick, hand) => {
            acted[self][tick] = hand;
          },
          heard: (knock) => {
            if (self === 0) heard.push(knock);
          },
        }),
    );
    const network = new LabNetwork(2, 3, BAD);
    const players = [0, 1].map((player) => new ScriptedPlayer(setup.scene, player, 1));
    playMachines(peers, network, players, 300);
    expect(peers[0].report.corrections).toBeGreaterThan(50);
    const world = setup.createWorld(0);
    const happened: Knock[] = [];
    const last = Math.max(...heard.map(({ tick }) => tick));
    for (let tick = 1; tick <= last; tick++) {
      const before = world.motion.slice();
      world.step([acted[0][tick], acted[1][tick]]);
      happened.push(...knocksBetween(before, world.motion, tick));
    }
    expect(heard.length).toBeGreaterThan(3);
    expect(heard.map(key)).toEqual(happened.map(key));
  });

  it('in lockstep are heard at once', () => {
    const setup = setupOf(engines, 'deterministic', 'plane');
    const heard: Knock[] = [];
    const peer = new LockstepPeer(setup, 0, 200, (knock) => heard.push(knock));
    const world = setup.createWorld(0);
    for (let tick = 1; tick <= 100; tick++) {
      peer.tick(setup.scene.homes[0]);
      const before = world.motion.slice();
      world.step(setup.scene.homes);
      expect(heard.filter((knock) => knock.tick === tick)).toEqual(knocksBetween(before, world.motion, tick));
    }
  });
});

describe('rollback’s picture', () => {
  it('is eased: without easing it jumps dozens of times a minute, with it hardly', () => {
    const jumps = (easing: boolean): number => {
      const run = createRun('rollback', engines, {
        conditions: { latencyMs: 100, jitterMs: 20 },
        switches: { ...BEST_SWITCHES, easing },
      });
      play(run, 9);
      const figures = run.figures();
      run.dispose();
      return figures.jumps;
    };
    expect(jumps(false)).toBeGreaterThan(30);
    expect(jumps(true)).toBeLessThan(10);
  });
});
