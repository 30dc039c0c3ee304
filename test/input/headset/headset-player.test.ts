import { P_GAMEPAD } from 'iwer';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import type { BodyId } from '../../../src/core/base/ids.ts';
import { LEFT, RIGHT } from '../../../src/core/base/ids.ts';
import { TICK_MS, TICK_RATE } from '../../../src/core/base/constants.ts';
import { composePose, copyPose, distance, pose, quaternion, vector } from '../../../src/core/base/math.ts';
import { PlayerHand } from '../../../src/core/hands/player-hands.ts';
import { createLevel } from '../../../src/levels/levels.ts';
import type { Simulation } from '../../../src/core/world/simulation.ts';
import { HeadsetPlayer } from '../../../src/input/headset/headset-player.ts';
import { floatingSimulation } from '../../support/bodiless.ts';
import { frameWith, placeOf, put } from './emulator.ts';
import type { Wearer } from './wearer.ts';
import { CLOSE, expectPose, gripOf, putOn, somewhere, START } from './wearer.ts';
import { CUBE_BOUNDS } from '../../support/held-bounds.ts';

let worn: Wearer;

beforeEach(async () => {
  worn = await putOn();
});
afterEach(() => {
  vi.unstubAllGlobals();
});

describe('[T1] frames', () => {
  test.each([72, 90])(
    '[T1.1] at %d Hz move head and hands into the world, with the frame’s poses',
    (rate) => {
      worn.frames();
      for (let i = 0; i < 120; i++) {
        // The rig is turned at the start, and turned and moved during the test.
        if (i === 40) worn.turnOnce();
        if (i === 80) worn.teleportOnce();
        const [head, left, right] = [somewhere(i), somewhere(i + 50), somewhere(i + 90)];
        put(worn.headset.device, head);
        put(worn.headset.left, left);
        put(worn.headset.right, right);
        worn.draw(1000 / rate, worn.headset.sources);
        expectPose(worn.player.drawn().head, worn.inWorld(head));
        expectPose(worn.hand(LEFT).pose, worn.inWorld(gripOf('left', left)));
        expectPose(worn.hand(RIGHT).pose, worn.inWorld(gripOf('right', right)));
        expect(worn.hand(LEFT).tracked && worn.hand(RIGHT).tracked).toBe(true);
        const input = worn.player.sample(worn.now + 0.4 * TICK_MS);
        expect(input.age).toBeCloseTo(0.4, 9);
        expectPose(input.hands[RIGHT].pose, worn.inWorld(gripOf('right', right)));
      }
      expect(worn.player.devices).toEqual(['controller', 'controller']);
      expect(worn.player.turned).toBe(1);
      expect(Math.hypot(worn.player.rig.position.x - 3, worn.player.rig.position.z + 2)).toBeGreaterThan(1);
    },
  );

  test('[T1.1] give samples their age, in ticks from 0 to 15', () => {
    expect(worn.player.sample(0).age).toBe(0);
    worn.frames();
    expect(worn.player.sample(worn.now - 3).age).toBe(0);
    expect(worn.player.sample(worn.now + 2.5 * TICK_MS).age).toBeCloseTo(2.5, 9);
    expect(worn.player.sample(worn.now + 1000).age).toBe(15);
  });

  test('between two ticks are in the trail, also those after the tick', () => {
    worn.frames();
    worn.player.sample(worn.now);
    const places = [somewhere(3), somewhere(4)];
    for (const place of places) {
      put(worn.headset.right, place);
      worn.draw(8);
    }
    const { trail } = worn.player.sample(worn.now - 4).hands[RIGHT];
    expect(trail.count).toBe(2);
    places.forEach((place, i) => expectPose(trail.poses[i], worn.inWorld(gripOf('right', place))));
    expect(trail.before[0] * TICK_MS).toBeCloseTo(4, 9);
    expect(trail.before[1] * TICK_MS).toBeCloseTo(-4, 9);
  });

  test.each(['turn', 'teleport'] as const)('after a %s start a new trail', (jump) => {
    worn.frames(3);
    worn.player.sample(worn.now);
    worn.frames(2);
    if (jump === 'turn') worn.turnOnce();
    else worn.teleportOnce();
    const { trail, pose: hand } = worn.player.sample(worn.now).hands[RIGHT];
    expect(trail.broken).toBe(true);
    for (let i = 0; i < trail.count; i++) expectPose(trail.poses[i], hand);
    worn.frames();
    expect(worn.player.sample(worn.now).hands[RIGHT].trail.broken).toBe(false);
  });

  test('are not needed for a head at the player’s start', () => {
    expectPose(
      worn.player.drawn().head,
      worn.inWorld({ position: vector(0, 1.6, 0), rotation: quaternion() }),
    );
    expect(worn.player.devices).toEqual(['none', 'none']);
    expect(worn.hand(RIGHT).tracked).toBe(false);
  });

  test('that stall do not become one long step, and the first frame is no step', () => {
    worn.player.comfort = { ...worn.player.comfort, smoothWalking: true };
    worn.stick('left', 0, 1);
    worn.frames();
    const before = { ...worn.player.rig.position };
    worn.draw(3000);
    const { x, z } = worn.player.rig.position;
    expect(Math.hypot(x - before.x, z - before.z)).toBeCloseTo(0.2, 9);
    expect(before).toEqual(vector(START.position.x, 0, START.position.z));
  });

  test('without a pose of the head leave it where it was', () => {
    worn.frames();
    const before = copyPose(worn.player.drawn().head, pose());
    const blind = (frame: XRFrame): XRFrame =>
      Object.assign(
        frameWith(frame, () => 'lost'),
        { getViewerPose: () => undefined },
      );
    worn.frames(3, worn.headset.sources, blind);
    expectPose(worn.player.drawn().head, before);
  });
});

