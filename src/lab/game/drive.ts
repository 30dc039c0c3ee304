import { GRAVITY, TICK_SECONDS } from '../../core/base/constants.ts';
import type { BodyId } from '../../core/base/ids.ts';
import { MOTION, STRIDE } from '../../core/base/state.ts';
import type { Hand } from './hand.ts';
import { HAND_STEPS } from './hand.ts';

/**
 * Per second squared, and per second: a spring that brings the cube to the hand within a quarter of a second
 * without swinging.
 */
const PULL = 220;
const DRAG = 28;
/** Metres per second squared: the greatest pull of a hand, so that others can resist it. */
const STRONGEST = 60;
/** The same two numbers for the turn that keeps the player's cube upright. */
const RIGHTING = 120;
const TURN_DRAG = 20;

/**
 * Changes the velocities of a player's cube by the pull of its hand in one tick. Every model uses this law. It
 * uses only + - * / and square roots, so every machine computes the same, as lockstep needs.
 * @param motion all bodies, STRIDE numbers each.
 */
export function drive(motion: Float32Array, body: BodyId, hand: Hand): void {
  const at = body * STRIDE;
  const v = at + MOTION.linear;
  const pull = [
    PULL * (hand.x / HAND_STEPS - motion[at]) - DRAG * motion[v],
    PULL * (hand.y / HAND_STEPS - motion[at + 1]) - DRAG * motion[v + 1],
    PULL * (hand.z / HAND_STEPS - motion[at + 2]) - DRAG * motion[v + 2],
  ];
  const size = Math.sqrt(pull[0] * pull[0] + pull[1] * pull[1] + pull[2] * pull[2]);
  const share = size > STRONGEST ? STRONGEST / size : 1;
  for (let i = 0; i < 3; i++) motion[v + i] += pull[i] * share * TICK_SECONDS;
  // The cube hangs in the hand, so gravity is compensated.
  motion[v + 1] += GRAVITY * TICK_SECONDS;
  const r = at + MOTION.rotation;
  const w = at + MOTION.angular;
  const side = motion[r + 3] < 0 ? -2 : 2;
  for (let i = 0; i < 3; i++) {
    motion[w + i] -= (RIGHTING * side * motion[r + i] + TURN_DRAG * motion[w + i]) * TICK_SECONDS;
  }
}

/** Sets the velocities of a player's cube so that it stands in the air for a tick. */
export function hold(motion: Float32Array, body: BodyId): void {
  const v = body * STRIDE + MOTION.linear;
  motion.fill(0, v, v + 3);
  motion[v + 1] = GRAVITY * TICK_SECONDS;
  const w = body * STRIDE + MOTION.angular;
  motion.fill(0, w, w + 3);
}
