import type { ReadonlyQuaternion, ReadonlyVector } from '../core/base/math.ts';
import { fromAxisAngle, quaternion, vector } from '../core/base/math.ts';
import type { Joint, JointKind } from '../core/world/joints/joint.ts';
import { jointEnd } from '../core/world/joints/joint.ts';
import type { Level, LevelBody, RestLimits, StaticBody, Template } from '../core/world/level.ts';
import { flatLevel, STANDARD_MATERIAL } from '../core/world/level.ts';
import type { DrivenBody } from '../core/world/driven/driven.ts';
import type { Shape } from '../core/world/shape.ts';
import { rolling } from './rolling.ts';

const X = vector(1, 0, 0);
const Y = vector(0, 1, 0);
const Z = vector(0, 0, 1);
/** A cylinder's axis is y: this one lies along z. */
const ALONG_Z = fromAxisAngle(X, Math.PI / 2, quaternion());

/** Wheels creep on by a millimetre a second, which nobody sees. A jointed body has an eighth of it [R1.4]. */
const ROLLS: RestLimits = { distance: 0.04, angleDegrees: 8 };
const CUBE = template({ kind: 'box', halfExtents: [0.15, 0.15, 0.15] }, 0.6);
const BALL = template({ kind: 'ball', radius: 0.13 }, 1, { angularDamping: 2.5 });

/** A level of machines: what is made so far of its bodies, its joints, and what never moves. */
type Plan = { readonly bodies: LevelBody[]; readonly joints: Joint[]; readonly statics: StaticBody[] };

/**
 * A level of machines: a cart, a swing gate, a trebuchet, a wrecking ball, a rope bridge, a cradle of balls, a seesaw, a
 * stretcher for two, a trampoline, an abacus, and a carousel, a lift and a belt that nobody stops [K1]; with cubes and balls to
 * load them. Every call makes the same level.
 */
export function workshop(): Level {
  const plan: Plan = { bodies: [], joints: [], statics: [] };
  addCart(plan, 0, 1);
  addStretcher(plan, -3.2, 2.2);
  addSeesaw(plan, 3.4, 1.2);
  addGate(plan, -1.6, -2.2);
  addTrebuchet(plan, 2.4, -3);
  addWreckingBall(plan, -5.5, -3.5);
  addBridge(plan, 0, -7);
  addCradle(plan, 6.2, -2.5);
  addTrampoline(plan, 5.8, 2.6);
  addAbacus(plan, -6.5, 1.5);
  addLoads(plan);
  const level = flatLevel('workshop', plan.bodies);
  return { ...level, joints: plan.joints, statics: [...level.statics, ...plan.statics], driven: driven() };
}

function template(shape: Shape, mass: number, changes: Partial<Template> = {}): Template {
  return { ...STANDARD_MATERIAL, shape, mass, ...changes };
}

function box(x: number, y: number, z: number): Shape {
  return { kind: 'box', halfExtents: [x / 2, y / 2, z / 2] };
}

/** Adds a body; returns its index. */
function add(
  { bodies }: Plan,
  of: Template,
  x: number,
  y: number,
  z: number,
  rotation: ReadonlyQuaternion = quaternion(),
): number {
  return bodies.push({ template: of, start: { position: vector(x, y, z), rotation } }) - 1;
}

function addFixed({ statics }: Plan, shape: Shape, x: number, y: number, z: number): void {
  if (shape.kind === 'compound') return;
  statics.push({
    shape,
    pose: { position: vector(x, y, z), rotation: quaternion() },
    friction: 0.6,
    restitution: 0.1,
  });
}

/** Ties two bodies, or a body and the world, at a point of the world. */
function tie(
  { bodies, joints }: Plan,
  kind: JointKind,
  a: number | null,
  b: number,
  at: ReadonlyVector,
  axis: ReadonlyVector = X,
): void {
  joints.push({
    ...kind,
    ends: [jointEnd(bodies, a, at, axis), jointEnd(bodies, b, at, axis)],
    collides: false,
  });
}

