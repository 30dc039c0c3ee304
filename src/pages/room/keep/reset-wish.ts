import { DEDICATED_SLOT, TICK_RATE } from '../../../core/base/constants.ts';
import type { PublicKey } from '../../../core/room/identity/key.ts';
import type { Roster } from '../../../core/room/messages.ts';
import { pollReset } from '../../../core/room/reset-wishes.ts';
import type { ResetState } from '../model.ts';
import { calledBy } from '../model.ts';
import type { NewsOffer } from '../news/news-list.ts';
import type { GameSession } from '../session/session.ts';

/** Seconds after which a player's wish ends, and for which the others are asked. */
const WISHED_SECONDS = 30;
/** Ticks between two questions about wishes: somebody may change its wish all the time. */
const APART_TICKS = 2 * WISHED_SECONDS * TICK_RATE;

/** The places where the news of wishes are shown. */
export type WishSinks = {
  say(sentence: string): void;
  /** Shows a sentence with a button. @returns takes it off the screen. */
  offer(offer: NewsOffer): () => void;
};

type SeenSession = Pick<GameSession, 'roster' | 'slot' | 'setProfile'>;

/**
 * [N1.6] The players of a server's room reset its scene together: each says that it wants it, and the server does it
 * once most of them do. This player's wish, and the question about the wishes of others.
 */
export class ResetWish {
  readonly #session: SeenSession;
  readonly #sinks: WishSinks;
  /** Ticks until this player's wish ends; 0 if it has none. */
  #ticksLeft = 0;
  /** The question on the screen; null if there is none. */
  #open: { readonly about: PublicKey; readonly withdraw: () => void } | null = null;
  #ticksSinceAsked = Infinity;
  #players: unknown = null;
  /** The players whose wish was seen, and has not ended. */
  #known: ReadonlySet<PublicKey> = new Set();

  constructor(session: SeenSession, sinks: WishSinks) {
    this.#session = session;
    this.#sinks = sinks;
  }

  /** Null where a player's wish resets nothing: the host is a player. */
  get state(): ResetState | null {
    const { roster } = this.#session;
    if (roster?.host !== DEDICATED_SLOT) return null;
    return { ...pollReset(roster.players), isYours: this.#ticksLeft > 0 };
  }

  /** This player wants the scene to be reset, or takes its wish back. It does nothing under another player as host. */
  toggle(): void {
    const { state } = this;
    if (state === null) return;
    if (state.isYours) {
      this.#end();
      return;
    }
    this.#close();
    this.#ticksLeft = WISHED_SECONDS * TICK_RATE;
    this.#session.setProfile({ wantsReset: true });
    if (state.wishes + 1 < state.needed)
      this.#sinks.say(`You want a reset. ${state.needed} players must want it.`);
  }

  /** Call it once a tick. @param hasReset the scene was reset, or replaced, since the last tick. */
  tick(hasReset: boolean): void {
    this.#ticksSinceAsked++;
    const { roster } = this.#session;
    if (hasReset || roster?.host !== DEDICATED_SLOT) this.#end();
    else if (this.#ticksLeft === 1) {
      this.#sinks.say('Too few players want a reset.');
      this.#end();
    } else if (this.#ticksLeft > 0) this.#ticksLeft--;
    if (roster !== null && roster.players !== this.#players) this.#rosterChanged(roster);
  }

  #rosterChanged({ host, players }: Roster): void {
    this.#players = players;
    const wishing = players.filter(
      ({ slot, wantsReset }) => wantsReset === true && slot !== this.#session.slot,
    );
    const fresh = wishing.find(({ key }) => !this.#known.has(key));
    this.#known = new Set(wishing.map(({ key }) => key));
    if (this.#open !== null && !this.#known.has(this.#open.about)) this.#close();
    const mayAsk = host === DEDICATED_SLOT && this.#open === null && this.#ticksLeft === 0;
    if (fresh === undefined || !mayAsk || this.#ticksSinceAsked < APART_TICKS) return;
    this.#ticksSinceAsked = 0;
    const withdraw = this.#sinks.offer({
      sentence: `${calledBy(fresh)} wants to reset the scene. Do you?`,
      button: 'Reset it',
      act: () => {
        this.#open = null;
        if (this.#ticksLeft === 0) this.toggle();
      },
      seconds: WISHED_SECONDS,
      slot: fresh.slot,
    });
    this.#open = { about: fresh.key, withdraw };
  }

  /** This player's wish is over, and so is the question. */
  #end(): void {
    this.#close();
    if (this.#ticksLeft === 0) return;
    this.#ticksLeft = 0;
    this.#session.setProfile({ wantsReset: undefined });
  }

  #close(): void {
    this.#open?.withdraw();
    this.#open = null;
  }
}
