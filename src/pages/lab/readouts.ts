import type { FigureName, LabFigures } from '../../lab/judge/figures.ts';
import { FIGURES, figureLabel, formatFigure } from '../../lab/judge/figures.ts';
import type { LabModel } from '../../lab/lab-model.ts';
import { el, setText, svgPath } from '../panel/dom.ts';
import type { PaneRectangle } from './panes.ts';

/**
 * The rows of figures in a pane: figures with the same unit share a row. The table has one row per figure.
 */
const ROWS: readonly {
  readonly title: string;
  readonly names: readonly FigureName[];
  readonly unit: string;
}[] = [
  { title: 'hand to motion, contact to push', names: ['delay', 'push'], unit: 'ms' },
  { title: 'error (mean, 95 %, worst)', names: ['errorMean', 'error95', 'errorWorst'], unit: 'm' },
  { title: 'screen to screen', names: ['screens95'], unit: 'm' },
  { title: 'jumps', names: ['jumps'], unit: '/min' },
  { title: 'up, down', names: ['up', 'down'], unit: 'kbit/s' },
  { title: 'steps', names: ['steps'], unit: '/tick' },
  { title: 'histories', names: ['memory'], unit: 'MB' },
];
/** Pixels: a pane that is narrower or lower shows fewer figures, so that they don't cover its world. */
const LEAST_WIDTH = 320;
const LEAST_HEIGHT = 320;
/** Most points of the line over time. */
const READINGS = 60;
/** The height of the line's box, in units of its drawing. */
const BOX = 60;

/**
 * The text over one pane: the model's name, its figures, one figure over time, and the message to its player.
 */
export class PaneReadout {
  readonly element: HTMLElement;
  readonly #figures: readonly HTMLElement[];
  readonly #line: SVGSVGElement;
  readonly #word: HTMLElement;
  readonly #over = el('span', {});
  readonly #readings: LabFigures[] = [];

  constructor(model: LabModel) {
    this.#figures = ROWS.map(() => el('b', {}, '–'));
    const figures = ROWS.map(({ title, unit }, i) =>
      el('span', {}, `${title} `, this.#figures[i], ` ${unit}`),
    );
    this.#line = svgPath('', BOX, 'none');
    this.#line.setAttribute('preserveAspectRatio', 'none');
    this.#word = el('p', { class: 'word', role: 'status', hidden: true });
    const over = el('div', { class: 'over' }, this.#line, this.#over);
    this.element = el(
      'section',
      { class: 'lab-pane', 'aria-label': model.title },
      el(
        'div',
        { class: 'head' },
        el('h2', {}, model.title),
        el('p', { class: 'figures' }, ...figures),
        over,
      ),
      this.#word,
    );
  }

  place({ left, top, width, height }: PaneRectangle): void {
    Object.assign(this.element.style, {
      left: `${left}px`,
      top: `${top}px`,
      width: `${width}px`,
      height: `${height}px`,
    });
    this.element.classList.toggle('narrow', width < LEAST_WIDTH || height < LEAST_HEIGHT);
  }

  /**
   * @param recent the figures since the last update.
   * @param word the message to the player, or ''.
   */
  update(figures: LabFigures, recent: LabFigures, word: string): void {
    ROWS.forEach(({ names }, i) => {
      const texts = names.map((name) => formatFigure(figureLabel(name), figures[name]));
      setText(this.#figures[i], texts.join(' · '));
    });
    this.#readings.push(recent);
    if (this.#readings.length > READINGS) this.#readings.shift();
    setText(this.#word, word);
    this.#word.hidden = word === '';
  }

  /** Returns the largest value of a figure on the line; 0 if there is none. */
  largest(name: FigureName): number {
    return Math.max(0, ...this.#readings.map((reading) => reading[name]).filter(Number.isFinite));
  }

  /**
   * Draws a figure over time.
   * @param top the value at the upper edge: the same in all panes, so that they can be compared.
   */
  draw(name: FigureName, top: number): void {
    let last = 0;
    const points = this.#readings.map((reading, i) => {
      // If nothing was measured, the line stays at the last value.
      if (Number.isFinite(reading[name])) last = reading[name];
      return `${i === 0 ? 'M' : 'L'}${i} ${(BOX * (1 - (top > 0 ? last / top : 0))).toFixed(1)}`;
    });
    this.#line.querySelector('path')?.setAttribute('d', points.join(' '));
    const label = figureLabel(name);
    setText(this.#over, `${label.title} in 15 s, up to ${formatFigure(label, top)} ${label.unit}`);
  }
}

/** All figures of the shown models since their start: one row per figure. */
export class FigureTable {
  readonly element = el('div', { class: 'lab-table' });
  #cells: HTMLElement[][] = [];

  show(models: readonly LabModel[]): void {
    this.#cells = FIGURES.map(() => models.map(() => el('td', {}, '–')));
    const head = el('tr', {}, el('td', {}), ...models.map(({ title }) => el('th', { scope: 'col' }, title)));
    const rows = FIGURES.map(({ title, unit }, i) =>
      el('tr', {}, el('th', { scope: 'row' }, title, el('i', {}, ` ${unit}`)), ...this.#cells[i]),
    );
    this.element.replaceChildren(el('table', {}, el('thead', {}, head), el('tbody', {}, ...rows)));
  }

  update(figures: readonly LabFigures[]): void {
    FIGURES.forEach((label, i) => {
      figures.forEach((of, model) => setText(this.#cells[i][model], formatFigure(label, of[label.name])));
    });
  }
}

/** Returns a figure's title and unit, for lists. */
export function figureTitle(name: FigureName): string {
  const { title, unit } = figureLabel(name);
  return `${title}, ${unit}`;
}
