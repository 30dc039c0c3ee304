import {
  MAX_ANGULAR_SPEED,
  MAX_BODIES,
  MAX_LINEAR_SPEED,
  MAX_POSITION_METRES,
} from '../../base/constants.ts';
import type { BodyId, Existence } from '../../base/ids.ts';
import { isUnit, pose } from '../../base/math.ts';
import { poseIn } from '../../base/motion.ts';
import { MOTION, STATE, STRIDE } from '../../base/state.ts';
import { AS_AT_START, canBeOf, capacityOf, isExistence, templateOf } from '../../world/existence.ts';
import { Islands } from '../../world/joints/islands.ts';
import type { Level } from '../../world/level.ts';
import { MAX_LEVEL_ID_LENGTH } from '../../world/level.ts';
import type { LevelReference, LevelSource } from '../../world/level-reference.ts';
import { isLevelHash, isSameLevel, openLevel } from '../../world/level-reference.ts';
import type { ByteCoder } from './bytes.ts';
import { ByteReader, ByteWriter } from './bytes.ts';
import type { FileFault } from './file.ts';
import { isAstray } from '../bodies/astray.ts';
import { isCrowded } from './crowd.ts';
import { unwrapFile, wrapFile } from './file.ts';
import type { SavedShared } from './saved-shared.ts';
import { codeSavedShared, isSameShared } from './saved-shared.ts';
import { dequantiseMotion, quantiseMotion } from '../bodies/quantise.ts';

/** A saved world: the poses and velocities of all bodies of a level. */
export type SavedWorld = {
  readonly level: LevelReference;
  /** Seconds since the beginning of 1970. */
  readonly savedAt: number;
  /** [S1] For each id whether there is a body, and which. */
  readonly existence: Uint16Array;
  /** For each body 1 if it is at rest, else 0. */
  readonly resting: Uint8Array;
  /** STRIDE whole numbers for each body [W2]. */
  readonly state: Int32Array;
  /** [K1.6] The room's time in steps; absent without driven bodies. */
  readonly time?: number;
  /** [V4.4] Absent without shared state. */
  readonly shared?: SavedShared;
};

/** The world as a file. Reading the file gives the same state, to the bit. */
export function writeWorldFile(world: SavedWorld): Uint8Array<ArrayBuffer> {
  const writer = new ByteWriter();
  codeWorld(writer, world);
  return wrapFile('world', writer.finish());
}

/**
 * [W6] The world in a file, with every part checked; or why the file cannot be read. Never throws.
 * @param levels the levels that this page has.
 */
export function readWorldFile(file: Uint8Array, levels: LevelSource): SavedWorld | FileFault {
  const content = unwrapFile('world', file);
  if (typeof content === 'string') return content;
  const reader = new ByteReader(content);
  const world = codeWorld(reader, NO_WORLD);
  if (reader.failed || !reader.atEnd) return 'damaged';
  const level = openLevel(world.level, levels);
  return level === null ? 'other level' : (faultOf(world, level) ?? world);
}

/** Returns why a saved world can't be played in a level, which its reference names; null if it can. */
export function faultOf(world: SavedWorld, level: Level): FileFault | null {
  const { existence, resting, state } = world;
  if (capacityOf(level) !== resting.length) return 'damaged';
  if ((world.time === undefined) !== ((level.driven ?? []).length === 0)) return 'damaged';
  const { isTied } = new Islands(resting.length, level.joints);
  for (let body = 0; body < resting.length; body++) {
    if (!isOfLevel(level, body as BodyId, world)) return 'damaged';
    // [J2.6] Nobody can have despawned it.
    if (isTied[body] === 1 && existence[body] !== AS_AT_START) return 'damaged';
  }
  for (let at = 0; at < state.length; at += STRIDE) if (isAstray(level.bounds, state, at)) return 'damaged';
  return isCrowded(level, existence, state) ? 'crowded' : null;
}

/**
 * Codes a world. Returns the one written or read. It may not fit its level: see faultOf. A file has metres and metres
 * a second, so that it stays readable after a change of the grids.
 */
export function codeWorld(c: ByteCoder, world: SavedWorld): SavedWorld {
  const savedAt = c.u32(world.savedAt);
  const level = codeReference(c, world.level);
  const flags = (world.shared === undefined ? 0 : HAS_SHARED) + (world.time === undefined ? 0 : HAS_TIME);
  const head = c.u16(world.resting.length + flags);
  const count = head % HAS_TIME;
  if (count > MAX_BODIES) c.fail();
  if (c.failed) return NO_WORLD;
  const existence = Uint16Array.from({ length: count }, (_, body) => world.existence[body]);
  const resting = Uint8Array.from({ length: count }, (_, body) => world.resting[body]);
  const state = Int32Array.from({ length: count * STRIDE }, (_, at) => world.state[at]);
  for (let body = 0; body < count; body++) codeBody(c, { existence, resting, state }, body);
  const time = head % HAS_SHARED < HAS_TIME ? {} : { time: c.u32(world.time ?? 0) };
  const bodies = { level, savedAt, existence, resting, state, ...time };
  if (head < HAS_SHARED) return bodies;
  return { ...bodies, shared: codeSavedShared(c, world.shared ?? NO_VALUES) };
}

