import { BodySet } from '../../../../src/core/base/body-set.ts';
import { cubeLaws } from '../../../support/laws.ts';
import { beforeEach, describe, expect, test } from 'vitest';
import type { BodyId, Slot } from '../../../../src/core/base/ids.ts';
import { NO_SLOT } from '../../../../src/core/base/ids.ts';
import {
  MAX_PACKET_BYTES,
  MAX_PLAYERS,
  PRIORITY_BASE,
  PRIORITY_THROWN,
  TICK_RATE,
} from '../../../../src/core/base/constants.ts';
import { Random } from '../../../../src/core/base/random.ts';
import { PacketWriter } from '../../../../src/core/peer/outgoing/packet-writer.ts';
import { ReceiverState } from '../../../../src/core/peer/outgoing/receiver-state.ts';
import type { UpdateSource } from '../../../../src/core/peer/outgoing/update-source.ts';
import { avatarSample } from '../../../../src/core/wire/avatar/avatar.ts';
import { BallisticCache } from '../../../../src/core/wire/bodies/flights.ts';
import { BaselineStore } from '../../../../src/core/wire/bodies/baselines.ts';
import { packetHeader, PacketReader } from '../../../../src/core/wire/packet.ts';
import type { BodyUpdate } from '../../../../src/core/wire/bodies/update.ts';
import { bodyUpdate } from '../../../../src/core/wire/bodies/update.ts';
import { copyUpdate } from '../../../support/updates.ts';
import { snapped } from '../../../support/packets.ts';
import { forSeeds } from '../../../support/seeds.ts';

const SPEAKER = 0 as Slot;

/** The bodies of a sender, its packets, and a receiver that reads the packets that arrive. */
class Wire implements UpdateSource {
  readonly receiver: ReceiverState;
  readonly writer: PacketWriter;
  readonly bodies: (BodyUpdate | null)[];
  readonly insisted = new Set<BodyId>();
  readonly urgent = new Map<BodyId, number>();
  readonly versions: Int32Array;
  readonly changed: BodySet;
  /** The bodies whose updates were asked for since the last packet. */
  readonly asked: BodyId[] = [];
  /** For each body its update, as text, when its version was last counted. */
  readonly #counted: string[] = [];
  readonly #received: BaselineStore;
  readonly #reader: PacketReader;
  /** The last update of each body that the receiver has read. */
  readonly known: (BodyUpdate | null)[];
  /** [J2.5] The bodies that joints tie together; the others are loose. */
  islands: readonly (readonly BodyId[])[] = [];
  readonly partsOf = (body: BodyId): readonly BodyId[] =>
    this.islands.find((parts) => parts.includes(body)) ?? [body];
  /** [W8] True if an update was due in the last tick. */
  isDue = false;
  #packet = 0;

  constructor(count: number, kind: BodyUpdate['kind']) {
    const flights = new BallisticCache(cubeLaws(count));
    this.receiver = new ReceiverState(count, TICK_RATE);
    this.writer = new PacketWriter(this.receiver, count, flights);
    this.versions = new Int32Array(count);
    this.changed = new BodySet(count);
    this.bodies = Array.from({ length: count }, (_, body) => ({
      ...bodyUpdate(),
      body: body as BodyId,
      kind,
    }));
    this.known = this.bodies.map(() => null);
    this.#received = new BaselineStore(count);
    this.#reader = new PacketReader(count, flights);
  }

  describe(body: BodyId, out: BodyUpdate): boolean {
    const update = this.bodies[body];
    this.asked.push(body);
    if (update === null) return false;
    copyUpdate(update, out);
    out.tick = this.#packet - 1;
    return true;
  }

  insists(body: BodyId): boolean {
    return this.insisted.has(body);
  }

  urgency(body: BodyId): number {
    return this.urgent.get(body) ?? PRIORITY_BASE;
  }

