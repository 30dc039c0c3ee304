import type { Store } from './store.ts';
import { localStore, readFields } from './store.ts';

/** How a player in a headset likes to get about. */
export type ComfortSettings = {
  /** The left stick walks, in place of jumping. */
  readonly smoothWalking: boolean;
  /** Degrees that one push of a stick turns. */
  readonly snapDegrees: number;
};

/** The turns that there are to choose from, in degrees. */
export const SNAPS: readonly number[] = [30, 45, 90];

const KEY = 'handover.comfort';

/** What was chosen; what never was, or makes no sense, is left out. */
export function loadComfort(store: Store = localStore()): Partial<ComfortSettings> {
  const fields = readFields(store, KEY);
  const { smoothWalking, snapDegrees } = fields ?? {};
  return {
    ...(typeof smoothWalking === 'boolean' ? { smoothWalking } : {}),
    ...(typeof snapDegrees === 'number' && SNAPS.includes(snapDegrees) ? { snapDegrees } : {}),
  };
}

export function saveComfort(
  { smoothWalking, snapDegrees }: ComfortSettings,
  store: Store = localStore(),
): void {
  store.write(KEY, JSON.stringify({ smoothWalking, snapDegrees }));
}
