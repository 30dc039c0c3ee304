import type { Store } from './store.ts';
import { localStore, readFields } from './store.ts';

/** How a player in a headset moves and turns. */
export type ComfortSettings = {
  /** The left stick walks; otherwise it jumps. */
  readonly smoothWalking: boolean;
  /** Degrees of one turn by the stick. */
  readonly snapDegrees: number;
  /** The stick turns smoothly; otherwise by `snapDegrees`. */
  readonly smoothTurn: boolean;
  /** The picture's edge is dark while the stick walks or turns smoothly. */
  readonly vignette: boolean;
  /** The player sits: its eyes are raised to the height of somebody who stands. */
  readonly seated: boolean;
};

/** The settings of who has chosen nothing. */
export const USUAL_COMFORT: ComfortSettings = {
  smoothWalking: false,
  snapDegrees: 45,
  smoothTurn: false,
  vignette: true,
  seated: false,
};

/** The turns that a player can choose, in degrees. */
export const SNAP_DEGREES: readonly number[] = [30, 45, 90];

const KEY = 'handover.comfort';

/** Returns the player's choices; for a choice that is missing or invalid the usual setting. */
export function loadComfort(store: Store = localStore()): ComfortSettings {
  const fields = readFields(store, KEY);
  const { smoothWalking, snapDegrees, smoothTurn, vignette, seated } = fields ?? {};
  return {
    ...USUAL_COMFORT,
    ...(typeof smoothWalking === 'boolean' ? { smoothWalking } : {}),
    ...(typeof smoothTurn === 'boolean' ? { smoothTurn } : {}),
    ...(typeof vignette === 'boolean' ? { vignette } : {}),
    ...(typeof seated === 'boolean' ? { seated } : {}),
    ...(typeof snapDegrees === 'number' && SNAP_DEGREES.includes(snapDegrees) ? { snapDegrees } : {}),
  };
}

export function saveComfort(comfort: ComfortSettings, store: Store = localStore()): void {
  const { smoothWalking, snapDegrees, smoothTurn, vignette, seated } = comfort;
  store.write(KEY, JSON.stringify({ smoothWalking, snapDegrees, smoothTurn, vignette, seated }));
}
