import { LAB_MODELS } from '../../lab/models.ts';
import type { ChartShape } from '../../lab/sweep/chart.ts';
import { figureChart } from '../../lab/sweep/report.ts';
import type { Axis, SweepRow } from '../../lab/sweep/sweep.ts';
import { AXES, AXIS_TITLES, runsOf } from '../../lab/sweep/sweep.ts';
import { choice } from '../panel/controls.ts';
import type { Control } from '../panel/controls.ts';
import { el, setText } from '../panel/dom.ts';
import type { LabSettings } from './lab-settings.ts';
import { FIGURE_NAMES, labConditions, SEED_COUNTS, seedsOf } from './lab-settings.ts';
import type { MeasurementEnd } from './measurement.ts';
import { startMeasurement } from './measurement.ts';
import { figureTitle } from './readouts.ts';
import type { SweepOrder } from './sweep-messages.ts';

/** The values on each axis, and the simulated seconds at each value. */
const VALUES: Readonly<Record<Axis, readonly number[]>> = {
  latency: [0, 50, 100, 150, 200, 250],
  loss: [0, 2, 5, 10, 20],
  rate: [2, 5, 10, 20, 30, 60],
};
const SECONDS = 8;
/** In the panel's width, names beside the lines would leave no room for the lines. */
const SHAPE: ChartShape = 'narrow';

/** The sentence for the player when a measurement ends by itself, or ''. */
const END_WORDS: Readonly<Record<MeasurementEnd, string>> = {
  done: '',
  'no engine': 'The physics engine could not be loaded for measuring. Try again.',
  'no worker': 'The browser could not run the measurement. Reload the page, and try again.',
  fault: 'The measurement stopped because of a bug on our side. The browser’s console says more.',
};

/** `idle` has a sentence on how the last measurement ended, or ''. */
type State =
  | { readonly kind: 'idle'; readonly word: string }
  | {
      readonly kind: 'measuring';
      readonly finished: number;
      readonly runs: number;
      readonly stop: () => void;
    };

/** A chart of one figure over one condition, with all models. The player starts the measurement. */
export class SweepPanel {
  readonly element: HTMLElement;
  readonly #controls: readonly Control<LabSettings>[];
  readonly #button = el('button', { type: 'button' });
  readonly #bar = el('progress', { max: '1', value: '0', 'aria-label': 'Measured' });
  readonly #progress = el('span', { class: 'lab-runs' });
  readonly #word = el('p', { role: 'status' });
  readonly #hint = el('p', {});
  readonly #chart = el('div', { class: 'lab-chart' });
  #settings: LabSettings;
  #state: State = { kind: 'idle', word: '' };
  #rows: readonly SweepRow[] = [];
  /** The settings that the rows were measured with. */
  #measured = '';

  constructor(settings: LabSettings, onChange: (part: Partial<LabSettings>) => void) {
    this.#settings = settings;
    this.#controls = [
      choice<LabSettings, 'figure'>('Figure', 'figure', FIGURE_NAMES, figureTitle, onChange),
      choice<LabSettings, 'axis'>('Over', 'axis', AXES, (axis) => AXIS_TITLES[axis], onChange),
      choice<LabSettings, 'seeds'>('Seeds', 'seeds', SEED_COUNTS, seedsTitle, onChange),
    ];
    this.#button.addEventListener('click', () => {
      if (this.#state.kind === 'measuring') this.#stop();
      else this.#measure();
    });
    this.element = el(
      'div',
      { class: 'part lab-sweep' },
      el('h2', {}, 'All models in one chart'),
      ...this.#controls.map(({ element }) => element),
      el('div', { class: 'buttons' }, this.#button, this.#bar, this.#progress),
      this.#word,
      this.#hint,
      this.#chart,
    );
    this.show(settings);
  }

  /** Shows settings. A measurement that they do not fit any more ends, and its rows go. */
  show(settings: LabSettings): void {
    this.#settings = settings;
    for (const control of this.#controls) control.show(settings);
    if (this.#measured !== '' && this.#measured !== keyOf(settings)) {
      if (this.#state.kind === 'measuring') this.#state.stop();
      this.#state = { kind: 'idle', word: '' };
      this.#rows = [];
      this.#measured = '';
    }
    this.#showChart();
    this.#showState();
  }

  #showState(): void {
    const state = this.#state;
    const isMeasuring = state.kind === 'measuring';
    setText(this.#button, isMeasuring ? 'Stop' : 'Measure all models');
    this.#bar.hidden = this.#progress.hidden = !isMeasuring;
    if (isMeasuring) {
      this.#bar.value = state.finished / state.runs;
      setText(this.#progress, `${state.finished} of ${state.runs} runs`);
    }
    setText(this.#word, state.kind === 'idle' ? state.word : '');
    setText(this.#hint, hintOf(this.#settings));
    this.#hint.hidden = this.#rows.length > 0;
  }

  #showChart(): void {
    const { axis, figure } = this.#settings;
    // Our own code made the whole chart, so its HTML is safe.
    this.#chart.innerHTML = this.#rows.length === 0 ? '' : figureChart(this.#rows, axis, figure, SHAPE);
  }

  #measure(): void {
    const order = orderOf(this.#settings);
    const runs = runsOf(order);
    let rows: SweepRow[] = [];
    this.#measured = keyOf(this.#settings);
    const stop = startMeasurement(order, {
      onRow: (row) => {
        // Older rows stay until there is a new one.
        rows = [...rows, row];
        this.#rows = rows;
        if (this.#state.kind === 'measuring') this.#state = { ...this.#state, finished: rows.length };
        this.#showChart();
        this.#showState();
      },
      onEnd: (end) => {
        this.#state = { kind: 'idle', word: END_WORDS[end] };
        this.#showState();
      },
    });
    this.#state = { kind: 'measuring', finished: 0, runs, stop };
    this.#showState();
  }

  #stop(): void {
    if (this.#state.kind !== 'measuring') return;
    const { stop, finished, runs } = this.#state;
    stop();
    this.#state = { kind: 'idle', word: finished === 0 ? '' : `Stopped after ${finished} of ${runs} runs.` };
    this.#showState();
  }
}

/** The sweep that the settings ask for. */
function orderOf(settings: LabSettings): SweepOrder {
  const { scene, axis } = settings;
  return {
    kind: 'measure',
    models: LAB_MODELS.map(({ id }) => id),
    scene,
    seeds: seedsOf(settings),
    seconds: SECONDS,
    conditions: labConditions(settings),
    axis,
    values: VALUES[axis],
  };
}

/** Returns everything that the rows depend on, as text. */
function keyOf(settings: LabSettings): string {
  return JSON.stringify(orderOf(settings));
}

function hintOf(settings: LabSettings): string {
  const seeds = seedsOf(settings);
  const [plays, time] =
    seeds.length === 1
      ? [`seed ${seeds[0]}`, 'about a minute']
      : [`seeds ${seeds[0]} to ${seeds[seeds.length - 1]}`, 'a few minutes'];
  return `Plays each model with ${plays} at each value. This takes ${time}; the worlds go on meanwhile.`;
}

function seedsTitle(count: number): string {
  return count === 1 ? 'One' : `${count}, with their spread`;
}
