import { el } from '../../panel/dom.ts';
import { iconButton } from '../menu/menu-parts.ts';

/** Something that a player may do now, and that others go on without. */
export type Offer = {
  readonly sentence: string;
  /** The button's words; what it does: opens an address in another tab, or calls a function. */
  readonly action: string;
  readonly go: string | (() => void);
};

/** Creates the card of an offer. @param onDone called when it was taken or refused. */
export function offerCard({ sentence, action, go }: Offer, onDone: () => void): HTMLElement {
  const close = iconButton(onDone);
  close.show('close', 'Not now');
  return el('div', { class: 'card offer' }, el('p', {}, sentence), taker(action, go, onDone), close.element);
}

function taker(action: string, go: Offer['go'], onDone: () => void): HTMLElement {
  const isLink = typeof go === 'string';
  // A new tab: the room goes on in this one.
  const element = isLink
    ? el('a', { class: 'button primary', href: go, target: '_blank' }, action)
    : el('button', { type: 'button', class: 'primary' }, action);
  element.addEventListener('click', () => {
    if (!isLink) go();
    onDone();
  });
  return element;
}
