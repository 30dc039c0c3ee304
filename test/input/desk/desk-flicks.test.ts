import { describe, expect, test } from 'vitest';
import type { BodyId, Slot } from '../../../src/core/base/ids.ts';
import { RIGHT } from '../../../src/core/base/ids.ts';
import {
  GRAVITY,
  LINEAR_DAMPING,
  TICK_MS,
  TICK_RATE,
  TICK_SECONDS,
} from '../../../src/core/base/constants.ts';
import type { Vector } from '../../../src/core/base/math.ts';
import { copyPose, copyVector, vector } from '../../../src/core/base/math.ts';
import type { HandCommand } from '../../../src/core/hands/player-hands.ts';
import { PlayerHand } from '../../../src/core/hands/player-hands.ts';
import type { PeerView } from '../../../src/core/peer/shown/peer-view.ts';
import { peerView } from '../../../src/core/peer/shown/peer-view.ts';
import { createLevel } from '../../../src/levels/levels.ts';
import { reachBelow } from '../../../src/core/world/extent/extent.ts';
import { DeskPlayer } from '../../../src/input/desk-player.ts';
import { floatingSimulation } from '../../support/bodiless.ts';
import { CUBE_BOUNDS } from '../../support/held-bounds.ts';

const world = floatingSimulation(createLevel({ id: 'grid', seed: 1, count: 1 }));
const CUBE = 0 as BodyId;
const FLOOR = 0.25;

/** A desk whose hand really holds a cube, as a peer has it. */
class Holder {
  readonly desk = new DeskPlayer({ position: vector(0, 1.6, 3), yaw: 0, pitch: 0 });
  readonly hand = new PlayerHand(RIGHT, CUBE_BOUNDS, TICK_RATE);
  readonly view: PeerView = peerView(1);
  readonly cube = vector();
  ticks = 0;

  constructor(cube: Vector) {
    this.desk.setLens(Math.PI / 3, 16 / 9);
    this.view.self = 0 as Slot;
    this.view.avatars[0].present = true;
    copyVector(cube, this.cube);
    this.desk.point(0, 0, 0);
    this.desk.grip(true);
    this.tick();
    for (let i = 0; i < 30; i++) this.tick();
  }

  /** One frame with one tick. */
  tick(): HandCommand {
    const now = ++this.ticks * TICK_MS;
    this.desk.beginFrame(now);
    const input = this.desk.sample(now);
    const mine = input.hands[RIGHT];
    const time = this.ticks - input.age;
    if (this.hand.held < 0 && mine.grip === 1) {
      const at = { position: this.cube, rotation: { x: 0, y: 0, z: 0, w: 1 } };
      this.hand.hold(CUBE, at, mine, time);
    }
    const command = this.hand.update(mine, time, world);
    copyVector(this.hand.target.position, this.cube);
    this.#see();
    return command;
  }

  #see(): void {
    const { hands } = this.view.avatars[0];
    copyPose(this.desk.drawn().hands[RIGHT].pose, hands[RIGHT].pose);
    hands[RIGHT].held = this.hand.held;
    hands[RIGHT].heldShape = CUBE_BOUNDS.shapeOf(CUBE);
    const { position, rotation } = this.hand.target;
    this.view.poses.set([position.x, position.y, position.z, rotation.x, rotation.y, rotation.z, rotation.w]);
    this.desk.see(this.view);
  }

  /**
   * Moves the pointer for 150 ms at this speed, in screen heights a second, and opens the hand.
   * @param angle radians to the right of straight up.
   */
  flick(speed: number, angle = 0, rate = 60): Extract<HandCommand, { kind: 'release' }> {
    const start = this.ticks * TICK_MS;
    const count = Math.round(0.15 * rate);
    for (let i = 1; i <= count; i++) {
      const seconds = i / rate;
      const way = 2 * speed * seconds;
      while ((this.ticks + 1) * TICK_MS < start + seconds * 1000) this.tick();
      const x = (way * Math.sin(angle) * 9) / 16;
      this.desk.point(x, way * Math.cos(angle), start + seconds * 1000);
    }
    this.desk.grip(false);
    const command = this.tick();
    if (command.kind !== 'release') throw new Error('the hand did not open');
    return command;
  }

  addFriend(x: number, z: number): void {
    Object.assign(this.view.avatars[1], { present: true });
    Object.assign(this.view.avatars[1].head.position, { x, y: 1.65, z });
  }
}

/** Where a body lands, and how near it passes to an upright axis before. */
function fly(from: Vector, velocity: Vector, axis = vector()): { landing: Vector; passes: number } {
  const [at, v] = [vector(from.x, from.y, from.z), vector(velocity.x, velocity.y, velocity.z)];
  let passes = Infinity;
  while (at.y >= FLOOR || v.y > 0) {
    v.y -= GRAVITY * TICK_SECONDS;
    for (const c of ['x', 'y', 'z'] as const) {
      v[c] /= 1 + LINEAR_DAMPING * TICK_SECONDS;
      at[c] += v[c] * TICK_SECONDS;
    }
    if (at.y < 2) passes = Math.min(passes, Math.hypot(at.x - axis.x, at.z - axis.z));
  }
  return { landing: at, passes };
}

