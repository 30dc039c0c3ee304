import { cubeLaws } from '../../support/laws.ts';
import { describe, expect, test } from 'vitest';
import { MAX_PACKET_BYTES } from '../../../src/core/base/constants.ts';
import type { Slot } from '../../../src/core/base/ids.ts';
import { Random } from '../../../src/core/base/random.ts';
import { BaselineStore } from '../../../src/core/wire/bodies/baselines.ts';
import {
  ALL_ARRIVED,
  AS_PREDICTED,
  SAME_AS_BASE,
  IN_FREE_FLIGHT,
  SAME_GRIDS,
  SAME_HAND,
  SAME_POSE,
} from '../../../src/core/wire/coder/contexts.ts';
import { BallisticCache } from '../../../src/core/wire/bodies/flights.ts';
import { PacketReader } from '../../../src/core/wire/packet.ts';
import type { Before, Circumstances, PlainPacket, PlainUpdate } from '../../support/packets.ts';
import {
  code,
  encode,
  HIGH,
  LOW,
  NO_TICKS,
  snapped,
  plainHeader,
  plainPacket,
  toHex,
} from '../../support/packets.ts';
import { decodeAlike } from './standard/both-decoders.ts';
import { Liar, LongWinded } from './liars.ts';
import { author, circumstances, FAST, MOVED, MOVING, SLOW, STATE, update } from './plain.ts';
import { chain } from './random-packets.ts';
import { readByStandard } from './standard/decoder.ts';
import { stepsOf } from './standard/grids.ts';
import { expectDecodedAlike, expectLiesRefused, expectRandomBytesReadAlike } from './packet-checks.ts';

const POSE = [0, 8192, 0, 3, 0, 0, 0];
const HAND = {
  pose: POSE,
  grip: 63,
  trigger: 0,
  pointing: false,
  thumbUp: false,
  held: { body: 4, ownership: 1, authority: 0, offset: [0, 0, 0, 3, 0, 0, 0] },
  reach: -1,
};
const AVATAR = { age: 0, head: POSE, hands: [null, null], voice: 0, name: [] };

describe('[W1] any well-formed packet', () => {
  test('[W1.1] [W1.2] is decoded alike by the project and by STANDARD.md, and encodes to the same bytes again', () => {
    expectDecodedAlike(0, 49);
  });

  test('depends on how the packet before it was coded, which each end stores for itself', () => {
    const reader = new PacketReader(8, new BallisticCache(cubeLaws(8)));
    const store = new BaselineStore(8);
    const before: Before[] = [];
    const modes = new Set<number>();
    for (const { circumstances, packet } of chain(new Random(1), 60)) {
      const known = { ...circumstances, before };
      const bytes = encode(known, packet);
      expect(reader.readHead(bytes)).toBeNull();
      expect(reader.readBody(0 as Slot, known.packet, store, Int32Array.from(NO_TICKS))).toBeNull();
      expect(plainPacket(reader), `packet ${known.packet}`).toEqual(packet);
      reader.keep(known.packet, store);
      const byStandard = readByStandard(known, bytes);
      expect(byStandard.packet, `packet ${known.packet}`).toEqual(packet);
      const updates = packet.updates.map((one, i) => ({ ...one, course: byStandard.modes[i] }));
      expect(reader.updates.slice(0, updates.length).map(({ mode }) => mode)).toEqual(byStandard.modes);
      for (const mode of byStandard.modes) modes.add(mode);
      before.push({ packet: known.packet, authors: packet.authors, updates });
    }
    expect([...modes].sort()).toEqual([0, 1, 2]);
  });

  test('leaves nothing of the packet before it in the reader', () => {
    const reader = new PacketReader(64, new BallisticCache(cubeLaws(64)));
    const holding = { ...author(5), avatar: { ...AVATAR, hands: [HAND, null] } };
    const hands = [
      { ...HAND, held: null },
      { ...HAND, held: null, reach: 7 },
    ];
    const empty = { ...author(6), avatar: { ...AVATAR, hands } };
    for (const packet of [
      { header: plainHeader(), authors: [holding], base: 0, updates: [update({ kind: 'record', tick: -1 })] },
      { header: plainHeader(), authors: [empty], base: 0, updates: [] },
      { header: plainHeader(), authors: [], base: 0, updates: [] },
    ]) {
      expect(reader.readHead(encode(CIRCUMSTANCES, packet))).toBeNull();
      expect(reader.readBody(0 as Slot, 20, new BaselineStore(64), Int32Array.from(NO_TICKS))).toBeNull();
      expect(plainPacket(reader)).toEqual(packet);
    }
  });

  test('codes free flight by the class of the expected height', () => {
    for (const height of [982, 983, 1228, 1229, 2047, 2048, 4095, 4096]) {
      const bodies = Array.from({ length: 24 }, (_, body) => body);
      const mode = (body: number): 0 | 1 | 2 => ([0, 1, 2] as const)[body % 3];
      const state = SLOW.with(1, height);
      const before = bodies.map((body) => update({ body, state, course: mode(body) }));
      const known = circumstances({ before: [{ packet: 17, updates: before }] });
      const updates = bodies.map((body) => {
        const moved = body % 4 === 0 ? state.with(7, 120) : state;
        return update({ body, state: moved, baselineAge: 3 });
      });
      const packet = { header: plainHeader(), authors: [author(100)], base: 3, updates };
      expect(decodeAlike(known, encode(known, packet)), `${height}`).toEqual(packet);
    }
  });

  test('is predicted alike by ends that have unwrapped the ticks differently', () => {
    // For the writer, the slot's last player was at tick 70,000; the reader has unwrapped it to another tick.
    const bytesAt = (wrap: number): string => {
      const before = update({ kind: 'motion', tick: 4460 + wrap, state: MOVING });
      const here = circumstances({ packet: 5, before: [{ packet: 4, updates: [before] }] });
      const after = update({ kind: 'motion', tick: 4470, state: MOVED, baselineAge: 1 });
      return toHex(
        encode(here, { header: plainHeader(), authors: [author(4470)], base: 0, updates: [after] }),
      );
    };
    expect(bytesAt(65536)).toBe(bytesAt(0));
    expect(bytesAt(-65536)).toBe(bytesAt(0));
  });
});