/** Codes the reference to a level; returns it. */
export function codeReference(c: ByteCoder, level: LevelReference): LevelReference {
  const id = codeText(c, level.id, c.u8(level.id.length, MAX_LEVEL_ID_LENGTH));
  const seed = c.u32(level.seed);
  const count = c.u16(level.count ?? 0, MAX_BODIES);
  const hash = codeText(c, level.hash, c.u8(level.hash.length, MAX_LEVEL_ID_LENGTH));
  if (!isLevelHash(hash) || id === '') c.fail();
  return count === 0 ? { id, seed, hash } : { id, seed, count, hash };
}

/** Codes a text of so many UTF-16 units; returns it. */
function codeText(c: ByteCoder, text: string, length: number): string {
  let coded = '';
  for (let i = 0; i < length && !c.failed; i++) coded += String.fromCharCode(c.u16(text.charCodeAt(i)));
  return coded;
}

/** Codes a body. A body at rest has no velocities in the file. */
function codeBody(
  c: ByteCoder,
  { existence, resting, state }: Pick<SavedWorld, 'existence' | 'resting' | 'state'>,
  body: number,
): void {
  const at = body * STRIDE;
  existence[body] = c.u16(existence[body]);
  if (!isExistence(existence[body])) c.fail();
  const isHere = c.u8(hasBody(resting, state, body) ? 1 : 0, 1) === 1;
  resting[body] = isHere ? resting[body] : 1;
  if (!isHere) return;
  const look = c.u8(resting[body] + 2 * state[at + STATE.largest], 7);
  resting[body] = look & 1;
  dequantiseMotion(state, at, motion, 0);
  const numbers = resting[body] === 1 ? MOTION.linear : STRIDE;
  for (let i = 0; i < numbers; i++) motion[i] = c.f32(motion[i]);
  motion.fill(0, numbers);
  if (!isPossible(motion)) c.fail();
  // [W2] The largest component is kept, so that the numbers of the rotation are the same again.
  state[at + STATE.largest] = look >> 1;
  quantiseMotion(motion, 0, one(state, at));
}

/**
 * False if the numbers of an id are 0, as they are without a body. They may also be those of a body that rests in the
 * middle of the world, half turned about x: FILES.md leaves it out likewise.
 */
function hasBody(resting: Uint8Array, state: Int32Array, body: number): boolean {
  if (resting[body] === 0) return true;
  for (let i = body * STRIDE; i < (body + 1) * STRIDE; i++) if (state[i] !== 0) return true;
  return false;
}

/** True if an id can have its existence in a level, and has no numbers without a body. */
function isOfLevel(level: Level, body: BodyId, { existence, resting, state }: SavedWorld): boolean {
  const exists = existence[body] as Existence;
  const isHere = templateOf(level, body, exists) !== null;
  return canBeOf(level, body, exists) && (isHere || !hasBody(resting, state, body));
}

/** A view of the numbers of one body. */
function one(state: Int32Array, at: number): Int32Array {
  return state.subarray(at, at + STRIDE);
}

/** True if a body in a world can have this motion; faultOf checks the level's bounds. */
function isPossible(motion: Float32Array): boolean {
  for (let i = 0; i < MOTION.rotation; i++) if (!(Math.abs(motion[i]) <= MAX_POSITION_METRES)) return false;
  if (!isUnit(poseIn(motion, 0 as BodyId, where).rotation)) return false;
  return motion.every((value, i) => i < MOTION.linear || Math.abs(value) <= speedLimit(i));
}

function speedLimit(at: number): number {
  return at < MOTION.angular ? MAX_LINEAR_SPEED : MAX_ANGULAR_SPEED;
}

/** True if two worlds differ in no body and no value, whenever they were saved. */
export function isSameWorld(a: SavedWorld, b: SavedWorld): boolean {
  if (!isSameLevel(a.level, b.level) || !isEqual(a.existence, b.existence)) return false;
  return isEqual(a.resting, b.resting) && isEqual(a.state, b.state) && isSameShared(a.shared, b.shared);
}

function isEqual(a: Numbers, b: Numbers): boolean {
  for (let i = 0; i < a.length; i++) if (a[i] !== b[i]) return false;
  return a.length === b.length;
}

type Numbers = Uint8Array | Uint16Array | Int32Array;

/** A world without bodies. */
export const NO_WORLD: SavedWorld = {
  level: { id: '', seed: 0, hash: '' },
  savedAt: 0,
  existence: new Uint16Array(0),
  resting: new Uint8Array(0),
  state: new Int32Array(0),
};
/** [K1.6] Added to the count of bodies, which is smaller, if the room's time follows the bodies. */
const HAS_TIME = 0x4000;
/** [V4.4] Added to the count of bodies, which is smaller, if values of shared state follow. */
const HAS_SHARED = 0x8000;
const NO_VALUES: SavedShared = { schema: '', entries: [] };
const motion = new Float32Array(STRIDE);
const where = pose();
