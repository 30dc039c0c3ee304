import { fromAxisAngle, pose, quaternion, vector } from '../../core/base/math.ts';
import type { Joint } from '../../core/world/joints/joint.ts';
import type { Bounds, Level, StaticBody, Template } from '../../core/world/level.ts';
import { flatLevel, STANDARD_MATERIAL } from '../../core/world/level.ts';
import { CUBE_SIZE } from '../../levels/arrangements.ts';

/** A body that moves by itself: an engine alone and a peer play the same. */
export type Course = {
  readonly name: string;
  readonly level: Level;
  /** Metres and radians a second at the start. */
  readonly linear: readonly [number, number, number];
  readonly angular: readonly [number, number, number];
  /** The moment that is compared. */
  readonly seconds: number;
  /** How often it is played, with slightly different velocities; the means are compared. */
  readonly runs: number;
  /** The moment of inertia in kg m², alike about every axis. */
  readonly inertia: number;
  /** Metres: the height of the body's centre at which its potential energy is 0. */
  readonly ground: number;
  /** True where the smallest difference grows by itself, so that the two part in any case. */
  readonly isChaotic: boolean;
};

const RADIUS = CUBE_SIZE / 2;
const BALL: Template = { ...STANDARD_MATERIAL, shape: { kind: 'ball', radius: RADIUS } };
const CUBE: Template = {
  ...STANDARD_MATERIAL,
  shape: { kind: 'box', halfExtents: [RADIUS, RADIUS, RADIUS] },
};
/** [R6] It rolls on grass: a twentieth of its radius. */
const SLOWED: Template = { ...BALL, rollingFriction: RADIUS / 20 };
/** The moments of inertia of both, in kg m². */
const OF_BALL = 0.4 * RADIUS * RADIUS;
const OF_CUBE = (CUBE_SIZE * CUBE_SIZE) / 6;
/** Runs of a course in which dither, or the facets of the ground, let a single one scatter. */
const MANY = 32;
/** A height in metres below which no flight comes. */
const DEEP = -200;
/** Room for 20 s of flight. */
const WIDE: Bounds = { across: 1000, low: -1000, high: 1000 };

const STILL = [0, 0, 0] as const;

type Given = Pick<Course, 'name' | 'level'> & Partial<Course>;

function course(template: Template, given: Given): Course {
  const inertia = template.shape.kind === 'ball' ? OF_BALL : OF_CUBE;
  const usual = { linear: STILL, angular: STILL, seconds: 20, runs: 1, ground: RADIUS, isChaotic: false };
  return { ...usual, inertia, ...given };
}

function flat(template: Template, x: number, y = RADIUS): Level {
  const start = { position: vector(x, y, 0), rotation: quaternion() };
  return flatLevel('course', [{ template, start }]);
}

/** Far from all ground. */
function empty(template: Template, gravity: number): Level {
  return { ...flat(template, 0, 0), gravity, bounds: WIDE, statics: [] };
}

/** A ball that rolls without slipping. */
function rolling(speed: number): Course {
  const linear = [speed, 0, 0] as const;
  const angular = [0, 0, -speed / RADIUS] as const;
  const x = Math.max(-60, -8 * speed);
  return course(BALL, { name: `a ball rolls at ${speed} m/s`, level: flat(BALL, x), linear, angular });
}

/** Degrees at which friction just holds a cube: its tangent is the friction, 0.6. */
const FRICTION_ANGLE = (Math.atan(STANDARD_MATERIAL.friction) * 180) / Math.PI;
/** Half the metres of a slope. */
const SLOPE = 50;

/** A cube on a slope, pushed down it. */
function sliding(degreesAbove: number, speed: number, seconds: number): Course {
  const angle = ((FRICTION_ANGLE + degreesAbove) * Math.PI) / 180;
  const turned = fromAxisAngle(vector(0, 0, 1), angle, quaternion());
  const [along, up] = [Math.cos(angle), Math.sin(angle)];
  const slope: StaticBody = {
    shape: { kind: 'box', halfExtents: [SLOPE, 1, 4] },
    pose: { position: vector(0, 0, 0), rotation: turned },
    friction: STANDARD_MATERIAL.friction,
    restitution: STANDARD_MATERIAL.restitution,
  };
  const [far, high] = [SLOPE - 5, 1 + RADIUS];
  const start = { position: vector(far * along - high * up, far * up + high * along, 0), rotation: turned };
  const level = flatLevel('course', [{ template: CUBE, start }]);
  return course(CUBE, {
    name: `a cube slides ${Math.abs(degreesAbove)}° ${degreesAbove < 0 ? 'below' : 'above'} its friction angle`,
    level: { ...level, bounds: WIDE, statics: [slope] },
    linear: [-speed * along, -speed * up, 0],
    seconds,
    ground: -far * up,
  });
}

