import { describe, expect, test } from 'vitest';
import { LEFT, RIGHT } from '../../src/core/base/ids.ts';
import { TICK_MS, TICK_SECONDS } from '../../src/core/base/constants.ts';
import type { ReadonlyVector, Vector } from '../../src/core/base/math.ts';
import { addScaled, distance, length, rotate, rotateBack, vector } from '../../src/core/base/math.ts';
import { DeskPlayer } from '../../src/input/desk-player.ts';
import { HAND_DISTANCE } from '../../src/input/desk/desk-pointer.ts';
import { METRES_PER_NOTCH } from '../../src/input/desk/reach-wheel.ts';

const FIELD_OF_VIEW = Math.PI / 3;
const ASPECT = 0.9;
/** How a stick moves a held body: metres per tick at full push. */
const STICK_STEP = 4 * TICK_SECONDS;
/** Pushes below this move nothing. */
const DEAD_ZONE = 0.1;

function player(yaw = 0, pitch = 0): DeskPlayer {
  const desk = new DeskPlayer({ position: vector(0, 1.6, 3), yaw, pitch });
  desk.setLens(FIELD_OF_VIEW, ASPECT);
  desk.beginFrame(0);
  return desk;
}

/** One frame with one tick. */
function tick(desk: DeskPlayer, index: number): DeskPlayer['input'] {
  desk.beginFrame(index * TICK_MS);
  return desk.sample(index * TICK_MS);
}

/** Holds a key for `seconds`, then waits until the walk has ended. */
function walk(desk: DeskPlayer, seconds: number): void {
  const frames = Math.round(seconds * 60);
  for (let i = 1; i <= frames; i++) desk.beginFrame(i * TICK_MS);
  desk.releaseKeys();
  for (let i = frames + 1; i <= frames + 60; i++) desk.beginFrame(i * TICK_MS);
}

/** Returns where the camera shows a point of the world, in pane coordinates. */
function project(desk: DeskPlayer, point: ReadonlyVector): [number, number] {
  const local: Vector = addScaled(point, desk.camera.position, -1, vector());
  rotateBack(desk.camera.rotation, local, local);
  const tangent = Math.tan(FIELD_OF_VIEW / 2);
  return [local.x / -local.z / tangent / ASPECT, local.y / -local.z / tangent];
}

describe('the hand on the pointer', () => {
  test.each([
    [0, 0, 0, 0],
    [0.7, -0.4, 0, 0],
    [-1, 1, 1.2, -0.7],
    [0.9, -0.9, -2.8, 0.5],
  ])('at (%d, %d), yaw %d, pitch %d: its ray passes under the pointer', (x, y, yaw, pitch) => {
    const desk = player(yaw, pitch);
    desk.point(x, y);
    const { pose } = tick(desk, 1).hands[RIGHT];
    expect(distance(pose.position, desk.camera.position)).toBeCloseTo(HAND_DISTANCE, 9);
    const ahead = rotate(pose.rotation, vector(0, 0, -1), vector());
    for (const metres of [0, 1, 20]) {
      const [shownX, shownY] = project(desk, addScaled(pose.position, ahead, metres, vector()));
      expect(shownX).toBeCloseTo(x, 6);
      expect(shownY).toBeCloseTo(y, 6);
    }
  });

  test('it never rolls, so that a held cube stays level', () => {
    const desk = player(0.5, -0.6);
    desk.point(0.9, -0.8);
    const side = rotate(tick(desk, 1).hands[RIGHT].pose.rotation, vector(1, 0, 0), vector());
    expect(side.y).toBeCloseTo(0, 9);
  });

  test('it does not turn over when the head looks all the way down', () => {
    const desk = player();
    desk.look(0, -10);
    desk.point(0, -2);
    const input = tick(desk, 1);
    const ahead = rotate(input.hands[RIGHT].pose.rotation, vector(0, 0, -1), vector());
    expect(ahead.z).toBeLessThan(0);
    expect(ahead.y).toBeLessThan(-0.99);
  });

  test('the head is the camera, and the left hand is absent', () => {
    const desk = player(0.4, -0.2);
    const input = tick(desk, 1);
    expect(input.head).toEqual(desk.camera);
    expect(input.hands[LEFT].tracked).toBe(false);
  });

  test('is absent until there is a pointer', () => {
    const desk = player();
    expect(tick(desk, 1).hands[RIGHT].tracked).toBe(false);
    desk.point(0, 0);
    expect(tick(desk, 2).hands[RIGHT].tracked).toBe(true);
  });
});

