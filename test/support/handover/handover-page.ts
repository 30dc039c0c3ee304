import { LastReign } from '../../../src/session/last-reign.ts';
import type { BodyId, Slot } from '../../../src/core/base/ids.ts';
import { NO_BODY, RIGHT } from '../../../src/core/base/ids.ts';
import { MAX_ROOM_PLAYERS } from '../../../src/core/base/constants.ts';
import { copyPose } from '../../../src/core/base/math.ts';
import { poseIn } from '../../../src/core/base/motion.ts';
import type { PlayerInput } from '../../../src/core/hands/hand-input.ts';
import { playerInput } from '../../../src/core/hands/hand-input.ts';
import { Peer } from '../../../src/core/peer/peer.ts';
import type { MemberEffect, MemberStart } from '../../../src/core/room/member.ts';
import { Member } from '../../../src/core/room/member.ts';
import type { PublicKey, RoomId } from '../../../src/core/room/identity/key.ts';
import type { LineEnd, LineId } from '../../../src/core/room/line.ts';
import type { End } from '../../core/room/simulated/lines.ts';
import { floatingSimulation } from '../bodiless.ts';
import { answer, keyOf } from '../keys.ts';
import type { HandoverRoom } from './handover-room.ts';
import { newProfile } from '../../../src/core/room/profile.ts';
import { gameLevels } from '../../../src/levels/levels.ts';
import { tokenOf } from '../../../src/session/host-door.ts';

/** Milliseconds until the broker says that nobody answers, and until a ring that nobody hears is given up. */
const MISSING_AFTER_MS = 2500;
const UNHEARD_AFTER_MS = 12_000;
/** [F3.7] Milliseconds after which a page calls again that still wants a line. */
const RING_AGAIN_MS = 2000;
/** Milliseconds between two looks of a host at its door. */
const DOOR_EVERY_MS = 1000;
/** Milliseconds that a new host waits for others to follow, before it looks who else is at the door. */
const FOLLOWED_WITHIN_MS = 3000;

type Ring = { readonly end: End | null; readonly at: number; readonly isProbe: boolean };

/** The facts that a reload of a page keeps. */
export type Kept = { readonly key: PublicKey; readonly room: RoomId | null };

/** One page: a member of the room, and its peer. */
export class HandoverPage {
  readonly id: string;
  readonly member: Member;
  readonly key: PublicKey;
  readonly ends = new Map<LineId, End>();
  readonly input: PlayerInput = playerInput();
  readonly #room: HandoverRoom;
  readonly #reign = new LastReign();
  readonly #bound: (End | null)[] = Array.from({ length: MAX_ROOM_PLAYERS }, () => null);
  peer: Peer | null = null;
  slot: Slot | null = null;
  stalledUntil = 0;
  /** [P3] The founder of the room in which it was last; null before it has come in. */
  founder: PublicKey | null = null;
  /** It may say anything to anybody, besides what its member says. */
  isLiar = false;
  /** How often it has become the host, and has given way. */
  led = 0;
  yielded = 0;
  /** The id of the page whose message has ended its play; null if it goes on, or has ended otherwise. */
  endedBy: string | null = null;
  /** The id of the page whose message came last: it may act only when its signatures are verified. */
  #lastFrom: string | null = null;
  #ring: Ring | null = null;
  #rangAt = -Infinity;
  #token = '';
  /** The token of the host before; null for the first host. */
  #tokenBefore: string | null = null;
  #hadDoor = false;
  #doorAt = 0;
  #ledAt = -Infinity;

  constructor(room: HandoverRoom, id: string, start: MemberStart, key = keyOf(id)) {
    this.id = id;
    this.#room = room;
    const secret = (): string => `a secret text ${room.random.next()}`;
    this.key = key;
    this.member = new Member({ profile: newProfile(id), levels: gameLevels, id, key, secret }, start);
    for (const hand of this.input.hands) hand.tracked = true;
    if (start.role !== 'host') return;
    this.slot = start.options.slot;
    this.#token = this.#tokenOf(this.member);
    this.peer = this.#createPeer(this.slot, this.slot);
  }

