import type { ConnectionId, Slot } from '../base/ids.ts';
import type { GuestEffect, GuestRoomOptions, WayBack } from './guest/guest-options.ts';
import { GuestRoom } from './guest/guest-room.ts';
import type { PacketTimes, HostEffect, HostRoomOptions, Tenure } from './host/host-options.ts';
import { HostRoom } from './host/host-room.ts';
import type { Claim } from './guest/claim.ts';
import type { HandshakeFailure, Other, SigningEffect } from './identity/authenticated-lines.ts';
import { AuthenticatedLines } from './identity/authenticated-lines.ts';
import type { PublicKey, RoomId, Signature } from './identity/key.ts';
import { extended, roomIdOf } from './identity/lineage.ts';
import { checksOfMessage } from './identity/message-checks.ts';
import { handoverText } from './identity/statements.ts';
import type { Roster } from './messages.ts';
import { pageIn } from './people.ts';
import type { Profile } from './profile.ts';
import { PROTOCOL_VERSION } from './messages.ts';
import { changedProfile } from './profile.ts';
import { nextTerm } from './term.ts';
import type { LineEnd, LineFailure, LineId } from './line.ts';
import { isLineFailure } from './line.ts';
import type { LevelSource } from '../world/level-reference.ts';

/** A task for the owner of a Member; `drain` hands them out in order. */
export type MemberEffect =
  | GuestEffect
  | HostEffect
  | SigningEffect
  /**
   * [F4] This page is the host from now on: keep the world, and open the room's door. A page that was host before may
   * be host again without having been a guest of another.
   * `before`: the term of the host before. `awaits`: the slots of the guests that may still follow.
   */
  | {
      readonly kind: 'become host';
      readonly tenure: Tenure;
      readonly before: number;
      readonly awaits: readonly Slot[];
    }
  /** [F4] Another page is the host: this page comes back as a guest. `gives`: until then its peer goes on as host [F4.36]. */
  | { readonly kind: 'step down'; readonly gives: boolean };

/** The settings of a page in either role. */
export type MemberOptions = {
  readonly profile: Profile;
  /** This page's id at the broker. */
  readonly id: string;
  /** [P1] The public key of this page. */
  readonly key: PublicKey;
  /** The levels that this page has. */
  readonly levels: LevelSource;
  /** [V1.3] The hash of this page's schema; left out without one. */
  readonly schema?: string | undefined;
  /** Makes a text that nobody can guess, of 16 to 64 characters. */
  readonly secret: () => string;
};

/** Pages at the door that are remembered for having shown another room: nobody needs more at one code. */
const MOST_OTHER_ROOMS = 16;

/** A page's part as the host that it was, and the handover to itself by which it may lead again. */
type FormerPart = {
  readonly host: HostRoom;
  /** The page at the door for which it stepped down; null if it stepped down for another reason. */
  readonly found: PublicKey | null;
  /** [H8] The term under which it would lead again. */
  readonly next: number;
  readonly text: string;
  /** Null while it is being signed. */
  signature: Signature | null;
};

/** In which role a page comes into a room. */
export type MemberStart =
  | { readonly role: 'host'; readonly options: Omit<HostRoomOptions, keyof MemberOptions> }
  | { readonly role: 'guest'; readonly options: Omit<GuestRoomOptions, keyof MemberOptions> };

/**
 * [F4] One page's part in a room. Its role may change: a guest becomes host when the host is absent, and a host
 * that was absent comes back as a guest. It has no clock and no line: its owner reports what happens, and carries
 * out the effects that `drain` hands out.
 */
export class Member {
  #options: MemberOptions;
  readonly #effects: MemberEffect[] = [];
  readonly #lines: AuthenticatedLines;
  /** Lines to the room's door on which nothing is asked yet; true: the page at the other end has proved who it is. */
  readonly #attempts = new Map<LineId, boolean>();
  #role: HostRoom | GuestRoom;
  /** [P7.3] For a host that had to found a room of its own: the room in which it was before. Else null. */
  #formerRoom: RoomId | null = null;
  /** [F4.27] Pages at the door that have shown another room; the oldest comes first. */
  readonly #otherRooms: PublicKey[] = [];
  /** This page's part as host, until the host for which it stepped down lets it in; else null. */
  #formerPart: FormerPart | null = null;
  /** The player to which this host gives the room, as soon as the handover is signed; else null. */
  #givesTo: Slot | null = null;

