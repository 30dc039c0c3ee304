import { MAX_PACKET_BYTES } from '../../../src/core/base/constants.ts';
import type { NumberKind } from '../../../src/core/wire/coder/contexts.ts';
import { bitsFor } from '../../../src/core/base/bits.ts';
import { MAX_NUMBER } from '../../../src/core/wire/coder/range-coder.ts';
import { RangeWriter } from '../../../src/core/wire/coder/range-writer.ts';
import { MAX_OFFSET } from '../../../src/core/wire/bodies/quantise.ts';
import { author, circumstances, FAST, MOVED, MOVING, SLOW, STATE, update } from '../../core/wire/plain.ts';
import type { Circumstances, PlainAvatar, PlainHand, PlainPacket } from '../../support/packets.ts';
import { code, decode, HIGH, LOW, plainHeader } from '../../support/packets.ts';

/** Packets in which one number is beyond its range. A reader that does not check the number accepts them. */

/** A packet of the corpus that is read by itself, and not by a peer in a room. */
export type LonePacket = {
  /** The index of the exchange that it was made from; its circumstances are the reader's. */
  readonly exchange: number;
  readonly bytes: Uint8Array;
  /** 'read', or the fault. */
  readonly outcome: string;
};

/**
 * Lies once: of the numbers that may be out of range it writes number `at` out of range, and goes on as if it were
 * right.
 */
class Liar extends RangeWriter {
  lied = false;
  readonly #lie: 'above' | 'below';
  #left: number;

  constructor(at: number, lie: 'above' | 'below') {
    super(4 * MAX_PACKET_BYTES);
    this.#left = at;
    this.#lie = lie;
  }

  override fail(): void {
    // The reader has to notice it.
  }

  override bits(value: number, count: number): number {
    return super.bits((count < 32 ? value & (2 ** count - 1) : value) >>> 0, count);
  }

  override range(value: number, low: number, high: number): number {
    const bits = bitsFor(high - low);
    const fits = 2 ** bits - 1 > high - low;
    const lies = fits && this.#lie === 'above' && this.#isNext();
    this.bits(lies ? high - low + 1 : value - low, bits);
    return lies ? high + 1 : value;
  }

