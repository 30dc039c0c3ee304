import { beforeEach, describe, expect, test } from 'vitest';
import type { BodyId, Slot } from '../../../src/core/base/ids.ts';
import { NO_SLOT } from '../../../src/core/base/ids.ts';
import {
  MAX_PACKET_BYTES,
  MAX_PLAYERS,
  PRIORITY_BASE,
  PRIORITY_THROWN,
} from '../../../src/core/base/constants.ts';
import { Random } from '../../../src/core/base/random.ts';
import type { OutboxSource } from '../../../src/core/peer/outbox.ts';
import { Outbox } from '../../../src/core/peer/outbox.ts';
import { avatarSample } from '../../../src/core/wire/avatar.ts';
import { Flights } from '../../../src/core/wire/flights.ts';
import { BaselineStore } from '../../../src/core/wire/baselines.ts';
import { packetHeader, PacketReader } from '../../../src/core/wire/packet.ts';
import type { BodyUpdate } from '../../../src/core/wire/update.ts';
import { bodyUpdate } from '../../../src/core/wire/update.ts';
import { copyUpdate } from '../../support/updates.ts';
import { onItsGrain } from '../../support/packets.ts';
import { forSeeds } from '../../support/seeds.ts';

const SPEAKER = 0 as Slot;

/** What the sender believes of its bodies, and a receiver that reads what gets through. */
class Wire implements OutboxSource {
  readonly outbox: Outbox;
  readonly bodies: (BodyUpdate | null)[];
  readonly insisted = new Set<BodyId>();
  readonly urgent = new Map<BodyId, number>();
  readonly changes: Int32Array;
  /** The bodies of which the outbox asked what there is to say, since the last packet. */
  readonly asked: BodyId[] = [];
  /** For each body what there was to say of it when `changes` was last counted. */
  readonly #counted: string[] = [];
  readonly #received: BaselineStore;
  readonly #reader: PacketReader;
  /** What the receiver knows of each body. */
  readonly known: (BodyUpdate | null)[];
  /** [W8] Whether the last tick had something to say. */
  isUrgent = false;
  #packet = 0;

  constructor(count: number, kind: BodyUpdate['kind']) {
    const flights = new Flights(count);
    this.outbox = new Outbox(count, flights);
    this.changes = new Int32Array(count);
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
    const said = this.bodies[body];
    this.asked.push(body);
    if (said === null) return false;
    copyUpdate(said, out);
    out.tick = this.#packet - 1;
    return true;
  }

  insists(body: BodyId): boolean {
    return this.insisted.has(body);
  }

  urgency(body: BodyId): number {
    return this.urgent.get(body) ?? PRIORITY_BASE;
  }

  #countChanges(): void {
    this.bodies.forEach((said, body) => {
      const now = JSON.stringify([said, this.insisted.has(body as BodyId)]);
      if (now !== this.#counted[body]) this.changes[body]++;
      this.#counted[body] = now;
    });
  }

  /** Sends a tick's packet; returns the bodies in it. It arrives, and is acked, unless it is lost. */
  send(fate: 'acked' | 'ack lost' | 'lost' = 'acked', avatars = 0, most = MAX_PACKET_BYTES): BodyId[] {
    const packet = this.#packet++;
    this.asked.length = 0;
    this.#countChanges();
    this.isUrgent = this.outbox.raise(this);
    const authors = Array.from({ length: MAX_PLAYERS }, (_, slot) =>
      slot <= avatars ? { tick: packet, avatar: slot < avatars ? avatarSample() : null } : null,
    );
    const header = { ...packetHeader(), sequence: packet };
    const bytes = this.outbox.write(header, packet, SPEAKER, authors, this, most);
    expect(bytes.length).toBeLessThanOrEqual(most);
    const { headers, avatars: avatarBits, bodies } = this.outbox.bits;
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
    if (fate === 'acked') this.outbox.acked(packet);
    return updates.map(({ body }) => body);
  }
}

const [A, B] = [0, 1] as BodyId[];
let wire: Wire;

