import type { Slot } from '../../src/core/base/ids.ts';
import { TICK_RATE } from '../../src/core/base/constants.ts';
import { Offences } from '../../src/core/room/offences.ts';
import { PacketReader } from '../../src/core/wire/packet.ts';
import type { PlainAvatar, PlainUpdate } from './packets.ts';
import { encode, NO_TICKS } from './packets.ts';
import type { Stage } from './stage.ts';

/** A claim on a body. The parts that are not given are as the host has them. */
export type Lie = {
  readonly authority?: number;
  readonly hold?: number;
  /** Steps by which the ownership sequence leads the host's. */
  readonly lead?: number;
  readonly authoritySequence?: number;
  readonly existence?: number;
  readonly kind?: 'record' | 'rest' | 'motion';
  readonly state?: readonly number[];
};

/** A guest of a stage whose page sends what it likes, from `attacks` on. */
export class StageAttacker {
  readonly #stage: Stage;
  readonly #slot: Slot;
  readonly #reader: PacketReader;
  readonly #count: number;
  readonly #offences = new Offences();
  #says: (() => readonly Uint8Array[]) | null = null;
  #sequence = 0;

  constructor(stage: Stage, slot: number) {
    this.#stage = stage;
    this.#slot = slot as Slot;
    const { bodies, flights } = stage.guest(slot).peer.state;
    this.#count = bodies.count;
    this.#reader = new PacketReader(bodies.count, flights);
    const transport = stage.network.transports[slot];
    const send = transport.send.bind(transport);
    transport.send = (to, bytes) => {
      this.#reader.readHead(bytes);
      this.#sequence = Math.max(this.#sequence, this.#reader.header.sequence);
      if (this.#says === null) {
        this.#sequence++;
        return send(to, bytes);
      }
      for (const packet of this.#says()) send(to, packet);
      return true;
    };
  }

  /** From now on it sends these packets in place of each honest one; null: honest ones. */
  attacks(says: (() => readonly Uint8Array[]) | null): void {
    this.#says = says;
  }

  get #tick(): number {
    return this.#stage.host.peer.state.authors[this.#slot].newestTick + 1;
  }

  /**
   * A well-formed packet, the next of its connection.
   * @param ahead ticks by which its tick is ahead of the next one.
   */
  packet(updates: readonly PlainUpdate[], avatar: PlainAvatar | null = null, ahead = 0): Uint8Array {
    const circumstances = {
      bodies: this.#count,
      speaker: this.#slot,
      packet: 0,
      newestTicks: NO_TICKS,
      before: [],
    };
    const header = { ...this.#reader.header, sequence: this.#sequence++ & 0xffff };
    const author = { slot: this.#slot, tick: (this.#tick + ahead) & 0xffff, avatar };
    return encode(circumstances, { header, authors: [author], base: 0, updates });
  }

  /** A claim on a body; it is for the attacker itself, and a newer one, if it does not say anything else. */
  claim(body: number, lie: Lie = {}): PlainUpdate {
    const { records } = this.#stage.host.peer.state.bodies;
    const { authority = this.#slot, hold = 0, lead = 1, authoritySequence = 0 } = lie;
    const { kind = 'record', existence = records.existence[body], state = [] } = lie;
    const ownership = (records.ownershipSequence[body] + lead) & 0xffff;
    const tick = kind === 'record' ? -1 : this.#tick;
    const claim = [authority, hold, ownership, authoritySequence, existence];
    return { body, baselineAge: 0, claim, kind, tick, state };
  }

  /** Lets time pass, and judges as a room does. @returns the slots that a room would have sent out. */
  judgedFor(seconds: number): readonly number[] {
    const guilty = new Set<number>();
    for (let tick = seconds * TICK_RATE; tick > 0; tick--) {
      this.#stage.tick();
      const { host, now } = this.#stage;
      for (const slot of this.#offences.judge(now, (slot) => host.peer.offences(slot))) guilty.add(slot);
    }
    return [...guilty];
  }
}
