import { BodySet } from '../../base/body-set.ts';
import type { BodyId } from '../../base/ids.ts';
import { SENT_PACKETS, ticksIn } from '../../base/constants.ts';
import {
  PACKED_UPDATE,
  packClaim,
  packUpdate,
  sameClaimPacked,
  samePacked,
} from '../../wire/bodies/packed-update.ts';
import type { BodyUpdate } from '../../wire/bodies/update.ts';
import { bodyUpdate } from '../../wire/bodies/update.ts';
import type { UpdateSource } from './update-source.ts';

/**
 * Seconds after which an unchanged update is sent again unless it was acked: most acks take as long. A new update is sent
 * in two packets in a row, so that one lost packet delays nothing.
 */
const AGAIN_SECONDS = 0.08;

/**
 * When an update of a body is due:
 * - `none`: not until the body changes, since there is nothing to send, or the receiver has it;
 * - `later`: it was sent, and its ack may still come;
 * - `motion`: the receiver knows that the body moves; the next state goes by its urgency;
 * - `now`.
 */
export type Need = 'none' | 'later' | 'motion' | 'now';

/** [W5] The part of a ReceiverState about bodies: their updates as last sent, and which were acked or disputed. */
export class SentBodies {
  /**
   * The last update that was sent of each body. If the body moved, only its claim counts: its state is sent again in
   * any case.
   */
  readonly #last: Int32Array;
  /** If the last update was no motion: the first of the packets in a row that had this same update; -1 if none had. */
  readonly #since: Int32Array;
  /** The version that was last sent, or -1. */
  readonly #sentVersion: Int32Array;
  /** 1 if the last update was a motion. */
  readonly #moves: Uint8Array;
  /** Counts ticks. */
  #tick = 0;
  /** The tick in which the last update that was no motion was sent. */
  readonly #sentAt: Int32Array;
  /** 1 if that update was sent only once. */
  readonly #sentOnce: Uint8Array;
  /** The newest acked packet with each body, or -1. */
  readonly #ackedPacket: Int32Array;
  /** The bodies of which something may be due. */
  readonly #open: BodySet;
  readonly #count: number;
  /** 1 if the receiver disputed our claim since we last sent the body. */
  readonly #disputed: Uint8Array;
  /** The bodies in each recent packet until it is acked. Lists only grow: an emptied list would be garbage. */
  readonly #contents: readonly BodyId[][] = Array.from({ length: SENT_PACKETS }, () => []);
  /** How many entries of each list count. */
  readonly #contentCounts = new Int32Array(SENT_PACKETS);
  readonly #update = bodyUpdate();

  /** AGAIN_SECONDS in ticks. */
  readonly #againTicks: number;

  /**
   * @param count bodies in the world.
   * @param rate ticks a second.
   */
  constructor(count: number, rate: number) {
    this.#againTicks = ticksIn(AGAIN_SECONDS, rate);
    this.#last = new Int32Array(count * PACKED_UPDATE);
    this.#since = new Int32Array(count).fill(-1);
    this.#sentVersion = new Int32Array(count).fill(-1);
    this.#moves = new Uint8Array(count);
    this.#sentAt = new Int32Array(count);
    this.#sentOnce = new Uint8Array(count);
    this.#ackedPacket = new Int32Array(count).fill(-1);
    this.#count = count;
    this.#open = new BodySet(count);
    this.#openAll();
    this.#disputed = new Uint8Array(count);
  }

  /** The receiver has nothing any more: the level has begun anew. */
  reset(): void {
    this.#since.fill(-1);
    this.#sentVersion.fill(-1);
    this.#moves.fill(0);
    this.#ackedPacket.fill(-1);
    this.#openAll();
    this.#disputed.fill(0);
  }

  #openAll(): void {
    for (let body = 0; body < this.#count; body++) this.#open.add(body);
  }

  /** A tick of the sender has passed, in which the versions of these bodies have changed. */
  nextTick(changed: BodySet): void {
    this.#tick++;
    this.#open.addAll(changed);
  }

  /**
   * The next body above this one of which something may be due, in ascending order; NO_BODY if there is none. Begin
   * with NO_BODY.
   */
  nextOpen(after: number): BodyId {
    return this.#open.next(after);
  }

