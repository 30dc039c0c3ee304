import { describe, expect, test } from 'vitest';
import { SHARES } from '../../src/tools/motion/figures.ts';
import { chartsOf, picturesOf } from '../../src/tools/plots/charts.ts';
import type { CurveChart } from '../../src/tools/plots/curves.ts';
import { drawCurves } from '../../src/tools/plots/curves.ts';
import type { Chart } from '../../src/tools/plots/svg.ts';
import { drawChart } from '../../src/tools/plots/svg.ts';

const chart: Chart = {
  title: 'Bits & bytes <of> a room',
  axis: 'kbit/s',
  parts: ['bodies', 'avatars'],
  mark: 'worst second',
  groups: [{ name: 'two players', bars: [{ name: 'down', parts: [30, 10], mark: 180 }] }],
};

/** The attributes of all elements with a name, in order. */
function all(svg: string, element: string): Record<string, string>[] {
  const found = [...svg.matchAll(new RegExp(`<${element} ([^>]*?)/?>`, 'g'))];
  return found.map(([, inner]) =>
    Object.fromEntries([...inner.matchAll(/([\w-]+)="([^"]*)"/g)].map(([, name, value]) => [name, value])),
  );
}

describe('a chart as SVG', () => {
  const svg = drawChart(chart);

  test('has its title, its axis with a unit, and its names, written as text may be', () => {
    for (const words of [
      'Bits &amp; bytes &lt;of&gt; a room',
      'kbit/s',
      'two players',
      'avatars',
      'worst second',
    ])
      expect(svg).toContain(`>${words}</text>`);
    expect(svg).not.toContain('<of>');
  });

  test('draws the parts of a bar on end, as long as they are great, up to a round number', () => {
    const [first, second] = all(svg, 'rect').slice(-2);
    expect(Number(first.width)).toBeCloseTo(3 * Number(second.width), 0);
    expect(Number(second.x)).toBeCloseTo(Number(first.x) + Number(first.width), 0);
    // 180 of an axis to 200.
    const mark = /M([\d.]+) [\d.]+v14"/.exec(svg);
    expect((Number(mark?.[1]) - 190) / Number(first.width)).toBeCloseTo(180 / 30, 1);
    expect(svg).toContain('>200</text>');
  });

  test('is drawn in light and in dark, on nothing', () => {
    expect(svg).toContain('prefers-color-scheme: dark');
    expect(all(svg, 'rect').every(({ height }) => Number(height) < 20)).toBe(true);
  });

  test('of nothing is an empty one', () => {
    expect(drawChart({ ...chart, groups: [] })).not.toContain('NaN');
  });
});

describe('curves as SVG', () => {
  const curves: CurveChart = {
    title: 'Hands & heads',
    axis: 'of the frames',
    names: ['head', 'hand'],
    kinds: ['recorded', 'generated'],
    panels: [
      {
        title: 'speed, m/s',
        scale: 'logarithmic',
        curves: [
          { name: 0, dashed: false, points: [0.25, 0.5, 0.75].map((x, i) => ({ x, y: [1, 10, 100][i] })) },
          { name: 1, dashed: true, points: [0, 1].map((x) => ({ x, y: 10 })) },
        ],
      },
      {
        title: 'interval, ms',
        scale: 'linear',
        curves: [{ name: 1, dashed: false, points: [0, 1].map((x, i) => ({ x, y: [10.4, 11.8][i] })) }],
      },
    ],
  };
  const svg = drawCurves(curves);
  const paths = all(svg, 'path').filter(({ d }) => d.includes('L'));
  /** The pixels of a path's points. */
  const points = (path: Record<string, string>): number[][] =>
    path.d
      .slice(1)
      .split('L')
      .map((at) => at.split(' ').map(Number));

  test('has its title, its names, and a unit on each panel', () => {
    for (const words of [
      'Hands &amp; heads',
      'head',
      'hand',
      'recorded',
      'generated',
      'speed, m/s',
      'interval, ms',
    ])
      expect(svg).toContain(`>${words}</text>`);
    expect(svg).not.toContain('NaN');
    expect(svg).toContain('prefers-color-scheme: dark');
  });

  test('draws a decade as high as the next on a logarithmic scale, and shares from left to right', () => {
    const [[x0, y0], [x1, y1], [x2, y2]] = points(paths[0]);
    expect(y0 - y1).toBeCloseTo(y1 - y2, 0);
    expect(y0).toBeGreaterThan(y1);
    expect(x1 - x0).toBeCloseTo(x2 - x1, 0);
    expect(points(paths[1])[0][1]).toBeCloseTo(y1, 0);
  });

  test('has round values around those of a linear scale', () => {
    const [[, low], [, high]] = points(paths[2]);
    expect(low).toBeGreaterThan(high);
    for (const value of ['10', '10.5', '11', '11.5', '12']) expect(svg).toContain(`>${value}</text>`);
  });

  test('tells the two kinds apart by dashes', () => {
    expect(paths.map((path) => path['stroke-dasharray'] !== undefined)).toEqual([false, true, false]);
  });
});

test('motion has a picture where there is recorded motion to compare with, and none where there is not', () => {
  const values = SHARES.map((share) => 1 + share);
  const part = { speed: values, acceleration: values, jerk: values, angularSpeed: values };
  const figures = { frames: 9, intervals: values, parts: { head: part, left: part, right: part } };
  expect(picturesOf({ motion: { generated: figures, recorded: null } })).toEqual({});
  const { motion } = picturesOf({ motion: { generated: figures, recorded: figures } });
  // Two of each: nine in a panel would be one part's missing.
  expect(all(motion, 'path').filter(({ d }) => d.includes('L'))).toHaveLength(2 * (4 * 3 + 1));
});

test('figures that were not measured have no chart', () => {
  expect(chartsOf({})).toEqual({});
  const avatar = { samples: 1, bitsPerSample: 1, mean: 9, worstSecond: 12, worstMetres: 0.0008 };
  const generated = { ...avatar, worstDegrees: 0.1, roughness: 1, wrong: 0 };
  const charts = chartsOf({ avatar: { generated } });
  expect(Object.keys(charts)).toEqual(['avatar']);
  expect(charts.avatar.title).toContain('0.80 mm');
});