describe('ticks', () => {
  function readAt(newest: number, tick: number): number {
    const bytes = encode(CIRCUMSTANCES, {
      header: plainHeader(),
      authors: [author(tick & 0xffff)],
      base: 0,
      updates: [],
    });
    const read = decodeAlike({ ...CIRCUMSTANCES, newestTicks: [newest, ...NO_TICKS.slice(1)] }, bytes);
    return typeof read === 'string' ? NaN : read.authors[0].tick;
  }

  test('are the 16 bits themselves at first, then the nearest to the newest', () => {
    expect([readAt(-1, 0), readAt(-1, 65535)]).toEqual([0, 65535]);
    for (const tick of [70_000, 65_000, 97_767, 32_232]) expect(readAt(65_000, tick)).toBe(tick);
  });

  test('[F1.1] are never refused, whatever a guest has sent, since others read them from the host', () => {
    expect([readAt(10, -6), readAt(5, 40_005), readAt(0, -1)]).toEqual([65_530, 40_005, 65_535]);
    expect([readAt(2 ** 30 - 9, 2 ** 30), readAt(2 ** 30 - 9, 2 ** 30 + 7)]).toEqual([2 ** 30, 7]);
  });

  test('of relayed states may be negative, and the states are still predicted alike', () => {
    // The guest's tick is 65,540 for the host, and 4 for a player that has just joined.
    const claim = [1, 0, 0, 0];
    const before = update({ claim, tick: 65_500, state: MOVING });
    const after = update({ claim, tick: 65_510, state: MOVED, baselineAge: 1 });
    const sent = circumstances({ before: [{ packet: 19, updates: [before] }] });
    const authors = [author(9), { ...author(65_540), slot: 1 }];
    const heard = circumstances({ before: [{ packet: 19, updates: [{ ...before, tick: -36 }] }] });
    const read = decodeAlike(
      heard,
      encode(sent, { header: plainHeader(), authors, base: 0, updates: [after] }),
    );
    expect(read).toMatchObject({ base: 0, updates: [{ tick: -26, state: MOVED }] });
  });
});

