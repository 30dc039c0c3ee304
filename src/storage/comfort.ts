import type { Comfort } from '../input/headset/comfort.ts';
import { SNAP_DEGREES, USUAL_COMFORT } from '../input/headset/comfort.ts';
import type { Store } from './store.ts';
import { localStore, readFields } from './store.ts';

const KEY = 'handover.comfort';

/** Returns the player's choices; for a choice that is missing or invalid the usual setting. */
export function loadComfort(store: Store = localStore()): Comfort {
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

export function saveComfort(comfort: Comfort, store: Store = localStore()): void {
  store.write(KEY, JSON.stringify(comfort));
}
