import { beforeEach, describe, expect, test } from 'vitest';
import { RIGHT } from '../../../src/core/base/ids.ts';
import { TICK_MS } from '../../../src/core/base/constants.ts';
import type { ReadonlyVector } from '../../../src/core/base/math.ts';
import { addScaled, distance, length, rotate, vector } from '../../../src/core/base/math.ts';
import type { HandInput } from '../../../src/core/hands/hand-input.ts';
import { DeskPlayer } from '../../../src/input/desk-player.ts';
import type { DeskPointer } from '../../../src/input/desk-router.ts';
import { DeskRouter } from '../../../src/input/desk-router.ts';
import type { Pane } from '../../../src/input/panes.ts';
import { GUEST_PANE, HOST_PANE } from '../../../src/input/panes.ts';
import { fieldOfView } from '../../../src/view/lens.ts';
import { showHeld } from '../../support/desk-sees.ts';

let players: [DeskPlayer, DeskPlayer];
let router: DeskRouter;
let frame: number;
let timeMs: number;
let doubleTaps: Pane[];

beforeEach(() => {
  const start = { position: vector(0, 1.6, 3), yaw: 0, pitch: 0 };
  const ignore = (): void => undefined;
  players = [new DeskPlayer(start), new DeskPlayer(start)];
  doubleTaps = [];
  const onDoubleTap = (pane: Pane): void => void doubleTaps.push(pane);
  router = new DeskRouter(players, { onCommand: ignore, onInspect: ignore, onActive: ignore, onDoubleTap });
  router.resize(1280, 720);
  frame = 0;
  timeMs = 0;
});

function finger(id: number, x: number, y: number, down = true): DeskPointer {
  const event: DeskPointer = { id, kind: 'touch', x, y, buttons: down ? 1 : 0, alt: false, timeMs };
  timeMs += 400;
  router.pointer(event);
  return event;
}

/** Returns the right hand of a pane's player in the next tick. */
function hand(pane: Pane): HandInput {
  frame++;
  players[pane].beginFrame(frame * TICK_MS);
  return players[pane].sample(frame * TICK_MS).hands[RIGHT];
}

/** Returns the direction in which a pane's player looks. */
function gaze(pane: Pane): ReadonlyVector {
  hand(pane);
  return rotate(players[pane].camera.rotation, vector(0, 0, -1), vector());
}

describe('two taps of a finger', () => {
  /** Taps, and waits so many milliseconds. */
  function tap(x: number, y: number, downMs: number, thenMs: number): void {
    const at = timeMs;
    finger(1, x, y);
    timeMs = at + downMs;
    finger(1, x, y, false);
    timeMs = at + downMs + thenMs;
  }

  test('at one place are a double tap: the hand points there, and takes nothing', () => {
    tap(320, 360, 80, 120);
    hand(HOST_PANE);
    finger(1, 326, 355);
    expect(doubleTaps).toEqual([HOST_PANE]);
    expect(hand(HOST_PANE)).toMatchObject({ grip: 0 });
    expect(players[HOST_PANE].pointer.x).toBeCloseTo(326 / 320 - 1, 3);
    finger(1, 326, 355, false);
  });

  test.each([
    ['too far apart', 400, 80, 120],
    ['too slow', 320, 80, 600],
    ['with a long first one', 320, 700, 100],
  ])('are none if they are %s', (_, x, downMs, thenMs) => {
    tap(320, 360, downMs, thenMs);
    finger(1, x, 360);
    expect(doubleTaps).toEqual([]);
    expect(hand(HOST_PANE)).toMatchObject({ grip: 1 });
  });

  test('are one double tap, and three are not two', () => {
    for (let i = 0; i < 3; i++) tap(320, 360, 60, 100);
    expect(doubleTaps).toEqual([HOST_PANE]);
  });
});

