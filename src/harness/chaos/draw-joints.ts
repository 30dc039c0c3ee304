import { MAX_ROOM_PLAYERS } from '../../core/base/constants.ts';
import type { Slot } from '../../core/base/ids.ts';
import { Random } from '../../core/base/random.ts';
import type { Level } from '../../core/world/level.ts';
import { withGoingJoints } from '../going-joints.ts';
import type { Happening } from './happening.ts';

/** The share of rooms in which joints go: of those whose level has joints, and of others. */
const CHANCE = 0.75;
const CHANCE_OF_OTHERS = 0.2;
/** How many things are done to joints in a room, at most. */
const MOST = 60;
/** Makes this draw another than the others of a seed. */
const SALT = 0x27d4eb2f;

/**
 * [J4] Draws what is done to joints in the room of a seed; null if they never go there.
 * @param level before joints go there.
 * @param when the steps between which it happens, and whether it does in every room.
 */
export function drawJoints(
  seed: number,
  players: number,
  level: Level,
  { begin, end, always }: { readonly begin: number; readonly end: number; readonly always: boolean },
): readonly Happening[] | null {
  const random = new Random(Math.imul(seed, SALT));
  const isDrawn = random.chance(level.joints.length > 0 ? CHANCE : CHANCE_OF_OTHERS);
  if (!isDrawn && !always) return null;
  const joints = withGoingJoints(level).joints.length;
  return Array.from({ length: 1 + random.below(MOST) }, () => ({
    kind: 'joint',
    step: Math.floor(random.between(begin, end)),
    slot: random.below(Math.min(players, MAX_ROOM_PLAYERS)) as Slot,
    deed: (['remove', 'mend', 'make', 'make', 'overload'] as const)[random.below(5)],
    joint: random.below(joints),
  }));
}