  #tokenOf({ host }: Member): string {
    return host === null ? '' : tokenOf(host.tenure.door, host.tenure.term);
  }

  #createPeer(slot: Slot, host: Slot): Peer {
    const { level } = this.#room;
    return new Peer({ slot, host, level, simulation: floatingSimulation(level), name: this.id });
  }

  get isHost(): boolean {
    return this.member.host !== null;
  }

  /** The facts that a reload keeps. */
  get kept(): Kept {
    const { key, member } = this;
    return { key, room: member.room };
  }

  describe(): string {
    const { guest } = this.member;
    const how =
      guest === null ? 'host' : guest.status.kind === 'ended' ? guest.status.why : guest.status.kind;
    return `${this.id} in slot ${this.slot} is ${how} under ${this.member.roster?.host}`;
  }

  /** Its right hand is at the cube and closes. */
  grabs(cube: BodyId): void {
    const hand = this.input.hands[RIGHT];
    if (this.peer === null) return;
    copyPose(poseIn(this.peer.state.bodies.motion, cube, hand.pose), hand.pose);
    hand.grip = 1;
  }

  /** Says something on every line to another page, whatever its member says. */
  saysToAll(text: string): void {
    for (const end of this.ends.values()) end.say(this.#room.now, text);
  }

  /** The slot and term of the host that it has, and when that host was last heard; null without one. */
  get following(): { readonly slot: Slot; readonly term: number; readonly heardMs: number } | null {
    const { guest } = this.member;
    const welcome = guest?.welcome ?? null;
    if (guest === null || welcome === null || guest.status.kind !== 'here') return null;
    const { host: slot } = welcome.roster;
    return { slot, term: welcome.term, heardMs: this.peer?.lastReceivedMs(slot) ?? -Infinity };
  }

  releases(): void {
    this.input.hands[RIGHT].grip = 0;
  }

  get held(): BodyId {
    return this.peer?.player.hands[RIGHT].held ?? NO_BODY;
  }

  tick(): void {
    const { now } = this.#room;
    if (now < this.stalledUntil) return;
    this.#watchRing();
    for (const [id, end] of this.ends) {
      const isAlive = end.poll(now, {
        opened: (line, other) => this.#opened(line, other),
        message: (line, text) => this.#receive(line, text, end.page),
        closed: (line, wasOpen) => this.#closed(line, wasOpen),
      });
      if (!isAlive) this.ends.delete(id);
    }
    for (const [slot, end] of this.#bound.entries()) {
      end?.receivePackets(now, (bytes) => this.peer?.receive(now, slot as Slot, bytes));
    }
    this.member.tick(now, {
      lastPacketMs: (slot) => this.peer?.lastReceivedMs(slot) ?? -Infinity,
      roundTripMs: (slot) => this.peer?.roundTripMs(slot) ?? 0,
    });
    this.obey();
    if (this.#reign.isOver(!this.isHost && this.peer?.isHost === true, now)) this.#bound.fill(null);
    const { host, guest } = this.member;
    this.founder = (host?.tenure.lineage ?? guest?.welcome?.lineage)?.founder ?? this.founder;
    if (this.isHost) this.#tendDoor();
    this.peer?.tick(this.input);
    this.peer?.poll(now, (to, bytes) => this.#send(to, bytes));
  }

  #receive(line: LineId, text: string, page: string): void {
    const wasOver = this.#isOver;
    this.#lastFrom = page;
    this.member.receive(line, text);
    if (!wasOver && this.#isOver) this.endedBy = page;
  }

  get #isOver(): boolean {
    return this.member.guest?.status.kind === 'ended';
  }

  #send(to: Slot, bytes: Uint8Array): void {
    const { now, random, loss } = this.#room;
    if (!random.chance(loss)) this.#bound[to]?.sendBytes(now, bytes.slice());
  }

  #opened(line: LineId, end: LineEnd): void {
    if (this.#ring?.end?.id !== line) this.member.lineOpened(line, end);
    else {
      this.#ring = null;
      this.member.attemptOpened(line, end);
    }
  }

  #closed(line: LineId, wasOpen: boolean): void {
    if (wasOpen) this.member.lineClosed(line);
    else if (this.#ring?.end?.id === line) this.#failed('blocked');
  }

  #failed(why: 'blocked' | 'no answer' | 'not found' | 'no broker'): void {
    const isProbe = this.#ring?.isProbe === true;
    this.#ring = null;
    if (isProbe && why === 'not found') this.#takeDoor();
    if (!isProbe) this.member.attemptFailed(why);
  }

  /** Somebody is rung up at the door. */
  #ringDoor(isProbe: boolean): void {
    const room = this.#room;
    this.#ring?.end?.close(room.now);
    this.#rangAt = room.now;
    if (!room.isBrokerAlive) {
      this.#ring = { end: null, at: room.now, isProbe };
      this.#failed('no broker');
      return;
    }
    const keeper = room.doorkeeper();
    const isThere = keeper instanceof HandoverPage && keeper !== this;
    this.#ring = { end: isThere ? room.connect(this, keeper) : null, at: room.now, isProbe };
  }

  #watchRing(): void {
    if (this.#ring === null) {
      const isDue = this.#room.now - this.#rangAt > RING_AGAIN_MS;
      if (isDue && this.member.guest?.wantsLine === true) this.#ringDoor(false);
      return;
    }
    const waited = this.#room.now - this.#ring.at;
    if (this.#ring.end === null && waited > MISSING_AFTER_MS && this.#room.doorkeeper() === 'nobody')
      this.#failed('not found');
    else if (waited > UNHEARD_AFTER_MS) this.#failed(this.#ring.end === null ? 'no answer' : 'blocked');
    else if (!this.#ring.isProbe)
      this.member.attemptStands(this.#ring.end === null ? 'no answer' : 'blocked');
  }

  /**
   * As HostDoor does: a new host with guests takes the door of the host before, whose token it knows. At another's door
   * it looks who is there.
   */
  #tendDoor(): void {
    const room = this.#room;
    if (room.now - this.#doorAt < DOOR_EVERY_MS || !room.isBrokerAlive) return;
    const isNew = room.now - this.#ledAt < FOLLOWED_WITHIN_MS;
    this.#doorAt = room.now;
    const keeper = room.doorkeeper();
    if (room.door?.token === this.#token) this.#hadDoor = true;
    else if (keeper === 'nobody' || this.#mayEvict) this.#takeDoor();
    else if (this.#ring === null && !isNew) this.#ringDoor(true);
  }

  get #mayEvict(): boolean {
    const isOfHostBefore = this.#room.door?.token === this.#tokenBefore;
    return isOfHostBefore && !this.#hadDoor && this.member.host?.hasGuests === true;
  }

  #takeDoor(): void {
    this.#room.door = { page: this, token: this.#token, goneAt: Infinity };
  }

  obey(): void {
    const wasOver = this.#isOver;
    this.member.drain((effect) => this.#obey(effect));
    if (!wasOver && this.#isOver) this.endedBy = this.#lastFrom;
  }

  #obey(effect: MemberEffect): void {
    const { now, pages } = this.#room;
    const bind = (slot: Slot, line: LineId): void => void (this.#bound[slot] = this.ends.get(line) ?? null);
    switch (effect.kind) {
      case 'send':
        this.ends.get(effect.line)?.say(now, effect.text);
        break;
      case 'close':
        this.ends.get(effect.line)?.close(now);
        break;
      case 'sign':
      case 'verify':
        answer(effect, this.key, this.member);
        break;
      case 'door':
        this.#token = this.#tokenOf(this.member);
        if (this.#room.door?.page === this) this.#takeDoor();
        break;
      case 'open':
        if (!this.isHost && this.peer?.isHost === true) this.#bound.fill(null);
        this.#ringDoor(false);
        break;
      case 'dial': {
        const to = pages.find(({ id }) => id === effect.page);
        if (to !== undefined && this.#room.isBrokerAlive) this.#room.connect(this, to);
        break;
      }
      case 'seat':
        this.peer?.connect(effect.slot, effect.connection);
        bind(effect.slot, effect.line);
        break;
      case 'move':
        bind(effect.slot, effect.line);
        break;
      case 'unseat':
        this.peer?.disconnect(effect.slot);
        this.#bound[effect.slot] = null;
        break;
      case 'enter':
        this.#enter(effect);
        bind(effect.welcome.roster.host, effect.line);
        break;
      case 'level':
        break;
      case 'become host':
        this.led++;
        this.#ledAt = now;
        this.#bound.fill(null);
        this.#token = this.#tokenOf(this.member);
        this.#tokenBefore = tokenOf(effect.tenure.door, effect.before);
        this.#hadDoor = false;
        this.#ring = null;
        this.peer?.becomeHost(effect.tenure.term, effect.awaits);
        break;
      case 'step down':
        this.yielded++;
        if (!effect.gives) this.#bound.fill(null);
        this.#ring = null;
        if (this.#room.door?.page === this) this.#room.door = null;
        break;
    }
  }

  #enter({ welcome, goesOn, follows }: Extract<MemberEffect, { kind: 'enter' }>): void {
    const { host } = welcome.roster;
    if (!goesOn || this.peer === null) {
      this.peer = this.#createPeer(welcome.slot, host);
      this.peer.connect(host, welcome.connection);
    } else if (follows) {
      this.#bound.fill(null);
      this.peer.follow(host, welcome.connection);
    }
    this.slot = welcome.slot;
  }

  /** [I1], [I4] */
  differsFrom(host: HandoverPage): string[] {
    if (this.peer === null || host.peer === null) return [`${this.id} has no world`];
    const found: string[] = [];
    const mine = this.peer.state.bodies.records;
    const theirs = host.peer.state.bodies.records;
    for (let body = 0; body < mine.count; body++) {
      if (theirs.authority[body] >= 0 || theirs.resting[body] === 0)
        found.push(`cube ${body} is not at rest`);
    }
    for (const field of [
      'authority',
      'hold',
      'existence',
      'ownershipSequence',
      'authoritySequence',
      'resting',
      'state',
    ] as const) {
      if (mine[field].some((value, i) => value !== theirs[field][i]))
        found.push(`${this.id} differs in ${field}`);
    }
    return found;
  }
}
