import { decimalsOf, formatValue, roundStep, stepsTo } from './graph-scale.ts';
import { Ring } from './ring.ts';

/** One line of a graph. */
export type GraphSeries = {
  readonly name: string;
  /** '#rrggbb'. */
  readonly colour: string;
};

export type GraphOptions = {
  readonly title: string;
  /** The unit of all values, for example 'kbit/s', 'mm' or 'ms'. */
  readonly unit: string;
  readonly series: readonly GraphSeries[];
  /** The time that the graph shows, in seconds. */
  readonly seconds: number;
  /** How often `push` is called per second; 10 by default. */
  readonly samplesPerSecond?: number;
  /** Draws areas on top of each other, for parts of a whole; otherwise lines. */
  readonly stacked?: boolean;
};

/** Sizes in CSS pixels. */
const FONT_SIZE = 11;
const TITLE_SIZE = 12.5;
const LINE_HEIGHT = 16;
const PADDING = 8;
const AXIS_WIDTH = 40;
const LINE_WIDTH = 1.6;
const FONT_FAMILY = 'system-ui, -apple-system, "Segoe UI", Roboto, sans-serif';
/** Least height of a step of the scale, in pixels. */
const STEP_HEIGHT = 24;

const INK = '#2b3038';
const FAINT_INK = '#6b7280';
const RULE = 'rgba(43, 48, 56, 0.13)';
const BASE = 'rgba(43, 48, 56, 0.35)';

/**
 * The positions of all parts in CSS pixels. They are kept between draws, so that drawing allocates nothing.
 */
type Layout = {
  width: number;
  height: number;
  left: number;
  right: number;
  top: number;
  bottom: number;
  /** The value at the upper edge. */
  most: number;
};

/** A small graph of values over the last seconds. */
export class Graph {
  readonly #canvas: HTMLCanvasElement;
  readonly #context: CanvasRenderingContext2D | null;
  readonly #options: GraphOptions;
  readonly #ring: Ring;
  readonly #layout: Layout = { width: 0, height: 0, left: 0, right: 0, top: 0, bottom: 0, most: 1 };

  /** @throws RangeError if there are no series, or no seconds. */
  constructor(canvas: HTMLCanvasElement, options: GraphOptions) {
    this.#canvas = canvas;
    this.#context = canvas.getContext('2d');
    this.#options = options;
    // One sample more than intervals, so that the line reaches both ends.
    const samples = Math.round(options.seconds * (options.samplesPerSecond ?? 10)) + 1;
    this.#ring = new Ring(options.series.length, samples);
  }

  /** Adds one value of each series, in order; NaN for an unknown value. */
  push(values: readonly number[]): void {
    this.#ring.push(values);
  }

  clear(): void {
    this.#ring.clear();
  }

  /** Draws the graph in the canvas's present size. */
  draw(): void {
    const context = this.#context;
    if (context === null) return;
    this.#fit(context);
    const layout = this.#layout;
    context.clearRect(0, 0, layout.width, layout.height);
    this.#drawTitle(context);
    const legend = this.#drawLegend(context);
    layout.top = legend + PADDING + FONT_SIZE / 2;
    layout.bottom = layout.height - LINE_HEIGHT - PADDING / 2;
    layout.left = AXIS_WIDTH;
    layout.right = layout.width - PADDING;
    if (layout.bottom - layout.top < STEP_HEIGHT / 2) return;
    this.#drawScale(context);
    for (let s = this.#options.series.length - 1; s >= 0; s--) {
      if (this.#options.stacked === true) this.#drawArea(context, s);
      else this.#drawLine(context, s);
    }
  }

  /** Gives the canvas as many pixels as the display uses for it. */
  #fit(context: CanvasRenderingContext2D): void {
    const canvas = this.#canvas;
    const onPage = canvas.clientWidth > 0 && canvas.clientHeight > 0;
    const ratio = onPage ? window.devicePixelRatio : 1;
    this.#layout.width = onPage ? canvas.clientWidth : canvas.width;
    this.#layout.height = onPage ? canvas.clientHeight : canvas.height;
    const width = Math.round(this.#layout.width * ratio);
    const height = Math.round(this.#layout.height * ratio);
    if (canvas.width !== width) canvas.width = width;
    if (canvas.height !== height) canvas.height = height;
    context.setTransform(ratio, 0, 0, ratio, 0, 0);
    context.lineJoin = 'round';
  }

  #drawTitle(context: CanvasRenderingContext2D): void {
    const { title } = this.#options;
    const y = PADDING + TITLE_SIZE / 2;
    context.textBaseline = 'middle';
    context.textAlign = 'left';
    context.font = `600 ${TITLE_SIZE}px ${FONT_FAMILY}`;
    context.fillStyle = INK;
    const value = this.#headline();
    const room = this.#layout.width - 3 * PADDING - context.measureText(value).width;
    context.fillText(title, PADDING, y, Math.max(1, room));
    context.textAlign = 'right';
    context.fillText(value, this.#layout.width - PADDING, y);
  }

  /**
   * Returns the newest value, or the sum of the parts of a whole; for several lines the unit, because the
   * legend has their values.
   */
  #headline(): string {
    const { unit, series, stacked } = this.#options;
    if (series.length > 1 && stacked !== true) return unit;
    return `${formatValue(this.#sumAt(series.length - 1, 0))} ${unit}`;
  }

  /**
   * Draws names and values of several series, in as many rows as they need. Returns the lower edge of the
   * last row.
   */
  #drawLegend(context: CanvasRenderingContext2D): number {
    const { series } = this.#options;
    let y = PADDING + TITLE_SIZE;
    if (series.length === 1) return y;
    let x = PADDING;
    y += LINE_HEIGHT * 0.75;
    context.font = `${FONT_SIZE}px ${FONT_FAMILY}`;
    context.textAlign = 'left';
    for (let s = 0; s < series.length; s++) {
      const label = `${series[s].name} ${formatValue(this.#ring.at(s, 0))}`;
      const width = context.measureText(label).width + 14;
      if (x > PADDING && x + width > this.#layout.width - PADDING) {
        x = PADDING;
        y += LINE_HEIGHT;
      }
      context.fillStyle = series[s].colour;
      context.fillRect(x, y - 4, 8, 8);
      context.fillStyle = INK;
      context.fillText(label, x + 12, y);
      x += width + 10;
    }
    return y + LINE_HEIGHT / 4;
  }

