import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { MAX_PACKET_BYTES, MAX_PLAYERS } from '../../src/core/base/constants.ts';
import type { Slot } from '../../src/core/base/ids.ts';
import { NO_SLOT } from '../../src/core/base/ids.ts';
import type { Transport } from '../../src/core/link/transport.ts';

/** Two ends that are connected and lose nothing; no other slot is. */
export type TransportPair = {
  readonly host: Transport;
  readonly guest: Transport;
  readonly hostSlot: Slot;
  readonly guestSlot: Slot;
  /** Milliseconds, for `receive`. */
  now(): number;
  /** Lets about 10 ms pass. */
  pass(): Promise<void>;
  dispose(): void | Promise<void>;
};

/** `text` is the bytes as text, which compares and counts more quickly. */
type Arrival = { readonly from: Slot; readonly bytes: Uint8Array; readonly text: string };

/** Times that 10 ms pass before a test gives up on a packet, or is content that none comes. */
const PATIENCE = 500;
const SILENCE = 30;

/** Declares the tests that every transport must pass. */
export function transportContract(name: string, setup: () => TransportPair | Promise<TransportPair>): void {
  describe(`${name} keeps the transport contract`, () => {
    let pair: TransportPair;
    let ends: readonly End[];
    beforeEach(async () => {
      pair = await setup();
      ends = [
        { self: pair.host, slot: pair.hostSlot, other: pair.guestSlot, arrivals: [] },
        { self: pair.guest, slot: pair.guestSlot, other: pair.hostSlot, arrivals: [] },
      ];
    });
    afterEach(() => pair.dispose());

    describe('open', () => deliveryTests(() => [pair, ends]));
    describe('closed', () => closingTests(() => [pair, ends]));
    describe('unknown', () => unknownTests(() => [pair, ends]));
  });
}

/** One end: its transport, its slot, the other's slot, and the packets that have arrived. */
type End = {
  readonly self: Transport;
  readonly slot: Slot;
  readonly other: Slot;
  readonly arrivals: Arrival[];
};
type Setting = () => readonly [TransportPair, readonly End[]];

function poll(pair: TransportPair, end: End): void {
  end.self.receive(pair.now(), (from, bytes) => {
    end.arrivals.push({ from, bytes: bytes.slice(), text: bytes.join() });
  });
}

/** Polls both ends until `done`, or patience is at its end. */
async function pollUntil([pair, ends]: ReturnType<Setting>, done: () => boolean): Promise<void> {
  for (let round = 0; round < PATIENCE && !done(); round++) {
    await pair.pass();
    for (const end of ends) poll(pair, end);
  }
}

/** Polls both ends for a while in which nothing is expected. */
async function pollInSilence([pair, ends]: ReturnType<Setting>): Promise<void> {
  for (let round = 0; round < SILENCE; round++) {
    await pair.pass();
    for (const end of ends) poll(pair, end);
  }
}

/** Bytes that tell one packet from another, and a shifted or cut one from a whole one. */
function packet(length: number, mark: number): Uint8Array {
  return Uint8Array.from({ length }, (_, i) => (mark * 31 + i * 7) & 0xff);
}

/** In an order that doesn't matter, and once each: a transport may reorder and duplicate. */
function distinct(arrivals: readonly Arrival[]): string[] {
  return [...new Set(arrivals.map(({ text }) => text))].sort();
}

