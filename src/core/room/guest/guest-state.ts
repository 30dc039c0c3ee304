import type { ConnectionId, Slot } from '../../base/ids.ts';
import type { LevelReason, LevelReference } from '../../world/level-reference.ts';
import type { GuestEnd, GuestRoomOptions, GuestStatus } from './guest-options.ts';
import type { LineId } from '../line.ts';
import type { Voter } from '../election.ts';
import { roomIdOf } from '../identity/lineage.ts';
import type { Ending, HostMessage, Join, KeptConnection, Roster, Welcome } from '../messages.ts';
import { isLarge } from '../people.ts';
import { LOST_AFTER_MS } from '../silence.ts';
import { Ballots } from './ballots.ts';
import type { Decision } from './succession.ts';
import { Succession } from './succession.ts';
import type { StandbyLines } from './standby.ts';

/** A guest's knowledge of its room since the host's last welcome. The GuestRoom owns it and changes it in place. */
export type Stay = {
  readonly welcome: Welcome;
  /** The host's last roster. */
  roster: Roster;
  level: LevelReference;
  /** Null while the guest comes in once more without its world: then it asks for a new connection. */
  connection: ConnectionId | null;
  /** [B1.5] Why the host has begun the level, if it has begun another one since the welcome. */
  why: LevelReason;
  /** [F4] The secret that opens the room's door. */
  door: string;
  /** [P4] The guest's evidence of who has a vote, and its own vote. */
  readonly ballots: Ballots;
  /** [F4] The guest's reaction to the absence of the host that welcomed it. */
  readonly succession: Succession;
  /** The other guests that were heard of late. */
  readonly voters: () => readonly Voter[];
  /** [F4] The decision of the last tick. */
  decision: Decision;
};

/** @returns a stay that begins with this welcome. @param sign asks the owner for a signature. */
export function newStay(welcome: Welcome, standby: StandbyLines, sign: (text: string) => void): Stay {
  const { roster, level, connection, lineage, door } = welcome;
  const ballots = new Ballots(roomIdOf(lineage), sign);
  ballots.receiveRoster(roster);
  const succession = new Succession(standby);
  const voters = (): readonly Voter[] => standby.voters();
  const decision = { kind: 'stay', vote: null } as const;
  const why = 'choice';
  return { welcome, roster, level, connection, why, door, ballots, succession, voters, decision };
}

/** Not yet welcomed. */
export type Joining = { readonly kind: 'joining' };

/** In the room, and the host has been heard within LOST_AFTER_MS. */
export type Here = { readonly kind: 'here'; readonly line: LineId; readonly stay: Stay };

/** How a guest has lost its host. */
export type Loss =
  /** Nothing comes on the line, but the line is there. */
  | { readonly kind: 'silent'; readonly line: LineId }
  /** The line has broken. */
  | { readonly kind: 'broken' }
  /** [F4] It has turned to a newer host in this slot, and waits for that host's welcome. */
  | { readonly kind: 'following'; readonly host: Slot };

/** In the room, but not in touch with the host. */
export type Lost = { readonly kind: 'lost'; readonly loss: Loss; readonly stay: Stay };

/** Over for good; the last stay can still be read, and is null if the guest never came in. */
export type Ended = { readonly kind: 'ended'; readonly why: GuestEnd; readonly stay: Stay | null };

/** The state of a GuestRoom: joining → here ↔ lost → ended, or joining → ended. */
export type GuestState = Joining | Here | Lost | Ended;

/** @returns the state without its data: what the owner may know. */
export function statusOf(state: GuestState): GuestStatus {
  return state.kind === 'ended' ? { kind: 'ended', why: state.why } : { kind: state.kind };
}

/** @returns null before the first welcome. */
export function stayOf(state: GuestState): Stay | null {
  return state.kind === 'joining' ? null : state.stay;
}

/** @returns the line to the host with whom this guest plays; null if there is none. */
export function hostLineOf(state: GuestState): LineId | null {
  if (state.kind === 'here') return state.line;
  return state.kind === 'lost' && state.loss.kind === 'silent' ? state.loss.line : null;
}

/** The host has welcomed the guest on this line. */
export function entered(line: LineId, stay: Stay): Here {
  return { kind: 'here', line, stay };
}

/**
 * [F3] The silence of the host has been measured.
 * @param silentMs milliseconds since the host's last packet.
 * @returns the same object if nothing changes.
 */
export function silenceMeasured(state: Here | Lost, silentMs: number): Here | Lost {
  const line = hostLineOf(state);
  const isLost = line === null || silentMs >= LOST_AFTER_MS;
  if (line === null || isLost === (state.kind === 'lost')) return state;
  const { stay } = state;
  return isLost ? { kind: 'lost', loss: { kind: 'silent', line }, stay } : entered(line, stay);
}

/** The line to the host is no more. */
export function lineLost({ stay }: Here | Lost): Lost {
  return { kind: 'lost', loss: { kind: 'broken' }, stay };
}

