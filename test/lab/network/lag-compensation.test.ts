import { describe, expect, it } from 'vitest';
import { TICK_SECONDS } from '../../../src/core/base/constants.ts';
import { STRIDE } from '../../../src/core/base/state.ts';
import type { Compensation } from '../../../src/lab/network/lag-compensation.ts';
import { RemoteBody } from '../../../src/lab/network/lag-compensation.ts';

const SPEED = 4;
/** 100 ms in ticks, and every third tick an update. */
const LAG = 6;
const EVERY = 3;

function motionAt(tick: number, x = tick * SPEED * TICK_SECONDS, speed = SPEED): Float32Array {
  const motion = new Float32Array(STRIDE);
  motion[0] = x;
  motion[6] = 1;
  motion[7] = speed;
  return motion;
}

/** Carries a body on as an engine does if it touches nothing. */
function carry(body: RemoteBody): void {
  body.pull();
  for (let i = 0; i < 3; i++) body.motion[i] += body.motion[7 + i] * TICK_SECONDS;
}

describe('an owner’s state at 100 ms, as “Lag Compensation for PUN” makes up for it', () => {
  it.each<Compensation>(['add', 'move', 'displace'])(
    'by %s the error of an evenly moving body is at most half of what it is without',
    (how) => {
      const body = new RemoteBody(motionAt(0), how);
      let [compensated, raw, last] = [0, 0, 0];
      for (let tick = 1; tick < 240; tick++) {
        if ((tick - LAG) % EVERY === 0 && tick > LAG) {
          last = tick - LAG;
          // The body is placed before the tick's step, so one tick less has passed for it.
          body.hear(motionAt(last), 0, (LAG - 1) * TICK_SECONDS);
        }
        carry(body);
        if (tick < 120) continue;
        const truth = motionAt(tick)[0];
        compensated += Math.abs(body.motion[0] - truth);
        raw += Math.abs(motionAt(last)[0] - truth);
      }
      expect(compensated).toBeLessThan(raw / 2);
    },
  );

  it('add: the body is set to position plus velocity times lag, and takes the velocity', () => {
    const body = new RemoteBody(motionAt(0), 'add');
    body.hear(motionAt(0, 1), 0, 0.1);
    expect(body.motion[0]).toBeCloseTo(1 + SPEED * 0.1, 5);
    expect(body.motion[7]).toBe(SPEED);
  });

  it('move: the body stays, takes the velocity, and is pulled by one metre and 100 degrees a second', () => {
    const body = new RemoteBody(motionAt(0), 'move');
    const turned = motionAt(0, 1);
    // By 20 degrees.
    turned[4] = Math.sin(Math.PI / 18);
    turned[6] = Math.cos(Math.PI / 18);
    body.hear(turned, 0, 0);
    expect(body.motion[0]).toBe(0);
    expect(body.motion[7]).toBe(SPEED);
    body.pull();
    expect(body.motion[0]).toBeCloseTo(1 / 60, 5);
    const degrees = (2 * Math.asin(body.motion[4]) * 180) / Math.PI;
    expect(degrees).toBeCloseTo(100 / 60, 1);
  });

  it('displace: the body goes to where its last movement leads, and has no velocity of its own', () => {
    const body = new RemoteBody(motionAt(0), 'displace');
    body.hear(motionAt(0, 0.5), 0, 0.1);
    expect(body.motion[7]).toBe(0);
    for (let i = 0; i < 60; i++) body.pull();
    expect(body.motion[0]).toBeCloseTo(0.5 + SPEED * 0.1, 5);
  });

  it('an age beyond half a second is not made up for, and a far target is jumped to', () => {
    const body = new RemoteBody(motionAt(0), 'add');
    body.hear(motionAt(0, 1), 0, 9);
    expect(body.motion[0]).toBeCloseTo(1 + SPEED * 0.5, 4);
    const chaser = new RemoteBody(motionAt(0), 'move');
    chaser.hear(motionAt(0, 3.2, 0), 0, 0);
    expect(chaser.motion[0]).toBeCloseTo(3.2, 5);
  });
});
