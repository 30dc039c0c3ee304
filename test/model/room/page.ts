import type { ConnectionId, Slot } from '../../../src/core/base/ids.ts';
import type { LineFailure, LineId } from '../../../src/core/room/line.ts';
import type { PublicKey } from '../../../src/core/room/identity/key.ts';
import type { MemberEffect, MemberOptions, MemberStart } from '../../../src/core/room/member.ts';
import { Member } from '../../../src/core/room/member.ts';
import { answer, keyOf } from '../../support/keys.ts';
import type { End, Network } from './network.ts';
import { STEP_MS } from './network.ts';
import { newProfile } from '../../../src/core/room/profile.ts';
import { gameLevels } from '../../../src/levels/levels.ts';

/** Steps until the broker says that nobody is at the door, and until a call that nobody answers is given up. */
const MISSING_AFTER = 10;
const UNHEARD_AFTER = 48;
/** [F3.7] Steps after which a page calls again that still wants a line. */
const CALLS_AGAIN = 8;
/** Steps between two looks of a host at its door, and for which a new host waits before it looks who is there. */
const DOOR_EVERY = 4;
const FOLLOWED_WITHIN = 12;

/** The room's door at the broker. */
export type Door = { readonly page: Page; readonly token: string; goneAt: number };

/** The world as a page finds it. */
export type Surroundings = {
  readonly network: Network;
  /** The step from which on the broker answers again. */
  readonly brokerDownUntil: number;
  door: Door | null;
  /** The page that answers at the door. */
  doorkeeper(): Page | 'nobody' | 'silence';
  /** The page with this id at the broker; null if it is gone. */
  pageOf(id: string): Page | null;
  /** The page of a player; null if it is gone. */
  playing(player: number): Page | null;
  nextSecret(): string;
};

/** The last event of a kind: what it was, and how many steps this page has been awake since. */
type Mark = { readonly what: string; readonly at: number; readonly most: number };

/** A place in another player's packets. */
type Bound = { readonly end: End; readonly connection: ConnectionId };

type Call = { readonly end: End | null; readonly at: number; readonly isProbe: boolean };

/** A goodbye of its host, as a page has heard it. */
export type Goodbye = { readonly host: Slot; readonly at: number };

/** One player's page: a real Member, and an owner that does what RoomSession does, without a world. */
export class Page {
  readonly player: number;
  readonly id: string;
  member: Member;
  stalledUntil = 0;
  /** Steps in which this page was awake. */
  awake = 0;
  readonly ends = new Map<LineId, End>();
  readonly bound = new Map<Slot, Bound>();
  readonly marks = new Map<string, Mark>();
  protected readonly around: Surroundings;
  /** [F4.27] The pages at the door that have shown another room to this page as it led again. */
  readonly passedOver = new Set<string>();
  #metOtherRoom = false;
  readonly #heardMs = new Map<Slot, number>();
  #call: Call | null = null;
  #calledAt = -CALLS_AGAIN;
  #hadDoor = false;
  #doorAt = 0;
  #ledAt = -FOLLOWED_WITHIN;
  /** The term and the slots of the room that it leads, or has led. */
  #lastLed = '';
  /** [F4.36] It has given the room away, and still is host for those that have not followed yet. */
  #hasGiven = false;

  constructor(around: Surroundings, player: number, id: string, start: MemberStart) {
    this.around = around;
    this.player = player;
    this.id = id;
    this.member = new Member(this.memberOptions, start);
    if (start.role === 'guest') this.#looksForHost('');
  }