describe('[W6.1] a reader refuses', () => {
  test('an empty packet, and one that is too long', () => {
    expect(new PacketReader(64, new BallisticCache(cubeLaws(64))).readHead(new Uint8Array(0))).toBe(
      'truncated or out of range',
    );
    expect(
      new PacketReader(64, new BallisticCache(cubeLaws(64))).readHead(new Uint8Array(MAX_PACKET_BYTES + 1)),
    ).toBe('too long');
  });

  test('a baseline that it does not have', () => {
    const sent = withBaseline('motion');
    const bytes = encode(sent, {
      header: plainHeader(),
      authors: [author(100)],
      base: 0,
      updates: [update({ kind: 'motion', state: MOVING, baselineAge: 3 })],
    });
    expect(decodeAlike(sent, bytes)).not.toBeTypeOf('string');
    expect(decodeAlike({ ...sent, before: [] }, bytes)).toBe('unknown baseline');
    expect(decodeAlike({ ...sent, packet: 21 }, bytes)).toBe('unknown baseline');
  });

  test('any number beyond its range', () => {
    expect(expectLiesRefused(0, 4)).toBeGreaterThan(50);
  });

  test('any number that comes out beyond its range, but not the end of the range', () => {
    for (const kind of ['motion', 'rest'] as const) {
      const states = kind === 'rest' ? [STATE] : [SLOW, MOVING, FAST];
      const ends = states.flatMap((state) => [
        ...endsOf(kind, state, HIGH, 1),
        ...endsOf(kind, state, LOW, -1),
      ]);
      for (const { end, at, out } of ends) {
        for (const mode of [0, 1, 2] as const) {
          const to = (last: number): PlainUpdate => update({ kind, state: end.with(at, last) });
          const before = {
            ...to(end[at] - 2 * out),
            tick: 97,
            ...(kind === 'motion' ? { course: mode } : {}),
          };
          const known = circumstances({ before: [{ packet: 17, updates: [before] }] });
          const said = (last: number): Uint8Array =>
            encode(known, {
              header: plainHeader(),
              authors: [author(100)],
              base: 3,
              updates: [{ ...to(last), baselineAge: 3 }],
            });
          expect(decodeAlike(known, said(end[at])), `${kind} ${at}`).toBeTypeOf('object');
          expect(decodeAlike(known, said(end[at] + out)), `${kind} ${at}`).toBe('truncated or out of range');
        }
      }
    }
  });

  test('a base that is too old', () => {
    const packet = { header: plainHeader(), authors: [author(1)], updates: [] };
    expect(decodeAlike(CIRCUMSTANCES, encode(CIRCUMSTANCES, { ...packet, base: 47 }))).toBeTypeOf('object');
    expect(decodeAlike(CIRCUMSTANCES, encode(CIRCUMSTANCES, { ...packet, base: 48 }))).toBe(
      'truncated or out of range',
    );
  });

  test('random bytes, as STANDARD.md does; or reads them as the packet that encodes to them', () => {
    expectRandomBytesReadAlike(9, 100);
  });

  test('a body in both hands', () => {
    const write = (hands: readonly (typeof HAND | null)[]): Uint8Array => {
      const authors = [{ ...author(1), avatar: { ...AVATAR, hands } }];
      return encode(CIRCUMSTANCES, { header: plainHeader(), authors, base: 0, updates: [] });
    };
    expect(decodeAlike(CIRCUMSTANCES, write([HAND, HAND]))).toBe('truncated or out of range');
    expect(decodeAlike(CIRCUMSTANCES, write([null, HAND]))).not.toBeTypeOf('string');
  });
});

describe('[W1.2] a reader refuses forms that are not canonical', () => {
  const KNOWN = update({ kind: 'motion', tick: 97, state: MOVING });

  /** The result of reading a packet with the bit `at` inverted; null if it has fewer bits. */
  function turned(
    at: number,
    packet: PlainPacket,
    before: PlainUpdate,
  ): ReturnType<typeof decodeAlike> | null {
    const known = circumstances({ before: [{ packet: 17, updates: [before] }] });
    const liar = new Liar(Infinity, at);
    code(liar, known, packet);
    if (!liar.lied) return null;
    const bytes = liar.finish();
    const read = decodeAlike(known, bytes, `question ${at}`);
    return read;
  }

  /** No inverted bit leaves the packet the same. */
  test.each<[string, Partial<PlainUpdate>, Partial<PlainUpdate>]>([
    ['of a record', { kind: 'record', tick: -1 }, { kind: 'record', tick: -1 }],
    ['of a body that came to rest', { kind: 'rest', state: STATE }, { kind: 'motion', state: MOVING }],
    ['of a body that stays at rest', { kind: 'rest', state: STATE }, { kind: 'rest', state: STATE }],
    ['of a body that moves', { state: MOVED }, { state: MOVING }],
    ['of a body with another claim', { state: MOVED, claim: [0, 0, 0, 1] }, { state: MOVING }],
  ])('%s', (_, sent, before) => {
    const after = update({ ...sent, baselineAge: 3 });
    const packet = { header: plainHeader(), authors: [author(100)], base: 3, updates: [after] };
    let asked = 0;
    for (let at = 0; ; at++) {
      const read = turned(at, packet, { ...KNOWN, ...before });
      if (read === null) break;
      if (typeof read === 'string') asked++;
      expect(read, `question ${at}`).not.toEqual(packet);
    }
    expect(asked).toBeGreaterThan(0);
  });
});

