import {
  MAX_BODIES,
  MAX_PLAYERS,
  MAX_POSITION_METRES,
  MAX_TICK_RATE,
  MIN_TICK_RATE,
} from '../base/constants.ts';
import type { ReadonlyPose } from '../base/math.ts';
import { isUnit } from '../base/math.ts';
import { capacityOf, MAX_TEMPLATES } from './existence.ts';
import { ballInHull } from './extent/inner-ball.ts';
import type { DrivenBody } from './driven/driven.ts';
import { MAX_DRIVEN } from './driven/driven.ts';
import { checkPath } from './driven/driven-faults.ts';
import { checkJoints } from './joints/joint-faults.ts';
import type { Level, StaticBody, Template } from './level.ts';
import { faultsOfForm } from './level-form.ts';
import { BOUNDS_SLACK, isInBounds, MAX_LEVEL_ID_LENGTH } from './level.ts';
import type { ConvexShape, Shape, StaticShape } from './shape.ts';

/** Metres: a body or a part of one is at least this thick and at most this long. */
const LEAST_SIZE = 0.02;
const MOST_SIZE = 20;
/** Metres: a hull has room for a ball of this radius. The ball that is found may be smaller than the largest one. */
const LEAST_INNER_RADIUS = LEAST_SIZE / 8;
/** [W2.9] Metres: the bounds are not farther from the middle than positions on the wire reach. */
const MOST_BOUND = MAX_POSITION_METRES - BOUNDS_SLACK;
/** Parts of a compound, points of a hull, and triangles of a mesh, at most: engines slow down with each. */
const MAX_PARTS = 64;
const MAX_POINTS = 256;
const MAX_TRIANGLES = 200_000;
/** A guest grabs and spawns at most this often in a second, all the time [H5.3]. */
const MOST_SPAWNS = 20;

/** Takes sentences about faults, and where each is. */
type Report = (fault: string) => void;

/**
 * [B1.4] The faults of a level: a sentence for each; empty if it has none. Never throws, also if the compiler has not seen
 * that it is a level: then the sentences say which parts of it are not.
 */
export function faultsOfLevel(level: Level): string[] {
  const faults = faultsOfForm(level);
  if (faults.length > 0) return faults;
  const { id, rate, gravity, bounds, templates, bodies, statics, driven = [] } = level;
  const say: Report = (fault) => void faults.push(fault);
  if (id.length < 1 || id.length > MAX_LEVEL_ID_LENGTH)
    say(`The id of a level has 1 to ${MAX_LEVEL_ID_LENGTH} characters.`);
  checkRange(say, 'The rate', rate, MIN_TICK_RATE, MAX_TICK_RATE);
  if (!Number.isInteger(rate)) say('The rate is a whole number of ticks a second.');
  checkRange(say, 'The gravity', gravity, 0, 100);
  checkRange(say, 'The bound across', bounds.across, 1, MOST_BOUND);
  checkRange(say, 'The lower bound', bounds.low, -MOST_BOUND, MOST_BOUND);
  checkRange(say, 'The upper bound', bounds.high, bounds.low + 1, MOST_BOUND);
  if (templates.length > MAX_TEMPLATES) say(`A level has at most ${MAX_TEMPLATES} templates.`);
  if (bodies.length < 1) say('A level begins with at least one body.');
  const capacity = capacityOf(level);
  if (!(capacity <= MAX_BODIES))
    say(
      `A level has at most ${MAX_BODIES} bodies, with those that players may spawn; this one has ${capacity}.`,
    );
  checkSpawning(say, level);
  templates.forEach((template, i) => checkTemplate((fault) => say(`Template ${i}: ${fault}`), template));
  bodies.forEach(({ template, start }, i) => {
    const sayOf: Report = (fault) => say(`Body ${i}: ${fault}`);
    if (!templates.includes(template)) sayOf('Its template is not one of the level’s.');
    checkPose(sayOf, start);
    if (!isInBounds(bounds, start.position)) sayOf('It begins outside of the level’s bounds.');
  });
  if (faults.length === 0) checkJoints(say, level);
  statics.forEach((fixed, i) => checkStatic((fault) => say(`Static body ${i}: ${fault}`), fixed));
  if (driven.length > MAX_DRIVEN) say(`A level has at most ${MAX_DRIVEN} driven bodies.`);
  driven.forEach((body, i) => checkDriven((fault) => say(`Driven body ${i}: ${fault}`), body));
  return faults;
}

/** [B1.4] @throws RangeError with a sentence for each fault of a level, a line each. */
export function refuseFaulty(level: Level): void {
  const faults = faultsOfLevel(level);
  if (faults.length > 0) throw new RangeError(faults.join('\n'));
}

function checkSpawning(say: Report, { spawning, templates }: Level): void {
  const { perPlayer, slots, perSecond } = spawning;
  if (!Number.isInteger(perPlayer) || perPlayer < 0)
    say('A player may spawn a whole number of bodies, or none.');
  if (!Number.isInteger(slots) || slots < 0 || slots > MAX_PLAYERS)
    say(`Of the slots, 0 to ${MAX_PLAYERS} have ids for spawning.`);
  checkRange(say, 'The spawns of a player in a second', perSecond, 0, MOST_SPAWNS);
  spawning.templates.forEach((template, i) => {
    if (!templates.includes(template))
      say(`Template ${i} of \`spawning\` is not one of the level’s. Add this object to \`templates\`, too.`);
  });
}

