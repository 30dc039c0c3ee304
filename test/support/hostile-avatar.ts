import { POSITION_STEPS, TURN_STEP } from '../../src/core/wire/bodies/quantise.ts';
import type { PlainAvatar } from './packets.ts';

/** An avatar whose head and hands are there, in metres, and reach for these bodies. */
export function avatarAt(place: readonly number[], ...reaches: readonly number[]): PlainAvatar {
  const steps = place.map((n) => Math.trunc((n * POSITION_STEPS) / TURN_STEP) * TURN_STEP);
  const pose = [...steps, 3, 0, 0, 0];
  const hands = [0, 1].map((side) => {
    const reach = reaches[side] ?? -1;
    return { pose, grip: 63, trigger: 0, pointing: false, thumbUp: false, held: null, reach };
  });
  return { age: 0, head: pose, hands, voice: 0, name: [] };
}
