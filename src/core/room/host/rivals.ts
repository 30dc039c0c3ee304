import { DEDICATED_SLOT } from '../../base/constants.ts';
import type { Slot } from '../../base/ids.ts';
import type { Rival } from '../election.ts';
import type { PublicKey, RoomId } from '../identity/key.ts';
import type { Lineage } from '../identity/lineage.ts';
import {
  cameByHandovers,
  chosenBy,
  hasPlayer,
  hostsFromParting,
  electedSince,
  reignOf,
  relationOf,
  roomIdOf,
  rosterOfChoice,
  slotIn,
  wasLetIn,
} from '../identity/lineage.ts';
import type { LineId } from '../line.ts';
import type { Roster } from '../messages.ts';
import type { Outbox } from '../outbox.ts';
import type { RemovedPlayers } from './admission.ts';
import type { HostLines } from './host-lines.ts';
import type { HostEffect, HostRoomOptions, RestoredFrom, Tenure } from './host-options.ts';
import type { RosterSchedule } from './roster-schedule.ts';
import type { Seats } from './seats.ts';

/**
 * [N6.5] Milliseconds for which a restored host believes what its players chose meanwhile. Slow ones need half a minute;
 * later, only somebody who was in the room long ago would have such votes.
 */
const LOOKS_BACK_MS = 120_000;

/**
 * [F4.39] [F4.40] Milliseconds for which a host counts as new: players may have voted while it was given the room, or may
 * have come to the host before while it was chosen. Later, votes may be old, and players unknown to it may be invented.
 */
const NEW_MS = 60_000;

/**
 * [F4.37] Milliseconds for which as many players must be heard elsewhere: a player that tells two hosts different things
 * could make each step down for the other, and the other host steps down at once.
 */
const MATCHED_MS = 3000;

/** [N3.3] Players whose word alone does not end a dedicated host's turn. */
const MOST_LIARS = 1;

/** [F4] A host's dealings with other hosts of its room: what it tells them, and what it learns of them. */
export class Rivals {
  readonly #seats: Seats;
  readonly #lines: HostLines;
  readonly #outbox: Outbox<HostEffect>;
  #stepsDownFor: Slot | null = null;
  readonly #removed: RemovedPlayers;
  readonly #rosters: RosterSchedule;
  readonly #formerRoom: RoomId | null;
  #restoredFrom: RestoredFrom | null;
  /** Milliseconds since this host was made. */
  #ageMs = 0;
  #goesOnIn: RoomId | null = null;
  /**
   * True if the room is open to somebody new. A former player must not get into a locked room by saying that it is
   * host.
   */
  #hasRoom = false;
  #rival: { readonly key: PublicKey; readonly lineage: Lineage } | null = null;
  /** [F4.38] The host that was called last without being believed. */
  #answered: PublicKey | null = null;
  /** [F4.37] This host's age since which as many players are heard to play with the other host; null if they are not. */
  #matchedSinceMs: number | null = null;

  constructor(
    seats: Seats,
    lines: HostLines,
    removed: RemovedPlayers,
    rosters: RosterSchedule,
    outbox: Outbox<HostEffect>,
    { formerRoom = null, restoredFrom }: Pick<HostRoomOptions, 'formerRoom' | 'restoredFrom'>,
  ) {
    this.#formerRoom = formerRoom;
    this.#restoredFrom = restoredFrom ?? null;
    this.#rosters = rosters;
    this.#removed = removed;
    this.#seats = seats;
    this.#lines = lines;
    this.#outbox = outbox;
  }

  /** The slot of the other host for which this host has to step down; null if there is none. */
  get stepsDownFor(): Slot | null {
    return this.#stepsDownFor;
  }

  /**
   * For a host without guests that knows that its room, or its former room, goes on under another host: which of the two
   * rooms. Else null.
   */
  get goesOnIn(): RoomId | null {
    return this.#seats.hasPlayers ? null : this.#goesOnIn;
  }

