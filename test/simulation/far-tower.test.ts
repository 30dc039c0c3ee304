import { describe, expect, it } from 'vitest';
import type { BodyId } from '../../src/core/base/ids.ts';
import { NO_BODY } from '../../src/core/base/ids.ts';
import { TICK_SECONDS } from '../../src/core/base/constants.ts';
import type { Pose, ReadonlyVector, Vector } from '../../src/core/base/math.ts';
import {
  addScaled,
  copyVector,
  distance,
  fromAxisAngle,
  length,
  lookAt,
  multiply,
  quaternion,
  rotate,
  setVector,
  vector,
} from '../../src/core/base/math.ts';
import { poseIn } from '../../src/core/base/motion.ts';
import type { HandInput } from '../../src/core/hands/hand-input.ts';
import type { PlayerHand } from '../../src/core/hands/player-hands.ts';
import { CUBE_SIZE } from '../../src/levels/arrangements.ts';
import type { Place, Player, Stage } from '../support/stage.ts';
import { RIGHT, setStage } from '../support/stage.ts';

const HEIGHT = 10;
/** Metres: the place of the tower, and the place of its builder's hand. */
const TOWER = vector(0, 0, 0);
const SHOULDER = vector(0.2, 1.3, 4.2);
/** Metres a second of a carried cube, and over the last quarter of a metre. */
const CARRY_SPEED = 2;
const SET_DOWN_SPEED = 0.4;
const SET_DOWN_FROM = 0.25;
/** Metres above all else at which a cube is carried, and above its place at which it is released. */
const CLEAR = 0.4;
const GAP = 0.004;
/** The effect of a full stick on a cube: radians and metres a tick. */
const TURN_STEP = Math.PI * TICK_SECONDS;
const ZOOM_STEP = 4 * TICK_SECONDS;
/** A deflection that has any effect. */
const LEAST_STICK = 0.101;
/** Radians and metres that are near enough: the smallest push of the stick can't mend less. */
const LEVEL = (LEAST_STICK * TURN_STEP) / 2 + 1e-4;
const THERE = (LEAST_STICK * ZOOM_STEP) / 2 + 1e-4;
/** The tremor of a hand and a sensor: metres, radians, and turns a second. */
const TREMOR = { metres: 0.0003, radians: 0.0005, rate: 8.3 } as const;
const PATIENCE = 30;

/** Cubes on the floor, on both sides of the tower's place. */
const CUBES: readonly Place[] = Array.from({ length: HEIGHT }, (_, i) => {
  const side = i % 2 === 0 ? 1 : -1;
  return [side * (1.4 + 0.4 * i), CUBE_SIZE / 2, -0.3];
});

/** A player in a headset that stays in its place, and builds with a hand that points, its grip and its stick. */
class Builder {
  readonly #stage: Stage;
  readonly #player: Player;
  readonly #input: HandInput;
  readonly #hand: PlayerHand;
  readonly #aim = vector();
  #ticks = 0;
  /** Metres from the hand to each cube when it was let go. */
  readonly placedFrom: number[] = [];

  constructor(stage: Stage, player: Player) {
    this.#stage = stage;
    this.#player = player;
    this.#input = player.input.hands[RIGHT];
    this.#hand = player.peer.player.hands[RIGHT];
  }