describe('[G3] a flick of a pointer', () => {
  test.each([-0.5, -0.8, -1])(
    'throws as far if the hand has held the cube at the floor, looking down by %d rad',
    (down) => {
      const holder = new Holder(vector(0, 1.4, -1.5));
      holder.desk.look(0, down);
      for (let i = 0; i < 30; i++) holder.tick();
      const lowest = reachBelow(CUBE_BOUNDS.shapeOf(CUBE), holder.hand.target.rotation);
      expect(holder.cube.y, 'on an edge').toBeCloseTo(lowest, 5);
      expect(lowest).toBeGreaterThan(0.3);
      const { linear, thrown } = holder.flick(2.2);
      expect(thrown).toBe(true);
      const { landing } = fly(holder.cube, linear);
      expect(holder.cube.z - landing.z).toBeGreaterThan(3.4);
      expect(holder.cube.z - landing.z).toBeLessThan(4.8);
    },
  );

  test.each([
    [0.9, 1.4],
    [2, 3.6],
    [3, 5.6],
    [5, 8],
  ])('upwards at %d screen heights a second throws %d m away along the view', (speed, metres) => {
    for (const from of [vector(0, 0.25, 0), vector(0, 1.6, 1), vector(0.1, 1.5, -4)]) {
      const holder = new Holder(from);
      const { linear, angular, thrown } = holder.flick(speed);
      expect(thrown).toBe(true);
      const { landing } = fly(holder.cube, linear);
      expect(holder.cube.z - landing.z).toBeGreaterThan(metres * 0.92 - 0.15);
      expect(holder.cube.z - landing.z).toBeLessThan(metres * 1.08 + 0.15);
      expect(Math.abs(landing.x - holder.cube.x)).toBeLessThan(0.05);
      expect(Math.hypot(angular.x, angular.y, angular.z)).toBeLessThan(1e-6);
      const steep = Math.atan2(linear.y, Math.hypot(linear.x, linear.z));
      expect((steep * 180) / Math.PI).toBeLessThan(50);
    }
  });

  test.each([30, 60, 120])('throws as far with %d events a second', (rate) => {
    const holder = new Holder(vector(0, 1, 0));
    const { linear } = holder.flick(2.4, 0, rate);
    const { landing } = fly(holder.cube, linear);
    expect(holder.cube.z - landing.z).toBeGreaterThan(3.9);
    expect(holder.cube.z - landing.z).toBeLessThan(4.9);
  });

  test('to a side throws to that side, and still away', () => {
    const holder = new Holder(vector(0, 1, 0));
    const { linear } = holder.flick(2, Math.PI / 4);
    expect(linear.x).toBeGreaterThan(1);
    expect(linear.z).toBeLessThan(-1);
  });

  test('that is slow puts down', () => {
    const holder = new Holder(vector(0, 1, 0));
    const { linear, thrown } = holder.flick(0.4);
    expect(thrown).toBe(false);
    expect(Math.hypot(linear.x, linear.y, linear.z)).toBeLessThan(3);
  });

  test.each([
    [-0.3, 1.2, 0],
    [0.3, 2, 0.15],
    [0, 4.5, -0.2],
    [-1.4, 2.4, -0.9],
    [1.4, 1.6, 1.1],
  ])('at a friend who is %d m beside the view comes to it, at %d heights a second', (x, speed, angle) => {
    const holder = new Holder(vector(0, 1, 1));
    holder.addFriend(x, -1);
    const { linear } = holder.flick(speed, angle);
    expect(fly(holder.cube, linear, vector(x, 0, -1)).passes).toBeLessThan(0.3);
  });

  test('that is far beside a friend, or far too short, goes its own way', () => {
    for (const [x, z] of [
      [4, -1],
      [0.1, -18],
      [0, 8],
    ]) {
      const [alone, beside] = [new Holder(vector(0, 1, 1)), new Holder(vector(0, 1, 1))];
      beside.addFriend(x, z);
      expect(beside.flick(1.2).linear).toEqual(alone.flick(1.2).linear);
    }
  });

  test('shows its way as it moves, and it lands where the throw does', () => {
    const holder = new Holder(vector(0, 1, 0));
    const points = new Float32Array(30);
    expect(holder.desk.traceThrow(points)).toBe(false);
    const { linear } = ((): ReturnType<Holder['flick']> => {
      const start = holder.ticks * TICK_MS;
      for (let i = 1; i <= 9; i++) {
        holder.desk.point(0, i * 0.07, start + i * TICK_MS);
        if (i < 9) holder.tick();
      }
      holder.desk.beginFrame(start + 9 * TICK_MS);
      expect(holder.desk.traceThrow(points)).toBe(true);
      holder.desk.grip(false);
      const command = holder.tick();
      if (command.kind !== 'release') throw new Error('the hand did not open');
      return command;
    })();
    const { landing } = fly(holder.cube, linear);
    expect(Math.hypot(points[27] - landing.x, points[29] - landing.z)).toBeLessThan(0.2);
    expect(points[28]).toBeCloseTo(FLOOR, 3);
  });

  test('a lost pointer or a lost window throws nothing', () => {
    const holder = new Holder(vector(0, 1, 0));
    for (let i = 1; i <= 9; i++) holder.desk.point(0, i * 0.07, holder.ticks * TICK_MS + i * 16);
    holder.desk.letGo();
    const command = holder.tick();
    expect(command).toMatchObject({ kind: 'release', thrown: false, linear: { x: 0, y: 0, z: 0 } });
  });
});
