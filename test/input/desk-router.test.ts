import { beforeEach, describe, expect, test, vi } from 'vitest';
import { RIGHT } from '../../src/core/base/ids.ts';
import { TICK_MS } from '../../src/core/base/constants.ts';
import type { ReadonlyVector } from '../../src/core/base/math.ts';
import { rotate, vector } from '../../src/core/base/math.ts';
import type { HandInput } from '../../src/core/hands/hand-input.ts';
import { DeskPlayer } from '../../src/input/desk-player.ts';
import type { DeskPointer } from '../../src/input/desk-router.ts';
import { DeskRouter } from '../../src/input/desk-router.ts';
import type { Pane } from '../../src/input/panes.ts';
import { GUEST_PANE, HOST_PANE } from '../../src/input/panes.ts';
import { showHeld } from '../support/desk-sees.ts';

const LEFT_BUTTON = 1;
const RIGHT_BUTTON = 2;

let players: [DeskPlayer, DeskPlayer];
let router: DeskRouter;
let frame: number;
const handlers = { onCommand: vi.fn(), onInspect: vi.fn(), onActive: vi.fn() };

beforeEach(() => {
  vi.resetAllMocks();
  const start = { position: vector(0, 1.6, 3), yaw: 0, pitch: 0 };
  players = [new DeskPlayer(start), new DeskPlayer(start)];
  router = new DeskRouter(players, handlers);
  router.resize(1280, 720);
  frame = 0;
});

function mouse(x: number, y: number, buttons = 0, alt = false): void {
  router.pointer({ id: 1, kind: 'mouse', x, y, buttons, alt, timeMs: 0 });
}

function finger(id: number, x: number, y: number, down = true): DeskPointer {
  const event: DeskPointer = { id, kind: 'touch', x, y, buttons: down ? 1 : 0, alt: false, timeMs: 0 };
  router.pointer(event);
  return event;
}

