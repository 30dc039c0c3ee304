import { describe, expect, it } from 'vitest';
import { TICK_MS } from '../../../src/core/base/constants.ts';
import { POSE_STRIDE } from '../../../src/core/base/state.ts';
import { handAt } from '../../../src/lab/game/hand.ts';
import type { Judgement } from '../../../src/lab/judge/referee.ts';
import { LabReferee } from '../../../src/lab/judge/referee.ts';

/** A hand that stands for a second, and then goes on at 3 m/s. */
const handX = (tick: number): number => Math.max(0, tick - 60) * 0.05;

function poseAt(x: number): Float32Array {
  return Float32Array.of(x, 0, 0, 0, 0, 0, 1);
}

/** One cube that is drawn at `drawn` and truly is at `truth`, metres along x by tick. */
function judge(drawn: (tick: number) => number, truth: (tick: number) => number, ticks = 120): Judgement {
  const referee = new LabReferee({ halves: [0.3], players: 1 }, 0);
  const [a, b] = [new Float32Array(POSE_STRIDE), new Float32Array(POSE_STRIDE)];
  for (let tick = 1; tick <= ticks; tick++) {
    a[0] = drawn(tick);
    b[0] = truth(tick);
    referee.observe(handAt({ x: handX(tick), y: 0, z: 0 }), a, b);
  }
  return referee.judgement;
}

describe('the referee of the lab', () => {
  it.each([0, 3, 12])('sees a cube that follows its hand %i ticks late', (late) => {
    const { delays } = judge((tick) => handX(tick - late), handX);
    expect(delays).toEqual([(late + 1) * TICK_MS]);
  });

  it('does not take for an answer what moved before', () => {
    expect(judge((tick) => tick * 0.01, handX).delays).toEqual([]);
  });

  it('measures how far what moves is from where it truly is', () => {
    const { errors } = judge((tick) => handX(tick - 4), handX);
    expect(errors.worst).toBeCloseTo(0.2);
    expect(errors.count).toBe(60);
    expect(errors.below(0.95)).toBeCloseTo(0.2);
    expect(errors.mean).toBeCloseTo((56 * 0.2 + 0.05 + 0.1 + 0.15 + 0.2) / 60);
    expect(
      judge(
        () => 1,
        () => 0,
      ).errors.count,
    ).toBe(0);
  });

  it('counts what is drawn jumping, once, but not what truly jumps', () => {
    const jump = (tick: number): number => (tick < 90 ? 0 : 0.5);
    expect(judge(jump, () => 0).jumps).toBe(1);
    expect(judge(jump, jump).jumps).toBe(0);
    // A blow that makes 3 m/s of nothing.
    expect(judge(handX, handX).jumps).toBe(0);
  });

  it('measures rotations in degrees, of what moves', () => {
    const referee = new LabReferee({ halves: [0.3], players: 1 }, 0);
    for (let tick = 1; tick <= 100; tick++) {
      const truth = Float32Array.of(tick * 0.05, 0, 0, 0, 0, 0, 1);
      const drawn = Float32Array.of(tick * 0.05, 0, 0, 0, Math.sin(Math.PI / 12), 0, Math.cos(Math.PI / 12));
      referee.observe(handAt({ x: 0, y: 0, z: 0 }), drawn, truth);
    }
    expect(referee.judgement.turns.below(0.95)).toBeCloseTo(30, 0);
    expect(referee.judgement.errors.worst).toBe(0);
  });

  it('measures how far a moving body is apart on two screens at the same moment', () => {
    const referee = new LabReferee({ halves: [0.3], players: 1 }, 0);
    for (let tick = 1; tick <= 100; tick++) {
      referee.compare(poseAt(tick * 0.05), poseAt((tick - 8) * 0.05));
    }
    expect(referee.judgement.screens.below(0.95)).toBeCloseTo(0.4, 2);
  });

  it('counts as contested what two players have touched within a second, and nothing else', () => {
    const judged = (far: number): number => {
      const referee = new LabReferee({ halves: [0.3, 0.3, 0.25], players: 2 }, 1);
      for (let tick = 1; tick <= 60; tick++) {
        const x = tick * 0.02;
        const truth = Float32Array.of(...poseAt(x - 0.55), ...poseAt(x + 0.55 + far), ...poseAt(x));
        const drawn = Float32Array.of(...poseAt(x - 0.55), ...poseAt(x + 0.55 + far), ...poseAt(x - 0.1));
        referee.observe(handAt({ x: 0, y: 0, z: 0 }), drawn, truth);
      }
      return referee.judgement.contested.mean;
    };
    expect(judged(0)).toBeCloseTo(0.1, 3);
    expect(judged(1)).toBeNaN();
  });

  it('tells what is recent apart from all', () => {
    const referee = new LabReferee({ halves: [0.3], players: 1 }, 0);
    const [a, b] = [new Float32Array(POSE_STRIDE), new Float32Array(POSE_STRIDE)];
    const play = (from: number, to: number): void => {
      for (let tick = from; tick < to; tick++) {
        a[0] = handX(tick) + (tick < 100 ? 0 : 0.3);
        b[0] = handX(tick);
        referee.observe(handAt({ x: handX(tick), y: 0, z: 0 }), a, b);
      }
    };
    play(1, 90);
    expect(referee.takeRecent()).toMatchObject({ ticks: 89, jumps: 0 });
    play(90, 120);
    const recent = referee.takeRecent();
    expect([recent.ticks, recent.jumps, recent.delays.length]).toEqual([30, 1, 0]);
    expect(recent.errors.mean).toBeCloseTo(0.2);
    expect(referee.judgement).toMatchObject({ ticks: 119, jumps: 1 });
    expect(referee.judgement.delays).toHaveLength(1);
  });
});
