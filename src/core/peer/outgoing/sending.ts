import type { Slot } from '../../base/ids.ts';
import { MAX_PACKET_BYTES, MAX_PLAYERS, ticksAPacket, ticksIn } from '../../base/constants.ts';
import type { SendLimits } from '../../link/send-budget.ts';
import { bitsToEach, checkLimits } from '../../link/send-budget.ts';
import { AGE_STEPS, MAX_AGE } from '../../wire/avatar/avatar.ts';
import type { PacketHeader } from '../../wire/packet.ts';
import { packetHeader } from '../../wire/packet.ts';
import { isVisibleChange } from './visible-change.ts';
import type { SendToWatchers } from './broadcast.ts';
import { Broadcast, MOST_KEYFRAME_PACKETS } from './broadcast.ts';
import { BodyVersions } from './body-versions.ts';
import type { Link } from '../link.ts';
import type { PeerState } from '../peer-state.ts';
import type { PeerRecorder } from '../recording/recorder.ts';
import type { ReceiverState } from './receiver-state.ts';
import type { OutgoingPlayer, SentPlayer } from './sent-player.ts';
import type { UpdateSource } from './update-source.ts';
import { Traffic } from '../diagnostics/traffic.ts';
import { Urgency } from './urgency.ts';

/** Seconds by which a relayed player's tick is moved on at the most while it waits to be sent. */
const MOST_WAITED = 2 / 15;
/** Bytes by which a packet without bodies may be longer than the last one. */
const SPARE_BYTES = 10;

/** Sends a peer's packets: decides which receivers get one in a tick [W8], how long it may be [W9], and fills it. */
export class Sending {
  /** Ticks between two packets to the same peer while something changes; at least 1. */
  #every: number;
  /** By slot: the packets that were sent to it and received from it, since the peer began. */
  readonly traffic: readonly Traffic[] = Array.from({ length: MAX_PLAYERS }, () => new Traffic());
  readonly #peer: PeerState;
  readonly #limits: SendLimits;
  readonly #header: PacketHeader = packetHeader();
  /** By slot. */
  readonly #entries: readonly OutgoingPlayer[];
  /** By slot: the entry of each player that is in the next packet, or null. */
  readonly #players: (OutgoingPlayer | null)[];
  /** By slot: 1 if its avatar is due in the next packet. */
  readonly #isDue = new Uint8Array(MAX_PLAYERS);
  readonly #versions: BodyVersions;
  readonly #urgency: Urgency;
  readonly #source: UpdateSource;
  /** By slot: 1 if an update of a body is due in this tick. */
  readonly #owed = new Uint8Array(MAX_PLAYERS);
  readonly #recorder: PeerRecorder | null;
  /** Null until somebody has watched. */
  #broadcast: Broadcast | null = null;
  /** The receiver of the packet that is written. */
  #to: Slot = 0 as Slot;

  /**
   * @param recorder gets every packet that is sent, or null.
   * @throws RangeError if the limits are too low to play with.
   */
  constructor(peer: PeerState, limits: SendLimits, recorder: PeerRecorder | null) {
    checkLimits(limits);
    this.#every = ticksAPacket(peer.rate);
    this.#peer = peer;
    this.#limits = limits;
    this.#recorder = recorder;
    this.#versions = new BodyVersions(peer);
    this.#urgency = new Urgency(peer);
    this.#entries = peer.authors.map(() => ({ tick: 0, shift: 0, avatar: null, isAvatarless: false }));
    this.#players = peer.authors.map(() => null);
    const { islands } = peer.bodies.records;
    this.#source = {
      versions: this.#versions.versions,
      changed: this.#versions.changed,
      describe: (body, out) => peer.policy.describe(peer, body, this.#to, out),
      partsOf: (body) => (islands.isJointed[body] === 0 ? null : islands.parts[body]),
      insists: (body) => peer.policy.insists(peer, body),
      urgency: (body) => this.#urgency.of(body),
    };
  }

  /** Ticks between two packets to the same peer. @throws RangeError unless it is a whole number from 1 on. */
  get every(): number {
    return this.#every;
  }

