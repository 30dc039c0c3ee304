import { MAX_ROOM_PLAYERS } from '../core/base/constants.ts';
import type { Level, Spawning, Template } from '../core/world/level.ts';

/** How much each player may spawn [S5]. */
export type SpawnLimits = Pick<Spawning, 'perPlayer' | 'perSecond'>;

/** Bodies a second in the level of a player that keeps to no limit. */
const LAWLESS_PER_SECOND = 20;

/**
 * The level, with spawning: of its first template, planks, and balls that roll for a second or two. It also has a
 * template that nobody may spawn.
 * @param isLawless true for the level of a cheat, in which this one may be spawned, too, and as fast as one likes. Peers
 * with the two levels read one another's packets.
 */
export function withSpawning(level: Level, limits: SpawnLimits, isLawless = false): Level {
  const [cube] = level.templates;
  const plank: Template = { ...cube, shape: { kind: 'box', halfExtents: [0.4, 0.06, 0.15] } };
  const ball: Template = { ...cube, shape: { kind: 'ball', radius: 0.25 }, angularDamping: 2 };
  const secret: Template = { ...cube, shape: { kind: 'ball', radius: 0.5 }, angularDamping: 2 };
  const allowed = [cube, plank, ball];
  const templates = [...level.templates, plank, ball, secret];
  const spawning: Spawning = isLawless
    ? {
        slots: MAX_ROOM_PLAYERS,
        perPlayer: limits.perPlayer,
        perSecond: LAWLESS_PER_SECOND,
        templates: [...allowed, secret],
      }
    : { slots: MAX_ROOM_PLAYERS, ...limits, templates: allowed };
  return { ...level, templates, spawning };
}
