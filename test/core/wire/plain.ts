import type { Circumstances, PlainAuthor, PlainUpdate } from '../../support/packets.ts';
import { NO_TICKS, UNCLAIMED } from '../../support/packets.ts';

/** Plain data that several tests of packets share. */

/** A state at rest. */
export const STATE = [1000, 2000, 3000, 3, 16, 32, 48, 0, 0, 0, 0, 0, 0];
/** A state on grid 1 for its position and on grid 2 for its rotation. */
export const MOVING = [...STATE.slice(0, 7), 100, 200, 300, 400, 496, 608];
/** MOVING with a step more in each number but the largest component. */
export const MOVED = [1002, 2002, 3002, 3, 32, 48, 64, 104, 204, 304, 416, 512, 624];
/** A state on the finest grid, where each number may have any value. */
export const SLOW = [...STATE.slice(0, 7), 10, 20, 30, 40, 50, 60];
/** A state on the coarsest grid. */
export const FAST = [1024, 2048, 3072, 3, 64, 128, 192, 4096, 8192, 0, 64, 4096, 8192];

/** The circumstances of packet 20 from slot 0, in a world of 64 bodies without earlier packets; but for `values`. */
export function circumstances(values: Partial<Circumstances>): Circumstances {
  return { bodies: 64, speaker: 0, packet: 20, newestTicks: NO_TICKS, before: [], ...values };
}

/** An update of body 5: a motion without authority, at the tick of `author(100)`; but for `values`. */
export function update(values: Partial<PlainUpdate>): PlainUpdate {
  return { body: 5, baselineAge: 0, claim: UNCLAIMED, kind: 'motion', tick: 100, state: [], ...values };
}

/** Slot 0 in the table of authors, without an avatar. */
export function author(tick: number): PlainAuthor {
  return { slot: 0, tick, avatar: null, baselineAge: 0 };
}
