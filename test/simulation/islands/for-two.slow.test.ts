import { describe, expect, test } from 'vitest';
import type { BodyId } from '../../../src/core/base/ids.ts';
import type { ReadonlyVector, Vector } from '../../../src/core/base/math.ts';
import { distance, pose, quaternion, rotate, setVector, vector } from '../../../src/core/base/math.ts';
import { POSE_STRIDE } from '../../../src/core/base/state.ts';
import { peerView } from '../../../src/core/peer/shown/peer-view.ts';
import type { Joint, JointKind } from '../../../src/core/world/joints/joint.ts';
import { jointEnd } from '../../../src/core/world/joints/joint.ts';
import type { Level, LevelBody } from '../../../src/core/world/level.ts';
import { flatLevel, STANDARD_MATERIAL } from '../../../src/core/world/level.ts';
import { readPose } from '../../../src/harness/read-pose.ts';
import { RIGHT, setStage } from '../../support/stage.ts';
import type { Place, Player, Stage } from '../../support/stage.ts';

/** The players that hold a thing for two, at its two ends. */
const HOLDERS = [1, 2] as const;
/** The two ends that they hold, what is between them, and a cube that lies on that. */
const [NEAR, FAR, MIDDLE, LOAD] = [0, 1, 2, 3] as BodyId[];
const FIXED: JointKind = { kind: 'fixed' };
const TICKS = 60;
const UP = vector(0, 1, 0);

function body([x, y, z]: Place, [w, h, d]: Place, mass: number): LevelBody {
  const shape = { kind: 'box', halfExtents: [w / 2, h / 2, d / 2] } as const;
  const start = { position: vector(x, y, z), rotation: quaternion() };
  return { template: { ...STANDARD_MATERIAL, shape, mass, friction: 0.9 }, start };
}

function tied(bodies: readonly LevelBody[], joints: readonly Joint[]): Level {
  return { ...flatLevel('for two', bodies), joints };
}

/** A beam with a handle at each end; and maybe a cube on it. @param mass of the beam. */
function beam(mass: number, load: boolean): Level {
  const handle = (x: number): LevelBody => body([x, 0.05, 0], [0.1, 0.1, 0.1], 0.3);
  const bodies = [handle(-0.9), handle(0.9), body([0, 0.05, 0], [1.6, 0.06, 0.4], mass)];
  if (load) bodies.push(body([0, 0.23, 0], [0.3, 0.3, 0.3], 1));
  const joints = [NEAR, FAR].map((end): Joint => {
    const at = vector(end === NEAR ? -0.85 : 0.85, 0.05, 0);
    return { ...FIXED, ends: [jointEnd(bodies, MIDDLE, at), jointEnd(bodies, end, at)], collides: false };
  });
  return tied(bodies, joints);
}

/** Two cubes, and a rope of so many metres between their middles. */
function rope(length: number): Level {
  const bodies = [body([-0.5, 0.15, 0], [0.3, 0.3, 0.3], 1), body([0.5, 0.15, 0], [0.3, 0.3, 0.3], 1)];
  const ends = [
    jointEnd(bodies, 0, vector(-0.5, 0.15, 0)),
    jointEnd(bodies, 1, vector(0.5, 0.15, 0)),
  ] as const;
  return tied(bodies, [{ kind: 'rope', length, ends, collides: true }]);
}

/** Two guests take the ends of a thing: the first simulates it, and the second pulls. */
async function takeEnds(scene: Level): Promise<Stage> {
  const stage = await setStage({ guests: 3, cubes: [], scene });
  stage.guest(1).grabs(NEAR);
  stage.letPass(0.4);
  stage.guest(2).grabs(FAR);
  stage.letPass(0.4);
  expectHeld(stage);
  return stage;
}

function expectHeld(stage: Stage): void {
  expect(stage.guest(1).holds(NEAR), 'the first holds its end').toBe(true);
  expect(stage.guest(2).peer.player.hands[RIGHT].reach, 'the second pulls its end').toBe(FAR);
}

function handOf({ input }: Player): Vector {
  return input.hands[RIGHT].pose.position;
}

/** Both hands move for so many seconds by the same way. @param wayAt metres from where they were, by seconds. */
function moveBoth(
  stage: Stage,
  seconds: number,
  wayAt: (seconds: number) => Place,
  look: () => void = () => undefined,
): void {
  const starts = HOLDERS.map((slot) => ({ ...handOf(stage.guest(slot)) }));
  for (let tick = 1; tick <= seconds * TICKS; tick++) {
    const [x, y, z] = wayAt(tick / TICKS);
    HOLDERS.forEach((slot, i) => {
      setVector(handOf(stage.guest(slot)), starts[i].x + x, starts[i].y + y, starts[i].z + z);
    });
    stage.tick();
    look();
  }
}

/** Where a player draws a body. */
function drawn(player: Player, id: BodyId): ReturnType<typeof pose> {
  const view = peerView(4);
  player.peer.view(1, null, view);
  return readPose(view.poses, id * POSE_STRIDE, pose());
}

