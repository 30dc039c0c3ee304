import type { Store } from './store.ts';
import { localStore, readFields } from './store.ts';

/** What a player has done once, and needs no more hints for. */
export const DEEDS = ['hold', 'throw', 'reach', 'look', 'walk', 'turn'] as const;
export type Deed = (typeof DEEDS)[number];

const KEY = 'handover.hints';

/** Entries that make no sense are left out. */
export function loadDone(store: Store = localStore()): Set<Deed> {
  const fields = readFields(store, KEY);
  return new Set(DEEDS.filter((deed) => fields?.[deed] === true));
}

export function saveDone(done: ReadonlySet<Deed>, store: Store = localStore()): void {
  store.write(KEY, JSON.stringify(Object.fromEntries([...done].map((deed) => [deed, true]))));
}