/** The same for a rope or a spring, which has two places. @param collides false if the two bodies pass through each other. */
function span(
  { bodies, joints }: Plan,
  kind: JointKind,
  a: number | null,
  from: ReadonlyVector,
  b: number,
  to: ReadonlyVector,
  collides = true,
): void {
  joints.push({ ...kind, ends: [jointEnd(bodies, a, from), jointEnd(bodies, b, to)], collides });
}

function hinge(friction: number, least: number | null = null, most = 0): JointKind {
  return { kind: 'hinge', limits: least === null ? null : { least, most }, motor: null, friction };
}

const BALL_JOINT: JointKind = { kind: 'ball' };

/** A cart with four wheels and a rail around its bed. */
function addCart(plan: Plan, x: number, z: number): void {
  const bed = template(
    {
      kind: 'compound',
      parts: [
        part(box(1.4, 0.1, 0.8), 0, 0, 0),
        part(box(1.4, 0.16, 0.06), 0, 0.12, 0.37),
        part(box(1.4, 0.16, 0.06), 0, 0.12, -0.37),
        part(box(0.06, 0.5, 0.8), -0.67, 0.29, 0),
      ],
    },
    5,
    { rest: ROLLS },
  );
  const wheel = template({ kind: 'cylinder', radius: 0.22, halfHeight: 0.06 }, 1.5, {
    friction: 1.2,
    rest: ROLLS,
  });
  const chassis = add(plan, bed, x, 0.34, z);
  for (const [dx, dz] of [
    [-0.45, 0.5],
    [0.45, 0.5],
    [-0.45, -0.5],
    [0.45, -0.5],
  ]) {
    const one = add(plan, wheel, x + dx, 0.22, z + dz, ALONG_Z);
    tie(plan, hinge(0.15), chassis, one, vector(x + dx, 0.22, z + dz), Z);
  }
}

/** A bed with a bar on two ropes at each end: two players carry it, or one drags it. */
function addStretcher(plan: Plan, x: number, z: number): void {
  const bed = add(plan, template(box(1.6, 0.06, 0.6), 3, { friction: 0.9 }), x, 0.03, z);
  const bar = template(box(0.06, 0.06, 0.7), 0.8);
  for (const side of [-1, 1]) {
    const one = add(plan, bar, x + side * 1.15, 0.03, z);
    for (const dz of [-0.28, 0.28])
      span(
        plan,
        { kind: 'rope', length: 0.36 },
        bed,
        vector(x + side * 0.78, 0.03, z + dz),
        one,
        vector(x + side * 1.12, 0.03, z + dz),
        // A bar that is wound around the bed would turn it without end: ropes pull, contacts push, and the engine adds energy.
        false,
      );
  }
}

/** A plank on a hinge, with a cube at each end. */
function addSeesaw(plan: Plan, x: number, z: number): void {
  addFixed(plan, box(0.16, 0.36, 0.4), x, 0.18, z);
  const plank = add(plan, template(box(2.6, 0.06, 0.4), 4, { friction: 0.9 }), x, 0.45, z);
  tie(plan, hinge(0.4, -0.28, 0.28), null, plank, vector(x, 0.45, z), Z);
  add(plan, CUBE, x - 1.1, 0.63, z);
  add(plan, CUBE, x + 1.1, 0.63, z);
}

/** A gate between two posts that closes by itself. */
function addGate(plan: Plan, x: number, z: number): void {
  for (const side of [-1, 1]) addFixed(plan, box(0.14, 1.3, 0.14), x + side * 0.72, 0.65, z);
  const gate = add(plan, template(box(1.2, 1, 0.06), 4), x, 0.62, z);
  const limits = { least: 0, most: 1.9 };
  tie(
    plan,
    { kind: 'hinge', limits, motor: { speed: -1.2, strength: 4 }, friction: 0 },
    null,
    gate,
    vector(x - 0.62, 0.62, z),
    Y,
  );
}

