import { BotBody } from '../../../src/bots/bot.ts';
import type { Slot } from '../../../src/core/base/ids.ts';
import { LEFT } from '../../../src/core/base/ids.ts';
import type { ReadonlyVector, Vector } from '../../../src/core/base/math.ts';
import { setVector, vector } from '../../../src/core/base/math.ts';

/** The left hand of each player goes round like the hand of a clock: whoever sees it knows when it was there. */

/** Players of a room who show the time: those in its first slots. */
export const PLAYERS = 4;
/** Metres: an arm moves so far without effort. */
const RADIUS = 0.5;
/** Metres above the floor: the middle of the circle, so high that no cube of the pile is in its way. */
const HEIGHT = 1.4;
/**
 * Milliseconds of a round: a greater delay would look like a small one. At 0.8 m/s, and as a place in a packet is a multiple
 * of 1/1024 m, the hand shows the time to 1.2 ms.
 */
const ROUND_MS = 4000;

/** Milliseconds to be added to `performance.now()`: the machine's own clock, which all its processes share. */
export const SHARED_MS = Number(process.hrtime.bigint()) / 1e6 - performance.now();

/** The place of a player's hand at a time of the shared clock. @returns `out`. */
export function placeAt(slot: Slot, ms: number, out: Vector): Vector {
  const { x, z } = middleOf(slot);
  const angle = (2 * Math.PI * (ms % ROUND_MS)) / ROUND_MS;
  return setVector(out, x + RADIUS * Math.cos(angle), HEIGHT + RADIUS * Math.sin(angle), z);
}

/** Milliseconds since a player's hand was at this place. */
export function msSince(slot: Slot, { x, y }: ReadonlyVector, nowMs: number): number {
  const angle = Math.atan2(y - HEIGHT, x - middleOf(slot).x);
  const shownMs = (angle / (2 * Math.PI)) * ROUND_MS;
  return (((nowMs - shownMs) % ROUND_MS) + ROUND_MS) % ROUND_MS;
}

const middles = new Map<Slot, ReadonlyVector>();

function middleOf(slot: Slot): ReadonlyVector {
  const known = middles.get(slot) ?? new BotBody({ slot, players: PLAYERS }).handAt(LEFT, vector());
  middles.set(slot, known);
  return known;
}
