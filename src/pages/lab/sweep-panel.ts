import { LAB_MODELS } from '../../lab/models.ts';
import { figureChart } from '../../lab/sweep/report.ts';
import type { LabEngines } from '../../lab/run.ts';
import type { Axis, SweepRow } from '../../lab/sweep/sweep.ts';
import { AXES, AXIS_TITLES, sweep } from '../../lab/sweep/sweep.ts';
import { choice } from '../panel/controls.ts';
import type { Control } from '../panel/controls.ts';
import { el } from '../panel/dom.ts';
import type { LabSettings } from './lab-settings.ts';
import { FIGURE_NAMES, labConditions } from './lab-settings.ts';
import { figureTitle } from './readouts.ts';

/** The values on each axis, and the simulated seconds at each value. */
const VALUES: Readonly<Record<Axis, readonly number[]>> = {
  latency: [0, 50, 100, 150, 200, 250],
  loss: [0, 2, 5, 10, 20],
  rate: [2, 5, 10, 20, 30, 60],
};
const SECONDS = 8;
/** Milliseconds of measuring before the page may react to input. */
const SLICE_MS = 24;

export type SweepHandlers = {
  onChange(part: Partial<LabSettings>): void;
  /** Measuring begins or ends. The worlds pause while it is busy. */
  onBusy(isBusy: boolean): void;
};

/** A chart of one figure over one condition, with all models. The player starts the measurement. */
export class SweepPanel {
  readonly element: HTMLElement;
  readonly #engines: LabEngines;
  readonly #handlers: SweepHandlers;
  readonly #controls: readonly Control<LabSettings>[];
  readonly #button = el('button', { type: 'button' });
  readonly #progress = el('progress', { max: '1', value: '0', 'aria-label': 'Measured', hidden: true });
  readonly #chart = el('div', { class: 'lab-chart' });
  #settings: LabSettings;
  #rows: readonly SweepRow[] = [];
  /** The settings that the rows were measured with. */
  #measured = '';
  #isStopped = false;
  #isBusy = false;

  constructor(settings: LabSettings, engines: LabEngines, handlers: SweepHandlers) {
    this.#settings = settings;
    this.#engines = engines;
    this.#handlers = handlers;
    const change = (part: Partial<LabSettings>): void => handlers.onChange(part);
    this.#controls = [
      choice<LabSettings, 'figure'>('Figure', 'figure', FIGURE_NAMES, figureTitle, change),
      choice<LabSettings, 'axis'>('Over', 'axis', AXES, (axis) => AXIS_TITLES[axis], change),
    ];
    this.#button.addEventListener('click', () => {
      if (this.#isBusy) this.#isStopped = true;
      else void this.#measure();
    });
    this.element = el(
      'div',
      { class: 'part' },
      el('h2', {}, 'All models in one chart'),
      ...this.#controls.map(({ element }) => element),
      el('div', { class: 'buttons' }, this.#button, this.#progress),
      this.#chart,
    );
    this.show(settings);
  }

  show(settings: LabSettings): void {
    this.#settings = settings;
    for (const control of this.#controls) control.show(settings);
    this.#button.textContent = this.#isBusy ? 'Stop' : 'Measure all twelve';
    if (this.#rows.length > 0 && this.#measured !== keyOf(settings)) this.#rows = [];
    const isEmpty = this.#rows.length === 0;
    // Our own code made the whole chart, so its HTML is safe.
    if (!isEmpty) this.#chart.innerHTML = figureChart(this.#rows, settings.axis, settings.figure);
    else this.#chart.textContent = 'This takes about a minute. The worlds above pause meanwhile.';
  }

  async #measure(): Promise<void> {
    const settings = this.#settings;
    const { scene, seed, axis } = settings;
    this.#setBusy(true);
    this.#measured = keyOf(settings);
    this.#rows = [];
    const steps = sweep({
      models: LAB_MODELS,
      scene,
      seed,
      seconds: SECONDS,
      conditions: labConditions(settings),
      axis,
      values: VALUES[axis],
      engines: this.#engines,
      clock: () => performance.now(),
    });
    let until = performance.now() + SLICE_MS;
    let shown = 0;
    for (const { done, row } of steps) {
      if (row !== null) this.#rows = [...this.#rows, row];
      if (performance.now() < until) continue;
      this.#progress.value = done;
      await new Promise((resolve) => void setTimeout(resolve));
      if (this.#isStopped || this.#measured !== keyOf(this.#settings)) break;
      if (this.#rows.length > shown) this.show(this.#settings);
      shown = this.#rows.length;
      until = performance.now() + SLICE_MS;
    }
    this.#setBusy(false);
  }

  #setBusy(isBusy: boolean): void {
    this.#isBusy = isBusy;
    this.#isStopped = false;
    this.#progress.hidden = !isBusy;
    this.#progress.value = 0;
    this.#handlers.onBusy(isBusy);
    this.show(this.#settings);
  }
}

/** Returns everything that the rows depend on, as text. */
function keyOf(settings: LabSettings): string {
  const { scene, seed, axis } = settings;
  return JSON.stringify([scene, seed, axis, labConditions(settings)]);
}