/** A beam with a bowl at its long end, and a weight that hangs at its short end. */
function addTrebuchet(plan: Plan, x: number, z: number): void {
  for (const side of [-1, 1]) addFixed(plan, box(0.12, 1.24, 0.12), x, 0.62, z + side * 0.3);
  const [high, long, short] = [1.2, 1.6, 0.5];
  const beam = template(
    {
      kind: 'compound',
      parts: [
        part(box(long + short, 0.08, 0.12), (long - short) / 2, 0, 0),
        part(box(0.36, 0.04, 0.36), long - 0.1, 0.06, 0),
        part(box(0.04, 0.14, 0.36), long + 0.06, 0.14, 0),
        part(box(0.36, 0.14, 0.04), long - 0.1, 0.14, 0.16),
        part(box(0.36, 0.14, 0.04), long - 0.1, 0.14, -0.16),
      ],
    },
    2.5,
    { friction: 0.9 },
  );
  const arm = add(plan, beam, x, high, z);
  tie(plan, hinge(0.6, -0.75, 1.2), null, arm, vector(x, high, z), Z);
  const weight = add(plan, template(box(0.3, 0.4, 0.3), 9), x - short + 0.02, high - 0.3, z);
  tie(plan, hinge(0.6), arm, weight, vector(x - short + 0.02, high, z), Z);
}

/** A heavy ball on a chain of six links, and a wall for it. */
function addWreckingBall(plan: Plan, x: number, z: number): void {
  for (const side of [-1, 1]) addFixed(plan, box(0.16, 3.2, 0.16), x + side * 1.4, 1.6, z);
  addFixed(plan, box(3, 0.16, 0.16), x, 3.2, z);
  const slowed = { angularDamping: 2, linearDamping: 0.4 };
  const link = template({ kind: 'capsule', radius: 0.04, halfHeight: 0.12 }, 0.8, slowed);
  let above: number | null = null;
  let y = 3.1;
  for (let i = 0; i < 6; i++, y -= 0.32) {
    const one = add(plan, link, x, y - 0.16, z);
    tie(plan, BALL_JOINT, above, one, vector(x, y, z));
    above = one;
  }
  const ball = add(
    plan,
    template({ kind: 'ball', radius: 0.28 }, 4, { ...slowed, ...rolling(0.28) }),
    x,
    y - 0.28,
    z,
  );
  tie(plan, BALL_JOINT, above, ball, vector(x, y, z));
  for (let i = 0; i < 9; i++)
    add(plan, CUBE, x + ((i % 3) - 1) * 0.31, 0.15 + Math.floor(i / 3) * 0.3, z - 1.1);
}

/** Twelve planks that hang between two landings. */
function addBridge(plan: Plan, x: number, z: number): void {
  const [count, pitch, wide] = [12, 0.34, 0.9];
  const half = (count * pitch) / 2;
  for (const side of [-1, 1]) addFixed(plan, box(0.8, 1.2, wide + 0.2), x + side * (half + 0.4), 0.6, z);
  const plank = template(box(pitch - 0.04, 0.05, wide), 1, {
    friction: 0.9,
    angularDamping: 5,
    linearDamping: 0.8,
  });
  let before: number | null = null;
  for (let i = 0; i <= count; i++) {
    const at = x - half + i * pitch;
    const one = i === count ? null : add(plan, plank, at + pitch / 2, 1.2, z);
    for (const dz of [-wide / 2, wide / 2]) {
      if (one !== null) tie(plan, BALL_JOINT, before, one, vector(at, 1.2, z + dz));
      else if (before !== null) tie(plan, BALL_JOINT, null, before, vector(at, 1.2, z + dz));
    }
    before = one;
  }
}

/**
 * Five balls in a row, each on two ropes: Newton's cradle. They hang a little apart, since balls of several players that
 * touch keep each other awake.
 */
function addCradle(plan: Plan, x: number, z: number): void {
  const [radius, high] = [0.14, 1.7];
  for (const side of [-1, 1])
    for (const end of [-1, 1]) addFixed(plan, box(0.08, high, 0.08), x + end * 1.1, high / 2, z + side * 0.5);
  for (const side of [-1, 1]) addFixed(plan, box(2.2, 0.08, 0.08), x, high, z + side * 0.5);
  const ball = template({ kind: 'ball', radius }, 2, { restitution: 0.95, friction: 0, angularDamping: 2 });
  const length = Math.sqrt(0.5 * 0.5 + 1.1 * 1.1);
  for (let i = 0; i < 5; i++) {
    const at = x + (i - 2) * (2 * radius + 0.015);
    const one = add(plan, ball, at, high - 1.1, z);
    for (const side of [-1, 1])
      span(
        plan,
        { kind: 'rope', length },
        null,
        vector(at, high, z + side * 0.5),
        one,
        vector(at, high - 1.1, z),
      );
  }
}

