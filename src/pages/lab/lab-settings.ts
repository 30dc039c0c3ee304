import { FIGURES } from '../../lab/judge/figures.ts';
import type { FigureName } from '../../lab/judge/figures.ts';
import { LAB_MODELS, modelOf } from '../../lab/models.ts';
import type { LabSceneName, PlayerCount } from '../../lab/game/scenes.ts';
import { LAB_SCENES, PLAYER_COUNTS } from '../../lab/game/scenes.ts';
import type { Axis, LabConditions } from '../../lab/sweep/sweep.ts';
import { AXES } from '../../lab/sweep/sweep.ts';
import type { LabSwitches } from '../../lab/switches.ts';
import { BEST_SWITCHES, GAPS, NEIGHBOURS, WINDOWS } from '../../lab/switches.ts';
import type { Field, Fields } from '../fields.ts';
import { formatFields, listed, number, onOff, oneOf, parseFields } from '../fields.ts';
import type { Channel, NetworkConditions } from '../settings.ts';
import { CHANNELS, RANGES } from '../settings.ts';

/** All settings of the lab. They are in its URL. */

/** `script`: the hands move by themselves, in the same way for every model and every visit. */
export const HANDS = ['script', 'own'] as const;
/** Snapshots per second; `own` uses each model's own rate. */
export const LAB_RATES = ['own', 60, 30, 20, 15, 10, 5, 2] as const;
/** How many seeds the chart is measured with. */
export const SEED_COUNTS = [1, 3, 5, 9] as const;
/** Most models that are shown at a time. */
export const MOST_PANES = 4;

export type LabSettings = NetworkConditions & {
  readonly view: 'lab';
  /** Ids of the models, one per pane. */
  readonly models: readonly string[];
  readonly scene: LabSceneName;
  readonly seed: number;
  readonly hands: (typeof HANDS)[number];
  readonly rate: (typeof LAB_RATES)[number];
  readonly channel: Channel;
  readonly players: PlayerCount;
  readonly neighbours: LabSwitches['neighbours'];
  readonly easing: boolean;
  readonly gap: LabSwitches['gap'];
  readonly window: LabSwitches['window'];
  /** Draw also the true place of each body. */
  readonly ghosts: boolean;
  /** The figure that each pane shows over time. */
  readonly line: FigureName;
  /** The chart's horizontal axis, and the figure that it shows. */
  readonly axis: Axis;
  readonly figure: FigureName;
  /** The number of seeds in the chart, from `seed` upwards. */
  readonly seeds: (typeof SEED_COUNTS)[number];
};

const FIRST_MODELS = ['authority', 'rollback', 'prediction', 'interpolation-hermite'];

export const FIGURE_NAMES: readonly FigureName[] = FIGURES.map(({ name }) => name);

const FIELDS: Fields<LabSettings> = {
  view: oneOf(['lab'], 'lab'),
  models: modelList(),
  scene: oneOf(LAB_SCENES, 'plane'),
  seed: number(RANGES.seed, 1),
  hands: oneOf(HANDS, 'script'),
  latency: number(RANGES.latency, 100),
  jitter: number(RANGES.jitter, 20),
  loss: number(RANGES.loss, 1),
  duplicate: number(RANGES.duplicate, 0),
  rate: oneOf(LAB_RATES, 'own'),
  channel: oneOf(CHANNELS, 'datagram'),
  players: oneOf(PLAYER_COUNTS, 2),
  neighbours: oneOf(NEIGHBOURS, BEST_SWITCHES.neighbours),
  easing: onOff(BEST_SWITCHES.easing),
  gap: oneOf(GAPS, BEST_SWITCHES.gap),
  window: oneOf(WINDOWS, BEST_SWITCHES.window),
  ghosts: onOff(true),
  line: oneOf(FIGURE_NAMES, 'errorMean'),
  axis: oneOf(AXES, 'latency'),
  figure: oneOf(FIGURE_NAMES, 'delay'),
  seeds: oneOf(SEED_COUNTS, 3),
};

function modelList(): Field<readonly string[]> {
  return {
    defaultValue: FIRST_MODELS,
    values: `up to ${MOST_PANES}, with commas between, of ${listed(LAB_MODELS.map(({ id }) => id))}`,
    read(text) {
      const ids = text.split(',').map((id) => id.trim());
      return ids.length <= MOST_PANES && ids.every((id) => modelOf(id) !== undefined) ? ids : undefined;
    },
    write: (ids) => ids.join(','),
  };
}

/**
 * Reads a URL's query string. A value that is not allowed is replaced by the default, with a sentence for the
 * player. Never throws.
 */
export function parseLabSettings(search: string): { settings: LabSettings; complaints: string[] } {
  return parseFields(FIELDS, search);
}

/** Returns the query string for these settings. */
export function formatLabSettings(settings: LabSettings): string {
  // Commas are allowed in a query string, and are easier to read.
  return formatFields(FIELDS, settings, 'view').replaceAll('%2C', ',');
}

/** Returns the conditions of a game in the form that the models use. */
export function labConditions(settings: LabSettings): LabConditions {
  const { latency, jitter, loss, duplicate, channel, rate, players } = settings;
  const { neighbours, easing, gap, window } = settings;
  return {
    latency,
    jitter,
    loss,
    duplicate,
    channel,
    rate: rate === 'own' ? null : rate,
    players,
    switches: { neighbours, easing, gap, window },
  };
}

/** Returns the seeds of the chart: those after the greatest begin at 0 again. */
export function seedsOf({ seed, seeds }: LabSettings): number[] {
  return Array.from({ length: seeds }, (_, i) => (seed + i) % (RANGES.seed.high + 1));
}