function endAlike(stage: Stage): void {
  stage.letAllRest();
  expect(stage).toAgree();
}

describe('[J3.2] a thing for two, 100 ms apart', () => {
  test('a plank with a cube on it, which they lift and carry for two metres', async () => {
    const stage = await takeEnds(beam(4, true));
    moveBoth(stage, 1, (t) => [0, 0.8 * t, 0]);
    const worst = { tilt: 0, slip: 0 };
    moveBoth(
      stage,
      2,
      (t) => [0, 0, t],
      () => {
        for (const player of stage.present) {
          const { position, rotation } = drawn(player, MIDDLE);
          worst.tilt = Math.max(worst.tilt, Math.acos(rotate(rotation, UP, vector()).y));
          worst.slip = Math.max(worst.slip, distance(drawn(player, LOAD).position, above(position, 0.18)));
        }
      },
    );
    expect(worst.tilt, 'radians').toBeLessThan(0.15);
    expect(worst.slip, 'metres from its place on the plank').toBeLessThan(0.1);
    stage.letPass(0.5);
    expectHeld(stage);
    for (const player of stage.present) {
      const { y, z } = drawn(player, MIDDLE).position;
      expect(y, 'metres above the floor').toBeGreaterThan(0.6);
      expect(Math.abs(z - 2), 'metres from where they went').toBeLessThan(0.2);
    }
    endAlike(stage);
  });

  test.each([
    [1, 'who simulates it'],
    [2, 'who pulls'],
    [0, 'the host'],
  ])(
    '[J3.9] a plank that they hold up while the page of player %i, %s, stands still for two seconds',
    async (slot) => {
      const stage = await takeEnds(beam(4, true));
      moveBoth(stage, 1, (t) => [0, 0.8 * t, 0]);
      moveBoth(stage, 0.6, (t) => [0, 0, 0.6 * t]);
      const [player] = stage.present.filter((one) => one.slot === slot);
      player.standsStill = true;
      let [lowest, widest] = [Infinity, 0];
      const before = stage.present.map((one) => drawn(one, MIDDLE).position);
      for (let tick = 0; tick < 2 * TICKS; tick++) {
        stage.tick();
        for (const [i, one] of stage.present.entries()) {
          const { position } = drawn(one, MIDDLE);
          lowest = Math.min(lowest, position.y);
          widest = Math.max(widest, distance(position, before[i]));
          before[i] = position;
        }
      }
      player.standsStill = false;
      expect(lowest, 'metres, for all').toBeGreaterThan(0.7);
      expect(widest, 'metres in a tick').toBeLessThan(0.03);
      for (const one of stage.present) {
        const [plank, cube] = [MIDDLE, LOAD].map((id) => drawn(one, id).position);
        expect(distance(cube, above(plank, 0.18)), 'metres from its place on the plank').toBeLessThan(0.2);
      }
      stage.letPass(1);
      expectHeld(stage);
      for (const one of stage.present) expect(drawn(one, MIDDLE).position.y, 'metres').toBeGreaterThan(0.6);
      endAlike(stage);
    },
  );

  test('a saw, which they draw to and fro', async () => {
    const stage = await takeEnds(beam(2, false));
    moveBoth(stage, 0.5, (t) => [0, 0.6 * t, 0]);
    const xs = stage.present.map(() => [] as number[]);
    let farthest = 0;
    moveBoth(
      stage,
      6,
      (t) => [0.3 * Math.sin(Math.PI * t), 0, 0],
      () => {
        stage.present.forEach((player, i) => xs[i].push(drawn(player, MIDDLE).position.x));
        const own = stage.guest(2);
        farthest = Math.max(farthest, distance(drawn(own, FAR).position, handOf(own)));
      },
    );
    expectHeld(stage);
    for (const way of xs) {
      const late = way.slice(2 * TICKS);
      expect(Math.max(...late) - Math.min(...late), 'metres of each stroke').toBeGreaterThan(0.4);
    }
    expect(farthest, 'metres from the hand that does not simulate it').toBeLessThan(0.45);
    endAlike(stage);
  });

  test('a rope, at which they pull: it holds, and neither loses it at half a metre', async () => {
    const stage = await takeEnds(rope(1.2));
    const start = { ...handOf(stage.guest(2)) };
    const longest = stage.present.map(() => 0);
    for (let tick = 1; tick <= 3 * TICKS; tick++) {
      setVector(handOf(stage.guest(2)), start.x + Math.min(tick / TICKS, 0.6), start.y, start.z);
      stage.tick();
      stage.present.forEach((player, i) => {
        const [near, far] = [drawn(player, NEAR).position, drawn(player, FAR).position];
        longest[i] = Math.max(longest[i], distance(near, far));
      });
    }
    expectHeld(stage);
    for (const metres of longest) {
      expect(metres, 'it is taut').toBeGreaterThan(1.15);
      expect(metres, 'and not longer than it is').toBeLessThan(1.25);
    }
    endAlike(stage);
  });
});

function above({ x, y, z }: ReadonlyVector, metres: number): Vector {
  return vector(x, y + metres, z);
}
