import { describe, expect, test } from 'vitest';
import { Introductions } from '../../../src/server/broker/introductions.ts';
import { LIMITS, MESSAGE_OVERHEAD } from '../../../src/server/broker/limits/limits.ts';
import { OfferLimits } from '../../../src/server/broker/limits/offer-limits.ts';
import { Outboxes } from '../../../src/server/broker/outboxes.ts';
import { TokenBuckets } from '../../../src/server/visitors/token-buckets.ts';
import { Waiting } from '../../../src/server/broker/waiting.ts';

const KB = 1024;

test('a bucket gives so many tokens at once, fills again, and never above its brim', () => {
  const buckets = new TokenBuckets({ atOnce: 3, anotherMs: 100 });
  const taken = (nowMs: number): number =>
    Array.from({ length: 9 }, () => buckets.take('a', nowMs)).filter((may) => may).length;
  expect([taken(0), taken(99), taken(200), taken(1e9)]).toEqual([3, 0, 2, 3]);
  expect(taken(0), 'a clock that was set back').toBe(0);
  expect(buckets.take('b', 0, 4)).toBe(false);
  expect(buckets.take('b', 0, 3)).toBe(true);
});

describe('what waits for clients that do not read', () => {
  const limits = { unreadBytes: 100 * KB, unreadBytesInAll: 250 * KB, unreadMs: 1000 };
  const message = 10 * KB - MESSAGE_OVERHEAD;

  function fill(outboxes: Outboxes, dropped: string[], name: string, messages: number) {
    const outbox = outboxes.open(() => dropped.push(name), 0);
    for (let i = 0; i < messages; i++) outboxes.add(outbox, message, 0);
    return outbox;
  }

  test('is bounded for each, and gone once the client was dropped', () => {
    const [outboxes, dropped] = [new Outboxes(limits), [] as string[]];
    const full = fill(outboxes, dropped, 'full', 10);
    expect([outboxes.bytes, dropped]).toEqual([100 * KB, []]);
    expect(outboxes.add(full, message, 0)).toBe(false);
    outboxes.done(full, message, 0);
    expect([outboxes.bytes, dropped]).toEqual([0, ['full']]);
    expect(outboxes.add(full, message, 0), 'a dropped client gets no more').toBe(false);
  });

  test('is bounded in all: the client with most is dropped, not the one that is sent to', () => {
    const [outboxes, dropped] = [new Outboxes(limits), [] as string[]];
    fill(outboxes, dropped, 'most', 10);
    fill(outboxes, dropped, 'second', 9);
    const small = fill(outboxes, dropped, 'small', 6);
    expect(outboxes.bytes).toBe(250 * KB);
    expect(outboxes.add(small, message, 0)).toBe(true);
    expect([outboxes.bytes, dropped]).toEqual([160 * KB, ['most']]);
  });

  test('may wait as long as something of it is read', () => {
    const [outboxes, dropped] = [new Outboxes(limits), [] as string[]];
    const slow = fill(outboxes, dropped, 'slow', 5);
    fill(outboxes, dropped, 'stuck', 1);
    fill(outboxes, dropped, 'empty', 0);
    outboxes.done(slow, message, 900);
    outboxes.sweep(1000);
    expect(dropped).toEqual([]);
    outboxes.sweep(1001);
    expect(dropped).toEqual(['stuck']);
    outboxes.sweep(1901);
    expect(dropped).toEqual(['stuck', 'slow']);
    expect(outboxes.bytes).toBe(0);
  });
});

test('what waits for ids that nobody has is bounded for each id, each network and in all, and is forgotten', () => {
  const limits = { waitingBytes: 20 * KB, waitingBytesOfNetwork: 40 * KB, waitingBytesInAll: 60 * KB };
  const waiting = new Waiting(limits, 1000);
  const add = (id: string, network: string, nowMs = 0): boolean =>
    waiting.add(id, network, 10 * KB - MESSAGE_OVERHEAD, nowMs);
  expect([add('a', 'one'), add('a', 'one'), add('a', 'two')], 'for an id').toEqual([true, true, false]);
  expect([add('b', 'one'), add('c', 'one'), add('d', 'one')], 'of a network').toEqual([true, true, false]);
  expect([add('d', 'two'), add('e', 'two'), add('f', 'two')], 'in all').toEqual([true, true, false]);
  expect(waiting.bytes).toBe(60 * KB);
  expect(add('a', 'two', 1000)).toBe(true);
  expect(waiting.bytes).toBe(10 * KB);
});

describe('OFFERs', () => {
  const ask = (offers: OfferLimits, network: string, from: string, nowMs: number, to = 'door'): boolean =>
    offers.allows(network, from, to, nowMs);

  test('a page that asks a door every two seconds may, for ever', () => {
    const offers = new OfferLimits(LIMITS);
    for (let s = 0; s < 600; s += 2) expect(ask(offers, 'home', 'friend', s * 1000)).toBe(true);
  });

  test('a client that asks all the time leaves its network, and other networks, their share', () => {
    const offers = new OfferLimits(LIMITS);
    let passed = 0;
    for (let ms = 0; ms < 20_000; ms += 300) if (ask(offers, 'home', 'stranger', ms)) passed++;
    expect(passed, '3.3 a second for 20 s').toBeLessThanOrEqual(8 + 10);
    expect(ask(offers, 'home', 'friend', 20_000)).toBe(true);
  });

  test('a network of many clients leaves other networks their share, and a door has its own', () => {
    const offers = new OfferLimits(LIMITS);
    const flood = (network: string): number =>
      Array.from({ length: 300 }, (_, i) => ask(offers, network, `client-${i}`, 0)).filter((may) => may)
        .length;
    expect(flood('one')).toBe(32);
    expect(ask(offers, 'two', 'friend', 0)).toBe(true);
    expect(flood('two') + flood('three')).toBe(64 - 33);
    expect(ask(offers, 'four', 'friend', 100)).toBe(true);
    expect(ask(offers, 'four', 'friend', 100, 'another-door')).toBe(true);
  });
});

test('answers and candidates pass only between ids that have exchanged an OFFER, and so many for each', () => {
  const introductions = new Introductions();
  expect(introductions.follows('guest', 'host')).toBe(false);
  introductions.introduce('guest', 'host');
  const follow = (from: string, to: string): number =>
    Array.from({ length: 300 }, () => introductions.follows(from, to)).filter((may) => may).length;
  expect(introductions.follows('stranger', 'host')).toBe(false);
  expect([follow('guest', 'host'), follow('host', 'guest')]).toEqual([100, 100]);
  introductions.introduce('guest', 'host');
  expect(follow('guest', 'host')).toBe(100);
});
