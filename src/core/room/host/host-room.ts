import type { ConnectionId, Slot } from '../../base/ids.ts';
import type { LevelReason, LevelReference } from '../../world/level-reference.ts';
import type { Other } from '../identity/authenticated-lines.ts';
import type { PublicKey, Signature } from '../identity/key.ts';
import { newLineage, roomIdOf } from '../identity/lineage.ts';
import { coreOf } from '../identity/roster-statement.ts';
import { admissionOf, keepsConnection, RemovedPlayers } from './admission.ts';
import { HostLines } from './host-lines.ts';
import { HostSignatures } from './host-signatures.ts';
import type { PacketTimes, HostEffect, HostRoomOptions, Tenure } from './host-options.ts';
import { checkCapacity } from './host-options.ts';
import type { LineId } from '../line.ts';
import type { Ending, Join, Roster, SeatedMessage } from '../messages.ts';
import type { Profile } from '../profile.ts';
import { PROTOCOL_VERSION, readGuestMessage, readHostMessage } from '../messages.ts';
import { profileOf } from '../profile.ts';
import { Outbox } from '../outbox.ts';
import { isLarge } from '../people.ts';
import { Rivals } from './rivals.ts';
import { RosterSchedule } from './roster-schedule.ts';
import type { Guest } from './seats.ts';
import { changeProfile, judgeSilence, markAway, Seats, takePlace } from './seats.ts';
import { StepClock } from '../silence.ts';
import { connectionBefore } from '../term.ts';

/** Lines on which nobody has asked to come in that may be there at once. */
const MAX_STRANGERS = 16;

/**
 * The host's side of a room: it lets players in, gives them slots, measures their silence, and knows them again.
 * It has no clock and no line: its owner reports what happens, and carries out the effects that `drain` hands out.
 */
export class HostRoom {
  #options: HostRoomOptions;
  readonly #seats: Seats;
  readonly #lines = new HostLines();
  readonly #outbox = new Outbox<HostEffect>();
  readonly #removed = new RemovedPlayers();
  readonly #signatures: HostSignatures;
  #tenure: Tenure;
  /** [F4] Other hosts of the room that this one has met. @internal */
  readonly rivals: Rivals;
  #level: LevelReference;
  #connections: number;
  #capacity: number;
  #locked = false;
  #roster: Roster;
  readonly #rosters = new RosterSchedule();
  readonly #clock = new StepClock();
  /** [N3.4] The key of the dedicated host that is invited; null if none is. */
  invited: PublicKey | null = null;

