import { describe, expect, test } from 'vitest';
import {
  MAX_PLAYOUT_DELAY_SECONDS,
  PLAYOUT_DELAY_SECONDS,
  TICK_RATE,
  ticksIn,
} from '../../../src/core/base/constants.ts';
import { Random } from '../../../src/core/base/random.ts';
import { PlayoutClock } from '../../../src/core/link/playout-clock.ts';
import { forSeeds } from '../../support/seeds.ts';

const PLAYOUT_DELAY_TICKS = ticksIn(PLAYOUT_DELAY_SECONDS, TICK_RATE);
const MAX_PLAYOUT_DELAY_TICKS = ticksIn(MAX_PLAYOUT_DELAY_SECONDS, TICK_RATE);

/** How an author's packets reach a receiver. All in the receiver's ticks, except `rate`. */
type Stream = {
  /** Ticks of the author in a tick of the receiver. */
  readonly rate: number;
  /** The ticks for which a packet sent at this time is under way. */
  delay(sentAt: number): number;
  /** True while the author does not tick. */
  isStopped(at: number): boolean;
};

/** A reading of the clock in one tick of the receiver. */
type Reading = {
  readonly tick: number;
  readonly position: number;
  /** Ticks of the author by which the clock is behind the newest sent tick. */
  readonly behind: number;
  readonly delay: number;
  readonly jumps: number;
  /** The least margin, in ticks, of the packets that arrived in this tick; Infinity if none did. */
  readonly margin: number;
};

const LATENCY = 3;
const steady: Stream = { rate: 1, delay: () => LATENCY, isStopped: () => false };

/** Feeds a clock, and reads it in each tick after the first second. */
function play(stream: Partial<Stream>, ticks: number, clock = new PlayoutClock(TICK_RATE)): Reading[] {
  const { rate, delay, isStopped } = { ...steady, ...stream };
  const underWay: { at: number; tick: number }[] = [];
  const readings: Reading[] = [];
  for (let tick = 0, sent = 1000, time = 1000; tick < ticks; tick++) {
    if (!isStopped(tick)) time += rate;
    for (; sent < time; sent++) underWay.push({ at: tick + delay(tick), tick: sent });
    let margin = Infinity;
    for (let i = 0; i < underWay.length;) {
      if (underWay[i].at > tick) i++;
      else {
        const [packet] = underWay.splice(i, 1);
        if (clock.running) margin = Math.min(margin, packet.tick - clock.position);
        clock.arrive(packet.tick, tick);
      }
    }
    clock.advance(tick);
    const { position, jumps } = clock;
    if (tick >= 60)
      readings.push({ tick, position, behind: sent - 1 - position, delay: clock.delay, jumps, margin });
  }
  return readings;
}

function last(readings: readonly Reading[]): Reading {
  return readings[readings.length - 1];
}

/** The greatest difference of the clock's rate from the author's, ticks a tick. */
function worstRate(readings: readonly Reading[], rate = 1): number {
  const steps = readings
    .slice(1)
    .map((reading, i) => Math.abs(reading.position - readings[i].position - rate));
  return Math.max(...steps);
}

describe('[T2] a steady path', () => {
  test('[T2.1] packets wait 100 ms', () => {
    for (const reading of play({}, 600)) {
      expect(reading.behind).toBeCloseTo(LATENCY + PLAYOUT_DELAY_TICKS, 6);
      expect(reading.delay).toBe(PLAYOUT_DELAY_TICKS);
    }
    expect(PLAYOUT_DELAY_TICKS * (1000 / 60)).toBe(100);
  });

  test('nothing plays before the first packet', () => {
    const clock = new PlayoutClock(TICK_RATE);
    for (let tick = 0; tick < 100; tick++) clock.advance(tick);
    expect(clock.running).toBe(false);
    clock.arrive(7, 100);
    expect([clock.running, clock.position]).toEqual([true, 1]);
  });

  test('a restart forgets the author', () => {
    const clock = new PlayoutClock(TICK_RATE);
    play({ delay: (sentAt) => LATENCY + (sentAt % 2) * 20 }, 600, clock);
    clock.restart();
    expect([clock.running, clock.delay]).toEqual([false, PLAYOUT_DELAY_TICKS]);
    clock.arrive(10, 600);
    expect(clock.position).toBe(10 - PLAYOUT_DELAY_TICKS);
  });

  test('reordering within the delay does not move it', () => {
    const random = new Random(1);
    const readings = play({ delay: () => LATENCY + (random.chance(0.2) ? random.below(5) : 0) }, 1200);
    expect(worstRate(readings)).toBeLessThan(1e-9);
    expect(last(readings).delay).toBe(PLAYOUT_DELAY_TICKS);
  });

  test('one very old duplicate does not move it', () => {
    const clock = new PlayoutClock(TICK_RATE);
    const before = last(play({}, 600, clock));
    for (const old of [1, 100, 1200, 1500]) clock.arrive(old, 599);
    clock.advance(600);
    expect(clock.position).toBeCloseTo(before.position + 1, 6);
    expect([clock.delay, clock.jumps]).toEqual([PLAYOUT_DELAY_TICKS, 0]);
  });
});

