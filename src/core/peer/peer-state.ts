import type { BodyId, ConnectionId, Slot, Tick } from '../base/ids.ts';
import { MAX_PLAYERS, OVERRIDE_INTERVAL_TICKS, SENT_PACKETS } from '../base/constants.ts';
import { STRIDE } from '../base/state.ts';
import { Pace } from '../link/pace.ts';
import { PacketAcks } from '../link/packet-acks.ts';
import { PacketRateLimit } from '../link/packet-rate.ts';
import { SendBudget } from '../link/send-budget.ts';
import type { AvatarSample } from '../wire/avatar/avatar.ts';
import { avatarSample } from '../wire/avatar/avatar.ts';
import { BaselineStore } from '../wire/bodies/baselines.ts';
import { BallisticCache } from '../wire/bodies/flights.ts';
import type { PacketReader } from '../wire/packet.ts';
import type { BodyUpdate } from '../wire/bodies/update.ts';
import type { Rule } from '../world/decide.ts';
import { putState } from '../world/record.ts';
import type { Scene } from '../world/scene.ts';
import type { Simulation } from '../world/simulation.ts';
import { AuthorStream } from './incoming/author-stream.ts';
import { Bodies } from './bodies/bodies.ts';
import { EventLog } from './diagnostics/event-log.ts';
import { Giving } from './hands/giving.ts';
import { SequenceBudget } from './policy/sequence-budget.ts';
import { Outbox } from './outgoing/outbox.ts';
import { Yielding } from './bodies/yielding.ts';
import { Told } from './outgoing/told.ts';

/** What a peer knows of one other peer that it exchanges packets with. */
export class Link {
  /** The peer at the other end. */
  readonly slot: Slot;
  readonly connection: ConnectionId;
  readonly acks = new PacketAcks();
  readonly rate = new PacketRateLimit();
  /** What was refused of it that no honest peer says. */
  offences = 0;
  readonly outbox: Outbox;
  /** What this peer has received, as baselines. */
  readonly received: BaselineStore;
  /** [W8] When packets leave, and for each slot what they said of it. */
  readonly pace = new Pace();
  readonly told: readonly Told[] = Array.from({ length: MAX_PLAYERS }, () => new Told());
  /** [W9] */
  readonly budget = new SendBudget();
  /** [W8] True if bodies came since the last packet left: their ack does not wait. */
  owesAck = false;
  /** For each of the packets whose acks count the slots, as bits, whose names it carried; and those that arrived. */
  readonly #namesIn = new Uint8Array(SENT_PACKETS);
  #namesKnown = 0;
  /** Milliseconds: when the last whole packet came; -Infinity before the first. */
  heardAt = -Infinity;

  /** @param flights of all that this peer writes and reads, of so many bodies. */
  constructor(slot: Slot, connection: ConnectionId, count: number, flights: BallisticCache) {
    this.slot = slot;
    this.connection = connection;
    this.outbox = new Outbox(count, flights);
    this.received = new BaselineStore(count);
  }

