import { describe, expect, test } from 'vitest';
import { BASELINE_STORE_PACKETS, MAX_BASELINE_AGE } from '../../../src/core/base/constants.ts';
import type { BodyId } from '../../../src/core/base/ids.ts';
import { BaselineStore } from '../../../src/core/wire/baselines.ts';
import { bodyUpdate } from '../../../src/core/wire/update.ts';
import { plainUpdate, updateOf } from '../../support/packets.ts';

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