function press(code: string, key = '', repeat = false): boolean {
  return router.keyDown({ code, key, repeat });
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

describe('the mouse', () => {
  test('is the hand of the player whose pane it is in', () => {
    mouse(320, 360);
    expect(hand(HOST_PANE).tracked).toBe(true);
    expect(hand(GUEST_PANE).tracked).toBe(false);
    mouse(960, 360);
    hand(HOST_PANE);
    expect(hand(HOST_PANE).tracked).toBe(false);
    expect(hand(GUEST_PANE).tracked).toBe(true);
    expect(handlers.onActive).toHaveBeenCalledExactlyOnceWith(GUEST_PANE);
  });

  test('grips while the left button is down, and stays with the pane where it went down', () => {
    mouse(320, 360);
    mouse(320, 360, LEFT_BUTTON);
    mouse(1000, 360, LEFT_BUTTON);
    expect(hand(HOST_PANE).grip).toBe(1);
    expect(hand(GUEST_PANE).tracked).toBe(false);
    mouse(1000, 360);
    expect(hand(HOST_PANE)).toMatchObject({ tracked: true, grip: 0 });
    expect(hand(HOST_PANE).tracked).toBe(false);
    expect(hand(GUEST_PANE)).toMatchObject({ tracked: true, grip: 0 });
    expect(router.active).toBe(GUEST_PANE);
  });

  test('looks around while the right button is down: to the right and down', () => {
    mouse(320, 360, RIGHT_BUTTON);
    mouse(420, 460, RIGHT_BUTTON);
    const direction = gaze(HOST_PANE);
    expect(direction.x).toBeGreaterThan(0.2);
    expect(direction.y).toBeLessThan(-0.2);
    mouse(420, 460);
    mouse(100, 100);
    expect(gaze(HOST_PANE)).toEqual(direction);
  });

  test('drags the world around with the left button on nothing, and not on a cube', () => {
    mouse(320, 360, LEFT_BUTTON);
    hand(HOST_PANE);
    showHeld(players[HOST_PANE], null);
    mouse(420, 460, LEFT_BUTTON);
    const turned = gaze(HOST_PANE);
    expect(turned.x).toBeLessThan(-0.2);
    expect(turned.y).toBeGreaterThan(0.2);
    expect(hand(HOST_PANE)).toMatchObject({ tracked: true, grip: 0 });
    mouse(420, 460);
    mouse(420, 460, LEFT_BUTTON);
    expect(hand(HOST_PANE).grip).toBe(1);
    showHeld(players[HOST_PANE], 2);
    mouse(320, 360, LEFT_BUTTON);
    expect(gaze(HOST_PANE)).toEqual(turned);
    expect(hand(HOST_PANE).grip).toBe(1);
  });

  test('a closed hand that a cube flies into holds it, until the pointer has dragged', () => {
    mouse(320, 360, LEFT_BUTTON);
    hand(HOST_PANE);
    showHeld(players[HOST_PANE], null);
    expect(hand(HOST_PANE).grip).toBe(1);
    showHeld(players[HOST_PANE], 2);
    mouse(420, 460, LEFT_BUTTON);
    expect(gaze(HOST_PANE).x).toBe(0);
    expect(hand(HOST_PANE).grip).toBe(1);
  });

  test('can hold and look at once', () => {
    mouse(320, 360, LEFT_BUTTON);
    mouse(320, 360, LEFT_BUTTON | RIGHT_BUTTON);
    mouse(420, 360, LEFT_BUTTON | RIGHT_BUTTON);
    expect(gaze(HOST_PANE).x).toBeGreaterThan(0.2);
    mouse(420, 360, LEFT_BUTTON);
    expect(hand(HOST_PANE).grip).toBe(1);
  });

  test('Alt-click inspects and does not grip', () => {
    mouse(800, 180, LEFT_BUTTON, true);
    expect(handlers.onInspect).toHaveBeenCalledExactlyOnceWith(GUEST_PANE, -0.5, 0.5);
    expect(hand(GUEST_PANE).grip).toBe(0);
    mouse(800, 180);
    mouse(800, 180, LEFT_BUTTON);
    expect(hand(GUEST_PANE).grip).toBe(1);
  });

  test('the wheel moves the body held by the hand below it, captured or not', () => {
    mouse(320, 360);
    router.wheel(320, 360, 1);
    expect(hand(HOST_PANE).stick.y).toBeGreaterThan(0);
    players[HOST_PANE].letGo();
    mouse(320, 360, LEFT_BUTTON);
    router.wheel(1000, 360, -1);
    expect(hand(HOST_PANE).stick.y).toBeLessThan(0);
    expect(hand(GUEST_PANE).stick.y).toBe(0);
  });

  test('the hand is absent once the mouse has left', () => {
    mouse(320, 360);
    router.leave();
    hand(HOST_PANE);
    expect(hand(HOST_PANE).tracked).toBe(false);
  });
});

describe('a lost focus', () => {
  test('drops the held body; the button counts again only after it was up', () => {
    mouse(320, 360, LEFT_BUTTON);
    expect(hand(HOST_PANE).grip).toBe(1);
    router.blur();
    expect(hand(HOST_PANE)).toMatchObject({ tracked: false, grip: 0 });
    mouse(330, 360, LEFT_BUTTON);
    expect(hand(HOST_PANE)).toMatchObject({ tracked: true, grip: 0 });
    mouse(330, 360);
    mouse(330, 360, LEFT_BUTTON);
    expect(hand(HOST_PANE).grip).toBe(1);
  });

  test('no key stays down', () => {
    press('KeyW');
    press('KeyE');
    router.blur();
    const before = { ...players[HOST_PANE].camera.position };
    expect(hand(HOST_PANE).stick.x).toBe(0);
    hand(HOST_PANE);
    expect(players[HOST_PANE].camera.position).toEqual(before);
  });

  test('a cancelled pointer drops what it holds', () => {
    mouse(320, 360, LEFT_BUTTON);
    router.cancel({ id: 1, kind: 'mouse', x: 320, y: 360, buttons: 0, alt: false, timeMs: 0 });
    expect(hand(HOST_PANE)).toMatchObject({ tracked: false, grip: 0 });
    const event = finger(7, 960, 360);
    router.cancel(event);
    expect(hand(GUEST_PANE)).toMatchObject({ tracked: false, grip: 0 });
  });
});

describe('keys', () => {
  test('act in the active pane; 1 and 2 switch it', () => {
    expect(press('Digit2', '2')).toBe(true);
    expect(handlers.onActive).toHaveBeenCalledExactlyOnceWith(GUEST_PANE);
    press('KeyE', 'e');
    expect(hand(GUEST_PANE).stick.x).toBe(1);
    expect(hand(HOST_PANE).stick.x).toBe(0);
    router.keyUp('KeyE');
    expect(hand(GUEST_PANE).stick.x).toBe(0);
    press('Numpad1', '1');
    expect(router.active).toBe(HOST_PANE);
  });

  test('a key that is down when the pane changes acts in no pane', () => {
    press('KeyE', 'e');
    press('Digit2', '2');
    expect(hand(HOST_PANE).stick.x).toBe(0);
    expect(hand(GUEST_PANE).stick.x).toBe(0);
  });

  test('a hand that holds goes on holding when the other pane becomes active', () => {
    mouse(320, 360, LEFT_BUTTON);
    press('Digit2', '2');
    expect(hand(HOST_PANE).grip).toBe(1);
  });

  test.each([
    ['Space', ' ', 'reset'],
    ['KeyH', 'h', 'help'],
    ['KeyN', 'N', 'panel'],
    ['KeyG', 'g', 'ghosts'],
    ['Escape', 'Escape', 'dismiss'],
  ])('%s asks once for "%s": %s', (code, key, command) => {
    expect(press(code, key)).toBe(true);
    expect(press(code, key, true)).toBe(true);
    expect(handlers.onCommand).toHaveBeenCalledExactlyOnceWith(command);
  });

  test('arrows look, and do not walk', () => {
    const before = { ...players[HOST_PANE].camera.position };
    for (const [key, axis, sign] of [
      ['ArrowLeft', 'x', -1],
      ['ArrowRight', 'x', 1],
      ['ArrowUp', 'y', 1],
      ['ArrowDown', 'y', -1],
    ] as const) {
      const start = gaze(HOST_PANE)[axis];
      expect(press(key, key)).toBe(true);
      for (let i = 0; i < 20; i++) hand(HOST_PANE);
      router.keyUp(key);
      expect((gaze(HOST_PANE)[axis] - start) * sign).toBeGreaterThan(0.3);
      for (let i = 0; i < 30; i++) hand(HOST_PANE);
    }
    expect(players[HOST_PANE].camera.position).toEqual(before);
    expect(hand(HOST_PANE).tracked, 'the hand is at the centre').toBe(true);
  });

  test('alone choose a body, take it, move it and throw it', () => {
    showHeld(players[HOST_PANE], 5);
    showHeld(players[HOST_PANE], null);
    press('Enter', 'Enter');
    expect(hand(HOST_PANE)).toMatchObject({ tracked: true, grip: 1 });
    showHeld(players[HOST_PANE], null);
    expect(hand(HOST_PANE).grip, 'nothing was there').toBe(0);
    press('Enter', 'Enter');
    hand(HOST_PANE);
    showHeld(players[HOST_PANE], 5);
    expect(hand(HOST_PANE).grip).toBe(1);
    press('PageUp', 'PageUp');
    expect(hand(HOST_PANE).stick.y).toBeGreaterThan(0.3);
    router.keyUp('PageUp');
    press('Minus', '-');
    expect(hand(HOST_PANE).stick.y).toBeLessThan(-0.3);
    router.keyUp('Minus');
    press('KeyT', 't');
    for (let i = 0; i < 30; i++) hand(HOST_PANE);
    expect(hand(HOST_PANE).grip).toBe(1);
    router.keyUp('KeyT');
    const { grip, trail } = hand(HOST_PANE);
    expect({ grip, broken: trail.broken }).toEqual({ grip: 0, broken: true });
    expect(trail.poses[trail.count - 1].position.z).toBeLessThan(trail.poses[0].position.z - 0.1);
    press('Enter', 'Enter');
    hand(HOST_PANE);
    showHeld(players[HOST_PANE], 5);
    press('Enter', 'Enter');
    expect(hand(HOST_PANE)).toMatchObject({ grip: 0, trail: { broken: false } });
  });

  test('other keys are left to the browser', () => {
    expect(press('F5', 'F5')).toBe(false);
    expect(press('Tab', 'Tab')).toBe(false);
  });
});

describe('one player with the whole window', () => {
  beforeEach(() => {
    router = new DeskRouter([players[HOST_PANE]], handlers);
    router.resize(1280, 720);
  });

  test('has one pane from edge to edge', () => {
    expect(router.panes).toEqual([{ x: 0, y: 0, width: 1280, height: 720 }]);
    mouse(1279, 719);
    expect(hand(HOST_PANE).tracked).toBe(true);
    expect(hand(HOST_PANE).pose.position.x).toBeGreaterThan(0.2);
    mouse(0, 0);
    expect(hand(HOST_PANE).pose.position.x).toBeLessThan(-0.2);
  });

  test('holds and throws with the mouse and with a finger, anywhere', () => {
    mouse(1000, 360);
    mouse(1000, 360, LEFT_BUTTON);
    expect(hand(HOST_PANE).grip).toBe(1);
    mouse(200, 360);
    expect(hand(HOST_PANE)).toMatchObject({ tracked: true, grip: 0 });
    router.leave();
    hand(HOST_PANE);
    finger(1, 200, 360);
    expect(hand(HOST_PANE).grip).toBe(1);
    finger(1, 1000, 360);
    finger(1, 1000, 360, false);
    expect(hand(HOST_PANE)).toMatchObject({ tracked: true, grip: 0 });
  });

  test('all keys belong to it: 1 and 2 do nothing, commands still work', () => {
    for (const code of ['Digit1', 'Digit2', 'Numpad2']) {
      expect(press(code)).toBe(false);
      expect(press(code, '', true)).toBe(false);
    }
    expect(handlers.onActive).not.toHaveBeenCalled();
    press('KeyE', 'e');
    expect(hand(HOST_PANE).stick.x).toBe(1);
    expect(press('KeyN', 'n')).toBe(true);
    expect(handlers.onCommand).toHaveBeenCalledExactlyOnceWith('panel');
  });

  test('Alt-click, wheel and a lost focus act in it', () => {
    mouse(960, 180, LEFT_BUTTON, true);
    expect(handlers.onInspect).toHaveBeenCalledExactlyOnceWith(HOST_PANE, 0.5, 0.5);
    mouse(960, 180);
    router.wheel(960, 180, 1);
    expect(hand(HOST_PANE).stick.y).toBeGreaterThan(0);
    players[HOST_PANE].walk(0, 1);
    router.blur();
    const before = { ...players[HOST_PANE].camera.position };
    expect(hand(HOST_PANE).tracked).toBe(false);
    hand(HOST_PANE);
    expect(players[HOST_PANE].camera.position).toEqual(before);
  });
});