  #drawScale(context: CanvasRenderingContext2D): void {
    const layout = this.#layout;
    const { left, right, top, bottom } = layout;
    const highest = this.#highest();
    const step = roundStep(highest, Math.max(1, Math.floor((bottom - top) / STEP_HEIGHT)));
    const steps = stepsTo(highest, step);
    layout.most = steps * step;
    context.font = `${FONT_SIZE}px ${FONT_FAMILY}`;
    context.fillStyle = FAINT_INK;
    context.lineWidth = 1;
    context.textAlign = 'right';
    for (let i = 0; i <= steps; i++) {
      const y = Math.round(this.#y(i * step)) + 0.5;
      context.strokeStyle = i === 0 ? BASE : RULE;
      context.beginPath();
      context.moveTo(left, y);
      context.lineTo(right, y);
      context.stroke();
      context.fillText((i * step).toFixed(decimalsOf(step)), left - 6, y);
    }
    const under = bottom + LINE_HEIGHT / 2 + 2;
    context.textAlign = 'left';
    context.fillText(`${this.#options.seconds} s ago`, left, under);
    context.textAlign = 'right';
    context.fillText('now', right, under);
    context.fillText(this.#options.unit, left - 6, under);
  }

  #drawLine(context: CanvasRenderingContext2D, series: number): void {
    context.strokeStyle = this.#options.series[series].colour;
    context.lineWidth = LINE_WIDTH;
    context.beginPath();
    let drawing = false;
    for (let age = this.#ring.length - 1; age >= 0; age--) {
      const value = this.#ring.at(series, age);
      if (!Number.isFinite(value)) drawing = false;
      else if (drawing) context.lineTo(this.#x(age), this.#y(value));
      else {
        context.moveTo(this.#x(age), this.#y(value));
        drawing = true;
      }
    }
    context.stroke();
  }

  /**
   * Fills the area of a series and of all series below it. The series above it are drawn already; this one
   * covers its part of them.
   */
  #drawArea(context: CanvasRenderingContext2D, series: number): void {
    const oldest = this.#ring.length - 1;
    if (oldest < 0) return;
    context.fillStyle = this.#options.series[series].colour;
    context.beginPath();
    context.moveTo(this.#x(oldest), this.#y(0));
    for (let age = oldest; age >= 0; age--) {
      context.lineTo(this.#x(age), this.#y(Math.max(0, this.#sumAt(series, age) || 0)));
    }
    context.lineTo(this.#x(0), this.#y(0));
    context.fill();
  }

  #x(age: number): number {
    const { left, right } = this.#layout;
    return right - ((right - left) * age) / Math.max(1, this.#ring.capacity - 1);
  }

  #y(value: number): number {
    const { top, bottom, most } = this.#layout;
    return bottom - ((bottom - top) * value) / most;
  }

  /** Returns the highest value in the graph. */
  #highest(): number {
    const last = this.#options.series.length - 1;
    let highest = 0;
    for (let age = 0; age < this.#ring.length; age++) {
      for (let s = this.#options.stacked === true ? last : 0; s <= last; s++) {
        const value = this.#options.stacked === true ? this.#sumAt(s, age) : this.#ring.at(s, age);
        if (value > highest && Number.isFinite(value)) highest = value;
      }
    }
    return highest;
  }

  /**
   * Returns the sum of the series up to `series` at an age. NaN counts as 0 if any of the values is known.
   */
  #sumAt(series: number, age: number): number {
    let sum = NaN;
    for (let s = 0; s <= series; s++) {
      const value = this.#ring.at(s, age);
      if (Number.isFinite(value)) sum = (Number.isFinite(sum) ? sum : 0) + value;
    }
    return sum;
  }
}
