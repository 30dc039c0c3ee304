import type { Pose, ReadonlyPose } from '../../base/math.ts';
import { isUnit, length, pose } from '../../base/math.ts';
import { MAX_POSITION_METRES } from '../../base/constants.ts';
import { FieldSet } from '../../shared/field-set.ts';
import type { Fields } from '../../shared/field.ts';
import { field } from '../../shared/field.ts';
import type { SchemaGroup } from '../../shared/schema.ts';
import { capacityOf } from '../../world/existence.ts';
import type { Joint, JointEnd } from '../../world/joints/joint.ts';
import { makingOf } from '../../world/joints/making.ts';
import type { Level } from '../../world/level.ts';
import { isInBounds } from '../../world/level.ts';

/** [J5.2] Steps in a metre, and in 1 of a rotation's numbers, of the frames of a joint that was made. */
const METRE = 4096;
const UNIT = 2 ** 14;
const PLACES = 3;
const TURNS = 4;
/** Words before those of the two frames: the kind and the two bodies. */
const HEAD = 3;
/** Metres from the middle of a body to the end of a joint, at most: bodies are as large as 20 m. */
const MOST_REACH = 20;
/** Words of a joint that was made. */
const MADE_WORDS = HEAD + 2 * (PLACES + TURNS);
/** The words of none. */
export const NONE = new Int32Array(MADE_WORDS);

/**
 * [J5.2] The values of a joint that was made. Its kind is 0 while there is none.
 * @param count ids of bodies in the world.
 * @param kinds how many kinds players may make.
 */
export function madeGroup(count: number, kinds: number): SchemaGroup {
  const bodies = field.number({ from: 0, to: count });
  const place = field.number({ from: -MAX_POSITION_METRES, to: MAX_POSITION_METRES, step: 1 / METRE });
  const turn = field.number({ from: -1, to: 1, step: 1 / UNIT });
  const fields: Record<string, Fields[string]> = {
    kind: field.number({ from: 0, to: kinds }),
    a: bodies,
    b: bodies,
  };
  for (const end of ['a', 'b']) {
    for (let i = 0; i < PLACES; i++) fields[`${end}At${i}`] = place;
    for (let i = 0; i < TURNS; i++) fields[`${end}Turned${i}`] = turn;
  }
  return { scope: 'joint', writer: 'simulator', set: new FieldSet(fields) };
}

/** The joint that words describe; null for none, and for one that can't be. @param from where they begin. */
export function madeJoint(level: Level, words: Int32Array, from: number): Joint | null {
  const kind = makingOf(level).kinds[words[from] - 1];
  if (kind === undefined || words[from + 1] === words[from + 2]) return null;
  const count = capacityOf(level);
  const ends = [0, 1].map((end): JointEnd => {
    const body = words[from + 1 + end];
    return {
      body: body === count ? null : body,
      frame: frameIn(words, from + HEAD + end * (PLACES + TURNS)),
    };
  });
  if (!ends.every((end) => isPossible(level, end))) return null;
  return { ...kind, ends: [ends[0], ends[1]], removable: true };
}

/** True if the place of an end is near its body, or in the level's bounds if it is tied to the world. */
function isPossible({ bounds }: Level, { body, frame: { position, rotation } }: JointEnd): boolean {
  if (!isUnit(rotation)) return false;
  return body === null ? isInBounds(bounds, position) : length(position) <= MOST_REACH;
}

/** The words of a joint. @param kind its index among those that players may make. */
export function wordsOf(level: Level, kind: number, ends: readonly [JointEnd, JointEnd]): Int32Array {
  const words = new Int32Array(MADE_WORDS);
  words[0] = kind + 1;
  ends.forEach(({ body, frame }, i) => {
    words[1 + i] = body ?? capacityOf(level);
    putFrame(frame, words, HEAD + i * (PLACES + TURNS));
  });
  return words;
}

function frameIn(words: Int32Array, at: number): Pose {
  const frame = pose();
  const place = (i: number): number => words[at + i] / METRE - MAX_POSITION_METRES;
  const turn = (i: number): number => words[at + PLACES + i] / UNIT - 1;
  Object.assign(frame.position, { x: place(0), y: place(1), z: place(2) });
  Object.assign(frame.rotation, { x: turn(0), y: turn(1), z: turn(2), w: turn(3) });
  return frame;
}

function putFrame({ position, rotation }: ReadonlyPose, words: Int32Array, at: number): void {
  const numbers = [position.x, position.y, position.z].map((n) => (n + MAX_POSITION_METRES) * METRE);
  const turns = [rotation.x, rotation.y, rotation.z, rotation.w].map((n) => (n + 1) * UNIT);
  [...numbers, ...turns].forEach((n, i) => {
    words[at + i] = Math.round(n);
  });
}
