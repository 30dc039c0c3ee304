/**
 * Figures as SVG: bars in groups, with units on the axis. Text and lines take the reader's colours, light or
 * dark; nothing is drawn behind them.
 */
import { colourOf, escape, niceStep, number, round, STYLE, text } from './svg-parts.ts';

/** One bar: parts on top of each other, and a mark above them, such as a worst second. */
export type Bar = { readonly name: string; readonly parts: readonly number[]; readonly mark?: number };
export type Group = { readonly name: string; readonly bars: readonly Bar[] };
export type Chart = {
  readonly title: string;
  /** The axis's quantity, with its unit. */
  readonly axis: string;
  /** The names of the parts, the same in all bars. A single name is not written. */
  readonly parts: readonly string[];
  /** The name of the marks, if there are any. */
  readonly mark?: string;
  readonly groups: readonly Group[];
};

const WIDTH = 880;
const LEFT = 190;
const RIGHT = 90;
const TOP = 74;
const BAR = 16;
const GAP = 18;
const BOTTOM = 52;
/** The number of lines on the axis, about. */
const LINES = 6;

/** A chart as the text of an SVG file. */
export function drawChart(chart: Chart): string {
  const bars = chart.groups.reduce((sum, group) => sum + group.bars.length, 0);
  const height = TOP + bars * BAR + chart.groups.length * GAP + BOTTOM;
  const step = niceStep(mostIn(chart) / LINES);
  const end = Math.max(step, Math.ceil(mostIn(chart) / step) * step);
  const x = (value: number): number => LEFT + (value / end) * (WIDTH - LEFT - RIGHT);
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${height}" width="${WIDTH}" height="${height}" role="img">`,
    `<title>${escape(chart.title)}</title>`,
    STYLE,
    text(12, 24, chart.title, 'title'),
    ...legend(chart),
    ...axis(chart, end, step, x, height - BOTTOM),
    ...groups(chart, x),
    '</svg>',
    '',
  ].join('\n');
}

function legend({ parts, mark }: Chart): string[] {
  const out: string[] = [];
  let at = LEFT;
  const say = (picture: string, name: string): void => {
    out.push(picture, text(at + 16, 52, name, 'soft'));
    at += 34 + name.length * 7;
  };
  if (parts.length > 1) {
    parts.forEach((name, i) => {
      say(`<rect x="${at}" y="43" width="11" height="11" fill="${colourOf(i)}"/>`, name);
    });
  }
  if (mark !== undefined) say(`<path class="mark" d="M${at + 5} 42v13"/>`, mark);
  return out;
}

function axis(chart: Chart, end: number, step: number, x: (value: number) => number, low: number): string[] {
  const out: string[] = [];
  for (let value = 0; value <= end + step / 2; value += step) {
    out.push(`<path class="line" d="M${round(x(value))} ${TOP - 8}V${low}"/>`);
    out.push(text(round(x(value)), low + 16, number(value), 'soft middle'));
  }
  out.push(text(round((x(0) + x(end)) / 2), low + 38, chart.axis, 'soft middle'));
  return out;
}

function groups(chart: Chart, x: (value: number) => number): string[] {
  const out: string[] = [];
  let y = TOP;
  for (const group of chart.groups) {
    out.push(text(12, y + 11, group.name, ''));
    y += group.name === '' ? 0 : GAP - 2;
    for (const bar of group.bars) {
      out.push(...drawBar(bar, x, y, chart.parts.length === 1));
      y += BAR;
    }
    y += group.name === '' ? GAP : 2;
  }
  return out;
}

function drawBar(bar: Bar, x: (value: number) => number, y: number, isPlain: boolean): string[] {
  const out = [text(LEFT - 8, y + 11, bar.name, 'soft end')];
  let from = 0;
  bar.parts.forEach((part, i) => {
    const width = round(x(from + part) - x(from));
    const colour = isPlain ? colourOf(0) : colourOf(i);
    out.push(
      `<rect x="${round(x(from))}" y="${y + 1}" width="${width}" height="${BAR - 4}" fill="${colour}"/>`,
    );
    from += part;
  });
  const { mark } = bar;
  if (mark !== undefined) out.push(`<path class="mark" d="M${round(x(mark))} ${y}v${BAR - 2}"/>`);
  const values = [from, ...(mark === undefined ? [] : [mark])].map(number).join(' / ');
  out.push(text(round(x(Math.max(from, mark ?? 0))) + 6, y + 11, values, ''));
  return out;
}

function mostIn({ groups: all }: Chart): number {
  const ends = all.flatMap(({ bars }) =>
    bars.map(({ parts, mark }) =>
      Math.max(
        mark ?? 0,
        parts.reduce((a, b) => a + b, 0),
      ),
    ),
  );
  return Math.max(1e-9, ...ends);
}
