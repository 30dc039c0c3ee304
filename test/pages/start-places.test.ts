import { PerspectiveCamera, Vector3 } from 'three';
import { describe, expect, test } from 'vitest';
import type { LevelId } from '../../src/levels/levels.ts';
import { LEVEL_IDS, createLevel } from '../../src/levels/levels.ts';
import type { DeskStart } from '../../src/input/desk-player.ts';
import {
  gatheringPoint,
  isAmongCubes,
  orderOfArrival,
  startPlaceOf,
  turnedTo,
  viewerPlaceOf,
} from '../../src/pages/start-places.ts';
import { reachPlaceOf } from '../../src/pages/headset/reach-place.ts';
import { fieldOfView, halfWidth } from '../../src/view/lens.ts';

const DESKTOP = 16 / 9;
const UPRIGHT = 390 / 844;
const SIDEWAYS = 844 / 390;
const SCENES: readonly LevelId[] = LEVEL_IDS;
/** Levels with bodies all over the floor. */
const FULL_LEVELS: readonly LevelId[] = ['playground', 'giants', 'workshop'];

function scene(name: LevelId) {
  return createLevel({ id: name, seed: 3 });
}

function places(name: LevelId, count: number, aspect = DESKTOP): DeskStart[] {
  return Array.from({ length: count }, (_, order) => startPlaceOf(order, scene(name), halfWidth(aspect)));
}

/** Where a point of the world is in the picture of a player at its start place; null if it is behind the player. */
function inPicture(of: DeskStart, aspect: number, x: number, y: number, z: number): Vector3 | null {
  const camera = new PerspectiveCamera(fieldOfView(aspect), aspect, 0.05, 400);
  camera.position.copy(of.position);
  camera.rotation.set(of.pitch, of.yaw, 0, 'YXZ');
  camera.updateMatrixWorld();
  const point = new Vector3(x, y, z);
  return point.clone().applyMatrix4(camera.matrixWorldInverse).z < 0 ? point.project(camera) : null;
}

function seesHead(of: DeskStart, { position: { x, y, z } }: DeskStart, aspect: number, within = 1): boolean {
  const at = inPicture(of, aspect, x, y, z);
  return at !== null && Math.abs(at.x) < within && Math.abs(at.y) < 1;
}

/** How many cubes of the lowest course are in the picture; of what falls, where its heap lies. */
function cubesSeen(name: LevelId, of: DeskStart, aspect: number): number {
  const { bodies } = scene(name);
  const spread = name === 'pile' ? 5 : 1;
  const low = name === 'pile' ? bodies : bodies.filter(({ start }) => start.position.y < 0.6);
  return low.filter(({ start: { position } }) => {
    const at = inPicture(of, aspect, position.x * spread, 0.4, position.z * spread);
    return at !== null && Math.abs(at.x) < 1 && Math.abs(at.y) < 1;
  }).length;
}

function apart(a: DeskStart, b: DeskStart): number {
  return Math.hypot(a.position.x - b.position.x, a.position.z - b.position.z);
}

