import { describe, expect, test } from 'vitest';
import { LEFT, RIGHT } from '../../../src/core/base/ids.ts';
import { setVector } from '../../../src/core/base/math.ts';
import type { PlayerInput } from '../../../src/core/hands/hand-input.ts';
import { playerInput } from '../../../src/core/hands/hand-input.ts';
import type { InputSource } from '../../../src/pages/headset/slot-hands.ts';
import { SlotHands } from '../../../src/pages/headset/slot-hands.ts';

/** A player with tracked, closed hands. */
function player(height: number): InputSource & { readonly input: PlayerInput } {
  const input = playerInput();
  setVector(input.head.position, 0, height, 0);
  for (const side of [LEFT, RIGHT] as const) {
    input.hands[side].tracked = true;
    input.hands[side].grip = 1;
  }
  return { input, sample: () => input };
}

describe('the hands of a slot', () => {
  test('are the hands of its player', () => {
    const [hands, desk] = [new SlotHands(), player(1)];
    expect(hands.sample(desk, 0)).toBe(desk.input);
    expect(hands.sample(desk, 16)).toBe(desk.input);
  });

  test('[G3.1] are missing for one tick when another player takes over, so that nothing is thrown', () => {
    const [hands, desk, headset] = [new SlotHands(), player(1), player(1.7)];
    hands.sample(desk, 0);
    const between = hands.sample(headset, 16);
    expect(between.hands.map(({ tracked, grip }) => [tracked, grip])).toEqual([
      [false, 0],
      [false, 0],
    ]);
    expect(between.head.position.y).toBe(1.7);
    expect(hands.sample(headset, 33)).toBe(headset.input);
  });
});
