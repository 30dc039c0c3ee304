import type { Look } from './looks.ts';

/** Draws lines over an axis as an SVG: plain text, for reports, docs and pages. */

/** A measured point, and how far down and up it was in other seeds. */
export type Point = { readonly x: number; readonly y: number; readonly low: number; readonly high: number };

export type Series = {
  readonly title: string;
  readonly look: Look;
  readonly points: readonly Point[];
};

export type ChartOptions = {
  readonly title: string;
  /** Says what lines and whiskers stand for, or ''. */
  readonly subtitle: string;
  readonly xTitle: string;
  readonly unit: string;
  readonly series: readonly Series[];
  /** `narrow`: the names are under the lines, for a page of the width of a phone. */
  readonly shape: ChartShape;
};

export type ChartShape = 'wide' | 'narrow';

/** The picture's width, the height of its lines, and the margins around these, in pixels. */
type Frame = {
  readonly width: number;
  readonly plot: number;
  readonly left: number;
  readonly right: number;
  readonly top: number;
  readonly bottom: number;
};

const FRAMES: Readonly<Record<ChartShape, Frame>> = {
  wide: { width: 760, plot: 300, left: 52, right: 250, top: 58, bottom: 44 },
  narrow: { width: 400, plot: 250, left: 44, right: 14, top: 58, bottom: 44 },
};
/** The least distance in pixels between two names. */
const NAME_HEIGHT = 17;
/** The number of grid lines, about. */
const STEPS = 5;
/** Pixels from one line's whiskers to the next one's, and the most that all of them take at a value. */
const WHISKERS_APART = 4;
const WHISKERS_WIDTH = 40;

/** A line with its place: whiskers of several lines stand beside each other. */
type Placed = Series & { readonly shift: number };
type Scale = { readonly x: (value: number) => number; readonly y: (value: number) => number };

/** A chart as the text of an SVG. Points that were not measured are left out. */
export function drawChart({ title, subtitle, xTitle, unit, series, shape }: ChartOptions): string {
  const frame = FRAMES[shape];
  const { width, left, right, top, bottom } = frame;
  const drawn = series
    .map((line) => ({ ...line, points: line.points.filter(({ y }) => Number.isFinite(y)) }))
    .filter(({ points }) => points.length > 0);
  const base = top + frame.plot;
  const under = shape === 'narrow' ? drawn.length * NAME_HEIGHT + 8 : 0;
  const height = base + bottom + under;
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" role="img" aria-label="${escaped(title)}" font-family="system-ui, sans-serif" font-size="12" fill="#3b4350">`,
    `<rect width="${width}" height="${height}" rx="10" fill="#ffffff"/>`,
    `<text x="${left}" y="24" font-size="15" font-weight="600">${escaped(title)}${unit === '' ? '' : `, ${escaped(unit)}`}</text>`,
    subtitle === '' ? '' : `<text x="${left}" y="41" fill="#64707f">${escaped(subtitle)}</text>`,
    ...(drawn.length === 0
      ? [`<text x="${left}" y="${top + 40}">Nothing was measured.</text>`]
      : linesAndNames(drawn, shape)),
    `<text x="${(left + width - right) / 2}" y="${base + bottom - 8}" text-anchor="middle">${escaped(xTitle)}</text>`,
    '</svg>',
  ]
    .filter((line) => line !== '')
    .join('\n');
}

function linesAndNames(drawn: readonly Series[], shape: ChartShape): string[] {
  const frame = FRAMES[shape];
  const { width, left, right, top, plot } = frame;
  const base = top + plot;
  const points = drawn.flatMap((line) => line.points);
  const xs = [...new Set(points.map(({ x }) => x))];
  const grid = gridOf(Math.max(0, ...points.map(({ high }) => high)));
  const [least, most] = [Math.min(...xs), Math.max(...xs)];
  const apart = points.some(hasWhisker) ? Math.min(WHISKERS_APART, WHISKERS_WIDTH / drawn.length) : 0;
  const placed = drawn.map((line, i) => ({ ...line, shift: (i - (drawn.length - 1) / 2) * apart }));
  const margin = (drawn.length * apart) / 2;
  const span = width - left - right - 2 * margin;
  const scale: Scale = {
    x: (value) => left + margin + (most > least ? ((value - least) / (most - least)) * span : 0),
    y: (value) => base - (value / grid[grid.length - 1]) * plot,
  };
  return [
    ...grid.map((value) => gridLine(value, scale.y(value), frame)),
    ...xs.map(
      (value) =>
        `<text x="${round(scale.x(value))}" y="${base + 18}" text-anchor="middle">${number(value)}</text>`,
    ),
    ...placed.flatMap((line) => whiskersOf(line, scale)),
    ...placed.map((line) => lineOf(line, scale)),
    ...(shape === 'wide' ? namesBeside(placed, scale, frame) : namesUnder(placed, frame)),
  ];
}

