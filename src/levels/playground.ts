import { MAX_ROOM_PLAYERS } from '../core/base/constants.ts';
import { fromAxisAngle, quaternion, vector } from '../core/base/math.ts';
import type { Level, LevelBody, RestLimits, Template } from '../core/world/level.ts';
import { flatLevel, STANDARD_MATERIAL } from '../core/world/level.ts';
import type { Point, Shape, ShapePart } from '../core/world/shape.ts';
import { playgroundStatics } from './playground-ground.ts';
import { rolling } from './rolling.ts';

/** Marbles in a heap turn on the spot by more than cubes do, and nobody sees it. */
const MARBLE_REST: RestLimits = { distance: 0.005, angleDegrees: 25 };
const CUBE = template({ kind: 'box', halfExtents: [0.25, 0.25, 0.25] }, 1);
const BALL = template({ kind: 'ball', radius: 0.15 }, 3, rolling(0.15));
/** A plank of three metres. */
const PLANK = template({ kind: 'box', halfExtents: [1.5, 0.03, 0.12] }, 4);
const DRUM = template({ kind: 'cylinder', radius: 0.3, halfHeight: 0.35 }, 4, rolling(0.3));
const CONE = template({ kind: 'cone', radius: 0.2, halfHeight: 0.28 }, 0.8, rolling(0.1));
const TABLE = template({ kind: 'compound', parts: tableParts() }, 6);

/** [S5] The templates that players may spawn, with the names that players read. */
export const SPAWNABLE: readonly (readonly [name: string, template: Template])[] = [
  ['Ball', BALL],
  ['Cube', CUBE],
  ['Plank', PLANK],
  ['Drum', DRUM],
  ['Cone', CONE],
  ['Table', TABLE],
];

/**
 * A level with every shape, from marbles of 2 cm to a wall of 20 m: towers, a heap of planks, a seesaw, skittles,
 * marbles in a tray, a hill and ramps. Every call makes the same level.
 */
export function playground(): Level {
  const bodies = [
    ...cubes(),
    ...planks(),
    ...seesaw(),
    ...skittles(),
    ...marbles(),
    ...columns(),
    ...cones(),
    ...crystals(),
    ...hammers(),
    ...giants(),
    ...onSlopes(),
  ];
  const level = flatLevel('playground', bodies);
  return {
    ...level,
    statics: [...level.statics, ...playgroundStatics()],
    spawning: {
      slots: MAX_ROOM_PLAYERS,
      perPlayer: 16,
      perSecond: 2,
      templates: SPAWNABLE.map(([, template]) => template),
    },
  };
}

function template(shape: Shape, mass: number, changes: Partial<Template> = {}): Template {
  return { ...STANDARD_MATERIAL, shape, mass, ...changes };
}

function body(of: Template, x: number, y: number, z: number, yaw = 0): LevelBody {
  const rotation = fromAxisAngle(UPWARD, yaw, quaternion());
  return { template: of, start: { position: vector(x, y, z), rotation } };
}

/** A gable of cubes, and a field of small ones. */
function cubes(): LevelBody[] {
  const small = template({ kind: 'box', halfExtents: [0.1, 0.1, 0.1] }, 0.2);
  const wall = [0, 1, 2, 3, 4].flatMap((course) =>
    Array.from({ length: 5 - course }, (_, i) =>
      body(CUBE, -3 + (i - (4 - course) / 2) * 0.55, 0.25 + course * 0.5, -2.5),
    ),
  );
  const blocks = Array.from({ length: 24 }, (_, i) =>
    body(small, -2.6 + (i % 4) * 0.25, 0.1, 1.2 + Math.floor(i / 4) * 0.25, 0.05 * i),
  );
  return [...wall, ...blocks];
}

/** Planks: crosswise courses of two. */
function planks(): LevelBody[] {
  return Array.from({ length: 16 }, (_, i) => {
    const course = Math.floor(i / 2);
    const side = (i % 2) * 2 - 1;
    const isTurned = course % 2 === 1;
    const y = 0.03 + course * 0.06;
    return isTurned ? body(PLANK, 5 + side, y, -4, Math.PI / 2) : body(PLANK, 5, y, -4 + side);
  });
}

/** A plank on a lying cylinder, with a cube at each end. */
function seesaw(): LevelBody[] {
  const log = template({ kind: 'cylinder', radius: 0.25, halfHeight: 0.4 }, 6, rolling(0.25));
  const plank = template({ kind: 'box', halfExtents: [1.5, 0.03, 0.2] }, 5, { friction: 0.9 });
  const load = template({ kind: 'box', halfExtents: [0.15, 0.15, 0.15] }, 1, { friction: 0.9 });
  const lying = fromAxisAngle(vector(1, 0, 0), Math.PI / 2, quaternion());
  return [
    { template: log, start: { position: vector(0, 0.25, -4.5), rotation: lying } },
    body(plank, 0, 0.53, -4.5),
    body(load, -1.25, 0.71, -4.5),
    body(load, 1.25, 0.71, -4.5),
  ];
}

