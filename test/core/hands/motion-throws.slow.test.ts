import { describe, expect, test } from 'vitest';
import type { BodyId, HandSide } from '../../../src/core/base/ids.ts';
import { HAND_SIDES } from '../../../src/core/base/ids.ts';
import { TICK_MS, TICK_RATE } from '../../../src/core/base/constants.ts';
import type { Pose, ReadonlyPose, Vector } from '../../../src/core/base/math.ts';
import {
  addScaled,
  composePose,
  conjugate,
  distance,
  length,
  multiply,
  pose,
  quaternion,
  setVector,
  vector,
} from '../../../src/core/base/math.ts';
import { Random } from '../../../src/core/base/random.ts';
import type { HandInput } from '../../../src/core/hands/hand-input.ts';
import { PlayerHand } from '../../../src/core/hands/player-hands.ts';
import { createLevel } from '../../../src/levels/levels.ts';
import { HeadsetPlayer } from '../../../src/input/headset/headset-player.ts';
import type { MotionTrack, Part } from '../../../src/hand-motion/track.ts';
import { floatingSimulation } from '../../support/bodiless.ts';
import { MOTIONS } from '../../support/motions.ts';
import { CUBE_BOUNDS } from '../../support/held-bounds.ts';

const RATES = [72, 90, 120];
const PARTS = ['left', 'right'] as const;
/** Metres: nobody's hand is stiller, nor is a sensor much worse. */
const NOISE = 0.001;
/** Seconds over which what is true is the mean. */
const WINDOW = 0.05;
/** Ticks for which a hand holds a body before it lets go: longer than the estimate looks back. */
const HELD_TICKS = 15;
/** Metres a second: what is thrown harder, level, gets a lift; and nothing is thrown harder. */
const LIFTED_FROM = 10;
const FASTEST = 20;

type Case = {
  readonly name: string;
  readonly motion: MotionTrack;
  /** Frames a second. */
  readonly rate: number;
  /** Metres, the standard deviation of each coordinate of each frame. */
  readonly noise: number;
  /** Metres from the hand to the body, ahead of it. */
  readonly offset: number;
};

/** A tick as the hand got it, and when its frame was, in seconds. */
type Tick = { readonly frameAt: number; readonly age: number; readonly hands: readonly HandInput[] };

/** A release: what is true of the body then, and what was found. */
type Release = { readonly linear: Vector; readonly angular: Vector; readonly found: Found };
type Found = { readonly linear: Vector; readonly angular: Vector };

/** The motion at a display's rate, through a player in a headset, and its ticks as a page has them. */
function ticksOf({ motion, rate, noise }: Case): Tick[] {
  const random = new Random(rate);
  const player = new HeadsetPlayer({ position: vector(0, 0, 0), yaw: 0 });
  const ticks: Tick[] = [];
  let tickMs = 0;
  for (let time = (1 + random.next()) / rate; time < motion.end - 0.1; time += 1 / rate) {
    const nowMs = time * 1000;
    const at = PARTS.map((part) => shaken(motion.smoothAt(time, part, pose()), noise, random));
    player.beginFrame(nowMs, frameOf(at), SPACE, SOURCES, [true, true]);
    while (tickMs < nowMs) {
      tickMs += TICK_MS;
      const { age, hands } = player.sample(tickMs);
      ticks.push({ frameAt: time, age, hands: structuredClone(hands) });
    }
  }
  return ticks;
}

function shaken(at: Pose, noise: number, random: Random): Pose {
  const { x, y, z } = at.position;
  const [a, b, c] = [gaussian(random), gaussian(random), gaussian(random)];
  setVector(at.position, x + noise * a, y + noise * b, z + noise * c);
  return at;
}

/** The browser's input of a frame with both controllers. */
function frameOf(controllers: readonly ReadonlyPose[]): XRFrame {
  const found = ({ position, rotation }: ReadonlyPose) => ({
    transform: { position, orientation: rotation },
    emulatedPosition: false,
  });
  return {
    getViewerPose: () => found(pose()),
    getPose: (space: XRSpace) => found(controllers[SOURCES.findIndex((s) => s.gripSpace === space)]),
  } as unknown as XRFrame;
}

const SPACE = {} as XRReferenceSpace;
const SOURCES = PARTS.map((handedness) => {
  const space = {} as XRSpace;
  return { handedness, targetRayMode: 'tracked-pointer', targetRaySpace: space, gripSpace: space };
}) as unknown as readonly XRInputSource[];

/** Every tick of the minute in which a body in the hand would be faster than 1 m/s is a moment of release. */
function releases(which: Case): Release[] {
  const ticks = ticksOf(which);
  return HAND_SIDES.flatMap((side) =>
    ticks.flatMap((tick, i) => {
      if (i < HELD_TICKS || tick.frameAt < 0.5) return [];
      const real = truth(which, tick.frameAt, PARTS[side]);
      const speed = length(real.linear);
      if (speed <= 1 || speed > FASTEST || Math.hypot(real.linear.x, real.linear.z) > LIFTED_FROM) return [];
      return [{ ...real, found: letGo(ticks, i, side, which.offset) }];
    }),
  );
}

const simulation = floatingSimulation(createLevel({ id: 'grid', seed: 1, count: 1 }));

