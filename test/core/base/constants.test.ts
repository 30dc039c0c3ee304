import { BOUNDS_SLACK, FLAT_BOUNDS } from '../../../src/core/world/level.ts';
import { describe, expect, test } from 'vitest';
import * as constants from '../../../src/core/base/constants.ts';
import {
  FIRST_SLOTS,
  ANGULAR_DAMPING,
  BASELINE_STORE_PACKETS,
  GRAVITY,
  LINEAR_DAMPING,
  MAX_BASELINE_AGE,
  MAX_BODIES,
  MAX_HOLD_DISTANCE,
  MAX_LINEAR_SPEED,
  MAX_NAME_BYTES,
  MAX_PACKET_BYTES,
  MAX_PLAYERS,
  MAX_ROOM_PLAYERS,
  MAX_PLAYOUT_DELAY_SECONDS,
  MAX_SEQUENCE_LEAD,
  MAX_TICK_RATE,
  MIN_TICK_RATE,
  PLAYOUT_DELAY_SECONDS,
  PRIORITY_BASE,
  PRIORITY_THROWN,
  REST_ANGLE_DEGREES,
  REST_DISTANCE,
  REST_SECONDS,
  REST_TOLERANCE,
  REST_TOLERANCE_DOT,
  RETURN_AFTER_SECONDS,
  TICK_MS,
  TICK_RATE,
  TICK_SECONDS,
  ticksAPacket,
  ticksIn,
} from '../../../src/core/base/constants.ts';
import type { Sequence } from '../../../src/core/base/ids.ts';
import { advance, newer } from '../../../src/core/base/sequence.ts';
import { MOST_JOLT } from '../../../src/core/peer/outgoing/urgency.ts';
import {
  MAX_POSITION,
  MAX_ANGULAR,
  MAX_LINEAR,
  MAX_OFFSET,
  POSITION_STEPS,
} from '../../../src/core/wire/bodies/quantise.ts';
import { CUBE_SIZE } from '../../../src/levels/arrangements.ts';

/** Relations between the constants, whatever their values. */

test('every constant is a finite number', () => {
  const values = Object.entries(constants).filter(([, value]) => typeof value !== 'function');
  for (const [name, value] of values) expect(value, name).toSatisfy(Number.isFinite);
});

describe('time', () => {
  test('times in seconds are whole ticks, the nearest ones', () => {
    const times = [0.1, 0.27, 2 / 15, 1];
    expect(times.map((seconds) => ticksIn(seconds, TICK_RATE))).toEqual([6, 16, 8, 60]);
    expect(times.map((seconds) => ticksIn(seconds, 30))).toEqual([3, 8, 4, 30]);
    expect(ticksIn(TICK_SECONDS, TICK_RATE)).toBe(1);
  });

  test('a tick is as long in seconds as in milliseconds', () => {
    expect(TICK_SECONDS * TICK_RATE).toBeCloseTo(1, 12);
    expect(TICK_MS).toBeCloseTo(TICK_SECONDS * 1000, 9);
  });

  test('[B2.2] every time is a tick at least, at every rate', () => {
    const times = Object.entries(constants).filter(
      ([name]) => name.endsWith('_SECONDS') && name !== 'TICK_SECONDS',
    );
    expect(times.length).toBeGreaterThan(0);
    for (const [name, seconds] of times)
      expect(ticksIn(Number(seconds), MIN_TICK_RATE), name).toBeGreaterThan(0);
  });

  test('[W8.8] at every rate 30 to 60 packets leave in a second', () => {
    for (let rate = MIN_TICK_RATE; rate <= MAX_TICK_RATE; rate++) {
      expect(rate / ticksAPacket(rate)).toBeLessThanOrEqual(60);
      expect(rate / ticksAPacket(rate)).toBeGreaterThanOrEqual(30);
    }
  });

  test('[T2.1] [T2.2] playout waits 100 ms at least, and the greatest delay covers a quarter second of jitter more', () => {
    expect(PLAYOUT_DELAY_SECONDS).toBe(0.1);
    expect(MAX_PLAYOUT_DELAY_SECONDS).toBeGreaterThanOrEqual(0.1 + 0.25);
  });

  test('[I4] detecting rest and waiting for the return take less than two seconds', () => {
    expect(REST_SECONDS + RETURN_AFTER_SECONDS).toBeLessThan(2);
  });
});

