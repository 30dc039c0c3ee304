import type { ConnectionId, Slot } from '../base/ids.ts';
import { MAX_PLAYERS, SENT_PACKETS } from '../base/constants.ts';
import { Pace } from '../link/pace.ts';
import { PacketAcks } from '../link/packet-acks.ts';
import { PacketRateLimit } from '../link/packet-rate.ts';
import { SendBudget } from '../link/send-budget.ts';
import { BaselineStore } from '../wire/bodies/baselines.ts';
import type { BallisticCache } from '../wire/bodies/flights.ts';
import { Outbox } from './outgoing/outbox.ts';
import { Told } from './outgoing/told.ts';

/** What a peer keeps of one other peer with which it exchanges packets: acks, outgoing state, rate and budget. */
export class Link {
  /** The peer at the other end. */
  readonly slot: Slot;
  readonly connection: ConnectionId;
  readonly acks = new PacketAcks();
  readonly rate = new PacketRateLimit();
  /** [F1] The sum of the offences in its packets: see `reject`. */
  offences = 0;
  readonly outbox: Outbox;
  /** The packets received from it, as baselines. */
  readonly received: BaselineStore;
  /** [W8] When packets leave. */
  readonly pace = new Pace();
  /** For each slot what was sent of that player last. */
  readonly told: readonly Told[] = Array.from({ length: MAX_PLAYERS }, () => new Told());
  /** [W9] */
  readonly budget = new SendBudget();
  /** [W8] True if bodies came since the last packet left: their ack does not wait. */
  owesAck = false;
  /** A ring of the last SENT_PACKETS packets: the slots, as bits, for which each carried the name. */
  readonly #namesIn = new Uint8Array(SENT_PACKETS);
  /** The slots, as bits, of which the receiver has the name. */
  #namesKnown = 0;
  /** Milliseconds on the clock of `Peer.receive`: when the last valid packet came; -Infinity before the first. */
  receivedMs = -Infinity;

  /**
   * @param count bodies in the world.
   * @param flights the peer's cache of predicted flights, for all that it writes and reads.
   */
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

  /** [H6] A player has left: everything about the next player in its slot has to be sent anew. */
  forgetPlayer(slot: Slot): void {
    this.told[slot].clear();
    this.#namesKnown &= ~(1 << slot);
    for (let i = 0; i < this.#namesIn.length; i++) this.#namesIn[i] &= ~(1 << slot);
  }

  /** Keeps which names a packet carries: `slots` as bits. */
  namesSent(packet: number, slots: number): void {
    this.#namesIn[packet % SENT_PACKETS] = slots;
  }

  /** The receiver has acked a packet. */
  readonly acked = (packet: number): void => {
    this.#namesKnown |= this.#namesIn[packet % SENT_PACKETS];
    this.outbox.acked(packet);
  };

  /** After a reset of the scene: neither end has any state of it. */
  forget(): void {
    this.outbox.reset();
    this.received.clear();
  }
}