  /** [F3.6] [F4.19] From now on the page looks for a host. @param former the host that it was; empty if it was none. */
  #looksForHost(former: string): void {
    this.mark('looks for a host', former, 121);
  }

  /** A player keeps its key when its page is loaded again. */
  get key(): PublicKey {
    return keyOf(`player ${this.player}`);
  }

  protected get memberOptions(): MemberOptions {
    const secret = (): string => this.around.nextSecret();
    return { profile: newProfile(this.id), levels: gameLevels, id: this.id, key: this.key, secret };
  }

  /** The slot that this page has; null before it has come in. */
  get slot(): Slot | null {
    const { host, guest } = this.member;
    return host?.roster.host ?? guest?.welcome?.slot ?? null;
  }

  /** The term of the host that this page takes for its own; null before it has come in. */
  get term(): number | null {
    const { host, guest } = this.member;
    return host?.tenure.term ?? guest?.welcome?.term ?? null;
  }

  /** Milliseconds since the last packet of a slot, while this page was awake; Infinity if none has come. */
  silenceOf(slot: Slot): number {
    const mark = this.marks.get(`heard ${slot}`);
    return mark === undefined ? Infinity : (this.awake - mark.at) * STEP_MS;
  }

  mark(kind: string, what: string, most: number): void {
    this.marks.set(kind, { what, at: this.awake, most });
  }

  /** One step. @throws whatever the member throws. */
  tick(): void {
    const { now } = this.around.network;
    if (now < this.stalledUntil) return;
    this.awake++;
    this.#watchCall();
    for (const [id, end] of this.ends) {
      const goesOn = end.poll({
        opened: () => this.opened(end),
        message: (_, text) => this.hear(end, text),
        closed: () => this.#closed(end),
      });
      if (!goesOn) this.ends.delete(id);
    }
    for (const [slot, { end, connection }] of this.bound) {
      if (end.takePacket() !== connection) continue;
      this.#heardMs.set(slot, now * STEP_MS);
      this.mark(`heard ${slot}`, '', 121);
    }
    this.member.tick(now * STEP_MS, {
      lastPacketMs: (slot) => this.#heardMs.get(slot) ?? -Infinity,
      roundTripMs: () => 0,
    });
    this.#metOtherRoom ||= (this.member.guest?.rejected['other room'] ?? 0) > 0;
    this.obey();
    const { host } = this.member;
    if (host !== null) {
      this.#lastLed = `${host.tenure.term} ${host.roster.players.map(({ slot }) => slot).join('')}`;
      this.#tendDoor();
    }
    for (const { end, connection } of this.bound.values()) end.sendPacket(connection);
  }

  protected hear(end: End, text: string): void {
    if (text.startsWith('{"kind":"standing"')) this.mark(`told ${end.there}`, text, 11);
    if (text.startsWith('{"kind":"bye"')) this.mark(`goodbye ${end.there}`, text, 11);
    if (text.startsWith('{"kind":"elsewhere"')) this.mark('elsewhere', text, 1);
    this.member.receive(end.id, text);
  }

  /** This page says something on one of its lines. */
  protected say(end: End, text: string): void {
    if (text.startsWith('{"kind":"standing"')) this.mark('says', text, 4);
    if (text.startsWith('{"kind":"join"')) this.mark('join', `${end.there}`, 48);
    end.say(text);
  }

  obey(): void {
    this.member.drain((effect) => this.#obey(effect));
  }

  #obey(effect: MemberEffect): void {
    switch (effect.kind) {
      case 'send': {
        const end = this.ends.get(effect.line);
        if (end !== undefined) this.say(end, effect.text);
        break;
      }
      case 'close':
        this.ends.get(effect.line)?.close();
        break;
      case 'sign':
      case 'verify':
        answer(effect, this.key, this.member);
        break;
      case 'door':
        break;
      case 'open':
        // [F4.36] A page that has given the room away is host no more.
        if (this.#hasGiven) this.bound.clear();
        this.#callDoor(false);
        break;
      case 'dial': {
        const to = this.around.pageOf(effect.page);
        this.mark(`dials ${effect.page}`, '', 49);
        if (to !== null && this.isBrokerUp) this.connect(to);
        break;
      }
      case 'seat':
        this.#heardMs.delete(effect.slot);
        this.#bind(effect.slot, effect.line, effect.connection);
        break;
      case 'move': {
        const connection = this.bound.get(effect.slot)?.connection;
        if (connection !== undefined) this.#bind(effect.slot, effect.line, connection);
        break;
      }
      case 'unseat':
        this.bound.delete(effect.slot);
        this.mark(`unseated ${effect.slot}`, '', 121);
        break;
      case 'enter':
        this.#hasGiven = false;
        this.bound.clear();
        for (const kind of [...this.marks.keys()])
          if (kind === 'call' || kind.startsWith('failed') || kind.startsWith('looks'))
            this.marks.delete(kind);
        this.#bind(effect.welcome.roster.host, effect.line, effect.welcome.connection);
        break;
      case 'level': {
        const [[slot, { end }]] = this.bound;
        this.bound.set(slot, { end, connection: effect.connection });
        break;
      }
      case 'become host':
        if (this.#metOtherRoom) this.passedOver.add(this.around.door?.page.id ?? '');
        this.#metOtherRoom = false;
        this.leads();
        break;
      case 'step down':
        this.marks.delete('elsewhere');
        this.#hasGiven = effect.gives;
        if (!effect.gives) this.bound.clear();
        this.#hangUp();
        if (this.around.door?.page === this) this.around.door = null;
        this.#looksForHost(this.#lastLed);
        break;
    }
  }

  /** The page is the host from now on. */
  protected leads(): void {
    this.#hasGiven = false;
    this.#ledAt = this.around.network.now;
    this.bound.clear();
    this.#heardMs.clear();
    this.#hadDoor = false;
    this.#hangUp();
    this.mark('leads', '', 121);
    this.marks.delete('elsewhere');
    this.marks.delete('looks for a host');
  }

  #bind(slot: Slot, line: LineId, connection: ConnectionId): void {
    const end = this.ends.get(line);
    if (end === undefined) this.bound.delete(slot);
    else this.bound.set(slot, { end, connection });
  }

  /** @returns this page's end of a new line to another page. */
  protected connect(to: Page): End {
    const near = this.around.network.connect(this, to);
    this.ends.set(near.id, near);
    to.ends.set(near.other.id, near.other);
    return near;
  }

  /** A line is open at this end. */
  protected opened(end: End): void {
    this.mark(`opened ${end.there}`, '', 49);
    this.marks.delete(`closed ${end.there}`);
    if (this.#call?.end !== end) this.member.lineOpened(end.id, end.end);
    else {
      this.#call = null;
      this.member.attemptOpened(end.id, end.end);
    }
  }

  #closed(end: End): void {
    // It says nothing while another line is there, nor later, when that one closes, too.
    const isLast = ![...this.ends.values()].some((other) => other.there === end.there && other.isOpen);
    if (isLast) this.mark(`closed ${end.there}`, '', 2);
    for (const [slot, bound] of this.bound) if (bound.end === end) this.bound.delete(slot);
    if (end.wasOpened) this.member.lineClosed(end.id);
    else if (this.#call?.end === end) this.#failed('blocked');
  }

  // --- The door ---

  protected get isBrokerUp(): boolean {
    return this.around.network.now >= this.around.brokerDownUntil;
  }

  get #token(): string {
    const { host } = this.member;
    return `${host?.tenure.door} ${host?.tenure.term}`;
  }

  #failed(why: LineFailure): void {
    const isProbe = this.#call?.isProbe === true;
    this.#call = null;
    this.mark('call', why, 9);
    const join = this.marks.get('join');
    if (join !== undefined) this.mark(`failed ${join.what}`, '', 1);
    if (isProbe && why === 'not found') this.takeDoor();
    if (!isProbe) this.member.attemptFailed(why);
  }

  #callDoor(isProbe: boolean): void {
    const { network } = this.around;
    this.#hangUp();
    this.#calledAt = network.now;
    this.#call = { end: null, at: network.now, isProbe };
    this.mark('call', 'goes out', 49);
    if (!this.isBrokerUp) {
      this.#failed('no broker');
      return;
    }
    const keeper = this.around.doorkeeper();
    const isThere = keeper instanceof Page && keeper !== this;
    if (isThere) this.#call = { end: this.connect(keeper), at: network.now, isProbe };
  }

  /** Closes the line that is being opened to the door, and wants none. */
  #hangUp(): void {
    this.#call?.end?.close();
    this.#call = null;
  }

  #watchCall(): void {
    if (this.#call === null) {
      const isDue = this.around.network.now - this.#calledAt >= CALLS_AGAIN;
      if (isDue && this.member.guest?.wantsLine === true) this.#callDoor(false);
      return;
    }
    if (!this.#call.isProbe && this.member.guest?.wantsLine !== true) {
      this.#hangUp();
      return;
    }
    const { at, isProbe, end } = this.#call;
    const waited = this.around.network.now - at;
    const keeper = this.around.doorkeeper();
    // The broker keeps a call for a while, in case that somebody comes to the door.
    if (end === null && keeper instanceof Page && keeper !== this)
      this.#call = { end: this.connect(keeper), at, isProbe };
    else if (end === null && waited > MISSING_AFTER && keeper === 'nobody') this.#failed('not found');
    else if (waited > UNHEARD_AFTER) {
      end?.close();
      this.#failed('blocked');
    }
  }

  /** As RoomSession does: a new host takes the door if somebody is with it; else it looks who is there. */
  #tendDoor(): void {
    const { network, door } = this.around;
    if (network.now - this.#doorAt < DOOR_EVERY || !this.isBrokerUp) return;
    const isNew = network.now - this.#ledAt < FOLLOWED_WITHIN;
    this.#doorAt = network.now;
    const keeper = this.around.doorkeeper();
    if (door?.token === this.#token) this.#hadDoor = true;
    else if (keeper === 'nobody' || (!this.#hadDoor && this.member.host?.hasGuests === true)) this.takeDoor();
    else if (this.#call === null && !isNew) this.#callDoor(true);
  }

  protected takeDoor(): void {
    this.around.door = { page: this, token: this.#token, goneAt: Infinity };
  }

  /** Everything about the door that the page's next steps depend on, as text. */
  get doorNote(): string {
    const call = this.#call;
    const now = this.around.network.now;
    const { wantsLine = false, takesLine = false } = this.member.guest ?? {};
    const waits = wantsLine ? `${takesLine} ${Math.min(CALLS_AGAIN, now - this.#calledAt)}` : '-';
    const calls = call === null ? waits : `${call.end?.there ?? 'x'} ${now - call.at} ${call.isProbe}`;
    const leads = Math.min(FOLLOWED_WITHIN, now - this.#ledAt);
    if (this.member.host === null) return calls;
    return `${calls} ${this.#hadDoor} ${Math.min(DOOR_EVERY, now - this.#doorAt)} ${leads}`;
  }
}
