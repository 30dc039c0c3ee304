import type { TickFigures } from '../bench/tick.ts';
import { PHASES } from '../bench/stopwatch.ts';
import type { AvatarReport } from '../wire/avatar-bench.ts';
import type { LiveReport } from '../wire/live-bench.ts';
import type { WireReport } from '../wire/wire-bench.ts';
import type { Chart, Group } from './svg.ts';

/** The output of `bench --json`, one object for each bench. */
export type ChartFigures = {
  readonly wire?: { readonly bodies: readonly WireReport[]; readonly live: LiveReport };
  readonly tick?: TickFigures;
  readonly avatar?: AvatarReport;
};

const WORST = 'worst second';

/** The charts of the figures, by the name of their file. */
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

function chartOfAvatar({ mean, worstSecond, worstMetres, worstDegrees }: AvatarReport): Chart {
  const off = `at most ${(worstMetres * 1000).toFixed(2)} mm and ${worstDegrees}° off`;
  return {
    title: `A player's head and hands, recorded in fast play, ${off}`,
    axis: 'kbit/s at 60 samples a second',
    parts: ['mean'],
    mark: WORST,
    groups: [alone('head and hands', [mean], worstSecond)],
  };
}
