import { TICK_RATE } from '../../src/core/base/constants.ts';
import type { BodyId } from '../../src/core/base/ids.ts';
import type { FlightLaw } from '../../src/core/wire/bodies/flight-law.ts';
import { FlightLaws } from '../../src/core/wire/bodies/flight-law.ts';
import { createLevel } from '../../src/levels/levels.ts';

/** The laws of a world of so many cubes. @param rate ticks a second. */
export function cubeLaws(count: number, rate = TICK_RATE): FlightLaws {
  return new FlightLaws({ ...createLevel({ id: 'grid', seed: 1, count: Math.max(1, count) }), rate });
}

/** The law by which the cubes of every scene fly free. */
export const CUBE_LAW: FlightLaw = cubeLaws(1).of(0 as BodyId, 0);
