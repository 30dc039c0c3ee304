import type { Slot } from '../core/base/ids.ts';
import { MAX_PLAYERS } from '../core/base/constants.ts';

/** A slot as it was kept; null if it is none. */
export function readSlot(value: unknown): Slot | null {
  const isSlot = typeof value === 'number' && Number.isInteger(value) && value >= 0 && value < MAX_PLAYERS;
  return isSlot ? (value as Slot) : null;
}
