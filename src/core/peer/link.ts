import type { ConnectionId, Slot } from '../base/ids.ts';
import { PacketAcks } from '../link/packet-acks.ts';
import { packetRate } from '../link/packet-rate.ts';
import { SendBudget } from '../link/send-budget.ts';
import { BaselineStore } from '../wire/bodies/baselines.ts';
import type { BallisticCache } from '../wire/bodies/flights.ts';
import { PacketWriter } from './outgoing/packet-writer.ts';
import { ReceiverState } from './outgoing/receiver-state.ts';
import type { SentShared } from './shared/sent-shared.ts';

/** One other peer with which this peer exchanges packets: acks, outgoing state, rate and budget. */
export class Link {
  /** The peer at the other end. */
  readonly slot: Slot;
  readonly connection: ConnectionId;
  readonly acks = new PacketAcks();
  readonly rate = packetRate();
  /** [F1] The sum of the offences in its packets: see `reject`. */
  offences = 0;
  /** The other peer's knowledge, as far as it has acked packets. */
  readonly receiver: ReceiverState;
  readonly writer: PacketWriter;
  /** [V], [E] Null without a schema. */
  readonly shared: SentShared | null;
  /** The packets received from it, as baselines. */
  readonly received: BaselineStore;
  /** [W9] */
  readonly budget = new SendBudget();
  /** [W8] True if bodies came since the last packet left: their ack does not wait. */
  owesAck = false;
  /** Milliseconds on the clock of `Peer.receive`: when the last valid packet came; -Infinity before the first. */
  receivedMs = -Infinity;

  /**
   * @param count bodies in the world.
   * @param flights the peer's cache of predicted flights, for all that it writes and reads.
   * @param rate ticks a second.
   * @param shared null without a schema.
   */
  constructor(
    slot: Slot,
    connection: ConnectionId,
    count: number,
    flights: BallisticCache,
    rate: number,
    shared: SentShared | null = null,
  ) {
    this.slot = slot;
    this.connection = connection;
    this.receiver = new ReceiverState(count, rate);
    this.shared = shared;
    this.writer = new PacketWriter(this.receiver, count, flights, shared);
    this.received = new BaselineStore(count);
  }

  /** The receiver has acked a packet. */
  readonly acked = (packet: number): void => {
    this.receiver.acked(packet);
    this.shared?.acked(packet);
  };

  /** After a reset of the level: neither end has any state of it. */
  forget(): void {
    this.receiver.reset();
    this.received.clear();
    this.shared?.forget();
  }
}
