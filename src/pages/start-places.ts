import { MAX_SERVER_ROOM_PLAYERS } from '../core/base/constants.ts';
import type { ReadonlyVector } from '../core/base/math.ts';
import { vector, wrapAngle } from '../core/base/math.ts';
import type { Level } from '../core/world/level.ts';
import type { DeskStart } from '../input/desk-player.ts';

/** Metres: the height of a standing player's eyes. */
const EYE_HEIGHT = 1.6;
/** Radians: a little downwards, so that cubes on the floor and a friend's face are both in the picture. */
const PITCH = -0.26;
/**
 * Radians: the pitch in a picture of which half is wider than WIDE. There the names of friends must stay below the
 * buttons at the upper edge.
 */
const PITCH_WIDE = -0.17;
const WIDE = 0.85;
/**
 * Metres between the cubes and the point that players stand around. Narrow cubes, such as a tower, stand between the
 * first two players, not in front of them: so even a phone shows the cubes and the friend together.
 */
const GAP = 0.4;
const GAP_OF_NARROW = -0.5;
/** Metres from the cubes' near edge to the point among them that a wide picture should have in sight. */
const INSIDE = 1.5;
/** Metres from the cubes to the middle of what is built before them. */
const BUILT_BEFORE = 0.7;
/** Metres: what is narrower than this is narrow. */
const NARROW_CUBES = 1.6;
/**
 * Metres: cubes that begin higher than this fall into a heap. The heap's radius grows with the root of their number:
 * nine of ten cubes of `pile` come to lie within 2.9 m.
 */
const FALLS_FROM = 1;
const HEAP = 0.36;
/** Metres: from a cube's middle to its farthest corner, on the floor. */
const CORNER = 0.36;
/** Metres: the signpost stands this far to the left of the cubes' middle, and this far in front of their near edge. */
const SIGN_ASIDE = 0.75;
const SIGN_GAP = 0.2;
/**
 * Metres: a place is taken if somebody's head is nearer. The place that is nearest to a head is taken from farther away:
 * a player in a headset has stepped forward from its place, to reach the cubes.
 */
const TAKEN = 1.2;
const TAKEN_BY_NEAREST = 2;
/** Metres from the leftmost body of a level to the rightmost, above which it is wide. */
const WIDE_LEVEL = 12;
/** Radians between the picture's edge and what should be in the picture. */
const MARGIN = 0.05;
/**
 * Radians: a picture is narrow, as on an upright phone, if half of its width is at most this. The middle of a narrow
 * picture is at this share of the way from the cubes to the friend.
 */
const NARROW = 0.5;
const TO_FRIEND = 0.5;
/**
 * Radians in a wide picture from its edge to the friend of one of the first two, in levels with a foreground: bodies
 * take the rest of the picture.
 */
const FRIEND_AT_EDGE = 0.12;
/** Half of the horizontal field of view of a window of 16 to 9. */
const DESKTOP = 0.798;

/**
 * The place of each player by order of arrival: metres to the right of the point at the cubes' near edge, and away from
 * the cubes. The first two stand on a circle of 1.9 m around the point, 3.3 m apart. Each later player stands farther
 * back, where all who came before it are in one picture with the cubes. (Four players can't all have the three others
 * in pictures of 90°: the angles of a quadrilateral sum up to 360°.)
 */
const FIRST_PLACES: readonly (readonly [right: number, back: number])[] = [
  [1.645, 0.95],
  [-1.645, 0.95],
  [0, 3.6],
  [1.2, 4.9],
  [-1.3, 5.8],
  [0.4, 6.8],
  [1.9, 7.7],
  [-1.6, 8.7],
];

/** [N8.1] The players of a large room after those stand in rows behind: players in a row, and metres between two. */
const ROW = 5;
const APART = 1.5;
/** Metres from the point at the cubes' near edge to the first row. */
const ROWS_BEGIN = 10.4;
const PLACES: typeof FIRST_PLACES = [
  ...FIRST_PLACES,
  ...Array.from({ length: MAX_SERVER_ROOM_PLAYERS - FIRST_PLACES.length }, (_, i) => {
    const row = Math.floor(i / ROW);
    return [APART * ((i % ROW) - (ROW - 1) / 2), ROWS_BEGIN + APART * row] as const;
  }),
];

/** The rectangle of the floor, in metres, that a scene's cubes take, or will take when they have fallen. */
type Ground = {
  readonly left: number;
  readonly right: number;
  readonly far: number;
  readonly near: number;
};

/**
 * The part of the floor before which players gather, in levels whose bodies lie all over it: the dumb-bells of the
 * playground; the rows of giants, from some steps away; the cart and the seesaw of the workshop.
 */