function deliveryTests(setting: Setting): void {
  test('says so at both ends', () => {
    for (const { self, other } of setting()[1]) expect(self.state(other)).toBe('open');
  });

  test('delivers bytes intact, both ways at once, and says from whom', async () => {
    const [pair, ends] = setting();
    const sent = ends.map((_, side) => [1, 2, 3, 499, 500].map((length) => packet(length, side + length)));
    ends.forEach(({ self, other }, side) => {
      for (const bytes of sent[side]) expect(self.send(other, bytes)).toBe(true);
    });
    await pollUntil([pair, ends], () => ends.every(({ arrivals }) => distinct(arrivals).length === 5));
    ends.forEach(({ arrivals, other }, side) => {
      expect(distinct(arrivals)).toEqual(sent[1 - side].map((bytes) => bytes.join()).sort());
      expect(new Set(arrivals.map(({ from }) => from))).toEqual(new Set([other]));
    });
  });

  test('never delivers to the sender', async () => {
    const [pair, [host, guest]] = setting();
    for (let i = 0; i < 10; i++) host.self.send(host.other, packet(20, i));
    await pollUntil([pair, [host, guest]], () => distinct(guest.arrivals).length === 10);
    await pollInSilence([pair, [host, guest]]);
    expect(host.arrivals).toEqual([]);
  });

  test.each([
    ['of one byte', 1],
    ['of the maximum size', MAX_PACKET_BYTES],
  ])('carries a packet that is %s', async (_, length) => {
    const [pair, [host, guest]] = setting();
    const bytes = packet(length, 9);
    expect(host.self.send(host.other, bytes)).toBe(true);
    await pollUntil([pair, [host, guest]], () => guest.arrivals.length > 0);
    expect(guest.arrivals[0].bytes).toEqual(bytes);
  });

  test('lets the sender use the bytes again at once', async () => {
    const [pair, [host, guest]] = setting();
    const bytes = new Uint8Array(64);
    for (let i = 1; i <= 20; i++) {
      bytes.fill(i);
      host.self.send(host.other, bytes);
      bytes.fill(0);
    }
    await pollUntil([pair, [host, guest]], () => distinct(guest.arrivals).length === 20);
    const sent = Array.from({ length: 20 }, (_, i) => new Uint8Array(64).fill(i + 1).join());
    expect(distinct(guest.arrivals)).toEqual(sent.sort());
  });

  test('sends a part of a larger array as that part', async () => {
    const [pair, [host, guest]] = setting();
    const whole = packet(300, 4);
    host.self.send(host.other, whole.subarray(100, 150));
    await pollUntil([pair, [host, guest]], () => guest.arrivals.length > 0);
    expect(guest.arrivals[0].bytes).toEqual(whole.slice(100, 150));
  });

  test('delivers while it is asked to, never later', async () => {
    const [pair, [host, guest]] = setting();
    let isAsked = true;
    let unasked = 0;
    guest.self.receive(pair.now(), () => (unasked += isAsked ? 0 : 1));
    isAsked = false;
    host.self.send(host.other, packet(30, 1));
    for (let round = 0; round < SILENCE; round++) await pair.pass();
    expect(unasked).toBe(0);
    await pollUntil([pair, [host, guest]], () => guest.arrivals.length > 0);
    expect(guest.arrivals[0].bytes).toEqual(packet(30, 1));
  });

  test('loses nothing that was sent while it was not ready, and is ready again', async () => {
    const [pair, [host, guest]] = setting();
    const count = 300;
    const answers = new Set<unknown>();
    for (let i = 0; i < count; i++) {
      answers.add(host.self.ready(host.other));
      const bytes = packet(MAX_PACKET_BYTES, 0);
      new DataView(bytes.buffer).setUint32(0, i);
      expect(host.self.send(host.other, bytes)).toBe(true);
    }
    await pollUntil([pair, [host, guest]], () => distinct(guest.arrivals).length === count);
    expect(distinct(guest.arrivals)).toHaveLength(count);
    for (const answer of answers) expect(answer).toBeTypeOf('boolean');
    // Its end may have to learn first that all is there.
    await pollUntil([pair, [host, guest]], () => host.self.ready(host.other));
    expect(host.self.ready(host.other)).toBe(true);
  });
}

function closingTests(setting: Setting): void {
  test.each([
    ['host', 0],
    ['guest', 1],
  ])('by the %s: both ends say so, and send and deliver nothing', async (_, side) => {
    const [pair, ends] = setting();
    const closer = ends[side];
    for (const { self, other } of ends) self.send(other, packet(40, 1));
    closer.self.close(closer.other);
    expect(closer.self.state(closer.other)).toBe('closed');
    await pollUntil([pair, ends], () => ends.every(({ self, other }) => self.state(other) === 'closed'));
    expect(closer.arrivals).toEqual([]);
    for (const end of ends) {
      expect(end.self.state(end.other)).toBe('closed');
      expect(end.self.ready(end.other)).toBe(false);
      expect(end.self.send(end.other, packet(40, 2))).toBe(false);
      end.arrivals.length = 0;
    }
    await pollInSilence([pair, ends]);
    for (const { arrivals } of ends) expect(arrivals).toEqual([]);
  });

  test('twice is as once', () => {
    const [, [host]] = setting();
    host.self.close(host.other);
    host.self.close(host.other);
    expect(host.self.state(host.other)).toBe('closed');
  });

  test('while delivering: nothing more is delivered', async () => {
    const [pair, [host, guest]] = setting();
    for (let i = 0; i < 10; i++) host.self.send(host.other, packet(40, i));
    let delivered = 0;
    const closeAtFirst = (): void => {
      delivered++;
      guest.self.close(guest.other);
    };
    for (let round = 0; round < PATIENCE && guest.self.state(guest.other) === 'open'; round++) {
      for (let i = 0; i < SILENCE; i++) await pair.pass();
      guest.self.receive(pair.now(), closeAtFirst);
    }
    guest.self.receive(pair.now(), closeAtFirst);
    expect(delivered).toBe(1);
  });
}

function unknownTests(setting: Setting): void {
  const strangers: readonly (readonly [string, (end: End) => Slot])[] = [
    ['a slot that nobody has', () => (MAX_PLAYERS - 1) as Slot],
    ['no slot', () => NO_SLOT],
    ["one's own slot", ({ slot }) => slot],
  ];

  test.each(strangers)('%s: there is no connection, and nothing throws', async (_, slotOf) => {
    const [pair, ends] = setting();
    for (const end of ends) {
      const stranger = slotOf(end);
      expect(end.self.state(stranger)).toBe('none');
      expect(end.self.ready(stranger)).toBe(false);
      expect(end.self.send(stranger, packet(40, 3))).toBe(false);
      end.self.close(stranger);
      expect(end.self.state(stranger)).toBe('none');
    }
    await pollInSilence([pair, ends]);
    for (const { arrivals } of ends) expect(arrivals).toEqual([]);
    for (const { self, other } of ends) expect(self.state(other)).toBe('open');
  });
}
