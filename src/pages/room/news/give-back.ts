import { TICK_RATE } from '../../../core/base/constants.ts';
import type { Slot } from '../../../core/base/ids.ts';
import type { Roster } from '../../../core/room/messages.ts';
import type { GameSession } from '../session/session.ts';
import type { NewsOffer } from './news-list.ts';

/** Seconds for which the question stays. */
const ASKED_SECONDS = 30;

/** Ticks between two questions: one is on the screen at a time, and a page that returns again and again asks seldom. */
const APART_TICKS = 2 * ASKED_SECONDS * TICK_RATE;

/** Lets a host that was away have its room back: the present host is asked once each time that it returns. */
export class GiveBack {
  readonly #session: Pick<GameSession, 'roster' | 'hosting' | 'formerHosts' | 'slot'>;
  readonly #nameOf: (slot: Slot) => string;
  readonly #tell: (said: string | NewsOffer) => void;
  /** The slots of former hosts that are here: those that the present host was asked about, and the others. */
  #asked: readonly Slot[] = [];
  #unasked: readonly Slot[] = [];
  #ticksSinceAsked = Infinity;
  #players: unknown = null;
  #hasArrived = false;

  /**
   * @param nameOf returns the name by which a player is called.
   * @param tell shows a sentence or an offer.
   */
  constructor(
    session: Pick<GameSession, 'roster' | 'hosting' | 'formerHosts' | 'slot'>,
    nameOf: (slot: Slot) => string,
    tell: (said: string | NewsOffer) => void,
  ) {
    this.#session = session;
    this.#nameOf = nameOf;
    this.#tell = tell;
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
    const { hosting, formerHosts, slot } = this.#session;
    const isBack = !this.#hasArrived && hosting === null && slot !== null && formerHosts.includes(slot);
    if (isBack) this.#tell(`${this.#nameOf(host)} is the host now.`);
    this.#hasArrived = true;
    const here = hosting === null ? [] : formerHosts.filter((former) => isHere(players, former));
    this.#asked = this.#asked.filter((former) => here.includes(former));
    this.#unasked = here.filter((former) => !this.#asked.includes(former));
  }

  #ask(): void {
    const [first, ...others] = this.#unasked;
    this.#asked = [...this.#asked, first];
    this.#unasked = others;
    this.#ticksSinceAsked = 0;
    this.#tell({
      sentence: `${this.#nameOf(first)} is back. Give the room back?`,
      button: 'Give it back',
      act: () => this.#session.hosting?.giveTo(first),
      seconds: ASKED_SECONDS,
      slot: first,
    });
  }
}

function isHere(players: Roster['players'], slot: Slot): boolean {
  return players.some((player) => player.slot === slot && player.presence === 'here');
}