/** Round values from 0 to at least the greatest. */
function gridOf(most: number): number[] {
  const rough = (most > 0 ? most : 1) / STEPS;
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = [1, 2, 5, 10].map((n) => n * power).find((n) => n >= rough) ?? rough;
  return Array.from({ length: Math.ceil((most > 0 ? most : 1) / step) + 1 }, (_, i) => i * step);
}

function gridLine(value: number, at: number, { width, left, right }: Frame): string {
  return (
    `<line x1="${left}" x2="${width - right}" y1="${round(at)}" y2="${round(at)}" stroke="#e2e6ec"/>` +
    `<text x="${left - 8}" y="${round(at + 4)}" text-anchor="end">${number(value)}</text>`
  );
}

function hasWhisker({ low, high }: Point): boolean {
  return high > low;
}

/** A pale stroke from the least to the most of the seeds, at each point where they differ. */
function whiskersOf({ look, points, shift }: Placed, { x, y }: Scale): string[] {
  const strokes = points.filter(hasWhisker).map((point) => {
    return `M${round(x(point.x) + shift)} ${round(y(point.low))}V${round(y(point.high))}`;
  });
  if (strokes.length === 0) return [];
  return [
    `<path class="whiskers" d="${strokes.join('')}" stroke="${look.colour}" stroke-width="2" stroke-opacity="0.35"/>`,
  ];
}

function lineOf({ look, points, shift }: Placed, { x, y }: Scale): string {
  const places = points.map((point) => [round(x(point.x) + shift), round(y(point.y))] as const);
  const dots = places.map(([px, py]) => `<circle cx="${px}" cy="${py}" r="2.6" fill="${look.colour}"/>`);
  const path = places.map(([px, py]) => `${px},${py}`).join(' ');
  return `<polyline points="${path}" fill="none" ${strokeOf(look)}/>${dots.join('')}`;
}

function strokeOf({ colour, dashes }: Look): string {
  return `stroke="${colour}" stroke-width="2"${dashes === '' ? '' : ` stroke-dasharray="${dashes}"`}`;
}

/** Places the names beside the ends of their lines, moved apart where they would overlap. */
function namesBeside(series: readonly Series[], { y }: Scale, { width, right, top, plot }: Frame): string[] {
  const names = series
    .map(({ title, look, points }) => ({ title, look, end: y(points[points.length - 1].y), at: 0 }))
    .sort((a, b) => a.end - b.end);
  let free = top - NAME_HEIGHT;
  for (const name of names) free = name.at = Math.max(name.end, free + NAME_HEIGHT);
  const over = Math.max(0, free - (top + plot + 4));
  for (let i = names.length - 1, most = free - over; i >= 0; i--, most -= NAME_HEIGHT)
    names[i].at = Math.min(names[i].at, most);
  const from = width - right;
  return names.map(
    ({ title, look, end, at }) =>
      `<path d="M${from + 2} ${round(end)} L${from + 14} ${round(at)} L${from + 32} ${round(at)}" fill="none" ${strokeOf(look)}/>` +
      `<text x="${from + 37}" y="${round(at + 4)}" fill="${look.colour}">${escaped(title)}</text>`,
  );
}

/** One below the other: two columns would cut long names off. */
function namesUnder(series: readonly Series[], { left, top, plot, bottom }: Frame): string[] {
  return series.map(({ title, look }, i) => {
    const y = top + plot + bottom + 8 + i * NAME_HEIGHT;
    return (
      `<path d="M${left} ${y}h28" fill="none" ${strokeOf(look)}/>` +
      `<text x="${left + 36}" y="${y + 4}" fill="${look.colour}">${escaped(title)}</text>`
    );
  });
}

function round(value: number): number {
  return Math.round(value * 10) / 10;
}

/** A value on an axis, without the noise of binary fractions. */
function number(value: number): number {
  return Number(value.toPrecision(6));
}

/** A text with the characters that SVG reserves escaped. */
export function escaped(text: string): string {
  return text.replace(/&/g, '&amp;').replace(/</g, '&lt;').replace(/>/g, '&gt;').replace(/"/g, '&quot;');
}
