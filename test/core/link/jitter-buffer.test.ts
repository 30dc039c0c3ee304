import { TICK_RATE } from '../../../src/core/base/constants.ts';
import { beforeEach, describe, expect, test } from 'vitest';
import { Random } from '../../../src/core/base/random.ts';
import { JitterBuffer } from '../../../src/core/link/jitter-buffer.ts';
import { forSeeds } from '../../support/seeds.ts';

type Payload = { readonly said: string[] };

let buffer: JitterBuffer<Payload>;
/** The payloads that came out, in order; an evicted one has a `!` before it. */
let out: string[];

beforeEach(() => {
  buffer = new JitterBuffer<Payload>(
    TICK_RATE,
    () => ({ said: [] }),
    (payload) => (payload.said.length = 0),
  );
  out = [];
});

function put(tick: number, what = `${tick}`): void {
  buffer.at(tick, (evicted) => out.push(...evicted.said.map((s) => `!${s}`))).said.push(what);
}

/** The payloads that are due up to a tick. */
function drain(upTo: number): string[] {
  out = [];
  buffer.drain(upTo, (due) => out.push(...due.said));
  return out;
}

describe('JitterBuffer', () => {
  test('nothing is due before its tick; then it is, once, oldest first', () => {
    for (const tick of [12, 10, 11, 14]) put(tick);
    expect(drain(9.99)).toEqual([]);
    expect(drain(11.5)).toEqual(['10', '11']);
    expect(drain(11.5)).toEqual([]);
    expect(drain(100)).toEqual(['12', '14']);
  });

  test('additions to one tick stay together, in their order', () => {
    put(5, 'a');
    put(6, 'b');
    put(5, 'c');
    expect(drain(6)).toEqual(['a', 'c', 'b']);
  });

  test('a place that is used again is empty', () => {
    put(5, 'old');
    drain(5);
    put(5 + 128, 'new');
    expect(drain(1000)).toEqual(['new']);
  });

  test('late arrivals are due at once, those that are very late too', () => {
    for (let tick = 0; tick <= 300; tick++) {
      put(tick);
      drain(tick - 6);
    }
    put(290);
    put(50);
    expect(drain(295).sort()).toEqual(['290', '295', '50']);
  });

  test('a very late arrival does not replace a waiting payload', () => {
    for (let tick = 180; tick <= 300; tick++) put(tick);
    put(298 - 128, 'late');
    expect(out).toEqual([]);
    const due = drain(300);
    expect(due).toHaveLength(122);
    expect(due).toContain('late');
  });

  test('peek finds waiting payloads, and no others', () => {
    put(20);
    expect(buffer.peek(20)?.said).toEqual(['20']);
    expect([buffer.peek(19), buffer.peek(20 + 128), buffer.peek(-1)]).toEqual([null, null, null]);
    drain(20);
    expect(buffer.peek(20)).toBeNull();
  });

  test('newest is the newest tick that has arrived', () => {
    expect(buffer.newest).toBe(-1);
    put(40);
    put(30);
    expect(buffer.newest).toBe(40);
    drain(50);
    expect(buffer.newest).toBe(40);
  });

  test('reset drops everything, and ticks may start again', () => {
    put(1000);
    buffer.reset();
    expect(buffer.newest).toBe(-1);
    put(3);
    expect(drain(2000)).toEqual(['3']);
  });

  test('a payload that makes room for a tick two seconds later is handed out first', () => {
    put(10, 'first');
    put(10 + 128, 'second');
    expect(out).toEqual(['!first']);
    expect(drain(1000)).toEqual(['second']);
  });

  test('a jump in the ticks loses no waiting payload', () => {
    for (const tick of [10, 11, 12]) put(tick);
    put(5000);
    expect(drain(5000)).toEqual(['10', '11', '12', '5000']);
  });

  test('every payload comes out once, whatever the order of arrival', () => {
    forSeeds(1, 30, (seed) => {
      const random = new Random(seed);
      const put_: string[] = [];
      const seen: string[] = [];
      let position = -6;
      let now = 0;
      for (let step = 0; step < 2000; step++) {
        now += random.chance(0.003) ? random.below(400) : 1;
        position += random.chance(0.01) ? 0 : now - position > 40 ? now - position : 1;
        const tick = Math.max(0, now - Math.floor(200 * random.next() ** 6));
        const what = `${tick}:${step}`;
        put_.push(what);
        buffer.at(tick, (evicted) => seen.push(...evicted.said)).said.push(what);
        buffer.drain(position, (due) => seen.push(...due.said));
      }
      buffer.drain(Infinity, (due) => seen.push(...due.said));
      expect(seen.sort()).toEqual(put_.sort());
      buffer.reset();
    });
  });
});
