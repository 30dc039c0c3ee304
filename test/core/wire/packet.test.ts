import { describe, expect, test } from 'vitest';
import { MAX_PACKET_BYTES } from '../../../src/core/base/constants.ts';
import type { ConnectionId, Slot } from '../../../src/core/base/ids.ts';
import { Random } from '../../../src/core/base/random.ts';
import { STRIDE } from '../../../src/core/base/state.ts';
import { BaselineStore } from '../../../src/core/wire/baselines.ts';
import { BitWriter } from '../../../src/core/wire/bits.ts';
import { PacketReader, writeHeader } from '../../../src/core/wire/packet.ts';
import { predict } from '../../../src/core/wire/predict.ts';
import type { Circumstances, PlainUpdate } from '../../support/packets.ts';
import {
  decode,
  encode,
  NO_TICKS,
  plainHeader,
  plainPacket,
  toHex,
  UNCLAIMED,
  withoutAges,
} from '../../support/packets.ts';
import { randomExchange } from './random-packets.ts';
import { decodeByStandard } from './standard-decoder.ts';

const STATE = [1000, 2000, 3000, 3, 10, 20, 30, 0, 0, 0, 0, 0, 0];
const MOVING = [...STATE.slice(0, 7), 100, 200, 300, 400, 500, 600];
const MOVED = MOVING.map((n, i) => (i === 3 ? n : n + 1));

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

/** One author: slot 0 at tick 100, without an avatar. */
const HEAD: readonly Field[] = [
  [1, 4],
  [0, 3],
  [100, 16],
  [0, 1],
];
/** Body 5, no baseline, a claim of nobody's. */
const FIVE: readonly Field[] = [
  [1, 1],
  [5, 6],
  [0, 1],
  [0, 33],
];

