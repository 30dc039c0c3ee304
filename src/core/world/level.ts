import {
  ANGULAR_DAMPING,
  GRAVITY,
  LINEAR_DAMPING,
  REST_ANGLE_DEGREES,
  REST_DISTANCE,
  TICK_RATE,
} from '../base/constants.ts';
import type { ReadonlyPose, ReadonlyVector } from '../base/math.ts';
import { quaternion, vector } from '../base/math.ts';
import type { DrivenBody } from './driven/driven.ts';
import type { Joint, Making } from './joints/joint.ts';
import type { Shape, StaticShape } from './shape.ts';

/** [R1] How still a body must have kept for REST_SECONDS to be at rest. */
export type RestLimits = {
  /** Metres that it may have moved. */
  readonly distance: number;
  /** Degrees that it may have turned. */
  readonly angleDegrees: number;
};

/** True for a place within the bounds; false for one that is not finite. */
export function isInBounds({ across, low, high }: Bounds, { x, y, z }: ReadonlyVector): boolean {
  return Math.max(Math.abs(x), Math.abs(z)) < across && y > low && y < high;
}

/**
 * [A15] The actions that guests may do on bodies of a template. The host may do all of them. A guest removes its own
 * body only while it has it: if all three are false, only the host can do so once the body has come to rest.
 */
export type GuestRights = {
  /** Have a body without a hand: by a touch, a blow or an action. */
  readonly take: boolean;
  readonly hold: boolean;
  readonly keep: boolean;
};

/** The properties that bodies of one kind share. */
export type Template = {
  readonly shape: Shape;
  /** Kilograms. */
  readonly mass: number;
  /** The friction coefficient. */
  readonly friction: number;
  /** The share of speed that is left after a bounce, 0 to 1. */
  readonly restitution: number;
  /** Per second: once a tick, velocities are divided by 1 + damping / rate. */
  readonly linearDamping: number;
  readonly angularDamping: number;
  /**
   * [R6] The coefficient of rolling friction in metres: how far before its middle the ground holds up a body that rolls,
   * because one of the two yields. As a share of the radius it is 0.001 to 0.005 for steel on steel, 0.01 to 0.03 for rubber on a floor.
   * A ball rolls away on slopes (rise by run) above this share. On gentler ones Rapier lets it creep, at 36 cm/s times
   * the slope at 60 ticks a second. So a ball of 0.3 m with a share of 0.1 and the standard `rest` comes to rest on slopes
   * below 0.046; from there to 0.1 it creeps at 2 to 4 cm/s, and does not rest.
   */
  readonly rollingFriction: number;
  readonly rest: RestLimits;
  /** [A15] The rights of guests on its bodies. */
  readonly guests: GuestRights;
};

/** A body that a level begins with. */
export type LevelBody = {
  /** One of the level's templates: the same object. */
  readonly template: Template;
  /** Where the body begins, without velocity; within the level's bounds. */
  readonly start: ReadonlyPose;
};

/** Something that never moves: the floor, a wall, a ramp, a landscape. It is never on the wire. */
export type StaticBody = {
  readonly shape: StaticShape;
  readonly pose: ReadonlyPose;
  readonly friction: number;
  readonly restitution: number;
};

/**
 * The box that bodies stay in, in metres: [R4] puts back the ones whose centre leaves it. With BOUNDS_SLACK it lies within
 * ±MAX_POSITION_METRES, as far as positions on the wire reach [W2].
 */
export type Bounds = {
  /** From the middle, along x and z. */
  readonly across: number;
  readonly low: number;
  readonly high: number;
};

/** [S5] The limits of spawning while playing. */
export type Spawning = {
  /** Bodies that each player may have spawned at once: so many ids are set aside for each of `slots`. 0: none. */
  readonly perPlayer: number;
  /** How many slots, from 0 on, have ids: the players that may spawn. 0 to MAX_PLAYERS. */
  readonly slots: number;
  /** Bodies that each player may spawn in a second, and at once in that time; one at once if it is less than 1. */
  readonly perSecond: number;
  /**
   * The templates that players may spawn: the same objects as the level's. A level that was read from text has objects of
   * its own, so `spawn` takes one from here.
   */
  readonly templates: readonly Template[];
};

/** A level in which nobody spawns anything. */
const NO_SPAWNING: Spawning = { perPlayer: 0, slots: 0, perSecond: 0, templates: [] };