describe.each(SCENES)('in %s', (name) => {
  test('the first two stand three to four metres apart, at the cubes’ near edge', () => {
    const [first, second] = places(name, 2);
    expect(apart(first, second)).toBeGreaterThan(3);
    expect(apart(first, second)).toBeLessThan(4);
    const { bodies } = scene(name);
    for (const { position } of [first, second]) {
      const nearest = bodies.map(({ start }) =>
        Math.hypot(start.position.x - position.x, start.position.z - position.z),
      );
      // The cubes of the pile fall, and come to lie nearer.
      expect(Math.min(...nearest)).toBeLessThan(name === 'pile' ? 5 : 3);
    }
  });

  test('eight players stand on the floor, apart from one another, in no cube, with no cube between them', () => {
    const all = places(name, 8);
    const { bodies } = scene(name);
    const front = Math.max(...bodies.map(({ start }) => start.position.z)) + 0.36;
    for (const [i, place] of all.entries()) {
      expect(place.position.y).toBe(1.6);
      const { x, z } = place.position;
      // Bodies lie beside the players of the playground, too.
      if (name !== 'playground') expect(z).toBeGreaterThan(front + 0.4);
      for (const { start } of bodies)
        if (start.position.y < 2)
          expect(Math.hypot(start.position.x - x, start.position.z - z)).toBeGreaterThan(0.9);
      for (const other of all.slice(0, i)) expect(apart(place, other)).toBeGreaterThan(1.2);
      expect(isAmongCubes(place.position, scene(name))).toBe(false);
    }
  });

  test.each([
    ['a desktop', DESKTOP, 0.93],
    ['a phone held sideways', SIDEWAYS, 0.93],
    ['a phone held upright', UPRIGHT, 0.8],
  ])('the first two see each other and cubes on %s', (_, aspect, within) => {
    const [first, second] = places(name, 2, aspect);
    expect(seesHead(first, second, aspect, within)).toBe(true);
    expect(seesHead(second, first, aspect, within)).toBe(true);
    for (const place of [first, second]) expect(cubesSeen(name, place, aspect)).toBeGreaterThan(0);
  });

  test.each([
    ['a desktop', DESKTOP],
    ['a phone held sideways', SIDEWAYS],
    ['a phone held upright', UPRIGHT],
  ])('whoever is alone has cubes in the middle of the picture on %s', (_, aspect) => {
    const alone = startPlaceOf(0, scene(name), halfWidth(aspect), true);
    expect(alone.position).toEqual(places(name, 1, aspect)[0].position);
    const { bodies } = scene(name);
    const spread = name === 'pile' ? 3 : 1;
    const across = bodies.flatMap(({ start: { position } }) => {
      const y = name === 'pile' ? 0.4 : position.y;
      const at = inPicture(alone, aspect, position.x * spread, y, position.z * spread);
      return at !== null && Math.abs(at.x) < 0.5 && Math.abs(at.y) < 1 ? [at.x] : [];
    });
    expect(across.length).toBeGreaterThan(2);
  });

  test.each([
    ['a desktop', DESKTOP],
    ['a phone held upright', UPRIGHT],
  ])(
    'each of the first two sees many bodies on %s, on both sides of the middle if it is wide',
    (_, aspect) => {
      if (!FULL_LEVELS.includes(name)) return;
      for (const [order, place] of places(name, 2, aspect).entries()) {
        const across = scene(name).bodies.flatMap(({ start: { position } }) => {
          const at = inPicture(place, aspect, position.x, position.y, position.z);
          return at !== null && Math.abs(at.x) < 1 && Math.abs(at.y) < 1 ? [at.x] : [];
        });
        expect(across.length, `player ${order}`).toBeGreaterThan(aspect === DESKTOP ? 20 : 2);
        if (aspect === DESKTOP) expect(Math.min(...across) * Math.max(...across)).toBeLessThan(-0.15);
      }
    },
  );

  test('nobody begins within an arm’s length of a giant', () => {
    if (name !== 'giants') return;
    for (const { position } of places(name, 2)) {
      const near = scene(name).bodies.map(({ start }) =>
        Math.hypot(start.position.x - position.x, start.position.z - position.z),
      );
      expect(Math.min(...near)).toBeGreaterThan(2.2);
    }
  });

  test('names of friends are below the buttons of a phone held sideways', () => {
    const [first, second, third] = places(name, 3, SIDEWAYS);
    // Metres from the eyes to the middle of the name; and the lower edge of the buttons in 390 pixels.
    const [NAME, BUTTONS] = [0.35, 1 - 2 * (62 / 390)];
    for (const [of, other] of [
      [second, first],
      [third, first],
    ] as const) {
      const { x, y, z } = other.position;
      expect(inPicture(of, SIDEWAYS, x, y + NAME, z)?.y).toBeLessThan(BUTTONS);
    }
  });

  test('each newcomer sees all who were there, and cubes, on a desktop', () => {
    const all = places(name, 8);
    for (const [i, place] of all.entries()) {
      for (const other of all.slice(0, i)) expect(seesHead(place, other, DESKTOP)).toBe(true);
      expect(cubesSeen(name, place, DESKTOP)).toBeGreaterThan(0);
    }
  });

  test('each newcomer sees one who was there, and cubes, on a phone held upright', () => {
    const all = places(name, 8, UPRIGHT);
    for (const [i, place] of all.entries()) {
      if (i > 0) expect(all.slice(0, i).some((other) => seesHead(place, other, UPRIGHT))).toBe(true);
      expect(cubesSeen(name, place, UPRIGHT)).toBeGreaterThan(0);
    }
  });
});

