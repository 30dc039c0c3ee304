import { Vector3 } from 'three';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import type { HandSide, Slot } from '../../../src/core/base/ids.ts';
import { LEFT, RIGHT } from '../../../src/core/base/ids.ts';
import type { ReadonlyVector } from '../../../src/core/base/math.ts';
import {
  addScaled,
  conjugate,
  fromAxisAngle,
  lookAt,
  multiply,
  pose,
  quaternion,
  rotate,
  vector,
} from '../../../src/core/base/math.ts';
import { wristBoxes } from '../../../src/pages/headset/panel/wrist-boxes.ts';
import { WRIST_UNITS } from '../../../src/pages/headset/panel/wrist-layout.ts';
import type { WristHandlers } from '../../../src/pages/headset/panel/wrist-menu.ts';
import { WRIST_SIZE, WristMenu } from '../../../src/pages/headset/panel/wrist-menu.ts';
import type { RoomModel } from '../../../src/pages/room/model.ts';
import { USUAL_COMFORT } from '../../../src/input/headset/comfort.ts';
import { FINGER } from '../../../src/view/headset/lines/pointer.ts';
import { put } from '../../input/headset/emulator.ts';
import type { Wearer } from '../../input/headset/wearer.ts';
import { putOn } from '../../input/headset/wearer.ts';

const ROOM: RoomModel = {
  code: 'KQXMT',
  link: '',
  ownCertificate: false,
  you: 0 as Slot,
  host: 0 as Slot,
  capacity: 4,
  locked: false,
  players: [],
  watching: null,
  scene: 'pile',
  voice: { kind: 'off' },
  connection: 'good',
  progress: null,
  reachable: true,
  move: 'impossible',
  reset: null,
  adding: null,
  isPractice: false,
  recording: { kind: 'off', seconds: 0 },
  refusals: {},
  figures: {
    roundTrip: 42,
    playoutDelay: 100,
    payloadUp: 61,
    payloadDown: 84,
    socketUp: 112,
    socketDown: 130,
    skipped: 0,
    path: 'direct',
    tickRate: 60,
  },
};

/** Frames after which an open menu is drawn and has reached its hand. */
const SETTLED = 60;

/** A menu in an emulated headset. Its pictures are counted, but not checked. */
class Scene {
  readonly wearer: Wearer;
  readonly menu: WristMenu;
  /** The calls of the menu's handlers. */
  readonly asked: string[] = [];
  /** Number of times that a picture was drawn. */
  drawings = 0;
  room = ROOM;

  constructor(wearer: Wearer) {
    this.wearer = wearer;
    const canvas = new Proxy(
      {},
      {
        get: (_, name) => {
          if (name === 'reset') return () => void this.drawings++;
          return name === 'measureText' ? () => ({ width: 10 }) : () => undefined;
        },
        set: () => true,
      },
    );
    vi.stubGlobal('document', { createElement: () => ({ getContext: () => canvas }) });
    vi.stubGlobal('Path2D', Object);
    const told = (name: string) => (value?: unknown) => void this.asked.push(`${name} ${String(value)}`);
    const handlers: WristHandlers = {
      onMute: told('mute'),
      onMakeHost: told('make host'),
      onRemove: told('remove'),
      onVoice: told('voice'),
      onScene: told('scene'),
      onReset: told('reset'),
      onLock: told('lock'),
      onCapacity: told('capacity'),
      onName: told('name'),
      onBack: told('back'),
      onWave: told('wave'),
      onLeave: told('leave room'),
      onAdd: told('add'),
      onRemoveLast: told('remove last'),
      onRemoveAll: told('remove all'),
      onLeaveHeadset: told('leave headset'),
    };
    this.menu = new WristMenu(wearer.player, handlers);
    const { left, right } = wearer.headset;
    left.position.set(-0.2, 1.1, -0.4);
    right.position.set(0.3, 1.1, -0.1);
    this.frames();
  }

  frames(count = 1): void {
    for (let i = 0; i < count; i++) {
      this.wearer.frames();
      vi.advanceTimersByTime(1000 / 90);
      this.menu.begin(this.wearer.now, this.wearer.held);
      this.menu.update(() => this.room);
    }
  }

  get isOpen(): boolean {
    return this.menu.meshes[0].visible;
  }

  press(side: 'left' | 'right', id: string): void {
    for (const value of [1, 0]) {
      this.wearer.headset[side].updateButtonValue(id, value);
      this.frames();
    }
    this.frames(SETTLED);
  }

