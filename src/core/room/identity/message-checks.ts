import type { HostBye, Roster, Standing, Welcome } from '../messages.ts';
import { readGuestMessage, readHostMessage } from '../messages.ts';
import { nextTerm } from '../term.ts';
import type { Other } from './authenticated-lines.ts';
import type { RoomId } from './key.ts';
import { checksOf, reignOf, roomIdOf } from './lineage.ts';
import { statementOf } from './roster-statement.ts';
import type { Check } from './statements.ts';
import { handoverText, rosterText, voteText } from './statements.ts';

/** The room in which a page receives messages; null before it has come in. */
export type RoomContext = { readonly room: RoomId; readonly roster: Roster } | null;

const NONE: readonly Check[] = [];

/**
 * The signatures in a message that must be valid before anybody acts on it.
 * @param from the page that has sent it.
 * @returns empty if there are none, also for a message that can't be read; null if the message claims what its sender
 * can't have.
 */
export function checksOfMessage(text: string, from: Other, context: RoomContext): readonly Check[] | null {
  const message = readHostMessage(text) ?? readGuestMessage(text);
  switch (message?.kind) {
    case 'welcome':
      return checksOfWelcome(message, from);
    case 'elsewhere':
      return reignOf(message.lineage).key === from.key ? checksOf(message.lineage) : null;
    case 'roster':
      return context === null ? NONE : checksOfNewRoster(context, message.roster);
    case 'standing':
      return context === null ? NONE : checksOfStanding(context.room, message, from);
    case 'bye':
      return 'reason' in message && context !== null ? checksOfBye(message, from, context) : NONE;
    default:
      return NONE;
  }
}

function checksOfWelcome({ lineage, term, roster }: Welcome, { key }: Other): readonly Check[] | null {
  const reign = reignOf(lineage);
  if (reign.key !== key || reign.term !== term || keyOfHost(roster) !== key) return null;
  const ofLineage = checksOf(lineage);
  const ofRoster = checksOfRoster(roomIdOf(lineage), roster);
  return ofLineage === null || roster.term !== term ? null : [...ofLineage, ...ofRoster];
}

/** A guest may pass on its host's roster; so it is the host's key that counts. */
function checksOfRoster(room: RoomId, roster: Roster): readonly Check[] {
  const key = keyOfHost(roster);
  const { signature } = roster;
  return key === null || signature === null
    ? NONE
    : [{ key, text: rosterText(room, statementOf(roster)), signature }];
}

/** Most rosters bring only new voices or round trips: the signature is that of the roster before. */
function checksOfNewRoster(
  { room, roster: before }: NonNullable<RoomContext>,
  roster: Roster,
): readonly Check[] {
  const isVerified =
    JSON.stringify(checksOfRoster(room, roster)) === JSON.stringify(checksOfRoster(room, before));
  return isVerified ? NONE : checksOfRoster(room, roster);
}

function checksOfStanding(room: RoomId, { term, ballot }: Standing, { key }: Other): readonly Check[] {
  if (ballot === null) return NONE;
  const { epoch, candidate, signature } = ballot;
  return [{ key, text: voteText(room, { term, epoch, candidate }), signature }];
}

function checksOfBye(
  { next, handover }: HostBye,
  { key }: Other,
  { room, roster }: NonNullable<RoomContext>,
): readonly Check[] {
  const heir = roster.players.find(({ slot }) => slot === next)?.key;
  if (next === null || handover === null || heir === undefined) return NONE;
  const { term } = roster;
  return [{ key, text: handoverText(room, { term, next: nextTerm(term, next), heir }), signature: handover }];
}

function keyOfHost({ host, players }: Roster): Roster['players'][number]['key'] | null {
  return players.find(({ slot }) => slot === host)?.key ?? null;
}