describe('[W1] any well-formed packet', () => {
  test('comes back as it was, read by the project and by STANDARD.md, and encodes to the same bytes', () => {
    for (let seed = 0; seed < 1000; seed++) {
      const { circumstances, packet } = randomExchange(new Random(seed));
      const bytes = encode(circumstances, packet);
      const byStandard = decodeByStandard(circumstances, bytes);
      expect(byStandard, `seed ${seed}`).toEqual(packet);
      expect(decode(circumstances, bytes), `seed ${seed}`).toEqual(withoutAges(packet));
      expect(toHex(encode(circumstances, byStandard)), `seed ${seed}`).toBe(toHex(bytes));
    }
  });

  test('says nothing of the packet before it', () => {
    const reader = new PacketReader(64);
    const holding = { ...author(5), avatar: { ...AVATAR, hands: [HAND, null] } };
    const empty = {
      ...author(6),
      avatar: {
        ...AVATAR,
        hands: [
          { ...HAND, held: null },
          { ...HAND, held: null, reach: 7 },
        ],
      },
    };
    for (const packet of [
      { header: plainHeader(), authors: [holding], updates: [update({ kind: 'record', tick: -1 })] },
      { header: plainHeader(), authors: [empty], updates: [] },
      { header: plainHeader(), authors: [], updates: [] },
    ]) {
      expect(reader.readHead(encode(CIRCUMSTANCES, packet))).toBeNull();
      expect(reader.readBody(0 as Slot, 20, new BaselineStore(64), Int32Array.from(NO_TICKS))).toBeNull();
      expect(plainPacket(reader)).toEqual(packet);
    }
  });

  test('baselines are taken at ages 1 to 47, and predicted over ticks that have wrapped', () => {
    for (const [age, ticks] of [
      [1, 1],
      [47, 63],
      [47, 64],
      [20, 30],
    ]) {
      const before = update({ kind: 'motion', tick: 65530, state: MOVING });
      const after = update({
        kind: 'motion',
        tick: 65530 + ticks,
        state: MOVED,
        baselineAge: age,
      });
      const sent = circumstances({ packet: 100, before: [{ packet: 100 - age, updates: [before] }] });
      const packet = {
        header: plainHeader({ sequence: 100 }),
        authors: [author(65530 + ticks)],
        updates: [after],
      };
      const heard = { ...sent, newestTicks: [65535, ...NO_TICKS.slice(1)] };
      expect(decode(heard, encode(sent, packet))).toEqual(withoutAges(packet));
    }
  });

  test('is predicted alike by ends that count ticks from different wraps', () => {
    // The slot's last player was at tick 70,000 to the writer; the reader has unwrapped it elsewhere.
    const bytesAt = (wrap: number): string => {
      const before = update({ kind: 'motion', tick: 4460 + wrap, state: MOVING });
      const here = circumstances({ packet: 5, before: [{ packet: 4, updates: [before] }] });
      const after = update({ kind: 'motion', tick: 4470, state: MOVED, baselineAge: 1 });
      return toHex(encode(here, { header: plainHeader(), authors: [author(4470)], updates: [after] }));
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
      updates: [],
    });
    const read = decode({ ...CIRCUMSTANCES, newestTicks: [newest, ...NO_TICKS.slice(1)] }, bytes);
    return typeof read === 'string' ? NaN : read.authors[0].tick;
  }

  test('are the first as they stand, then nearest to the newest', () => {
    expect([readAt(-1, 0), readAt(-1, 65535)]).toEqual([0, 65535]);
    for (const tick of [70_000, 65_000, 97_767, 32_232]) expect(readAt(65_000, tick)).toBe(tick);
  });

  test('[F1] are never refused, whatever a player has done to them: others read them from the host', () => {
    expect([readAt(10, -6), readAt(5, 40_005), readAt(0, -1)]).toEqual([65_530, 40_005, 65_535]);
    expect([readAt(2 ** 30 - 9, 2 ** 30), readAt(2 ** 30 - 9, 2 ** 30 + 7)]).toEqual([2 ** 30, 7]);
  });

  test('of relayed states may lie before the first, and still are predicted alike', () => {
    // The guest's tick is 65,540 to the host, and 4 to one who has just joined.
    const claim = [1, 0, 0, 0];
    const before = update({ claim, tick: 65_500, state: MOVING });
    const after = update({ claim, tick: 65_510, state: MOVED, baselineAge: 1 });
    const sent = circumstances({ before: [{ packet: 19, updates: [before] }] });
    const authors = [author(9), { ...author(65_540), slot: 1 }];
    const heard = circumstances({ before: [{ packet: 19, updates: [{ ...before, tick: -36 }] }] });
    const read = decode(heard, encode(sent, { header: plainHeader(), authors, updates: [after] }));
    expect(read).toMatchObject({ updates: [{ tick: -26, state: MOVED }] });
  });
});

