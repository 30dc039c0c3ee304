import type { Store } from './store.ts';
import { localStore, readFields } from './store.ts';

/** What a player has done once, and needs no more hints for. */
export const DEEDS = ['hold', 'throw', 'reach', 'look', 'walk', 'turn'] as const;
export type Deed = (typeof DEEDS)[number];

/** The same for a player in a headset, whose hands are controllers or bare. */
export const HEADSET_DEEDS = ['grip', 'pinch', 'throw', 'snap', 'shift', 'go', 'turn', 'menu'] as const;
export type HeadsetDeed = (typeof HEADSET_DEEDS)[number];

const KEY = 'handover.hints';
const HEADSET_KEY = 'handover.headset-hints';

/** Entries that make no sense are left out. */
export function loadDone(store: Store = localStore()): Set<Deed> {
  return load(store, KEY, DEEDS);
}

export function saveDone(done: ReadonlySet<Deed>, store: Store = localStore()): void {
  save(store, KEY, done);
}

/** Entries that make no sense are left out. */
export function loadHeadsetDone(store: Store = localStore()): Set<HeadsetDeed> {
  return load(store, HEADSET_KEY, HEADSET_DEEDS);
}

export function saveHeadsetDone(done: ReadonlySet<HeadsetDeed>, store: Store = localStore()): void {
  save(store, HEADSET_KEY, done);
}

function load<Name extends string>(store: Store, key: string, deeds: readonly Name[]): Set<Name> {
  const fields = readFields(store, key);
  return new Set(deeds.filter((deed) => fields?.[deed] === true));
}

function save(store: Store, key: string, done: ReadonlySet<string>): void {
  store.write(key, JSON.stringify(Object.fromEntries([...done].map((deed) => [deed, true]))));
}
