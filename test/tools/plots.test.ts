import { describe, expect, test } from 'vitest';
import { chartsOf } from '../../src/tools/plots/charts.ts';
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

test('figures that were not measured have no chart', () => {
  expect(chartsOf({})).toEqual({});
  const avatar = { samples: 1, bitsPerSample: 1, mean: 9, worstSecond: 12, worstMetres: 0.0008 };
  const charts = chartsOf({ avatar: { ...avatar, worstDegrees: 0.1, roughness: 1, wrong: 0 } });
  expect(Object.keys(charts)).toEqual(['avatar']);
  expect(charts.avatar.title).toContain('0.80 mm');
});
