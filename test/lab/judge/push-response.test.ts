import { describe, expect, it } from 'vitest';
import { TICK_MS } from '../../../src/core/base/constants.ts';
import { handAt } from '../../../src/lab/game/hand.ts';
import { PushResponse } from '../../../src/lab/judge/push-response.ts';

const HALVES = [0.3, 0.3, 0.25];
/** The place of a cube at rest that player 1 pushes. */
const AT = 2;

function posesAt(...xs: readonly number[]): Float32Array {
  return Float32Array.of(...xs.flatMap((x) => [x, 0.3, 0, 0, 0, 0, 1]));
}

/** The answers to a hand that goes along x, where the pushed cube is drawn moving `late` ticks after the contact. */
function answers(late: number, isOthers = false, leansAt?: number): number[] {
  const push = new PushResponse({ halves: HALVES, players: 2 }, 1);
  const got: number[] = [];
  let [contact, x] = [-1, AT];
  for (let tick = 1; tick <= 200; tick++) {
    const hand = Math.min(1.9, Math.max(0, tick - 20) * 0.04);
    // The hand's cube lags its hand; it has arrived at the other cube's side when it has come 2 cm beyond it.
    if (contact < 0 && tick > 20 && hand > AT - 0.55 + 0.35) contact = tick;
    if (contact >= 0 && tick >= contact + late) x += 0.03;
    const truth = posesAt(leansAt ?? -5, isOthers ? -2 : x - 0.55, x);
    push.observe(handAt({ x: hand, y: 0.3, z: 0 }), posesAt(-5, isOthers ? -2 : x - 0.55, x), truth, (ms) =>
      got.push(ms),
    );
  }
  return got;
}

describe('the answer of a pushed cube', () => {
  it('is later by as much as the cube is drawn later', () => {
    const [soon] = answers(2);
    const [late] = answers(14);
    expect(late - soon).toBeCloseTo(12 * TICK_MS, 5);
    expect(answers(2)).toHaveLength(1);
  });

  it('is none if the cube never moves, or if another player has moved it', () => {
    expect(answers(1000)).toEqual([]);
    expect(answers(2, true)).toEqual([]);
  });

  it('is none while another player leans on it', () => {
    expect(answers(2, false, AT + 0.56)).toEqual([]);
  });
});
