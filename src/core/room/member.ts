import type { Slot } from '../base/ids.ts';
import { nextTerm } from './election.ts';
import type { GuestEffect, GuestRoomOptions } from './guest/guest-options.ts';
import { GuestRoom } from './guest/guest-room.ts';
import type { PacketTimes, HostEffect, HostRoomOptions, Tenure } from './host/host-options.ts';
import { HostRoom } from './host/host-room.ts';
import type { Home, Roster, VoiceState } from './messages.ts';
import type { LineFailure, LineId } from './line.ts';
import { isLineFailure } from './line.ts';

/** A task for the owner of a Member; `drain` hands them out in order. */
export type MemberEffect =
  | GuestEffect
  | HostEffect
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
  /** [F4] Another page is the host: this page comes back as a guest, in a new world. */
  | { readonly kind: 'step down' };

/** The settings of a page in either role. */
export type MemberOptions = {
  readonly name: string;
  /** This page's id at the broker. */
  readonly id: string;
  /** Makes a secret that nobody can guess. */
  readonly secret: () => string;
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
  readonly #options: MemberOptions;
  readonly #effects: MemberEffect[] = [];
  #role: HostRoom | GuestRoom;
  /** This page's part as host, until the host for which it stepped down lets it in; else null. */
  #gaveWay: HostRoom | null = null;

  constructor(options: MemberOptions, start: MemberStart) {
    this.#options = options;
    this.#role =
      start.role === 'host'
        ? new HostRoom({ ...start.options, ...options })
        : new GuestRoom({ ...start.options, name: options.name });
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

  /** Hands out the owner's tasks, in order, and forgets them. */
  drain(apply: (effect: MemberEffect) => void): void {
    this.#gather();
    for (const effect of this.#effects.splice(0)) apply(effect);
  }

  #gather(): void {
    this.#role.drain((effect: MemberEffect) => this.#effects.push(effect));
  }

  /**
   * A line has opened that `open` did not ask for.
   * @param page the id at the broker of the page at the other end, as the broker vouches for it.
   */
  lineOpened(line: LineId, page: string): void {
    this.#role.lineOpened(line, page);
  }

  /** A line to the page at the room's door is open. For a host that page is another host: it goes there if it is alone. */
  attemptOpened(line: LineId): void {
    const { host } = this;
    if (host === null) this.guest?.attemptOpened(line);
    else if (host.hasGuests) host.otherHostFound(line);
    else this.#comeBack(host, line);
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
    this.#role.lineClosed(line);
  }

  /** Takes in a message. Never throws, whatever the text is. */
  receive(line: LineId, text: string): void {
    this.#role.receive(line, text);
  }

  /**
   * Call it once a tick, after the messages were taken in.
   * @param nowMs milliseconds on the owner's clock.
   */
  tick(nowMs: number, times: PacketTimes): void {
    const { host, guest } = this;
    host?.tick(nowMs, times);
    guest?.tick(nowMs, guest.roster === null ? -Infinity : times.lastPacketMs(guest.roster.host));
    const becomes = guest?.becomesHost ?? null;
    if (guest !== null && becomes !== null) this.#becomeHost(guest, becomes.home);
    else if (host !== null && host.stepsDownFor !== null) this.#stepDown(host, host.stepsDownFor);
    else if (host !== null && host.goesOnElsewhere) this.#comeBack(host, null);
    else if (guest !== null && this.#gaveWay !== null) this.#judgeReturn(guest, this.#gaveWay);
  }

  /** [F4.19] A page that stepped down, and that finds nobody, is host again. */
  #judgeReturn(guest: GuestRoom, before: HostRoom): void {
    const { status, welcome } = guest;
    if (welcome !== null) this.#gaveWay = null;
    else if (status.kind === 'ended' && isLineFailure(status.why)) this.#leadAgain(before);
  }

  #leadAgain({ tenure: old, roster, scene }: HostRoom): void {
    this.#gaveWay = null;
    this.#gather();
    const { host: slot, capacity } = roster;
    const tenure = { ...old, term: nextTerm(old.term, slot) };
    const players = roster.players.map((player) => ({ ...player, presence: 'away' }) as const);
    const inherits = { ...roster, players };
    this.#role = new HostRoom({ ...this.#options, slot, scene, capacity, tenure, inherits });
    this.#effects.push({ kind: 'become host', tenure, before: old.term, awaits: [] });
  }

  /** @param home the last host with a majority; null if this one has a majority. */
  #becomeHost(guest: GuestRoom, home: Home | null): void {
    const { welcome, roster, scene } = guest;
    if (welcome === null || roster === null || scene === null) return;
    const { slot, secret, door } = welcome;
    guest.dropAttempt();
    this.#gather();
    const tenure = { term: nextTerm(welcome.term, slot), secret, door, home };
    const { capacity } = roster;
    const host = new HostRoom({ ...this.#options, slot, scene, capacity, tenure, inherits: roster });
    this.#role = host;
    this.#effects.push({ kind: 'become host', tenure, before: welcome.term, awaits: host.awaits });
    for (const [line, page] of guest.lines()) host.lineOpened(line, page);
  }

  #stepDown(host: HostRoom, to: Slot): void {
    const page = host.roster.players.find(({ slot }) => slot === to)?.id;
    // The newest line: an older line may be dead.
    const line = host.lines().findLast(([, other]) => other === page)?.[0];
    host.stepDown(to);
    this.#comeBack(host, line ?? null);
  }

  /** @param line to the other host; null: it is looked for at the door. */
  #comeBack(host: HostRoom, line: LineId | null): void {
    this.#gather();
    const { tenure, roster } = host;
    const slot = roster.host;
    const seat = { slot, secret: tenure.secret };
    const guest = new GuestRoom({ name: this.#options.name, colour: slot, seat, back: line });
    this.#role = guest;
    this.#gaveWay = host;
    this.#effects.push({ kind: 'step down' });
    for (const [other, page] of host.lines()) if (other !== line) guest.lineOpened(other, page);
    guest.setVoice(roster.players.find((player) => player.slot === slot)?.voice ?? 'off');
  }

  /** This player's voice, for the roster. */
  setVoice(voice: VoiceState): void {
    this.#role.setVoice(voice);
  }

  /** Says goodbye and closes every line. @param returns the page may be back in a moment, as in a reload. */
  leave(returns: boolean): void {
    this.host?.close();
    this.guest?.leave(returns);
  }
}