describe('[W1.2] a reader refuses numbers that a flag would have coded', () => {
  test('of free flight exactly as predicted', () => {
    const known = circumstances({ before: [{ packet: 17, updates: [update({ tick: 97, state: MOVING })] }] });
    const flown = update({ state: MOVING, tick: 97, baselineAge: 3 });
    const packet = { header: plainHeader(), authors: [author(97)], base: 3, updates: [flown] };
    expect(decodeAlike(known, encode(known, packet))).toEqual(packet);
    expect(decodeAlike(known, toldWithout(AS_PREDICTED, known, packet))).toBe('truncated or out of range');
  });

  test.each([
    ['for free flight', IN_FREE_FLIGHT + 2, MOVING],
    ['for the same grids', SAME_GRIDS + 7 * 5 + 5, MOVED],
  ])('of a motion: %s', (_, context, state) => {
    const known = circumstances({ before: [{ packet: 17, updates: [update({ tick: 97, state: MOVING })] }] });
    const moved = update({ state, tick: 97, baselineAge: 3 });
    const packet = { header: plainHeader(), authors: [author(97)], base: 0, updates: [moved] };
    expect(decodeAlike(known, encode(known, packet))).toEqual(packet);
    expect(decodeAlike(known, toldWithout(context, known, packet))).toBe('truncated or out of range');
  });

  test.each([
    ['record', SAME_AS_BASE, []],
    ['rest', SAME_AS_BASE + 2, STATE],
    ['motion', SAME_AS_BASE + 4, MOVED],
  ] as const)('that all is as usual: a %s against the base', (kind, context, state) => {
    const tick = kind === 'record' ? -1 : 97;
    const before = { packet: 17, updates: [update({ kind, tick, state: state.length > 0 ? STATE : [] })] };
    const known = circumstances({ before: [before] });
    const usual = update({ kind, tick, state, baselineAge: 3 });
    const packet = { header: plainHeader(), authors: [author(97)], base: 3, updates: [usual] };
    expect(decodeAlike(known, encode(known, packet))).toEqual(packet);
    expect(decodeAlike(known, toldWithout(context, known, packet))).toBe('truncated or out of range');
  });

  test.each([SAME_POSE, SAME_POSE + 1])('a pose that is the same, %i', (context) => {
    const still = { ...author(97), avatar: { ...AVATAR, hands: [HAND, null] } };
    const known = circumstances({ before: [{ packet: 17, updates: [], authors: [still] }] });
    const packet = { header: plainHeader(), authors: [{ ...still, baselineAge: 3 }], base: 3, updates: [] };
    expect(decodeAlike(known, encode(known, packet))).toEqual(packet);
    expect(decodeAlike(known, toldWithout(context, known, packet))).toBe('truncated or out of range');
  });

  test.each([
    ['holds nothing', SAME_HAND, { ...HAND, held: null }],
    ['holds', SAME_HAND + 1, HAND],
  ] as const)('what a hand does that is the same, and %s', (_, context, hand) => {
    const before = { ...author(97), avatar: { ...AVATAR, hands: [hand, null] } };
    const moved = { ...hand, pose: [hand.pose[0] + 4, ...hand.pose.slice(1)] };
    const now = { ...before, avatar: { ...AVATAR, hands: [moved, null] }, baselineAge: 3 };
    const known = circumstances({ before: [{ packet: 17, updates: [], authors: [before] }] });
    const packet = { header: plainHeader(), authors: [now], base: 3, updates: [] };
    expect(decodeAlike(known, encode(known, packet))).toEqual(packet);
    expect(decodeAlike(known, toldWithout(context, known, packet))).toBe('truncated or out of range');
  });

  test('that all packets of a group have arrived', () => {
    const header = { ...plainHeader(), ack: 40, ackBits: 0xffffffff };
    const packet = { header, authors: [author(97)], base: 0, updates: [] };
    expect(decodeAlike(CIRCUMSTANCES, encode(CIRCUMSTANCES, packet))).toEqual(packet);
    const told = toldWithout(ALL_ARRIVED + 1, CIRCUMSTANCES, packet);
    expect(decodeAlike(CIRCUMSTANCES, told)).toBe('truncated or out of range');
  });

  function toldWithout(context: number, known: Circumstances, packet: PlainPacket): Uint8Array {
    const longWinded = new LongWinded(context);
    code(longWinded, known, packet);
    return longWinded.finish();
  }
});

const CIRCUMSTANCES = circumstances({});

/** Packet 17 had body 5 at tick 97. */
function withBaseline(kind: PlainUpdate['kind']): Circumstances {
  const state = kind === 'motion' ? MOVING : STATE;
  return circumstances({ before: [{ packet: 17, updates: [update({ kind, tick: 97, state })] }] });
}

/** The state with each number in turn at an end of its range, on its grid, and the step that leads out of it. */
function endsOf(
  kind: PlainUpdate['kind'],
  state: readonly number[],
  ends: readonly number[],
  side: number,
): { end: number[]; at: number; out: number }[] {
  return ends.flatMap((value, at) => {
    if (at === 3 || (kind === 'rest' && at > 6)) return [];
    const end = snapped(state.with(at, value));
    return [{ end, at, out: side * stepsOf(end)[at] }];
  });
}
