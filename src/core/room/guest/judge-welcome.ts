import type { LevelObstacle } from '../../world/level-reference.ts';
import { isSameReference, obstacleTo } from '../../world/level-reference.ts';
import { reignOf, relationOf, roomIdOf } from '../identity/lineage.ts';
import type { Roster, Welcome } from '../messages.ts';
import { AWAY_AFTER_MS } from '../silence.ts';
import type { GuestRoomOptions } from './guest-options.ts';
import type { GuestState, Stay } from './guest-state.ts';
import { isRosterOf, stayOf } from './guest-state.ts';

/**
 * `enter`: the guest may play under this host. `not now`: it hears its own host again. `other room`: the host is not of
 * the room that was asked for. `host without proof`: it can't show that it came after the guest's host. `other level`:
 * the room plays in a level that this page does not have, or has with another content. `other rate`: it has it with another
 * rate [B2.3]. `other schema`: [V1.3].
 */
export type WelcomeVerdict = 'enter' | 'not now' | 'other room' | 'host without proof' | ForeignGame;
/** Why a page can't play the game of a room. */
type ForeignGame = LevelObstacle | 'other schema';

/** True if the guest is in a foreign room: it ends. */
export function isForeign(verdict: WelcomeVerdict): verdict is 'other room' | ForeignGame {
  return verdict !== 'enter' && verdict !== 'not now' && verdict !== 'host without proof';
}

/**
 * [P3] [P6] Decides whether a guest follows a welcome; its signatures are valid.
 * @param options with the room that it looks for, before it has come in, and its levels. `friend`: [F4.29].
 * @param silentMs milliseconds since its own host was last heard.
 */
export function judgeWelcome(
  state: GuestState,
  welcome: Welcome,
  { room, levels, schema, friend = null }: Pick<GuestRoomOptions, 'room' | 'levels' | 'schema' | 'friend'>,
  silentMs: number,
): WelcomeVerdict {
  const stay = stayOf(state);
  const isAskedFor = room === null || room === roomIdOf(welcome.lineage);
  if (stay === null && !isAskedFor && friend !== reignOf(welcome.lineage).key) return 'other room';
  if (stay !== null && state.kind === 'here' && welcome.term !== stay.welcome.term) return 'not now';
  if (stay !== null && !mayFollow(stay, welcome, silentMs)) return 'host without proof';
  if (welcome.schema !== schema) return 'other schema';
  // To make a level and its hash takes a while: the one of the last welcome was opened already.
  if (stay !== null && isSameReference(stay.welcome.level, welcome.level)) return 'enter';
  return obstacleTo(welcome.level, levels) ?? 'enter';
}

/**
 * True if the guest may follow this host: it has proved that it came after the guest's host, or the guest's host has
 * named it. In this room it may also be one for which the guest's host stepped down [F4.26], in another room only its
 * heir [F4.32]. Any other player of the roster will do after a long silence, or under a host without a majority.
 */
function mayFollow({ welcome, roster, succession }: Stay, { lineage }: Welcome, silentMs: number): boolean {
  const relation = relationOf(lineage, welcome.lineage);
  if (relation !== 'weaker' && relation !== 'other room') return true;
  const { key } = reignOf(lineage);
  const player = roster.players.find((other) => other.key === key);
  if (player === undefined) return false;
  const named = relation === 'weaker' ? succession.named : succession.heir;
  return named === player.slot || welcome.home !== null || silentMs >= AWAY_AFTER_MS;
}

/** [P4] Another guest has passed on a signed roster; it counts if it is of this guest's host. */
export function receiveEvidence(stay: Stay | null, roster: Roster): void {
  if (stay === null || !isRosterOf(stay, roster)) return;
  if (hostKeyOf(roster) === hostKeyOf(stay.welcome.roster)) stay.ballots.receiveRoster(roster);
}

function hostKeyOf({ host, players }: Roster): string | undefined {
  return players.find(({ slot }) => slot === host)?.key;
}