  set every(ticks: number) {
    if (!(Number.isInteger(ticks) && ticks > 0))
      throw new RangeError('There is a whole number of ticks between two packets, 1 or more.');
    this.#every = ticks;
  }

  /** See Peer.poll. */
  poll(nowMs: number, send: (to: Slot, bytes: Uint8Array) => void, ready?: (to: Slot) => boolean): void {
    const { links, tick, rate } = this.#peer;
    let receivers = 0;
    for (const link of links) if (link !== null) receivers++;
    const bits = bitsToEach(this.#limits, receivers);
    this.#versions.update(this.#peer);
    this.#urgency.update(this.#versions);
    // All of them learn what has changed before anything is sent: a line may throw.
    for (const link of links) {
      if (link === null) continue;
      this.#to = link.slot;
      this.#owed[link.slot] = link.receiver.raisePriorities(this.#source) ? 1 : 0;
    }
    for (const link of links) {
      if (link === null) continue;
      const to = link.slot;
      this.#to = to;
      link.budget.refill(bits, rate);
      const hasCause = this.#hasCause(link, this.#owed[to] === 1);
      if (tick % this.#every !== 0 || !hasCause) continue;
      if (!link.budget.fits(leastBytes(link))) continue;
      if (ready !== undefined && !ready(to)) {
        this.#recorder?.skip(to);
        continue;
      }
      const bytes = this.#write(nowMs, link, link.budget.room);
      link.budget.spend(bytes.length);
      this.traffic[to].sent(bytes.length, link.writer.bits);
      this.#recorder?.sent(to, bytes);
      send(to, bytes);
    }
  }

  /** See Peer.broadcast. */
  broadcast(nowMs: number, wantsKeyframe: boolean, send: SendToWatchers): void {
    const { tick, rate, policy } = this.#peer;
    if (!policy.isHost) throw new Error('Only the host has watchers.');
    const broadcast = (this.#broadcast ??= new Broadcast(this.#peer));
    const { link, bits, every } = broadcast;
    this.#to = link.slot;
    let isKeyframe = broadcast.begin(wantsKeyframe);
    const isOwed = link.receiver.raisePriorities(this.#source);
    link.budget.refill(bits, rate);
    const hasCause = this.#hasCause(link, isOwed);
    for (let left = MOST_KEYFRAME_PACKETS; broadcast.goesOn() && left > 0; left--) {
      send(this.#writeAcked(nowMs, link, MAX_PACKET_BYTES), isKeyframe);
      isKeyframe = false;
      link.receiver.raisePriorities(this.#source);
    }
    const { budget } = link;
    if (tick % every !== 0 || !hasCause || broadcast.goesOn() || !budget.fits(leastBytes(link))) return;
    const bytes = this.#writeAcked(nowMs, link, budget.room);
    budget.spend(bytes.length);
    send(bytes, false);
  }

  /** [N5.2] Writes a packet that counts as acked at once. */
  #writeAcked(nowMs: number, link: Link, most: number): Uint8Array {
    const packet = link.acks.nextSequence;
    const bytes = this.#write(nowMs, link, most);
    link.acked(packet);
    return bytes;
  }

  /** [W8] True if a receiver would notice if no packet came. @param isOwed true if an update of a body is due. */
  #hasCause(link: Link, isOwed: boolean): boolean {
    const { tick } = this.#peer;
    this.#markVisibleChanges(link);
    const isSharedDue = link.shared?.isDue(tick, this.#isContained) === true;
    return isOwed || isSharedDue || link.owesAck || link.receiver.pace.isDue(tick);
  }

  /** [T3] True if packets to a receiver contain this player: the sender itself, and from a host all other guests. */
  #contains(slot: number, to: Slot): boolean {
    const { self, policy, authors } = this.#peer;
    return slot === self || (policy.isHost && slot !== to && authors[slot].newestTick >= 0);
  }

  readonly #isContained = (slot: number): boolean => this.#contains(slot, this.#to);

  /** [W8] Players whose head or hands have visibly moved since they were sent are sent at the full rate. */
  #markVisibleChanges(link: Link): void {
    const { authors, tick } = this.#peer;
    for (let slot = 0; slot < MAX_PLAYERS; slot++) {
      const author = authors[slot];
      const sent = link.receiver.players[slot];
      if (author.avatarTime <= sent.avatarTime || !this.#contains(slot, link.slot)) continue;
      if (sent.avatarTime >= 0 && !isVisibleChange(sent.avatar, author.avatar)) continue;
      sent.pace.markActive(tick);
      link.receiver.pace.markActive(tick);
    }
  }

  /** @param most bytes that the packet should not exceed: bodies are left out for that, but players are not. */
  #write(nowMs: number, link: Link, most: number): Uint8Array {
    const { acks, receiver, writer } = link;
    const { term, reset, self, tick } = this.#peer;
    const packet = acks.send(nowMs);
    const header = this.#header;
    header.connection = link.connection;
    header.term = term;
    header.reset = reset;
    header.sequence = packet;
    header.ack = acks.newestReceived;
    header.ackBits = acks.receivedBits;
    for (let slot = 0; slot < MAX_PLAYERS; slot++) {
      const isIn = this.#contains(slot, link.slot);
      this.#players[slot] = isIn ? this.#fillEntry(slot, receiver) : null;
    }
    const bytes = writer.write(header, packet, self, this.#players, this.#source, most);
    receiver.avatarsFrom = this.#leaveOut(receiver);
    receiver.pace.markSent(tick);
    link.owesAck = false;
    return bytes;
  }

  /** Fills the entry of a player for one receiver: its tick, and its avatar if it is due. */
  #fillEntry(slot: number, { players, avatarsFrom }: ReceiverState): OutgoingPlayer {
    const { tick: ownTick, authors } = this.#peer;
    const author = authors[slot];
    const sent = players[slot];
    const entry = this.#entries[slot];
    entry.tick = this.#tickOf(slot, sent);
    entry.shift = author.shift;
    entry.avatar = null;
    entry.isAvatarless = author.isAvatarless;
    this.#isDue[slot] = 0;
    if (author.isAvatarless || slot < avatarsFrom) return entry;
    if (author.avatarTime <= sent.avatarTime || !sent.pace.isDue(ownTick)) return entry;
    sent.takeAvatar(author.avatar, author.avatarTime, ownTick);
    const age = Math.round((entry.tick - author.avatarTime) * AGE_STEPS);
    sent.avatar.age = Math.max(0, Math.min(MAX_AGE, age));
    sent.avatar.name = sent.hasName ? NO_NAME : author.nameBytes;
    entry.avatar = sent.avatar;
    this.#isDue[slot] = 1;
    return entry;
  }

  /** [W9.3] The avatars for which the packet had no room wait. @returns the first of their slots; 0 if there are none. */
  #leaveOut({ players }: ReceiverState): number {
    let first = 0;
    for (let slot = MAX_PLAYERS - 1; slot >= 0; slot--) {
      if (this.#players[slot] === null || this.#isDue[slot] === 0) continue;
      if (this.#entries[slot].avatar !== null) continue;
      players[slot].leaveOut();
      first = slot;
    }
    return first;
  }

  /**
   * [T3] The tick at which a player is now. Time for which its news waited here is added, so that the news does not
   * count as late, and the receiver's clock runs as it would at the full rate. The tick of a silent player stands
   * still, and it never goes back.
   */
  #tickOf(slot: number, sent: SentPlayer): number {
    const { self, authors, tick, rate } = this.#peer;
    const { newestTick, receivedTick } = authors[slot];
    if (newestTick > sent.newestTick) {
      const most = slot === self ? 0 : ticksIn(MOST_WAITED, rate);
      const waited = Math.max(0, Math.min(most, tick - receivedTick - 1));
      sent.tick = Math.max(sent.tick, newestTick + waited);
      sent.newestTick = newestTick;
    }
    return sent.tick;
  }
}

/** Bytes that a packet takes without any body, by the last one. */
function leastBytes(link: Link): number {
  const { headers, avatars } = link.writer.bits;
  return (headers + avatars) / 8 + SPARE_BYTES;
}

const NO_NAME = new Uint8Array(0);
