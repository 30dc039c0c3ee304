/** Draws lines over an axis as an SVG: plain text, for reports, docs and pages. */

export type Series = {
  readonly id: string;
  readonly title: string;
  readonly points: readonly { readonly x: number; readonly y: number }[];
};

export type ChartOptions = {
  readonly title: string;
  readonly xTitle: string;
  readonly unit: string;
  readonly series: readonly Series[];
};

const WIDTH = 760;
const HEIGHT = 380;
const LEFT = 52;
const RIGHT = 250;
const TOP = 44;
const BOTTOM = 44;
/** The least distance in pixels between two names at the right. */
const NAME_HEIGHT = 17;
/** The number of grid lines, about. */
const STEPS = 5;

/** Lines differ by hue and by dashes. One model looks the same in every chart. */
const LOOKS: readonly (readonly [colour: string, dashes: string])[] = [
  ['#1f6fd6', ''],
  ['#c2410c', ''],
  ['#15803d', ''],
  ['#64748b', ''],
  ['#7e22ce', ''],
  ['#be185d', ''],
  ['#0e7490', '7 4'],
  ['#0e7490', ''],
  ['#0e7490', '2 3'],
  ['#a16207', '7 4'],
  ['#a16207', ''],
  ['#a16207', '2 3'],
];

/** @param order the ids of all possible series, which give each its look. */
export function drawChart({ title, xTitle, unit, series }: ChartOptions, order: readonly string[]): string {
  const drawn = series
    .map((line) => ({ ...line, points: line.points.filter(({ y }) => Number.isFinite(y)) }))
    .filter(({ points }) => points.length > 0);
  const xs = drawn.flatMap(({ points }) => points.map(({ x }) => x));
  const most = Math.max(0, ...drawn.flatMap(({ points }) => points.map(({ y }) => y)));
  const grid = gridOf(most);
  const [low, high] = [Math.min(...xs), Math.max(...xs)];
  const x = (value: number): number =>
    LEFT + (high > low ? ((value - low) / (high - low)) * (WIDTH - LEFT - RIGHT) : 0);
  const y = (value: number): number =>
    HEIGHT - BOTTOM - (value / grid[grid.length - 1]) * (HEIGHT - TOP - BOTTOM);
  const look = (id: string): readonly [string, string] =>
    LOOKS[Math.max(0, order.indexOf(id)) % LOOKS.length];
  const body =
    drawn.length === 0
      ? [`<text x="${LEFT}" y="${TOP + 40}">Nothing was measured.</text>`]
      : [
          ...grid.map((value) => gridLine(value, y(value))),
          ...[...new Set(xs)].map(
            (value) =>
              `<text x="${round(x(value))}" y="${HEIGHT - BOTTOM + 18}" text-anchor="middle">${value}</text>`,
          ),
          ...drawn.map(({ id, points }) =>
            lineOf(
              points.map((p) => [x(p.x), y(p.y)] as const),
              look(id),
            ),
          ),
          ...namesOf(drawn, y, look),
        ];
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${HEIGHT}" role="img" aria-label="${escaped(title)}" font-family="system-ui, sans-serif" font-size="12" fill="#3b4350">`,
    `<rect width="${WIDTH}" height="${HEIGHT}" rx="10" fill="#ffffff"/>`,
    `<text x="${LEFT}" y="24" font-size="15" font-weight="600">${escaped(title)}${unit === '' ? '' : `, ${escaped(unit)}`}</text>`,
    ...body,
    `<text x="${(LEFT + WIDTH - RIGHT) / 2}" y="${HEIGHT - 8}" text-anchor="middle">${escaped(xTitle)}</text>`,
    '</svg>',
  ].join('\n');
}

/** Round values from 0 to at least the greatest. */
function gridOf(most: number): number[] {
  const rough = (most > 0 ? most : 1) / STEPS;
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = [1, 2, 5, 10].map((n) => n * power).find((n) => n >= rough) ?? rough;
  return Array.from({ length: Math.ceil((most > 0 ? most : 1) / step) + 1 }, (_, i) => i * step);
}

function gridLine(value: number, at: number): string {
  const label = Number(value.toPrecision(6));
  return (
    `<line x1="${LEFT}" x2="${WIDTH - RIGHT}" y1="${round(at)}" y2="${round(at)}" stroke="#e2e6ec"/>` +
    `<text x="${LEFT - 8}" y="${round(at + 4)}" text-anchor="end">${label}</text>`
  );
}

function lineOf(
  points: readonly (readonly [number, number])[],
  [colour, dashes]: readonly [string, string],
): string {
  const path = points.map(([px, py]) => `${round(px)},${round(py)}`).join(' ');
  const dots = points.map(
    ([px, py]) => `<circle cx="${round(px)}" cy="${round(py)}" r="2.6" fill="${colour}"/>`,
  );
  return `<polyline points="${path}" fill="none" stroke="${colour}" stroke-width="2" stroke-dasharray="${dashes}"/>${dots.join('')}`;
}

/** Places the names beside the ends of their lines, moved apart where they would overlap. */
function namesOf(
  series: readonly Series[],
  y: (value: number) => number,
  look: (id: string) => readonly [string, string],
): string[] {
  const names = series
    .map(({ id, title, points }) => ({ id, title, end: y(points[points.length - 1].y), at: 0 }))
    .sort((a, b) => a.end - b.end);
  let free = TOP - NAME_HEIGHT;
  for (const name of names) free = name.at = Math.max(name.end, free + NAME_HEIGHT);
  const over = Math.max(0, free - (HEIGHT - BOTTOM + 4));
  for (let i = names.length - 1, most = free - over; i >= 0; i--, most -= NAME_HEIGHT)
    names[i].at = Math.min(names[i].at, most);
  const from = WIDTH - RIGHT;
  return names.map(({ id, title, end, at }) => {
    const [colour, dashes] = look(id);
    return (
      `<path d="M${from + 2} ${round(end)} L${from + 14} ${round(at)} L${from + 32} ${round(at)}" fill="none" stroke="${colour}" stroke-width="2" stroke-dasharray="${dashes}"/>` +
      `<text x="${from + 37}" y="${round(at + 4)}" fill="${colour}">${escaped(title)}</text>`
    );
  });
}

function round(value: number): number {
  return Math.round(value * 10) / 10;
}

/** A text with the characters that SVG reserves escaped. */
export function escaped(text: string): string {
  return text.replace(/&/g, '&amp;').replace(/</g, '&lt;').replace(/>/g, '&gt;').replace(/"/g, '&quot;');
}