describe('a newcomer', () => {
  const pile = scene('pile');
  const headAt = (order: number) => startPlaceOf(order, pile).position;

  test('takes the first place where nobody’s head is', () => {
    expect(orderOfArrival(pile, [], 0)).toBe(0);
    expect(orderOfArrival(pile, [headAt(0)], 1)).toBe(1);
    expect(orderOfArrival(pile, [headAt(1)], 1)).toBe(0);
    const { x, y, z } = headAt(0);
    expect(orderOfArrival(pile, [{ x: x + 1.1, y, z }], 1)).toBe(1);
    expect(orderOfArrival(pile, [{ x: x + 2.1, y, z }], 1)).toBe(0);
  });

  test.each(SCENES)(
    'leaves the place of a player in a headset, who stands at the cubes, before the %s',
    (name) => {
      const here = scene(name);
      const heads = [0, 1].map((order) => reachPlaceOf(order, here, null).position);
      expect(orderOfArrival(here, heads.slice(0, 1), 1)).toBe(1);
      expect(orderOfArrival(here, heads, 2)).toBe(2);
    },
  );

  test.each(SCENES)('gives the first player its own place back beside the second, before the %s', (name) => {
    const here = scene(name);
    expect(orderOfArrival(here, [startPlaceOf(1, here).position], 1)).toBe(0);
  });

  test('counts the others while it does not know where they are', () => {
    expect(orderOfArrival(pile, [], 3)).toBe(3);
    expect(orderOfArrival(pile, [headAt(1)], 2)).toBe(2);
  });

  test('finds a place even if all are taken', () => {
    const all = Array.from({ length: 31 }, (_, order) => headAt(order));
    expect(orderOfArrival(pile, all, 31)).toBe(30);
  });

  test('[N8.1] of 31 players no two begin within 1.2 m', () => {
    const all = Array.from({ length: 31 }, (_, order) => headAt(order));
    for (const [i, a] of all.entries())
      for (const b of all.slice(0, i)) expect(Math.hypot(a.x - b.x, a.z - b.z)).toBeGreaterThan(1.2);
  });
});

test('who stays where it is turns to the cubes of a new scene', () => {
  const wall = scene('wall');
  const turned = turnedTo(wall, { x: 4, y: 1.7, z: -6 });
  expect(turned.position).toEqual({ x: 4, y: 1.7, z: -6 });
  const { x, z } = gatheringPoint(wall);
  expect(inPicture(turned, DESKTOP, x, 0, z)?.x).toBeCloseTo(0);
});

test('places within the cubes of a scene are told from places beside them', () => {
  expect(isAmongCubes({ x: 0, y: 1.6, z: 0 }, scene('wall'))).toBe(true);
  expect(isAmongCubes({ x: 0, y: 1.6, z: 1 }, scene('wall'))).toBe(false);
  expect(isAmongCubes({ x: 2, y: 1.6, z: 2 }, scene('pile'))).toBe(true);
  expect(isAmongCubes({ x: 4, y: 1.6, z: 4 }, scene('grid'))).toBe(true);
});

test.each(SCENES)(
  'the viewer of a recording of %s sees the first two players, from outside the cubes',
  (name) => {
    const viewer = viewerPlaceOf(scene(name));
    expect(isAmongCubes(viewer.position, scene(name))).toBe(false);
    for (const player of places(name, 2)) expect(seesHead(viewer, player, DESKTOP, 0.8)).toBe(true);
  },
);