/** Capsules lie and cylinders stand: a row of skittles, and a ball to roll at them. */
function skittles(): LevelBody[] {
  const skittle = template({ kind: 'cylinder', radius: 0.07, halfHeight: 0.2 }, 0.6, rolling(0.07));
  const pill = template({ kind: 'capsule', radius: 0.1, halfHeight: 0.15 }, 0.6, rolling(0.1));
  const standing = [0, 1, 2, 3].flatMap((row) =>
    Array.from({ length: row + 1 }, (_, i) => body(skittle, 3 + (i - row / 2) * 0.3, 0.2, 1 - row * 0.27)),
  );
  const lying = fromAxisAngle(vector(0, 0, 1), Math.PI / 2, quaternion());
  const pills = Array.from({ length: 10 }, (_, i): LevelBody => ({
    template: pill,
    start: { position: vector(4.8 + (i % 2) * 0.7, 0.1, 0.2 + Math.floor(i / 2) * 0.4), rotation: lying },
  }));
  return [...standing, body(BALL, 3, 0.15, 3.2), ...pills];
}

/** Marbles of 2 to 10 cm in a tray, and a few that lie before it. */
function marbles(): LevelBody[] {
  const sizes = [0.01, 0.015, 0.02, 0.03, 0.05].map((radius) =>
    template({ kind: 'ball', radius }, 2500 * 4.19 * radius ** 3, {
      ...rolling(radius),
      restitution: 0.3,
      rest: MARBLE_REST,
    }),
  );
  return Array.from({ length: 48 }, (_, i) => {
    const [column, row] = [i % 8, Math.floor(i / 8)];
    return body(sizes[(i * 3) % 5], -0.42 + column * 0.12, 0.06, 1.25 + row * 0.12);
  });
}

/** Cylinders: drums, discs in two piles, and pillars that carry a beam. */
function columns(): LevelBody[] {
  // Cylinders that are flatter tremble where they lean on one another, in the engine alone as well.
  const disc = template({ kind: 'cylinder', radius: 0.2, halfHeight: 0.12 }, 3, rolling(0.2));
  // The engine keeps a gate of two pillars and a beam circling on their rims, unless they are damped: with 4, 5 of 120
  // gates that were shaken went on after 16 s, with 8 none.
  const damped = { ...rolling(0.15), angularDamping: 8 };
  const pillar = template({ kind: 'cylinder', radius: 0.15, halfHeight: 0.75 }, 5, damped);
  const beam = template({ kind: 'box', halfExtents: [0.9, 0.1, 0.18] }, 4);
  const drums = Array.from({ length: 6 }, (_, i) =>
    body(DRUM, -6 + (i % 3) * 0.75, 0.35, -1 + Math.floor(i / 3) * 0.75),
  );
  const discs = Array.from({ length: 8 }, (_, i) =>
    body(disc, -3.9 + (i % 2) * 0.5, 0.12 + Math.floor(i / 2) * 0.24, 0.4),
  );
  const gate = [body(pillar, -6.6, 0.75, -4), body(pillar, -5.4, 0.75, -4), body(beam, -6, 1.6, -4)];
  return [...drums, ...discs, ...gate];
}

function cones(): LevelBody[] {
  // They are of stone: one of 50 g was squeezed under the great wall, and twitched without end.
  const tiny = template({ kind: 'cone', radius: 0.04, halfHeight: 0.05 }, 0.3, rolling(0.02));
  return [
    ...Array.from({ length: 6 }, (_, i) =>
      body(CONE, 1.2 + (i % 3) * 0.5, 0.28, -1.8 - Math.floor(i / 3) * 0.5),
    ),
    ...Array.from({ length: 6 }, (_, i) => body(tiny, 0.9 + i * 0.12, 0.05, 1.4)),
  ];
}

/** Convex hulls: roofs and crystals. */
function crystals(): LevelBody[] {
  const roof = template({ kind: 'hull', points: wedge(0.35, 0.2, 0.25) }, 1);
  const gem = template({ kind: 'hull', points: drumOf(6, 0.22, 0.15, 0.2) }, 1);
  const chip = template({ kind: 'hull', points: drumOf(5, 0.05, 0.03, 0.04) }, 0.1);
  return [
    ...Array.from({ length: 4 }, (_, i) => body(roof, -6.4 + i * 0.9, 0.2, 2.1, i)),
    ...Array.from({ length: 6 }, (_, i) =>
      body(gem, 1.2 + (i % 3) * 0.55, 0.2, -0.2 - Math.floor(i / 3) * 0.5, i),
    ),
    ...Array.from({ length: 8 }, (_, i) => body(chip, 0.9 + i * 0.14, 0.04, 1.65, i)),
  ];
}

