import type { Slot } from '../../../core/base/ids.ts';
import { el } from '../../panel/dom.ts';
import type { Menu } from '../menu/menu.ts';
import type { GameSession } from '../session/session.ts';
import { GiveBack } from './give-back.ts';
import type { Offer } from './offer.ts';
import { offerCard } from './offer.ts';

/** Milliseconds for which an offer stays. */
const STAYS_MS = 30_000;

/** Shows one offer at a time over the world, until it is taken, closed, or its time is up. */
export class RoomOffers {
  readonly #menu: Pick<Menu, 'say' | 'notices'>;
  readonly #giveBack: GiveBack;
  readonly #element = el('div', { class: 'offers', role: 'status' });
  #timer = 0;

  /** @param nameOf returns the name by which a player is called. */
  constructor(session: GameSession, menu: Pick<Menu, 'say' | 'notices'>, nameOf: (slot: Slot) => string) {
    this.#menu = menu;
    this.#giveBack = new GiveBack(session, nameOf, (said) => this.tell(said));
    menu.notices.append(this.#element);
  }

  /** Call it once a tick. */
  tick(): void {
    this.#giveBack.tick();
  }

  /** Says a sentence; or shows an offer, in place of the one before. */
  tell(said: string | Offer): void {
    if (typeof said === 'string') {
      this.#menu.say(said);
      return;
    }
    this.#element.replaceChildren(offerCard(said, () => this.#hide()));
    clearTimeout(this.#timer);
    this.#timer = window.setTimeout(() => this.#hide(), STAYS_MS);
  }

  /** Takes the offers off the page. */
  dispose(): void {
    this.#hide();
    this.#element.remove();
  }

  #hide(): void {
    clearTimeout(this.#timer);
    this.#element.replaceChildren();
  }
}
