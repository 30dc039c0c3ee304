import { DEDICATED_SLOT, TICK_RATE } from '../../../core/base/constants.ts';
import type { Slot } from '../../../core/base/ids.ts';
import type { PublicKey } from '../../../core/room/identity/key.ts';
import type { Roster, RosterPlayer } from '../../../core/room/messages.ts';
import type { GameSession } from '../session/session.ts';
import type { NewsSink } from './news-list.ts';

/** Seconds for which the question stays. */
const ASKED_SECONDS = 30;

/** Ticks between two questions: one is on the screen at a time, and a page that returns again and again asks seldom. */
const APART_TICKS = 2 * ASKED_SECONDS * TICK_RATE;
/** Questions about one player: a host that has not answered these does not want to. */
const MOST_QUESTIONS = 4;

/** A former host that is in the room. */
type Former = { readonly slot: Slot; readonly key: PublicKey };

type SeenSession = Pick<GameSession, 'roster' | 'hosting' | 'formerHosts' | 'lineage' | 'slot'>;

/** Lets a host that was away have its room back: the present host is asked when it returns. */
export class GiveBack {
  readonly #session: SeenSession;
  readonly #nameOf: (slot: Slot) => string;
  readonly #sinks: NewsSink;
  /** The former hosts that are here, and about which the present host was not asked since they came. */
  #unasked: readonly Former[] = [];
  /** The former hosts in the room, except one that handed it over itself. Some may have lost their line. */
  #here: readonly Former[] = [];
  /** The broker's id of the previous host's page; null until the host has changed. */
  #pageBefore: string | null = null;
  /** The present host's key, and the broker's id of its page; null before the first roster. */
  #host: PublicKey | null = null;
  #hostPage: string | null = null;
  /** How often the present host was asked about each player. */
  readonly #questions = new Map<PublicKey, number>();
  /** The question on the screen; null if there is none. */
  #open: { readonly about: PublicKey; readonly withdraw: () => void } | null = null;
  #ticksSinceAsked = Infinity;
  #players: unknown = null;
  #hasArrived = false;

  /** @param nameOf returns the name by which a player is called. */
  constructor(session: SeenSession, nameOf: (slot: Slot) => string, sinks: NewsSink) {
    this.#session = session;
    this.#nameOf = nameOf;
    this.#sinks = sinks;
  }

  /** Call it once a tick. */
  tick(): void {
    const { roster } = this.#session;
    if (roster === null) return;
    if (roster.players !== this.#players) {
      this.#players = roster.players;
      this.#rosterChanged(roster);
    }
    this.#ticksSinceAsked++;
    if (this.#unasked.length > 0 && this.#ticksSinceAsked >= APART_TICKS) this.#ask();
  }

  #rosterChanged({ host, players }: Roster): void {
    const leader = players.find((player) => player.slot === host);
    if (leader?.key !== this.#host) this.#pageBefore = this.#hostPage;
    this.#host = leader?.key ?? null;
    this.#hostPage = leader?.id ?? null;
    const { hosting, formerHosts, slot } = this.#session;
    const isBack = !this.#hasArrived && hosting === null && slot !== null && formerHosts.includes(slot);
    // That the server is host is told when it becomes host, and not again at each reload.
    if (isBack && host !== DEDICATED_SLOT) this.#sinks.say(`${this.#nameOf(host)} is the host now.`);
    this.#hasArrived = true;
    const before = this.#here;
    this.#here = players.filter((player) => {
      return player.presence !== 'away' && formerHosts.includes(player.slot) && !this.#hasGiven(player);
    });
    const open = this.#open;
    if (open !== null && !has(this.#here, open.about)) this.#close();
    this.#unasked = this.#here.filter(({ key }) => {
      const isWaiting = has(this.#unasked, key) || !has(before, key);
      return hosting !== null && isWaiting && (this.#questions.get(key) ?? 0) < MOST_QUESTIONS;
    });
  }

  /** True for the previous host if it gave the room away by its menu, and its page has not been loaded again since. */
  #hasGiven({ id }: RosterPlayer): boolean {
    return id === this.#pageBefore && this.#session.lineage?.links.at(-1)?.kind === 'handover';
  }

  #ask(): void {
    const [{ slot, key }, ...others] = this.#unasked;
    this.#unasked = others;
    this.#questions.set(key, (this.#questions.get(key) ?? 0) + 1);
    this.#ticksSinceAsked = 0;
    this.#close();
    const withdraw = this.#sinks.offer({
      sentence: `${this.#nameOf(slot)} is back. Give the room back?`,
      button: 'Give it back',
      act: () => {
        // Another player may have come into the slot.
        if (has(this.#here, key)) this.#session.hosting?.giveTo(slot);
      },
      seconds: ASKED_SECONDS,
      slot,
    });
    this.#open = { about: key, withdraw };
  }

  #close(): void {
    this.#open?.withdraw();
    this.#open = null;
  }
}

function has(players: readonly Former[], key: PublicKey): boolean {
  return players.some((player) => player.key === key);
}
