import { describe, expect, it } from 'vitest';
import { PLAYOUT_DELAY_TICKS } from '../../../src/core/base/constants.ts';
import { Random } from '../../../src/core/base/random.ts';
import { PlayoutClock } from '../../../src/core/link/playout-clock.ts';

/** One author's packets on their way to a clock: it ticks, and what has arrived is told first. */
class Path {
  readonly clock = new PlayoutClock();
  own = 0;
  author = 1000;
  readonly #underWay: { tick: number; at: number }[] = [];

  /** @param delay ticks that the packet of this tick takes, or null: lost. */
  step(delay: number | null, rate = 1): void {
    this.own++;
    this.author += rate;
    if (delay !== null) this.#underWay.push({ tick: Math.floor(this.author), at: this.own + delay });
    for (const packet of this.#underWay.filter(({ at }) => at <= this.own))
      this.clock.arrive(packet.tick, this.own);
    const waiting = this.#underWay.filter(({ at }) => at > this.own);
    this.#underWay.splice(0, this.#underWay.length, ...waiting);
    this.clock.advance(this.own);
  }

  /** Ticks that the shown moment lies behind the author. */
  get behind(): number {
    return this.author - this.clock.position;
  }
}

describe('[T2] the playout clock', () => {
  it('shows what is 100 ms older than the fastest packets', () => {
    const path = new Path();
    for (let i = 0; i < 600; i++) path.step(3);
    expect(path.behind).toBeCloseTo(3 + PLAYOUT_DELAY_TICKS, 0);
    expect(path.clock.jumps).toBe(0);
  });

  it('goes evenly under jitter that the delay covers', () => {
    const path = new Path();
    const random = new Random(1);
    let worst = 0;
    for (let i = 0; i < 1200; i++) {
      const before = path.clock.position;
      path.step(3 + random.below(4));
      if (i > 200) worst = Math.max(worst, Math.abs(path.clock.position - before - 1));
    }
    expect(worst).toBeLessThanOrEqual(0.021);
    expect(path.clock.delay).toBe(PLAYOUT_DELAY_TICKS);
  });

  it('widens when packets come too late, and narrows again', () => {
    const path = new Path();
    const random = new Random(2);
    for (let i = 0; i < 600; i++) path.step(3 + random.below(15));
    const wide = path.clock.delay;
    expect(wide).toBeGreaterThan(10);
    for (let i = 0; i < 2400; i++) path.step(3);
    expect(path.clock.delay).toBeLessThan(PLAYOUT_DELAY_TICKS + 0.5);
    expect(path.clock.jumps).toBe(0);
  });

  it.each([0.99, 1.01])('follows a clock that runs at %f without a jump', (rate) => {
    const path = new Path();
    for (let i = 0; i < 6000; i++) path.step(3, rate);
    expect(path.behind).toBeGreaterThan(PLAYOUT_DELAY_TICKS);
    expect(path.behind).toBeLessThan(3 + PLAYOUT_DELAY_TICKS + 3);
    expect(path.clock.jumps).toBe(0);
  });

  it('resynchronises at once when the author stood still for 5 s', () => {
    const path = new Path();
    for (let i = 0; i < 300; i++) path.step(3);
    for (let i = 0; i < 300; i++) path.step(null, 0);
    for (let i = 0; i < 5; i++) path.step(3);
    expect(path.behind).toBeLessThan(3 + PLAYOUT_DELAY_TICKS + 3);
    expect(path.behind).toBeGreaterThan(PLAYOUT_DELAY_TICKS - 1);
  });

  it('resynchronises at once when this peer stood still for 5 s', () => {
    const path = new Path();
    for (let i = 0; i < 300; i++) path.step(3);
    path.author += 300;
    for (let i = 0; i < 5; i++) path.step(3);
    expect(path.behind).toBeLessThan(3 + PLAYOUT_DELAY_TICKS + 3);
  });

  it('is not moved by packets of long ago', () => {
    const path = new Path();
    for (let i = 0; i < 300; i++) path.step(3);
    const before = path.clock.position;
    path.clock.arrive(Math.floor(path.author) - 200, path.own);
    path.step(3);
    expect(path.clock.position - before).toBeCloseTo(1, 1);
    expect(path.clock.jumps).toBe(0);
  });
});