  constructor(options: MemberOptions, start: MemberStart) {
    this.#options = options;
    const { key, secret: challenge, profile, levels, schema } = options;
    this.#lines = new AuthenticatedLines(this.#lineActions, { version: PROTOCOL_VERSION, key, challenge });
    this.#role =
      start.role === 'host'
        ? new HostRoom({ ...start.options, ...options })
        : new GuestRoom({ ...start.options, profile, levels, schema });
  }

  /** Null for a guest. */
  get host(): HostRoom | null {
    return this.#role instanceof HostRoom ? this.#role : null;
  }

  /** Null for a host. */
  get guest(): GuestRoom | null {
    return this.#role instanceof GuestRoom ? this.#role : null;
  }

  /** Null for a guest before the welcome. A new object whenever it changes. */
  get roster(): Roster | null {
    return this.#role.roster;
  }

  /** [P3] The room; null for a guest before the welcome. */
  get room(): RoomId | null {
    const lineage = this.host?.tenure.lineage ?? this.guest?.welcome?.lineage;
    return lineage === undefined ? null : roomIdOf(lineage);
  }

  /** Lines and messages that were refused because of their proofs and signatures, counted by reason. */
  get refused(): Readonly<Record<string, number>> {
    return this.#lines.rejected;
  }

  /** Hands out the owner's tasks, in order, and forgets them; also those that come up meanwhile. */
  drain(apply: (effect: MemberEffect) => void): void {
    this.#gather();
    while (this.#effects.length > 0) {
      for (const effect of this.#effects.splice(0)) apply(effect);
      this.#gather();
    }
  }

  #gather(): void {
    this.#role.drain((effect: MemberEffect) => {
      if (effect.kind === 'close') this.#lines.forget(effect.line);
      // The role has given up the attempt before, or is in the room.
      if (effect.kind === 'open' || effect.kind === 'enter') this.#closeAttempts();
      this.#effects.push(effect);
    });
  }

  readonly #lineActions = {
    send: (line: LineId, text: string): void => this.#ask({ kind: 'send', line, text }),
    close: (line: LineId): void => this.#ask({ kind: 'close', line }),
    ask: (effect: SigningEffect): void => this.#ask(effect),
    known: (line: LineId, other: Other): void => this.#known(line, other),
    failed: (line: LineId, why: HandshakeFailure): void => this.#failed(line, why),
    closed: (line: LineId): void => this.#closed(line),
    message: (line: LineId, text: string): void => this.#role.receive(line, text),
    checks: (_: LineId, other: Other, text: string) => {
      const { room, roster } = this;
      return checksOfMessage(text, other, room === null || roster === null ? null : { room, roster });
    },
  };

  #ask(effect: MemberEffect): void {
    this.#effects.push(effect);
  }

  /** The page at the other end of a line has proved who it is. */
  #known(line: LineId, other: Other): void {
    const { host, guest } = this;
    if (!this.#attempts.has(line)) this.#role.lineOpened(line, other);
    else if (host === null) {
      this.#attempts.set(line, true);
      this.#offerAttempts(guest);
    } else {
      this.#attempts.delete(line);
      if (host.hasGuests) host.rivals.foundAtDoor(line, host.tenure);
      else if (this.#otherRooms.includes(other.key)) this.#ask({ kind: 'close', line });
      else this.#comeBack(host, line, { room: this.#formerRoom, found: other.key });
    }
  }

  /** [F3.7] [F3.9] The first line whose handshake is over counts; the others wait until it proves useless. */
  #offerAttempts(guest: GuestRoom | null): void {
    for (const [line, isKnown] of this.#attempts) {
      if (!isKnown || guest?.takesLine !== true) continue;
      this.#attempts.delete(line);
      guest.attemptOpened(line);
    }
    if (guest?.wantsLine === false) this.#closeAttempts();
  }

  /** [F3.10] The handshake of a line has failed. This does not end the search: the owner tries further lines. */
  #failed(line: LineId, why: HandshakeFailure): void {
    if (!this.#attempts.delete(line)) this.#role.lineClosed(line);
    else if (why === 'version') this.guest?.attemptRefused();
  }

  /** [P1] The answer to the effect `sign`. @param signature null if it could not be signed. */
  signed(text: string, signature: Signature | null): void {
    if (this.#lines.signed(text, signature)) return;
    if (this.#formerPart?.text === text) this.#formerPart.signature = signature;
    else this.#role.signed(text, signature);
  }

  /** [P1] The answer to the effect `verify`. @param areValid every signature is valid. */
  verified(request: number, areValid: boolean): void {
    this.#lines.verified(request, areValid);
  }

  /** A line has opened that `open` did not ask for. */
  lineOpened(line: LineId, end: LineEnd): void {
    this.#lines.opened(line, end);
  }

  /** A line to the page at the room's door is open. A host has found another host: it goes there if it is alone. */
  attemptOpened(line: LineId, end: LineEnd): void {
    this.#attempts.set(line, false);
    this.#lines.opened(line, end);
  }

  /** The line that `open` asked for is not open yet. @param why why it fails if it ends now. */
  attemptStands(why: LineFailure): void {
    this.guest?.attemptStands(why);
  }

  /** The line that `open` asked for can't be opened. */
  attemptFailed(why: LineFailure): void {
    this.guest?.attemptFailed(why);
  }

  /** A line that was open has broken, or the other end has closed it. */
  lineClosed(line: LineId): void {
    this.#lines.closed(line);
  }

  #closed(line: LineId): void {
    if (!this.#attempts.delete(line)) this.#role.lineClosed(line);
  }

  /** Takes in a message. Never throws, whatever the text is. */
  receive(line: LineId, text: string): void {
    this.#lines.receive(line, text);
  }

  /**
   * Call it once a tick, after the messages were taken in.
   * @param nowMs milliseconds on the owner's clock.
   */
  tick(nowMs: number, times: PacketTimes): void {
    this.#lines.tick(nowMs);
    const { host, guest } = this;
    host?.tick(nowMs, times);
    guest?.tick(nowMs, guest.roster === null ? -Infinity : times.lastPacketMs(guest.roster.host));
    this.#offerAttempts(guest);
    const { stepsDownFor = null, goesOnIn = null } = host?.rivals ?? {};
    if (guest !== null && guest.claim !== null) this.#becomeHost(guest, guest.claim);
    else if (host !== null && stepsDownFor !== null) this.#stepDown(host, stepsDownFor);
    else if (host !== null && goesOnIn !== null) this.#comeBack(host, null, { room: goesOnIn });
    else if (host !== null && this.#givesTo !== null) this.#give(host, this.#givesTo);
    else if (guest !== null && this.#formerPart !== null) this.#judgeReturn(guest, this.#formerPart);
  }

  /** [F4.19] A page that stepped down, and that finds nobody, is host again. */
  #judgeReturn(guest: GuestRoom, before: FormerPart): void {
    const { status, welcome } = guest;
    if (welcome !== null) this.#formerPart = null;
    else if (status.kind === 'ended' && isLineFailure(status.why)) {
      if (before.found !== null && (guest.rejected['other room'] ?? 0) > 0) this.#passOver(before.found);
      this.#leadAgain(before);
    }
  }

  /** [F4.27] This page does not step down for that page at the door again. */
  #passOver(page: PublicKey): void {
    this.#otherRooms.push(page);
    if (this.#otherRooms.length > MOST_OTHER_ROOMS) this.#otherRooms.shift();
  }

  #leadAgain({ host, next: term, signature }: FormerPart): void {
    // Until then nobody would believe it.
    if (signature === null) return;
    this.#formerPart = null;
    this.#gather();
    const { tenure: old, roster, level } = host;
    const { host: slot, capacity } = roster;
    const link = { kind: 'handover', term, key: this.#options.key, signature } as const;
    const tenure = { ...old, term, lineage: extended(old.lineage, link) };
    const formerRoom = this.#formerRoom;
    const players = roster.players.map((player) => ({ ...player, presence: 'away' }) as const);
    const inherits = { ...roster, players };
    this.#role = new HostRoom({ ...this.#options, slot, level, capacity, tenure, inherits, formerRoom });
    this.#effects.push({ kind: 'become host', tenure, before: old.term, awaits: [] });
  }

  #becomeHost(guest: GuestRoom, { term, lineage, home, awaitsHost }: Claim): void {
    const { welcome, roster, level, door } = guest;
    if (welcome === null || roster === null || level === null || door === null) return;
    guest.dropAttempt();
    // A guest opened these lines to find its host. As a host, this page must not take them for its look at the door.
    this.#closeAttempts();
    this.#gather();
    const tenure = { term, lineage, door, home };
    const before = roomIdOf(welcome.lineage);
    const formerRoom = before === roomIdOf(lineage) ? null : before;
    this.#formerRoom = formerRoom;
    const goesOn = { capacity: roster.capacity, tenure, inherits: roster, awaitsHost, formerRoom };
    const host = new HostRoom({ ...this.#options, slot: welcome.slot, level, ...goesOn });
    this.#role = host;
    this.#effects.push({ kind: 'become host', tenure, before: welcome.term, awaits: host.awaits });
    this.#handOver(guest.lines(), host, roster);
  }

  /** Closes the lines to the room's door on which nothing is asked yet. */
  #closeAttempts(): void {
    for (const line of this.#attempts.keys()) this.#forget(line);
    this.#attempts.clear();
  }

  /** The lines to players go on in the new role; those to other pages are closed. */
  #handOver(lines: readonly LineId[], role: HostRoom | GuestRoom, { players }: Roster): void {
    for (const line of lines) {
      const other = this.#lines.otherOf(line);
      const page = other === null ? null : pageIn(players, other);
      if (other !== null && page !== null) role.lineOpened(line, { ...other, page });
      else this.#forget(line);
    }
  }

  #forget(line: LineId): void {
    this.#lines.forget(line);
    this.#effects.push({ kind: 'close', line });
  }

  #stepDown(host: HostRoom, to: Slot): void {
    const key = host.roster.players.find(({ slot }) => slot === to)?.key;
    // The newest line: an older line may be dead.
    const line = host.lines().findLast((other) => this.#lines.otherOf(other)?.key === key);
    host.stepDown(to);
    this.#comeBack(host, line ?? null);
  }

  /** [F4] Gives the room to a player; this host comes back as a guest. Nothing happens if that player leaves before. */
  giveTo(slot: Slot): void {
    this.#givesTo = slot;
  }

  #give(host: HostRoom, to: Slot): void {
    const { players, host: self } = host.roster;
    const heir = players.find(({ slot, presence }) => slot === to && to !== self && presence === 'here');
    if (heir === undefined ? host.nameHeir(null) : !host.nameHeir(to)) return;
    this.#givesTo = null;
    if (heir === undefined) return;
    const keeps = { connection: 0 as ConnectionId, term: host.tenure.term, host: this.#options.id };
    this.#comeBack(host, host.giveAway(), { heir: { key: heir.key, slot: to, keeps } });
  }

  /** @param line to the other host; null: it is looked for at the door. */
  #comeBack(host: HostRoom, line: LineId | null, way: WayBack = {}): void {
    const { found = null, heir } = way;
    this.#gather();
    const { tenure, roster } = host;
    const slot = roster.host;
    const room = way.room ?? roomIdOf(tenure.lineage);
    const { profile, levels, schema } = this.#options;
    const friend = heir?.key ?? (roster.players.some(({ key }) => key === found) ? found : null);
    const back = { back: line, heir: heir?.slot ?? null, friend, keeps: heir?.keeps ?? null };
    const guest = new GuestRoom({ profile, levels, schema, colour: slot, returns: true, room, ...back });
    this.#role = guest;
    this.#effects.push({ kind: 'step down', gives: heir !== undefined });
    this.#keepFormerPart(host, found);
    // The guest asks to come in on that line at once, unless it goes to an heir.
    const others = host.lines().filter((other) => other !== line || heir !== undefined);
    this.#handOver(others, guest, roster);
  }

  /** [P5] It signs a handover to itself now, for the case that it has to lead again. */
  #keepFormerPart(host: HostRoom, found: PublicKey | null): void {
    const { lineage, term } = host.tenure;
    const next = nextTerm(term, host.roster.host);
    const text = handoverText(roomIdOf(lineage), { term, next, heir: this.#options.key });
    this.#formerPart = { host, found, next, text, signature: null };
    this.#effects.push({ kind: 'sign', text });
  }

  /** [P8] Changes parts of this player's profile, for the roster. */
  setProfile(change: Partial<Profile>): void {
    const profile = changedProfile(this.#options.profile, change);
    this.#options = { ...this.#options, profile };
    this.#role.setProfile(profile);
  }

  /** Says goodbye and closes every line. @param returns the page may be back in a moment, as in a reload. */
  leave(returns: boolean): void {
    this.host?.close();
    this.guest?.leave(returns);
  }
}