describe('[T2] an author that is silent', () => {
  test('[T2.2] and the host repeats its newest tick in each packet: the delay stays at 100 ms', () => {
    const clock = new PlayoutClock(TICK_RATE);
    const newest = 1000 + last(play({}, 600, clock)).tick - LATENCY;
    for (let tick = 600; tick < 690; tick++) {
      clock.arrive(newest, tick);
      clock.advance(tick);
      expect(clock.delay, `tick ${tick}`).toBe(PLAYOUT_DELAY_TICKS);
    }
  });
});

describe('[T2] jitter', () => {
  test('[T2.1] within 100 ms it changes nothing, and nothing is late', () => {
    forSeeds(1, 5, (seed) => {
      const random = new Random(seed);
      const readings = play({ delay: () => LATENCY + random.next() * 5 }, 2400).slice(120);
      expect(last(readings).delay).toBeLessThan(PLAYOUT_DELAY_TICKS + 0.5);
      expect(Math.min(...readings.map((r) => r.margin))).toBeGreaterThan(-1);
    });
  });

  test('[T2.2] [T2.3] of 250 ms widens the delay until almost no packet is late, by small rate changes', () => {
    forSeeds(1, 5, (seed) => {
      const random = new Random(seed);
      const readings = play({ delay: () => LATENCY + random.next() * 15 }, 3600);
      const settled = readings.slice(1200);
      const late = settled.filter((r) => r.margin < -1).length;
      expect(late).toBeLessThan(settled.length / 100);
      expect(last(readings).delay).toBeGreaterThan(11);
      expect(last(readings).delay).toBeLessThan(18);
      expect(worstRate(readings)).toBeLessThanOrEqual(0.02 + 1e-9);
      expect(last(readings).jumps).toBe(0);
    });
  });

  test('[T2.2] once it is over, the delay narrows to 100 ms again', () => {
    const random = new Random(1);
    const readings = play({ delay: (at) => LATENCY + (at < 1200 ? random.next() * 15 : 0) }, 3600);
    const during = readings.find(({ tick }) => tick === 1199);
    expect(during?.delay).toBeGreaterThan(10);
    expect(last(readings).delay).toBe(PLAYOUT_DELAY_TICKS);
    expect(last(readings).behind).toBeCloseTo(LATENCY + PLAYOUT_DELAY_TICKS, 1);
    expect(worstRate(readings)).toBeLessThanOrEqual(0.02 + 1e-9);
  });

  test('[T2.2] however great, the delay stays within half a second', () => {
    const random = new Random(1);
    const readings = play({ delay: () => LATENCY + random.next() * 60 }, 3600);
    expect(Math.max(...readings.map((r) => r.delay))).toBe(MAX_PLAYOUT_DELAY_TICKS);
  });
});