const FOREGROUNDS: ReadonlyMap<string, Ground> = new Map([
  ['playground', { left: -4.8, right: 0.8, far: -3, near: 3.85 }],
  ['giants', { left: -4.3, right: 4.3, far: 1, near: 8.6 }],
  ['workshop', { left: -4.2, right: 4.8, far: 0, near: 3.6 }],
]);

/** The bodies that players gather before: the foreground of the level, or all of its ground. */
function foregroundOf(level: Level): Ground {
  return FOREGROUNDS.get(level.id) ?? groundOf(level);
}

function groundOf({ bodies }: Level): Ground {
  const starts = bodies.map(({ start }) => start.position);
  const low = starts.filter(({ y }) => y < FALLS_FROM);
  // Only what begins near the floor has a place that the player will see.
  const counted = low.length > 0 ? low : starts;
  const margin = low.length > 0 ? CORNER : heapRadius({ bodies });
  const xs = counted.map(({ x }) => x);
  const zs = counted.map(({ z }) => z);
  return {
    left: Math.min(...xs) - margin,
    right: Math.max(...xs) + margin,
    far: Math.min(...zs) - margin,
    near: Math.max(...zs) + margin,
  };
}

/** True if a scene's cubes begin in the air, and fall into a heap around the middle. */
export function fallsFirst({ bodies }: Level): boolean {
  return bodies.every(({ start }) => start.position.y >= FALLS_FROM);
}

/** Returns the radius of the heap into which a scene's cubes fall, in metres. */
export function heapRadius({ bodies }: Pick<Level, 'bodies'>): number {
  return HEAP * Math.sqrt(bodies.length);
}

/**
 * Returns where the signpost stands, on the floor: before the cubes, where everybody looks, and aside of the way
 * between the first two players.
 */
export function signPlaceOf(scene: Level): ReadonlyVector {
  const { left, right, near } = foregroundOf(scene);
  return vector((left + right) / 2 - SIGN_ASIDE, 0, near + SIGN_GAP);
}

/** Returns the point at the near edge of a scene's cubes, on the floor, that players gather around. */
export function gatheringPoint(scene: Level): ReadonlyVector {
  const { left, right, near } = foregroundOf(scene);
  const gap = right - left < NARROW_CUBES ? GAP_OF_NARROW : GAP;
  return vector((left + right) / 2, 0, near + gap);
}

/** Returns the point on the floor, among a scene's cubes, that a wide picture should have in sight. */
function insideOf(scene: Level): ReadonlyVector {
  const { left, right, far, near } = foregroundOf(scene);
  return vector((left + right) / 2, 0, near - Math.min(INSIDE, (near - far) / 2));
}

/** Returns the place on the floor, before a scene's cubes and between the first two players, at which they build. */
export function buildingPlace(scene: Level): ReadonlyVector {
  const { left, right, near } = groundOf(scene);
  return vector((left + right) / 2, 0, near + BUILT_BEFORE);
}

/** True if a place on the floor is among a scene's cubes, as they begin or as they will have fallen. */
export function isAmongCubes(place: ReadonlyVector, scene: Level): boolean {
  const { left, right, far } = groundOf(scene);
  const { near } = foregroundOf(scene);
  return place.x > left && place.x < right && place.z > far && place.z < near;
}

/**
 * Returns where a player stands at first.
 * @param order by arrival, from 0.
 * @param halfWidth half of the picture's horizontal field of view, in radians.
 * @param isAlone true if nobody else is there: the cubes are in the middle of the picture then. Otherwise the picture has
 * room for friends, too.
 */
export function startPlaceOf(order: number, scene: Level, halfWidth = DESKTOP, isAlone = false): DeskStart {
  const index = Math.min(order, PLACES.length - 1);
  const middle = gatheringPoint(scene);
  const [right, back] = PLACES[index];
  const position = vector(middle.x + right, EYE_HEIGHT, middle.z + back);
  const hasForeground = FOREGROUNDS.has(scene.id);
  const straight = yawTo(position, halfWidth > NARROW || isAlone ? insideOf(scene) : middle);
  const aside = friendsOf(index).map(([x, z]) =>
    wrapAngle(yawTo(position, { x: middle.x + x, z: middle.z + z }) - straight),
  );
  return {
    position,
    yaw: isAlone ? straight : wrapAngle(straight + aim(aside, halfWidth, hasForeground)),
    pitch: pitchIn(halfWidth),
  };
}

function pitchIn(halfWidth: number): number {
  return halfWidth > WIDE ? PITCH_WIDE : PITCH;
}

/** Returns the start place of a player that stays where it is, and turns to the cubes of a new scene. */
export function turnedTo(scene: Level, position: ReadonlyVector, halfWidth = DESKTOP): DeskStart {
  return { position, yaw: yawTo(position, gatheringPoint(scene)), pitch: pitchIn(halfWidth) };
}

/**
 * Returns the places that should be in a newcomer's picture: those of all players before it. The first player sees the
 * place of the second.
 */