  /** A line has opened. The other host that this host knows of learns its lineage. */
  lineOpened(line: LineId, tenure: Tenure): void {
    this.announce(line, tenure);
    const key = this.#lines.otherOf(line)?.key;
    if (key === undefined || this.#removed.has(key)) return;
    if (key === this.#rival?.key || key === this.#answered) this.#show(line, tenure);
  }

  /** Sends this host's standing to a player of the room that is not with this host yet, or [F4.38] to another host. */
  announce(line: LineId, { term, home }: Tenure): void {
    const other = this.#lines.otherOf(line);
    if (other === null) return;
    const seat = this.#seats.ofKey(other.key);
    const isAnswered = other.key === this.#answered && !this.#removed.has(other.key);
    if (seat === null ? !isAnswered : seat.line !== null) return;
    const { host, hasPlayers: hears } = this.#seats;
    const vote = this.#seats.homeOf(home)?.host ?? null;
    this.#outbox.send(line, { kind: 'standing', host, term, hears, vote, ballot: null });
  }

  /** Another host is at the room's door, on this line: it learns that the room is here, if guests are here. */
  foundAtDoor(line: LineId, tenure: Tenure): void {
    this.#show(line, tenure);
    this.#outbox.close(line);
  }

  /** A page says that it is another host, with guests; it counts if it belongs to the room, or to the former room. */
  learnOf(line: LineId, lineage: Lineage, own: Tenure): void {
    const relation = relationOf(lineage, own.lineage);
    const isLater = relation === 'successor' || this.#wasChosenMeanwhile(lineage);
    if (!isLater && !this.#believes(line, lineage, own)) {
      if (relation !== 'other room') this.#answer(line);
    } else if (this.#seats.hasPlayers) this.#meet(line, lineage, own);
    else this.#goesOnIn = roomIdOf(lineage);
  }

  /** [F4.38] Calls a host that is not believed: it may know this one. */
  #answer(line: LineId): void {
    const key = this.#lines.otherOf(line)?.key;
    if (key === undefined || this.#removed.has(key) || this.#seats.here().length === 0) return;
    const page = this.#lines.strangerToCall(line);
    if (page === null) return;
    this.#answered = key;
    this.#outbox.push({ kind: 'dial', page });
  }

  /** Shows this host's lineage, if guests are here. */
  #show(line: LineId, { lineage }: Tenure): void {
    if (this.#seats.here().length > 0) this.#outbox.send(line, { kind: 'elsewhere', lineage });
  }

  /** True if the page on a line may be the host of this room, or of the former room, by this host's evidence. */
  #believes(line: LineId, lineage: Lineage, own: Tenure): boolean {
    // [N3.3] In a dedicated host's room nobody removes players: any player that was let in once could claim to be host.
    if (this.#seats.host === DEDICATED_SLOT) return false;
    // [F4.41] A host that was removed could name another one.
    if (hostsFromParting(lineage, own.lineage).some((host) => this.#removed.has(host))) return false;
    const room = roomIdOf(lineage);
    // [P7.3] A host with guests stays in the room that it has founded.
    if (room === this.#formerRoom && !this.#seats.hasPlayers) return true;
    if (room !== roomIdOf(own.lineage)) return false;
    const { key } = this.#lines.otherOf(line) ?? {};
    const isPlayer = key !== undefined && this.#isPlayer(key, lineage, own);
    return isPlayer || this.#believesStranger(key, lineage, own);
  }

  /** [N3.7] */
  #wasChosenMeanwhile(lineage: Lineage): boolean {
    const from = this.#restoredFrom;
    const roster = from === null ? null : rosterOfChoice(lineage, from.lineage);
    return from !== null && roster !== null && roster.epoch >= from.epoch;
  }

  /** [F4.30] A host without guests also believes a host that none of its rosters has. */
  #believesStranger(key: PublicKey | undefined, shown: Lineage, { lineage }: Tenure): boolean {
    return !this.#seats.hasPlayers && key !== undefined && electedSince(shown, lineage).at(-1) === key;
  }

  /** [F4.23] Has a seat wait for the other host, so that it and the guests here hear one another, and calls it. */
  #meet(line: LineId, lineage: Lineage, own: Tenure): void {
    const other = this.#lines.otherOf(line);
    if (other === null || this.#removed.has(other.key)) return;
    // [P5.3] A roster that has a key twice makes every vote by it void.
    if (other.key === reignOf(own.lineage).key) return;
    const slot = slotIn(lineage, other.key) ?? slotIn(own.lineage, other.key);
    const seat = this.#seats.ofKey(other.key);
    if (seat === null && !(this.#hasRoom && this.#seats.expect(other, slot))) return;
    if (seat === null) this.#rosters.change();
    // [F4.34] A host that was restored, or loaded again, has another page than before.
    else if (this.#seats.notePage(seat, other.page)) this.#rosters.changeProfile();
    this.#rival = { key: other.key, lineage };
    const page = this.#lines.pageToCall(line, this.#seats);
    if (page !== null) this.#outbox.push({ kind: 'dial', page });
  }

  /** The other host, as this host judges it now; null if there is none. Call it once a tick. */
  #judgeRival({ lineage: own }: Tenure): Rival | null {
    const host = this.#rival === null ? undefined : this.#seats.ofKey(this.#rival.key)?.slot;
    if (this.#rival === null || host === undefined) return null;
    const { key, lineage } = this.#rival;
    const { term } = reignOf(lineage);
    const heard = this.#lines
      .playersOf(host, term)
      .filter((player) => this.#isElsewhere(player) && !this.#removed.has(player));
    const isMatched = heard.includes(key) && this.#isMatchedBy(heard, lineage, own);
    this.#matchedSinceMs = isMatched ? (this.#matchedSinceMs ?? this.#ageMs) : null;
    const hasHeld = this.#matchedSinceMs !== null && this.#ageMs - this.#matchedSinceMs >= MATCHED_MS;
    const prevails = hasHeld || this.#hadMajority(lineage, own);
    return { host, term, prevails, ...this.#votersOf(heard, lineage, own) };
  }

  /** [F4.24] True if the other host had a majority where this one had none, and most of its voters do not play here. */
  #hadMajority(other: Lineage, own: Lineage): boolean {
    const relation = relationOf(other, own);
    if (relation !== 'home' && relation !== 'stronger') return false;
    const chosen = chosenBy(other, own);
    return chosen.filter((voter) => this.#isElsewhere(voter)).length * 2 >= chosen.length;
  }

  /** [F4.23] [F4.39] @param heard the players that are heard to play with the other host. */
  #votersOf(heard: readonly PublicKey[], other: Lineage, own: Lineage): Pick<Rival, 'voters' | 'mayBeOlder'> {
    const isChosen = chosenBy(own, other).length > 0;
    const voters = chosenBy(other, own).filter(
      (voter) => heard.includes(voter) && (!isChosen || hasPlayer(own, voter)),
    );
    return { voters: voters.length, mayBeOlder: !isChosen && this.#isNew };
  }

  /**
   * [F4.37] [F4.40] True if this host has its room by a vote and the other host does not, and no more play here, this host
   * included, than others play there.
   * @param heard the players that are heard to play there.
   */
  #isMatchedBy(heard: readonly PublicKey[], other: Lineage, own: Lineage): boolean {
    const voters = chosenBy(own, other);
    if (voters.length === 0 || !cameByHandovers(other, own)) return false;
    const host = reignOf(other).key;
    const there = heard.filter((player) => player !== host && (this.#isNew || hasPlayer(own, player)));
    const here = this.#seats
      .all()
      .filter(({ line, key }) => line !== null && (!this.#isNew || voters.includes(key)));
    return here.length + 1 <= there.length;
  }

  get #isNew(): boolean {
    return this.#ageMs < NEW_MS;
  }

  /** True for a player that does not play here. */
  #isElsewhere(player: PublicKey): boolean {
    return (this.#seats.ofKey(player)?.line ?? null) === null;
  }

  /** True for a player of the room, also for one whose seat has not waited, as far as this host has evidence. */
  #isPlayer(key: PublicKey, shown: Lineage, { lineage }: Tenure): boolean {
    if (this.#removed.has(key)) return false;
    return this.#seats.ofKey(key) !== null || hasPlayer(lineage, key) || wasLetIn(key, shown, lineage);
  }

  /**
   * [N6.5] Ends the time in which a restored host looks back. Call it once a tick.
   * @param step milliseconds since the last tick.
   * @returns true in the tick in which that time ends.
   */
  endsRestoring(step: number): boolean {
    this.#ageMs += step;
    if (this.#restoredFrom === null || this.#ageMs < LOOKS_BACK_MS) return false;
    this.#restoredFrom = null;
    return true;
  }

  /** Call it once a tick. */
  tick(tenure: Tenure, { locked, capacity }: Pick<Roster, 'locked' | 'capacity'>): void {
    this.#hasRoom = !locked && this.#seats.people < capacity;
    const other = this.#lines.stepsDownFor(tenure, this.#seats, this.#judgeRival(tenure));
    this.#stepsDownFor = other !== null && this.#isSureOf(other) ? other : null;
  }

  /** [N3.3] For a dedicated host one player's word is not enough: with no guest left, nobody can contradict it. */
  #isSureOf(other: Slot): boolean {
    if (this.#seats.host !== DEDICATED_SLOT || this.goesOnIn !== null) return true;
    const isRival = this.#rival !== null && this.#seats.ofKey(this.#rival.key)?.slot === other;
    if (isRival) return true;
    return this.#seats.get(other) !== null && this.#lines.namersOf(other, this.#seats) > MOST_LIARS;
  }
}
