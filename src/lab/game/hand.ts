import type { ReadonlyVector } from '../../core/base/math.ts';

/**
 * A player's action in a tick: the place of the hand that pulls the player's own cube along. It lies on a grid,
 * so that every machine computes with exactly the number that travels.
 */
export type Hand = { readonly x: number; readonly y: number; readonly z: number };

/** Steps of a hand's position per metre: 4 mm, which nobody sees in a cube that follows by a spring. */
export const HAND_STEPS = 256;
/** The greatest distance of a hand from the middle, and its greatest height, in metres. */
const HAND_ACROSS = 15;
const HAND_HIGH = 7;

/** The hand at a place in metres, clamped to its limits. */
export function handAt(place: ReadonlyVector): Hand {
  return {
    x: onGrid(place.x, -HAND_ACROSS, HAND_ACROSS),
    y: onGrid(place.y, 0, HAND_HIGH),
    z: onGrid(place.z, -HAND_ACROSS, HAND_ACROSS),
  };
}

function onGrid(metres: number, low: number, high: number): number {
  return Math.round(Math.max(low, Math.min(high, metres)) * HAND_STEPS);
}

/** True if two hands are at the same place of the grid. */
export function sameHand(a: Hand, b: Hand): boolean {
  return a.x === b.x && a.y === b.y && a.z === b.z;
}

/** Metres between two hands. */
export function handDistance(a: Hand, b: Hand): number {
  return Math.hypot(a.x - b.x, a.y - b.y, a.z - b.z) / HAND_STEPS;
}

/**
 * The most ticks for which a hand that has not arrived is taken to go on as it moved. To repeat a place would mean that
 * every hand stops at once; a held key, which the sources repeat, goes on. For 100 ms: with 150, prediction
 * errs less, and jumps five to ten times a minute where it does not jump now.
 */
const MOVES_ON = 6;

/**
 * The hand some ticks after `last`, as it moved since `before`; on the grid.
 * @param apart ticks between `before` and `last`, 1 or more.
 * @param most ticks for which it goes on.
 */
export function goOn(before: Hand, last: Hand, ticks: number, apart = 1, most = MOVES_ON): Hand {
  const share = Math.min(ticks, most) / apart;
  const on = (from: number, to: number): number => Math.round(to + (to - from) * share);
  return { x: on(before.x, last.x), y: on(before.y, last.y), z: on(before.z, last.z) };
}