function checkTemplate(say: Report, template: Template): void {
  checkRange(say, 'Its mass', template.mass, 1e-4, 1e6);
  checkRange(say, 'Its friction', template.friction, 0, 10);
  checkRange(say, 'Its restitution', template.restitution, 0, 1);
  checkRange(say, 'Its linear damping', template.linearDamping, 0, 100);
  checkRange(say, 'Its angular damping', template.angularDamping, 0, 100);
  checkRange(say, 'Its rolling friction', template.rollingFriction, 0, 1);
  checkRange(say, 'The distance of its rest', template.rest.distance, 1e-4, 1);
  checkRange(say, 'The angle of its rest', template.rest.angleDegrees, 1e-3, 45);
  checkShape(say, template.shape);
}

function checkShape(say: Report, shape: Shape): void {
  if (shape.kind !== 'compound') checkConvex(say, shape, MOST_SIZE);
  else {
    if (shape.parts.length < 1 || shape.parts.length > MAX_PARTS)
      say(`A compound has 1 to ${MAX_PARTS} parts.`);
    for (const part of shape.parts) {
      checkConvex(say, part.shape, MOST_SIZE);
      checkPose(say, part.pose);
      const { x, y, z } = part.pose.position;
      if (Math.max(Math.abs(x), Math.abs(y), Math.abs(z)) > MOST_SIZE)
        say('A part is too far from its centre.');
    }
  }
}

function checkDriven(say: Report, body: DrivenBody): void {
  checkRange(say, 'Its friction', body.friction, 0, 10);
  checkRange(say, 'Its restitution', body.restitution, 0, 1);
  checkPose(say, body.start);
  checkShape(say, body.shape);
  checkPath(say, body, { range: checkRange, pose: checkPose });
}

function checkStatic(say: Report, { shape, pose, friction, restitution }: StaticBody): void {
  checkRange(say, 'Its friction', friction, 0, 10);
  checkRange(say, 'Its restitution', restitution, 0, 1);
  checkPose(say, pose);
  checkStaticShape(say, shape);
}

function checkStaticShape(say: Report, shape: StaticShape): void {
  if (shape.kind === 'mesh') {
    const { vertices, triangles } = shape;
    const count = Math.floor(vertices.length / 3);
    if (vertices.length % 3 !== 0 || triangles.length % 3 !== 0 || triangles.length === 0)
      say('A mesh has three numbers for each vertex and each triangle, and at least one triangle.');
    if (triangles.length > 3 * MAX_TRIANGLES) say(`A mesh has at most ${MAX_TRIANGLES} triangles.`);
    if (!vertices.every((n) => Math.abs(n) <= MAX_POSITION_METRES)) say('A vertex is not within the world.');
    if (!triangles.every((n) => Number.isInteger(n) && n >= 0 && n < count))
      say('A triangle names a vertex that does not exist.');
  } else if (shape.kind === 'height field') {
    const { columns, rows, heights, size } = shape;
    const isCount = Number.isInteger(columns) && Number.isInteger(rows) && columns > 0 && rows > 0;
    if (!isCount || heights.length !== (columns + 1) * (rows + 1))
      say('A height field has one height more than columns, times one more than rows.');
    if (heights.length > MAX_TRIANGLES) say(`A height field has at most ${MAX_TRIANGLES} heights.`);
    if (!heights.every((n) => Math.abs(n) <= MAX_POSITION_METRES)) say('A height is not within the world.');
    for (const length of size)
      checkRange(say, 'The length of a height field', length, LEAST_SIZE, 2 * MAX_POSITION_METRES);
  } else checkConvex(say, shape, 2 * MAX_POSITION_METRES);
}

/** @param most metres that it may be long. */
function checkConvex(say: Report, shape: ConvexShape, most: number): void {
  const [least, high] = [LEAST_SIZE / 2, most / 2];
  switch (shape.kind) {
    case 'box':
      for (const half of shape.halfExtents) checkRange(say, 'Half of an edge', half, least, high);
      break;
    case 'ball':
      checkRange(say, 'The radius', shape.radius, least, high);
      break;
    case 'capsule':
    case 'cylinder':
    case 'cone':
      checkRange(say, 'The radius', shape.radius, least, high);
      checkRange(say, 'Half of the height', shape.halfHeight, least, high);
      break;
    case 'hull':
      if (shape.points.length < 4 || shape.points.length > MAX_POINTS)
        say(`A hull has 4 to ${MAX_POINTS} points.`);
      for (const point of shape.points)
        for (const n of point) checkRange(say, 'A coordinate of a point', n, -high, high);
      if (!(ballInHull(shape.points).radius >= LEAST_INNER_RADIUS)) say('A hull is flat, or too thin.');
  }
}

function checkPose(say: Report, { position: { x, y, z }, rotation }: ReadonlyPose): void {
  if (![x, y, z].every((n) => Math.abs(n) <= MAX_POSITION_METRES)) say('Its place is not within the world.');
  if (!isUnit(rotation)) say('Its rotation is not a unit quaternion.');
}

function checkRange(say: Report, name: string, value: number, low: number, high: number): void {
  if (!(value >= low && value <= high)) say(`${name} is ${value}; it must be ${low} to ${high}.`);
}