describe('a controller', () => {
  beforeEach(() => worn.frames());

  test('grips by its squeeze, and pulls by its trigger', () => {
    worn.headset.right.updateButtonValue('squeeze', 0.8);
    worn.headset.right.updateButtonValue('trigger', 0.3);
    worn.frames();
    expect([worn.hand(RIGHT).grip, worn.hand(RIGHT).trigger]).toEqual([0.8, 0.3]);
    expect(worn.hand(LEFT)).toMatchObject({ grip: 0, trigger: 0 });
  });

  test('points until the trigger is touched, and has its thumb up while the thumb touches nothing', () => {
    worn.headset.left.updateButtonValue('squeeze', 1);
    worn.frames();
    expect(worn.hand(LEFT)).toMatchObject({ pointing: true, thumbUp: true });
    worn.headset.left.updateButtonTouch('trigger', true);
    worn.headset.left.updateButtonTouch('thumbrest', true);
    worn.frames();
    expect(worn.hand(LEFT)).toMatchObject({ pointing: false, thumbUp: false });
  });

  test('moves a held body by its stick, and the player by the stick of an empty hand', () => {
    const rig = structuredClone(worn.player.rig);
    worn.held[RIGHT] = true;
    worn.stick('right', 0.1, 1);
    worn.headset.right.updateButtonValue('a-button', 1);
    worn.frames(5);
    expect(worn.hand(RIGHT)).toMatchObject({ stick: { x: 0, y: 1 }, tilt: true });
    expect(worn.player.teleport.active).toBe(false);
    worn.stick('right', 0, -1);
    worn.frames(5);
    expect(worn.hand(RIGHT).stick).toEqual({ x: 0, y: -1 });
    worn.stick('right', 1, 0);
    worn.frames(5);
    expect(worn.hand(RIGHT).stick).toEqual({ x: 1, y: 0 });
    expect(worn.player.rig).toEqual(rig);

    worn.held[RIGHT] = false;
    worn.frames();
    expect(worn.hand(RIGHT)).toMatchObject({ stick: { x: 0, y: 0 }, tilt: false });
    expect(worn.player.turned).toBe(0);
    worn.turnOnce();
    expect(worn.player.turned).toBe(1);
  });

  test('teleports the head to where the arc ends, and no frame shows anything between', () => {
    worn.stick('left', 0, 1);
    worn.frames(3);
    const { active, side, valid, points } = worn.player.teleport;
    expect({ active, side, valid }).toEqual({ active: true, side: LEFT, valid: true });
    expect(distance(vector(points[0], points[1], points[2]), worn.hand(LEFT).pose.position)).toBeLessThan(
      CLOSE,
    );
    const target = { ...worn.player.teleport.target };
    worn.stick('left', 0, 0);
    worn.frames();
    const { head } = worn.player.drawn();
    expect(head.position.x).toBeCloseTo(target.x, 6);
    expect(head.position.z).toBeCloseTo(target.z, 6);
    expectPose(worn.hand(LEFT).pose, worn.inWorld(gripOf('left', placeOf(worn.headset.left))));
  });

  test.each([
    ['lower', 'a-button'],
    ['upper', 'b-button'],
    ['stick', 'thumbstick'],
  ] as const)('tells of its %s button once, when it comes down', (button, id) => {
    worn.headset.right.updateButtonValue(id, 1);
    const told: boolean[] = [];
    for (let i = 0; i < 4; i++) {
      worn.frames();
      told.push(worn.player.pressed(RIGHT, button));
      expect(worn.player.pressed(LEFT, button)).toBe(false);
    }
    expect(told).toEqual([true, false, false, false]);
    worn.headset.right.updateButtonValue(id, 0);
    worn.frames();
    expect(worn.player.pressed(RIGHT, button)).toBe(false);
    worn.headset.right.updateButtonValue(id, 1);
    worn.frames();
    expect(worn.player.pressed(RIGHT, button)).toBe(true);
  });

  test('does not report the button that tilts the held body', () => {
    worn.held[LEFT] = true;
    worn.headset.left.updateButtonValue('x-button', 1);
    worn.frames();
    expect(worn.player.pressed(LEFT, 'lower')).toBe(false);
    expect(worn.hand(LEFT).tilt).toBe(true);
  });

  test('goes to its own hand, and does nothing without a controller', () => {
    worn.player.pulse(RIGHT, 0.5, 30);
    const felt = (side: 'left' | 'right') =>
      worn.headset[side].inputSource.gamepad?.hapticActuators[0]?.[P_GAMEPAD].lastPulse;
    expect(felt('right')).toMatchObject({ value: 0.5, duration: 30 });
    expect(felt('left')).toBeNull();
    new HeadsetPlayer(START).pulse(LEFT, 1, 10);
  });

  test('without handedness is the right hand', () => {
    const [left] = worn.headset.sources();
    expect(left.handedness).toBe('left');
    const either = Object.create(left, { handedness: { value: 'none' } }) as XRInputSource;
    worn.player = new HeadsetPlayer(START);
    worn.frames(1, () => [either]);
    expect(worn.player.devices).toEqual(['none', 'controller']);
    expectPose(worn.hand(RIGHT).pose, worn.inWorld(gripOf('left', placeOf(worn.headset.left))));
  });

  test('is not a hand if it is only a gaze or a tap', () => {
    const [left] = worn.headset.sources();
    const tap = Object.create(left, { targetRayMode: { value: 'transient-pointer' } }) as XRInputSource;
    worn.player = new HeadsetPlayer(START);
    worn.frames(1, () => [tap]);
    expect(worn.player.devices).toEqual(['none', 'none']);
  });
});

