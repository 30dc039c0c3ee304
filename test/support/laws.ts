import type { FlightLaw } from '../../src/core/wire/bodies/flight-law.ts';
import { flightLaws } from '../../src/core/wire/bodies/flight-law.ts';
import { createLevel } from '../../src/levels/levels.ts';

/** The law by which the cubes of every scene fly free. */
export const CUBE_LAW: FlightLaw = flightLaws(createLevel({ id: 'grid', seed: 1, count: 1 }))[0];

/** The laws of a world of so many cubes. */
export function cubeLaws(count: number): readonly FlightLaw[] {
  return Array.from({ length: count }, () => CUBE_LAW);
}
