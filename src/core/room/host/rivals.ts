import { DEDICATED_SLOT } from '../../base/constants.ts';
import type { Slot } from '../../base/ids.ts';
import type { Rival } from '../election.ts';
import type { PublicKey, RoomId } from '../identity/key.ts';
import type { Lineage } from '../identity/lineage.ts';
import {
  chosenBy,
  hasPlayer,
  electedSince,
  reignOf,
  relationOf,
  roomIdOf,
  slotIn,
  wasLetIn,
} from '../identity/lineage.ts';
import type { LineId } from '../line.ts';
import type { Roster } from '../messages.ts';
import type { Outbox } from '../outbox.ts';
import type { RemovedPlayers } from './admission.ts';
import type { HostLines } from './host-lines.ts';
import type { HostEffect, Tenure } from './host-options.ts';
import type { RosterSchedule } from './roster-schedule.ts';
import type { Seats } from './seats.ts';

/** [F4] A host's dealings with other hosts of its room: what it tells them, and what it learns of them. */
export class Rivals {
  readonly #seats: Seats;
  readonly #lines: HostLines;
  readonly #outbox: Outbox<HostEffect>;
  #stepsDownFor: Slot | null = null;
  readonly #removed: RemovedPlayers;
  readonly #rosters: RosterSchedule;
  readonly #formerRoom: RoomId | null;
  #goesOnIn: RoomId | null = null;
  /** Somebody new may have a seat: a former player must not come into a locked room by this way. */
  #hasRoom = false;
  #rival: { readonly key: PublicKey; readonly lineage: Lineage } | null = null;

  /** @param formerRoom [P7.3] the room in which this host was before it had to found its own; null if it had not to. */
  constructor(
    seats: Seats,
    lines: HostLines,
    removed: RemovedPlayers,
    rosters: RosterSchedule,
    outbox: Outbox<HostEffect>,
    formerRoom: RoomId | null,
  ) {
    this.#formerRoom = formerRoom;
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
    const { lineage } = tenure;
    this.announce(line, tenure);
    const isRival = this.#rival !== null && this.#lines.otherOf(line)?.key === this.#rival.key;
    if (isRival && this.#seats.here().length > 0) this.#outbox.send(line, { kind: 'elsewhere', lineage });
  }

  /** Sends this host's standing to a player of the room that is not with this host yet. */
  announce(line: LineId, { term, home }: Tenure): void {
    const other = this.#lines.otherOf(line);
    if (other === null || this.#seats.ofKey(other.key)?.line !== null) return;
    const { host, hasPlayers: hears } = this.#seats;
    const vote = this.#seats.homeOf(home)?.host ?? null;
    this.#outbox.send(line, { kind: 'standing', host, term, hears, vote, ballot: null });
  }

  /** Another host is at the room's door, on this line: it learns that the room is here, if guests are here. */
  foundAtDoor(line: LineId, { lineage }: Tenure): void {
    if (this.#seats.here().length > 0) this.#outbox.send(line, { kind: 'elsewhere', lineage });
    this.#outbox.close(line);
  }

  /** A page says that it is another host, with guests; it counts if it belongs to the room, or to the former room. */
  learnOf(line: LineId, lineage: Lineage, own: Tenure): void {
    const { key } = this.#lines.otherOf(line) ?? {};
    const relation = relationOf(lineage, own.lineage);
    // [N3.3] Nobody is there to remove who was let in once.
    if (this.#seats.host === DEDICATED_SLOT && relation !== 'successor') return;
    const isPlayer = key !== undefined && this.#isPlayer(key, lineage, own);
    const isBelieved = isPlayer || this.#believesStranger(key, lineage, own);
    const room = roomIdOf(lineage);
    // [P7.3] A host with guests stays in the room that it has founded.
    const isFormer = room === this.#formerRoom && !this.#seats.hasPlayers;
    if (relation !== 'successor' && (relation === 'other room' || !isBelieved) && !isFormer) return;
    if (this.#seats.hasPlayers) this.#meet(line, lineage, own);
    else this.#goesOnIn = room;
  }

  /** [F4.30] A host without guests also believes a host that none of its rosters has. */
  #believesStranger(key: PublicKey | undefined, shown: Lineage, { lineage }: Tenure): boolean {
    const hosts = electedSince(shown, lineage);
    if (this.#seats.hasPlayers || key === undefined || hosts.at(-1) !== key) return false;
    return hosts.every((host) => !this.#removed.has(host));
  }

  /** [F4.23] Has a seat wait for the other host, so that it and the guests here hear one another, and calls it. */
  #meet(line: LineId, lineage: Lineage, own: Tenure): void {
    const other = this.#lines.otherOf(line);
    if (other === null || this.#removed.has(other.key)) return;
    const slot = slotIn(lineage, other.key) ?? slotIn(own.lineage, other.key);
    const seat = this.#seats.ofKey(other.key);
    if (seat === null && !(this.#hasRoom && this.#seats.expect(other, slot))) return;
    // [F4.34] A host that was restored, or loaded again, is at another page than before.
    if (seat === null || this.#seats.waitsAt(seat, other.page)) this.#rosters.change();
    this.#rival = { key: other.key, lineage };
    const page = this.#lines.pageToCall(line, this.#seats);
    if (page !== null) this.#outbox.push({ kind: 'dial', page });
  }

  #rivalOf({ lineage: own }: Tenure): Rival | null {
    if (this.#rival === null) return null;
    const { key, lineage } = this.#rival;
    const host = this.#seats.ofKey(key)?.slot;
    if (host === undefined) return null;
    const { term } = reignOf(lineage);
    const relation = relationOf(lineage, own);
    const chosen = chosenBy(lineage, own);
    const others = chosen.filter((voter) => (this.#seats.ofKey(voter)?.line ?? null) === null);
    const mostPlayHere = others.length * 2 < chosen.length;
    const isStronger = (relation === 'home' || relation === 'stronger') && !mostPlayHere;
    const heard = this.#lines.playersOf(host, term);
    const voters = others.filter((voter) => heard.includes(voter)).length;
    return { host, term, isStronger, voters };
  }

  /** True for a player of the room, also for one whose seat has not waited, as far as this host has evidence. */
  #isPlayer(key: PublicKey, shown: Lineage, { lineage }: Tenure): boolean {
    if (this.#removed.has(key)) return false;
    return this.#seats.ofKey(key) !== null || hasPlayer(lineage, key) || wasLetIn(key, shown, lineage);
  }

  /** Call it once a tick. */
  tick(tenure: Tenure, { locked, capacity }: Pick<Roster, 'locked' | 'capacity'>): void {
    this.#hasRoom = !locked && this.#seats.people < capacity;
    this.#stepsDownFor = this.#lines.stepsDownFor(tenure, this.#seats, this.#rivalOf(tenure));
  }
}