/** A world of one body, which is at every place that a hand reaches. */
function within(): Simulation {
  const scene = createLevel({ id: 'grid', seed: 1, count: 1 });
  return Object.assign(floatingSimulation(scene), { overlapSphere: () => 0 as BodyId });
}

describe('[G2.1] core accepts it as a hand', () => {
  test.each([
    [
      'a controller',
      () => worn.headset.right.updateButtonValue('squeeze', 1),
      () => worn.headset.right.updateButtonValue('squeeze', 0),
    ],
    [
      'a pinch',
      () => worn.headset.rightHand.updatePinchValue(1),
      () => worn.headset.rightHand.updatePinchValue(0),
    ],
  ])('%s grabs, and lets go', (device, close, open) => {
    worn.headset.device.primaryInputMode = device === 'a pinch' ? 'hand' : 'controller';
    const hand = new PlayerHand(RIGHT, CUBE_BOUNDS, TICK_RATE);
    const simulation = within();
    const act = (): string => {
      worn.frames();
      return hand.update(worn.player.sample(worn.now).hands[RIGHT], 0, simulation).kind;
    };
    expect([act(), act()]).toEqual(['none', 'none']);
    close();
    expect(act()).toBe('grab');
    hand.hold(0 as BodyId, worn.hand(RIGHT).pose, worn.hand(RIGHT), 0);
    worn.held[RIGHT] = true;
    expect(act()).toBe('none');
    open();
    expect(act()).toBe('release');
  });

  test('a stick pushed forward moves the held body away', () => {
    const hand = new PlayerHand(RIGHT, CUBE_BOUNDS, TICK_RATE);
    const simulation = within();
    worn.headset.right.updateButtonValue('squeeze', 1);
    worn.frames();
    const ahead = composePose(
      worn.hand(RIGHT).pose,
      { position: vector(0, 0, -2), rotation: quaternion() },
      pose(),
    );
    hand.hold(0 as BodyId, ahead, worn.hand(RIGHT), 0);
    worn.held[RIGHT] = true;
    worn.stick('right', 0, 1);
    for (let i = 0; i < 30; i++) {
      worn.frames();
      hand.update(worn.player.sample(worn.now).hands[RIGHT], i, simulation);
    }
    expect(hand.offset.position.z).toBeLessThan(-3.5);
  });
});
