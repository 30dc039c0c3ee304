import { describe, expect, test } from 'vitest';
import { POSE_STRIDE } from '../../../src/core/base/state.ts';
import type { LevelId } from '../../../src/levels/levels.ts';
import { LEVEL_IDS, createLevel } from '../../../src/levels/levels.ts';
import { REACH, reachPlaceOf } from '../../../src/pages/headset/reach-place.ts';
import { signPlaceOf, startPlaceOf } from '../../../src/pages/start-places.ts';

const SCENES: readonly LevelId[] = LEVEL_IDS;
const ORDERS = [0, 1, 2, 3] as const;
/** Radians: what a headset shows to either side. */
const SEEN = 0.8;

type Spot = { readonly x: number; readonly z: number };

const scene = (name: LevelId) => createLevel({ id: name, seed: 3 });

/** Poses of cubes that lie in a heap. */
function heap(): Float32Array {
  const poses = new Float32Array(64 * POSE_STRIDE);
  for (let i = 0; i < 64; i++) {
    const [angle, away] = [i * 2.4, 0.33 * Math.sqrt(i)];
    poses.set(
      [away * Math.sin(angle), 0.25 + 0.5 * (i % 3), away * Math.cos(angle), 0, 0, 0, 1],
      i * POSE_STRIDE,
    );
  }
  return poses;
}

function cubesOf(name: LevelId): Spot[] {
  if (name !== 'pile') return scene(name).bodies.map(({ start }) => start.position);
  const poses = heap();
  return Array.from({ length: 64 }, (_, i) => ({ x: poses[i * POSE_STRIDE], z: poses[i * POSE_STRIDE + 2] }));
}

function placeOf(name: LevelId, order: number) {
  return reachPlaceOf(order, scene(name), name === 'pile' ? heap() : null);
}

function between(a: Spot, b: Spot): number {
  return Math.hypot(a.x - b.x, a.z - b.z);
}

/** Radians from where a player looks to a place. */
function aside({ position, yaw }: ReturnType<typeof placeOf>, to: Spot): number {
  const angle = Math.atan2(position.x - to.x, position.z - to.z) - yaw;
  return Math.abs(angle - 2 * Math.PI * Math.round(angle / (2 * Math.PI)));
}

describe.each(SCENES)('a player who puts a headset on in %s', (name) => {
  test.each(ORDERS)('stands at arm’s length from the first cubes, in none of them: number %d', (order) => {
    const place = placeOf(name, order);
    // Around the tower there is room for three.
    if (name === 'tower' && order === 3) {
      expect(place.position).toEqual(startPlaceOf(3, scene(name)).position);
      return;
    }
    const nearest = Math.min(...cubesOf(name).map((cube) => between(place.position, cube)));
    expect(nearest).toBeCloseTo(REACH, 1);
    const shown = cubesOf(name).filter(
      (cube) => between(place.position, cube) < 1.155 && aside(place, cube) < SEEN,
    );
    expect(shown.length).toBeGreaterThan(0);
  });

  test.each(ORDERS)('has a friend in its picture, at a desk or in a headset: number %d', (order) => {
    const place = placeOf(name, order);
    const friends = order === 0 ? [1] : ORDERS.slice(0, order);
    const seen = friends.filter(
      (friend) =>
        aside(place, startPlaceOf(friend, scene(name)).position) < SEEN &&
        aside(place, placeOf(name, friend).position) < SEEN,
    );
    expect(seen.length).toBeGreaterThan(0);
  });

  test('is in nobody’s way, nor in the signpost’s', () => {
    const places = ORDERS.map((order) => placeOf(name, order).position);
    for (const [i, place] of places.entries()) {
      for (const other of places.slice(0, i)) expect(between(place, other)).toBeGreaterThan(0.94);
      for (let order = 0; order < i; order++) {
        expect(between(place, startPlaceOf(order, scene(name)).position)).toBeGreaterThan(0.94);
      }
      expect(between(place, signPlaceOf(scene(name)))).toBeGreaterThan(0.6);
    }
  });

  test('the signpost stands in no cube, and in nobody’s place', () => {
    const sign = signPlaceOf(scene(name));
    const { bodies } = scene(name);
    for (const { start } of bodies) expect(between(sign, start.position)).toBeGreaterThan(0.55);
    for (let order = 0; order < 8; order++) {
      expect(between(sign, startPlaceOf(order, scene(name)).position)).toBeGreaterThan(0.6);
    }
    // It can be read from the first places.
    for (const order of ORDERS.slice(0, 2)) {
      expect(between(sign, startPlaceOf(order, scene(name)).position)).toBeLessThan(4.5);
    }
  });
});

test('while the cubes are in the air, a player stands where their heap will end', () => {
  const { position } = reachPlaceOf(0, scene('pile'), null);
  const away = Math.hypot(position.x, position.z);
  expect(away).toBeGreaterThan(2.8);
  expect(away).toBeLessThan(4);
});

test('the eighth finds a place, too', () => {
  for (const name of SCENES) {
    const { position, yaw } = placeOf(name, 7);
    expect(Number.isFinite(position.x + position.z + yaw)).toBe(true);
  }
});
