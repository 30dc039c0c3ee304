import type { BodyId, Slot } from '../../base/ids.ts';
import { NO_BODY } from '../../base/ids.ts';
import { MAX_BASELINE_AGE, MAX_PLAYERS, SENT_PACKETS } from '../../base/constants.ts';
import { SendSchedule } from '../../link/send-schedule.ts';
import { PriorityAccumulator } from '../../link/priority.ts';
import { BaselineStore } from '../../wire/bodies/baselines.ts';
import type { BodyUpdate } from '../../wire/bodies/update.ts';
import { isBaselineAge } from '../../wire/bodies/update.ts';
import type { OutgoingPlayer } from './sent-player.ts';
import { SentBodies } from './sent-bodies.ts';
import { SentPlayer } from './sent-player.ts';
import type { UpdateSource } from './update-source.ts';

/**
 * The one answer to "what does this receiver have?", as far as its sender knows: which updates and avatars it was sent,
 * in which packets, and which of them it acked. It follows which updates are due, and against which baseline they are
 * coded. Packets are numbered from 0 without wrapping.
 */
export class ReceiverState {
  /** [W8] When packets leave. */
  readonly pace: SendSchedule;
  /** By slot. */
  readonly players: readonly SentPlayer[];
  /** [W9.3] The slot from which on avatars go into the next packet: those before it were in the last one. */
  avatarsFrom = 0;
  /** The contents of the recent packets: the baselines. */
  readonly packets: BaselineStore;
  /** [W5] The bodies by their priority for this receiver. */
  readonly priorities: PriorityAccumulator;
  readonly #count: number;
  readonly #bodies: SentBodies;
  /** For each place in the ring of recent packets the packet there, or -1 if it is acked or from before a reset. */
  readonly #unacked = new Int32Array(SENT_PACKETS).fill(-1);
  /** For each of the recent packets the slots, as bits, of the players with whose names it left. */
  readonly #names = new Uint32Array(SENT_PACKETS);
  /** The newest packet that was acked, or -1. */
  #newestAcked = -1;

  /**
   * @param count bodies in the world.
   * @param rate ticks a second.
   */
  constructor(count: number, rate: number) {
    this.#count = count;
    this.pace = new SendSchedule(rate);
    this.players = Array.from({ length: MAX_PLAYERS }, () => new SentPlayer(rate));
    this.packets = new BaselineStore(count);
    this.priorities = new PriorityAccumulator(count);
    this.#bodies = new SentBodies(count, rate);
  }

  /** The level begins anew: the receiver has nothing of it. Players and their names remain known. */
  reset(): void {
    this.packets.clear();
    this.priorities.clear();
    this.#bodies.reset();
    this.#unacked.fill(-1);
    this.#newestAcked = -1;
    for (const player of this.players) player.ackedAvatarPacket = -1;
  }

  /** [N5.3] The receiver counts as one that has nothing, not even the players. */
  beginAnew(): void {
    this.reset();
    for (let slot = 0; slot < MAX_PLAYERS; slot++) this.forgetPlayer(slot as Slot);
    this.avatarsFrom = 0;
  }

