import type { Slot } from '../../../core/base/ids.ts';
import { Playback } from '../../../core/peer/recording/playback.ts';
import { readRecording } from '../../../core/peer/recording/recording.ts';
import type { Simulation } from '../../../core/world/simulation.ts';
import { createLevel } from '../../../levels/levels.ts';
import { createRapierSimulation } from '../../../physics/rapier-simulation.ts';
import { MovingCount } from './moving.ts';
import type { Time } from '../stopwatch.ts';
import { Stopwatch } from '../stopwatch.ts';

/** Metres a second: a slower body does not count as moving. */
export const LEAST_SPEED = 0.01;
/** Ticks that count in a room of many bodies: those in which about 200 move. */
export const LEAST_MOVING = 180;
export const MOST_MOVING = 220;

/** The cost of a host that has a process for itself. */
export type HostAlone = {
  /** Bodies of its engine that are awake and faster than LEAST_SPEED: the mean. */
  readonly moving: number;
  /** How many ticks count: those in which LEAST_MOVING to MOST_MOVING bodies move. */
  readonly ticks: number;
  /** The times of these ticks; null if there is none. */
  readonly ms: Readonly<Record<'tick' | 'step', Time>> | null;
};

/**
 * Plays a recording of a host once more, without its guests, and times it. In a room of one process the peers push each
 * other out of the processor's cache; a real host shares its machine with no guest. The playback compares the packets that
 * the host sends with the recorded ones, which counts as a part of `tick`.
 * @param file a recording of the host alone, from its beginning.
 * @param host its slot.
 * @param warmTicks ticks that do not count.
 * @throws Error if the host does not do the same again.
 */
export function timeHostAlone(file: Uint8Array, host: Slot, warmTicks: number): HostAlone {
  const recording = readRecording(file, createLevel);
  if (typeof recording === 'string')
    throw new Error(`The recording of the host can't be read: ${recording}.`);
  const engines: Simulation[] = [];
  const playback = new Playback(recording, (level) => {
    const engine = createRapierSimulation(level);
    engines.push(engine);
    return engine;
  });
  playback.step();
  const peer = playback.played.get(host)?.peer;
  if (peer === undefined) throw new Error('The recording has no host.');
  const stopwatch = new Stopwatch(peer, 'step');
  const count = new MovingCount(engines[0]);
  let moving = 0;
  let total = 0;
  let ticks = 0;
  for (;;) {
    const isWarm = playback.steps >= warmTicks;
    // Nearly as many bodies move as in the tick before.
    stopwatch.begin(isWarm && moving >= LEAST_MOVING && moving <= MOST_MOVING);
    if (!playback.step()) break;
    stopwatch.end();
    moving = count.fasterThan(LEAST_SPEED);
    if (!isWarm) continue;
    ticks++;
    total += moving;
  }
  playback.dispose();
  if (playback.partedAt !== null)
    throw new Error(`From step ${playback.partedAt} on the host did other things than in the recording.`);
  const counted = stopwatch.samplesOf('tick').length;
  return { moving: Math.round(total / ticks), ticks: counted, ms: counted > 0 ? stopwatch.result() : null };
}
