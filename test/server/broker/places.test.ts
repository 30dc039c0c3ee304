import { describe, expect, test } from 'vitest';
import { Places } from '../../../src/server/broker/places.ts';

const LIMITS = { sockets: 6, socketsOfNetwork: 4, graceMs: 100 };

function enterAll(places: Places<string>, network: string, count: number, nowMs = 0): void {
  for (let i = 0; i < count; i++)
    expect(places.enter(network, `${network}${i}`, nowMs + i).entered).toBe(true);
}

describe('the places of the broker', () => {
  test('a network that has too many loses the one without progress, not the newcomer', () => {
    const places = new Places<string>(LIMITS);
    enterAll(places, 'a', 4);
    places.progress('a', 'a0', 50);
    expect(places.enter('a', 'new', 500)).toEqual({
      entered: true,
      leaver: { network: 'a', holder: 'a1' },
    });
    expect(places.count).toBe(4);
  });

  test('where all are taken, the network that has most gives way to any other', () => {
    const places = new Places<string>(LIMITS);
    enterAll(places, 'a', 4);
    enterAll(places, 'b', 2);
    for (const [i, network] of ['c', 'd'].entries()) {
      const { entered, leaver } = places.enter(network, network, 500);
      expect([entered, leaver?.holder]).toEqual([true, `a${i}`]);
    }
    expect([places.count, places.networks]).toEqual([6, 4]);
  });

  test('nobody gives way in the moment after it came, or made progress', () => {
    const places = new Places<string>(LIMITS);
    enterAll(places, 'a', 4);
    expect(places.enter('a', 'new', 99)).toEqual({ entered: false, leaver: null });
    for (let i = 0; i < 4; i++) places.progress('a', `a${i}`, 200);
    expect(places.enter('a', 'new', 299).entered).toBe(false);
    expect(places.enter('a', 'new', 300).leaver?.holder).toBe('a0');
  });

  test('a place that was left is free, and is left once', () => {
    const places = new Places<string>(LIMITS);
    enterAll(places, 'a', 4);
    places.leave('a', 'a2');
    places.leave('a', 'a2');
    places.leave('nobody', 'a2');
    expect(places.count).toBe(3);
    expect(places.enter('a', 'new', 1)).toEqual({ entered: true, leaver: null });
  });
});
