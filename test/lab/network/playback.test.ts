import { describe, expect, it } from 'vitest';
import { TICK_SECONDS } from '../../../src/core/base/constants.ts';
import { POSE_STRIDE, STRIDE } from '../../../src/core/base/state.ts';
import { Random } from '../../../src/core/base/random.ts';
import type { Frame, LabPlayback } from '../../../src/lab/network/playback.ts';
import {
  CachedPlayback,
  ConstantSpeedPlayback,
  EXTRAPOLATED,
  HermitePlayback,
  JUMP_GAP,
  LinearPlayback,
} from '../../../src/lab/network/playback.ts';

const SPEED = 3;
/** Ticks between two frames. */
const EVERY = 3;

/** A body that moves along x, `way` metres at each tick. */
function frame(tick: number, way: (tick: number) => number, speed = SPEED): Frame {
  const motion = new Float32Array(STRIDE);
  motion[0] = way(tick);
  motion[6] = 1;
  motion[7] = speed;
  return { tick, motion };
}

const evenly = (tick: number): number => tick * SPEED * TICK_SECONDS;

/** Frames of every third tick, each 0 to `jitter` ticks late; returns x after each tick of the receiver. */
function drawn(
  playback: LabPlayback,
  ticks: number,
  jitter: number,
  way = evenly,
  until = Infinity,
): number[] {
  const random = new Random(5);
  const arrivals: { at: number; frame: Frame }[] = [];
  for (let tick = 0; tick < ticks && tick <= until; tick += 3) {
    const speed = (way(tick + 0.5) - way(tick - 0.5)) / TICK_SECONDS;
    arrivals.push({ at: tick + 4 + random.between(0, jitter), frame: frame(tick, way, speed) });
  }
  const out = new Float32Array(POSE_STRIDE);
  let newest = -1;
  const xs: number[] = [];
  for (let tick = 1; tick < ticks; tick++) {
    for (const arrival of arrivals) {
      if (arrival.at <= tick - 1 || arrival.at > tick || arrival.frame.tick <= newest) continue;
      newest = arrival.frame.tick;
      playback.add(arrival.frame, tick);
    }
    playback.advance(tick, out);
    xs.push(out[0]);
  }
  return xs;
}

/** The greatest deviation from the true speed, as a share of it, after a second. */
function unevenness(xs: readonly number[]): number {
  let most = 0;
  for (let i = 61; i < xs.length; i++) {
    most = Math.max(most, Math.abs((xs[i] - xs[i - 1]) / TICK_SECONDS / SPEED - 1));
  }
  return most;
}

