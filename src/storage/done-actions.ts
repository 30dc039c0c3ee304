import type { Store } from './store.ts';
import { localStore, readFields } from './store.ts';

/** Actions at the desk that have hints. A player who has done one once needs no more hints for it. */
export const DESK_ACTIONS = ['hold', 'give', 'take', 'throw', 'reach', 'look', 'walk', 'turn'] as const;
export type DeskAction = (typeof DESK_ACTIONS)[number];

/** The same for a player in a headset, with controllers or bare hands. */
export const HEADSET_ACTIONS = [
  'grip',
  'pinch',
  'give',
  'take',
  'throw',
  'snap',
  'shift',
  'go',
  'turn',
  'menu',
  'kick',
] as const;
export type HeadsetAction = (typeof HEADSET_ACTIONS)[number];

const KEY = 'handover.hints';
const HEADSET_KEY = 'handover.headset-hints';

/** Returns the actions that the player has done; invalid entries are left out. */
export function loadDoneDeskActions(store: Store = localStore()): Set<DeskAction> {
  return load(store, KEY, DESK_ACTIONS);
}

export function saveDoneDeskActions(done: ReadonlySet<DeskAction>, store: Store = localStore()): void {
  save(store, KEY, done);
}

/** Forgets that the player has given and taken, with every device: it is taught both again. */
export function forgetHandOver(store: Store = localStore()): void {
  const done = loadDoneDeskActions(store);
  const doneInHeadset = loadDoneHeadsetActions(store);
  for (const half of ['give', 'take'] as const) {
    done.delete(half);
    doneInHeadset.delete(half);
  }
  saveDoneDeskActions(done, store);
  saveDoneHeadsetActions(doneInHeadset, store);
}

/** Returns the actions that the player has done in a headset; invalid entries are left out. */
export function loadDoneHeadsetActions(store: Store = localStore()): Set<HeadsetAction> {
  return load(store, HEADSET_KEY, HEADSET_ACTIONS);
}

export function saveDoneHeadsetActions(done: ReadonlySet<HeadsetAction>, store: Store = localStore()): void {
  save(store, HEADSET_KEY, done);
}

/** The two halves of a hand-over [A9]: to have given a body, and to have got one. They are learned with each device. */
export type HandOverAction = 'give' | 'take';

function load<Name extends string>(store: Store, key: string, actions: readonly Name[]): Set<Name> {
  const fields = readFields(store, key);
  return new Set(actions.filter((action) => fields?.[action] === true));
}

function save(store: Store, key: string, done: ReadonlySet<string>): void {
  store.write(key, JSON.stringify(Object.fromEntries([...done].map((action) => [action, true]))));
}