/** [F4] The guest has its line to the host again, after it had turned to another; null if there is none. */
export function turnedBack(line: LineId | null, state: Lost): Lost {
  return line === null ? lineLost(state) : { ...state, loss: { kind: 'silent', line } };
}

/** [F4] The guest turns to a newer host; its line to the host before is no longer its line of play. */
export function turnedTo(host: Slot, { stay }: Here | Lost): Lost {
  return { kind: 'lost', loss: { kind: 'following', host }, stay };
}

/** @returns the slot of the newer host that a guest waits for; null if it waits for none. */
export function followedBy(state: GuestState): Slot | null {
  return state.kind === 'lost' && state.loss.kind === 'following' ? state.loss.host : null;
}

/**
 * True while packets of the host may come: a guest that turns to another still has the line to its own. Those of a host
 * that has said goodbye end no silence [F4.36].
 */
export function mayHearHost(state: GuestState): boolean {
  if (stayOf(state)?.succession.hasLeft === true) return false;
  return hostLineOf(state) !== null || followedBy(state) !== null;
}

/**
 * [F4.9] True for a guest that turned to a newer host because it missed its own, and that hears its own again. A guest
 * of a host without a majority turns to another although it hears its own.
 * @param silentMs milliseconds since its own host was last heard.
 */
export function hearsAgain(state: Lost, silentMs: number): boolean {
  return followedBy(state) !== null && state.stay.welcome.home === null && silentMs < LOST_AFTER_MS;
}

/** [F4.19] True if it was host, and nobody has let it in since: a stranger at the room's door must not end its part. */
export function mayLeadAgain(state: GuestState, { back }: GuestRoomOptions): boolean {
  return back !== undefined && stayOf(state) === null;
}

/** It is over, from any state. */
export function ended(state: GuestState, why: GuestEnd): Ended {
  return { kind: 'ended', why, stay: stayOf(state) };
}

/** [N8.2] True in a large room: its players have no lines to one another, and wait for the dedicated host. */
export function isInLargeRoom(state: GuestState): boolean {
  const stay = stayOf(state);
  return stay !== null && isLarge(stay.roster);
}

/** True for a guest that has been welcomed, and whose part is not over. */
export function isInRoom(state: GuestState): state is Here | Lost {
  return state.kind === 'here' || state.kind === 'lost';
}

/** True if a roster has the host that welcomed this guest, and this guest itself. */
export function isRosterOf({ welcome }: Stay, { host, term, players }: Roster): boolean {
  const isOfHost = host === welcome.roster.host && term === welcome.term;
  return isOfHost && players.some(({ slot }) => slot === welcome.slot);
}

/**
 * Takes in a message of the guest's host.
 * @returns `level`: the host has chosen a level. `roster of another room`: the roster is not of this host, or lacks this
 * guest. An ending: the guest's part is over. Null: there is nothing more to do.
 */
export function receiveFromHost(
  stay: Stay,
  message: HostMessage,
): 'level' | 'roster of another room' | Exclude<Ending, 'host left'> | null {
  switch (message.kind) {
    case 'roster':
      // [N8.2] A room stays large, or small.
      if (isLarge(stay.roster) !== isLarge(message.roster)) return 'roster of another room';
      if (!isRosterOf(stay, message.roster)) return 'roster of another room';
      stay.roster = message.roster;
      stay.ballots.receiveRoster(message.roster);
      return null;
    case 'door':
      stay.door = message.door;
      return null;
    case 'level':
      stay.level = message.level;
      stay.connection = message.connection;
      stay.why = message.why;
      return 'level';
    case 'bye':
      if (message.reason !== 'host left') return message.reason;
      stay.succession.hostLeaves(message);
      return null;
    default:
      return null;
  }
}

/** True if a guest keeps its world by this welcome. It can't in another slot: there it could be its own host. */
export function goesOnBy({ goesOn, slot }: Welcome, state: GuestState, options: GuestRoomOptions): boolean {
  const own = stayOf(state)?.welcome.slot ?? options.colour;
  return goesOn && slot === own && keptConnection(state, options) !== null;
}

/** @returns the message by which a guest asks to come in. */
export function joinOf(state: GuestState, options: GuestRoomOptions): Join {
  const { profile, colour } = options;
  return { kind: 'join', ...profile, colour, keeps: keptConnection(state, options) };
}

/** @returns the connection that a guest wants to keep; null if it has none. `keeps`: see GuestRoomOptions. */
function keptConnection(
  state: GuestState,
  { keeps }: Pick<GuestRoomOptions, 'keeps'>,
): KeptConnection | null {
  const stay = stayOf(state);
  if (stay === null) return keeps ?? null;
  if (stay.connection === null) return null;
  const { term, roster } = stay.welcome;
  const host = roster.players.find(({ slot }) => slot === roster.host);
  return host === undefined ? null : { connection: stay.connection, term, host: host.id };
}

/** The line to the host; empty if there is none. */
export function playLineOf(state: GuestState): readonly LineId[] {
  const line = hostLineOf(state);
  return line === null ? [] : [line];
}
