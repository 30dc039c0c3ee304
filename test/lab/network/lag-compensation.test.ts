import { describe, expect, it } from 'vitest';
import { TICK_SECONDS } from '../../../src/core/base/constants.ts';
import { STRIDE } from '../../../src/core/base/state.ts';
import type { Compensation } from '../../../src/lab/network/lag-compensation.ts';
import { RemoteBody } from '../../../src/lab/network/lag-compensation.ts';

const SPEED = 4;
/** 100 ms in ticks, and every third tick an update. */
const LAG = 6;
const EVERY = 3;

function motionAt(tick: number): Float32Array {
  const motion = new Float32Array(STRIDE);
  motion[0] = tick * SPEED * TICK_SECONDS;
  motion[6] = 1;
  motion[7] = SPEED;
  return motion;
}

describe('an owner’s state at 100 ms', () => {
  it.each<Compensation>(['add', 'move', 'displace'])(
    'by %s the error of an evenly moving body is at most half of what it is without',
    (how) => {
      const body = new RemoteBody(motionAt(0));
      let [compensated, raw, last] = [0, 0, 0];
      for (let tick = 1; tick < 240; tick++) {
        if ((tick - LAG) % EVERY === 0 && tick > LAG) {
          last = tick - LAG;
          body.hear(last, motionAt(last), 0);
        }
        body.advance(tick, how);
        if (tick < 60) continue;
        const truth = motionAt(tick)[0];
        compensated += Math.abs(body.drawn[0] - truth);
        raw += Math.abs(motionAt(last)[0] - truth);
      }
      expect(compensated).toBeLessThan(raw / 2);
    },
  );

  it('moved at a bounded rate, a body does not jump to where it has been turned to', () => {
    const steps = (how: Compensation): number => {
      const body = new RemoteBody(motionAt(0));
      body.hear(1, motionAt(1), 0);
      for (let tick = 1; tick < 20; tick++) body.advance(tick, how);
      const turned = motionAt(2);
      turned[0] = -1;
      turned[7] = -SPEED;
      body.hear(20, turned, 0);
      const before = body.drawn[0];
      body.advance(20, how);
      return Math.abs(body.drawn[0] - before);
    };
    expect(steps('add')).toBeGreaterThan(1);
    expect(steps('move')).toBeLessThan(0.6);
  });

  it('goes on for half a second without news, and no further', () => {
    const body = new RemoteBody(motionAt(0));
    body.hear(1, motionAt(1), 0);
    body.advance(1000, 'add');
    expect(body.drawn[0]).toBeCloseTo(motionAt(31)[0], 4);
  });
});