/** The throw of a hand that grabs a body some ticks before, holds it, and opens in this tick. */
function letGo(ticks: readonly Tick[], last: number, side: HandSide, offset: number): Found {
  const hand = new PlayerHand(side, CUBE_BOUNDS, TICK_RATE);
  for (let i = last - HELD_TICKS; i <= last; i++) {
    const { age, hands } = ticks[i];
    const input = hands[side];
    input.grip = i < last ? 1 : 0;
    if (i === last - HELD_TICKS) hand.hold(0 as BodyId, ahead(input.pose, offset), input, i - age);
    const command = hand.update(input, i - age, simulation);
    if (command.kind === 'release') return command;
  }
  throw new Error('The hand has not let go.');
}

function ahead(hand: ReadonlyPose, metres: number): Pose {
  return composePose(hand, { ...pose(), position: vector(0, 0, -metres) }, pose());
}

/** The mean velocity over the 50 ms before a frame, of the motion without noise. */
function truth({ motion, offset }: Case, time: number, part: Part): Found {
  const [from, to] = [time - WINDOW, time].map((t) => ahead(motion.smoothAt(t, part, pose()), offset));
  // No hand drags a body through the floor.
  for (const body of [from, to]) CUBE_BOUNDS.clamp(0 as BodyId, body);
  const way = addScaled(to.position, from.position, -1, vector());
  return {
    linear: setVector(way, way.x / WINDOW, way.y / WINDOW, way.z / WINDOW),
    angular: turned(from, to),
  };
}

/** The mean angular velocity from one pose to another, in radians a second. */
function turned(from: Pose, to: Pose): Vector {
  const turn = multiply(to.rotation, conjugate(from.rotation, quaternion()), quaternion());
  const size = Math.hypot(turn.x, turn.y, turn.z);
  const angle = 2 * Math.atan2(size, Math.abs(turn.w)) * Math.sign(turn.w);
  const scale = size < 1e-9 ? 0 : angle / size / WINDOW;
  return vector(turn.x * scale, turn.y * scale, turn.z * scale);
}

/** How much faster or slower, as a share, and how many degrees off. */
function errors({ linear, found }: Release): { speed: number; degrees: number } {
  const [real, estimated] = [length(linear), length(found.linear)];
  const { x, y, z } = found.linear;
  const cosine = (linear.x * x + linear.y * y + linear.z * z) / real / Math.max(estimated, 1e-9);
  return { speed: Math.abs(estimated / real - 1), degrees: (Math.acos(Math.min(1, cosine)) * 180) / Math.PI };
}

/** The share of releases within 5 % and 3°; printed, with how far they are off. */
function shareNear(which: Case): number {
  const all = releases(which).map(errors);
  expect(all.length).toBeGreaterThan(4000);
  const near = all.filter(({ speed, degrees }) => speed <= 0.05 && degrees <= 3).length / all.length;
  const [speed, degrees] = [spread(all.map((e) => e.speed * 100)), spread(all.map((e) => e.degrees))];
  const { name, rate, noise, offset } = which;
  console.log(
    `${name}, ${rate} Hz, ${noise * 1000} mm of noise, body at ${offset} m: ${(near * 100).toFixed(1)} % of ` +
      `${all.length} releases; off by ${speed} % and ${degrees}° (mean, 95th percentile)`,
  );
  return near;
}

function spread(values: number[]): string {
  values.sort((a, b) => a - b);
  const mean = values.reduce((a, b) => a + b, 0) / values.length;
  return `${mean.toFixed(2)}, ${values[Math.floor(0.95 * values.length)].toFixed(2)}`;
}

/** Evenly random in, normally distributed out: Box and Muller. */
function gaussian(random: Random): number {
  return Math.sqrt(-2 * Math.log(1 - random.next())) * Math.cos(2 * Math.PI * random.next());
}

describe.each(MOTIONS)('[G3.1] throwing on %s motion, from frames to the release', (name, motion) => {
  test('is within 5 % and 3° of the hand’s velocity for 95 %', () => {
    for (const rate of RATES) {
      expect(shareNear({ name, motion, rate, noise: 0, offset: 0 }), `${rate} Hz`).toBeGreaterThanOrEqual(
        0.95,
      );
    }
  });

  test('is so with 1 mm of noise', () => {
    for (const rate of RATES) {
      expect(shareNear({ name, motion, rate, noise: NOISE, offset: 0 }), `${rate} Hz`).toBeGreaterThanOrEqual(
        0.95,
      );
    }
  });

  test('is that of a body that the hand swings', () => {
    for (const rate of RATES) {
      expect(shareNear({ name, motion, rate, noise: 0, offset: 0.4 }), `${rate} Hz`).toBeGreaterThanOrEqual(
        0.95,
      );
    }
  });

  test('turns as the hand does, within 10 %, for 95 %', () => {
    for (const rate of RATES) {
      const all = releases({ name, motion, rate, noise: 0, offset: 0 });
      const near = all.filter(
        ({ angular, found }) => distance(angular, found.angular) <= 0.1 * length(angular) + 0.2,
      );
      expect(near.length / all.length, `${rate} Hz`).toBeGreaterThanOrEqual(0.95);
    }
  });
});
