import { FIGURES } from '../../lab/judge/figures.ts';
import type { FigureName } from '../../lab/judge/figures.ts';
import { LAB_MODELS, modelOf } from '../../lab/models.ts';
import type { LabSceneName } from '../../lab/game/scenes.ts';
import { LAB_SCENES } from '../../lab/game/scenes.ts';
import type { Axis, LabConditions } from '../../lab/sweep/sweep.ts';
import { AXES } from '../../lab/sweep/sweep.ts';
import type { Field, Fields } from '../fields.ts';
import { formatFields, listed, number, onOff, oneOf, parseFields } from '../fields.ts';
import type { Channel, NetworkConditions } from '../settings.ts';
import { CHANNELS, RANGES } from '../settings.ts';

/** All that can be chosen about the lab's page; it stands in its URL. */

/** `script`: hands that play by themselves, the same for every model and every visit. */
export const HANDS = ['script', 'own'] as const;
/** Snapshots a second; `own` for each model's own. */
export const LAB_RATES = ['own', 60, 30, 20, 15, 10, 5, 2] as const;
/** Models that are seen at a time. */
export const MOST_PANES = 4;

export type LabSettings = NetworkConditions & {
  readonly view: 'lab';
  /** Their ids, one for each pane. */
  readonly models: readonly string[];
  readonly scene: LabSceneName;
  readonly seed: number;
  readonly hands: (typeof HANDS)[number];
  readonly rate: (typeof LAB_RATES)[number];
  readonly channel: Channel;
  /** Draw where each body truly is. */
  readonly ghosts: boolean;
  /** The figure that each pane shows over time. */
  readonly line: FigureName;
  /** What the chart is drawn over, and of which figure. */
  readonly axis: Axis;
  readonly figure: FigureName;
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
  ghosts: onOff(true),
  line: oneOf(FIGURE_NAMES, 'errorMean'),
  axis: oneOf(AXES, 'latency'),
  figure: oneOf(FIGURE_NAMES, 'delay'),
};

function modelList(): Field<readonly string[]> {
  return {
    otherwise: FIRST_MODELS,
    values: `up to ${MOST_PANES}, with commas between, of ${listed(LAB_MODELS.map(({ id }) => id))}`,
    read(text) {
      const ids = text.split(',').map((id) => id.trim());
      return ids.length <= MOST_PANES && ids.every((id) => modelOf(id) !== undefined) ? ids : undefined;
    },
    write: (ids) => ids.join(','),
  };
}

/** As parseSettings of the loopback page: what makes no sense is replaced by the default, and said. */
export function parseLabSettings(search: string): { settings: LabSettings; complaints: string[] } {
  return parseFields(FIELDS, search);
}

/** The query string that brings these settings back. */
export function formatLabSettings(settings: LabSettings): string {
  // Commas are allowed in a query, and are easier to read.
  return formatFields(FIELDS, settings, 'view').replaceAll('%2C', ',');
}

/** The network as the models know it. */
export function labConditions(settings: LabSettings): LabConditions {
  const { latency, jitter, loss, duplicate, channel, rate } = settings;
  return { latency, jitter, loss, duplicate, channel, rate: rate === 'own' ? null : rate };
}
