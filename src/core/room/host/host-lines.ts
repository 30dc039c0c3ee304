import type { Slot } from '../../base/ids.ts';
import type { Rival, Voter } from '../election.ts';
import { hostToStepDownFor, STANDING_COUNTS_MS } from '../election.ts';
import type { HostRoomOptions, Tenure } from './host-options.ts';
import type { Other } from '../identity/authenticated-lines.ts';
import type { PublicKey } from '../identity/key.ts';
import type { LineId } from '../line.ts';
import type { Standing } from '../messages.ts';
import type { Guest, Seats } from './seats.ts';

/** Milliseconds in which a page must ask to come in on a new line. */
const JOIN_WITHIN_MS = 10_000;
/** Messages that a line may send within a second: no person sends so many, a flood does. */
const MAX_MESSAGES_A_SECOND = 20;

/** Milliseconds between two calls to other hosts: a hostile page could ask for one after the other. */
const CALLS_APART_MS = 5000;

/** A host's notes on a line. */
type LineState = {
  /** The page at the other end. */
  readonly other: Other;
  /** Milliseconds since the line opened. */
  waitedMs: number;
  /** Messages in the running second. */
  messages: number;
  /** [F4] The last standing of the player at the other end, and milliseconds since it came. */
  standing: Standing | null;
  standingAgeMs: number;
};

/** The lines of a host: how long each has been there, how much it sends, and which host its player has. */
export class HostLines {
  readonly #lines = new Map<LineId, LineState>();
  /** Milliseconds since this host has called another host. */
  #calledMs = Infinity;
  /** [F4.38] Milliseconds since it has called a host that it does not believe. */
  #answeredMs = Infinity;

  /** @param other the page at the other end. */
  add(line: LineId, other: Other): void {
    this.#lines.set(line, { other, waitedMs: 0, messages: 0, standing: null, standingAgeMs: 0 });
  }

  delete(line: LineId): void {
    this.#lines.delete(line);
  }

  has(line: LineId): boolean {
    return this.#lines.has(line);
  }

  /** Every line, the oldest first. A copy: lines may be added and deleted while it is read. */
  get all(): readonly LineId[] {
    return [...this.#lines.keys()];
  }

  /** The page at the other end; null for an unknown line. */
  otherOf(line: LineId): Other | null {
    return this.#lines.get(line)?.other ?? null;
  }

  /** [P1.5] True if another page is at the other end of a player's present line, and that line opened later. */
  isOfEarlierPage(line: LineId, present: LineId | null): boolean {
    const [one, other] = [this.#lines.get(line), present === null ? undefined : this.#lines.get(present)];
    if (one === undefined || other === undefined) return false;
    return one.other.page !== other.other.page && one.waitedMs > other.waitedMs;
  }

  /** The lines that are no guest's, and on which it is too late to ask. */
  overdue(seats: Seats): readonly LineId[] {
    return this.all.filter(
      (line) => seats.onLine(line) === null && (this.#lines.get(line)?.waitedMs ?? 0) > JOIN_WITHIN_MS,
    );
  }

  /** Counts a message; true if the line has sent too many in this second. */
  isFlooded(line: LineId): boolean {
    const state = this.#lines.get(line);
    return state !== undefined && ++state.messages > MAX_MESSAGES_A_SECOND;
  }

  /** @param step milliseconds since the last tick. */
  tick(step: number): void {
    this.#calledMs += step;
    this.#answeredMs += step;
    for (const state of this.#lines.values()) {
      state.waitedMs += step;
      state.standingAgeMs += step;
    }
  }

  /** Begins to count messages anew; call it once a second. */
  beginSecond(): void {
    for (const state of this.#lines.values()) state.messages = 0;
  }

  /** Keeps a standing that has come on a line; an unknown line is passed over. */
  receiveStanding(line: LineId, standing: Standing): void {
    const state = this.#lines.get(line);
    if (state === undefined) return;
    state.standing = standing;
    state.standingAgeMs = 0;
  }

  /**
   * [F4] The page at the other end of this line is another host, and knows this host only by the room's door.
   * @returns its id at the broker if this host is to call it now: then it knows which player this is. Else null.
   */
  pageToCall(line: LineId, seats: Seats): string | null {
    const other = this.otherOf(line);
    if (other === null || seats.ofKey(other.key)?.line !== null || this.#calledMs < CALLS_APART_MS)
      return null;
    if (this.all.some((one) => one !== line && this.otherOf(one)?.key === other.key)) return null;
    this.#calledMs = 0;
    return other.page;
  }

  /**
   * [F4.38] The page at the other end of this line says that it is another host, and is not believed.
   * @returns its id at the broker if this host is to call it now; else null.
   */
  strangerToCall(line: LineId): string | null {
    const other = this.otherOf(line);
    if (other === null || this.#answeredMs < CALLS_APART_MS) return null;
    this.#answeredMs = 0;
    return other.page;
  }

  /** [F4.35] The host before, if it has not come in yet, and this is its last line: then it comes no more. */
  formerHostOn(line: LineId, seats: Seats, { inherits, awaitsHost }: HostRoomOptions): Guest | null {
    if (inherits === undefined || awaitsHost !== true) return null;
    const guest = seats.get(inherits.host);
    if (guest?.isAwaited !== true || guest.key !== this.otherOf(line)?.key) return null;
    const hasAnother = this.all.some((one) => one !== line && this.otherOf(one)?.key === guest.key);
    return hasAnother ? null : guest;
  }

  /** [F4] The slot of the other host for which this host steps down; null if there is none. */
  stepsDownFor({ term, home }: Tenure, seats: Seats, rival: Rival | null): Slot | null {
    return hostToStepDownFor({
      self: seats.host,
      term,
      home: seats.homeOf(home),
      // A new host has its guests as soon as they follow.
      hasGuests: seats.hasPlayers || seats.awaited().length > 0,
      present: seats.all().flatMap(({ slot, presence }) => (presence === 'away' ? [] : [slot])),
      voters: this.#voters(seats),
      rival,
    });
  }

  /** The keys of the players that have said of late that they are, or play with, this host under this term, each once. */
  playersOf(host: Slot, term: number): readonly PublicKey[] {
    const players = new Set<PublicKey>();
    for (const { other, standing, standingAgeMs } of this.#lines.values()) {
      if (standing === null || standingAgeMs > STANDING_COUNTS_MS || !standing.hears) continue;
      if (standing.host === host && standing.term === term) players.add(other.key);
    }
    return [...players];
  }

  /** How many players have said of late that they are, or play with, this host. */
  namersOf(host: Slot, seats: Seats): number {
    return this.#voters(seats).filter(({ standing }) => standing.host === host && standing.hears).length;
  }

  /** The players that have sent a standing of late, each once: by its newest line. A guest of this host sends none. */
  #voters(seats: Seats): Voter[] {
    const voters = new Map<Slot, Voter>();
    for (const [line, { other, standing, standingAgeMs }] of this.#lines) {
      const slot = (seats.onLine(line) ?? seats.ofKey(other.key))?.slot;
      if (slot === undefined || standing === null || standingAgeMs > STANDING_COUNTS_MS) continue;
      voters.set(slot, { slot, standing, ageMs: standingAgeMs });
    }
    return [...voters.values()];
  }
}