  /** Returns the place of a button of the menu, `before` metres in front of it. */
  placeOf(label: string, before = 0): Vector3 {
    const comfort = USUAL_COMFORT;
    const state = {
      tab: 'Players',
      asked: null,
      writing: null,
      comfort,
      microphoneGranted: false,
      bareHands: false,
    } as const;
    const box = wristBoxes(this.room, state).find((each) => each.kind === 'button' && each.label === label);
    if (box === undefined) throw new Error(`no button “${label}”`);
    const right = ((box.x + box.width / 2) / WRIST_UNITS.width - 0.5) * WRIST_SIZE.width;
    const up = (0.5 - (box.y + box.height / 2) / WRIST_UNITS.height) * WRIST_SIZE.height;
    return this.menu.meshes[0].localToWorld(new Vector3(right, up, before));
  }

  /**
   * Turns a controller so that its ray goes through the target. The controller does not turn about the hand's
   * place.
   */
  point(side: HandSide, target: ReadonlyVector): void {
    const { headset, player } = this.wearer;
    const source = side === LEFT ? headset.left : headset.right;
    for (let i = 0; i < 4; i++) {
      const aim = lookAt(player.drawn().hands[side].pose.position, target, quaternion());
      const { x, y, z, w } = multiply(conjugate(player.rig.rotation, quaternion()), aim, quaternion());
      source.quaternion.set(x, y, z, w);
      this.frames();
    }
  }
}

