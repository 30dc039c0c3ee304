import { TICK_RATE } from '../../src/core/base/constants.ts';
import type { BodyId } from '../../src/core/base/ids.ts';
import { BallisticCache } from '../../src/core/wire/bodies/flights.ts';
import type { FlightLaw } from '../../src/core/wire/bodies/flight-law.ts';
import { FlightLaws } from '../../src/core/wire/bodies/flight-law.ts';
import { createLevel } from '../../src/levels/levels.ts';
import { plate } from './driven-levels.ts';

/** The laws of a world of so many cubes. @param rate ticks a second. @param hasTime [K2.1] true with a driven body. */
export function cubeLaws(count: number, rate = TICK_RATE, hasTime = false): FlightLaws {
  const level = createLevel({ id: 'grid', seed: 1, count: Math.max(1, count) });
  return new FlightLaws({ ...level, rate, ...(hasTime ? { driven: [BELT] } : {}) });
}

const BELT = plate([1, 0.1, 1], [0, 0.1, 0], { kind: 'belt', velocity: { x: 1, y: 0, z: 0 } });

/** The law by which the cubes of every scene fly free. */
export const CUBE_LAW: FlightLaw = cubeLaws(1).of(0 as BodyId, 0);

/**
 * BallisticCache for writing, for each number of bodies and each rate: they may be shared, and making them takes longer than a
 * packet.
 */
const flights = new Map<string, BallisticCache>();

/** The cache of a world of so many cubes. @param rate ticks a second. @param hasTime see cubeLaws. */
export function flightsOf(bodies: number, rate = TICK_RATE, hasTime = false): BallisticCache {
  const key = `${bodies} ${rate} ${hasTime}`;
  const made = flights.get(key) ?? new BallisticCache(cubeLaws(bodies, rate, hasTime));
  flights.set(key, made);
  return made;
}
