import type { Existence } from '../../../src/core/base/ids.ts';
import { absenceOf, AS_AT_START, existing, generationOf, gone } from '../../../src/core/world/existence.ts';

/**
 * An existence in a cell: 0 as the level begins; else four times the generation, and 1 for a body, 2 for one that was
 * despawned, 3 for one that was refused.
 */
export function cellOf(existence: number): number {
  if (existence === AS_AT_START) return 0;
  const why = absenceOf(existence);
  return 4 * generationOf(existence as Existence) + (why === null ? 1 : why === 'despawned' ? 2 : 3);
}

/** The existence in a cell. */
export function existenceIn(cell: number): Existence {
  const generation = cell >> 2;
  if (cell === 0) return AS_AT_START;
  if ((cell & 3) === 1) return existing(generation, 0);
  return gone(existing(generation - 1, 0), (cell & 3) === 2 ? 'despawned' : 'too many');
}

/** True if a cell says that there is a body of an id for spawning. */
export function isBodyIn(cell: number): boolean {
  return (cell & 3) === 1;
}

/** The generation in a cell. */
export function generationIn(cell: number): number {
  return cell >> 2;
}
