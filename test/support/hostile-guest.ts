import { cubeLaws } from './laws.ts';
import type { Slot } from '../../src/core/base/ids.ts';
import { NOT_HELD } from '../../src/core/base/ids.ts';
import { Random } from '../../src/core/base/random.ts';
import type { Peer } from '../../src/core/peer/peer.ts';
import { BallisticCache } from '../../src/core/wire/bodies/flights.ts';
import { PacketReader } from '../../src/core/wire/packet.ts';
import { POSITION_STEPS, VELOCITY_STEPS } from '../../src/core/wire/bodies/quantise.ts';
import type { RoomHarness } from '../../src/harness/room.ts';
import type { PlainAuthor, PlainUpdate } from './packets.ts';
import { encode, NO_TICKS } from './packets.ts';

/** The packets that a hostile guest sends in place of honest ones. */
export type Behaviour = (guest: HostileGuest, honest: Uint8Array) => readonly Uint8Array[];

/** A guest whose page sends what it likes, in a room in which others play. */
export class HostileGuest {
  readonly slot: Slot;
  readonly host: Peer;
  readonly random = new Random(1);
  /** Packets that it has really sent, newest last. */
  readonly sent: Uint8Array[] = [];
  #behaviour: Behaviour | null = null;
  #sequence = 0;
  readonly #reader: PacketReader;
  readonly #bodies: number;

  constructor(room: RoomHarness, slot: Slot) {
    this.slot = slot;
    [this.host] = room.peers;
    this.#bodies = room.level.bodies.length;
    this.#reader = new PacketReader(this.#bodies, new BallisticCache(cubeLaws(this.#bodies)));
    const transport = room.loopback.transports[slot];
    const send = transport.send.bind(transport);
    transport.send = (to, bytes) => {
      for (const packet of this.#instead(bytes)) send(to, packet);
      return true;
    };
  }

  /** From now on. */
  behave(behaviour: Behaviour): void {
    this.#behaviour = behaviour;
  }

  #instead(bytes: Uint8Array): readonly Uint8Array[] {
    this.#reader.readHead(bytes);
    if (this.#behaviour === null) {
      this.#sequence = this.#reader.header.sequence + 1;
      this.sent.push(bytes.slice());
      return [bytes];
    }
    return this.#behaviour(this, bytes);
  }

  get tick(): number {
    return this.host.state.authors[this.slot].newestTick + 1;
  }

  /** Leaves packets out: the baselines in them are nowhere then. */
  skip(packets: number): void {
    this.#sequence += packets;
  }

  /** A well-formed packet, the next of its connection. */
  says(updates: readonly PlainUpdate[], authors?: readonly PlainAuthor[]): Uint8Array {
    const own = { slot: this.slot, tick: this.tick & 0xffff, avatar: null };
    const circumstances = {
      bodies: this.#bodies,
      speaker: this.slot,
      packet: 0,
      newestTicks: NO_TICKS,
      before: [],
    };
    const header = { ...this.#reader.header, sequence: this.#sequence++ & 0xffff };
    return encode(circumstances, { header, authors: authors ?? [own], base: 0, updates });
  }

  /** A claim on a body: by how much both sequences lead what the host has. */
  claims(
    body: number,
    authority: number,
    ownershipLead: number,
    lead = 0,
    state?: readonly number[],
  ): PlainUpdate {
    const { ownershipSequence, authoritySequence } = this.host.state.bodies.records;
    const sequences = [
      ownershipSequence[body] + ownershipLead,
      ownershipLead > 0 ? lead : authoritySequence[body] + lead,
    ];
    return {
      body,
      baselineAge: 0,
      claim: [authority, NOT_HELD, ...sequences.map((n) => n & 0xffff)],
      kind: state === undefined ? 'record' : 'motion',
      tick: state === undefined ? -1 : this.tick,
      state: state ?? [],
    };
  }

  /** The bodies of the world. */
  get bodies(): readonly number[] {
    return Array.from({ length: this.#bodies }, (_, body) => body);
  }

  /** A state there, in metres, that moves upwards, in m/s. */
  stateAt(x: number, y: number, z: number, up = 0): readonly number[] {
    const place = [x, y, z].map((n) => Math.round(n * POSITION_STEPS));
    return [...place, 3, 0, 0, 0, 0, Math.round(up * VELOCITY_STEPS), 0, 0, 0, 0];
  }

  /** A body that it has, or takes with this claim, and its state. */
  has(body: number, state: readonly number[]): PlainUpdate {
    const lead = this.host.state.bodies.records.authority[body] === this.slot ? 0 : 1;
    return this.claims(body, this.slot, 0, lead, state);
  }

  /** A body of its own, or else one that it takes: its claim, with a state. */
  hasOne(state: readonly number[]): PlainUpdate {
    const { authority, hold } = this.host.state.bodies.records;
    const own = this.bodies.find((body) => authority[body] === this.slot);
    const free = this.bodies.find((body) => hold[body] === NOT_HELD) ?? 0;
    return own === undefined
      ? this.claims(free, this.slot, 1, 0, state)
      : this.claims(own, this.slot, 0, 0, state);
  }
}
