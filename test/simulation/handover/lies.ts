import type { ConnectionId, Slot } from '../../../src/core/base/ids.ts';
import { MAX_ROOM_PLAYERS } from '../../../src/core/base/constants.ts';
import type { Random } from '../../../src/core/base/random.ts';
import { newLineage } from '../../../src/core/room/identity/lineage.ts';
import { voteText } from '../../../src/core/room/identity/statements.ts';
import { nextTerm } from '../../../src/core/room/term.ts';
import type { Ballot, GuestMessage, HostMessage, Roster } from '../../../src/core/room/messages.ts';
import { PROTOCOL_VERSION, writeMessage } from '../../../src/core/room/messages.ts';
import { signatureOf } from '../../support/keys.ts';
import type { HandoverPage } from '../../support/handover/handover-page.ts';
import { newProfile } from '../../../src/core/room/profile.ts';
import { chooseLevel } from '../../../src/levels/levels.ts';

/** The level of a liar's messages. It takes a while to make. */
const LIARS_LEVEL = chooseLevel({ id: 'pile', seed: 1 });

const NO_ROSTER: Roster = {
  host: 0 as Slot,
  capacity: MAX_ROOM_PLAYERS,
  locked: false,
  players: [],
  term: 0,
  epoch: 0,
  signature: null,
};

/** @returns a random message of a liar with a seat: mostly false standings, else any other message of a room. */
export function randomLie(random: Random, page: HandoverPage): string {
  return random.chance(0.7) ? falseStanding(random, page) : writeMessage(randomMessage(random, page));
}

function slotOf(random: Random): Slot {
  return random.below(MAX_ROOM_PLAYERS) as Slot;
}

function termOf({ member: { host, guest } }: HandoverPage): number {
  return host?.tenure.term ?? guest?.welcome?.term ?? 0;
}

function falseStanding(random: Random, page: HandoverPage): string {
  const host = random.chance(0.4) && page.slot !== null ? page.slot : slotOf(random);
  const present = termOf(page);
  const terms = [present, present, nextTerm(present, host), nextTerm(present, host), random.below(0x10000)];
  const term = terms[random.below(terms.length)];
  const vote = random.chance(0.5) ? slotOf(random) : page.slot;
  const ballot = random.chance(0.7) ? ballotFor(vote, term, page) : null;
  return writeMessage({ kind: 'standing', host, term, hears: random.chance(0.5), vote, ballot });
}

/** A vote that the liar really signs: it may vote as it likes, and as often. */
function ballotFor(vote: Slot | null, term: number, { member, key }: HandoverPage): Ballot | null {
  const { roster, room } = member;
  const candidate = roster?.players.find(({ slot }) => slot === vote)?.key;
  if (candidate === undefined || roster === null || room === null) return null;
  const { epoch } = roster;
  const signature = signatureOf(key, voteText(room, { term, epoch, candidate }));
  return { epoch, candidate, signature };
}

function randomMessage(random: Random, page: HandoverPage): GuestMessage | HostMessage {
  const { member } = page;
  const self = page.slot ?? slotOf(random);
  const welcome = member.guest?.welcome ?? null;
  const mine: Roster = { ...(member.roster ?? NO_ROSTER), host: self };
  const connection = random.below(4) as ConnectionId;
  const level = LIARS_LEVEL;
  const term = nextTerm(termOf(page), self);
  const door = random.chance(0.5) ? (welcome?.door ?? '') : '';
  const lineage =
    random.chance(0.5) && welcome !== null ? welcome.lineage : newLineage(page.key, 'a salt', term);
  const handover = signatureOf(page.key, 'a handover');
  const messages: readonly (() => GuestMessage | HostMessage)[] = [
    () => ({ kind: 'bye', reason: 'host left', next: random.chance(0.5) ? self : slotOf(random), handover }),
    () => ({ kind: 'bye', reason: 'removed', next: null, handover: null }),
    () => ({ kind: 'refuse', reason: 'full', version: PROTOCOL_VERSION }),
    () => {
      const keeps = { slot: slotOf(random), connection, goesOn: true, term, lineage, door, home: null };
      return { kind: 'welcome', ...keeps, level, roster: mine };
    },
    () => ({ kind: 'roster', roster: mine }),
    () => ({ kind: 'level', level, connection, why: 'choice' }),
    () => ({ kind: 'elsewhere', lineage }),
    () => ({ kind: 'door', door }),
    () => {
      return {
        kind: 'join',
        ...newProfile('x'),
        colour: slotOf(random),
        keeps: { connection, term, host: 'x' },
      };
    },
    () => ({ kind: 'profile', ...newProfile('x'), voice: 'on' }),
  ];
  return messages[random.below(messages.length)]();
}
