import type { Store } from './store.ts';
import { localStore, readFields } from './store.ts';

/** How a player in a headset moves and turns. */
export type ComfortSettings = {
  /** The left stick walks; otherwise it jumps. */
  readonly smoothWalking: boolean;
  /** Degrees of one turn by the stick. */
  readonly snapDegrees: number;
};

/** The turns that a player can choose, in degrees. */
export const SNAP_DEGREES: readonly number[] = [30, 45, 90];

const KEY = 'handover.comfort';

/** Returns the player's choices; a choice that is missing or invalid is left out. */
export function loadComfort(store: Store = localStore()): Partial<ComfortSettings> {
  const fields = readFields(store, KEY);
  const { smoothWalking, snapDegrees } = fields ?? {};
  return {
    ...(typeof smoothWalking === 'boolean' ? { smoothWalking } : {}),
    ...(typeof snapDegrees === 'number' && SNAP_DEGREES.includes(snapDegrees) ? { snapDegrees } : {}),
  };
}

export function saveComfort(
  { smoothWalking, snapDegrees }: ComfortSettings,
  store: Store = localStore(),
): void {
  store.write(KEY, JSON.stringify({ smoothWalking, snapDegrees }));
}