  /** True until the receiver has acked a packet with this slot's name. */
  needsName(slot: Slot): boolean {
    return ((this.#namesKnown >> slot) & 1) === 0;
  }

  /** [H6] A player has left: of whoever has its slot next, everything is to be said anew. */
  forgetPlayer(slot: Slot): void {
    this.told[slot].clear();
    this.#namesKnown &= ~(1 << slot);
    for (let i = 0; i < this.#namesIn.length; i++) this.#namesIn[i] &= ~(1 << slot);
  }

  /** Notes which names a packet carries. */
  namesSent(packet: number, slots: number): void {
    this.#namesIn[packet % SENT_PACKETS] = slots;
  }

  /** The receiver has a packet. */
  readonly acked = (packet: number): void => {
    this.#namesKnown |= this.#namesIn[packet % SENT_PACKETS];
    this.outbox.acked(packet);
  };

  /** After a reset of the scene: neither end has anything of it. */
  forget(): void {
    this.outbox.reset();
    this.received.clear();
  }
}

/** What a peer knows of one player, itself included. */
class Author {
  readonly stream: AuthorStream;
  /** The newest tick that has arrived, or -1. */
  newestTick = -1;
  /** The tick here in which the last of it came. */
  heardTick = 0;
  /** The newest avatar as it arrived (or, of this peer, as it was sampled), and its moment; -1: none. */
  readonly avatar: AvatarSample = avatarSample();
  avatarTime = -1;
  /** UTF-8, as it came. */
  nameBytes: Uint8Array = new Uint8Array(0);
  name = '';

  /** @param apply gets the states of bodies that are due. */
  constructor(apply: (update: BodyUpdate) => void) {
    this.stream = new AuthorStream(apply);
  }

  /** The player has left: nothing of it is known or waits any more [H6]. */
  clear(): void {
    this.stream.restart();
    this.newestTick = -1;
    this.avatarTime = -1;
    this.nameBytes = new Uint8Array(0);
    this.name = '';
  }
}

/** [T3] The newest state of each body as it arrived from the guest that has it: what the host relays. */
class Relay {
  readonly author: Int8Array;
  readonly tick: Int32Array;
  readonly resting: Uint8Array;
  /** As in Records. */
  readonly restPlaces: Uint16Array;
  readonly state: Int32Array;

  constructor(count: number) {
    this.author = new Int8Array(count).fill(-1);
    this.tick = new Int32Array(count);
    this.resting = new Uint8Array(count);
    this.restPlaces = new Uint16Array(count);
    this.state = new Int32Array(count * STRIDE);
  }

  clear(): void {
    this.author.fill(-1);
  }

  /** A body has another author: what was kept to be relayed is of the time before. */
  drop(body: BodyId): void {
    this.author[body] = -1;
  }

  /** A player has left: whoever has its slot next counts its ticks anew. */
  forget(author: Slot): void {
    for (let body = 0; body < this.author.length; body++) {
      if (this.author[body] === author) this.author[body] = -1;
    }
  }

  /** Keeps a state unless a newer one of the same author is there. */
  keep(update: Readonly<BodyUpdate>, author: Slot): void {
    const { body } = update;
    if (this.author[body] === author && update.tick <= this.tick[body]) return;
    this.author[body] = author;
    this.tick[body] = update.tick;
    putState(this, body, update.kind === 'rest', update.state);
  }
}

/** Reasons for which a packet, or a part of it, was refused, and how often. */
export type Rejections = Record<string, number>;

/** All that one peer is, for the functions that are its rules. */
export type PeerState = {
  readonly self: Slot;
  /** The slot of the host; this peer's own where it is the host. */
  host: Slot;
  policy: Policy;
  tick: Tick;
  /** [H8] -1 on a guest until it has heard its host. */
  term: number;
  reset: number;
  readonly bodies: Bodies;
  /** Of the bodies in all packets, both ways. */
  readonly flights: BallisticCache;
  readonly authors: readonly Author[];
  /** For each slot the connection to it, or null. A guest has one, to the host. */
  readonly links: (Link | null)[];
  readonly relay: Relay;
  readonly giving: Giving;
  readonly yielding: Yielding;
  readonly log: EventLog;
  readonly rejections: Rejections;
  /** Host, [H3]: the tick of the last move for each claimant. */
  readonly lastOverride: Int32Array;
  /** Host, [H5]. */
  readonly sequenceBudget: SequenceBudget;
  /** Host: for each claimant and body the sequences of the last claim that was refused, so that it counts once. */
  readonly lastRefused: Float64Array;
  /** Guest: for each body the newest packet whose word on it was heard; older ones are passed over. */
  readonly lastRuling: Int32Array;
  /** For each body the tick until which a throw makes it urgent [W5]. */
  readonly thrownUntil: Int32Array;
};

/** What differs between host and guest; a value, so that it can change while the peer runs. */
export type Policy = {
  readonly isHost: boolean;
  /** Whether a packet with this header is to be read; else the reason why not. */
  admit(peer: PeerState, header: PacketReader['header']): string | null;
  /**
   * Takes over a newer term or reset from the header of a packet that was read whole.
   * @returns true if the scene began anew.
   */
  adopt(peer: PeerState, link: Link, header: PacketReader['header']): boolean;
  /** Whether what a decoded packet says may be said by its sender; else the reason why not. */
  check(packet: PacketReader, from: Slot): string | null;
  /** Acts on a packet that was read whole. */
  receive(peer: PeerState, packet: PacketReader, from: Slot, sequence: number): void;
  /** What there is to say of a body to a peer; false if nothing. */
  describe(peer: PeerState, body: BodyId, to: Slot, out: BodyUpdate): boolean;
  /** Whether it must be said again though it was acked. */
  insists(peer: PeerState, body: BodyId): boolean;
};

export function createPeerState(
  self: Slot,
  host: Slot,
  policy: Policy,
  scene: Scene,
  simulation: Simulation,
): PeerState {
  const count = scene.bodies.length;
  const peer: PeerState = {
    self,
    host,
    policy,
    tick: 0 as Tick,
    term: 0,
    reset: 0,
    bodies: new Bodies(scene, simulation),
    flights: new BallisticCache(count),
    authors: Array.from(
      { length: MAX_PLAYERS },
      (_, slot) => new Author((due) => applyDue(peer, slot as Slot, due)),
    ),
    links: Array.from({ length: MAX_PLAYERS }, () => null),
    relay: new Relay(count),
    giving: new Giving(count),
    yielding: new Yielding(count),
    log: new EventLog(),
    rejections: {},
    lastOverride: new Int32Array(MAX_PLAYERS).fill(-OVERRIDE_INTERVAL_TICKS),
    sequenceBudget: new SequenceBudget(count),
    lastRefused: new Float64Array(MAX_PLAYERS * count).fill(NONE_REFUSED),
    lastRuling: new Int32Array(count).fill(-1),
    thrownUntil: new Int32Array(count),
  };
  return peer;
}

/**
 * A state of an author's is due. It shows if the record names that author as the body's simulator; or if the
 * body shows that author's states so far, since the word of who has it comes ahead of the poses, and what the
 * one before did until then is still to be shown.
 */
export function applyDue(peer: PeerState, author: Slot, due: BodyUpdate): void {
  const simulator = simulatorOf(peer, due.body);
  if (simulator === peer.self || author === peer.self) return;
  if (simulator === author || peer.bodies.following.isOf(due.body, author))
    peer.bodies.received.apply(due, author);
}

/** In `lastRefused`: no pair of sequences. */
export const NONE_REFUSED = -1;

/** How much counts for an offence what only a page sends that is broken or not ours, even one that sends seldom. */
const MALFORMED = 5;
/**
 * For these nothing that an honest peer says is refused, whatever the network does to it; but for H2, when two grab
 * at once, and H1, for a commit that comes late: some packets long, in a while.
 */
const OFFENCES: Readonly<Record<string, number>> = {
  'too long': MALFORMED,
  'truncated or out of range': MALFORMED,
  'trailing bits': MALFORMED,
  'unknown baseline': MALFORMED,
  'speaks for another': MALFORMED,
  flood: 1,
  A9: 1,
  H1: 1,
  H2: 1,
  H5: 1,
  H9: 1,
};

/** Counts a refusal, and, where it is one, the offence of whoever said it. */
export function refuse(peer: PeerState, reason: string, from?: Slot): void {
  peer.rejections[reason] = (peer.rejections[reason] ?? 0) + 1;
  const link = from === undefined ? null : peer.links[from];
  if (link !== null && link !== undefined) link.offences += OFFENCES[reason] ?? 0;
}

/** Notes what happened. */
export function logEvent(
  peer: PeerState,
  kind: Parameters<EventLog['add']>[1],
  rule: Rule | 'R4' | '',
  body: BodyId,
  slot: Slot,
): void {
  peer.log.add(peer.tick, kind, rule, body, slot);
}

/** Who simulates a body for everyone, by this peer's record: its authority, or the host if it has none. */
export function simulatorOf(peer: PeerState, body: BodyId): Slot {
  const authority = peer.bodies.records.authority[body];
  return authority < 0 ? peer.host : (authority as Slot);
}
