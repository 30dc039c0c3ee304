import { TICK_RATE } from '../../../core/base/constants.ts';
import type { Slot } from '../../../core/base/ids.ts';
import type { Presence, Roster, RosterPlayer } from '../../../core/room/messages.ts';
import { SEAT_KEPT_MS } from '../../../core/room/silence.ts';
import { calledBy } from '../model.ts';

/** Ticks between two pieces of news of one player's name: a page may change its name ten times a second [P8]. */
const NAMES_APART_TICKS = 20 * TICK_RATE;

/** A piece of news about a player, by what has changed. */
export type PlayerNews = {
  readonly about: 'name' | 'presence';
  readonly slot: Slot;
  readonly sentence: string;
};

/**
 * Returns the news between two rosters: one for each other player who came, dropped out, came back, is gone or has
 * another name.
 * @param except slots without news.
 */
export function rosterNews(
  before: readonly RosterPlayer[],
  now: readonly RosterPlayer[],
  except: readonly Slot[],
): PlayerNews[] {
  const presenceIn = (players: readonly RosterPlayer[], slot: Slot): Presence | null =>
    players.find((player) => player.slot === slot)?.presence ?? null;
  const gone = before.filter(({ slot }) => presenceIn(now, slot) === null);
  return [...now, ...gone].flatMap((player): PlayerNews[] => {
    const { slot } = player;
    if (except.includes(slot)) return [];
    const former = before.find((other) => other.slot === slot && other.key === player.key);
    if (former !== undefined && former.name !== player.name)
      return [{ about: 'name', slot, sentence: renamed(former, player) }];
    const sentence = presenceNews(presenceIn(before, slot), presenceIn(now, slot), calledBy(player));
    return sentence === null ? [] : [{ about: 'presence', slot, sentence }];
  });
}

/** The news of a player that has another name now [P8]. */
function renamed(before: RosterPlayer, now: RosterPlayer): string {
  return `${calledBy(before)} is called ${calledBy(now)} now.`;
}

/**
 * The news of another player's presence; null stands for a player without a place in the room. A goodbye and a
 * removal free the place at once; who drops out, or loads the page again, is away, and the place is kept [F3.3]. In
 * a full room a newcomer may get it sooner [F3.4]. While the page of a newcomer loads, the host has it as here [F3.5].
 * @param name by which the player is called.
 * @returns null if there is nothing to say.
 */
export function presenceNews(before: Presence | null, now: Presence | null, name: string): string | null {
  const wasThere = before === 'here' || before === 'lost';
  if (before === now || (!wasThere && (now === 'away' || now === null))) return null;
  if (now === null) return `${name} is gone.`;
  if (now === 'away') return `${name} is away. The place is kept for up to ${SEAT_KEPT_MS / 1000} s.`;
  if (!wasThere) return `${name} is here.`;
  return now === 'lost' ? `${name} lost the connection.` : `${name} is back.`;
}

/**
 * Returns the sentence for a change of host [F4].
 * @param before the host before.
 * @param self this player's slot.
 */
function hostNews(before: Slot, { host, players }: Roster, self: Slot): string {
  const nameOf = (slot: Slot): string =>
    calledBy(players.find((player) => player.slot === slot) ?? { slot, name: '' });
  if (before === self) return `${nameOf(host)} is the host now.`;
  const heir = host === self ? 'You are' : `${nameOf(host)} is`;
  // It has left or dropped out: the roster of the new host does not tell which.
  return `${nameOf(before)} is away. ${heir} the host now.`;
}

/** The changes of a roster: what is said of them, and whether the room's address or rules may have changed. */
export type RosterChange = { readonly sentences: readonly string[]; readonly matters: boolean };

/** Compares each roster of a room with the one before. */
export class RosterWatcher {
  #tick = 0;
  /** The tick of the last news of a name, by slot. */
  readonly #named = new Map<Slot, number>();
  #players: readonly RosterPlayer[] = [];
  #host: Slot | null = null;

  /**
   * Call it once a tick.
   * @param roster null before the first.
   * @param self this player's slot.
   * @returns null if the roster is the one before.
   */
  next(roster: Roster | null, self: Slot): RosterChange | null {
    this.#tick++;
    if (roster === null || roster.players === this.#players) return null;
    const [before, beforePlayers] = [this.#host, this.#players];
    const { host, players } = roster;
    this.#host = host;
    this.#players = players;
    const hasChanged = before !== null && before !== host;
    const sentences = hasChanged ? [hostNews(before, roster, self)] : [];
    // The sentence above has already told of the host before.
    const except = [self, ...(hasChanged ? [before] : [])];
    if (beforePlayers.length > 0) {
      const news = rosterNews(beforePlayers, players, except).filter((piece) => this.#isDue(piece));
      sentences.push(...news.map(({ sentence }) => sentence));
    }
    const slotsOf = (list: readonly RosterPlayer[]): string => list.map(({ slot }) => slot).join();
    return { sentences, matters: hasChanged || slotsOf(players) !== slotsOf(beforePlayers) };
  }

  /** False for a name that follows too soon on the last one in its slot. */
  #isDue({ about, slot }: PlayerNews): boolean {
    if (about !== 'name') return true;
    if (this.#tick - (this.#named.get(slot) ?? -Infinity) < NAMES_APART_TICKS) return false;
    this.#named.set(slot, this.#tick);
    return true;
  }
}
