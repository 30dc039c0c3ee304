import type { Slot } from '../core/base/ids.ts';
import { decodeName, encodeName } from '../core/base/text.ts';
import { readSlot } from '../core/room/messages.ts';
import type { Store } from './store.ts';
import { localStore, readFields } from './store.ts';

/** What a player is called, and the slot whose colour it likes best. An empty name: to be called by the colour. */
export type Profile = { readonly name: string; readonly colour: Slot };

const KEY = 'handover.profile';
const NOBODY_YET: Profile = { name: '', colour: 0 as Slot };

/** What makes no sense is as if it had never been chosen. */
export function loadProfile(store: Store = localStore()): Profile {
  const fields = readFields(store, KEY);
  return {
    name: typeof fields?.name === 'string' ? cleaned(fields.name) : NOBODY_YET.name,
    colour: readSlot(fields?.colour) ?? NOBODY_YET.colour,
  };
}

export function saveProfile({ name, colour }: Profile, store: Store = localStore()): void {
  store.write(KEY, JSON.stringify({ name: cleaned(name), colour }));
}

/** As it would arrive at others. */
function cleaned(name: string): string {
  return decodeName(encodeName(name));
}