/** A plate on a spring that moves up and down. */
function addTrampoline(plan: Plan, x: number, z: number): void {
  const plate = add(plan, template(box(1, 0.08, 1), 3, { restitution: 0.6 }), x, 0.5, z);
  tie(
    plan,
    { kind: 'slider', limits: { least: -0.42, most: 0.3 }, motor: null, friction: 0 },
    null,
    plate,
    vector(x, 0.5, z),
    Y,
  );
  const stiffness = 420;
  span(
    plan,
    { kind: 'spring', length: 0.5 + (3 * 9.8) / stiffness, stiffness, damping: 10 },
    null,
    vector(x, 0, z),
    plate,
    vector(x, 0.5, z),
  );
}

/** A carousel whose rim makes a metre a second, a lift that goes up two metres, and a belt. */
function driven(): DrivenBody[] {
  const plain = { friction: 0.8, restitution: 0 };
  const start = (x: number, y: number, z: number): DrivenBody['start'] => ({
    position: vector(x, y, z),
    rotation: quaternion(),
  });
  return [
    {
      ...plain,
      shape: { kind: 'cylinder', radius: 1.6, halfHeight: 0.06 },
      start: start(-9, 0.06, -1),
      path: { kind: 'turn', pivot: vector(-9, 0, -1), axis: Y, period: 10 },
    },
    {
      ...plain,
      shape: box(1.8, 0.12, 1.8),
      start: start(9, 0.06, 0),
      path: { kind: 'shuttle', to: start(9, 2.06, 0), seconds: 3, wait: 2 },
    },
    {
      ...plain,
      shape: box(3.2, 0.24, 0.8),
      start: start(6.5, 0.12, -6.5),
      path: { kind: 'belt', velocity: vector(-0.7, 0, 0) },
    },
  ];
}

/** Three rods with five beads each, to count with. */
function addAbacus(plan: Plan, x: number, z: number): void {
  const [wide, bead] = [1.6, 0.16];
  for (const side of [-1, 1]) addFixed(plan, box(0.08, 1.5, 0.1), x + (side * wide) / 2, 0.75, z);
  const one = template({ kind: 'ball', radius: bead / 2 }, 0.3, { friction: 0.2 });
  for (let row = 0; row < 3; row++) {
    const y = 0.6 + row * 0.35;
    addFixed(plan, { kind: 'box', halfExtents: [wide / 2, 0.01, 0.01] }, x, y - 0.1, z - 0.1);
    for (let i = 0; i < 5; i++) {
      const at = x - wide / 2 + 0.14 + i * (bead + 0.005);
      const index = add(plan, one, at, y, z);
      const limits = { least: x - wide / 2 + 0.12 - at, most: x + wide / 2 - 0.12 - at };
      tie(plan, { kind: 'slider', limits, motor: null, friction: 1.2 }, null, index, vector(at, y, z), X);
    }
  }
}

/** Cubes and balls to load machines with. */
function addLoads(plan: Plan): void {
  for (let i = 0; i < 10; i++) add(plan, CUBE, 1.6 + (i % 2) * 0.32, 0.15 + Math.floor(i / 2) * 0.3, 2.6);
  for (let i = 0; i < 6; i++) add(plan, BALL, 1.2 + i * 0.3, 0.13, -1);
}

function part(
  shape: Shape,
  x: number,
  y: number,
  z: number,
): Extract<Shape, { kind: 'compound' }>['parts'][number] {
  if (shape.kind === 'compound') throw new TypeError('A part is in one piece.');
  return { shape, pose: { position: vector(x, y, z), rotation: quaternion() } };
}
