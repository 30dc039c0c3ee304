/**
 * Is loaded before everything else in each Node process that runs in slow motion: `performance.now`, `hrtime` and the
 * global timers run N times slower. So one machine has the time for players who have a machine each in life. A tick takes
 * as long as ever. Native code keeps its speed: what a data channel waits for comes N times sooner. slow-page.ts does the
 * same in a page.
 */

/** How many times slower, in the environment of all processes; they inherit it. */
const SLOW = 'SLOW_MOTION';

const times = Number(process.env[SLOW] ?? 1);

/** All processes of the machine share this clock. */
const readClock = process.hrtime.bigint.bind(process.hrtime);
const { setTimeout: later, setInterval: repeatedly } = globalThis;

if (times > 1) {
  performance.now = () => Number(readClock()) / 1e6 / times;
  process.hrtime.bigint = () => readClock() / BigInt(times);
  globalThis.setTimeout = slowed(later);
  globalThis.setInterval = slowed(repeatedly);
}

function slowed<Timer extends typeof setTimeout | typeof setInterval>(timer: Timer): Timer {
  const slow = (act: () => void, ms = 0, ...rest: []): ReturnType<Timer> =>
    timer(act, ms * times, ...rest) as ReturnType<Timer>;
  return Object.assign(slow, timer);
}

/** @returns the environment of Node processes that run N times slower; nothing if N is 1. */
export function slowMotion(slower: number): Record<string, string> {
  if (slower === 1) return {};
  return { [SLOW]: String(slower), NODE_OPTIONS: `--import tsx --import ${import.meta.url}` };
}