describe('[T2] a sender whose clock is off', () => {
  test.each([0.99, 0.999, 1.001, 1.01])('[T2.3] is followed at %f of our rate, with no jump', (rate) => {
    const readings = play({ rate }, 7200);
    const settled = readings.slice(600);
    for (const { behind, tick } of settled) {
      expect(behind, `tick ${tick}`).toBeGreaterThan(LATENCY + PLAYOUT_DELAY_TICKS - 2.5);
      expect(behind, `tick ${tick}`).toBeLessThan(LATENCY + PLAYOUT_DELAY_TICKS + 2.5);
    }
    expect(worstRate(settled, rate)).toBeLessThanOrEqual(0.03 + 1e-9);
    expect(last(readings).jumps).toBe(0);
    expect(last(readings).delay).toBe(PLAYOUT_DELAY_TICKS);
  });
});

/** Expects that half a second after a stall the clock is 100 ms behind again, and packets are in time. */
function expectRecovered(readings: readonly Reading[], from: number): void {
  for (const { tick, behind, delay, margin } of readings) {
    if (tick < from) continue;
    expect(margin, `late at tick ${tick}`).toBeGreaterThan(0);
    expect(behind, `tick ${tick}`).toBeGreaterThan(LATENCY + PLAYOUT_DELAY_TICKS - 4);
    expect(behind, `tick ${tick}`).toBeLessThan(LATENCY + PLAYOUT_DELAY_TICKS + 4);
    expect(delay, `tick ${tick}`).toBeLessThan(PLAYOUT_DELAY_TICKS + 2);
  }
}

describe('[T2] after a stall it resynchronises at once', () => {
  const START = 600;

  test.each([12, 20, 30, 36, 60, 120, 300, 3600])(
    '[T2.3] of an author that stood still for %i ticks',
    (length) => {
      const isStopped = (at: number): boolean => at >= START && at < START + length;
      const readings = play({ isStopped }, START + length + 1200);
      expectRecovered(readings, START + length + 30);
      expect(last(readings).jumps).toBe(1);
    },
  );

  test.each([60, 120, 300])('[T2.3] of a path that held everything back for %i ticks', (length) => {
    const delay = (at: number): number =>
      at >= START && at < START + length ? Math.max(LATENCY, START + length - at) : LATENCY;
    const readings = play({ delay }, START + length + 1200);
    expectRecovered(readings, START + length + 30);
  });

  test.each([60, 120, 300])('[T2.3] of a path that lost everything for %i ticks', (length) => {
    const delay = (at: number): number => (at >= START && at < START + length ? Infinity : LATENCY);
    const readings = play({ delay }, START + length + 1200);
    expectRecovered(readings, START + length + 30);
    expect(last(readings).jumps).toBe(0);
  });

  test.each([12, 20, 30, 40, 300])('[T2.3] of a receiver that stood still for %i ticks', (length) => {
    const clock = new PlayoutClock(TICK_RATE);
    play({}, START, clock);
    // The author has continued meanwhile; the receiver's ticks have not.
    for (let i = 0; i < 60; i++) {
      clock.arrive(1000 + START + length + i - LATENCY, START + i);
      clock.advance(START + i);
    }
    expect(1000 + START + length + 59 - clock.position).toBeCloseTo(LATENCY + PLAYOUT_DELAY_TICKS, 0);
  });

  test('[T2.3] a receiver that catches up on its ticks after a stall does not jump', () => {
    const clock = new PlayoutClock(TICK_RATE);
    play({}, START, clock);
    // The packets of 20 ticks arrive in one, before the receiver catches up.
    for (let i = 0; i < 20; i++) clock.arrive(1000 + START + i - LATENCY, START);
    for (let i = 0; i < 120; i++) {
      if (i >= 20) clock.arrive(1000 + START + i - LATENCY, START + i);
      clock.advance(START + i);
      const behind = 1000 + START + i - clock.position;
      expect(Math.abs(behind - LATENCY - PLAYOUT_DELAY_TICKS), `tick ${i}`).toBeLessThan(3);
    }
    expect(clock.jumps).toBe(0);
  });

  test('a path that is slower from now on by 300 ms counts as a stall', () => {
    const readings = play({ delay: (at) => (at < START ? LATENCY : LATENCY + 18) }, START + 600);
    const after = readings.filter(({ tick }) => tick > START + 60);
    for (const { margin } of after) expect(margin).toBeGreaterThan(0);
    expect(last(readings).behind).toBeCloseTo(LATENCY + 18 + PLAYOUT_DELAY_TICKS, 0);
  });
});