describe('what the receiver is known to have right', () => {
  beforeEach(() => {
    wire = new Wire(2, 'rest');
  });

  test('is not said again; what is not acked is: at once, and then in every fifth tick', () => {
    expect(wire.send('lost')).toEqual([A, B]);
    expect(wire.send('ack lost')).toEqual([A, B]);
    for (let round = 0; round < 3; round++) {
      for (let tick = 0; tick < 4; tick++) expect(wire.send('lost')).toEqual([]);
      expect(wire.send(round < 2 ? 'lost' : 'acked')).toEqual([A, B]);
    }
    for (let tick = 0; tick < 12; tick++) expect(wire.send()).toEqual([]);
  });

  test('costs nothing: it is not even asked for until it changes', () => {
    wire.send();
    wire.send();
    wire.send();
    expect(wire.asked).toEqual([]);
    wire.bodies[B]!.state[0]++;
    wire.send();
    expect(new Set(wire.asked)).toEqual(new Set([B]));
  });

  test('is said anew when it changes: its rest pose, or who has it', () => {
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

  test('an ack of what was said before it changed does not count, though it changed back', () => {
    wire.send();
    const before = wire.bodies[A]!.state[0];
    wire.bodies[A]!.state[0]++;
    wire.send('lost');
    wire.bodies[A]!.state[0] = before;
    expect(wire.send()).toEqual([A]);
    expect(wire.send()).toEqual([]);
    expect(wire.known[A]?.state[0]).toBe(before);
  });

  test('is said again if the receiver speaks against it, once', () => {
    wire.send();
    wire.outbox.dispute(B);
    expect(wire.send()).toEqual([B]);
    expect(wire.send()).toEqual([]);
  });

  test('is said for as long as the sender insists', () => {
    wire.insisted.add(A);
    for (let i = 0; i < 5; i++) expect(wire.send().includes(A)).toBe(true);
    wire.insisted.clear();
    expect(wire.send()).toEqual([]);
  });

  test('is nothing after a reset', () => {
    wire.send();
    expect(wire.send()).toEqual([]);
    wire.outbox.reset();
    expect(wire.send()).toEqual([A, B]);
  });

  test('[W8] makes no packet urgent; what has to be said does', () => {
    wire.send('ack lost');
    expect(wire.isUrgent).toBe(true);
    wire.send();
    wire.send();
    expect(wire.isUrgent).toBe(false);
    wire.bodies[A]!.kind = 'motion';
    wire.send();
    expect(wire.isUrgent).toBe(true);
  });

  test('[W8] what could not be said yet stays urgent, though nothing has come to it since', () => {
    for (let n = 0; n < 3; n++) wire.send();
    wire.bodies[A]!.kind = 'motion';
    expect(wire.send()).toEqual([A]);
    expect(wire.send('acked', 0, 12)).toEqual([]);
    wire.urgent.set(A, 0);
    expect(wire.send('acked', 0, 12)).toEqual([]);
    expect(wire.isUrgent).toBe(true);
    expect(wire.send()).toEqual([A]);
    wire.send();
    expect(wire.isUrgent).toBe(false);
  });

  test('of what there is nothing to say, nothing is said', () => {
    wire.bodies[A] = null;
    expect(wire.send()).toEqual([B]);
  });
});

describe('what moves', () => {
  test('is said in every packet, and arrives as it is, whatever is lost', () => {
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
    const whole = wire.outbox.bits.bodies;
    wire.send();
    expect(wire.outbox.bits.bodies).toBeLessThan(whole / 2);
  });

  test('[W5] what can wait waits, but not that it moves, or who has it', () => {
    wire = new Wire(2, 'motion');
    wire.urgent.set(A, 0);
    expect(wire.send()).toEqual([A, B]);
    expect(wire.send()).toEqual([B]);
    wire.bodies[A]!.claim.authority = 1 as Slot;
    expect(wire.send('acked', 1)).toEqual([A, B]);
    expect(wire.send('acked', 1)).toEqual([B]);
    wire.outbox.dispute(A);
    expect(wire.send('acked', 1)).toEqual([A, B]);
  });

  test('[W5] a body in a hand travels with the avatar: of it, only the record is said', () => {
    wire = new Wire(1, 'motion');
    wire.send();
    wire.bodies[A]!.kind = 'record';
    wire.send();
    expect(wire.known[A]?.kind).toBe('record');
    expect(wire.send()).toEqual([]);
  });
});

describe('[W5] when there is too much to say', () => {
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
      state.set(onItsGrain([...state]));
    }
    return many;
  }

  test('a packet is full, and never longer than 1,100 bytes, with every avatar in it too', () => {
    const many = crowd();
    for (let i = 0; i < 20; i++) {
      const sent = many.send('lost', i % (MAX_PLAYERS - 1));
      expect(sent.length).toBeGreaterThan(10);
      const { headers, avatars, bodies } = many.outbox.bits;
      expect((headers + avatars + bodies) / 8).toBeGreaterThan(0.9 * MAX_PACKET_BYTES);
    }
  });

  test('[W9] a packet keeps to a smaller room just as well, and everybody has its turn in it', () => {
    const many = crowd();
    const seen = new Set<BodyId>();
    for (let i = 0; i < 150; i++)
      for (const body of many.send('acked', 1, i % 2 === 0 ? 500 : 260)) seen.add(body);
    expect(seen.size).toBe(400);
  });

  test('everybody has its turn', () => {
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

  test('what was thrown goes in, every time, and the others still have their turns', () => {
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

  test('nobody has all to itself: bodies under none and under players alike', () => {
    const many = crowd();
    many.bodies.forEach((body, i) => (body!.claim.authority = i % 2 === 0 ? NO_SLOT : SPEAKER));
    const counts = [0, 0];
    for (let packet = 0; packet < 60; packet++) for (const body of many.send('lost')) counts[body % 2]++;
    expect(Math.abs(counts[0] - counts[1]) / counts[0]).toBeLessThan(0.1);
  });
});