describe('grip and trigger', () => {
  test('hold while they are pressed', () => {
    const desk = player();
    desk.point(0, 0);
    desk.grip(true);
    desk.key('trigger', true);
    expect(tick(desk, 1).hands[RIGHT]).toMatchObject({ grip: 1, trigger: 1, pointing: false });
    expect(tick(desk, 2).hands[RIGHT]).toMatchObject({ grip: 1, trigger: 1 });
    desk.grip(false);
    desk.key('trigger', false);
    expect(tick(desk, 3).hands[RIGHT]).toMatchObject({ grip: 0, trigger: 0, pointing: true });
  });

  test('a tap between two ticks counts in one of them', () => {
    const desk = player();
    desk.point(0, 0);
    desk.grip(true);
    desk.grip(false);
    expect(tick(desk, 1).hands[RIGHT].grip).toBe(1);
    expect(tick(desk, 2).hands[RIGHT].grip).toBe(0);
  });

  test('a pointer that leaves opens the hand one tick before it is absent, so that a throw is a throw', () => {
    const desk = player();
    desk.point(0, 0);
    desk.grip(true);
    tick(desk, 1);
    desk.leave();
    expect(tick(desk, 2).hands[RIGHT]).toMatchObject({ tracked: true, grip: 0 });
    expect(tick(desk, 3).hands[RIGHT].tracked).toBe(false);
  });

  test('a tap that leaves at once is still a tap', () => {
    const desk = player();
    desk.point(0, 0);
    desk.grip(true);
    desk.leave();
    expect(tick(desk, 1).hands[RIGHT]).toMatchObject({ tracked: true, grip: 1 });
    expect(tick(desk, 2).hands[RIGHT]).toMatchObject({ tracked: true, grip: 0 });
    expect(tick(desk, 3).hands[RIGHT].tracked).toBe(false);
  });

  test('a lost device drops everything at once', () => {
    const desk = player();
    desk.point(0, 0);
    desk.grip(true);
    desk.wheel(3);
    for (const key of ['turnRight', 'shift', 'trigger', 'forward'] as const) desk.key(key, true);
    desk.letGo();
    const before = { ...desk.camera.position };
    expect(tick(desk, 1).hands[RIGHT]).toMatchObject({
      tracked: false,
      grip: 0,
      trigger: 0,
      stick: { x: 0, y: 0 },
      tilt: false,
    });
    tick(desk, 2);
    expect(desk.camera.position).toEqual(before);
  });
});

describe('the stick', () => {
  test.each([1, -1, 0.2, 3])(
    '%d notches of the wheel move a body half a metre each if nobody knows how far it is',
    (notches) => {
      const desk = player();
      desk.wheel(notches);
      let moved = 0;
      let last = 1;
      for (let i = 1; i <= 60; i++) {
        const { y } = tick(desk, i).hands[RIGHT].stick;
        expect(Math.abs(y)).toBeLessThanOrEqual(1);
        if (y !== 0) expect(Math.abs(y)).toBeGreaterThan(DEAD_ZONE);
        moved += y * STICK_STEP;
        last = y;
      }
      expect(moved).toBeCloseTo(notches * METRES_PER_NOTCH, 9);
      expect(last).toBe(0);
    },
  );

  test('the fine steps of a touchpad add up instead of being lost', () => {
    const desk = player();
    let moved = 0;
    for (let i = 1; i <= 100; i++) {
      desk.wheel(0.02);
      const { y } = tick(desk, i).hands[RIGHT].stick;
      if (Math.abs(y) > DEAD_ZONE) moved += y * STICK_STEP;
    }
    expect(moved).toBeCloseTo(100 * 0.02 * METRES_PER_NOTCH, 1);
  });

  test('a wild wheel runs on for as long as ten notches take: a second and a half', () => {
    const desk = player();
    for (let i = 0; i < 200; i++) desk.wheel(1);
    for (let i = 1; i <= 90; i++) tick(desk, i);
    expect(tick(desk, 91).hands[RIGHT].stick.y).toBe(0);
  });

  test('Q and E turn, both together do not; Shift tilts', () => {
    const desk = player();
    desk.key('turnLeft', true);
    expect(tick(desk, 1).hands[RIGHT]).toMatchObject({ stick: { x: -1 }, tilt: false });
    desk.key('turnRight', true);
    expect(tick(desk, 2).hands[RIGHT].stick.x).toBe(0);
    desk.key('turnLeft', false);
    desk.key('shift', true);
    expect(tick(desk, 3).hands[RIGHT]).toMatchObject({ stick: { x: 1 }, tilt: true });
  });
});

