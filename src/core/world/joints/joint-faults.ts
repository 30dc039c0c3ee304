import type { Pose } from '../../base/math.ts';
import { distance, rotate, vector } from '../../base/math.ts';
import type { Level } from '../level.ts';
import { MAX_PLAYERS } from '../../base/constants.ts';
import type { Joint, JointKind, MadeKind } from './joint.ts';
import { madeIn, makingOf } from './making.ts';
import { frameAtStart } from './joint.ts';

/** [J1.2] Parts of an island, at most: all of them fit into one packet. */
export const MAX_PARTS = 16;
/** Joints in a level, at most: engines slow down with each. */
export const MAX_JOINTS = 4096;
/** Metres by which the two ends of a joint may be apart where the level begins. */
const LOOSE = 0.01;
/** The same for the axes of a hinge or a slider, as a cosine: 1 degree. */
const LOOSE_COSINE = 0.99985;
/** Metres: the longest rope or slider. */
const MOST_LENGTH = 100;
const MOST_FORCE = 1e6;
const MOST_SPEED = 40;
/** [J5] Kinds of joints that players may make, at most. */
const MOST_KINDS = 32;

type Report = (fault: string) => void;

/** [B1.4] Says the faults of a level's joints, a sentence for each. The level's bodies must have none. */
export function checkJoints(say: Report, level: Level): void {
  const { joints, bodies } = level;
  checkMaking(say, level);
  if (joints.length + madeIn(level) > MAX_JOINTS)
    say(`A level has at most ${MAX_JOINTS} joints, with those that players may make.`);
  let fits = true;
  joints.forEach((joint, i) => {
    const sayOf: Report = (fault) => say(`Joint ${i}: ${fault}`);
    if (!areEnds(sayOf, level, joint)) fits = false;
    else checkPlaces(sayOf, level, joint);
    checkKind(sayOf, joint);
    checkBreaking(sayOf, joint);
  });
  if (!fits) return;
  if (largestIsland(bodies.length, joints) > MAX_PARTS)
    say(`Joints tie at most ${MAX_PARTS} bodies together.`);
}

/** [J5.1] */
function checkMaking(say: Report, level: Level): void {
  const { perPlayer, slots, kinds } = makingOf(level);
  if (!Number.isInteger(perPlayer) || perPlayer < 0)
    say('A player may make a whole number of joints, or none.');
  if (!Number.isInteger(slots) || slots < 0 || slots > MAX_PLAYERS)
    say(`Of the slots, 0 to ${MAX_PLAYERS} have numbers for making joints.`);
  if (kinds.length > MOST_KINDS) say(`Players may make joints of at most ${MOST_KINDS} kinds.`);
  kinds.forEach((kind, i) => {
    const sayOf: Report = (fault) => say(`Kind ${i} of joint: ${fault}`);
    checkKind(sayOf, kind);
    checkBreaking(sayOf, kind);
  });
}

/** Bodies in the largest island: by union-find, since a foreign level may tie all of its bodies together. */
function largestIsland(count: number, joints: readonly Joint[]): number {
  const parents = Int32Array.from({ length: count }, (_, body) => body);
  const sizes = new Int32Array(count).fill(1);
  const rootOf = (body: number): number => {
    let root = body;
    while (parents[root] !== root) root = parents[root] = parents[parents[root]];
    return root;
  };
  for (const { ends } of joints) {
    const [a, b] = [ends[0].body, ends[1].body];
    if (a === null || b === null) continue;
    const [one, other] = [rootOf(a), rootOf(b)];
    if (one === other) continue;
    parents[one] = other;
    sizes[other] += sizes[one];
  }
  return sizes.reduce((most, size) => Math.max(most, size), 0);
}

function areEnds(say: Report, { bodies }: Level, { ends: [a, b] }: Joint): boolean {
  const isBody = (body: number | null): boolean =>
    body === null || (Number.isInteger(body) && body >= 0 && body < bodies.length);
  if (!isBody(a.body) || !isBody(b.body)) {
    say('It names a body that the level does not have.');
    return false;
  }
  if (a.body === b.body) {
    say('It ties a body to itself, or the world to the world.');
    return false;
  }
  return true;
}

/** Where the level begins, the ends are where the joint would bring them. */
function checkPlaces(say: Report, { bodies }: Level, joint: Joint): void {
  const [a, b] = joint.ends.map((end) => frameAtStart(bodies, end));
  if (!isFinitePose(a) || !isFinitePose(b)) {
    say('The frame of an end is not finite, or its rotation is not a unit quaternion.');
    return;
  }
  const apart = distance(a.position, b.position);
  const axisA = rotate(a.rotation, AXIS, vector());
  const axisB = rotate(b.rotation, AXIS, vector());
  const cosine = axisA.x * axisB.x + axisA.y * axisB.y + axisA.z * axisB.z;
  switch (joint.kind) {
    case 'hinge':
    case 'slider':
      if (cosine < LOOSE_COSINE) say('The axes of its two ends are not alike where the level begins.');
      if (joint.kind === 'hinge' && apart > LOOSE) say(beginsApart(apart));
      break;
    case 'fixed':
    case 'ball':
      if (apart > LOOSE) say(beginsApart(apart));
      break;
    case 'rope':
      if (apart > joint.length + LOOSE) say('It begins longer than it is.');
      break;
    case 'spring':
      break;
  }
}

function beginsApart(metres: number): string {
  return `Its two ends begin ${metres.toFixed(2)} m apart.`;
}

function checkKind(say: Report, joint: JointKind): void {
  switch (joint.kind) {
    case 'fixed':
    case 'ball':
      break;
    case 'rope':
      checkRange(say, 'Its length', joint.length, 0.01, MOST_LENGTH);
      break;
    case 'spring':
      checkRange(say, 'Its length', joint.length, 0, MOST_LENGTH);
      checkRange(say, 'Its stiffness', joint.stiffness, 0, MOST_FORCE);
      checkRange(say, 'Its damping', joint.damping, 0, MOST_FORCE);
      break;
    case 'hinge':
    case 'slider': {
      const { limits, motor, friction, kind } = joint;
      const most = kind === 'hinge' ? Math.PI : MOST_LENGTH;
      checkRange(say, 'Its friction', friction, 0, MOST_FORCE);
      if (limits !== null) {
        checkRange(say, 'Its lower limit', limits.least, -most, 0);
        checkRange(say, 'Its upper limit', limits.most, 0, most);
      }
      if (motor === null) break;
      checkRange(say, 'The speed of its motor', motor.speed, -MOST_SPEED, MOST_SPEED);
      checkRange(say, 'The strength of its motor', motor.strength, 0, MOST_FORCE);
      if (friction > 0) say('It has a motor and friction: the motor’s strength is to count for both.');
    }
  }
}

/** [J6] */
function checkBreaking(say: Report, { kind, breaksAt }: MadeKind): void {
  if (breaksAt === undefined) return;
  checkRange(say, 'The force at which it breaks', breaksAt, 0.01, MOST_FORCE);
  if (kind === 'rope') say('A rope has no force at which it breaks.');
}

function isFinitePose({ position: { x, y, z }, rotation }: Pose): boolean {
  const { x: i, y: j, z: k, w } = rotation;
  return Math.abs(i * i + j * j + k * k + w * w - 1) < 1e-3 && [x, y, z].every((n) => Math.abs(n) < 1e4);
}

function checkRange(say: Report, name: string, value: number, low: number, high: number): void {
  if (!(value >= low && value <= high)) say(`${name} is ${value}; it must be ${low} to ${high}.`);
}

const AXIS = vector(1, 0, 0);
