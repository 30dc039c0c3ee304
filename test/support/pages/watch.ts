import type { Page } from 'playwright-core';
import type { HandName } from '../../../src/input/scripted-hand.ts';
import type { AvatarView } from '../../../src/core/peer/shown/peer-view.ts';
import type { Point } from './headset-player.ts';
import { inRig } from './headset-player.ts';
import type { RoomPlayerPage } from './room-page.ts';

/** Head and hands at one moment: places in the room, in metres. */
export type Body = {
  /** Milliseconds, on a clock that all pages of this machine share. */
  readonly at: number;
  readonly head: Point;
  /** The left and the right hand; null while it is not tracked. */
  readonly hands: readonly [Point | null, Point | null];
};

/** The player in the headset, and a cube, as a page has them at one moment. */
export type Sight = Body & {
  readonly tick: number;
  /** As drawn; and as of the page's last tick. */
  readonly cube: Point;
  readonly believed: Point;
  /** Whether the cube is in one of this player's hands, as the page believes. */
  readonly held: boolean;
};

declare global {
  interface Window {
    watched?: { sights: Sight[]; device: Body[]; ends: boolean };
  }
}

/** Milliseconds within which a page shows what happened: long, for a machine with much to do. */
const SHOWN_WITHIN = 3000;

/** Begins to write down how a page draws the host and a cube; and, where the headset is worn, where that is. */
export async function watch(page: Page, cube: number): Promise<void> {
  await page.evaluate(watchPicture, cube);
  await page.evaluate(watchDevice);
}

/** Runs in the page: between frames, too, since a cube that is let go is so in a tick. */
function watchPicture(cube: number): void {
  const watched: NonNullable<Window['watched']> = { sights: [], device: [], ends: false };
  window.watched = watched;
  const slot = window.handover?.inspect()[0].slot ?? 0;
  const pointOf = ({ x, y, z }: { x: number; y: number; z: number }): Point => [x, y, z];
  const timer = setInterval(() => {
    if (watched.ends) clearInterval(timer);
    const avatar = window.handover?.avatar(slot, 0);
    const drawn = window.handover?.drawn(slot, cube);
    const inspection = window.handover?.inspect()[0];
    if (avatar === undefined || drawn === undefined || inspection === undefined) return;
    const [left, right] = avatar.hands.map(({ tracked, pose }) => (tracked ? pointOf(pose.position) : null));
    watched.sights.push({
      at: performance.timeOrigin + performance.now(),
      tick: inspection.tick,
      head: pointOf(avatar.head.position),
      hands: [left, right],
      cube: pointOf(drawn),
      believed: inspection.bodies[cube].position,
      held: inspection.bodies[cube].holder?.slot === 0,
    });
  }, 8);
}

/** Runs in the page: what WebXR says of the device, in its own space. */
async function watchDevice(): Promise<void> {
  const { watched } = window;
  const session = window.emulatedHeadset?.activeSession as unknown as XRSession | undefined;
  if (session === undefined || watched === undefined) return;
  const space = await session.requestReferenceSpace('local-floor');
  const pointOf = (pose: XRPose | undefined): Point | null =>
    pose ? [pose.transform.position.x, pose.transform.position.y, pose.transform.position.z] : null;
  const handOf = (frame: XRFrame, { gripSpace, hand }: XRInputSource): Point | null => {
    const [thumb, finger] = [hand?.get('thumb-tip'), hand?.get('index-finger-tip')];
    if (!thumb || !finger) return gripSpace ? pointOf(frame.getPose(gripSpace, space)) : null;
    const [a, b] = [pointOf(frame.getPose(thumb, space)), pointOf(frame.getPose(finger, space))];
    return a && b && [(a[0] + b[0]) / 2, (a[1] + b[1]) / 2, (a[2] + b[2]) / 2];
  };
  const onFrame = (_time: number, frame: XRFrame): void => {
    if (watched.ends) return;
    session.requestAnimationFrame(onFrame);
    const head = pointOf(frame.getViewerPose(space));
    const hands: [Point | null, Point | null] = [null, null];
    for (const source of session.inputSources) {
      hands[source.handedness === 'left' ? 0 : 1] = handOf(frame, source);
    }
    if (head !== null) watched.device.push({ at: performance.timeOrigin + performance.now(), head, hands });
  };
  session.requestAnimationFrame(onFrame);
}

/** The drawn pose on a page, and the device's pose, both in the room. */
export type Watched = {
  readonly sights: readonly Sight[];
  readonly device: readonly Body[];
};

