import { flatLevel, jointEnd, STANDARD_MATERIAL, toBody } from 'handover';

/** Metres and radians. The game lies in the plane z = 0: the catapult throws along x. */
export const PIVOT = { x: 0, y: 0.75, z: 0 };
/** From the hinge to the knob at the arm's end. */
export const ARM_LENGTH = 1.2;
/** The arm rises to this angle, and there it rests; a player pulls it down by as much as `SWING`. */
const RAISED = 0.95;
const SWING = 1.15;
export const BALL_RADIUS = 0.12;
const BOX = 0.15;
/** Balls are out of the players' reach beyond this x, behind the wall, and beside the low walls. */
export const FAR = 1.2;
export const BEHIND = -2.75;
export const ASIDE = 0.36;

const upright = { x: 0, y: 0, z: 0, w: 1 };
const at = (x, y, z = 0) => ({ position: { x, y, z }, rotation: upright });
const box = (...halfExtents) => ({ kind: 'box', halfExtents });
const part = (shape, x, y, z = 0) => ({ shape, pose: at(x, y, z) });

/** A beam along x about its middle, with a bowl near one end and a knob to pull at. */
export const ARM_PARTS = [
  part(box(0.6, 0.04, 0.06), 0, 0),
  part(box(0.18, 0.02, 0.18), -0.36, 0.06),
  part(box(0.02, 0.08, 0.18), -0.54, 0.14),
  part(box(0.02, 0.05, 0.18), -0.18, 0.11),
  ...[-1, 1].map((side) => part(box(0.18, 0.08, 0.02), -0.36, 0.14, side * 0.18)),
  part({ kind: 'ball', radius: 0.09 }, -0.6, 0),
];
const ARM_TEMPLATE = {
  ...STANDARD_MATERIAL,
  shape: { kind: 'compound', parts: ARM_PARTS },
  mass: 5,
  friction: 0.9,
};
const BALL_TEMPLATE = {
  ...STANDARD_MATERIAL,
  shape: { kind: 'ball', radius: BALL_RADIUS },
  mass: 0.3,
  angularDamping: 1,
  rollingFriction: 0.01,
};
const BOX_TEMPLATE = { ...STANDARD_MATERIAL, shape: box(BOX, BOX, BOX), mass: 0.08 };

const half = ARM_LENGTH / 2;
const ARM_START = {
  position: { x: PIVOT.x - half * Math.cos(RAISED), y: PIVOT.y + half * Math.sin(RAISED), z: 0 },
  rotation: { x: 0, y: 0, z: -Math.sin(RAISED / 2), w: Math.cos(RAISED / 2) },
};
/** Where the balls begin, and come back to. */
export const BALL_STARTS = [-2.2, -1.9, -1.6].map((x) => at(x, BALL_RADIUS));
/** Where the boxes stand: in rows of four, three, two and one. */
export const BOX_STARTS = [4, 3, 2, 1].flatMap((count, row) =>
  Array.from({ length: count }, (_, i) => at(4 + (i - (count - 1) / 2) * 0.34, BOX + row * 2 * BOX)),
);

const bodies = [
  { template: ARM_TEMPLATE, start: ARM_START },
  ...BALL_STARTS.map((start) => ({ template: BALL_TEMPLATE, start })),
  ...BOX_STARTS.map((start) => ({ template: BOX_TEMPLATE, start })),
];
const ids = bodies.map((_, i) => toBody(i));
export const ARM = ids[0];
export const BALLS = ids.slice(1, 4);
export const BOXES = ids.slice(4);

const Z = { x: 0, y: 0, z: 1 };
/** A motor drives the arm up against its stop. A hand pulls harder: when it lets go, the arm throws. */
const hinge = {
  kind: 'hinge',
  limits: { least: 0, most: SWING },
  motor: { speed: -14, strength: 110 },
  friction: 0,
  ends: [jointEnd(bodies, null, PIVOT, Z), jointEnd(bodies, 0, PIVOT, Z)],
  collides: false,
};

const fixed = (shape, x, y, z = 0) => ({ shape, pose: at(x, y, z), friction: 0.6, restitution: 0.1 });
const sides = [-1, 1];
/** Two posts that carry the hinge, a low wall on either side, and one behind the balls. */
export const STATICS = [
  ...sides.map((side) => fixed(box(0.06, 0.42, 0.05), 0, 0.42, side * 0.16)),
  ...sides.map((side) => fixed(box(4.6, 0.1, 0.03), 1.8, 0.1, side * ASIDE)),
  fixed(box(0.05, 0.2, 0.33), BEHIND, 0.2),
];

const level = flatLevel('catapult', bodies);
/** Every player has the same. */
export const catapultLevel = { ...level, joints: [hinge], statics: [...level.statics, ...STATICS] };

/** Where the knob at the arm's end is. @returns `out`. */
export function knobOf({ x, y, z }, { z: qz, w: qw }, out) {
  const [cosine, sine] = [qw * qw - qz * qz, 2 * qz * qw];
  return Object.assign(out, { x: x - half * cosine, y: y - half * sine, z });
}
