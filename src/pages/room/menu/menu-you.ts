import type { Slot } from '../../../core/base/ids.ts';
import { nameOfSlot } from '../../../view/slots.ts';
import { createColours } from '../../lobby/colours.ts';
import { el, setText } from '../../panel/dom.ts';
import { nameField, placeholderFor } from '../../panel/name-field.ts';
import type { RoomModel } from '../model.ts';
import { calledBy, colourKept } from '../model.ts';
import type { Part } from './menu-parts.ts';
import { button, section } from './menu-parts.ts';

/** Called when the player changes its name or its colour. */
export type YouHandlers = {
  /** The player has another name; empty: it is called by its colour. */
  onName(name: string): void;
  /** The player leaves, and comes in again with another colour. */
  onColour(colour: Slot): void;
};

/** The player's own name and colour. */
export type YouPart = Part & {
  /** The field of the name. */
  readonly field: HTMLElement;
};

/**
 * A name changes at once. A colour is a slot [F3], so the player has to leave for it and come in again: a button says
 * so, once another colour is chosen.
 */
export function createYou(handlers: YouHandlers): YouPart {
  const name = nameField(() => handlers.onName(name.value));
  let you: Slot | null = null;
  const go = button('', () => handlers.onColour(colours.read()), { class: 'primary again', hidden: true });
  const why = el('p', { class: 'aside', hidden: true });
  const colours = createColours(() => {
    showGo();
    // On a phone the button is below the edge of the menu.
    if (!go.hidden) go.scrollIntoView({ block: 'nearest' });
  });
  const showGo = (): void => {
    const colour = colours.read();
    go.hidden = colour === you || !why.hidden;
    setText(go, `Leave, and come back in ${nameOfSlot(colour).toLowerCase()} (about 2 s)`);
  };
  const field = el('div', { class: 'you-name' }, el('label', { for: name.id }, 'Your name'), name);
  return {
    element: section('You', field, colours.element, go, why),
    field: name,
    show(model) {
      const own = model.players.find(({ slot }) => slot === model.you);
      if (document.activeElement !== name && own !== undefined) name.value = own.name;
      const reason = colourKept(model);
      setText(why, reason ?? '');
      why.hidden = reason === null;
      colours.offer((colour) => (colour === model.you ? null : ownerOf(colour, model)));
      colours.element.hidden = reason !== null;
      // If another player takes the colour that is selected here, the selection goes back to the player's own.
      const isGone = colours.read() !== model.you && ownerOf(colours.read(), model) !== null;
      if (model.you !== you || isGone) colours.show(model.you);
      if (model.you !== you) name.placeholder = placeholderFor(model.you);
      you = model.you;
      showGo();
    },
  };
}

/** @returns who has a colour; null if it is free. */
function ownerOf(colour: Slot, { players }: RoomModel): string | null {
  const owner = players.find(({ slot }) => slot === colour);
  return owner === undefined ? null : calledBy(owner);
}
