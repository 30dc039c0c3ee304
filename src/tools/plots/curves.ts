/** Pictures of curves as SVG: panels side by side, each with a value over a share. Nothing is drawn behind them. */
import { colourOf, escape, niceStep, number, round, STYLE, text } from './svg-parts.ts';

/** One curve: its place among the names of the legend, and its points from left to right. */
export type Curve = {
  readonly name: number;
  /** Dashes tell two kinds of curves with one name apart. */
  readonly dashed: boolean;
  readonly points: readonly { readonly x: number; readonly y: number }[];
};
export type Panel = {
  /** The plotted quantity, with its unit. */
  readonly title: string;
  /** On a logarithmic scale all values must be above 0. */
  readonly scale: 'linear' | 'logarithmic';
  readonly curves: readonly Curve[];
};
export type CurveChart = {
  readonly title: string;
  /** The values on the lower axis of all panels, from 0 to 1, shown in per cent. */
  readonly axis: string;
  /** The names of curves, and of the two kinds. */
  readonly names: readonly string[];
  readonly kinds: readonly [solid: string, dashed: string];
  readonly panels: readonly Panel[];
};

const COLUMNS = 2;
const PANEL_WIDTH = 430;
const PANEL_HEIGHT = 250;
const TOP = 74;
/** Pixels within a panel around its plot. */
const INNER = { left: 62, right: 16, top: 26, bottom: 44 } as const;
/** Lines on a linear axis, about; and per cent at which the lower axis has one. */
const LINES = 5;
const SHARES = [0, 25, 50, 75, 100];

/** A chart of curves as the text of an SVG file. */
export function drawCurves(chart: CurveChart): string {
  const width = COLUMNS * PANEL_WIDTH + 20;
  const height = TOP + Math.ceil(chart.panels.length / COLUMNS) * PANEL_HEIGHT;
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" role="img">`,
    `<title>${escape(chart.title)}</title>`,
    STYLE,
    text(12, 24, chart.title, 'title'),
    ...legend(chart),
    ...chart.panels.flatMap((panel, i) =>
      drawPanel(panel, chart.axis, (i % COLUMNS) * PANEL_WIDTH, TOP + Math.floor(i / COLUMNS) * PANEL_HEIGHT),
    ),
    '</svg>',
    '',
  ].join('\n');
}

function legend({ names, kinds }: CurveChart): string[] {
  const out: string[] = [];
  let at = INNER.left;
  const add = (colour: string, dashes: string, name: string): void => {
    out.push(`<path d="M${at} 48h22" fill="none" stroke="${colour}" stroke-width="2"${dashes}/>`);
    out.push(text(at + 28, 52, name, 'soft'));
    at += 46 + name.length * 7;
  };
  names.forEach((name, i) => add(colourOf(i), '', name));
  kinds.forEach((kind, i) => add(colourOf(5), dashesOf(i === 1), kind));
  return out;
}

function drawPanel({ title, scale, curves }: Panel, axis: string, left: number, top: number): string[] {
  const [x0, x1] = [left + INNER.left, left + PANEL_WIDTH - INNER.right];
  const [y0, y1] = [top + PANEL_HEIGHT - INNER.bottom, top + INNER.top];
  const values = curves.flatMap(({ points }) => points.map(({ y }) => y));
  if (values.length === 0) return [text(x0, top + 14, title, '')];
  const lines = linesOf(scale, Math.min(...values), Math.max(...values));
  const placed = scale === 'linear' ? (value: number): number => value : Math.log10;
  const [low, high] = [placed(lines[0]), placed(lines[lines.length - 1])];
  const x = (share: number): number => round(x0 + share * (x1 - x0));
  const y = (value: number): number => round(y0 + ((placed(value) - low) / (high - low)) * (y1 - y0));
  return [
    text(x0, top + 14, title, ''),
    ...lines.flatMap((value) => [
      `<path class="line" d="M${x0} ${y(value)}H${x1}"/>`,
      text(x0 - 6, y(value) + 4, number(value), 'soft end'),
    ]),
    ...SHARES.flatMap((per) => [
      `<path class="line" d="M${x(per / 100)} ${y1}V${y0}"/>`,
      text(x(per / 100), y0 + 15, `${per} %`, 'soft middle'),
    ]),
    text((x0 + x1) / 2, y0 + 31, axis, 'soft middle'),
    ...curves.map(({ name, dashed, points }) => {
      const path = points.map((point) => `${x(point.x)} ${y(point.y)}`).join('L');
      return `<path d="M${path}" fill="none" stroke="${colourOf(name)}" stroke-width="2"${dashesOf(dashed)}/>`;
    }),
  ];
}

/** Round values from at or below the least to at or above the most; two at the least. */
function linesOf(scale: Panel['scale'], least: number, most: number): number[] {
  if (scale === 'linear') {
    const step = niceStep(Math.max(most - least, 1e-9) / LINES);
    const from = Math.floor(least / step);
    const count = Math.max(1, Math.ceil(most / step) - from);
    return Array.from({ length: count + 1 }, (_, i) => (from + i) * step);
  }
  const from = Math.floor(Math.log10(least));
  const count = Math.max(1, Math.ceil(Math.log10(most)) - from);
  return Array.from({ length: count + 1 }, (_, i) => 10 ** (from + i));
}

function dashesOf(dashed: boolean): string {
  return dashed ? ' stroke-dasharray="5 4"' : '';
}
