import type { ReadonlyVector } from '../../core/base/math.ts';
import { vector, wrapAngle } from '../../core/base/math.ts';
import { POSE_STRIDE } from '../../core/base/state.ts';
import type { Level } from '../../core/world/level.ts';
import type { DeskStart } from '../../input/desk-player.ts';
import { fallsFirst, heapRadius, signPlaceOf, startPlaceOf } from '../start-places.ts';

/** Metres along the floor from a player to the middle of the nearest cube: its face is at arm's length. */
export const REACH = 0.78;
/** Metres: cubes that are higher are out of reach. */
const HIGHEST = 1.9;
/** Metres from one player to another at least, and how far they like to be; and from a player to the signpost. */
const APART = 0.95;
const ROOMY = 1.5;
const FROM_SIGN = 0.65;
/** Radians from the middle of a headset's picture to what should be in sight, at the most. */
const COMFORT = 0.68;
/** Metres: a cube within this is in reach with a step. */
const NEARBY = 1.1;
/** So many of the nearest cubes are considered, and so many sides of each. */
const CONSIDERED = 48;
const SIDES = 16;
/**
 * The cost of a place, in metres of way: for each metre too close to another player, and for each radian of the view
 * that does not fit into the picture.
 */
const CROWDING = 2;
const UNSEEN = 4;

/** Where a player in a headset begins: the place of its head on the floor, and the direction in which it looks. */
export type HeadsetStart = Pick<DeskStart, 'position' | 'yaw'>;

type Spot = { readonly x: number; readonly z: number };

/** Directions around a place, as the angle to the left from -z of the middle, and half of their width. */
type Span = { readonly middle: number; readonly half: number };

/**
 * Returns where a player in a headset begins: as on the desk, but so near that it reaches the first cube, still with a
 * friend in sight. If others stand everywhere at the cubes, it begins where it would on the desk.
 * @param order by arrival, from 0.
 * @param poses of the bodies now; null if they are not known. Used in scenes whose cubes fall at first.
 */
export function reachPlaceOf(order: number, scene: Level, poses: Float32Array | null): HeadsetStart {
  const cubes = cubesInReach(scene, poses);
  const places: Spot[][] = [];
  let found: Spot = startPlaceOf(0, scene).position;
  let span: Span = { middle: 0, half: 0 };
  for (let i = 0; i <= order; i++) {
    const desk = startPlaceOf(i, scene).position;
    const friends = i === 0 ? [[startPlaceOf(1, scene).position]] : places;
    found = bestPlace(desk, cubes, friends, [...friends.flat(), signPlaceOf(scene)]) ?? desk;
    span = spanAt(found, cubes, friends);
    places.push([desk, found]);
  }
  return { position: vector(found.x, startPlaceOf(order, scene).position.y, found.z), yaw: span.middle };
}

/**
 * Returns the best place at arm's length from a cube; null if there is none.
 * @param desk where the player would stand at a desk.
 * @param friends the places of each friend.
 * @param taken the places of players, and at the end that of the signpost.
 */
function bestPlace(
  desk: Spot,
  cubes: readonly Spot[],
  friends: readonly Spot[][],
  taken: readonly Spot[],
): Spot | null {
  const nearest = [...cubes].sort((a, b) => between(desk, a) - between(desk, b)).slice(0, CONSIDERED);
  let best: Spot | null = null;
  let least = Infinity;
  for (const cube of nearest) {
    for (let i = 0; i < SIDES; i++) {
      const angle = Math.atan2(desk.x - cube.x, desk.z - cube.z) + (2 * Math.PI * i) / SIDES;
      const spot = { x: cube.x + REACH * Math.sin(angle), z: cube.z + REACH * Math.cos(angle) };
      const way = between(spot, desk);
      if (way >= least || !isFree(spot, cubes, taken)) continue;
      const crowding = taken.slice(0, -1).map((other) => Math.max(0, ROOMY - between(spot, other)));
      const unseen = Math.max(0, spanAt(spot, nearest, friends).half - COMFORT);
      const cost = way + CROWDING * Math.max(0, ...crowding) + UNSEEN * unseen;
      if (cost < least) [best, least] = [spot, cost];
    }
  }
  return best;
}

function isFree(spot: Spot, cubes: readonly Spot[], taken: readonly Spot[]): boolean {
  return (
    cubes.every((cube) => between(spot, cube) > REACH - 0.001) &&
    taken.every((other, i) => between(spot, other) >= (i === taken.length - 1 ? FROM_SIGN : APART))
  );
}

/** Returns the narrowest span that has a nearby cube in it, and all places where one of the friends may stand. */
function spanAt(spot: Spot, cubes: readonly Spot[], friends: readonly Spot[][]): Span {
  const nearby = cubes.filter((cube) => between(spot, cube) < NEARBY);
  const yaws = (nearby.length > 0 ? nearby : cubes).map((cube) => yawTo(spot, cube));
  let best: Span = { middle: yaws[0] ?? 0, half: Infinity };
  for (const cube of yaws) {
    for (const places of friends) {
      const aside = places.map((place) => wrapAngle(yawTo(spot, place) - cube));
      const [low, high] = [Math.min(0, ...aside), Math.max(0, ...aside)];
      const half = (high - low) / 2;
      if (half >= best.half) continue;
      // If cube and friend do not both fit into the picture, the friend does: there are cubes on both sides.
      const over = Math.max(0, half - COMFORT);
      const middle = (low + high) / 2 + (high > -low ? over : -over);
      best = { middle: wrapAngle(cube + middle), half };
    }
  }
  return best;
}

function cubesInReach(scene: Level, poses: Float32Array | null): Spot[] {
  if (!fallsFirst(scene)) {
    return scene.bodies.map(({ start }) => start.position).filter(({ y }) => y < HIGHEST);
  }
  const lying = poses === null ? [] : spotsOf(poses).filter(({ y }) => y < HIGHEST);
  if (lying.length > 0) return lying;
  // They are in the air: they will lie about here.
  const radius = heapRadius(scene);
  return Array.from({ length: 48 }, (_, i) => {
    const angle = (i * Math.PI) / 24;
    return { x: radius * Math.sin(angle), z: radius * Math.cos(angle) };
  });
}

function spotsOf(poses: Float32Array): ReadonlyVector[] {
  return Array.from({ length: Math.floor(poses.length / POSE_STRIDE) }, (_, i) => {
    const at = i * POSE_STRIDE;
    return vector(poses[at], poses[at + 1], poses[at + 2]);
  });
}

function between(a: Spot, b: Spot): number {
  return Math.hypot(a.x - b.x, a.z - b.z);
}

/** Radians to the left from -z. */
function yawTo(from: Spot, to: Spot): number {
  return Math.atan2(from.x - to.x, from.z - to.z);
}