/** Compounds: tables, bells and crosses. */
function hammers(): LevelBody[] {
  const bell = template({ kind: 'compound', parts: bellParts() }, 2, rolling(0.12));
  const cross = template({ kind: 'compound', parts: crossParts() }, 1.2);
  const cup = template({ kind: 'box', halfExtents: [0.06, 0.06, 0.06] }, 0.1);
  return [
    body(TABLE, -0.2, 0.35, -1, 0.4),
    body(cup, -0.2, 0.76, -1),
    body(TABLE, 6.4, 0.35, -1),
    body(cup, 6.6, 0.76, -1.1),
    ...Array.from({ length: 4 }, (_, i) => body(bell, -4.6 + i * 0.9, 0.12, 3.4, Math.PI / 2)),
    ...Array.from({ length: 9 }, (_, i) =>
      body(cross, 0.6 + (i % 3) * 0.75, 0.3, 4.2 + Math.floor(i / 3) * 0.75, i),
    ),
  ];
}

/** Bodies of a metre and more. */
function giants(): LevelBody[] {
  const ball = template({ kind: 'ball', radius: 0.5 }, 12, rolling(0.5));
  const block = template({ kind: 'box', halfExtents: [0.5, 0.5, 0.5] }, 8);
  // The wall is of foam: under 900 kg, hulls of 1 kg creep without end in the engine; under 100 kg they come to rest.
  const wall = template({ kind: 'box', halfExtents: [10, 1, 0.4] }, 60);
  return [
    body(ball, 7.6, 0.5, 1.4),
    body(wall, 0, 1, -14),
    ...[0, 1, 2].map((i) => body(block, 7.2, 0.5 + i, -6.5)),
  ];
}

/** A box on each slope: the first ones stay, the last one slides down. */
function onSlopes(): LevelBody[] {
  const box = template({ kind: 'box', halfExtents: [0.2, 0.15, 0.2] }, 1);
  return [24, 29, 33].map((degrees, i): LevelBody => {
    const angle = (degrees * Math.PI) / 180;
    const rotation = fromAxisAngle(vector(1, 0, 0), angle, quaternion());
    const up = 0.2 + 0.152;
    return {
      template: box,
      start: {
        position: vector(-12.5 + i * 1.7, 1.1 + up * Math.cos(angle), -2 + up * Math.sin(angle)),
        rotation,
      },
    };
  });
}

function part(
  shape: ShapePart['shape'],
  x: number,
  y: number,
  z: number,
  rotation = quaternion(),
): ShapePart {
  return { shape, pose: { position: vector(x, y, z), rotation } };
}

function tableParts(): ShapePart[] {
  const leg = { kind: 'cylinder', radius: 0.05, halfHeight: 0.325 } as const;
  const corners = [-1, 1].flatMap((x) => [-1, 1].map((z) => part(leg, x * 0.5, -0.025, z * 0.3)));
  return [part({ kind: 'box', halfExtents: [0.6, 0.025, 0.4] }, 0, 0.325, 0), ...corners];
}

function bellParts(): ShapePart[] {
  const ends = [-1, 1].map((x) => part({ kind: 'ball', radius: 0.12 }, x * 0.3, 0, 0));
  const lying = fromAxisAngle(vector(0, 0, 1), Math.PI / 2, quaternion());
  return [part({ kind: 'cylinder', radius: 0.035, halfHeight: 0.3 }, 0, 0, 0, lying), ...ends];
}

function crossParts(): ShapePart[] {
  return [
    part({ kind: 'box', halfExtents: [0.3, 0.06, 0.06] }, 0, 0, 0),
    part({ kind: 'box', halfExtents: [0.06, 0.3, 0.06] }, 0, 0, 0),
    part({ kind: 'box', halfExtents: [0.06, 0.06, 0.3] }, 0, 0, 0),
  ];
}

/** A roof with its ridge along x. */
function wedge(x: number, y: number, z: number): Point[] {
  return [-x, x].flatMap((end): Point[] => [
    [end, -y, -z],
    [end, -y, z],
    [end * 0.7, y, 0],
  ]);
}

/** A drum with flat sides. */
function drumOf(sides: number, low: number, high: number, half: number): Point[] {
  return Array.from({ length: sides }, (_, i) => (2 * Math.PI * i) / sides).flatMap((angle): Point[] => [
    [low * Math.cos(angle), -half, low * Math.sin(angle)],
    [high * Math.cos(angle), half, high * Math.sin(angle)],
  ]);
}

const UPWARD = vector(0, 1, 0);