describe('snapshots between which is drawn', () => {
  it('at constant speed a body keeps its speed within 1 % under jitter, where linearly it does not', () => {
    expect(unevenness(drawn(new ConstantSpeedPlayback(1, EVERY), 900, 2.4))).toBeLessThan(0.01);
    expect(unevenness(drawn(new LinearPlayback(1), 900, 2.4))).toBeGreaterThan(0.3);
  });

  it('without news a body goes on along its velocity for 100 ms, and stops there', () => {
    expect(EXTRAPOLATED * TICK_SECONDS).toBeCloseTo(0.1);
    for (const playback of [new ConstantSpeedPlayback(1, EVERY), new HermitePlayback()]) {
      const xs = drawn(playback, 240, 0, evenly, 120);
      expect(xs[xs.length - 1]).toBeCloseTo(evenly(120 + EXTRAPOLATED), 3);
      expect(xs[xs.length - 60]).toBe(xs[xs.length - 1]);
    }
  });

  it('after a stall beyond the threshold it jumps, after a shorter one it glides', () => {
    const after = (gap: number): number => {
      const playback = new ConstantSpeedPlayback(1, EVERY);
      const out = new Float32Array(POSE_STRIDE);
      for (let tick = 0; tick <= 60; tick++) {
        if (tick % 3 === 0) playback.add(frame(tick, evenly));
        playback.advance(tick, out);
      }
      let most = 0;
      for (let tick = 61; tick < 140; tick++) {
        if (tick === 60 + gap) playback.add(frame(tick, evenly));
        const before = out[0];
        playback.advance(tick, out);
        most = Math.max(most, out[0] - before);
      }
      return most / (SPEED * TICK_SECONDS);
    };
    expect(after(JUMP_GAP + 3)).toBeGreaterThan(5);
    expect(after(JUMP_GAP - 6)).toBeLessThan(2);
  });

  it.each([1, 2, 3])('the buffer is two frames of %i ticks each', (every) => {
    const late = (playback: LabPlayback): number => {
      const out = new Float32Array(POSE_STRIDE);
      for (let tick = 0; tick <= 300; tick++) {
        if (tick % every === 0) playback.add(frame(tick, evenly), tick);
        playback.advance(tick, out);
      }
      return 300 - out[0] / (SPEED * TICK_SECONDS);
    };
    expect(late(new HermitePlayback(every))).toBeCloseTo(2 * every, 1);
    expect(Math.abs(late(new ConstantSpeedPlayback(1, every)) - 2 * every)).toBeLessThanOrEqual(every);
  });

  it('by Hermite a thrown body is where it was, to a millimetre, from ten frames a second', () => {
    const thrown = (tick: number): number => {
      const seconds = tick * TICK_SECONDS;
      return 2 * seconds - 0.5 * 9.8 * seconds * seconds;
    };
    const playback = new HermitePlayback();
    const out = new Float32Array(POSE_STRIDE);
    let worst = 0;
    for (let tick = 1; tick < 120; tick++) {
      const speed = (thrown(tick + 0.5) - thrown(tick - 0.5)) / TICK_SECONDS;
      if (tick % 6 === 0) playback.add(frame(tick, thrown, speed), tick);
      playback.advance(tick, out);
      if (tick > 30) worst = Math.max(worst, Math.abs(out[0] - thrown(playback.position)));
    }
    expect(worst).toBeLessThan(0.001);
  });

  describe('with a cache of two and no clock but the arrivals, as its source has it', () => {
    const advance = (playback: CachedPlayback, ticks: number): number[] => {
      const out = new Float32Array(POSE_STRIDE);
      return Array.from({ length: ticks }, () => {
        playback.advance(0, out);
        return out[0];
      });
    };
    const still = (tick: number): Frame => frame(tick, evenly);

    it('goes from frame to frame at constant speed, as long as lay between them', () => {
      const playback = new CachedPlayback(1);
      playback.add(still(0));
      playback.add(still(3));
      playback.add(still(9));
      const xs = advance(playback, 9);
      xs.forEach((x, i) => expect(x).toBeCloseTo(evenly(i + 1), 4));
    });

    it('keeps two frames: of three that come at once, the oldest is passed over', () => {
      const [two, three] = [new CachedPlayback(1), new CachedPlayback(1)];
      for (const tick of [0, 3, 6]) two.add(still(tick));
      for (const tick of [0, 3, 6, 9]) three.add(frame(tick, (at) => (at === 3 ? 100 : evenly(at))));
      expect(Math.max(...advance(two, 6))).toBeCloseTo(evenly(6), 4);
      expect(Math.max(...advance(three, 9))).toBeCloseTo(evenly(9), 4);
    });

    it('without a frame goes on for 0.1 s, and stands', () => {
      const playback = new CachedPlayback(1);
      playback.add(still(0));
      playback.add(still(3));
      const xs = advance(playback, 30);
      expect(xs[29]).toBeCloseTo(evenly(3 + EXTRAPOLATED), 4);
      expect(xs[10]).toBe(xs[29]);
    });

    it('after a gap begins its way where it stands, when the next frame arrives', () => {
      const playback = new CachedPlayback(1);
      playback.add(still(0));
      playback.add(still(3));
      const stands = advance(playback, 30)[29];
      playback.add(still(12));
      const xs = advance(playback, 9);
      const span = 12 - 3;
      xs.forEach((x, i) => expect(x).toBeCloseTo(stands + ((evenly(12) - stands) * (i + 1)) / span, 4));
    });
  });
});