  #countVersions(): void {
    this.changed.clear();
    this.bodies.forEach((update, body) => {
      const now = JSON.stringify([update, this.insisted.has(body as BodyId)]);
      if (now !== this.#counted[body]) {
        this.versions[body]++;
        this.changed.add(body);
      }
      this.#counted[body] = now;
    });
  }

  /** Sends a tick's packet; returns the bodies in it. It arrives, and is acked, unless it is lost. */
  send(fate: 'acked' | 'ack lost' | 'lost' = 'acked', avatars = 0, most = MAX_PACKET_BYTES): BodyId[] {
    const packet = this.#packet++;
    this.asked.length = 0;
    this.#countVersions();
    this.isDue = this.receiver.raisePriorities(this);
    const authors = Array.from({ length: MAX_PLAYERS }, (_, slot) =>
      slot <= avatars
        ? { tick: packet, shift: 0, avatar: slot < avatars ? avatarSample() : null, isAvatarless: false }
        : null,
    );
    const header = { ...packetHeader(), sequence: packet };
    const bytes = this.writer.write(header, packet, SPEAKER, authors, this, most);
    expect(bytes.length).toBeLessThanOrEqual(most);
    const { headers, avatars: avatarBits, bodies } = this.writer.bits;
    expect(headers + avatarBits + bodies).toBeCloseTo(bytes.length * 8, 6);
    const reader = this.#reader;
    expect(reader.readHead(bytes)).toBeNull();
    const newest = new Int32Array(MAX_PLAYERS).fill(packet);
    expect(reader.readBody(SPEAKER, packet, this.#received, newest)).toBeNull();
    const updates = reader.updates.slice(0, reader.updateCount);
    if (fate !== 'lost') {
      reader.keep(packet, this.#received);
      for (const update of updates) {
        this.known[update.body] = { ...update, claim: { ...update.claim }, state: update.state.slice() };
      }
    }
    if (fate === 'acked') this.receiver.acked(packet);
    return updates.map(({ body }) => body);
  }
}

const [A, B] = [0, 1] as BodyId[];
let wire: Wire;

describe('an update that the receiver has', () => {
  beforeEach(() => {
    wire = new Wire(2, 'rest');
  });

  test('[W5.6] [W5.7] is not sent again; without an ack it is: at once, and then in every fifth tick', () => {
    expect(wire.send('lost')).toEqual([A, B]);
    expect(wire.send('ack lost')).toEqual([A, B]);
    for (let round = 0; round < 3; round++) {
      for (let tick = 0; tick < 4; tick++) expect(wire.send('lost')).toEqual([]);
      expect(wire.send(round < 2 ? 'lost' : 'acked')).toEqual([A, B]);
    }
    for (let tick = 0; tick < 12; tick++) expect(wire.send()).toEqual([]);
  });

  test('[W5.6] costs nothing: the source is not asked for it until the body changes', () => {
    wire.send();
    wire.send();
    wire.send();
    expect(wire.asked).toEqual([]);
    wire.bodies[B]!.state[0]++;
    wire.send();
    expect(new Set(wire.asked)).toEqual(new Set([B]));
  });

  test('[W5.6] is sent anew when its rest pose or its authority changes', () => {
    wire.send();
    wire.bodies[A]!.state[0]++;
    expect(wire.send('lost')).toEqual([A]);
    expect(wire.send()).toEqual([A]);
    expect(wire.send()).toEqual([]);
    wire.bodies[B]!.claim.authority = 1 as Slot;
    expect(wire.send('acked', 1)).toEqual([B]);
    expect(wire.send('acked', 1)).toEqual([]);
    expect(wire.known[A]?.state[0]).toBe(1);
    expect(wire.known[B]?.claim.authority).toBe(1);
  });

  test('[W5.6] is sent again after it changed and changed back: an ack of the first packet does not count', () => {
    wire.send();
    const before = wire.bodies[A]!.state[0];
    wire.bodies[A]!.state[0]++;
    wire.send('lost');
    wire.bodies[A]!.state[0] = before;
    expect(wire.send()).toEqual([A]);
    expect(wire.send()).toEqual([]);
    expect(wire.known[A]?.state[0]).toBe(before);
  });

  test('[H10.1] is sent again, once, if the receiver disputes it', () => {
    wire.send();
    wire.receiver.dispute(B);
    expect(wire.send()).toEqual([B]);
    expect(wire.send()).toEqual([]);
  });

  test('[A7.4] [A7.7] is sent as long as the source insists', () => {
    wire.insisted.add(A);
    for (let i = 0; i < 5; i++) expect(wire.send().includes(A)).toBe(true);
    wire.insisted.clear();
    expect(wire.send()).toEqual([]);
  });

  test('[H8.8] is forgotten by a reset', () => {
    wire.send();
    expect(wire.send()).toEqual([]);
    wire.receiver.reset();
    expect(wire.send()).toEqual([A, B]);
  });

  test('[W8.1] makes no packet due; another update does', () => {
    wire.send('ack lost');
    expect(wire.isDue).toBe(true);
    wire.send();
    wire.send();
    expect(wire.isDue).toBe(false);
    wire.bodies[A]!.kind = 'motion';
    wire.send();
    expect(wire.isDue).toBe(true);
  });

  test('[W8.1] an update that did not fit stays due, though its priority has not grown since', () => {
    for (let n = 0; n < 3; n++) wire.send();
    wire.bodies[A]!.kind = 'motion';
    expect(wire.send()).toEqual([A]);
    expect(wire.send('acked', 0, 12)).toEqual([]);
    wire.urgent.set(A, 0);
    expect(wire.send('acked', 0, 12)).toEqual([]);
    expect(wire.isDue).toBe(true);
    expect(wire.send()).toEqual([A]);
    wire.send();
    expect(wire.isDue).toBe(false);
  });

  test('a body without an update is not sent', () => {
    wire.bodies[A] = null;
    expect(wire.send()).toEqual([B]);
  });
});

describe('a moving body', () => {
  test('is sent in every packet, and arrives exactly, whatever is lost', () => {
    forSeeds(1, 5, (seed) => {
      const random = new Random(seed);
      wire = new Wire(8, 'motion');
      for (let tick = 0; tick < 300; tick++) {
        for (const body of wire.bodies) body!.state[0] += random.below(2000) - 1000;
        const fate = random.chance(0.4) ? 'lost' : random.chance(0.4) ? 'ack lost' : 'acked';
        const sent = wire.send(fate);
        expect(sent.sort()).toEqual([0, 1, 2, 3, 4, 5, 6, 7]);
        if (fate === 'lost') continue;
        const states = (updates: readonly (BodyUpdate | null)[]) =>
          updates.map((update) => [...update!.state]);
        expect(states(wire.known)).toEqual(states(wire.bodies));
      }
    });
  });

  test('costs less against a baseline than without', () => {
    wire = new Wire(20, 'motion');
    wire.bodies.forEach((body) => body!.state.set([90_000, 5000, -90_000]));
    wire.send();
    const whole = wire.writer.bits.bodies;
    wire.send();
    expect(wire.writer.bits.bodies).toBeLessThan(whole / 2);
  });

  test('[W5.8] waits if it can, but not with its first motion, or a change of its authority', () => {
    wire = new Wire(2, 'motion');
    wire.urgent.set(A, 0);
    expect(wire.send()).toEqual([A, B]);
    expect(wire.send()).toEqual([B]);
    wire.bodies[A]!.claim.authority = 1 as Slot;
    expect(wire.send('acked', 1)).toEqual([A, B]);
    expect(wire.send('acked', 1)).toEqual([B]);
    wire.receiver.dispute(A);
    expect(wire.send('acked', 1)).toEqual([A, B]);
  });

  test('[W5.3] that is in a hand travels with the avatar: only its record is sent', () => {
    wire = new Wire(1, 'motion');
    wire.send();
    wire.bodies[A]!.kind = 'record';
    wire.send();
    expect(wire.known[A]?.kind).toBe('record');
    expect(wire.send()).toEqual([]);
  });
});

describe('[W5] when there is too much to send', () => {
  /** 400 bodies, each somewhere. */
  function crowd(): Wire {
    const random = new Random(1);
    const many = new Wire(400, 'motion');
    for (const body of many.bodies) {
      const { state } = body!;
      for (let i = 0; i < state.length; i++) state[i] = random.below(20_000) - 10_000;
      // Above the floor, and turned anyhow.
      state[1] = Math.abs(state[1]);
      state[3] = random.below(4);
      state.set(snapped([...state]));
    }
    return many;
  }

  test('[W5.1] [W9.3] a packet is full, and never longer than 1,100 bytes, with every avatar in it too', () => {
    const many = crowd();
    for (let i = 0; i < 20; i++) {
      const sent = many.send('lost', i % (MAX_PLAYERS - 1));
      expect(sent.length).toBeGreaterThan(10);
      const { headers, avatars, bodies } = many.writer.bits;
      // A packet that came out too long is written again, for nine tenths of the room.
      expect((headers + avatars + bodies) / 8).toBeGreaterThan(0.85 * MAX_PACKET_BYTES);
    }
  });

  test('[W9.3] a packet keeps to less than that, too, and every body has its turn in it', () => {
    const many = crowd();
    const seen = new Set<BodyId>();
    for (let i = 0; i < 150; i++)
      for (const body of many.send('acked', 1, i % 2 === 0 ? 500 : 260)) seen.add(body);
    expect(seen.size).toBe(400);
  });

  test('[W5.2] every body has its turn where cheap updates and dear ones come together', () => {
    const many = crowd();
    // A record alone takes a bit or two. It is written last, so it is what the next packet expects of all.
    for (const update of many.bodies.slice(200)) if (update !== null) update.kind = 'record';
    const seen = new Set<BodyId>();
    for (let packet = 0; packet < 40; packet++) {
      const sent = many.send('ack lost');
      expect(sent.length).toBeGreaterThan(0);
      for (const body of sent) seen.add(body);
    }
    expect(seen.size).toBe(400);
  });

  test('[W5.2] every body has its turn', () => {
    const many = crowd();
    const seen = new Set<BodyId>();
    const waits = new Map<BodyId, number>();
    for (let packet = 0; packet < 100; packet++) {
      for (const body of many.send('lost')) {
        seen.add(body);
        expect(packet - (waits.get(body) ?? 0), `body ${body}`).toBeLessThan(25);
        waits.set(body, packet);
      }
    }
    expect(seen.size).toBe(400);
  });

  test('[W5.4] a thrown body goes in, every time, and the others still have their turns', () => {
    const many = crowd();
    const thrown = 399 as BodyId;
    many.urgent.set(thrown, PRIORITY_THROWN);
    const seen = new Set<BodyId>();
    for (let packet = 0; packet < 60; packet++) {
      const sent = many.send('lost');
      expect(sent.includes(thrown)).toBe(true);
      for (const body of sent) seen.add(body);
    }
    expect(seen.size).toBe(400);
  });

  test('[W5.2] bodies under none and bodies under players have the same share', () => {
    const many = crowd();
    many.bodies.forEach((body, i) => (body!.claim.authority = i % 2 === 0 ? NO_SLOT : SPEAKER));
    const counts = [0, 0];
    for (let packet = 0; packet < 60; packet++) for (const body of many.send('lost')) counts[body % 2]++;
    expect(Math.abs(counts[0] - counts[1]) / counts[0]).toBeLessThan(0.1);
  });
});

describe('[J2.5] a packet has all bodies of an island, or none', () => {
  const island = [0, 2, 5] as BodyId[];

  test('though only one of them has changed', () => {
    wire = new Wire(6, 'rest');
    wire.islands = [island];
    wire.send();
    expect(wire.send()).toEqual([]);
    wire.bodies[2]!.state[0]++;
    expect(wire.send()).toEqual(island);
    wire.bodies[B]!.state[0]++;
    expect(wire.send()).toEqual([B]);
  });

  test('and a body that is less urgent goes in where the island does not fit', () => {
    wire = new Wire(6, 'motion');
    wire.islands = [island];
    wire.urgent.set(B, 10);
    // Without a baseline a motion takes some 15 bytes here.
    expect(wire.send('acked', 0, 75)).toEqual([1, 3]);
  });

  test('but what is too long for any packet goes in parts, and all of it arrives', () => {
    wire = new Wire(6, 'motion');
    wire.islands = [[0, 1, 2, 3, 4, 5] as BodyId[]];
    const seen = new Set<BodyId>();
    for (let tick = 0; tick < 12; tick++) for (const body of wire.send('acked', 0, 75)) seen.add(body);
    expect(seen.size).toBe(6);
  });
});