  /** @throws RangeError if a room can't hold so many players. */
  constructor(options: HostRoomOptions) {
    const { slot, capacity, secret, key, tenure, inherits } = options;
    checkCapacity(capacity, slot);
    this.#capacity = capacity;
    this.#options = options;
    this.#level = options.level;
    this.#seats = new Seats(slot, capacity);
    this.rivals = new Rivals(this.#seats, this.#lines, this.#removed, this.#rosters, this.#outbox, options);
    this.#tenure = tenure ?? { term: 0, lineage: newLineage(key, secret()), door: secret(), home: null };
    this.#connections = connectionBefore(this.#tenure.term);
    const room = roomIdOf(this.#tenure.lineage);
    const sign = (text: string): void => this.#outbox.sign(text);
    this.#signatures = new HostSignatures(room, isLarge({ capacity }) ? null : sign, options.epoch);
    if (inherits !== undefined) {
      this.#locked = inherits.locked;
      this.#seats.inherit(inherits, this.#tenure.lineage.founder, options.awaitsHost ?? false);
      // A hostile host may have left this player out of its roster.
      this.#capacity = Math.max(capacity, this.#seats.people);
    }
    this.#roster = this.#makeRoster();
  }

  /** Messages that were rejected, counted by reason. */
  get rejected(): Readonly<Record<string, number>> {
    return this.#outbox.rejected;
  }

  /** [F4] The host's term, its lineage and the door's secret. */
  get tenure(): Tenure {
    return this.#tenure;
  }

  /** [F4] The slots of the guests that may still follow, and keep what they had under the host before. */
  get awaits(): readonly Slot[] {
    return this.#seats.awaited();
  }

  /** Every line. */
  lines(): readonly LineId[] {
    return this.#lines.all;
  }

  /** [P1] The answer to the effect `sign`. @param signature null if it could not be signed. */
  signed(text: string, signature: Signature | null): void {
    if (this.#signatures.signed(text, signature)) this.#changeRules();
  }

  /** True if a guest plays under this host. */
  get hasGuests(): boolean {
    return this.#seats.hasPlayers;
  }

  /** A new object whenever anything in it has changed. */
  get roster(): Roster {
    return this.#roster;
  }

  /** The level that everybody plays in. */
  get level(): LevelReference {
    return this.#level;
  }

  /** Hands out the owner's tasks, in order, and forgets them. */
  drain(apply: (effect: HostEffect) => void): void {
    this.#outbox.drain(apply);
  }

  /** A page has opened a line, and has proved who it is. */
  lineOpened(line: LineId, other: Other): void {
    const strangers = this.#lines.all.filter((other) => this.#seats.onLine(other) === null);
    // The oldest line goes: a friend's page asks at once.
    if (strangers.length >= MAX_STRANGERS) this.#drop(strangers[0]);
    this.#lines.add(line, other);
    this.rivals.lineOpened(line, this.#tenure);
  }

  /** A line has broken, or the other end has closed it: the guest that played on it is absent [F3]. */
  lineClosed(line: LineId): void {
    const guest = this.#seats.onLine(line) ?? this.#lines.formerHostOn(line, this.#seats, this.#options);
    this.#lines.delete(line);
    if (guest !== null) this.#makeAbsent(guest);
  }

  /** Takes in a message. Never throws, whatever the text is. */
  receive(line: LineId, text: string): void {
    if (!this.#lines.has(line)) return;
    if (this.#lines.isFlooded(line)) {
      this.#outbox.reject('flood');
      return this.#drop(line);
    }
    const message = readGuestMessage(text);
    const guest = this.#seats.onLine(line);
    if (message === null) {
      // [F4] A player that was the host until now may not know of this host yet.
      const isHosts = readHostMessage(text) !== null;
      this.#outbox.reject(isHosts ? 'other host' : 'malformed');
      if (guest === null && !isHosts) this.#drop(line);
    } else if (message.kind === 'join') {
      const other = this.#lines.otherOf(line);
      if (guest === null && other !== null) this.#admit(line, other, message);
      else this.#outbox.reject('second join');
    } else if (message.kind === 'standing') this.#lines.receiveStanding(line, message);
    else if (message.kind === 'elsewhere') this.rivals.learnOf(line, message.lineage, this.#tenure);
    else if (guest === null) {
      this.#outbox.reject('no join');
      this.#drop(line);
    } else this.#receiveFromGuest(guest, line, message);
  }

  #receiveFromGuest(guest: Guest, line: LineId, message: SeatedMessage): void {
    if (message.kind === 'profile') {
      if (changeProfile(guest, message)) this.#rosters.changeProfile();
      return;
    }
    this.#drop(line);
    if (!message.returns) this.#seats.clear(guest.slot);
  }

  /**
   * Call it once a tick, after the messages were taken in: judges silence, frees seats that have waited for too
   * long, and sends a roster if anything has changed.
   * @param nowMs milliseconds on the owner's clock.
   */
  tick(nowMs: number, times: PacketTimes): void {
    const step = this.#clock.step(nowMs);
    for (const guest of this.#seats.all()) this.#judgeSilence(guest, step, times);
    this.#lines.tick(step);
    for (const line of this.#lines.overdue(this.#seats)) this.#drop(line);
    if (this.#rosters.tick(step)) this.#eachSecond(times);
    if (this.#rosters.take(this.#roster)) this.#sendRoster();
    this.#signatures.prepareHandover(this.#tenure.term, this.#seats.heir);
    if (this.rivals.endsRestoring(step)) this.#changeDoor();
    this.rivals.tick(this.#tenure, this.#roster);
  }

  /** [F3] */
  #judgeSilence(guest: Guest, step: number, times: PacketTimes): void {
    const { slot, line } = guest;
    const found = judgeSilence(guest, step, times.lastPacketMs(slot));
    if (found === guest.presence) return;
    this.#rosters.change();
    if (found === 'gone') this.#seats.clear(slot);
    else if (found !== 'absent') guest.presence = found;
    else {
      this.#makeAbsent(guest);
      if (line !== null) this.#drop(line);
    }
  }

  #eachSecond(times: PacketTimes): void {
    this.#lines.beginSecond();
    for (const line of this.#lines.all) this.rivals.announce(line, this.#tenure);
    if (this.#seats.measure((slot) => times.roundTripMs(slot))) this.#rosters.changeFigures();
  }

  /** Everybody plays in this level from now on, each guest under a new connection. @param why is told to their players. */
  setLevel(level: LevelReference, why: LevelReason = 'choice'): void {
    this.#level = level;
    for (const guest of this.#seats.all()) {
      const { line } = guest;
      if (line === null) {
        // It has missed the change, and begins a new world when it comes.
        if (guest.isAwaited) this.#makeAbsent(guest);
        continue;
      }
      guest.connection = this.#nextConnection();
      this.#outbox.send(line, { kind: 'level', level, connection: guest.connection, why });
      this.#outbox.push({ kind: 'seat', slot: guest.slot, line, connection: guest.connection });
    }
  }

  /** @param locked true: nobody new comes in, but players that are away may still come back. */
  lock(locked: boolean): void {
    // Nobody could read the roster.
    if (typeof locked !== 'boolean') throw new RangeError('`lock` takes true or false.');
    this.#locked = locked;
    this.#changeRules();
  }

  /**
   * @param capacity how many people may play, a host among them included; never fewer than have a seat.
   * @throws RangeError if a room can't hold so many players.
   */
  setCapacity(capacity: number): void {
    checkCapacity(capacity, this.#options.slot, this.#capacity);
    this.#capacity = Math.max(capacity, this.#seats.people);
    this.#changeRules();
  }

  /** [N5.7] How many watch this room: its players learn it within a second, in a large room within ten. */
  setWatchers(count: number): void {
    this.#rosters.watchers = count;
  }

  #changeRules(): void {
    this.#roster = this.#makeRoster();
    this.#rosters.change();
  }

  /** Sends a player away, by the host's wish or for breaking the rules; its seat won't open again. */
  remove(slot: Slot, reason: 'removed' | 'rules' = 'removed'): void {
    const guest = this.#seats.get(slot);
    if (guest === null) return;
    this.#removed.add(guest.key);
    const { line } = guest;
    if (line !== null || guest.isAwaited) this.#makeAbsent(guest);
    this.#seats.clear(slot);
    this.#rosters.change();
    if (line !== null) this.#end(line, reason);
    this.#changeDoor();
  }

  /** [F4] A player that was removed can't open the room's door any more. */
  #changeDoor(): void {
    const door = this.#options.secret();
    this.#tenure = { ...this.#tenure, door };
    this.#outbox.push({ kind: 'door', door });
    for (const { line } of this.#seats.all())
      if (line !== null) this.#outbox.send(line, { kind: 'door', door });
  }

  /** [P8] The host's own profile. */
  setProfile(profile: Profile): void {
    this.#options = { ...this.#options, profile };
    this.#rosters.change();
  }

  /** [F4] Names the player that is to be host next; null: nobody. @returns true once the handover to it is signed. */
  nameHeir(slot: Slot | null): boolean {
    this.#seats.heirWish = slot;
    return this.#signatures.handover?.next === slot;
  }

  /** [F4] The host leaves: it says goodbye on every line, and names its heir, the next host, if that player is here. */
  close(): void {
    const { handover } = this.#signatures;
    const isHere = handover !== null && this.#seats.here().includes(handover.next);
    for (const line of this.#lines.all) this.#end(line, 'host left', isHere ? handover : null);
  }

  /** [F4] Steps down for another host: the guests that are still here are to go there, too. The lines stay open. */
  stepDown(to: Slot): void {
    for (const { slot, line } of this.#seats.all())
      if (line !== null && slot !== to)
        this.#outbox.send(line, { kind: 'bye', reason: 'host left', next: to, handover: null });
  }

  /** [F4.33] Gives the room to its heir; the lines stay open. @returns the line to the heir; null if it has none. */
  giveAway(): LineId | null {
    const { next = null, signature = null } = this.#signatures.handover ?? {};
    for (const { line } of this.#seats.all())
      if (line !== null)
        this.#outbox.send(line, { kind: 'bye', reason: 'host left', next, handover: signature, stays: true });
    return next === null ? null : (this.#seats.get(next)?.line ?? null);
  }

  #admit(line: LineId, other: Other, join: Join): void {
    const known = this.#seats.ofKey(other.key);
    // A copy of the host's own tab has its key.
    if (other.key === this.#options.key || this.#lines.isOfEarlierPage(line, known?.line ?? null)) {
      return this.#end(line, 'opened elsewhere');
    }
    const [seats, { founder }] = [this.#seats, this.#tenure.lineage];
    const parts = { seats, removed: this.#removed, roster: this.#roster, invited: this.invited, founder };
    const decision = admissionOf(other, join, parts);
    if (decision.kind === 'drop' || decision.kind === 'refuse') {
      if (decision.kind === 'drop') this.#outbox.reject(decision.why);
      else this.#outbox.send(line, { kind: 'refuse', reason: decision.why, version: PROTOCOL_VERSION });
      return this.#drop(line);
    }
    const guest = decision.kind === 'known' ? decision.guest : seats.begin(other.key, decision, join.colour);
    const goesOn = known !== null && keepsConnection(known, join, this.#tenure, this.#options.id);
    const follows = guest.isAwaited && join.keeps !== null;
    this.#seat(guest, line, profileOf(join), goesOn, follows);
    this.#roster = this.#makeRoster();
    this.#rosters.change();
    const { slot, connection } = guest;
    const keeps = { slot, connection, goesOn: goesOn || follows, ...this.#tenure, roster: this.#roster };
    const room = { level: this.#level, schema: this.#options.schema };
    this.#outbox.send(line, { kind: 'welcome', ...keeps, ...room });
  }

  /**
   * A player plays on this line from now on.
   * @param goesOn it keeps its connection.
   * @param follows [F4] it keeps what it had under the host before.
   */
  #seat(guest: Guest, line: LineId, profile: Profile, goesOn: boolean, follows: boolean): void {
    const { slot, line: before } = guest;
    const had = before !== null || guest.isAwaited;
    if (had && !goesOn && !follows) this.#outbox.push({ kind: 'unseat', slot });
    const page = this.#lines.otherOf(line)?.page ?? '';
    const isSamePage = guest.id === page;
    takePlace(guest, { line, profile, id: page }, goesOn || follows);
    if (!goesOn) guest.connection = this.#nextConnection();
    if (before !== null) {
      // A page that has changed its line needs no goodbye.
      if (isSamePage) this.#drop(before);
      else this.#end(before, 'opened elsewhere');
    }
    const { connection } = guest;
    this.#outbox.push(goesOn ? { kind: 'move', slot, line } : { kind: 'seat', slot, line, connection });
  }

  /** [F3], [H6] */
  #makeAbsent(guest: Guest): void {
    markAway(guest);
    this.#outbox.push({ kind: 'unseat', slot: guest.slot });
    this.#rosters.change();
  }

  /** Says goodbye and closes the line. */
  #end(line: LineId, reason: Ending, handover: HostSignatures['handover'] = null): void {
    const { next = null, signature = null } = handover ?? {};
    this.#outbox.send(line, { kind: 'bye', reason, next, handover: signature });
    this.#drop(line);
  }

  /** Closes a line; its guest is absent. */
  #drop(line: LineId): void {
    const guest = this.#seats.onLine(line);
    if (guest !== null) this.#makeAbsent(guest);
    this.#lines.delete(line);
    this.#outbox.close(line);
  }

  #sendRoster(): void {
    this.#roster = this.#makeRoster();
    for (const { line } of this.#seats.all())
      if (line !== null) this.#outbox.send(line, { kind: 'roster', roster: this.#roster });
  }

  #makeRoster(): Roster {
    const { profile, slot, id, key } = this.#options;
    const { term } = this.#tenure;
    const self = { slot, ...profile, id, presence: 'here', roundTripMs: 0, key } as const;
    const players = this.#seats.playersWith(self);
    const rules = { capacity: this.#capacity, locked: this.#locked, ...this.#rosters.watched };
    const unsigned = { host: slot, ...rules, players, term };
    return { ...unsigned, ...this.#signatures.ofRoster(coreOf(unsigned)) };
  }

  #nextConnection(): ConnectionId {
    return ++this.#connections as ConnectionId;
  }
}
