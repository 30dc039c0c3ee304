import type { FigureName, LabFigures } from '../../lab/judge/figures.ts';
import { FIGURES, figureLabel, formatFigure } from '../../lab/judge/figures.ts';
import type { LabModel } from '../../lab/lab-model.ts';
import { el, setText, svgPath } from '../panel/dom.ts';
import type { PaneRectangle } from './panes.ts';

/** The rows of figures in a pane; what has one unit shares it. The table has them one by one. */
const ROWS: readonly {
  readonly title: string;
  readonly names: readonly FigureName[];
  readonly unit: string;
}[] = [
  { title: 'hand to motion', names: ['delay'], unit: 'ms' },
  { title: 'error (mean, 95 %, worst)', names: ['errorMean', 'error95', 'errorWorst'], unit: 'm' },
  { title: 'jumps', names: ['jumps'], unit: '/min' },
  { title: 'up, down', names: ['up', 'down'], unit: 'kbit/s' },
  { title: 'steps', names: ['steps'], unit: '/tick' },
  { title: 'histories', names: ['memory'], unit: 'MB' },
];
/** Readings of the line over time. */
const READINGS = 60;
/** Height of its box. */
const BOX = 60;

/** What stands over one pane: the model's name, its figures, one of them over time, and what its player is told. */
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
    this.element.classList.toggle('narrow', width < 320);
  }

  /** @param recent what was measured since the last update. */
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

  /** The greatest reading of a figure that the line has. */
  most(name: FigureName): number {
    return Math.max(0, ...this.#readings.map((reading) => reading[name]).filter(Number.isFinite));
  }

  /** Draws a figure over time; `top` is what all panes have at their top, so that they compare. */
  draw(name: FigureName, top: number): void {
    let last = 0;
    const points = this.#readings.map((reading, i) => {
      // Where nothing was measured it stays where it was.
      if (Number.isFinite(reading[name])) last = reading[name];
      return `${i === 0 ? 'M' : 'L'}${i} ${(BOX * (1 - (top > 0 ? last / top : 0))).toFixed(1)}`;
    });
    this.#line.querySelector('path')?.setAttribute('d', points.join(' '));
    const label = figureLabel(name);
    setText(this.#over, `${label.title} in 15 s, up to ${formatFigure(label, top)} ${label.unit}`);
  }
}

/** All figures of all models that are seen, in total: a row for each figure. */
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

/** A figure and its unit, as lists name it. */
export function figureTitle(name: FigureName): string {
  const { title, unit } = figureLabel(name);
  return `${title}, ${unit}`;
}
