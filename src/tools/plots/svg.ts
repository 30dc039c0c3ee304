/**
 * Figures as SVG: bars in groups, with units on the axis. Text and lines take the reader's colours, light or
 * dark; nothing is drawn behind them.
 */

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

/** Colours that differ on white and on black, and for colour-blind readers. */
const COLOURS = ['#2f7ed8', '#e08214', '#35a06b', '#b35cc4', '#c9474f', '#8a8f98', '#b39b1e', '#3aa6b9'];
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

const STYLE = `<style>
text { font: 12px system-ui, sans-serif; fill: #1f2328; }
.title { font-size: 15px; font-weight: 600; }
.soft { fill: #59636e; }
.end { text-anchor: end; }
.middle { text-anchor: middle; }
.line { stroke: #8a8f98; stroke-opacity: 0.35; }
.mark { stroke: #1f2328; stroke-width: 2; }
@media (prefers-color-scheme: dark) {
  text { fill: #e6edf3; }
  .soft { fill: #9198a1; }
  .mark { stroke: #e6edf3; }
}
</style>`;

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

/** The least 1, 2 or 5 times a power of ten that is at or above a value. */
function niceStep(value: number): number {
  const power = 10 ** Math.floor(Math.log10(value));
  return ([1, 2, 5].find((n) => n * power >= value) ?? 10) * power;
}

function colourOf(index: number): string {
  return COLOURS[index % COLOURS.length];
}

function text(x: number, y: number, words: string, kind: string): string {
  const style = kind === '' ? '' : ` class="${kind}"`;
  return words === '' ? '' : `<text x="${x}" y="${y}"${style}>${escape(words)}</text>`;
}

/** Three digits are enough to compare. */
function number(value: number): string {
  return value === 0 ? '0' : String(Number(value.toPrecision(3)));
}

function round(value: number): number {
  return Math.round(value * 10) / 10;
}

function escape(words: string): string {
  return words.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}