let scene: Scene;
beforeEach(async () => {
  vi.useFakeTimers({ toFake: ['performance'] });
  const wearer = await putOn();
  wearer.frames();
  scene = new Scene(wearer);
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

describe('opening', () => {
  test('Y opens it over the left hand, B over the right; the same button closes it', () => {
    expect(scene.isOpen).toBe(false);
    scene.press('left', 'y-button');
    expect(scene.isOpen).toBe(true);
    const [menu] = scene.menu.meshes;
    const beside = (side: HandSide): number => {
      const { x, z } = scene.wearer.hand(side).pose.position;
      return Math.hypot(menu.position.x - x, menu.position.z - z);
    };
    expect(beside(LEFT)).toBeLessThan(0.01);
    scene.press('right', 'b-button');
    expect(beside(RIGHT)).toBeLessThan(0.01);
    scene.press('right', 'b-button');
    expect(scene.isOpen).toBe(false);
  });

  test('it faces the head, and follows its hand', () => {
    scene.press('left', 'y-button');
    scene.wearer.headset.left.position.set(-0.3, 1.3, -0.5);
    scene.frames(SETTLED);
    const [menu] = scene.menu.meshes;
    const { position } = scene.wearer.player.drawn().head;
    const local = menu.worldToLocal(new Vector3(position.x, position.y, position.z));
    expect([local.x, local.y]).toEqual([expect.closeTo(0, 5), expect.closeTo(0, 5)]);
    expect(local.z).toBeGreaterThan(0);
    expect(menu.position.y - scene.wearer.hand(LEFT).pose.position.y).toBeGreaterThan(WRIST_SIZE.height / 2);
  });

  test('it is hidden while its hand is not tracked', () => {
    scene.press('left', 'y-button');
    scene.wearer.headset.left.connected = false;
    scene.frames(SETTLED);
    expect(scene.isOpen).toBe(false);
  });
});

describe('pressing', () => {
  test.each(['trigger', 'squeeze'])('by pointing, with the %s', async (id) => {
    scene.press('left', 'y-button');
    scene.point(RIGHT, scene.placeOf('Leave the headset'));
    scene.wearer.headset.right.updateButtonValue(id, 1);
    scene.frames(5);
    // The action does not run within the frame.
    expect(scene.asked).toEqual([]);
    await Promise.resolve();
    expect(scene.asked).toEqual(['leave headset undefined']);
  });

  test('with the fingertip', async () => {
    scene.press('left', 'y-button');
    const { right } = scene.wearer.headset;
    const { player } = scene.wearer;
    const before = scene.placeOf('Leave the headset', 0.3);
    const target = scene.placeOf('Leave the headset');
    const aim = lookAt(before, target, quaternion());
    // Puts the fingertip, on the ray from the hand, `away` metres in front of the button.
    const touchAt = (away: number): void => {
      for (let i = 0; i < 3; i++) {
        const ahead = rotate(aim, vector(0, 0, -1), vector());
        const hand = addScaled(target, ahead, -away - FINGER, vector());
        const error = addScaled(hand, player.drawn().hands[RIGHT].pose.position, -1, vector());
        const local = rotate(conjugate(player.rig.rotation, quaternion()), error, vector());
        const { x, y, z } = right.position;
        const {
          x: qx,
          y: qy,
          z: qz,
          w,
        } = multiply(conjugate(player.rig.rotation, quaternion()), aim, quaternion());
        right.quaternion.set(qx, qy, qz, w);
        if (i > 0) right.position.set(x + local.x, y + local.y, z + local.z);
        scene.wearer.frames();
      }
      scene.frames();
    };
    touchAt(0.03);
    await Promise.resolve();
    expect(scene.asked).toEqual([]);
    touchAt(-0.01);
    await Promise.resolve();
    expect(scene.asked).toEqual(['leave headset undefined']);
  });

  test('neither by the hand below it, nor by a hand that holds a cube', async () => {
    // Held up high, the hand is in front of its own menu.
    scene.wearer.headset.right.position.set(0.3, 1.7, -0.4);
    scene.press('right', 'b-button');
    scene.point(RIGHT, scene.placeOf('Leave the headset'));
    scene.wearer.headset.right.updateButtonValue('trigger', 1);
    scene.frames(5);
    scene.wearer.headset.right.position.set(0.3, 1.1, -0.1);
    scene.press('left', 'y-button');
    scene.wearer.headset.right.updateButtonValue('trigger', 0);
    scene.wearer.held[RIGHT] = true;
    scene.point(RIGHT, scene.placeOf('Leave the headset'));
    scene.wearer.headset.right.updateButtonValue('trigger', 1);
    scene.frames(5);
    scene.wearer.held[RIGHT] = false;
    scene.frames(5);
    await Promise.resolve();
    expect(scene.asked).toEqual([]);
  });
});

test('a hand at the menu grips nothing else until it opens', () => {
  const { right } = scene.wearer.headset;
  const gripped = (): number[] => {
    scene.frames(2);
    const { grip, trigger } = scene.wearer.hand(RIGHT);
    return [grip, trigger];
  };
  scene.press('left', 'y-button');
  scene.point(RIGHT, scene.placeOf('Players'));
  right.updateButtonValue('squeeze', 1);
  right.updateButtonValue('trigger', 1);
  expect(gripped()).toEqual([0, 0]);
  scene.point(RIGHT, { x: 100, y: 50, z: 100 });
  expect(gripped()).toEqual([0, 0]);
  right.updateButtonValue('squeeze', 0);
  right.updateButtonValue('trigger', 0);
  scene.frames();
  right.updateButtonValue('squeeze', 1);
  expect(gripped()).toEqual([1, 0]);
});

test('it is drawn only after a change, and at most ten times per second', () => {
  scene.press('left', 'y-button');
  scene.drawings = 0;
  scene.frames(90);
  expect(scene.drawings).toBe(0);
  for (let i = 0; i < 90; i++) {
    scene.room = { ...ROOM, capacity: i };
    scene.frames();
  }
  expect(scene.drawings).toBeGreaterThan(7);
  expect(scene.drawings).toBeLessThanOrEqual(10);
});

describe('bare hands', () => {
  beforeEach(() => {
    const { headset } = scene.wearer;
    headset.device.primaryInputMode = 'hand';
    headset.leftHand.position.set(-0.1, 1.3, -0.4);
    headset.rightHand.position.set(0.25, 1.25, -0.15);
    scene.frames(20);
  });

  function isOffered(): boolean {
    return scene.menu.meshes[1].visible;
  }

  function look(degrees: number): void {
    const at = pose();
    Object.assign(at.position, { x: 0, y: 1.6, z: 0 });
    fromAxisAngle(vector(1, 0, 0), (degrees * Math.PI) / 180, at.rotation);
    put(scene.wearer.headset.device, at);
    scene.frames(2);
  }

  test('see a button at the left wrist when the player looks at it', () => {
    look(-30);
    expect(isOffered()).toBe(true);
    look(40);
    expect(isOffered()).toBe(false);
  });

  test('open the menu with that button, by a pinch', () => {
    look(-30);
    const { headset, player } = scene.wearer;
    const target = scene.menu.meshes[1].position;
    for (let i = 0; i < 4; i++) {
      const aim = lookAt(player.drawn().hands[RIGHT].pose.position, target, quaternion());
      const { x, y, z, w } = multiply(conjugate(player.rig.rotation, quaternion()), aim, quaternion());
      headset.rightHand.quaternion.set(x, y, z, w);
      scene.frames(12);
    }
    expect(scene.isOpen).toBe(false);
    headset.rightHand.updatePinchValue(1);
    scene.frames(3);
    expect(scene.isOpen).toBe(true);
    expect(isOffered()).toBe(false);
  });
});
