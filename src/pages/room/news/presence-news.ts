import type { Slot } from '../../../core/base/ids.ts';
import type { Presence, Roster, RosterPlayer } from '../../../core/room/messages.ts';
import { SEAT_KEPT_MS } from '../../../core/room/silence.ts';
import { calledBy } from '../model.ts';

/**
 * Returns the news between two rosters: a sentence for each other player who came, dropped out, came back, is gone or
 * has another name.
 * @param except slots without news.
 */
export function rosterNews(
  before: readonly RosterPlayer[],
  now: readonly RosterPlayer[],
  except: readonly Slot[],
): string[] {
  const presenceIn = (players: readonly RosterPlayer[], slot: Slot): Presence | null =>
    players.find((player) => player.slot === slot)?.presence ?? null;
  const gone = before.filter(({ slot }) => presenceIn(now, slot) === null);
  return [...now, ...gone].flatMap((player) => {
    const { slot } = player;
    if (except.includes(slot)) return [];
    const former = before.find((other) => other.slot === slot && other.key === player.key);
    if (former !== undefined && former.name !== player.name) return renamed(former, player);
    return presenceNews(presenceIn(before, slot), presenceIn(now, slot), calledBy(player)) ?? [];
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
  #players: readonly RosterPlayer[] = [];
  #host: Slot | null = null;

  /**
   * @param roster null before the first.
   * @param self this player's slot.
   * @returns null if the roster is the one before.
   */
  next(roster: Roster | null, self: Slot): RosterChange | null {
    if (roster === null || roster.players === this.#players) return null;
    const [before, beforePlayers] = [this.#host, this.#players];
    const { host, players } = roster;
    this.#host = host;
    this.#players = players;
    const hasChanged = before !== null && before !== host;
    const sentences = hasChanged ? [hostNews(before, roster, self)] : [];
    // The sentence above has already told of the host before.
    const except = [self, ...(hasChanged ? [before] : [])];
    if (beforePlayers.length > 0) sentences.push(...rosterNews(beforePlayers, players, except));
    const slotsOf = (list: readonly RosterPlayer[]): string => list.map(({ slot }) => slot).join();
    return { sentences, matters: hasChanged || slotsOf(players) !== slotsOf(beforePlayers) };
  }
}
