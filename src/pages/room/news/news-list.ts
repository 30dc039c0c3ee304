import type { Slot } from '../../../core/base/ids.ts';
import { el } from '../../panel/dom.ts';
import { slotBadge } from '../../panel/slot-badge.ts';
import { button, iconButton } from '../menu/menu-parts.ts';

/** Milliseconds for which a sentence stays: long enough to read it while playing. */
const SAID_FOR = 4500;
/** Sentences on the screen at once; a further sentence replaces the oldest. */
const MOST_SAID = 3;

/** A piece of news that the player can answer with a button. */
export type NewsOffer = {
  readonly sentence: string;
  /** A sentence for a headset, which does not show the button; left out for none. */
  readonly inHeadset?: string;
  /** The text of the button. */
  readonly button: string;
  /** Called when the button is pressed; the news are off the screen by then. */
  readonly act: () => void;
  /** How long it stays, unless the player closes it. */
  readonly seconds: number;
  /** The player that it is about, shown by its badge; left out for none. */
  readonly slot?: Slot;
};

/** News that are shown for a moment, and read out by a screen reader when it has time. */
export type NewsList = NewsSink & { readonly element: HTMLElement };

/** Where a part of the page shows its news. */
export type NewsSink = {
  say(sentence: string): void;
  /** Shows news with a button. @returns takes them off the screen, if they are still there. */
  offer(offer: NewsOffer): () => void;
};

/**
 * @param onFocusLost called when news with the focus have gone.
 * @returns an empty list of news.
 */
export function createNews(onFocusLost: () => void): NewsList {
  const element = el('div', { class: 'news', role: 'log', 'aria-live': 'polite', 'aria-label': 'News' });
  return {
    element,
    say(sentence) {
      // The same sentence again takes the place of the first.
      for (const same of element.querySelectorAll(':scope > p'))
        if (same.textContent === sentence) same.remove();
      const line = el('p', {}, sentence);
      element.append(line);
      const [oldest, ...others] = element.querySelectorAll(':scope > p');
      if (others.length >= MOST_SAID) oldest.remove();
      setTimeout(() => line.remove(), SAID_FOR);
    },
    offer({ sentence, button: label, act, seconds, slot }) {
      const remove = (): void => {
        clearTimeout(ending);
        const hadFocus = card.contains(document.activeElement);
        card.remove();
        if (hadFocus) onFocusLost();
      };
      const close = iconButton(remove);
      close.show('close', `Close: ${sentence}`);
      const yes = button(label, () => {
        remove();
        act();
      });
      const badge = slot === undefined ? [] : [slotBadge(slot)];
      const card = el('div', { class: 'card offer' }, ...badge, el('p', {}, sentence), yes, close.element);
      const ending = setTimeout(remove, seconds * 1000);
      // A new card goes below the others, so that no card moves away from a pointer that is about to press it.
      const firstSentence = element.querySelector(':scope > p');
      element.insertBefore(card, firstSentence);
      return remove;
    },
  };
}