/** Metres from a pendulum's joint to its ball, and of the joint above the floor. */
const ARM = 2;
const HANG = 4;

/** A ball on an arm without mass, which begins level. */
function pendulum(): Course {
  const level = flat(BALL, ARM, HANG);
  const joint: Joint = {
    kind: 'ball',
    ends: [
      { body: null, frame: { position: vector(0, HANG, 0), rotation: quaternion() } },
      { body: 0, frame: { position: vector(-ARM, 0, 0), rotation: quaternion() } },
    ],
    collides: false,
  };
  return course(BALL, {
    name: 'a pendulum swings',
    level: { ...level, joints: [joint] },
    ground: HANG - ARM,
  });
}

/** Cells of the bowl along an axis, and its metres. */
const CELLS = 96;
const WIDTH = 24;

/** A ball that rolls to and fro in a bowl. */
function bowl(): Course {
  const step = WIDTH / CELLS;
  const heights = Array.from({ length: (CELLS + 1) ** 2 }, (_, i) => {
    const x = ((i % (CELLS + 1)) - CELLS / 2) * step;
    const z = (Math.floor(i / (CELLS + 1)) - CELLS / 2) * step;
    return (x * x + z * z) / 16;
  });
  const ground: StaticBody = {
    shape: { kind: 'height field', columns: CELLS, rows: CELLS, heights, size: [WIDTH, WIDTH] },
    pose: pose(),
    friction: STANDARD_MATERIAL.friction,
    restitution: 0,
  };
  const level = { ...flat(BALL, -4, 1 + RADIUS + 0.02), statics: [ground] };
  return course(BALL, { name: 'a ball rolls to and fro in a bowl', level, seconds: 10, runs: MANY });
}

/** The courses of the table of energy. */
export function energyCourses(): readonly Course[] {
  return [
    ...[0.2, 0.5, 1, 2, 4, 6].map(rolling),
    course(SLOWED, {
      name: 'a ball with rolling friction rolls at 6 m/s',
      level: flat(SLOWED, -48),
      linear: [6, 0, 0],
      angular: [0, 0, -6 / RADIUS],
      seconds: 8,
    }),
    course(CUBE, { name: 'a cube slides at 6 m/s', level: flat(CUBE, 0), linear: [6, 0, 0], seconds: 0.8 }),
    course(BALL, { name: 'a ball spins on the spot at 20 rad/s', level: flat(BALL, 0), angular: [0, 20, 0] }),
    bowl(),
    pendulum(),
    sliding(-1, 2, 4),
    sliding(1, 0.5, 10),
    course(CUBE, {
      name: 'a cube is thrown at 20 m/s, and tumbles',
      level: empty(CUBE, 9.8),
      linear: [14, 14, 0],
      angular: [2, 3, 1],
      seconds: 3,
      runs: MANY,
      ground: DEEP,
    }),
    course(CUBE, {
      name: 'a cube flies under the gravity of the Moon',
      level: empty(CUBE, 1.62),
      linear: [4, 16, 0],
      angular: [0, 2, 0],
      runs: MANY,
      ground: DEEP,
    }),
    course(CUBE, {
      name: 'a cube drifts without gravity',
      level: empty(CUBE, 0),
      linear: [1, 0, 0],
      angular: [0, 1, 0],
      runs: MANY,
      ground: 0,
    }),
    course(CUBE, {
      name: 'a cube falls on an edge and tumbles',
      level: flat(CUBE, 0, 3),
      linear: [2, 0, 0],
      angular: [1, 2, 3],
      seconds: 0.9,
      isChaotic: true,
    }),
  ];
}
