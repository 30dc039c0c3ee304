import { describe, expect, test } from 'vitest';
import { TICK_SECONDS } from '../../../src/core/base/constants.ts';
import { ReachWheel } from '../../../src/input/desk/reach-wheel.ts';

/** Metres that a body moves which is this far away. */
function moved(notches: number, reach: number): number {
  const wheel = new ReachWheel();
  for (let i = 0; i < Math.abs(notches); i++) wheel.turn(Math.sign(notches), reach);
  let metres = 0;
  for (let tick = 0; tick < 120; tick++) metres += wheel.take() * 4 * TICK_SECONDS;
  return metres;
}

describe('the wheel', () => {
  test.each([2.5, 3, 4, 6])('moves a body that is %d m away by about 5 m in ten notches', (reach) => {
    expect(moved(10, reach)).toBeGreaterThan(4.2);
    expect(moved(10, reach)).toBeLessThan(5.8);
  });

  test('moves finer when the body is close', () => {
    expect(moved(1, 0.5)).toBeLessThan(0.15);
    expect(moved(1, 2)).toBeCloseTo(0.28, 2);
    expect(moved(1, 8)).toBeCloseTo(0.6, 2);
    expect(moved(-1, 2)).toBeCloseTo(-0.28, 2);
  });

  test('moves as far as it is told, from where it is, and stops', () => {
    const wheel = new ReachWheel();
    wheel.turn(5, 3);
    wheel.move(-2);
    let metres = 0;
    for (let tick = 0; tick < 120; tick++) metres += wheel.take() * 4 * TICK_SECONDS;
    expect(metres).toBeCloseTo(-2, 6);
    wheel.turn(5, 3);
    wheel.stop();
    expect(wheel.take()).toBe(0);
  });
});
