import type { BodyId } from '../base/ids.ts';
import type { GuestRights, Template } from './level.ts';
import type { Records } from './record.ts';

const BITS = { take: 1, hold: 2, keep: 4 } as const;

/** Returns what a template forbids guests, as bits for Records.forbidden; 0 without a template. */
export function forbiddenBy(template: Template | null): number {
  if (template === null) return 0;
  const { take, hold, keep } = template.guests;
  return (take ? 0 : BITS.take) | (hold ? 0 : BITS.hold) | (keep ? 0 : BITS.keep);
}

/** [A15] True if a player may begin to do this with a body, as far as its template says. */
export function isAllowed(
  records: Records,
  body: BodyId,
  right: keyof GuestRights,
  isHost: boolean,
): boolean {
  return isHost || (records.forbidden[body] & BITS[right]) === 0;
}