describe('fingers', () => {
  test('one holds and drags, and throws when it is lifted', () => {
    finger(1, 320, 360);
    expect(hand(HOST_PANE)).toMatchObject({ tracked: true, grip: 1 });
    const before = { ...hand(HOST_PANE).pose.position };
    finger(1, 420, 360);
    expect(hand(HOST_PANE).pose.position.x).toBeGreaterThan(before.x);
    finger(1, 420, 360, false);
    expect(hand(HOST_PANE)).toMatchObject({ tracked: true, grip: 0 });
    expect(hand(HOST_PANE).tracked).toBe(false);
  });

  test('on nothing drags the world around; on a cube it holds it', () => {
    showHeld(players[GUEST_PANE], null);
    finger(1, 320, 360);
    hand(HOST_PANE);
    finger(1, 420, 360);
    expect(gaze(HOST_PANE).x, 'nobody knows yet whether it holds').toBe(0);
    showHeld(players[HOST_PANE], null);
    finger(1, 440, 360);
    finger(1, 540, 270);
    const turned = gaze(HOST_PANE);
    expect(turned.x).toBeLessThan(-0.15);
    expect(turned.y).toBeLessThan(-0.1);
    expect(hand(HOST_PANE)).toMatchObject({ tracked: false, grip: 0 });
    finger(1, 540, 270, false);
    finger(1, 320, 360);
    hand(HOST_PANE);
    showHeld(players[HOST_PANE], 3);
    finger(1, 420, 360);
    expect(gaze(HOST_PANE)).toEqual(turned);
    expect(hand(HOST_PANE).grip).toBe(1);
  });

  // A phone held upright, one held sideways, and a tablet.
  describe.each([
    [390, 844],
    [844, 390],
    [834, 1112],
  ])('in a picture of %i x %i pixels', (width, height) => {
    const aspect = width / height;
    const fov = (fieldOfView(aspect) * Math.PI) / 180;
    const [middle, below, edge] = [
      { x: 0.5, y: 0.5 },
      { x: 0.4, y: 0.8 },
      { x: 0.95, y: 0.6 },
    ];

    test.each([
      ['sideways', 0, middle, { x: 0.1, y: 0.5 }],
      ['upwards', 0, middle, { x: 0.5, y: 0.2 }],
      ['across', 0, below, { x: 0.9, y: 0.4 }],
      ['from the edge, looking down', -0.3, edge, { x: 0.2, y: 0.6 }],
      ['on the floor, looking down', -0.3, below, { x: 0.8, y: 0.8 }],
      ['on the sky, looking up', 0.2, { x: 0.2, y: 0.3 }, middle],
    ])('%s, one keeps under it what it has touched', (_, pitch, from, to) => {
      const start = { position: vector(0, 1.6, 3), yaw: 1, pitch };
      const player = new DeskPlayer(start);
      const ignore = (): void => undefined;
      router = new DeskRouter([player], { onCommand: ignore, onInspect: ignore, onActive: ignore });
      router.resize(width, height);
      player.setLens(fov, aspect);
      const seenAt = ({ x, y }: { readonly x: number; readonly y: number }): ReadonlyVector => {
        const tangent = Math.tan(fov / 2);
        const ray = vector((2 * x - 1) * tangent * aspect, (1 - 2 * y) * tangent, -1);
        return addScaled(vector(), rotate(player.camera.rotation, ray, ray), 1 / length(ray), vector());
      };
      const touched = seenAt(from);
      finger(1, from.x * width, from.y * height);
      player.beginFrame(0);
      player.sample(0);
      showHeld(player, null);
      const way = distance(touched, seenAt(to));
      for (let step = 1; step <= 30; step++) {
        const [x, y] = [from.x + ((to.x - from.x) * step) / 30, from.y + ((to.y - from.y) * step) / 30];
        finger(1, x * width, y * height);
        player.beginFrame(step * TICK_MS);
      }
      expect(way).toBeGreaterThan(0.2);
      expect(distance(seenAt(to), touched) / way).toBeLessThan(0.0001);
    });
  });

  test('two walk, and hold nothing until both are lifted', () => {
    finger(1, 320, 360);
    hand(HOST_PANE);
    finger(2, 420, 360);
    expect(hand(HOST_PANE)).toMatchObject({ tracked: false, grip: 0 });
    const [before, look] = [players[HOST_PANE].camera.position.z, gaze(HOST_PANE)];
    finger(1, 320, 260);
    finger(2, 420, 260);
    for (let i = 0; i < 30; i++) hand(HOST_PANE);
    expect(players[HOST_PANE].camera.position.z).toBeLessThan(before - 0.8);
    expect(gaze(HOST_PANE)).toEqual(look);
    finger(2, 420, 260, false);
    for (let i = 0; i < 30; i++) hand(HOST_PANE);
    const stopped = players[HOST_PANE].camera.position.z;
    hand(HOST_PANE);
    expect(players[HOST_PANE].camera.position.z).toBeCloseTo(stopped, 3);
    finger(1, 300, 360);
    expect(hand(HOST_PANE)).toMatchObject({ tracked: false, grip: 0 });
    finger(1, 300, 360, false);
    finger(3, 300, 360);
    expect(hand(HOST_PANE).grip).toBe(1);
  });

  test('a second one pinches what the first one holds: nearer and further, and both ways the same', () => {
    const push = (): number => {
      let pushed = 0;
      for (let i = 0; i < 90; i++) pushed += (hand(HOST_PANE).stick.y * 4) / 60;
      return pushed;
    };
    finger(1, 320, 360);
    hand(HOST_PANE);
    showHeld(players[HOST_PANE], 3);
    finger(2, 420, 360);
    for (let x = 420; x >= 370; x -= 5) finger(2, x, 360);
    expect(hand(HOST_PANE)).toMatchObject({ tracked: true, grip: 1 });
    const away = push();
    expect(away).toBeGreaterThan(1.5);
    showHeld(players[HOST_PANE], 3, 3 + away);
    for (let x = 370; x <= 420; x += 5) finger(2, x, 360);
    expect(push() / away, 'back again').toBeCloseTo(-1, 0);
    finger(2, 420, 360, false);
    expect(hand(HOST_PANE).grip).toBe(1);
    finger(1, 320, 360, false);
    expect(hand(HOST_PANE)).toMatchObject({ tracked: true, grip: 0 });
  });

  test('two fingers that pinch do not turn the head', () => {
    finger(1, 320, 360);
    finger(2, 420, 360);
    const before = { ...gaze(HOST_PANE) };
    for (let i = 1; i <= 10; i++) {
      finger(1, 320 - i * 5, 360 + i * 3);
      finger(2, 420 + i * 5, 360 - i * 3);
    }
    expect(distance(gaze(HOST_PANE), before)).toBeLessThan(1e-9);
  });

  test('a second finger on the world stops neither the stick nor a turn button', () => {
    const [player] = players;
    player.walk(0, 1);
    player.key('turnLeft', true);
    finger(1, 320, 360);
    hand(HOST_PANE);
    finger(2, 420, 360);
    const before = player.camera.position.z;
    expect(hand(HOST_PANE)).toMatchObject({ tracked: false, stick: { x: -1 } });
    expect(player.camera.position.z).toBeLessThan(before);
    router.cancel(finger(1, 320, 360));
    expect(hand(HOST_PANE).stick.x).toBe(-1);
  });

  test('each pane has its own', () => {
    finger(1, 320, 360);
    finger(2, 960, 360);
    expect(hand(HOST_PANE).grip).toBe(1);
    expect(hand(GUEST_PANE).grip).toBe(1);
    finger(1, 1000, 360);
    finger(1, 1000, 360, false);
    expect(hand(HOST_PANE).grip).toBe(0);
    expect(hand(GUEST_PANE).grip).toBe(1);
  });
});
