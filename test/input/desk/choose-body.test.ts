import { describe, expect, test } from 'vitest';
import type { Slot } from '../../../src/core/base/ids.ts';
import { angleBetween, copyVector, distance, pose, vector } from '../../../src/core/base/math.ts';
import { POSE_STRIDE } from '../../../src/core/base/state.ts';
import type { PeerView } from '../../../src/core/peer/shown/peer-view.ts';
import { peerView } from '../../../src/core/peer/shown/peer-view.ts';
import { chooseBody, holdingOut, nearestFriend } from '../../../src/input/desk/choose-body.ts';
import { DeskPlayer } from '../../../src/input/desk-player.ts';

const LENS = { tangent: 0.6, aspect: 1.5 };
const CENTRE = { x: 0, y: 0 };

/** A world with cubes at these places; the eye is at the origin and looks along -z. */
function world(...places: readonly (readonly [number, number, number])[]): PeerView {
  const view = peerView(places.length);
  view.self = 0 as Slot;
  places.forEach((place, i) => view.poses.set([...place, 0, 0, 0, 1], i * POSE_STRIDE));
  return view;
}

describe('a body is chosen by keys', () => {
  const view = world([1, 0, -4], [-1, 0, -4], [0, 0, 4], [0.2, 0, -3], [0.4, 0, -6], [0, 0, -30]);

  test('from left to right, and round; only those in view that nothing hides', () => {
    const bodies: (number | undefined)[] = [];
    let from: { x: number; y: number } = { x: -0.9, y: 0 };
    for (let i = 0; i < 4; i++) {
      const choice = chooseBody(view, pose(), LENS, from, 1);
      bodies.push(choice?.body);
      if (choice !== null) from = choice;
    }
    expect(bodies).toEqual([1, 3, 0, 1]);
    expect(chooseBody(view, pose(), LENS, CENTRE, -1)).toMatchObject({ body: 1, number: 1, of: 3 });
    expect(chooseBody(view, pose(), LENS, CENTRE, 1)).toMatchObject({ body: 3, number: 2, of: 3 });
  });

  test('none where none is', () => {
    const empty = world([0, 0, -3]);
    empty.exists[0] = 0;
    expect(chooseBody(empty, pose(), LENS, CENTRE, 1), '[S1] an id without a body').toBeNull();
    expect(chooseBody(world([0, 0, 3]), pose(), LENS, CENTRE, 1)).toBeNull();
  });
});

describe('a body is held out', () => {
  test('to the nearest friend, within its reach, in a moment', () => {
    const view = world([0, 1.6, -2]);
    for (const [slot, z] of [
      [1, 7],
      [2, 4],
    ]) {
      view.avatars[slot].present = true;
      Object.assign(view.avatars[slot].head.position, { x: 0, y: 1.6, z });
    }
    const eye = { position: { x: 0, y: 1.6, z: 0 }, rotation: { x: 0, y: 0, z: 0, w: 1 } };
    expect(nearestFriend(view, eye)?.slot).toBe(2);
    const { yaw, reach } = holdingOut(view.avatars[2], eye.position, { lens: LENS, at: CENTRE });
    expect(Math.abs(yaw)).toBeCloseTo(Math.PI, 6);
    // [A9] A friend reaches for what is at most 3 m from its hand.
    expect(4 - 0.5 - reach).toBeLessThan(2);
    const desk = new DeskPlayer({ ...eye, yaw: 0, pitch: 0 });
    expect(desk.holdOut()).toBeNull();
    view.avatars[0].hands[1].held = 0 as never;
    desk.see(view);
    expect(desk.holdOut()).toBe(2);
    for (let i = 0; i < 90; i++) desk.beginFrame(i * 16);
    expect(angleBetween(desk.camera.rotation, { x: 0, y: 1, z: 0, w: 0 })).toBeLessThan(0.15);
  });

  test.each([
    [0, 0],
    [0.5, -0.4],
    [-0.7, -0.6],
  ])('by the hand of a pointer at (%d, %d), which stays there: it opens without a jerk', (x, y) => {
    const view = world([0, 1.6, -2]);
    view.avatars[1].present = true;
    Object.assign(view.avatars[1].head.position, { x: -3, y: 1.6, z: -1 });
    view.avatars[0].hands[1].held = 0 as never;
    const desk = new DeskPlayer({ position: vector(0, 1.6, 0), yaw: 0, pitch: -0.2 });
    desk.setLens(Math.PI / 3, 1.5);
    desk.point(x, y, 0);
    desk.grip(true);
    desk.see(view);
    expect(desk.holdOut()).toBe(1);
    for (let i = 1; i <= 90; i++) desk.beginFrame(i * 16);
    const before = copyVector(desk.sample(1440).hands[1].pose.position, vector());
    const [dx, dy, dz] = [before.x, before.y - 1.6, before.z];
    expect(Math.atan2(-dx, -dz)).toBeCloseTo(Math.atan2(3, 1), 1);
    // A cube of half a metre, 1.2 m before the friend, is below its face: 0.25 m and more below the eyes.
    expect((dy / Math.hypot(dx, dz)) * (Math.hypot(3, 1) - 1.2)).toBeLessThan(-0.35);
    desk.point(x, y, 1450);
    desk.grip(false);
    desk.beginFrame(1456);
    expect(distance(desk.sample(1456).hands[1].pose.position, before)).toBeLessThan(0.001);
  });

  test('to nobody where nobody is', () => {
    expect(nearestFriend(world(), pose())).toBeNull();
  });
});
