import { afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import type { BodyId, HandSide, Slot } from '../../../src/core/base/ids.ts';
import { HAND_SIDES, LEFT, NO_BODY, RIGHT } from '../../../src/core/base/ids.ts';
import { TICK_MS, TICK_SECONDS } from '../../../src/core/base/constants.ts';
import type { Pose, ReadonlyPose, ReadonlyQuaternion } from '../../../src/core/base/math.ts';
import {
  composePose,
  conjugate,
  copyPose,
  distance,
  length,
  lookAt,
  multiply,
  pose,
  quaternion,
  relativePose,
  setVector,
  vector,
} from '../../../src/core/base/math.ts';
import { POSE_STRIDE } from '../../../src/core/base/state.ts';
import { Peer } from '../../../src/core/peer/peer.ts';
import { peerView } from '../../../src/core/peer/shown/peer-view.ts';
import { createLevel } from '../../../src/levels/levels.ts';
import { HeadsetPlayer } from '../../../src/input/headset/headset-player.ts';
import { createRapierSimulation, loadPhysics } from '../../../src/physics/rapier-simulation.ts';
import { put } from './emulator.ts';
import type { Wearer } from './wearer.ts';
import { gripOf, putOn, somewhere } from './wearer.ts';

/** Metres and radians: a tenth of a millimetre, and a hundredth of a degree. */
const NEAR = 1e-4;
const TURNED = (0.01 * Math.PI) / 180;
/** Largest speed in metres per second: of a snap, and of a hand below it. */
const SNAP_SPEED = 10;
const HAND_SPEED = 7;
const CUBE = 0 as BodyId;
const SIDES = ['left', 'right'] as const;

/** A player in a headset, and a world that is ticked and drawn as a page does it. */
class Play {
  readonly #worn: Wearer;
  readonly #peer: Peer;
  readonly #view;
  readonly #rays: readonly [Pose, Pose] = [pose(), pose()];
  readonly #rate: number;
  #tickMs: number;
  /** The distance of the drawn cube from its place in the last frame, in metres. */
  way = 0;
  /** Frames that were checked with the cube in a hand. */
  judged = 0;

  constructor(worn: Wearer, rate: number) {
    const scene = createLevel({ id: 'grid', seed: 1, count: 1 });
    this.#worn = worn;
    this.#rate = rate;
    worn.player = new HeadsetPlayer({ position: vector(0, 0, 2.5), yaw: 0 });
    this.#tickMs = worn.now;
    this.#view = peerView(1);
    const simulation = createRapierSimulation(scene);
    this.#peer = new Peer({ slot: 0 as Slot, host: 0 as Slot, level: scene, simulation, name: 'Ada' });
  }

  get heldBy(): HandSide | undefined {
    return HAND_SIDES.find((side) => this.#peer.diagnostics.hands[side].held === CUBE);
  }

  /** The last drawn pose of the cube. */
  get drawn(): Pose {
    const [x, y, z, a, b, c, d] = this.#view.poses.subarray(CUBE * POSE_STRIDE);
    return { position: vector(x, y, z), rotation: quaternion(a, b, c, d) };
  }

  /** The cube's pose relative to a hand, as of the last tick. */
  offset(side: HandSide): Pose {
    return structuredClone(this.#peer.diagnostics.hands[side].offset);
  }

  /** A hand's pose in the world, from the device. */
  hand(side: HandSide): Pose {
    return this.#worn.inWorld(gripOf(SIDES[side], this.#rays[side]));
  }

  point(side: HandSide, ray: ReadonlyPose): void {
    copyPose(ray, this.#rays[side]);
    put(this.#worn.headset[SIDES[side]], ray);
  }

  /** A ray that starts in the middle of the drawn cube. */
  atCube(): Pose {
    const { rig } = this.#worn.player;
    return { position: relativePose(rig, this.drawn, pose()).position, rotation: quaternion() };
  }

  squeeze(side: HandSide, value: number): void {
    this.#worn.headset[SIDES[side]].updateButtonValue('squeeze', value);
  }

  /** One frame, with the ticks that are due in it. */
  frame(): void {
    const { player, held } = this.#worn;
    for (const side of HAND_SIDES) held[side] = this.#peer.diagnostics.hands[side].held !== NO_BODY;
    this.#worn.draw(1000 / this.#rate);
    while (this.#tickMs < this.#worn.now) {
      this.#tickMs += TICK_MS;
      this.#peer.tick(player.sample(this.#tickMs));
    }
    const before = this.drawn.position;
    this.#peer.view(1 - (this.#tickMs - this.#worn.now) / TICK_MS, player.drawn(), this.#view);
    this.way = distance(before, this.drawn.position);
    const side = this.heldBy;
    if (side === undefined) return;
    this.judged++;
    // The offset is of the tick, the hand is of this frame.
    const expected = composePose(this.hand(side), this.offset(side), pose());
    expect(distance(this.drawn.position, expected.position)).toBeLessThan(NEAR);
    expect(turnBetween(this.drawn.rotation, expected.rotation)).toBeLessThan(TURNED);
  }

  /** Frames for `seconds`; `move` moves the hands before each. */
  play(seconds: number, move: (second: number) => void): void {
    for (let i = 1; i <= seconds * this.#rate; i++) {
      move(i / this.#rate);
      this.frame();
    }
  }
}

/** Radians; near 0 it is more exact than the arc cosine. */
function turnBetween(a: ReadonlyQuaternion, b: ReadonlyQuaternion): number {
  const { x, y, z } = multiply(a, conjugate(b, quaternion()), quaternion());
  return 2 * Math.asin(Math.min(1, Math.hypot(x, y, z)));
}

/** A quick hand. */
function swing(second: number): Pose {
  const at = somewhere(second * 45);
  at.position.y += 0.6;
  return at;
}

/** A ray from 2.5 m behind the cube that points down at it. */
function towardsCube(): Pose {
  const at = pose();
  setVector(at.position, 0.2, 1.2, -0.3);
  lookAt(at.position, vector(0, 0.25, -2.5), at.rotation);
  return at;
}

let worn: Wearer;

beforeAll(loadPhysics);
beforeEach(async () => {
  worn = await putOn();
});
afterEach(() => {
  vi.unstubAllGlobals();
});

describe.each([72, 90, 120])(
  '[T5.1] at %i Hz a held cube is drawn where the hand is in the same frame',
  (rate) => {
    /** A cube in the right hand. */
    function grabbed(): Play {
      const play = new Play(worn, rate);
      play.point(RIGHT, towardsCube());
      play.play(0.2, () => undefined);
      play.squeeze(RIGHT, 1);
      play.play(0.1, () => undefined);
      expect(play.heldBy).toBe(RIGHT);
      return play;
    }

    test('keeps its offset to the hand, however the hand moves', () => {
      const play = grabbed();
      const taken = relativePose(play.hand(RIGHT), play.drawn, pose());
      // Upwards at once: nothing can go through the floor.
      play.play(0.5, (s) => {
        const ray = towardsCube();
        ray.position.y += 2 * s;
        play.point(RIGHT, ray);
      });
      play.judged = 0;
      let fastest = 0;
      play.play(1, (s) => {
        const before = play.hand(RIGHT).position;
        const ray = swing(s);
        lookAt(ray.position, vector(Math.sin(3 * s), 2 + 0.3 * Math.sin(7 * s), -3), ray.rotation);
        play.point(RIGHT, ray);
        fastest = Math.max(fastest, distance(before, play.hand(RIGHT).position) * rate);
        const { position, rotation } = play.offset(RIGHT);
        expect(distance(position, taken.position)).toBeLessThan(NEAR);
        expect(turnBetween(rotation, taken.rotation)).toBeLessThan(TURNED);
      });
      expect(play.judged).toBe(rate);
      expect(fastest).toBeGreaterThan(1.5);
    });

    test('while it is moved away and closer, turned and snapped', () => {
      const play = grabbed();
      let now = 0;
      const level = (): void => {
        now += 1 / rate;
        const ray = swing(now);
        lookAt(vector(), vector(0, 0.1, -1), ray.rotation);
        play.point(RIGHT, ray);
      };
      play.play(3 / rate, level);
      const far = (): number => length(play.offset(RIGHT).position);
      const steps: readonly [stick: readonly [number, number], trigger: number, seconds: number][] = [
        [[0, 1], 0, 0.4],
        [[0, -1], 0, 0.3],
        [[1, 0], 0, 0.4],
        [[0, 0], 1, 0.6],
      ];
      const reached: number[] = [];
      for (const [[right, forward], trigger, seconds] of steps) {
        worn.stick('right', right, forward);
        worn.headset.right.updateButtonValue('trigger', trigger);
        play.play(seconds, () => {
          level();
          expect(play.way, 'no jump').toBeLessThan(SNAP_SPEED * TICK_SECONDS + HAND_SPEED / rate);
        });
        reached.push(far());
      }
      expect(reached[0]).toBeGreaterThan(reached[1] + 0.5);
      expect(reached[3]).toBeLessThan(0.5);
      expect(play.judged).toBeGreaterThan(rate * 1.5);
    });

    test('while it goes from hand to hand, without a jump', () => {
      const play = grabbed();
      worn.headset.right.updateButtonValue('trigger', 1);
      const still = swing(0);
      play.play(1, () => play.point(RIGHT, still));
      worn.headset.right.updateButtonValue('trigger', 0);
      for (const [from, to] of [
        [RIGHT, LEFT],
        [LEFT, RIGHT],
      ] as const) {
        // The other hand comes to the cube and closes.
        play.squeeze(to, 0);
        let ray = pose();
        play.play(0.3, () => {
          ray = play.atCube();
          play.point(to, ray);
        });
        play.squeeze(to, 1);
        play.play(0.2, (s) => {
          // Both hands move on together.
          for (const [side, at] of [
            [from, still],
            [to, ray],
          ] as const) {
            const moved = structuredClone(at);
            moved.position.y += s;
            play.point(side, moved);
          }
          expect(play.way).toBeLessThan(0.04);
        });
        expect(play.heldBy).toBe(to);
        still.position.y = ray.position.y;
        copyPose(ray, still);
        still.position.y += 0.2;
        play.point(to, still);
        play.frame();
      }
      expect(play.judged).toBeGreaterThan(rate);
    });
  },
);
