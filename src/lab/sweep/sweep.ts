import { TICK_RATE } from '../../core/base/constants.ts';
import type { LabFigures } from '../judge/figures.ts';
import type { LabModel } from '../lab-model.ts';
import type { LabEngines } from '../run.ts';
import { LabRun } from '../run.ts';
import type { LabSceneName } from '../game/scenes.ts';
import { ScriptedPlayer } from '../game/scripts.ts';

/** The conditions that a sweep varies. */
export const AXES = ['latency', 'loss', 'rate'] as const;
export type Axis = (typeof AXES)[number];

export const AXIS_TITLES: Readonly<Record<Axis, string>> = {
  latency: 'latency one way, ms',
  loss: 'loss, % of the packets',
  rate: 'snapshots a second',
};

/** The network, and the rate of states, as people say it. */
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
};

export type SweepOptions = {
  readonly models: readonly LabModel[];
  readonly scene: LabSceneName;
  readonly seed: number;
  readonly seconds: number;
  readonly conditions: LabConditions;
  readonly axis: Axis;
  readonly values: readonly number[];
  readonly engines: LabEngines;
  readonly clock?: () => number;
};

export type SweepRow = { readonly model: string; readonly value: number; readonly figures: LabFigures };

/** Makes a model's run under conditions; the same for pages, sweeps and command lines. */
export function createLabRun(
  model: LabModel,
  what: Pick<SweepOptions, 'scene' | 'seed' | 'engines' | 'clock'>,
  conditions: LabConditions,
): LabRun {
  const { scene, seed, engines, clock } = what;
  return new LabRun(model, {
    scene,
    seed,
    engines,
    rate: conditions.rate,
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

/** Ticks that are played between two looks at whether to go on: some milliseconds of work. */
const AT_ONCE = 30;

/**
 * Plays each model at each value, by scripted hands. It yields often, so that a page can draw in between; it
 * yields the progress, 0 to 1, and a row when one is done.
 */
export function* sweep(options: SweepOptions): Generator<{ done: number; row: SweepRow | null }> {
  const { models, values, axis, seconds } = options;
  const total = models.length * values.length;
  let finished = 0;
  for (const value of values) {
    for (const model of models) {
      const run = createLabRun(model, options, { ...options.conditions, [axis]: value });
      try {
        const ticks = seconds * TICK_RATE;
        const players = run.scene.homes.map(
          (_, player) => new ScriptedPlayer(run.scene, player, options.seed),
        );
        while (run.ticks < ticks) {
          run.step(players.map((player) => player.hand(run.ticks + 1)));
          if (run.ticks % AT_ONCE === 0) yield { done: (finished + run.ticks / ticks) / total, row: null };
        }
        const row = { model: model.id, value, figures: run.figures() };
        yield { done: ++finished / total, row };
      } finally {
        run.dispose();
      }
    }
  }
}
