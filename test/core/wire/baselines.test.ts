import { describe, expect, test } from 'vitest';
import { BASELINE_STORE_PACKETS, MAX_BASELINE_AGE } from '../../../src/core/base/constants.ts';
import type { BodyId } from '../../../src/core/base/ids.ts';
import { BaselineStore } from '../../../src/core/wire/baselines.ts';
import { bodyUpdate } from '../../../src/core/wire/update.ts';
import type { Circumstances } from '../../support/packets.ts';
import { encode, NO_TICKS, plainHeader, plainUpdate, updateOf } from '../../support/packets.ts';
import { decodeAlike } from './both-decoders.ts';
import { author, circumstances, MOVED, MOVING, SLOW, STATE as RESTING, update } from './plain.ts';

const COUNT = 3;
const STATE = [-262143, 253951, 3, 3, -16383, 16383, 0, 65535, -65535, 1, 2, 3, 4];

function say(store: BaselineStore, packet: number, body: number): void {
  store.put(packet, updateOf(sayingOf(packet, body)));
}

/** Something else for each packet and body. */
function sayingOf(packet: number, body: number): ReturnType<typeof plainUpdate> {
  const claim = [(packet % 9) - 1, packet % 3, packet % 65536, 65535 - (packet % 65536)];
  const kind = packet % 2 === 0 ? ('motion' as const) : ('rest' as const);
  return {
    body,
    baselineAge: 0,
    claim,
    kind,
    tick: 1_000_000 + packet,
    state: STATE.map((n) => n - (packet % 7)),
  };
}

function saidBy(store: BaselineStore, packet: number, body: number): ReturnType<typeof plainUpdate> | null {
  const out = bodyUpdate();
  return store.get(packet, body as BodyId, out) ? plainUpdate(out) : null;
}

describe('[W4] baselines', () => {
  test('what a packet said of a body is there, to the last number', () => {
    const store = new BaselineStore(COUNT);
    for (const packet of [0, 1, 40, 63]) for (let body = 0; body < COUNT; body++) say(store, packet, body);
    for (const packet of [0, 1, 40, 63]) {
      for (let body = 0; body < COUNT; body++)
        expect(saidBy(store, packet, body)).toEqual(sayingOf(packet, body));
    }
  });

  test('what no packet said is not', () => {
    const store = new BaselineStore(COUNT);
    say(store, 5, 1);
    expect([saidBy(store, 5, 0), saidBy(store, 5, 2), saidBy(store, 4, 1), saidBy(store, 69, 1)]).toEqual(
      Array(4).fill(null),
    );
    expect([saidBy(store, -59, 1), saidBy(new BaselineStore(COUNT), -1, 0)]).toEqual([null, null]);
  });

  test('a packet takes the place of one 64 older, and of no other', () => {
    const store = new BaselineStore(COUNT);
    for (let packet = 0; packet < 1000; packet++) {
      say(store, packet, 2);
      expect(saidBy(store, packet - 64, 2)).toBeNull();
      const oldest = Math.max(0, packet - 63);
      expect(saidBy(store, oldest, 2)).toEqual(sayingOf(oldest, 2));
    }
  });

  test('what is said of another body leaves it where it is, for as long as it rests', () => {
    const store = new BaselineStore(COUNT);
    say(store, 5, 0);
    for (let packet = 6; packet < 70_000; packet++) say(store, packet, 1);
    expect(saidBy(store, 5, 0)).toEqual(sayingOf(5, 0));
    expect([saidBy(store, 69, 0), saidBy(store, 5, 1)]).toEqual([null, null]);
    say(store, 64 * 1000 + 5, 0);
    expect(saidBy(store, 5, 0)).toBeNull();
  });

  test('the oldest that may be named is there for a packet that 16 others have overtaken', () => {
    const overtaking = BASELINE_STORE_PACKETS - MAX_BASELINE_AGE - 1;
    expect(overtaking).toBe(16);
    const store = new BaselineStore(COUNT);
    for (let packet = 0; packet <= 200 + overtaking; packet++) if (packet !== 200) say(store, packet, 0);
    expect(saidBy(store, 200 - MAX_BASELINE_AGE, 0)).not.toBeNull();
    say(store, 200 + overtaking + 1, 0);
    expect(saidBy(store, 200 - MAX_BASELINE_AGE, 0)).toBeNull();
  });

  test('what is kept does not change with what it was made from', () => {
    const store = new BaselineStore(COUNT);
    const update = updateOf(sayingOf(8, 1));
    store.put(8, update);
    update.state.fill(0);
    update.tick = 0;
    expect(saidBy(store, 8, 1)).toEqual(sayingOf(8, 1));
  });

  test('clearing leaves nothing', () => {
    const store = new BaselineStore(COUNT);
    say(store, 8, 1);
    store.clear();
    expect(saidBy(store, 8, 1)).toBeNull();
  });
});

describe('[W4] a packet names', () => {
  test('baselines of any age but 63 and 64 of a round, over ticks that have wrapped', () => {
    const last = 62 + 64 * 1023;
    const read = [1, 20, 47, 62, 65, 126, 129, 64 * 1023 + 1, last].flatMap((age) =>
      [1, 30, 63, 64].map((ticks) => ({ age, ticks, refused: false })),
    );
    const refused = [63, 64, 127, 128, last + 1, last + 2, last + 3].map((age) => ({
      age,
      ticks: 1,
      refused: true,
    }));
    for (const { age, ticks, refused: lies } of [...read, ...refused]) {
      const before = update({ tick: 65530, state: MOVING });
      const after = update({ tick: 65530 + ticks, state: MOVED, baselineAge: age });
      const sent = circumstances({ packet: 70_000, before: [{ packet: 70_000 - age, updates: [before] }] });
      const authors = [author(65530 + ticks)];
      const packet = { header: plainHeader({ sequence: 4464 }), authors, base: 0, updates: [after] };
      const heard = { ...sent, newestTicks: [65535, ...NO_TICKS.slice(1)] };
      const said = decodeAlike(heard, encode(sent, packet), `age ${age}`);
      expect(said, `age ${age}`).toEqual(lies ? 'truncated or out of range' : packet);
    }
  });

  test('that of a body that rested long, until a packet of its place in the round says something of the body', () => {
    const rest = update({ kind: 'rest', tick: -1, state: RESTING });
    const moves = { ...rest, kind: 'motion', tick: 99, state: SLOW, baselineAge: 6403 } as const;
    const packet = { header: plainHeader(), authors: [author(100)], base: 0, updates: [moves] };
    const known = (body: number, last: number): Circumstances =>
      circumstances({
        packet: 9000,
        before: [
          { packet: 9000 - 6403, updates: [{ ...rest, tick: 50 }] },
          { packet: last, updates: [{ ...rest, tick: 60, body }] },
        ],
      });
    const sent = { ...packet, updates: [{ ...moves, tick: 100 }] };
    const bytes = encode(known(6, 2661), sent);
    expect(decodeAlike(known(6, 2661), bytes)).toEqual(sent);
    expect(decodeAlike(known(5, 2662), bytes)).toEqual(sent);
    for (const later of [2661, 8997]) expect(decodeAlike(known(5, later), bytes)).toBe('unknown baseline');
  });
});
