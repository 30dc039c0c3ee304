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
 * Returns what a newcomer is told about its name and colour. A player without a name is called by its colour, and reads
 * that if it came by a link. A name that it has typed is no news to it. If its chosen colour is taken, it has got another
 * one.
 * @param slot the slot that it got.
 * @returns null if there is nothing to say.
 */
export function greetingOf({ name, colour, hasChosen, entry }: Newcomer, slot: Slot): string | null {
  if (entry.role === 'host' || entry.returns === true) return null;
  // A name is typed beside the colours. A browser may keep neither.
  const sawColours = hasChosen || name !== '';
  if (sawColours && slot !== colour) return `${nameOfSlot(colour)} is taken. You are ${slotLook(slot).name}.`;
  const byLink = entry.room !== null && entry.room !== undefined;
  return byLink && name === '' ? `You are ${nameOfSlot(slot)}.` : null;
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