/** Characters in the id of a level, at most. */
export const MAX_LEVEL_ID_LENGTH = 64;

/** A world to play in: data, the same on every peer. */
export type Level = {
  /** Any text; two levels of one id may still differ. */
  readonly id: string;
  /** [B2.1] Ticks a second on every peer: a whole number, MIN_TICK_RATE to MAX_TICK_RATE. TICK_RATE suits most games. */
  readonly rate: number;
  /** Metres per second squared, downwards. */
  readonly gravity: number;
  readonly bounds: Bounds;
  readonly templates: readonly Template[];
  readonly bodies: readonly LevelBody[];
  /** [J1] They tie bodies to each other, and to the world. */
  readonly joints: readonly Joint[];
  readonly statics: readonly StaticBody[];
  /** [K1] Lifts, turntables, belts; none if left out. */
  readonly driven?: readonly DrivenBody[];
  readonly spawning: Spawning;
  /** [J5] The joints that players may make while playing. Left out: none. */
  readonly making?: Making;
};

/** Metres by which the floor of a flat level goes on beyond the bounds: bodies leave the world before the floor. */
const FLOOR_MARGIN = 9;
/** Half the metres of floor below 0: thick, so that fast bodies don't pass it in one step. */
const FLOOR_HALF_DEPTH = 2;

/**
 * Metres by which a body that peers have agreed on may be outside of a level's bounds, at most: a tick of the fastest
 * fall is shorter at the usual rate, and what leaves is put back in the same tick [R4].
 */
export const BOUNDS_SLACK = 1.5;

/** The bounds of a flat level. A body whose centre is below has fallen through the floor, which lies at 0. */
export const FLAT_BOUNDS: Bounds = { across: 63, low: -0.5, high: 61 };

/** The floor of a flat level. */
const FLOOR: StaticBody = {
  shape: {
    kind: 'box',
    halfExtents: [FLAT_BOUNDS.across + FLOOR_MARGIN, FLOOR_HALF_DEPTH, FLAT_BOUNDS.across + FLOOR_MARGIN],
  },
  pose: { position: vector(0, -FLOOR_HALF_DEPTH, 0), rotation: quaternion() },
  friction: 0.6,
  restitution: 0.1,
};

/**
 * The flat floor of a level, or null: a box with its top at height 0, under all of the bounds. It may have other ground
 * above it.
 */
export function floorOf(level: Level): StaticBody | null {
  return level.statics.find((fixed) => isFloor(fixed, level.bounds)) ?? null;
}

function isFloor({ shape, pose: { position, rotation } }: StaticBody, { across }: Bounds): boolean {
  if (shape.kind !== 'box' || rotation.w * rotation.w < 1) return false;
  const [x, y, z] = shape.halfExtents;
  const isUnder = x - Math.abs(position.x) >= across && z - Math.abs(position.z) >= across;
  return isUnder && position.y + y === 0;
}

/** All of a template but its shape, as Fiedler's sample project has it. */
export const STANDARD_MATERIAL: Omit<Template, 'shape'> = {
  mass: 1,
  friction: 0.6,
  restitution: 0.1,
  linearDamping: LINEAR_DAMPING,
  angularDamping: ANGULAR_DAMPING,
  rollingFriction: 0,
  rest: { distance: REST_DISTANCE, angleDegrees: REST_ANGLE_DEGREES },
  guests: { take: true, hold: true, keep: true },
};

/**
 * True if three coordinates in metres, from `motion[at]` on, are within the bounds and a slack in metres. False for what
 * is no number.
 */
export function isWithin(
  { across, low, high }: Bounds,
  slack: number,
  motion: { readonly [index: number]: number },
  at: number,
): boolean {
  const y = motion[at + 1];
  const away = Math.max(Math.abs(motion[at]), Math.abs(motion[at + 2]));
  return away < across + slack && y > low - slack && y < high + slack;
}

/** A level on a flat floor at height 0, with the rate, the gravity and the bounds of Fiedler's sample project. */
export function flatLevel(id: string, bodies: readonly LevelBody[]): Level {
  const templates = [...new Set(bodies.map(({ template }) => template))];
  return {
    id,
    rate: TICK_RATE,
    gravity: GRAVITY,
    bounds: FLAT_BOUNDS,
    templates,
    bodies,
    joints: [],
    statics: [FLOOR],
    spawning: NO_SPAWNING,
  };
}