describe('[W6] a reader refuses', () => {
  test('nothing at all, and what is too long', () => {
    expect(new PacketReader(64).readHead(new Uint8Array(0))).toBe('truncated or out of range');
    expect(new PacketReader(64).readHead(new Uint8Array(MAX_PACKET_BYTES + 1))).toBe('too long');
  });

  test('what ends in the middle of the table of authors', () => {
    expect(decode(CIRCUMSTANCES, bytesOf([[8, 4]], 'good'))).toBe('truncated or out of range');
  });

  test('an author twice', () => {
    const bytes = encode(CIRCUMSTANCES, {
      header: plainHeader(),
      authors: [author(5), author(5)],
      updates: [],
    });
    expect(decode(CIRCUMSTANCES, bytes)).toBe('author twice');
  });

  test('a body twice', () => {
    const updates = [update({ kind: 'record' }), update({ kind: 'record' })];
    const bytes = encode(CIRCUMSTANCES, { header: plainHeader(), authors: [author(5)], updates });
    expect(decode(CIRCUMSTANCES, bytes)).toBe('body twice');
  });

  test('a baseline that it does not have', () => {
    const sent = withBaseline('motion');
    const bytes = encode(sent, {
      header: plainHeader(),
      authors: [author(100)],
      updates: [update({ kind: 'motion', state: MOVING, baselineAge: 3 })],
    });
    expect(decode(sent, bytes)).not.toBeTypeOf('string');
    expect(decode({ ...sent, before: [] }, bytes)).toBe('unknown baseline');
    expect(decode({ ...sent, packet: 21 }, bytes)).toBe('unknown baseline');
  });

  test.each<[string, ...Field[]]>([
    ['more authors than slots', [9, 8, 4]],
    ['a body that is not there', ...HEAD, [1, 1], [60, 59, 6]],
    ['a baseline that is 48 packets old', ...HEAD, [1, 1], [5, 6], [1, 1], [47, 2, 6]],
    ['a hold in a third hand', ...HEAD, [1, 1], [5, 6], [0, 1], [1, 1], [0, 3], [3, 2, 2]],
    ['a fourth kind', ...HEAD, ...FIVE, [3, 2, 2]],
    [
      'a state of one who is not in the table',
      ...HEAD,
      [1, 1],
      [5, 6],
      [0, 1],
      [1, 1],
      [3, 0, 3],
      [0, 34],
      [1, 2],
    ],
    ['x off the grid', ...HEAD, ...FIVE, [1, 2], [524287, 524286, 19]],
    ['a rotation off the grid', ...HEAD, ...FIVE, [1, 2], [0, 58], [32767, 32766, 15]],
    ['a velocity off the grid', ...HEAD, ...FIVE, [2, 2], [0, 103], [131071, 131070, 17]],
    ['a head off the grid', [1, 4], [0, 19], [1, 1], [0, 12], [524287, 524286, 19]],
    ['a hand off the grid', [1, 4], [0, 19], [1, 1], [0, 115], [1, 1], [524287, 524286, 19]],
    [
      'a held body that is not there',
      [1, 4],
      [0, 19],
      [1, 1],
      [0, 115],
      [1, 1],
      [0, 117],
      [1, 1],
      [60, 59, 6],
    ],
    [
      'a body reached for that is not there',
      [1, 4],
      [0, 19],
      [1, 1],
      [0, 115],
      [1, 1],
      [0, 118],
      [1, 1],
      [60, 59, 6],
    ],
    ['a name of 33 bytes', [1, 4], [0, 19], [1, 1], [0, 121], [33, 32, 6]],
  ])('%s', (_, ...fields) => {
    expect(decode(SMALL, bytesOf(fields, 'bad'))).toBe('truncated or out of range');
    // With the nearest value in range it is another matter, whatever the zeros behind it mean.
    expect(decode(SMALL, bytesOf(fields, 'good'))).not.toBe('truncated or out of range');
  });

  test('a body in both hands', () => {
    const write = (hands: readonly (typeof HAND | null)[]): Uint8Array => {
      const authors = [{ ...author(1), avatar: { ...AVATAR, hands } }];
      return encode(CIRCUMSTANCES, { header: plainHeader(), authors, updates: [] });
    };
    expect(decode(CIRCUMSTANCES, write([HAND, HAND]))).toBe('truncated or out of range');
    expect(decode(CIRCUMSTANCES, write([null, HAND]))).not.toBeTypeOf('string');
  });
});

