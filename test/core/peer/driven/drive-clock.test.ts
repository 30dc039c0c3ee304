import { describe, expect, test } from 'vitest';
import { AuthorTime, shiftOf } from '../../../../src/core/peer/driven/author-time.ts';
import { DRIVE_STEPS, DriveClock } from '../../../../src/core/peer/driven/drive-clock.ts';

const TICK = DRIVE_STEPS;

describe('[K1.2] the room’s time', () => {
  test('begins at its target, and follows it', () => {
    const clock = new DriveClock(60);
    expect(clock.advance(1000.4)).toBe(true);
    expect(clock.time).toBe(1000);
    for (let tick = 1; tick <= 600; tick++) expect(clock.advance(1000.4 + tick * TICK)).toBe(false);
    expect(Math.abs(clock.time - (1000.4 + 600 * TICK))).toBeLessThanOrEqual(TICK / 16);
  });

  test.each([1, -1])('runs at half to nearly twice its speed, on its way to a target %i s off', (seconds) => {
    const clock = new DriveClock(60);
    const off = seconds * 60 * TICK;
    clock.advance(100_000);
    let ticks = 0;
    for (let target = 100_000 + TICK; Math.abs(target + off - clock.time) > 2 * TICK; target += TICK) {
      const before = clock.time;
      expect(clock.advance(target + off)).toBe(false);
      expect(clock.time - before).toBeGreaterThanOrEqual(TICK / 2);
      expect(clock.time - before).toBeLessThan(1.9 * TICK);
      expect(ticks++, 'ticks').toBeLessThan(200);
    }
  });

  test('jumps if it is more than two seconds off, and after a restart', () => {
    const clock = new DriveClock(60);
    clock.advance(100_000);
    expect(clock.advance(100_000 + TICK + 2.1 * 60 * TICK)).toBe(true);
    clock.restart(0);
    expect(clock.advance(5)).toBe(true);
    expect(clock.time).toBe(5);
  });

  test('waits at 0 while its target is before the level began', () => {
    const clock = new DriveClock(60);
    clock.restart(0);
    for (const target of [-200, -100, 0]) expect(clock.advance(target)).toBe(false);
    expect(clock.time).toBe(0);
  });

  test('jumps where it begins again', () => {
    const clock = new DriveClock(60);
    clock.advance(2 ** 32 - 10);
    expect(clock.advance(2 ** 32 - 10 + TICK)).toBe(true);
    expect(clock.time).toBe(TICK - 10);
  });
});

describe('[K2.1] the room’s time of another player', () => {
  test('goes on by the shift that is not later, and is below 0 before the level began anew', () => {
    const time = new AuthorTime();
    time.add(500, shiftOf(500, 9000));
    expect(time.at(502.5)).toBe(9000 + 2.5 * TICK);
    time.clear();
    time.add(600, shiftOf(600, 0));
    time.add(601, shiftOf(601, TICK));
    expect(time.at(594)).toBe(-6 * TICK);
    expect(time.at(600.5)).toBe(0.5 * TICK);
  });
});
