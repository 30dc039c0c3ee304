import { flatLevel, STANDARD_MATERIAL, toBody } from 'handover';

/** Metres: the lane's height over the floor, its half width, and where it ends; it begins at z = 0. */
export const LANE = { top: 0.15, half: 0.525, end: -7.5 };
/** Metres: the approach, behind the foul line at z = 0. */
export const APPROACH = { half: 0.8, end: 3 };
export const BALL_RADIUS = 0.11;

/** The outline of a pin from its foot to its head: how far from the axis, and how high over the body's centre. */
export const PIN_OUTLINE = [
  [0.035, -0.16],
  [0.06, -0.04],
  [0.04, 0.12],
  [0.02, 0.2],
];
/** Eight corners to a ring. A pin stands on a flat foot with edges: the foot of a cylinder would sway for long. */
const CORNERS = Array.from({ length: 8 }, (_, i) => [
  Math.cos((i * Math.PI) / 4),
  Math.sin((i * Math.PI) / 4),
]);

const PIN = {
  ...STANDARD_MATERIAL,
  shape: {
    kind: 'hull',
    points: PIN_OUTLINE.flatMap(([radius, y]) => CORNERS.map(([x, z]) => [radius * x, y, radius * z])),
  },
  mass: 1.5,
  restitution: 0.5,
  angularDamping: 0.5,
  rollingFriction: 0.003,
  // The ball strikes pins; a guest's hand takes none.
  guests: { take: true, hold: false, keep: false },
};
const BALL_TEMPLATE = {
  ...STANDARD_MATERIAL,
  shape: { kind: 'ball', radius: BALL_RADIUS },
  mass: 7,
  friction: 0.2,
  rollingFriction: 0.002,
};

const upright = { x: 0, y: 0, z: 0, w: 1 };
const at = (x, y, z) => ({ position: { x, y, z }, rotation: upright });

/** Where the ball begins. */
export const BALL_START = at(0, LANE.top + BALL_RADIUS, 1);
/** Where the ten pins stand: four rows, 30 cm from one to the next. */
export const PIN_SPOTS = [0, 1, 2, 3].flatMap((row) =>
  Array.from({ length: row + 1 }, (_, i) => at((i - row / 2) * 0.305, LANE.top + 0.16, -6 - row * 0.264)),
);
/** Where a pin waits that has fallen: on the floor beside the lane. */
export const PIN_RACK = PIN_SPOTS.map((_, i) => at(1.2, 0.16, -4 - i * 0.3));

export const BALL = toBody(0);
export const PINS = PIN_SPOTS.map((_, i) => toBody(i + 1));

/** A box that never moves. */
const fixed = (x, y, z, ...halfExtents) => ({
  shape: { kind: 'box', halfExtents },
  pose: at(x, y, z),
  friction: 0.4,
  restitution: 0.1,
});
const sides = [-1, 1];

/**
 * The lane on its floor, gutters between the lane and two walls, and a pit behind the pins. The lane and the middle of the
 * approach are one box: over the joint of two boxes a ball would jump.
 */
export const STATICS = [
  fixed(
    0,
    LANE.top / 2,
    (LANE.end + APPROACH.end) / 2,
    LANE.half,
    LANE.top / 2,
    (APPROACH.end - LANE.end) / 2,
  ),
  ...sides.map((side) => fixed(side * 0.6625, LANE.top / 2, 1.5, 0.1375, LANE.top / 2, 1.5)),
  ...sides.map((side) => fixed(side * 0.85, 0.2, -4.5, 0.05, 0.2, 4.5)),
  ...sides.map((side) => fixed(side * 0.85, 0.2, 1.5, 0.05, 0.2, 1.5)),
  ...sides.map((side) => fixed(side * 0.85, 0.5, -7.5, 0.05, 0.5, 1.5)),
  fixed(0, 0.2, 3.05, 0.9, 0.2, 0.05),
  fixed(0, 0.5, -9.05, 0.9, 0.5, 0.05),
];

const level = flatLevel('bowling', [
  { template: BALL_TEMPLATE, start: BALL_START },
  ...PIN_SPOTS.map((start) => ({ template: PIN, start })),
]);
/** Every player has the same. */
export const bowlingLevel = { ...level, statics: [...level.statics, ...STATICS] };
