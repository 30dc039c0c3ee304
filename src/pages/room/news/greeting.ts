import type { Slot } from '../../../core/base/ids.ts';
import { nameOfSlot, slotLook } from '../../../view/slots.ts';
import type { Menu } from '../menu/menu.ts';
import type { Entry } from '../../../session/session-state.ts';

/** Seconds for which a newcomer can change its name and colour by one press. */
const GREETED_SECONDS = 15;

/** How a player has come in. */
export type Newcomer = {
  readonly name: string;
  /** The slot that it asked for. */
  readonly colour: Slot;
  /** It has chosen that colour, now or some other day. */
  readonly hasChosen: boolean;
  readonly entry: Pick<Entry, 'role'> & { readonly returns?: boolean; readonly room?: string | null };
};

/**
 * Returns what a newcomer is told about its name and colour. If it came by a link, it has not chosen them yet. If its
 * chosen colour is taken, it has got another one.
 * @param slot the slot that it got.
 * @returns null if there is nothing to say.
 */
export function greetingOf({ name, colour, hasChosen, entry }: Newcomer, slot: Slot): string | null {
  if (entry.role === 'host' || entry.returns === true) return null;
  if (hasChosen && slot !== colour) return `${nameOfSlot(colour)} is taken. You are ${slotLook(slot).name}.`;
  const byLink = entry.room !== null && entry.room !== undefined;
  if (!byLink) return null;
  return name === '' ? `You are ${nameOfSlot(slot)}.` : `You are ${name}, in ${slotLook(slot).name}.`;
}

/** Shows a greeting with a button that leads to the name and the colour. */
export function greet(menu: Pick<Menu, 'offer' | 'openYou'>, greeting: string | null, slot: Slot): void {
  if (greeting === null) return;
  menu.offer({
    sentence: greeting,
    button: 'Change',
    act: () => menu.openYou(),
    seconds: GREETED_SECONDS,
    slot,
  });
}
