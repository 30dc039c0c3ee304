import { MAX_ROOM_PLAYERS } from '../../src/core/base/constants.ts';
import { vector } from '../../src/core/base/math.ts';
import type { Joint, Making } from '../../src/core/world/joints/joint.ts';
import { jointEnd } from '../../src/core/world/joints/joint.ts';
import type { GuestRights, Level, Spawning, Template } from '../../src/core/world/level.ts';
import { flatLevel, STANDARD_MATERIAL } from '../../src/core/world/level.ts';
import { CUBE_SIZE } from '../../src/levels/arrangements.ts';
import { createLevel } from '../../src/levels/levels.ts';
import type { Place } from './stage.ts';

export type SpawningNumbers = Pick<Spawning, 'perPlayer' | 'perSecond'> & Partial<Pick<Spawning, 'slots'>>;

/** Players may spawn cubes, and balls as a second template; not SECRET. */
export function withSpawning(level: Level, numbers: SpawningNumbers): Level {
  const [cube] = level.templates;
  const ball = { ...cube, shape: { kind: 'ball', radius: CUBE_SIZE / 2 } } as const;
  const templates = [cube, ball];
  return {
    ...level,
    templates: [...templates, SECRET],
    spawning: { slots: MAX_ROOM_PLAYERS, ...numbers, templates },
  };
}

export const SECRET: Template = { ...STANDARD_MATERIAL, shape: { kind: 'ball', radius: 1 } };

export function withBall({ id, bodies: [first, ...others] }: Level): Level {
  const template = { ...first.template, shape: { kind: 'ball', radius: CUBE_SIZE / 2 } } as const;
  return flatLevel(id, [{ ...first, template }, ...others]);
}

/** Cubes on the floor, in a row along x, two metres apart. */
export function apart(count: number): Place[] {
  return Array.from({ length: count }, (_, i) => [2 * i, CUBE_SIZE / 2, 0]);
}

/** Cubes on top of each other, the lowest on the floor. */
export function tower(count: number): Place[] {
  return Array.from({ length: count }, (_, i) => [0, CUBE_SIZE / 2 + i * CUBE_SIZE, 0]);
}

export function sceneOf(cubes: readonly Place[]): Level {
  const grid = createLevel({ id: 'grid', seed: 1, count: 1 });
  return {
    ...grid,
    bodies: cubes.map(([x, y, z]) => ({
      ...grid.bodies[0],
      start: { position: { x, y, z }, rotation: { x: 0, y: 0, z: 0, w: 1 } },
    })),
  };
}

/** [A15] Guests may do no more with the cubes than this. */
export function withRights({ id, bodies }: Level, guests: GuestRights): Level {
  const template = { ...bodies[0].template, guests };
  return flatLevel(
    id,
    bodies.map((body) => ({ ...body, template })),
  );
}

/** [J4] [J6] Whether the joints of a chain can go. */
export type ChainOptions = Pick<Joint, 'breaksAt' | 'removable'> & {
  /** True for one more, from the first body to the world, half a metre above; and bodies that nothing slows. */
  readonly isHung?: boolean;
  /** [J5] The joints that players may make. */
  readonly making?: Making;
};

/** [J1] A ball joint half way between each two of the first bodies. */
export function withChain(
  level: Level,
  length: number,
  { isHung = false, making, ...going }: ChainOptions,
): Level {
  if (making !== undefined) return { ...withChain(level, length, { isHung, ...going }), making };
  const joints = level.bodies.slice(1, length).map(({ start: { position } }, i): Joint => {
    const before = level.bodies[i].start.position;
    const at = vector((before.x + position.x) / 2, (before.y + position.y) / 2, (before.z + position.z) / 2);
    const ends = [jointEnd(level.bodies, i, at), jointEnd(level.bodies, i + 1, at)] as const;
    return { kind: 'ball', ends, collides: true, ...going };
  });
  if (!isHung) return { ...level, joints };
  const template = { ...level.bodies[0].template, linearDamping: 0, angularDamping: 0 };
  const bodies = level.bodies.map(({ start }) => ({ template, start }));
  const { x, y, z } = bodies[0].start.position;
  const hook = vector(x, y + 0.5, z);
  const ends = [jointEnd(bodies, null, hook), jointEnd(bodies, 0, hook)] as const;
  return {
    ...level,
    bodies,
    templates: [template],
    joints: [...joints, { kind: 'ball', ends, collides: true, ...going }],
  };
}