function friendsOf(order: number): typeof PLACES {
  return order === 0 ? PLACES.slice(1, 2) : PLACES.slice(0, order);
}

/**
 * Returns the angle from the cubes to the middle of the picture.
 * @param aside the angles from the cubes to each friend.
 * @param hasForeground true in a level with a foreground.
 */
function aim(aside: readonly number[], halfWidth: number, hasForeground: boolean): number {
  if (hasForeground && halfWidth > NARROW && aside.length === 1)
    return aside[0] - Math.sign(aside[0]) * (halfWidth - FRIEND_AT_EDGE);
  const [low, high] = [Math.min(0, ...aside), Math.max(0, ...aside)];
  if (halfWidth > NARROW && (high - low) / 2 <= halfWidth - MARGIN) return (low + high) / 2;
  // A narrow picture shows the friend beside the cubes; of the cubes a part is enough.
  const nearest = aside.reduce((best, angle) => (Math.abs(angle) < Math.abs(best) ? angle : best));
  return Math.sign(nearest) * Math.min(halfWidth - MARGIN, Math.abs(nearest) * TO_FRIEND);
}

/** Returns the places at which somebody's head is, and how many heads are at no place. */
function placesOf(scene: Level, heads: readonly ReadonlyVector[]): { taken: Set<number>; astray: number } {
  const middle = gatheringPoint(scene);
  const taken = new Set<number>();
  let astray = 0;
  for (const { x, z } of heads) {
    const away = PLACES.map(([right, back]) => Math.hypot(x - middle.x - right, z - middle.z - back));
    const least = Math.min(...away);
    if (least >= TAKEN_BY_NEAREST) astray++;
    for (const [place, metres] of away.entries())
      if (metres < TAKEN || (metres === least && metres < TAKEN_BY_NEAREST)) taken.add(place);
  }
  return { taken, astray };
}

/**
 * Returns a newcomer's order: the index of the first free place, or of the last place if all are taken. One more free
 * place counts as taken for each player whose position is not known yet. In a wide level, one more counts as taken for
 * each player that stands at no place: there, players in headsets begin anywhere beside the bodies.
 * @param heads of the others, as far as they are known.
 * @param others how many there are.
 */
export function orderOfArrival(scene: Level, heads: readonly ReadonlyVector[], others: number): number {
  const { left, right } = groundOf(scene);
  const isWide = right - left > WIDE_LEVEL || FOREGROUNDS.has(scene.id);
  const { taken, astray } = placesOf(scene, heads);
  const free = PLACES.flatMap((_, place) => (taken.has(place) ? [] : [place]));
  const passed = Math.max(0, others - heads.length) + (isWide ? astray : 0);
  return free.at(passed) ?? PLACES.length - 1;
}

/** Metres from the gathering point to the viewer of a recording, and radians of its pitch. */
const VIEWER = { right: 4.4, up: 2.2, near: 0.3, pitch: -0.2 } as const;
/** Metres by which a watcher of a room is farther back and higher: in a wide picture, and on an upright phone. */
const WATCHER = { back: 1.6, up: 0.6 } as const;
const WATCHER_UPRIGHT = { back: 5, up: 1.2 } as const;
/** Radians by which a watcher looks downwards: floor and cubes fill more of the picture than sky. */
const WATCHER_PITCH = -0.28;

/**
 * Returns where the viewer of a recording begins: beside the players, facing the point between them, with them and the
 * near cubes in sight.
 */
export function viewerPlaceOf(scene: Level): DeskStart {
  const { x, z } = gatheringPoint(scene);
  // Bodies may lie beside a foreground.
  const near = FOREGROUNDS.has(scene.id) ? Math.max(z, groundOf(scene).near) : z;
  const position = vector(x + VIEWER.right, VIEWER.up, near + VIEWER.near);
  return { position, yaw: yawTo(position, { x, z: z + PLACES[0][1] }), pitch: VIEWER.pitch };
}

/** The place of somebody who only watches a room: farther back and higher, with cubes and players in sight. */
export function watcherPlaceOf(scene: Level, isUpright: boolean): DeskStart {
  const { x, y, z } = viewerPlaceOf(scene).position;
  // A narrow picture shows the players beside the cubes.
  const yaw = yawTo({ x, z }, isUpright ? gatheringPoint(scene) : insideOf(scene));
  const { back, up } = isUpright ? WATCHER_UPRIGHT : WATCHER;
  const position = vector(x + back * Math.sin(yaw), y + up, z + back * Math.cos(yaw));
  return { position, yaw, pitch: WATCHER_PITCH };
}

/** Radians to the left from -z. */
function yawTo(from: Pick<ReadonlyVector, 'x' | 'z'>, to: Pick<ReadonlyVector, 'x' | 'z'>): number {
  return Math.atan2(from.x - to.x, from.z - to.z);
}