  /** Nothing is due of a body; that stays so until its version changes, or the receiver disputes it. */
  settle(body: BodyId): void {
    this.#open.delete(body);
  }

  /** When an update of a body at this version is due. */
  needOf(body: BodyId, version: number, source: UpdateSource): Need {
    const isCurrent = this.#sentVersion[body] === version;
    if (!isCurrent && !source.describe(body, this.#update)) return 'none';
    if (this.#disputed[body] === 1 || source.insists(body)) return 'now';
    return isCurrent ? this.#needOfSame(body) : this.#needOfChanged(body, this.#update);
  }

  /** The last update that was sent still holds. */
  #needOfSame(body: BodyId): Need {
    if (this.#moves[body] === 1) return 'motion';
    return this.#since[body] < 0 ? 'now' : this.#needOfAck(body);
  }

  /** @param update the present one, at a version that was not sent. */
  #needOfChanged(body: BodyId, update: Readonly<BodyUpdate>): Need {
    const last = body * PACKED_UPDATE;
    if (update.kind === 'motion') {
      return this.#moves[body] === 1 && sameClaimPacked(this.#last, last, update) ? 'motion' : 'now';
    }
    if (this.#since[body] < 0 || !samePacked(this.#last, last, update)) return 'now';
    return this.#needOfAck(body);
  }

  /** An update that is no motion was sent: it is due again if no ack came. */
  #needOfAck(body: BodyId): Need {
    if (this.#ackedPacket[body] >= this.#since[body]) return 'none';
    const isTime = this.#sentOnce[body] === 1 || this.#tick - this.#sentAt[body] >= this.#againTicks;
    return isTime ? 'now' : 'later';
  }

  /** The newest acked packet with a body; -1 if there is none. */
  ackedPacketOf(body: BodyId): number {
    return this.#ackedPacket[body];
  }

  /** The next packet is begun; it has no bodies yet. */
  begin(packet: number): void {
    this.#contentCounts[packet % SENT_PACKETS] = 0;
  }

  /** Bodies in a recent packet that is not acked yet. */
  countIn(packet: number): number {
    return this.#contentCounts[packet % SENT_PACKETS];
  }

  /** One of them, by its place from 0 to `countIn`. */
  bodyIn(packet: number, index: number): BodyId {
    return this.#contents[packet % SENT_PACKETS][index];
  }

  /** The packet gets an update of a body at this version. */
  put(packet: number, update: Readonly<BodyUpdate>, version: number): void {
    const place = packet % SENT_PACKETS;
    const { body } = update;
    const last = body * PACKED_UPDATE;
    const moves = update.kind === 'motion';
    this.#contents[place][this.#contentCounts[place]++] = body;
    this.#sentVersion[body] = version;
    this.#moves[body] = moves ? 1 : 0;
    if (moves) {
      packClaim(update, this.#last, last);
      return;
    }
    const isNew = this.#since[body] < 0 || !samePacked(this.#last, last, update);
    this.#sentAt[body] = this.#tick;
    this.#sentOnce[body] = isNew ? 1 : 0;
    if (!isNew) return;
    this.#since[body] = packet;
    packUpdate(update, this.#last, last);
  }

  /** The update of a body will not leave after all: the earlier one was overwritten, so none counts as sent. */
  takeBack(body: BodyId): void {
    this.#since[body] = -1;
    this.#sentVersion[body] = -1;
    this.#moves[body] = 0;
  }

  /** An update of a body leaves: it answers an earlier dispute. */
  leaves(body: BodyId): void {
    this.#disputed[body] = 0;
  }

  /** The receiver has a packet and the bodies in it. */
  acked(packet: number): void {
    const count = this.countIn(packet);
    for (let i = 0; i < count; i++) {
      const body = this.bodyIn(packet, i);
      this.#ackedPacket[body] = Math.max(this.#ackedPacket[body], packet);
    }
  }

  /** The receiver disputes what we believe of a body: its update is sent again. */
  dispute(body: BodyId): void {
    this.#disputed[body] = 1;
    this.#open.add(body);
  }
}
