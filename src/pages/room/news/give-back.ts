import type { Slot } from '../../../core/base/ids.ts';
import type { GameSession } from '../session/session.ts';
import type { NewsOffer } from './news-list.ts';

/** Seconds for which the question stays. */
const ASKED_SECONDS = 30;

/** Lets a host that was away have its room back: the present host is asked once each time that it returns. */
export class GiveBack {
  readonly #session: Pick<GameSession, 'roster' | 'hosting' | 'formerHosts' | 'slot'>;
  readonly #nameOf: (slot: Slot) => string;
  readonly #tell: (said: string | NewsOffer) => void;
  /** The slots of former hosts that are here, and that the present host was asked about. */
  #asked: readonly Slot[] = [];
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
    if (roster === null || roster.players === this.#players) return;
    this.#players = roster.players;
    const { hosting, formerHosts, slot } = this.#session;
    if (hosting === null) {
      const isBack = !this.#hasArrived && slot !== null && formerHosts.includes(slot);
      if (isBack) this.#tell(`${this.#nameOf(roster.host)} is the host now.`);
      this.#asked = [];
    } else this.#ask(formerHosts.filter((former) => isHere(roster.players, former)));
    this.#hasArrived = true;
  }

  #ask(former: readonly Slot[]): void {
    const [first] = former.filter((slot) => !this.#asked.includes(slot));
    this.#asked = former;
    if (first === undefined) return;
    this.#tell({
      sentence: `${this.#nameOf(first)} is back. Give the room back?`,
      button: 'Give it back',
      act: () => this.#session.hosting?.giveTo(first),
      seconds: ASKED_SECONDS,
      slot: first,
    });
  }
}

function isHere(players: NonNullable<GameSession['roster']>['players'], slot: Slot): boolean {
  return players.some((player) => player.slot === slot && player.presence === 'here');
}
