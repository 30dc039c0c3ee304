import type { Store } from './store.ts';
import { localStore } from './store.ts';

const KEY = 'handover.voice';

/** Returns true if the player has chosen to join with voice, the last time it chose. */
export function loadVoiceWish(store: Store = localStore()): boolean {
  return store.read(KEY) === 'on';
}

/** Keeps whether the player joins with voice. */
export function saveVoiceWish(isWanted: boolean, store: Store = localStore()): void {
  store.write(KEY, isWanted ? 'on' : null);
}
