import { PARTS } from '../../hand-motion/track.ts';
import type { TickFigures } from '../bench/tick/tick.ts';
import { QUANTITIES, QUANTITY_NAMES, SHARES, UNITS } from '../motion/figures.ts';
import type { MotionFigures } from '../motion/figures.ts';
import type { MotionReport } from '../motion/motion-bench.ts';
import { PHASES } from '../bench/stopwatch.ts';
import type { AvatarReport, AvatarReports } from '../wire/avatar-bench.ts';
import type { LiveReport } from '../wire/live-bench.ts';
import type { WireReport } from '../wire/wire-bench.ts';
import type { Curve, CurveChart } from './curves.ts';
import { drawCurves } from './curves.ts';
import type { Chart, Group } from './svg.ts';
import { drawChart } from './svg.ts';

/** The output of `bench --json`, one object for each bench. */
export type ChartFigures = {
  readonly wire?: { readonly bodies: readonly WireReport[]; readonly live: LiveReport };
  readonly tick?: TickFigures;
  readonly avatar?: AvatarReports;
  readonly motion?: MotionReport;
};

const WORST = 'worst second';

/** The pictures of what was measured, as the text of SVG files, by the name of their file. */
export function picturesOf(figures: ChartFigures): Record<string, string> {
  const bars = Object.entries(chartsOf(figures)).map(([name, chart]) => [name, drawChart(chart)]);
  const motion = figures.motion === undefined ? null : chartOfMotion(figures.motion);
  const pictures = Object.fromEntries(bars) as Record<string, string>;
  return motion === null ? pictures : { ...pictures, motion: drawCurves(motion) };
}

/** The bar charts of what was measured, by the name of their file. */
export function chartsOf({ wire, tick, avatar }: ChartFigures): Record<string, Chart> {
  return {
    ...(wire === undefined ? {} : { wire: chartOfWire(wire.bodies), ...chartsOfLive(wire.live) }),
    ...(tick === undefined ? {} : { tick: chartOfTick(tick) }),
    ...(avatar === undefined ? {} : { avatar: chartOfAvatar(avatar) }),
  };
}

function chartOfWire(reports: readonly WireReport[]): Chart {
  return {
    title: 'Bodies on the wire, and who has them, every baseline 100 ms old',
    axis: 'kbit/s, mean of 20 s',
    parts: ['mean'],
    mark: WORST,
    groups: reports
      .filter(({ authority }) => authority)
      .map(({ scene, bodies, rows }) => ({
        name: `${scene}, ${bodies} cubes`,
        bars: rows.map(({ scheme, mean, worstSecond }) => ({
          name: scheme,
          parts: [mean],
          mark: worstSecond,
        })),
      })),
  };
}

function chartsOfLive({ scene, network, seconds, rows }: LiveReport): Record<string, Chart> {
  const { latencyMs, jitterMs, lossPercent } = network;
  const where = `${scene}, bots at play, ${latencyMs} ms, ${jitterMs} ms of jitter, ${lossPercent} % lost`;
  const axis = `kbit/s, mean of ${seconds} s`;
  return {
    guest: {
      title: `What a live host sends one guest: ${where}`,
      axis: `${axis}, payload`,
      parts: ['bodies', 'avatars', 'acks and headers'],
      mark: WORST,
      groups: rows.map(({ players, bodies, avatars, headers, down }) =>
        alone(`${players} players`, [bodies.mean, avatars.mean, headers.mean], down.worstSecond),
      ),
    },
    uplink: {
      title: `What a live host sends to all its guests: ${where}`,
      axis,
      parts: ['payload', 'added by datagrams, at most'],
      mark: `${WORST} of payload`,
      groups: rows.map(({ players, uplink, datagrams }) =>
        alone(`${players} players`, [uplink.mean, datagrams[1]], uplink.worstSecond),
      ),
    },
  };
}

function alone(name: string, parts: readonly number[], mark: number): Group {
  return { name: '', bars: [{ name, parts, mark }] };
}

/** For each number of cubes, the host with the median number of guests. */
function chartOfTick({ scene, engine, times }: TickFigures): Chart {
  const guests = [...new Set(times.map((row) => row.guests))].sort((a, b) => a - b);
  const chosen = guests[Math.floor((guests.length - 1) / 2)];
  return {
    title: `A tick of a host with ${chosen} guests in play: ${scene}, Rapier's ${engine} build`,
    axis: 'milliseconds, median',
    parts: ['median'],
    mark: '99th percentile',
    groups: times
      .filter((row) => row.peer === 'host' && row.guests === chosen)
      .map(({ cubes, ms }) => ({
        name: `${cubes} cubes`,
        bars: PHASES.map((phase) => ({ name: phase, parts: [ms[phase].median], mark: ms[phase].p99 })),
      })),
  };
}

function chartOfAvatar(reports: AvatarReports): Chart {
  const worst = (of: (report: AvatarReport) => number): number => Math.max(...Object.values(reports).map(of));
  const millimetres = worst(({ worstMetres }) => worstMetres * 1000).toFixed(2);
  const off = `at most ${millimetres} mm and ${worst(({ worstDegrees }) => worstDegrees)}° off`;
  return {
    title: `A player's head and hands in fast play, ${off}`,
    axis: 'kbit/s at 60 samples a second',
    parts: ['mean'],
    mark: WORST,
    groups: Object.entries(reports).map(([name, { mean, worstSecond }]) =>
      alone(`${name} motion`, [mean], worstSecond),
    ),
  };
}

/** Recorded and generated motion side by side; null where there is no recorded one. */
function chartOfMotion({ generated, recorded }: MotionReport): CurveChart | null {
  if (recorded === null) return null;
  const curvesOf = (of: (figures: MotionFigures) => readonly number[], name: number): Curve[] =>
    [recorded, generated].map((figures, i) => ({
      name,
      dashed: i === 1,
      points: of(figures).map((y, k) => ({ x: SHARES[k], y })),
    }));
  const panels = QUANTITIES.map((quantity) => ({
    title: `${QUANTITY_NAMES[quantity]}, ${UNITS[quantity]}`,
    scale: 'logarithmic' as const,
    curves: PARTS.flatMap((part, i) => curvesOf(({ parts }) => parts[part][quantity], i)),
  }));
  const intervals = curvesOf((figures) => figures.intervals, PARTS.length);
  return {
    title: 'How head and hands move in a minute of fast play, recorded and generated',
    axis: 'of the frames are at or below',
    names: ['head', 'left hand', 'right hand', 'frame times'],
    kinds: ['recorded', 'generated'],
    panels: [...panels, { title: 'from frame to frame, ms', scale: 'linear', curves: intervals }],
  };
}
