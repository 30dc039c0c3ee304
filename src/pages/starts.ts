import type { Slot } from '../core/base/ids.ts';
import { MAX_PLAYERS } from '../core/base/constants.ts';
import { vector } from '../core/base/math.ts';
import type { DeskStart } from '../input/desk-player.ts';

/** Metres from the middle, and above the floor, at which players stand at first. */
const DISTANCE = 7.4;
const EYE_HEIGHT = 2.4;
/** Radians: a little downwards, where the cubes are. */
const PITCH = -0.3;
/** Radians: off the axes, so that what is built along them shows its depth. */
const TURN = -0.42;
/** Eighths of a circle: who comes next stands where most room is. */
const PLACES = [0, 4, 2, 6, 1, 5, 3, 7];

/** Where the player of a slot stands at first: around the cubes, looking at them. */
export function startOf(slot: Slot): DeskStart {
  const angle = TURN + (PLACES[slot] * 2 * Math.PI) / MAX_PLAYERS;
  return {
    position: vector(Math.sin(angle) * DISTANCE, EYE_HEIGHT, Math.cos(angle) * DISTANCE),
    yaw: angle,
    pitch: PITCH,
  };
}
