import type { Slot } from '../../core/base/ids.ts';
import type { Vector } from '../../core/base/math.ts';
import { vector } from '../../core/base/math.ts';
import { Random } from '../../core/base/random.ts';
import type { SpawnLimits } from '../spawn-level.ts';
import { drawAction } from './draw-action.ts';
import type { Happening } from './happening.ts';

/** The spawning of a room: everything that chance decides about it. */
export type SpawnMix = {
  readonly spawning: SpawnLimits;
  /** Players that spawn faster than they may, and what they may not. */
  readonly cheats: readonly Slot[];
  /** Not sorted. */
  readonly happenings: readonly Happening[];
};

/** The share of rooms in which players spawn and despawn, and what makes this draw another than the rest of the room's. */
const SPAWN_CHANCE = 0.4;
const SPAWN_SALT = 0x27d4eb85;
/** The most spawns and despawns of a room, and actions on what may have been spawned. */
const MOST = 160;
const MOST_ACTS = 30;
/** The share of spawns with which several more follow at once. */
const BURST_CHANCE = 0.15;
const LONGEST_BURST = 8;
/** Metres from the middle, metres a second, radians a second: what is spawned is thrown about a little. */
const WIDE = 4;
const HIGH = 4;
const FAST = 5;

/**
 * Draws the spawning of a seed's room; null if nobody spawns there. It has a source of chance of its own, so that the
 * rooms of seeds without spawning stay as they are.
 * @param bodies that the level begins with.
 * @param from the first step of play.
 * @param to the last one.
 */
export function drawSpawning(
  seed: number,
  players: number,
  bodies: number,
  from: number,
  to: number,
): SpawnMix | null {
  const random = new Random(Math.imul(seed, SPAWN_SALT));
  if (!random.chance(SPAWN_CHANCE)) return null;
  const spawning = { perPlayer: 1 + random.below(6), perSecond: 1 + random.below(10) };
  const cheats = random.chance(0.3) && players > 1 ? [(1 + random.below(players - 1)) as Slot] : [];
  const happenings: Happening[] = [];
  const despawns = random.between(0.1, 0.6);
  for (let i = 20 + random.below(MOST - 19); i > 0; i--) {
    const step = Math.floor(random.between(from, to));
    const slot = random.below(players) as Slot;
    if (random.chance(despawns)) happenings.push(drawDespawn(random, step, slot));
    else drawSpawns(random, step, slot, happenings);
  }
  const ids = bodies + spawning.perPlayer * players;
  for (let i = random.below(MOST_ACTS); i > 0; i--) {
    const action = drawAction(random, ids);
    const slot = random.below(players) as Slot;
    happenings.push({ kind: 'act', step: Math.floor(random.between(from, to)), slot, action });
  }
  return { spawning, cheats, happenings };
}

function drawSpawns(random: Random, step: number, slot: Slot, out: Happening[]): void {
  const isBurst = random.chance(BURST_CHANCE);
  for (let i = isBurst ? 1 + random.below(LONGEST_BURST) : 1; i > 0; i--) {
    const at = anyVector(random, WIDE);
    at.y = random.between(0.5, HIGH);
    const linear = random.chance(0.5) ? vector() : anyVector(random, FAST);
    const angular = random.chance(0.5) ? vector() : anyVector(random, FAST);
    out.push({ kind: 'spawn', step, slot, template: random.below(4), at, linear, angular });
  }
}

/** Half of the time it means a body that somebody has or holds; and now and then any id. */
function drawDespawn(random: Random, step: number, slot: Slot): Happening {
  const which = random.chance(0.1) ? 'any id' : random.chance(0.5) ? 'busy' : 'here';
  // Only the host may despawn what is not its own.
  const who = random.chance(0.3) ? (0 as Slot) : slot;
  return { kind: 'despawn', step, slot: who, which, pick: random.next() };
}

function anyVector(random: Random, most: number): Vector {
  return vector(random.between(-most, most), random.between(-most, most), random.between(-most, most));
}
