import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { REST_TOLERANCE } from '../../src/core/base/constants.ts';
import type { BodyId } from '../../src/core/base/ids.ts';
import { NO_BODY } from '../../src/core/base/ids.ts';
import { pose, quaternion, setVector, vector } from '../../src/core/base/math.ts';
import { Random } from '../../src/core/base/random.ts';
import { MOTION, STRIDE } from '../../src/core/base/state.ts';
import type { LevelBody, Level } from '../../src/core/world/level.ts';
import { flatLevel, STANDARD_MATERIAL } from '../../src/core/world/level.ts';
import { createLevel } from '../../src/levels/levels.ts';
import { CUBE_SIZE } from '../../src/levels/arrangements.ts';
import type { Simulation } from '../../src/core/world/simulation.ts';
import { rollingContract } from './rolling-contract.ts';
import { shapesContract } from './shapes-contract.ts';

const STILL = vector();

/** The duties of every engine behind Simulation. */
export function simulationContract(name: string, create: (level: Level) => Simulation): void {
  describe(`${name} keeps the contract of a simulation`, () => {
    let simulation: Simulation;
    let motion: Float32Array;

    function start(choice: Parameters<typeof createLevel>[0]): void {
      simulation = create(createLevel(choice));
      motion = new Float32Array(simulation.count * STRIDE);
      simulation.capture(motion);
    }
    function run(ticks: number): void {
      for (let i = 0; i < ticks; i++) simulation.step();
      simulation.capture(motion);
    }
    const height = (body: number): number => motion[body * STRIDE + 1];
    const position = (body: number): number[] => [...motion.subarray(body * STRIDE, body * STRIDE + 3)];

    describe('with all shapes', () => shapesContract(create));
    describe('with rolling friction', () => rollingContract(create));

    beforeEach(() => start({ id: 'tower', seed: 1 }));
    afterEach(() => simulation.dispose());

    it('a tower stands, and each cube touches its neighbours alone', () => {
      run(240);
      expect(height(19), 'of 9.75 m, less what the engine lets cubes sink in').toBeGreaterThan(9.5);
      for (let body = 0; body < 20; body++) {
        const expected = [body - 1, body + 1].filter((other) => other >= 0 && other < 20);
        expect([...simulation.contacts.neighbours[body]].sort((a, b) => a - b)).toEqual(expected);
      }
    });

    it('[A10.1] a contact that it is told to ignore pushes nothing, and still counts as touching', () => {
      const [a, b] = [0, 1] as BodyId[];
      const ignores = (one: BodyId, other: BodyId): boolean => one + other === 1;
      const gap = (): number => {
        simulation.capture(motion);
        return motion[STRIDE] - motion[0];
      };
      simulation.dispose();
      start({ id: 'grid', seed: 1, count: 2 });
      for (const [body, x] of [
        [a, 0],
        [b, 0.3],
      ] as const) {
        motion.fill(0, body * STRIDE, (body + 1) * STRIDE);
        motion.set([x, 0.25, 0, 0, 0, 0, 1], body * STRIDE);
        simulation.write(body, motion);
      }
      simulation.askAbout(b, true);
      for (let i = 0; i < 30; i++) simulation.step(ignores);
      expect(gap()).toBeCloseTo(0.3, 3);
      expect(simulation.contacts.touching(a, b)).toBe(true);
      for (let i = 0; i < 60; i++) simulation.step();
      expect(gap(), 'while nothing is ignored').toBeGreaterThan(0.45);
      simulation.write(b, motion.fill(0.3, STRIDE, STRIDE + 1));
      simulation.askAbout(b, false);
      for (let i = 0; i < 60; i++) simulation.step(ignores);
      expect(gap(), 'once it is not asked about').toBeGreaterThan(0.45);
    });

    it('[R1.1] never puts a body to sleep by itself', () => {
      run(600);
      for (let body = 0; body < 20; body++) expect(simulation.isAsleep(body as BodyId)).toBe(false);
    });

    it('an island that was put to sleep stays asleep and keeps its place, and capture leaves it alone', () => {
      run(240);
      for (let body = 0; body < 20; body++) simulation.sleep(body as BodyId);
      const before = position(19);
      motion[19 * STRIDE] = 123;
      run(120);
      expect(simulation.isAsleep(19 as BodyId)).toBe(true);
      expect(motion[19 * STRIDE]).toBe(123);
      simulation.wake(19 as BodyId);
      run(1);
      expect(position(19)[1]).toBeCloseTo(before[1], 3);
    });

    it('a sleeping body wakes when another hits it', () => {
      run(240);
      for (let body = 0; body < 19; body++) simulation.sleep(body as BodyId);
      setMotion(19, [3, 9.2, 0], [-12, 0, 0]);
      run(30);
      expect(simulation.isAsleep(18 as BodyId)).toBe(false);
    });

    function setMotion(body: number, at: number[], linear: number[]): void {
      const o = body * STRIDE;
      motion.set([...at, 0, 0, 0, 1, ...linear, 0, 0, 0], o);
      simulation.write(body as BodyId, motion);
    }

    it('write puts a body where it says, with its velocities, and wakes it', () => {
      simulation.sleep(19 as BodyId);
      setMotion(19, [5, 20, 5], [1, 2, 3]);
      simulation.capture(motion);
      expect(position(19)).toEqual([5, 20, 5]);
      expect([...motion.subarray(19 * STRIDE + MOTION.linear, 19 * STRIDE + MOTION.linear + 3)]).toEqual([
        1, 2, 3,
      ]);
      expect(simulation.isAsleep(19 as BodyId)).toBe(false);
    });

    it('a push changes the velocity by impulse through mass, turns what it hits off its middle, and wakes', () => {
      simulation.dispose();
      start({ id: 'grid', seed: 1, count: 1 });
      const body = 0 as BodyId;
      run(60);
      simulation.sleep(body);
      simulation.push(body, vector(0, 6, 0), null, 40);
      expect(simulation.isAsleep(body)).toBe(false);
      run(1);
      // Mass 1: 6 m/s, less a tick of gravity and drag.
      expect(motion[MOTION.linear + 1]).toBeGreaterThan(5.7);
      expect(motion[MOTION.linear + 1]).toBeLessThan(6);
      expect(Math.abs(motion[MOTION.angular])).toBeLessThan(0.1);
      const [x, y, z] = position(body);
      expect(simulation.push(body, vector(0, 0, 1), vector(x, y + 0.2, z), 40)).toBe(true);
      run(1);
      expect(motion[MOTION.angular]).toBeGreaterThan(1);
      expect(motion[MOTION.linear + 2]).toBeCloseTo(1, 1);
    });

    it('a push that would turn a body too fast does not happen, and wakes nothing', () => {
      simulation.dispose();
      start({ id: 'grid', seed: 1, count: 1 });
      const body = 0 as BodyId;
      run(60);
      simulation.sleep(body);
      const [x, y, z] = position(body);
      expect(simulation.push(body, vector(0, 0, 1), vector(x, y + 0.2, z), 1)).toBe(false);
      expect(simulation.isAsleep(body)).toBe(true);
      run(1);
      expect(simulation.isAsleep(body)).toBe(true);
      expect(simulation.push(body, vector(0, 0, 1), vector(x, y + 0.2, z), 20)).toBe(true);
      run(1);
      const was = motion[MOTION.angular];
      expect(was).toBeGreaterThan(1);
      expect(simulation.push(body, vector(0, 0, 20), vector(x, y + 0.2, z), 20)).toBe(false);
      run(1);
      expect(motion[MOTION.angular]).toBeLessThan(was + 1);
    });

    it('[G5.1] a held body goes where it is told and pushes what it touches', () => {
      run(60);
      simulation.hold(10 as BodyId, true);
      const target = pose();
      for (let i = 1; i <= 30; i++) {
        setVector(target.position, i * 0.05, 5.25, 0);
        simulation.moveHeld(10 as BodyId, target);
        simulation.step();
      }
      simulation.capture(motion);
      expect(position(10)[0]).toBeCloseTo(1.5, 3);
      expect(Math.abs(position(11)[0]), 'what lay on it went along').toBeGreaterThan(0.05);
    });

    it('[G5.2] a carried body touches nothing, and a body on it falls', () => {
      run(60);
      simulation.hold(10 as BodyId, false);
      const target = pose();
      setVector(target.position, 0, 5.25, 0);
      for (let i = 0; i < 10; i++) {
        simulation.moveHeld(10 as BodyId, target);
        simulation.step();
      }
      expect(simulation.contacts.neighbours[10]).toEqual([]);
      simulation.capture(motion);
      expect(height(11)).toBeLessThan(5.72);
    });

    it('a released body flies with the velocities that it is given', () => {
      simulation.hold(19 as BodyId, true);
      const target = pose();
      setVector(target.position, 5, 10, 0);
      simulation.moveHeld(19 as BodyId, target);
      simulation.step();
      simulation.release(19 as BodyId, vector(6, 0, 0), STILL);
      run(30);
      expect(position(19)[0]).toBeGreaterThan(7.8);
      expect(height(19)).toBeLessThan(9);
    });

    it('[G5.1] a hand that jumps moves its body at once, but pushes no harder than a throw', () => {
      run(60);
      simulation.hold(10 as BodyId, true);
      const target = pose();
      setVector(target.position, 20, 5.25, 0);
      simulation.moveHeld(10 as BodyId, target);
      run(1);
      expect(position(10)[0]).toBeCloseTo(20, 3);
      for (let body = 0; body < 20; body++) {
        if (body !== 10) expect(Math.abs(motion[body * STRIDE + MOTION.linear])).toBeLessThan(20.1);
      }
    });

    it('finds the nearest body in a sphere, the first on a ray, and what a wider cast meets', () => {
      simulation.step();
      expect(simulation.overlapSphere(vector(0.28, 5.3, 0), 0.05)).toBe(10);
      expect(simulation.overlapSphere(vector(2, 5.3, 0), 0.05)).toBe(NO_BODY);
      const left = vector(-1, 0, 0);
      expect(simulation.castRay(vector(5, 5.25, 0), left, 20)).toBe(10);
      expect(simulation.castRay(vector(5, 5.25, 0), left, 2)).toBe(NO_BODY);
      expect(simulation.castRay(vector(5, 5.25, 0.4), left, 20)).toBe(NO_BODY);
      expect(simulation.castSphere(vector(5, 5.25, 0.4), left, 0.25, 20)).toBe(10);
      expect(simulation.castRay(vector(5, 1, 0), vector(0, -1, 0), 20), 'the floor').toBe(NO_BODY);
    });

    describe('of many balls', () => {
      const RADIUS = 0.25;
      const COUNT = 40;

      /** Balls that fall into a heap, and roll. */
      function heap(): Level {
        const random = new Random(1);
        const bodies = Array.from({ length: COUNT }, (_, i): LevelBody => ({
          template: { ...STANDARD_MATERIAL, shape: { kind: 'ball', radius: RADIUS } },
          start: {
            position: vector(random.between(-0.6, 0.6), 1 + i * 0.3, random.between(-0.6, 0.6)),
            rotation: quaternion(),
          },
        }));
        return flatLevel('balls', bodies);
      }

      it('the contact graph is what a look at every pair finds', () => {
        const balls = create(heap());
        const at = new Float32Array(COUNT * STRIDE);
        const wrong: string[] = [];
        let touching = 0;
        for (let tick = 0; tick < 240; tick++) {
          // An engine finds contacts where bodies are before they move, and a little ahead.
          balls.capture(at);
          balls.step();
          for (let a = 0; a < COUNT; a++) {
            for (let b = 0; b < a; b++) {
              const [x, y, z] = [0, 1, 2].map((k) => at[a * STRIDE + k] - at[b * STRIDE + k]);
              const gap = Math.sqrt(x * x + y * y + z * z) - 2 * RADIUS;
              const touches = balls.contacts.touching(a as BodyId, b as BodyId);
              if (touches !== balls.contacts.touching(b as BodyId, a as BodyId))
                wrong.push(`${a} but not ${b}`);
              if (touches ? gap > 0.15 : gap < 0) wrong.push(`${a} and ${b} at tick ${tick}, ${gap} m apart`);
              if (touches) touching++;
            }
          }
        }
        expect(wrong).toEqual([]);
        expect(touching).toBeGreaterThan(1000);
        balls.dispose();
      });
    });

    describe('of three cubes in a row', () => {
      const row = flatLevel(
        'row',
        [0, 1, 2].map((i) => ({
          ...createLevel({ id: 'tower', seed: 1 }).bodies[0],
          start: { position: vector(i * CUBE_SIZE, CUBE_SIZE / 2, 0), rotation: quaternion() },
        })),
      );
      const [first, second, third] = [0, 1, 2] as BodyId[];

      /** The height of a body that may be asleep. */
      function heightOf(cubes: Simulation, body: BodyId): number {
        const at = new Float32Array(3 * STRIDE);
        cubes.wake(body);
        cubes.capture(at);
        return at[body * STRIDE + 1];
      }

      it.each([1, 2, 5, 60])(
        'two that are put to sleep when the third has just gone are where they were %i ticks later',
        (ticks) => {
          const cubes = create(row);
          const at = new Float32Array(3 * STRIDE);
          for (let tick = 0; tick < 60; tick++) cubes.step();
          cubes.capture(at);
          at[third * STRIDE] += 3;
          cubes.write(third, at);
          cubes.step();
          cubes.step();
          cubes.capture(at);
          const before = at[first * STRIDE + 1];
          for (let tick = 0; tick < ticks; tick++) {
            for (const body of [first, second]) if (!cubes.isAsleep(body)) cubes.sleep(body);
            cubes.step();
          }
          if (ticks === 60) expect([first, second].map((body) => cubes.isAsleep(body))).toEqual([true, true]);
          for (const body of [first, second])
            expect(Math.abs(heightOf(cubes, body) - before)).toBeLessThan(REST_TOLERANCE);
          cubes.dispose();
        },
      );

      it('two of them asleep wake together when the third is pushed against them', () => {
        const cubes = create(row);
        const at = new Float32Array(3 * STRIDE);
        for (let tick = 0; tick < 60; tick++) cubes.step();
        cubes.capture(at);
        at[third * STRIDE] += 1;
        cubes.write(third, at);
        for (let tick = 0; tick < 60; tick++) cubes.step();
        for (let tick = 0; tick < 60; tick++) {
          for (const body of [first, second]) if (!cubes.isAsleep(body)) cubes.sleep(body);
          cubes.step();
        }
        expect([first, second].map((body) => cubes.isAsleep(body))).toEqual([true, true]);
        cubes.capture(at);
        at[third * STRIDE + MOTION.linear] = -5;
        cubes.write(third, at);
        for (let tick = 0; tick < 30; tick++) cubes.step();
        expect([first, second].map((body) => cubes.isAsleep(body))).toEqual([false, false]);
        for (const body of [first, second]) expect(heightOf(cubes, body)).toBeGreaterThan(0.24);
        cubes.dispose();
      });
    });

    it('tells which contacts are new', () => {
      run(60);
      simulation.step();
      expect(simulation.contacts.startedCount).toBe(0);
      setMotion(19, [0.2, 9.9, 0], [0, -1, 0]);
      let begun = 0;
      for (let i = 0; i < 30; i++) {
        simulation.step();
        begun += simulation.contacts.startedCount / 2;
      }
      expect(begun).toBeGreaterThan(0);
    });

    it('tells who has come to touch the floor, once', () => {
      run(60);
      simulation.step();
      expect(simulation.contacts.landedCount).toBe(0);
      setMotion(19, [9, 1, 9], [0, 0, 0]);
      const landed: number[] = [];
      for (let i = 0; i < 60; i++) {
        simulation.step();
        landed.push(...simulation.contacts.landed.slice(0, simulation.contacts.landedCount));
      }
      expect(landed).toContain(19);
      expect(landed.length).toBeLessThan(5);
    });
  });
}
