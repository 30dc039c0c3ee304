import type { Circumstances, PlainAuthor, PlainUpdate } from '../../support/packets.ts';
import { NO_TICKS, UNCLAIMED } from '../../support/packets.ts';

/** What the tests of packets say again and again. */

/** At rest. */
export const STATE = [1000, 2000, 3000, 3, 16, 32, 48, 0, 0, 0, 0, 0, 0];
/** Of grains 1 and 2. */
export const MOVING = [...STATE.slice(0, 7), 100, 200, 300, 400, 496, 608];
/** A step more in each number. */
export const MOVED = [1002, 2002, 3002, 3, 32, 48, 64, 104, 204, 304, 416, 512, 624];
/** Of the finest grain, so that each number may be any. */
export const SLOW = [...STATE.slice(0, 7), 10, 20, 30, 40, 50, 60];
/** Of the coarsest. */
export const FAST = [1024, 2048, 3072, 3, 64, 128, 192, 4096, 8192, 0, 64, 4096, 8192];

export function circumstances(values: Partial<Circumstances>): Circumstances {
  return { bodies: 64, speaker: 0, packet: 20, newestTicks: NO_TICKS, before: [], ...values };
}

/** Of body 5, which moves, at the tick of `author(100)`. */
export function update(values: Partial<PlainUpdate>): PlainUpdate {
  return { body: 5, baselineAge: 0, claim: UNCLAIMED, kind: 'motion', tick: 100, state: [], ...values };
}

export function author(tick: number): PlainAuthor {
  return { slot: 0, tick, avatar: null, baselineAge: 0 };
}
