import { TICK_RATE } from '../../core/base/constants.ts';
import type { LabFigures } from '../judge/figures.ts';
import type { LabModel } from '../lab-model.ts';
import type { LabEngines } from '../run.ts';
import { LabRun } from '../run.ts';
import type { LabSwitches } from '../switches.ts';
import type { LabSceneName, PlayerCount } from '../game/scenes.ts';
import { ScriptedPlayer } from '../game/scripts.ts';

/** The conditions that a sweep varies. */
export const AXES = ['latency', 'loss', 'rate'] as const;
export type Axis = (typeof AXES)[number];

export const AXIS_TITLES: Readonly<Record<Axis, string>> = {
  latency: 'latency one way, ms',
  loss: 'loss, % of the packets',
  rate: 'snapshots a second',
};

/** The network, the rate of states, the players and the models' switches, as people say it. */
export type LabConditions = {
  /** Milliseconds one way, and the most that is added at random. */
  readonly latency: number;
  readonly jitter: number;
  /** Per cent of the packets. */
  readonly loss: number;
  readonly duplicate: number;
  /** Packets a second with states of bodies; null for each model's own. */
  readonly rate: number | null;
  readonly channel: 'datagram' | 'dataChannel';
  readonly players: PlayerCount;
  readonly switches: LabSwitches;
};

export type SweepOptions = {
  readonly models: readonly LabModel[];
  readonly scene: LabSceneName;
  /** Each model is played at each value with each of these seeds. */
  readonly seeds: readonly number[];
  readonly seconds: number;
  readonly conditions: LabConditions;
  readonly axis: Axis;
  readonly values: readonly number[];
  readonly engines: LabEngines;
  readonly clock?: () => number;
};

/** The figures of one run. */
export type SweepRow = {
  readonly model: string;
  readonly value: number;
  readonly seed: number;
  readonly figures: LabFigures;
};

/** A run that has just finished, and how many of all runs have. */
export type SweepStep = { readonly row: SweepRow; readonly finished: number; readonly runs: number };

/** Makes a model's run under conditions; the same for pages, sweeps and command lines. */
export function createLabRun(
  model: LabModel,
  what: Pick<SweepOptions, 'scene' | 'engines' | 'clock'> & { readonly seed: number },
  conditions: LabConditions,
): LabRun {
  const { scene, seed, engines, clock } = what;
  return new LabRun(model, {
    scene,
    seed,
    engines,
    rate: conditions.rate,
    players: conditions.players,
    switches: conditions.switches,
    conditions: {
      latencyMs: conditions.latency,
      jitterMs: conditions.jitter,
      loss: conditions.loss / 100,
      duplicate: conditions.duplicate / 100,
      channel: conditions.channel,
    },
    ...(clock === undefined ? {} : { clock }),
  });
}

/** The number of runs in a sweep. */
export function runsOf({
  models,
  values,
  seeds,
}: Record<'models' | 'values' | 'seeds', readonly unknown[]>): number {
  return models.length * values.length * seeds.length;
}

/**
 * Plays each model at each value with each seed, by scripted hands. It yields after each run. All of the first
 * seed come first, so that a chart of them is whole before the others add their spread.
 */
export function* sweep(options: SweepOptions): Generator<SweepStep, void> {
  const runs = runsOf(options);
  let finished = 0;
  for (const seed of options.seeds) {
    for (const value of options.values) {
      for (const model of options.models) {
        const row = { model: model.id, value, seed, figures: playOne(model, value, seed, options) };
        yield { row, finished: ++finished, runs };
      }
    }
  }
}

/** Seconds of each model that do not count. */
const WARM_UP_SECONDS = 3;

/**
 * Plays each model for a moment, and forgets it. Cold code is slow: without this the first rows of a sweep would
 * have the most work.
 */
export function warmUp(options: SweepOptions): void {
  const { models, values, seeds } = options;
  for (const model of models)
    playOne(model, values[0], seeds[0], { ...options, seconds: Math.min(WARM_UP_SECONDS, options.seconds) });
}

function playOne(model: LabModel, value: number, seed: number, options: SweepOptions): LabFigures {
  const { conditions, axis, seconds } = options;
  const run = createLabRun(model, { ...options, seed }, { ...conditions, [axis]: value });
  try {
    const players = run.scene.homes.map((_, player) => new ScriptedPlayer(run.scene, player, seed));
    while (run.ticks < seconds * TICK_RATE) run.step(players.map((player) => player.hand(run.ticks + 1)));
    return run.figures();
  } finally {
    run.dispose();
  }
}
