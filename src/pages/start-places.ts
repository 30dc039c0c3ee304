import type { Slot } from '../core/base/ids.ts';
import { MAX_PLAYERS } from '../core/base/constants.ts';
import { vector } from '../core/base/math.ts';
import type { DeskStart } from '../input/desk-player.ts';

/** Metres: a player's first distance from the middle, and the height of its eyes above the floor. */
const DISTANCE = 7.4;
const EYE_HEIGHT = 2.4;
/** Radians: a little downwards, towards the cubes. */
const PITCH = -0.3;
/** Radians: not along the axes, so that structures along the axes show their depth. */
const TURN = -0.42;
/** Eighths of a circle for each slot: each new player stands where there is most space. */
const PLACES = [0, 4, 2, 6, 1, 5, 3, 7];

/** Returns where the player of a slot stands at first: beside the cubes, looking at them. */
export function startPlaceOf(slot: Slot): DeskStart {
  const angle = TURN + (PLACES[slot] * 2 * Math.PI) / MAX_PLAYERS;
  return {
    position: vector(Math.sin(angle) * DISTANCE, EYE_HEIGHT, Math.cos(angle) * DISTANCE),
    yaw: angle,
    pitch: PITCH,
  };
}
