import { vector } from '../../core/base/math.ts';
import type { DeskStart } from '../../input/desk-player.ts';

/** Where each player stands at first: they see each other, with the cubes between them. */
export const START_PLACES: readonly [DeskStart, DeskStart] = [
  { position: vector(-3.1, 2.4, 6.8), yaw: -0.43, pitch: -0.34 },
  { position: vector(6.9, 2.4, -2.9), yaw: 1.97, pitch: -0.34 },
];