describe('space', () => {
  test('[W2.4] the box of the world and its greatest speeds waste no bit of their grids', () => {
    expect(2 * (MAX_POSITION + 1)).toBe(2 ** 23);
    expect(2 * (MAX_LINEAR + 1)).toBe(2 ** 17);
    expect(2 * (MAX_ANGULAR + 1)).toBe(2 ** 17);
  });

  test('[W7.1] the grid of held bodies reaches as far as a hand can hold', () => {
    expect(2 * (MAX_OFFSET + 1)).toBe(2 ** 18);
    expect(MAX_OFFSET / POSITION_STEPS).toBeGreaterThan(MAX_HOLD_DISTANCE);
    expect(MAX_HOLD_DISTANCE).toBeLessThan(FLAT_BOUNDS.across);
  });

  test('no body can fall faster within the box than the grid allows', () => {
    expect(Math.sqrt(2 * GRAVITY * (FLAT_BOUNDS.high - FLAT_BOUNDS.low))).toBeLessThan(MAX_LINEAR_SPEED);
  });

  test('drag slows a motion, and never reverses it', () => {
    for (const damping of [LINEAR_DAMPING, ANGULAR_DAMPING]) {
      expect(damping).toBeGreaterThanOrEqual(0);
      expect(damping * TICK_SECONDS).toBeLessThan(1);
    }
  });

  test('[R4.1] a cube on the floor has not fallen, and one that falls is found before it leaves the box', () => {
    expect(FLAT_BOUNDS.low).toBeLessThan(-CUBE_SIZE / 2);
    expect(MAX_LINEAR_SPEED * TICK_SECONDS).toBeLessThan(BOUNDS_SLACK);
  });
});

describe('rest', () => {
  test('[R2.2] the tolerance of a rest record is less than the movement of a still body', () => {
    expect(REST_TOLERANCE).toBeLessThan(REST_DISTANCE);
    expect(2 * Math.acos(REST_TOLERANCE_DOT)).toBeLessThan((REST_ANGLE_DEGREES * Math.PI) / 180);
  });

  test('[R1.2] quantising a pose at rest does not make it count as moved', () => {
    expect(Math.sqrt(3) / 2 / POSITION_STEPS).toBeLessThan(REST_TOLERANCE);
  });
});

describe('ids and sequences', () => {
  test('[P1.4] a slot fits five bits, a set of slots 32 bits, a body twelve bits', () => {
    expect(MAX_PLAYERS).toBeLessThanOrEqual(2 ** 5);
    expect(MAX_ROOM_PLAYERS).toBeLessThanOrEqual(FIRST_SLOTS);
    expect(MAX_BODIES).toBeLessThanOrEqual(2 ** 12);
  });

  test('a sequence that a guest has run ahead is newer, and far from half the range', () => {
    const zero = 0 as Sequence;
    expect(newer(advance(zero, MAX_SEQUENCE_LEAD), zero)).toBe(true);
    expect(MAX_SEQUENCE_LEAD * 8).toBeLessThan(32768);
  });

  test('[W4.3] every baseline that may be used is stored', () => {
    expect(MAX_BASELINE_AGE).toBeLessThan(BASELINE_STORE_PACKETS);
  });

  test('[W4.3] the store of baselines goes on where packet numbers wrap', () => {
    expect(65536 % BASELINE_STORE_PACKETS).toBe(0);
  });

  test('[W4.3] baselines outlast the longest playout delay', () => {
    for (const rate of [MIN_TICK_RATE, TICK_RATE, MAX_TICK_RATE])
      expect(MAX_BASELINE_AGE * ticksAPacket(rate)).toBeGreaterThan(ticksIn(MAX_PLAYOUT_DELAY_SECONDS, rate));
  });
});

describe('packets', () => {
  test('[W5.1] a packet with its headers fits the least that IPv6 carries', () => {
    const headers = 100;
    expect(MAX_PACKET_BYTES + headers).toBeLessThanOrEqual(1280);
  });

  test('a name takes a small part of a packet', () => {
    expect(MAX_NAME_BYTES * MAX_ROOM_PLAYERS).toBeLessThan(MAX_PACKET_BYTES / 2);
  });

  test('[W5.4] a throw comes before a jolt that waited a minute, and that before bodies that lie about', () => {
    expect(PRIORITY_BASE).toBeGreaterThan(0);
    expect(PRIORITY_THROWN).toBeGreaterThan((PRIORITY_BASE + MOST_JOLT) * 60 * TICK_RATE);
  });
});
