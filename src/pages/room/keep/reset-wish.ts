import { DEDICATED_SLOT, TICK_RATE } from '../../../core/base/constants.ts';
import type { PublicKey } from '../../../core/room/identity/key.ts';
import type { RosterPlayer } from '../../../core/room/messages.ts';
import { ResetWishes } from '../../../core/room/reset-wishes.ts';
import type { ResetState } from '../model.ts';
import { calledBy } from '../model.ts';
import type { NewsSink } from '../news/news-list.ts';
import type { GameSession } from '../session/session.ts';

/** [N1.8] Seconds after which this player's own wish ends, and a question about another player's wish goes away. */
const WISHED_SECONDS = 30;
const WISHED_TICKS = WISHED_SECONDS * TICK_RATE;
/** Ticks between two questions about the same player, and the most questions about it: it may wish again and again. */
const APART_TICKS = 2 * WISHED_TICKS;
const MOST_QUESTIONS = 4;
/** Players about whom the questions are remembered: more than a room has. */
const MOST_REMEMBERED = 64;

type SeenSession = Pick<GameSession, 'roster' | 'slot' | 'status' | 'setProfile'>;

/**
 * [N1.6] The players of a server's room reset its scene together: each says that it wants it, and the server does it
 * once most of them do. This is one player's wish, and the question about the wishes of others.
 */
export class ResetWish {
  readonly #session: SeenSession;
  readonly #sinks: NewsSink;
  readonly #wishes = new ResetWishes();
  /** Ticks so far, and until this player's wish ends; 0 if it has none. */
  #ticks = 0;
  #ticksLeft = 0;
  /** Takes the question off the screen, and the tick in which it goes by itself; null if there is none. */
  #open: { readonly withdraw: () => void; readonly until: number } | null = null;
  /** The last result of `#players`, and from what it was made. */
  #seen: {
    readonly from: readonly RosterPlayer[];
    readonly isWishing: boolean;
    readonly players: readonly RosterPlayer[];
  } | null = null;
  /** The questions about each player so far, and the tick of the last one. */
  readonly #asked = new Map<PublicKey, { readonly count: number; readonly at: number }>();

  constructor(session: SeenSession, sinks: NewsSink) {
    this.#session = session;
    this.#sinks = sinks;
  }

  /** Null where a player's wish resets nothing: the host is a player. */
  get state(): ResetState | null {
    const players = this.#players();
    if (players === null) return null;
    return { ...this.#wishes.poll(players), isYours: this.#ticksLeft > 0 };
  }

  /** The people of a server's room, with this player's own wish as it is now: the roster has it later. Null elsewhere. */
  #players(): readonly RosterPlayer[] | null {
    const { roster, slot } = this.#session;
    if (roster?.host !== DEDICATED_SLOT) return null;
    const { players: from } = roster;
    const isWishing = this.#ticksLeft > 0;
    const seen = this.#seen;
    if (seen?.from === from && seen.isWishing === isWishing) return seen.players;
    const own = { wantsReset: isWishing ? true : undefined } as const;
    const players = from.map((player) => (player.slot === slot ? { ...player, ...own } : player));
    this.#seen = { from, isWishing, players };
    return players;
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
    this.#ticksLeft = WISHED_TICKS;
    this.#session.setProfile({ wantsReset: true });
    if (state.wishes + 1 < state.needed)
      this.#sinks.say(`You want a reset. It happens once ${state.needed} players do.`);
  }

  /** Call it once a tick. @param hasReset the scene was reset, or replaced, since the last tick. */
  tick(hasReset: boolean): void {
    this.#ticks++;
    if (hasReset) this.#wishes.end();
    const players = this.#players();
    // [N1.8] A wish kept while the page has no line would reach the host later, when other players may be away.
    if (hasReset || players === null || this.#session.status.kind !== 'here') this.#end();
    else if (this.#ticksLeft === 1) {
      this.#sinks.say('Too few players wanted a reset.');
      this.#end();
    } else if (this.#ticksLeft > 0) this.#ticksLeft--;
    if (players === null) return;
    this.#wishes.note(players, (this.#ticks * 1000) / TICK_RATE);
    this.#ask(players);
  }

  /** Asks about one wish of another at a time. */
  #ask(players: readonly RosterPlayer[]): void {
    const { slot: own } = this.#session;
    const isWished = players.some((player) => player.slot !== own && this.#wishes.counts(player));
    if (this.#open !== null && (!isWished || this.#ticks >= this.#open.until)) this.#close();
    if (!isWished || this.#open !== null || this.#ticksLeft > 0) return;
    const wishing = players.find((player) => player.slot !== own && this.#mayAskAbout(player));
    if (wishing === undefined) return;
    const { key, slot } = wishing;
    if (this.#asked.size >= MOST_REMEMBERED) this.#asked.clear();
    this.#asked.set(key, { count: (this.#asked.get(key)?.count ?? 0) + 1, at: this.#ticks });
    const sentence = `${calledBy(wishing)} wants to reset the scene. What you built would be gone.`;
    const withdraw = this.#sinks.offer({
      sentence,
      inHeadset: `${sentence} If you want it, too: menu, Room, Reset.`,
      button: 'Me too',
      act: () => {
        this.#open = null;
        if (this.#ticksLeft === 0) this.toggle();
      },
      seconds: WISHED_SECONDS,
      slot,
    });
    this.#open = { withdraw, until: this.#ticks + WISHED_TICKS };
  }

  #mayAskAbout(player: RosterPlayer): boolean {
    const asked = this.#asked.get(player.key);
    const isSeldom =
      asked === undefined || (asked.count < MOST_QUESTIONS && this.#ticks - asked.at >= APART_TICKS);
    return isSeldom && this.#wishes.counts(player);
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