describe('walking', () => {
  test('goes 2.5 m/s in the direction that the player looks', () => {
    const desk = player(Math.PI / 2);
    desk.key('forward', true);
    walk(desk, 2);
    expect(desk.camera.position.x).toBeCloseTo(-5, 1);
    expect(desk.camera.position.y).toBeCloseTo(1.6, 9);
    expect(desk.camera.position.z).toBeCloseTo(3, 6);
  });

  test('looking down does not slow it, and two keys make no more speed', () => {
    const desk = player(0, -0.8);
    desk.key('forward', true);
    desk.key('right', true);
    walk(desk, 1);
    expect(distance(desk.camera.position, vector(0, 1.6, 3))).toBeCloseTo(2.5, 1);
  });

  test('Shift walks faster', () => {
    const [slow, fast] = [player(), player()];
    slow.key('forward', true);
    fast.key('forward', true);
    fast.key('shift', true);
    walk(slow, 1);
    walk(fast, 1);
    expect(3 - fast.camera.position.z).toBeGreaterThan(2 * (3 - slow.camera.position.z));
  });

  test.each([
    ['left', { x: -40 }],
    ['right', { x: 40 }],
    ['forward', { z: -40 }],
    ['back', { z: 40 }],
    ['up', { y: 20 }],
    ['down', { y: 0.3 }],
  ] as const)('%s ends at the bounds', (key, end) => {
    const desk = player();
    desk.key(key, true);
    walk(desk, 25);
    expect(desk.camera.position).toMatchObject(end);
  });

  test.each([
    [0, 1, 2.5],
    [0, -0.5, 1.25],
    [0.25, 0, 0.625],
    [-0.6, 0.8, 2.5],
    [1, 1, 2.5],
    [9, 0, 2.5],
  ])('a stick at (%d, %d) walks %d metres a second its own way', (right, forward, metres) => {
    const desk = player(Math.PI / 2);
    desk.walk(right, forward);
    for (let i = 1; i <= 60; i++) desk.beginFrame(i * TICK_MS);
    desk.walk(0, 0);
    for (let i = 61; i <= 120; i++) desk.beginFrame(i * TICK_MS);
    const way = addScaled(desk.camera.position, vector(0, 1.6, 3), -1, vector());
    expect(length(way)).toBeCloseTo(metres, 6);
    // A player that looks to the left of -z has -x in front and -z on the right.
    const size = Math.hypot(right, forward);
    expect(way.x).toBeCloseTo((-forward / size) * metres, 6);
    expect(way.z).toBeCloseTo((-right / size) * metres, 6);
  });

  test('stick and keys together give no more speed, and Shift makes the stick faster', () => {
    const [both, fast] = [player(), player()];
    both.walk(0, 1);
    both.key('forward', true);
    fast.walk(0, 0.5);
    fast.key('shift', true);
    for (const desk of [both, fast]) {
      for (let i = 1; i <= 120; i++) desk.beginFrame(i * TICK_MS);
    }
    expect(3 - both.camera.position.z).toBeCloseTo(5, 0);
    expect(3 - fast.camera.position.z).toBeCloseTo(6, 0);
  });

  test('a lost device stands still, a lost pointer does not', () => {
    const desk = player();
    desk.walk(0, 1);
    desk.drop();
    walk(desk, 1);
    expect(desk.camera.position.z).toBeLessThan(1);
    desk.letGo();
    walk(desk, 1);
    const stopped = desk.camera.position.z;
    walk(desk, 1);
    expect(desk.camera.position.z).toBeCloseTo(stopped, 9);
  });

  test('a stall is one short step', () => {
    const desk = player();
    desk.key('forward', true);
    desk.beginFrame(60_000);
    expect(3 - desk.camera.position.z).toBeLessThan(0.3);
  });
});

describe('[T1] the age of a sample', () => {
  test('[T1.1] is the time from the frame to the tick, in ticks', () => {
    const desk = player();
    desk.beginFrame(1000);
    expect(desk.sample(1000 + TICK_MS / 4).age).toBeCloseTo(0.25, 9);
    expect(desk.sample(1000 + 2.5 * TICK_MS).age).toBeCloseTo(2.5, 9);
  });

  test('stays between 0 and 15', () => {
    const desk = player();
    desk.beginFrame(1000);
    expect(desk.sample(990).age).toBe(0);
    expect(desk.sample(60_000).age).toBe(15);
    expect(new DeskPlayer({ position: vector(), yaw: 0, pitch: 0 }).sample(0).age).toBe(0);
  });

  test('[T1.1] the pose is that of the frame, however the pointer moves before the tick', () => {
    const desk = player();
    desk.point(0, 0);
    desk.beginFrame(0);
    const framed = { ...desk.sample(0).hands[RIGHT].pose.position };
    desk.point(1, 1);
    desk.look(1, 0);
    expect(desk.sample(TICK_MS).hands[RIGHT].pose.position).toEqual(framed);
  });
});
