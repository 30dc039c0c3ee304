import { describe, expect, test } from 'vitest';
import { DOOR_PREFIX, ROOM_CODE_LENGTH, ROOM_CODE_LETTERS } from '../../../src/core/room/code.ts';
import { LIMITS, UNCLAIMED_MS } from '../../../src/server/broker/limits/limits.ts';
import { NetworkLimits } from '../../../src/server/broker/limits/network-limits.ts';
import { MOST_UNCLAIMED } from '../../../src/server/cluster/unclaimed.ts';

const { atOnce: DOORS_AT_ONCE, anotherMs: ANOTHER_DOOR_MS } = LIMITS.doors;

const NETWORK = '203.0.113.9';
const DAY_MS = 24 * 3600 * 1000;
const CODES = ROOM_CODE_LETTERS.length ** ROOM_CODE_LENGTH;

function door(number: number): string {
  return `${DOOR_PREFIX}${number}`;
}

/** Returns how many of `count` doors, one every `everyMs`, a network may ask for. */
function asked(networks: NetworkLimits, count: number, everyMs: number, from = 0, network = NETWORK): number {
  const doors = Array.from({ length: count }, (_, i) =>
    networks.mayUseId(network, door(i + from), i * everyMs),
  );
  return doors.filter((may) => may).length;
}

describe('[F1] the broker, to one network', () => {
  test('in a day of trying codes it answers too few to find a room', () => {
    const tried = asked(new NetworkLimits(LIMITS), DAY_MS / 1000, 1000);
    expect(tried).toBe(DOORS_AT_ONCE + DAY_MS / ANOTHER_DOOR_MS - 1);
    expect(CODES).toBe(3_200_000);
    expect(tried / CODES, 'the chance to find a given room').toBeLessThan(0.001);
  });

  test('a school can start a hundred rooms at once, and others go on meanwhile', () => {
    const networks = new NetworkLimits(LIMITS);
    expect(asked(networks, 100, 0)).toBe(100);
    expect(networks.mayUseId(NETWORK, door(1000), 0)).toBe(false);
    expect(networks.mayUseId('203.0.113.10', door(1000), 0)).toBe(true);
    expect(networks.mayUseId(NETWORK, door(1000), ANOTHER_DOOR_MS)).toBe(true);
  });

  test('messages to other processes are so few that one network leaves room for the others there', () => {
    const networks = new NetworkLimits(LIMITS);
    let passed = 0;
    // As fast as it can, for as long as a message waits there.
    for (let ms = 0; ms < UNCLAIMED_MS; ms++)
      for (let i = 0; i < 10; i++) if (networks.mayRelay(NETWORK, ms)) passed++;
    expect(passed).toBeGreaterThan(LIMITS.relays.atOnce);
    expect(passed).toBeLessThan(0.75 * MOST_UNCLAIMED);
    expect(networks.mayRelay('203.0.113.10', 0)).toBe(true);
  });

  test('friends can ask for the same door for ever, and pages can reach pages', () => {
    const networks = new NetworkLimits(LIMITS);
    asked(networks, 99, 0);
    for (let i = 0; i < 1000; i++) expect(networks.mayUseId(NETWORK, door(5000), i)).toBe(true);
    expect(networks.mayUseId(NETWORK, door(5001), 1000)).toBe(false);
    expect(networks.mayUseId(NETWORK, 'the id of a page', 1000)).toBe(true);
  });

  test('it takes so many upgrades and bytes at once, and then as many as come again', () => {
    const networks = new NetworkLimits(LIMITS);
    const opened = (nowMs: number): number =>
      Array.from({ length: 1000 }, () => networks.mayUpgrade(NETWORK, nowMs)).filter((may) => may).length;
    expect(opened(0)).toBe(400);
    expect(opened(1000)).toBe(10);
    expect(networks.mayUpgrade('203.0.113.10', 1000)).toBe(true);
    const { atOnce } = LIMITS.bytes;
    expect(networks.maySend(NETWORK, atOnce, 0)).toBe(true);
    expect(networks.maySend(NETWORK, 1, 0)).toBe(false);
    expect(networks.maySend(NETWORK, 1024 * 1024, 1000)).toBe(true);
    expect(networks.maySend(NETWORK, 1, 1000)).toBe(false);
  });

  test('it remembers only the last networks', () => {
    const networks = new NetworkLimits(LIMITS);
    asked(networks, 200, 0, 0, 'first');
    for (let i = 0; i < 4999; i++) networks.mayUseId(`network ${i}`, door(i), 0);
    expect(networks.mayUseId('first', door(999), 0)).toBe(false);
    for (let i = 0; i < 5000; i++) networks.mayUseId(`another ${i}`, door(i), 0);
    expect(networks.mayUseId('first', door(999), 0)).toBe(true);
  });
});