  /** [H6] A player has left: all there is of the next player in its slot is to be sent. */
  forgetPlayer(slot: Slot): void {
    this.players[slot].forget();
    for (let i = 0; i < this.#names.length; i++) this.#names[i] &= ~(1 << slot);
  }

  /** The receiver disputes what we believe of a body: its update is sent again. */
  dispute(body: BodyId): void {
    this.#bodies.dispute(body);
  }

  /** The receiver has a packet. It may be called once for each packet, as PacketAcks does. */
  acked(packet: number): void {
    const place = packet % SENT_PACKETS;
    for (let slot = 0; slot < MAX_PLAYERS; slot++)
      if (((this.#names[place] >>> slot) & 1) === 1) this.players[slot].hasName = true;
    if (this.#unacked[place] !== packet) return;
    this.#unacked[place] = -1;
    this.#bodies.acked(packet);
    this.#newestAcked = Math.max(this.#newestAcked, packet);
    for (let slot = 0; slot < MAX_PLAYERS; slot++) {
      const player = this.players[slot];
      if (this.packets.hasAvatar(packet, slot as Slot))
        player.ackedAvatarPacket = Math.max(player.ackedAvatarPacket, packet);
    }
  }

  /**
   * Raises the priorities of the bodies by one tick; call it once a tick. Bodies of which nothing can be due, nearly
   * all of a large world, cost nothing.
   * @returns true if an update is due in this tick [W8].
   */
  raisePriorities(source: UpdateSource): boolean {
    const { versions } = source;
    const bodies = this.#bodies;
    let isDue = false;
    bodies.nextTick(source.changed);
    for (let body = bodies.nextOpen(NO_BODY); body !== NO_BODY; body = bodies.nextOpen(body)) {
      const need = bodies.needOf(body, versions[body], source);
      if (need === 'none') {
        this.priorities.sent(body);
        bodies.settle(body);
      } else if (need !== 'later') {
        const urgency = source.urgency(body);
        this.priorities.raise(body, need === 'now' ? Math.max(1, urgency) : urgency);
        // A body that did not fit into the last packet is due still, though its priority has not grown in this tick.
        if (this.priorities.has(body)) isDue = true;
      }
    }
    return isDue;
  }

  /** True once the receiver has acked an update of every body that exists. */
  hasAcked(bodies: { exists(body: BodyId): boolean }): boolean {
    for (let i = 0; i < this.#count; i++)
      if (bodies.exists(i as BodyId) && this.#bodies.ackedPacketOf(i as BodyId) < 0) return false;
    return true;
  }

  /** True once the receiver has acked an update of every body id, whether a body of it exists or not. */
  get hasAckedAll(): boolean {
    for (let i = 0; i < this.#count; i++) if (this.#bodies.ackedPacketOf(i as BodyId) < 0) return false;
    return true;
  }

  /** The age of the next packet's base, in packets: the base is the newest acked packet. 0 if that can't be used. */
  baseAge(packet: number): number {
    return ageOf(packet, this.#newestAcked);
  }

  /** The age in packets of the newest baseline of a body that the receiver is known to have; 0 if it can't be used. */
  bodyBaselineAge(packet: number, body: BodyId): number {
    const acked = this.#bodies.ackedPacketOf(body);
    return acked >= 0 && isBaselineAge(packet - acked) ? packet - acked : 0;
  }

  /** The same for a player's avatar. */
  avatarBaselineAge(packet: number, slot: Slot): number {
    return ageOf(packet, this.players[slot].ackedAvatarPacket);
  }

  /** Begins a packet: what is put from now on is put into it. */
  begin(packet: number): void {
    const place = packet % SENT_PACKETS;
    this.#unacked[place] = packet;
    this.#names[place] = 0;
    this.#bodies.begin(packet);
  }

  /** The packet gets a player, its avatar with or without its name. It may be put again. */
  putPlayer(packet: number, slot: Slot, player: Readonly<OutgoingPlayer>): void {
    const { tick, avatar, isAvatarless, shift } = player;
    this.packets.putAuthor(packet, slot, tick, avatar, isAvatarless, shift);
    if (avatar !== null && avatar.name.length > 0) this.#names[packet % SENT_PACKETS] |= 1 << slot;
  }

  /** The packet gets an update of a body at this version. */
  putBody(packet: number, update: Readonly<BodyUpdate>, version: number): void {
    this.packets.put(packet, update);
    this.#bodies.put(packet, update, version);
  }

  /** Bodies in the packet so far. */
  bodiesIn(packet: number): number {
    return this.#bodies.countIn(packet);
  }

  /** Takes all bodies out of the packet, which was too long with them. They count as never sent. */
  takeBackBodies(packet: number): void {
    const count = this.#bodies.countIn(packet);
    for (let i = 0; i < count; i++) {
      const body = this.#bodies.bodyIn(packet, i);
      this.packets.remove(packet, body);
      this.#bodies.takeBack(body);
    }
    this.#bodies.begin(packet);
  }

  /** The packet is complete and leaves: the priorities of its bodies begin at 0 again. */
  sent(packet: number): void {
    const count = this.#bodies.countIn(packet);
    for (let i = 0; i < count; i++) {
      const body = this.#bodies.bodyIn(packet, i);
      this.priorities.sent(body);
      this.#bodies.leaves(body);
    }
  }
}

/** By how many packets an acked one is older than the next, if packets can name it; else 0. */
function ageOf(packet: number, acked: number): number {
  const age = packet - acked;
  return acked >= 0 && age <= MAX_BASELINE_AGE ? age : 0;
}