describe('[W1] a reader refuses what can be said in another way', () => {
  const KNOWN: Field[] = [...HEAD, [1, 1], [5, 6], [1, 1], [2, 6]];
  const SAME_CLAIM: Field = [1, 1];
  const REST: Field = [1, 2];
  const MOTION: Field = [2, 2];
  const ANEW: Field = [0, 1];
  const CARRIED: Field = [0, 1];
  const UNTURNED: Field = [0, 1];
  /** Classes of 8 and of 10 bits. */
  const POSITION: Field = [4, 3];
  const LINEAR: Field = [5, 3];
  /** The position group of STATE, a step further in x. */
  const PLAIN: Field[] = [
    [7, 3],
    [262143 + 1001, 19],
    [8192 + 2000, 18],
    [262143 + 3000, 19],
  ];

  test.each<[string, PlainUpdate['kind'], Field[]]>([
    [
      'the claim of the baseline, said anew',
      'record',
      [
        [0, 1],
        [0, 33],
        [0, 2],
      ],
    ],
    ['the state of the baseline, said anew', 'rest', [SAME_CLAIM, REST, ANEW, [0, 3], UNTURNED, [0, 3]]],
    ['a class too wide', 'rest', [SAME_CLAIM, REST, ANEW, [2, 3], [3, 4], [0, 8], UNTURNED, [0, 3]]],
    [
      'a group that is plain though a class would do',
      'rest',
      [SAME_CLAIM, REST, ANEW, ...PLAIN, UNTURNED, [0, 3]],
    ],
    [
      'a turn to the same component',
      'rest',
      [SAME_CLAIM, REST, ANEW, [0, 3], [1, 1], [3, 2], [16400, 15], [0, 30]],
    ],
    ['a baseline that moves, for a body at rest', 'motion', [SAME_CLAIM, REST, [1, 1]]],
  ])('%s', (_, kind, fields) => {
    const bytes = bytesOf([...KNOWN, ...fields, [0, 1]], 'good');
    expect(decode(withBaseline(kind), bytes)).toBe('truncated or out of range');
  });

  test('the prediction that costs more', () => {
    const [ballistic, carried] = (['ballistic', 'carried'] as const).map((predictor) => {
      const out = new Int32Array(STRIDE);
      predict(Int32Array.from(MOVING), 3, predictor, out);
      return out;
    });
    const [fallen, slower] = [carried[1] - ballistic[1], carried[8] - ballistic[8]];
    expect([fallen, slower]).toEqual([54, 501]);
    const fields: Field[] = [...KNOWN, SAME_CLAIM, MOTION, ANEW, CARRIED];
    fields.push(POSITION, [0, 8], [2 * fallen - 1, 8], [0, 8], UNTURNED, [0, 3]);
    fields.push(LINEAR, [0, 10], [2 * slower - 1, 10], [0, 10], [0, 3], [0, 1]);
    const bytes = bytesOf(fields, 'good');
    expect(decode(withBaseline('motion'), bytes)).toBe('truncated or out of range');
  });
});

/** A number and its bits; or a bad number, the nearest good one, and their bits. */
type Field = readonly [value: number, bits: number] | readonly [bad: number, good: number, bits: number];

/** A packet of these fields behind a header; zeros follow where a bad number is to be the only fault. */
function bytesOf(fields: readonly Field[], which: 'bad' | 'good'): Uint8Array {
  const w = new BitWriter(MAX_PACKET_BYTES);
  writeHeader(w, { ...plainHeader({ sequence: 20 }), connection: 1 as ConnectionId });
  for (const field of fields) {
    const value = field.length === 3 && which === 'good' ? field[1] : field[0];
    const bits = field[field.length - 1];
    w.write(value, Math.min(bits, 32));
    for (let more = bits - 32; more > 0; more--) w.writeFlag(false);
  }
  if (fields.some((field) => field.length === 3)) for (let i = 0; i < 16; i++) w.write(0, 32);
  return w.finish();
}

const CIRCUMSTANCES = circumstances({});
/** 60 bodies, so that 6 bits can name one that is not there. */
const SMALL = circumstances({ bodies: 60 });

function circumstances(values: Partial<Circumstances>): Circumstances {
  return { bodies: 64, speaker: 0, packet: 20, newestTicks: NO_TICKS, before: [], ...values };
}

/** Packet 17 had body 5 at tick 97. */
function withBaseline(kind: PlainUpdate['kind']): Circumstances {
  const state = kind === 'motion' ? MOVING : STATE;
  return circumstances({ before: [{ packet: 17, updates: [update({ kind, tick: 97, state })] }] });
}

function update(values: Partial<PlainUpdate>): PlainUpdate {
  return { body: 5, baselineAge: 0, claim: UNCLAIMED, kind: 'motion', tick: 100, state: [], ...values };
}

function author(tick: number): { slot: number; tick: number; avatar: null } {
  return { slot: 0, tick, avatar: null };
}
