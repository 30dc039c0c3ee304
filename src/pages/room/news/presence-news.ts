import { DEDICATED_SLOT } from '../../../core/base/constants.ts';
import type { Slot } from '../../../core/base/ids.ts';
import type { PublicKey } from '../../../core/room/identity/key.ts';
import type { Presence, Roster, RosterPlayer } from '../../../core/room/messages.ts';
import { SEAT_KEPT_MS } from '../../../core/room/silence.ts';
import { calledBy } from '../model.ts';
import type { NewsBudget } from './news-budget.ts';

/**
 * The news of another player's presence; null stands for a player without a place in the room. A goodbye and a removal
 * free the place at once. A player that drops out or reloads the page is away, and its place is kept [F3.3]; in a full
 * room a newcomer may get that place sooner [F3.4]. A newcomer counts as here while its page still loads [F3.5].
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
  const was = players.find((player) => player.slot === before);
  // [F4.6] It has left or dropped out: the new roster does not tell which. A host that gave the room is not `away`.
  const isGone = was === undefined || was.presence === 'away';
  const isAway = before !== self && host !== DEDICATED_SLOT && isGone;
  if (isAway)
    return `${nameOf(before)} is away. ${host === self ? 'You are' : `${nameOf(host)} is`} the host now.`;
  return host === self ? `${nameOf(before)} made you the host.` : `${nameOf(host)} is the host now.`;
}

/** The changes of a roster: what is said of them, and whether the room's address or rules may have changed. */
export type RosterChange = { readonly sentences: readonly string[]; readonly matters: boolean };

/** The last news that this player had of another one. */
type Told = { readonly name: string; readonly presence: Presence | null };

/**
 * Compares the rosters of a room with what this player was told. News that come too soon for their player's budget are
 * told later, if they are still true by then.
 */
export class RosterWatcher {
  readonly #budget: NewsBudget;
  readonly #told = new Map<PublicKey, Told>();
  #players: readonly RosterPlayer[] = [];
  #host: Slot | null = null;
  #isBehind = false;

  constructor(budget: NewsBudget) {
    this.#budget = budget;
  }

  /**
   * Call it once a tick.
   * @param roster null before the first.
   * @param self this player's slot.
   * @returns null if there is nothing to tell, and the roster is the one before.
   */
  next(roster: Roster | null, self: Slot): RosterChange | null {
    if (roster === null) return null;
    const before = this.#players;
    const isNew = roster.players !== before;
    if (!isNew && !this.#isBehind) return null;
    const { host, players } = roster;
    const hostBefore = this.#host;
    const hasChanged = hostBefore !== null && hostBefore !== host;
    this.#host = host;
    this.#players = players;
    const sentences = hasChanged ? [hostNews(hostBefore, roster, self)] : [];
    // The sentence above has already told of the host before.
    const except = [self, ...(hasChanged ? [hostBefore] : [])];
    this.#isBehind = false;
    const gone = before.filter(({ key }) => players.every((player) => player.key !== key));
    for (const player of before.length === 0 ? [] : [...players, ...gone]) {
      if (except.includes(player.slot)) continue;
      const sentence = this.#newsOf(player, gone.includes(player) ? null : player.presence);
      if (sentence !== null) sentences.push(sentence);
    }
    for (const player of players)
      if (before.length === 0 || except.includes(player.slot)) this.#told.set(player.key, player);
    for (const { key } of gone) this.#told.delete(key);
    const slotsOf = (list: readonly RosterPlayer[]): string => list.map(({ slot }) => slot).join();
    return { sentences, matters: hasChanged || slotsOf(players) !== slotsOf(before) };
  }

  /** Returns the sentence about a player; null if nothing has changed, or its budget is spent. */
  #newsOf(player: RosterPlayer, presence: Presence | null): string | null {
    const { key, name } = player;
    const told = this.#told.get(key) ?? { name, presence: null };
    const isRenamed = told.name !== name && presence !== null;
    // A player that has gone is called by the name that was told.
    const called = calledBy(presence === null ? { ...player, name: told.name } : player);
    const sentence = isRenamed
      ? `${calledBy({ ...player, name: told.name })} is called ${called} now.`
      : presenceNews(told.presence, presence, called);
    if (presence === null) return sentence;
    if (sentence !== null && !this.#budget.take(key)) {
      this.#isBehind = true;
      return null;
    }
    // A name and a presence are told one after the other.
    this.#isBehind ||= isRenamed && presence !== told.presence;
    this.#told.set(key, isRenamed ? { name, presence: told.presence } : { name, presence });
    return sentence;
  }
}
