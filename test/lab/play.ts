import { TICK_MS, TICK_RATE } from '../../src/core/base/constants.ts';
import type { LinkConditions } from '../../src/netsim/network-simulator.ts';
import type { Hand } from '../../src/lab/game/hand.ts';
import type { GameSetup, LabPeer } from '../../src/lab/lab-model.ts';
import type { LabNetwork } from '../../src/lab/network/network.ts';
import { BEST_SWITCHES } from '../../src/lab/switches.ts';
import { modelOf } from '../../src/lab/models.ts';
import type { LabEngines, RunOptions } from '../../src/lab/run.ts';
import { LabRun } from '../../src/lab/run.ts';
import type { LabSceneName, PlayerCount } from '../../src/lab/game/scenes.ts';
import { createLabScene } from '../../src/lab/game/scenes.ts';
import { ScriptedPlayer } from '../../src/lab/game/scripts.ts';
import { LabWorld } from '../../src/lab/game/world.ts';
import { loadDeterministicEngine } from '../../src/physics/deterministic.ts';
import { loadedEngine, loadPhysics } from '../../src/physics/engine.ts';
import { createRestorableSimulation } from '../../src/physics/rapier-simulation.ts';

export async function loadEngines(): Promise<LabEngines> {
  await loadPhysics();
  return { fastest: loadedEngine(), deterministic: await loadDeterministicEngine() };
}

/** A run of a model by its id. */
export function createRun(id: string, engines: LabEngines, options: Partial<RunOptions> = {}): LabRun {
  const model = modelOf(id);
  if (model === undefined) throw new Error(`there is no model ${id}`);
  return new LabRun(model, { scene: 'plane', seed: 1, conditions: {}, rate: null, engines, ...options });
}

/** The hands of both players, tick by tick; those in `still` never move. */
export function scripted(run: LabRun, still: readonly number[] = []): (tick: number) => Hand[] {
  const players = run.scene.homes.map((_, player) => new ScriptedPlayer(run.scene, player, 1));
  return (tick) =>
    players.map((player, i) => {
      const hand = player.hand(tick);
      return still.includes(i) ? run.scene.homes[i] : hand;
    });
}

/** Plays for some seconds; `each` is called after each tick. */
export function play(run: LabRun, seconds: number, still: readonly number[] = [], each?: () => void): void {
  const hands = scripted(run, still);
  for (let i = 0; i < seconds * TICK_RATE; i++) {
    run.step(hands(run.ticks + 1));
    each?.();
  }
}

/** The parts of a model's machines, for tests that build them one by one. */
export function setupOf(
  engines: LabEngines,
  engine: keyof LabEngines = 'fastest',
  scene: LabSceneName = 'plane',
  conditions: Partial<LinkConditions> = {},
  players: PlayerCount = 2,
): GameSetup {
  const made = createLabScene(scene, 1, players);
  const createSimulation = (): ReturnType<typeof createRestorableSimulation> =>
    createRestorableSimulation(made.level, engines[engine]);
  return {
    scene: made,
    switches: BEST_SWITCHES,
    firstTick: () => 0,
    sendEvery: 1,
    pathTicks: ((conditions.latencyMs ?? 0) + (conditions.jitterMs ?? 0)) / TICK_MS,
    createSimulation,
    createWorld: () => new LabWorld(createSimulation()),
  };
}

/** A machine of a game, as `playMachines` needs it. */
type Machine = Pick<LabPeer, 'receive' | 'tick' | 'poll'>;

/**
 * Plays machines over a network, tick by tick, with scripted hands; a machine beyond the players is a server.
 * @param isAwake machines for which it is false stand still in that tick.
 */
export function playMachines(
  machines: readonly Machine[],
  network: LabNetwork,
  players: readonly ScriptedPlayer[],
  ticks: number,
  isAwake: (machine: number, tick: number) => boolean = () => true,
): void {
  for (let tick = 1; tick <= ticks; tick++) {
    const now = tick * TICK_MS;
    const hands = players.map((player) => player.hand(tick));
    machines.forEach((machine, self) => {
      if (!isAwake(self, tick)) return;
      network.receive(now, self, (from, bytes) => machine.receive(now, from, bytes));
      machine.tick(hands[self] ?? hands[0]);
      machine.poll(now, (to, bytes) => network.send(now, self, to, bytes));
    });
  }
}
