import type { Slot } from '../../base/ids.ts';
import { MAX_PLAYERS } from '../../base/constants.ts';
import type { SendLimits } from '../../link/send-budget.ts';
import { bitsToEach, checkLimits } from '../../link/send-budget.ts';
import { AGE_STEPS, MAX_AGE } from '../../wire/avatar/avatar.ts';
import type { PacketHeader } from '../../wire/packet.ts';
import { packetHeader } from '../../wire/packet.ts';
import { isVisibleChange } from './visible-change.ts';
import { Changes } from './changes.ts';
import type { AuthorNews, OutboxSource } from './outbox.ts';
import type { Link } from '../link.ts';
import type { PeerState } from '../peer-state.ts';
import type { PeerRecorder } from '../recording/recorder.ts';
import type { Told } from './told.ts';
import { Traffic } from '../diagnostics/traffic.ts';
import { Urgency } from './urgency.ts';

/** Ticks by which a relayed player's tick is moved on at the most while it waits to be sent. */
const MOST_WAITED = 8;
/** Bytes by which what is always in a packet may be longer than in the last one. */
const SPARE_BYTES = 10;

/** What leaves a peer: to whom in which tick [W8], how much [W9], and what stands in it. */
export class Sending {
  /** Ticks between two packets to the same peer at the full rate. */
  every = 1;
  readonly traffic: readonly Traffic[] = Array.from({ length: MAX_PLAYERS }, () => new Traffic());
  readonly #peer: PeerState;
  readonly #limits: SendLimits;
  readonly #header: PacketHeader = packetHeader();
  readonly #news: AuthorNews[];
  readonly #table: (AuthorNews | null)[];
  readonly #changes: Changes;
  readonly #urgency: Urgency;
  readonly #source: OutboxSource;
  readonly #recorder: PeerRecorder | null;
  #receiver: Slot = 0 as Slot;

  /** @throws RangeError if the limits are too low to play with. */
  constructor(peer: PeerState, limits: SendLimits, recorder: PeerRecorder | null) {
    checkLimits(limits);
    this.#peer = peer;
    this.#limits = limits;
    this.#recorder = recorder;
    this.#changes = new Changes(peer.bodies.count);
    this.#urgency = new Urgency(peer);
    this.#news = peer.authors.map((author) => ({ tick: 0, avatar: author.avatar }));
    this.#table = peer.authors.map(() => null);
    this.#source = {
      changes: this.#changes.counts,
      describe: (body, out) => peer.policy.describe(peer, body, this.#receiver, out),
      insists: (body) => peer.policy.insists(peer, body),
      urgency: (body) => this.#urgency.of(body),
    };
  }

  /** See Peer.poll. */
  poll(nowMs: number, send: (to: Slot, bytes: Uint8Array) => void, ready?: (to: Slot) => boolean): void {
    const { links, tick } = this.#peer;
    let receivers = 0;
    for (const link of links) if (link !== null) receivers++;
    const bits = bitsToEach(this.#limits, receivers);
    this.#changes.update(this.#peer);
    this.#urgency.update();
    for (const link of links) {
      if (link === null) continue;
      const to = link.slot;
      this.#receiver = to;
      link.budget.refill(bits);
      const isUrgent = link.outbox.raise(this.#source);
      this.#noticePlayers(link);
      if (tick % this.every !== 0 || !(isUrgent || link.owesAck || link.pace.isDue(tick))) continue;
      if (!link.budget.fits(this.#leastBytes(link))) continue;
      if (ready !== undefined && !ready(to)) {
        this.#recorder?.skip(to);
        continue;
      }
      const bytes = this.#write(nowMs, link);
      this.#recorder?.sent(to, bytes);
      send(to, bytes);
    }
  }

  /** Bytes that a packet takes without any body. */
  #leastBytes(link: Link): number {
    const { headers, avatars } = link.outbox.bits;
    return (headers + avatars) / 8 + SPARE_BYTES;
  }

  /** Whom a peer tells of: of itself, and the host of every guest but the receiver [T3]. */
  #tellsOf(slot: number, to: Slot): boolean {
    const { self, policy, authors } = this.#peer;
    return slot === self || (policy.isHost && slot !== to && authors[slot].newestTick >= 0);
  }

  /** [W8] */
  #noticePlayers(link: Link): void {
    const { authors, tick } = this.#peer;
    for (let slot = 0; slot < MAX_PLAYERS; slot++) {
      const author = authors[slot];
      const told = link.told[slot];
      if (author.avatarTime <= told.avatarTime || !this.#tellsOf(slot, link.slot)) continue;
      if (told.avatarTime >= 0 && !isVisibleChange(told.avatar, author.avatar)) continue;
      told.pace.markActive(tick);
      link.pace.markActive(tick);
    }
  }

  #write(nowMs: number, link: Link): Uint8Array {
    const { acks, slot: to } = link;
    const { term, reset, self, tick } = this.#peer;
    const packet = acks.send(nowMs);
    const header = this.#header;
    header.connection = link.connection;
    header.term = term;
    header.reset = reset;
    header.sequence = packet;
    header.ack = acks.newestReceived;
    header.ackBits = acks.receivedBits;
    this.#fillTable(link, packet);
    const { outbox, budget } = link;
    const bytes = outbox.write(header, packet, self, this.#table, this.#source, budget.room);
    budget.spend(bytes.length);
    link.pace.markSent(tick);
    link.owesAck = false;
    this.traffic[to].sent(bytes.length, outbox.bits);
    return bytes;
  }

  #fillTable(link: Link, packet: number): void {
    let names = 0;
    for (let slot = 0; slot < MAX_PLAYERS; slot++) {
      const author = this.#peer.authors[slot];
      const isTold = this.#tellsOf(slot, link.slot);
      const told = link.told[slot];
      this.#table[slot] = isTold ? this.#news[slot] : null;
      if (!isTold) continue;
      const news = this.#news[slot];
      news.tick = this.#tickOf(slot, told);
      const hasNews = author.avatarTime > told.avatarTime && told.pace.isDue(this.#peer.tick);
      news.avatar = hasNews ? author.avatar : null;
      if (!hasNews) continue;
      const age = Math.round((news.tick - author.avatarTime) * AGE_STEPS);
      author.avatar.age = Math.max(0, Math.min(MAX_AGE, age));
      told.tell(author.avatar, author.avatarTime, this.#peer.tick);
      const named = link.needsName(slot as Slot) && author.nameBytes.length > 0;
      author.avatar.name = named ? author.nameBytes : NO_NAME;
      if (named) names |= 1 << slot;
    }
    link.namesSent(packet, names);
  }

  /**
   * [T3] The tick at which a player is now: what has waited here does not come late, and the receiver's clock runs
   * as it would at the full rate. Of one that nothing was heard of the tick stands still, and it never goes back.
   */
  #tickOf(slot: number, told: Told): number {
    const { self, authors, tick } = this.#peer;
    const { newestTick, receivedTick } = authors[slot];
    if (newestTick > told.newestTick) {
      const waited = slot === self ? 0 : Math.max(0, Math.min(MOST_WAITED, tick - receivedTick - 1));
      told.tick = Math.max(told.tick, newestTick + waited);
      told.newestTick = newestTick;
    }
    return told.tick;
  }
}

const NO_NAME = new Uint8Array(0);
