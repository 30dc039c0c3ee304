import { describe, expect, test } from 'vitest';
import type { BodyId } from '../../../src/core/base/ids.ts';
import { LEFT, RIGHT } from '../../../src/core/base/ids.ts';
import { copyPose, fromAxisAngle, setVector, vector } from '../../../src/core/base/math.ts';
import { playerInput } from '../../../src/core/hands/hand-input.ts';
import { peerView } from '../../../src/core/peer/shown/peer-view.ts';
import { WaveGesture } from '../../../src/input/wave-gesture.ts';
import { WaveWatcher } from '../../../src/pages/room/wave-watcher.ts';

/** The right hand of somebody who stands at the origin, in each frame. */
type Move = { readonly x: number; readonly y?: number; readonly pitch?: number; readonly held?: number };

/** Returns how many waves are seen in two seconds. */
function wavesOf(hand: (seconds: number) => Move, frameRate = 60): number {
  const [avatar] = peerView(0).avatars;
  avatar.present = true;
  avatar.head.position.y = 1.6;
  const { pose, ...shown } = avatar.hands[RIGHT];
  expect(shown.tracked).toBe(false);
  avatar.hands[RIGHT].tracked = true;
  const watcher = new WaveWatcher();
  let waves = 0;
  for (let i = 0; i < 2 * frameRate; i++) {
    const { x, y = 1.6, pitch = 1.3, held = -1 } = hand(i / frameRate);
    setVector(pose.position, x, y, -0.3);
    fromAxisAngle(vector(1, 0, 0), pitch, pose.rotation);
    avatar.hands[RIGHT].held = held as BodyId;
    if (watcher.frame(avatar, i / frameRate) !== null) waves++;
  }
  return waves;
}

const swing = (hertz: number, metres: number) => (seconds: number) =>
  0.3 + metres * Math.sin(2 * Math.PI * hertz * seconds);

describe('a wave is seen', () => {
  test.each([12, 30, 90])('in a raised hand that swings, at %i frames a second', (rate) => {
    expect(wavesOf((s) => ({ x: swing(2, 0.1)(s) }), rate)).toBe(1);
  });

  test('once, however long it goes on', () => {
    expect(wavesOf((s) => ({ x: swing(3, 0.15)(s) }))).toBe(1);
  });
});

describe('no wave is seen', () => {
  const x = swing(2, 0.1);
  test.each<[string, (seconds: number) => Move]>([
    ['in a hand that hangs', (s) => ({ x: x(s), y: 1.0 })],
    ['in a hand that points ahead, as the hand of a mouse', (s) => ({ x: x(s), pitch: 0.3 })],
    ['in a hand with a cube', (s) => ({ x: x(s), held: 3 })],
    ['in a hand that only trembles', (s) => ({ x: swing(4, 0.02)(s) })],
    ['in a hand that goes to one side', (s) => ({ x: s * 0.4 })],
    ['in a hand that swings slowly', (s) => ({ x: swing(0.4, 0.2)(s) })],
  ])('%s', (_, hand) => {
    expect(wavesOf(hand)).toBe(0);
  });
});

describe('the wave of a desk’s player', () => {
  function play(yaw: number, rate: number) {
    const gesture = new WaveGesture();
    const watcher = new WaveWatcher();
    const input = playerInput();
    const [avatar] = peerView(0).avatars;
    avatar.present = true;
    setVector(input.head.position, 3, 1.6, -2);
    fromAxisAngle(vector(0, 1, 0), yaw, input.head.rotation);
    copyPose(input.head, avatar.head);
    gesture.begin(1000);
    const seen: (number | null)[] = [];
    let raised = 0;
    for (let ms = 900; ms < 4000; ms += 1000 / rate) {
      const hand = gesture.into(input, ms).hands[LEFT];
      avatar.hands[LEFT].tracked = hand.tracked;
      copyPose(hand.pose, avatar.hands[LEFT].pose);
      if (hand.tracked) {
        raised++;
        expect(hand.busy).toBe(true);
        expect(hand.grip).toBe(0);
        expect(Math.hypot(hand.pose.position.x - 3, hand.pose.position.z + 2)).toBeLessThan(0.7);
      }
      const side = watcher.frame(avatar, ms / 1000);
      if (side !== null) seen.push(side);
    }
    return { seen, raised, tracked: input.hands[LEFT].tracked };
  }

  test.each([0, 1, -2.5])('is seen as one wave of the left hand, facing %f', (yaw) => {
    for (const rate of [15, 24, 60]) {
      const { seen, raised, tracked } = play(yaw, rate);
      expect(seen).toEqual([LEFT]);
      expect(raised).toBeGreaterThan(rate);
      expect(tracked).toBe(false);
    }
  });

  test('leaves the right hand alone', () => {
    const gesture = new WaveGesture();
    const input = playerInput();
    input.hands[RIGHT].tracked = true;
    input.hands[RIGHT].grip = 1;
    gesture.begin(0);
    gesture.into(input, 10);
    expect(input.hands[RIGHT]).toMatchObject({ tracked: true, grip: 1, busy: false });
  });
});

describe('the wave of a player with hands of its own', () => {
  test.each([LEFT, RIGHT])('is seen as a wave of hand %i, which is its own again afterwards', (side) => {
    const gesture = new WaveGesture();
    const watcher = new WaveWatcher();
    const input = playerInput();
    const [avatar] = peerView(0).avatars;
    avatar.present = true;
    setVector(input.head.position, 1, 1.7, 2);
    copyPose(input.head, avatar.head);
    for (const hand of input.hands) hand.tracked = true;
    gesture.begin(0);
    const seen: (number | null)[] = [];
    for (let ms = 0; ms < 3000; ms += 1000 / 60) {
      // Its own hand hangs.
      setVector(input.hands[side].pose.position, 1, 0.9, 2);
      input.hands[side].busy = false;
      const hand = gesture.over(input, ms, side).hands[side];
      avatar.hands[side].tracked = hand.tracked;
      copyPose(hand.pose, avatar.hands[side].pose);
      const waved = watcher.frame(avatar, ms / 1000);
      if (waved !== null) seen.push(waved);
    }
    expect(seen).toEqual([side]);
    expect(input.hands[side]).toMatchObject({ tracked: true, busy: false });
    expect(input.hands[side].pose.position.y).toBe(0.9);
    expect(input.hands[side === LEFT ? RIGHT : LEFT]).toMatchObject({ tracked: true, busy: false });
  });
});