  /** Takes a cube from the floor, and puts it on the tower. */
  place(cube: BodyId, level: number): void {
    const start = poseIn(this.#player.peer.state.bodies.motion, cube, pose());
    this.#take(cube, start.position);
    const clear = (level + 0.5) * CUBE_SIZE + CUBE_SIZE + CLEAR;
    const to = { x: TOWER.x, z: TOWER.z };
    this.#carry(vector(start.position.x, clear, start.position.z), CARRY_SPEED);
    this.#carry(vector(to.x, clear, to.z), CARRY_SPEED);
    const place = (level + 0.5) * CUBE_SIZE + GAP;
    this.#carry(vector(to.x, place + SET_DOWN_FROM, to.z), CARRY_SPEED);
    this.#carry(vector(to.x, place, to.z), SET_DOWN_SPEED);
    for (let i = 0; !this.#isInPlace(); i++) {
      if (i * TICK_SECONDS > PATIENCE) throw new Error(`cube ${cube} does not come to its place`);
      this.#steer();
    }
    this.placedFrom.push(length(this.#hand.offset.position));
    // A finger opens over some ticks, in which the hand stays.
    for (let grip = 1; grip >= 0; grip -= 0.2) {
      this.#input.grip = grip;
      this.#still();
    }
    expect(this.#hand.held).toBe(NO_BODY);
    this.#input.grip = 0;
    for (let i = 0; i < 60; i++) this.#still();
  }

  #take(cube: BodyId, at: ReadonlyVector): void {
    copyVector(at, this.#aim);
    for (let i = 0; i < 20; i++) this.#still();
    expect(this.#hand.selected).toBe(cube);
    this.#input.grip = 1;
    this.#still();
    expect(this.#hand.held).toBe(cube);
  }

  /** Moves the cube along a straight line, and steers it there. */
  #carry(to: ReadonlyVector, speed: number): void {
    for (let left = distance(this.#aim, to); left > 1e-6; left = distance(this.#aim, to)) {
      const way = addScaled(to, this.#aim, -1, vector());
      addScaled(this.#aim, way, Math.min(1, (speed * TICK_SECONDS) / left), this.#aim);
      this.#steer();
    }
  }

  /** One tick in which the stick keeps the cube upright, straight, and at the distance of the aim. */
  #steer(): void {
    const { stick } = this.#input;
    const [tilt, yaw] = [this.#tilt(), this.#yaw()];
    this.#input.tilt = Math.abs(tilt) > LEVEL;
    stick.x = push(-(this.#input.tilt ? tilt : yaw) / TURN_STEP, LEVEL / TURN_STEP);
    stick.y = push(this.#tooNear() / ZOOM_STEP, THERE / ZOOM_STEP);
    this.#still();
    stick.x = 0;
    stick.y = 0;
  }

  /** One tick in which the hand points at its aim, and trembles. */
  #still(): void {
    this.#ticks++;
    const turn = 2 * Math.PI * TREMOR.rate * this.#ticks * TICK_SECONDS;
    const { position, rotation } = this.#input.pose;
    const { metres, radians } = TREMOR;
    setVector(
      position,
      SHOULDER.x + metres * Math.sin(turn),
      SHOULDER.y + metres * Math.cos(1.1 * turn),
      SHOULDER.z + metres * Math.sin(0.9 * turn),
    );
    lookAt(SHOULDER, this.#aim, rotation);
    const shake = fromAxisAngle(vector(0.8, 0.6, 0), radians * Math.sin(0.8 * turn), quaternion());
    multiply(rotation, shake, rotation);
    this.#stage.tick();
  }

  #isInPlace(): boolean {
    const errors = [Math.abs(this.#tilt()) / LEVEL, Math.abs(this.#yaw()) / LEVEL];
    return Math.max(...errors) <= 1.2 && Math.abs(this.#tooNear()) <= THERE;
  }

  /** Metres that the cube is nearer than the aim. */
  #tooNear(): number {
    return distance(SHOULDER, this.#aim) - length(this.#hand.offset.position);
  }

  /** Radians by which the cube leans about the right of the hand. */
  #tilt(): number {
    const right = rotate(this.#input.pose.rotation, vector(1, 0, 0), vector());
    const up = rotate(this.#hand.target.rotation, vector(0, 1, 0), vector());
    // The cross product of the world's upright with the cube's, along the right of the hand.
    return Math.atan2(up.z * right.x - up.x * right.z, up.y);
  }

  /** Radians by which the cube is turned about the upright, from the nearest of four sides. */
  #yaw(): number {
    const ahead = rotate(this.#hand.target.rotation, vector(0, 0, 1), vector());
    const yaw = Math.atan2(ahead.x, ahead.z);
    return yaw - (Math.PI / 2) * Math.round(yaw / (Math.PI / 2));
  }
}

/** A push of the stick, or none if it would do more harm than good. */
function push(wish: number, least: number): number {
  if (Math.abs(wish) < least) return 0;
  return Math.sign(wish) * Math.min(1, Math.max(LEAST_STICK, Math.abs(wish)));
}

function pose(): Pose {
  return { position: vector(), rotation: quaternion() };
}

/** The place of each cube of the tower, on every peer. */
function towers(stage: Stage): Vector[][] {
  return stage.present.map(({ peer }) =>
    CUBES.map((_, cube) => poseIn(peer.state.bodies.motion, cube as BodyId, pose()).position),
  );
}

describe('[G3.2] a gentle release places a far cube', () => {
  it('ten built into a tower from four metres and more, at 100 ms and 2 % of loss, stand, and alike for both', async () => {
    const stage = await setStage({ guests: 1, cubes: CUBES, latencyMs: 100 });
    const guest = stage.guest(1);
    for (const way of [guest.uplink, guest.downlink]) way.loss = 0.02;
    const builder = new Builder(stage, guest);
    for (let level = 0; level < HEIGHT; level++) builder.place(level as BodyId, level);
    expect(Math.min(...builder.placedFrom)).toBeGreaterThan(4);
    expect([guest.counted('grab'), guest.counted('release'), guest.counted('throw')]).toEqual([10, 10, 0]);
    // One second at rest, and the news of it.
    stage.letPass(2);
    expect(stage).toAgree();
    const built = towers(stage);
    for (const tower of built) {
      tower.forEach(({ x, y, z }, level) => {
        expect(Math.hypot(x - TOWER.x, z - TOWER.z), `cube ${level}`).toBeLessThan(0.03);
        expect(Math.abs(y / ((level + 0.5) * CUBE_SIZE) - 1), `cube ${level}`).toBeLessThan(0.03);
      });
    }
    stage.letPass(10);
    expect(stage).toAgree();
    expect(towers(stage)).toEqual(built);
    for (const { peer } of stage.present) {
      const { simulation } = peer.state.bodies;
      expect(CUBES.every((_, cube) => simulation.isAsleep(cube as BodyId))).toBe(true);
    }
  });
});
