import { TICK_RATE } from '../base/constants.ts';
import type { ConnectionId } from '../base/ids.ts';
import { sha256 } from '../base/sha256.ts';
import type { Level, Template } from './level.ts';
import { faultsOfLevel } from './level-faults.ts';

/** How a level is made: its id, and a seed and a number of bodies for levels that are made by chance. */
export type LevelRecipe = { readonly id: string; readonly seed: number; readonly count?: number };

/** Names a level and shows its content. Rooms, saved worlds and recordings carry it; the level itself never travels. */
export type LevelReference = LevelRecipe & {
  /** `levelHash` of the level: HASH_DIGITS hexadecimal digits. */
  readonly hash: string;
  /** [B2.3] Ticks a second, for a page that has another level by this recipe; left out for TICK_RATE, and in files. */
  readonly rate?: number;
};

/** [B1.5] Why a host begins a level: it chose one, opened a file, brought back what it had wiped, or records from now on. */
export const LEVEL_REASONS = ['choice', 'file', 'return', 'recording'] as const;
export type LevelReason = (typeof LEVEL_REASONS)[number];

/** [B1.1] A level in which a room goes on, the connection of one guest there, and why. */
export type ChosenLevel = {
  readonly level: LevelReference;
  readonly connection: ConnectionId;
  readonly why: LevelReason;
};

/** Makes levels: the same recipe gives the same level. Returns null for a recipe that it does not know. */
export type LevelSource = (recipe: LevelRecipe) => Level | null;

/** 80 bits: nobody finds another level with the same hash by chance. */
const HASH_DIGITS = 20;
/** Numbers count to this many parts of 1: machines differ in the last bits of sines. */
const PARTS = 1e6;

/**
 * The hash of everything that must be the same on both peers. Numbers count to a millionth, and the order of keys does
 * not count.
 */
function levelHash(level: Level): string {
  const { rate, templates, spawning, joints, driven = [] } = level;
  const bodies = level.bodies.map(({ template, start }) => [templates.indexOf(template), start]);
  const spawned = spawning.templates.map((template) => templates.indexOf(template));
  // Without joints they do not count: worlds that were saved before there were any can still be opened.
  const counted = joints.length > 0 ? joints : undefined;
  const plain = {
    ...level,
    // The usual rate does not count: worlds that were saved before levels had one can still be opened.
    rate: rate === TICK_RATE ? undefined : rate,
    templates: templates.map(counting),
    bodies,
    joints: counted,
    driven: driven.length > 0 ? driven : undefined,
    spawning: { ...spawning, templates: spawned },
  };
  return sha256(JSON.stringify(plain, canonical)).slice(0, HASH_DIGITS);
}

/** Without rolling friction it does not count: worlds that were saved before there was any can still be opened. */
function counting({ rollingFriction, ...others }: Template): Partial<Template> {
  return rollingFriction === 0 ? others : { ...others, rollingFriction };
}

/** For JSON.stringify: numbers in PARTS of 1, and keys in the order of their letters. */
function canonical(_: string, value: unknown): unknown {
  if (typeof value === 'number') return Math.round(value * PARTS);
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
  return Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)));
}

/** True for a text that can be a hash. */
export function isLevelHash(text: string): boolean {
  return text.length === HASH_DIGITS && /^[0-9a-f]*$/.test(text);
}

/** The reference to a level that was made by this recipe. */
export function referTo({ id, seed, count }: LevelRecipe, level: Level): LevelReference {
  const hash = levelHash(level);
  const recipe = count === undefined ? { id, seed } : { id, seed, count };
  return level.rate === TICK_RATE ? { ...recipe, hash } : { ...recipe, hash, rate: level.rate };
}

/** The level of a reference; null if the source has none by this recipe, or has another one, or one with a fault. */
export function openLevel(reference: LevelReference, source: LevelSource): Level | null {
  const level = source(reference);
  return level !== null && obstacleIn(level, reference) === null ? level : null;
}

/** [B1.2] Why a page can't play in the level of a reference. `other rate`: its level has another rate [B2.3]. */
export type LevelObstacle = 'other level' | 'other rate';

/** @returns why a page can't play in the level of a reference; null if it can. @param source its own levels. */
export function obstacleTo(reference: LevelReference, source: LevelSource): LevelObstacle | null {
  const level = source(reference);
  return level === null ? 'other level' : obstacleIn(level, reference);
}

function obstacleIn(level: Level, { hash, rate = TICK_RATE }: LevelReference): LevelObstacle | null {
  if (faultsOfLevel(level).length > 0) return 'other level';
  if (levelHash(level) === hash) return null;
  return level.rate === rate ? 'other level' : 'other rate';
}

/** True if two recipes give the same level. */
export function isSameLevel(a: LevelRecipe, b: LevelRecipe): boolean {
  return a.id === b.id && a.seed === b.seed && a.count === b.count;
}

/** True if two references name one level, with the same content. */
export function isSameReference(a: LevelReference, b: LevelReference): boolean {
  return isSameLevel(a, b) && a.hash === b.hash;
}