/** Ends the writing down. */
export async function endWatch(page: Page): Promise<Watched> {
  const watched = await page.evaluate(() => {
    if (window.watched !== undefined) window.watched.ends = true;
    return window.watched;
  });
  if (watched === undefined) throw new Error('nothing was watched');
  const there = (place: Point | null): Point | null => place && inRig(place);
  const device = watched.device.map(({ at, head, hands: [left, right] }) => ({
    at,
    head: inRig(head),
    hands: [there(left), there(right)] as const,
  }));
  return { sights: watched.sights, device };
}

/** A player as a page draws it. */
export async function avatarOf({ page }: RoomPlayerPage, slot: number): Promise<AvatarView> {
  const avatar = await page.evaluate(
    (of) => window.handover?.avatar(window.handover.inspect()[0].slot, of),
    slot,
  );
  if (avatar === undefined) throw new Error(`no player ${slot} is seen`);
  return avatar;
}

/** Where a page draws a cube. */
export async function drawnBy({ page }: RoomPlayerPage, cube: number): Promise<Point> {
  const drawn = await page.evaluate(
    (body) => window.handover?.drawn(window.handover.inspect()[0].slot, body),
    cube,
  );
  if (drawn === undefined) throw new Error(`cube ${cube} is not drawn`);
  return [drawn.x, drawn.y, drawn.z];
}

/** Where something was, moment by moment. */
type Track = readonly { readonly at: number; readonly place: Point }[];

/** A track of what can be told; moments at which it can't are left out. */
export function trackOf<T extends { readonly at: number }>(
  moments: readonly T[],
  pick: (of: T) => Point | null,
): Track {
  return moments.flatMap((each) => {
    const place = pick(each);
    return place === null ? [] : [{ at: each.at, place }];
  });
}

/** The farthest, in metres, that something was shown from the way that it had gone shortly before. */
export function strayOf(shown: Track, way: Track): number {
  let most = 0;
  for (const { at, place } of shown) {
    let least = Infinity;
    for (let i = 0; i + 1 < way.length; i++) {
      const [from, to] = [way[i], way[i + 1]];
      if (to.at < at - SHOWN_WITHIN || from.at > at) continue;
      least = Math.min(least, toSegment(place, from.place, to.place));
    }
    // Frames before the path was watched are not judged.
    if (least < Infinity) most = Math.max(most, least);
  }
  return most;
}

/** The farthest, in metres, that a cube in a hand was drawn from its place in that hand. */
export function slipOf(sights: readonly Sight[], side: HandName, inHand: Point): number {
  const index = side === 'left' ? 0 : 1;
  let most = 0;
  for (const { hands, cube } of sights) {
    const hand = hands[index];
    if (hand === null) return Infinity;
    most = Math.max(most, distance(between(hand, cube), inHand));
  }
  return most;
}

/**
 * Metres a second: what a cube left the hand with, by its way in the first sixth of a second of its flight. In
 * which of the ticks that nobody saw it was let go, and began to fall, the velocity of the hand decides.
 */
export function velocityOf(sights: readonly Sight[], hand: Point): Point {
  const held = sights.findLastIndex((sight) => sight.held);
  const [from, first] = [sights[held].tick, sights[held + 1]];
  const last = sights.slice(held).find(({ tick }) => tick - first.tick >= 10);
  if (last === undefined) throw new Error('the cube has not flown');
  const seconds = (last.tick - first.tick) / 60;
  const [x, y, z] = between(first.believed, last.believed).map((way) => way / seconds);
  const velocities = Array.from({ length: first.tick - from }, (_, unseen): Point => {
    // In the middle of that way it has fallen, and the air has slowed it, since it was let go.
    const since = ((first.tick + last.tick) / 2 - from - unseen) / 60;
    const air = 1 + 0.1 * since;
    return [x * air, y * air + 9.81 * since, z * air];
  });
  return velocities.reduce((best, each) => (distance(each, hand) < distance(best, hand) ? each : best));
}

export function between(from: Point, to: Point): Point {
  return [to[0] - from[0], to[1] - from[1], to[2] - from[2]];
}

export function plus(a: Point, b: Point): Point {
  return [a[0] + b[0], a[1] + b[1], a[2] + b[2]];
}

export function distance(a: Point, b: Point): number {
  return Math.hypot(...between(a, b));
}

/** The distance of a place from the line between two. */
export function toSegment(place: Point, from: Point, to: Point): number {
  const [way, off] = [between(from, to), between(from, place)];
  const square = way[0] ** 2 + way[1] ** 2 + way[2] ** 2;
  const along = square === 0 ? 0 : (off[0] * way[0] + off[1] * way[1] + off[2] * way[2]) / square;
  const share = Math.min(1, Math.max(0, along));
  return distance(off, [way[0] * share, way[1] * share, way[2] * share]);
}
