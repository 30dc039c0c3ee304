import type { Slot } from '../core/base/ids.ts';
import { decodeName, encodeName } from '../core/base/text.ts';
import { readColour } from '../core/room/fields.ts';
import type { Store } from './store.ts';
import { localStore, readFields } from './store.ts';

/**
 * The player's name, and the slot whose colour it prefers. With an empty name, the player is called by its
 * colour.
 */
export type Profile = { readonly name: string; readonly colour: Slot };

const KEY = 'handover.profile';
const NOBODY_YET: Profile = { name: '', colour: 0 as Slot };

/** Returns true if the player has chosen a name and a colour, some day. */
export function hasProfile(store: Store = localStore()): boolean {
  return readFields(store, KEY) !== null;
}

/** Returns the stored profile; invalid parts get their defaults. */
export function loadProfile(store: Store = localStore()): Profile {
  const fields = readFields(store, KEY);
  return {
    name: typeof fields?.name === 'string' ? cleaned(fields.name) : NOBODY_YET.name,
    colour: readColour(fields?.colour) ?? NOBODY_YET.colour,
  };
}

export function saveProfile({ name, colour }: Profile, store: Store = localStore()): void {
  store.write(KEY, JSON.stringify({ name: cleaned(name), colour }));
}

/** Returns the name as other players would receive it. */
function cleaned(name: string): string {
  return decodeName(encodeName(name));
}
