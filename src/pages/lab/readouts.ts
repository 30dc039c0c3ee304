import type { FigureName, LabFigures } from '../../lab/figures.ts';
import { FIGURES, figureLabel, formatFigure } from '../../lab/figures.ts';
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
/** Readings of the line over time, and metres at its top. */
const READINGS = 60;
const TOP_ERROR = 1;

/** What stands over one pane: the model's name, three figures, the error over time, and what its players are told. */
export class PaneReadout {
  readonly element: HTMLElement;
  readonly #figures: readonly HTMLElement[];
  readonly #line: SVGSVGElement;
  readonly #word: HTMLElement;
  readonly #errors: number[] = [];

  constructor(model: LabModel) {
    this.#figures = ROWS.map(() => el('b', {}, '–'));
    const figures = ROWS.map(({ title, unit }, i) =>
      el('span', {}, `${title} `, this.#figures[i], ` ${unit}`),
    );
    this.#line = svgPath('', READINGS, 'none');
    this.#line.setAttribute('preserveAspectRatio', 'none');
    this.#word = el('p', { class: 'word', role: 'status', hidden: true });
    const over = el(
      'div',
      { class: 'over', title: 'Error of what moves, in the last 15 s: 1 m at the top' },
      this.#line,
    );
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

  /** @param error metres: the mean since the last update. */
  update(figures: LabFigures, error: number, word: string): void {
    ROWS.forEach(({ names }, i) => {
      const texts = names.map((name) => formatFigure(figureLabel(name), figures[name]));
      setText(this.#figures[i], texts.join(' · '));
    });
    this.#errors.push(error);
    if (this.#errors.length > READINGS) this.#errors.shift();
    const points = this.#errors.map((value, i) => {
      const y = READINGS * (1 - Math.min(1, value / TOP_ERROR));
      return `${i === 0 ? 'M' : 'L'}${i} ${y.toFixed(1)}`;
    });
    this.#line.querySelector('path')?.setAttribute('d', points.join(' '));
    setText(this.#word, word);
    this.#word.hidden = word === '';
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