  override number(kind: NumberKind, block: number, sign: number, value: number): number {
    const near = Math.max(-MAX_NUMBER, Math.min(MAX_NUMBER, value));
    if (!this.#isNext()) return super.number(kind, block, sign, near);
    return super.number(kind, block, sign, this.#lie === 'above' ? MAX_NUMBER : -MAX_NUMBER);
  }

  #isNext(): boolean {
    const isNext = this.#left-- === 0;
    this.lied ||= isNext;
    return isNext;
  }
}

type Exchange = { readonly known: Circumstances; readonly packet: PlainPacket };

const HAND: PlainHand = {
  pose: STATE.slice(0, 7),
  grip: 40,
  trigger: 20,
  pointing: true,
  thumbUp: false,
  held: { body: 4, ownership: 300, authority: 7, offset: [10, 20, 30, 3, 16, 32, 48] },
  reach: -1,
};
const REACHING: PlainHand = { ...HAND, grip: 0, held: null, reach: 6 };
const AVATAR: PlainAvatar = {
  age: 3,
  head: STATE.slice(0, 7),
  hands: [HAND, REACHING],
  voice: 4,
  name: [65, 100, 97],
};
/** AVATAR a little later; it is an avatar's grid that everything is on. */
const LATER: PlainAvatar = {
  ...AVATAR,
  age: 300,
  head: stepped(AVATAR.head),
  hands: [
    {
      ...HAND,
      pose: stepped(HAND.pose),
      held: { body: 4, ownership: 301, authority: 9, offset: [11, 21, 31, 3, 32, 48, 64] },
    },
    { ...REACHING, pose: stepped(REACHING.pose), trigger: 21, reach: 7 },
  ],
  voice: 5,
  name: [],
};

function stepped(pose: readonly number[]): number[] {
  return pose.map((value, i) => (i === 3 ? value : value + 16));
}

/** A motion at each end of what it may be, from a state near it, in each prediction mode. */
function motions(): Exchange[] {
  const pairs = [
    [MOVING, MOVED],
    [SLOW, SLOW.with(7, 90)],
    [FAST, FAST.with(0, 1056)],
    [MOVING, FAST],
  ] as const;
  return pairs.flatMap(([from, to]) =>
    ([0, 1, 2] as const).map((course) => {
      const before = [update({ tick: 97, state: from, course })];
      const known = circumstances({ before: [{ packet: 17, updates: before }] });
      const updates = [update({ state: to, baselineAge: 3 })];
      return { known, packet: { header: plainHeader(), authors: [author(100)], base: 3, updates } };
    }),
  );
}

/** @returns the exchanges that the packets are made from. Their order is a part of the corpus. */
export function handMadeExchanges(): Exchange[] {
  const header = plainHeader({ ack: 40, ackBits: 0xfffffffe });
  const alone = { ...author(100), avatar: AVATAR };
  const other = { ...author(90), slot: 2, avatar: { ...LATER, hands: [null, HAND] } };
  const rest = update({ body: 5, kind: 'rest', state: STATE, claim: [0, 1, 300, 7] });
  const record = update({ body: 9, kind: 'record', tick: -1, claim: [3, 0, 1, 2] });
  const motion = update({ body: 7, state: MOVING });
  const before = { packet: 17, authors: [alone], updates: [rest, { ...motion, tick: 97 }] };
  const moved = update({ body: 7, state: MOVED, baselineAge: 3 });
  const shifted = update({
    kind: 'rest',
    state: [1001, ...STATE.slice(1)],
    claim: [0, 1, 300, 7],
    baselineAge: 3,
  });
  const later = [{ ...author(103), avatar: LATER, baselineAge: 3 }];
  return [
    {
      known: circumstances({}),
      packet: { header, authors: [alone, other], base: 0, updates: [rest, motion, record] },
    },
    {
      known: circumstances({ before: [before] }),
      packet: { header, authors: later, base: 3, updates: [shifted, moved] },
    },
    {
      known: circumstances({ before: [before], packet: 20 }),
      packet: { header, authors: later, base: 0, updates: [moved] },
    },
    // A body in both hands.
    {
      known: circumstances({}),
      packet: {
        header,
        authors: [{ ...alone, avatar: { ...AVATAR, hands: [HAND, HAND] } }],
        base: 0,
        updates: [],
      },
    },
    ...ends('head').concat(ends('hand'), ends('offset')),
    ...motions(),
  ];
}

/** Avatars of which one number goes from an end of its range beyond it, by a step. */
function ends(part: 'head' | 'hand' | 'offset'): Exchange[] {
  const step = part === 'offset' ? 1 : 16;
  return [0, 1, 2, 4, 5, 6].flatMap((at) =>
    [LOW, HIGH].map((limits) => {
      const limit = part === 'offset' && at < 3 ? Math.sign(limits[at] || -1) * MAX_OFFSET : limits[at];
      const end = Math.trunc(limit / step) * step;
      const out = limits === LOW ? end - step : end + step;
      const of = (value: number): PlainAvatar => {
        if (part === 'head') return { ...AVATAR, head: AVATAR.head.with(at, value) };
        if (part === 'hand')
          return { ...AVATAR, hands: [{ ...HAND, pose: HAND.pose.with(at, value) }, null] };
        const { held } = HAND;
        if (held === null) throw new Error('the hand holds nothing');
        return {
          ...AVATAR,
          hands: [{ ...HAND, held: { ...held, offset: held.offset.with(at, value) } }, null],
        };
      };
      const known = circumstances({
        before: [{ packet: 17, authors: [{ ...author(97), avatar: of(end) }], updates: [] }],
      });
      const authors = [{ ...author(100), avatar: of(out), baselineAge: 3 }];
      return { known, packet: { header: plainHeader(), authors, base: 3, updates: [] } };
    }),
  );
}

/** @returns 'read', or why a reader refuses the packet. */
export function outcomeOfLone({ exchange, bytes }: Pick<LonePacket, 'exchange' | 'bytes'>): string {
  const read = decode(EXCHANGES[exchange].known, bytes);
  return typeof read === 'string' ? read : 'read';
}

/** @returns each exchange as it is, and those that can be read with each of their numbers beyond its range. */
export function handMadePackets(): LonePacket[] {
  const samples: LonePacket[] = [];
  for (const [exchange, { known, packet }] of EXCHANGES.entries()) {
    const keep = (liar: Liar): void => {
      const bytes = liar.finish().slice();
      samples.push({ exchange, bytes, outcome: outcomeOfLone({ exchange, bytes }) });
    };
    const honest = new Liar(Infinity, 'above');
    code(honest, known, packet);
    keep(honest);
    if (outcomeOfLone(samples[samples.length - 1]) !== 'read') continue;
    for (const lie of ['above', 'below'] as const) {
      for (let at = 0; ; at++) {
        const liar = new Liar(at, lie);
        code(liar, known, packet);
        if (!liar.lied) break;
        keep(liar);
      }
    }
  }
  return samples;
}

const EXCHANGES = handMadeExchanges();
