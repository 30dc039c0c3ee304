import { expect, it, onTestFinished } from 'vitest';
import { GRAVITY, TICK_RATE, TICK_SECONDS } from '../../src/core/base/constants.ts';
import type { BodyId } from '../../src/core/base/ids.ts';
import { quaternion, vector } from '../../src/core/base/math.ts';
import { MOTION, STRIDE } from '../../src/core/base/state.ts';
import type { Level, Template } from '../../src/core/world/level.ts';
import { flatLevel, STANDARD_MATERIAL } from '../../src/core/world/level.ts';
import type { Simulation } from '../../src/core/world/simulation.ts';

const BALL = 0 as BodyId;
const RADIUS = 0.2;
/** Metres: a twentieth of the radius. */
const ROLLING_FRICTION = 0.01;
const TEMPLATE: Template = {
  ...STANDARD_MATERIAL,
  shape: { kind: 'ball', radius: RADIUS },
  mass: 3,
  linearDamping: 0,
  angularDamping: 0,
  rollingFriction: ROLLING_FRICTION,
};

/** The duties of every engine towards what rolls [R6]. */
export function rollingContract(create: (level: Level) => Simulation): void {
  /** A ball with these velocities. @returns a function that plays some seconds, and gives its speed along x and its spin about z and y. */
  function ball(y: number, linear: readonly number[], angular: readonly number[]) {
    const start = { position: vector(0, y, 0), rotation: quaternion() };
    const simulation = create(flatLevel('lane', [{ template: TEMPLATE, start }]));
    onTestFinished(() => simulation.dispose());
    const motion = new Float32Array(STRIDE);
    simulation.capture(motion);
    motion.set([...linear, ...angular], MOTION.linear);
    simulation.write(BALL, motion);
    return (seconds: number): { simulation: Simulation; speed: number; spin: number; upright: number } => {
      for (let tick = 0; tick < Math.round(seconds * TICK_RATE); tick++) simulation.step();
      simulation.capture(motion);
      const [speed, , , , upright, spin] = motion.subarray(MOTION.linear);
      return { simulation, speed, spin, upright };
    };
  }

  it('[R6.1] a ball that rolls is slowed as its rolling friction says', () => {
    const after = ball(RADIUS, [2, 0, 0], [0, 0, -2 / RADIUS]);
    // Five sevenths of the torque slow a solid ball: the rest of it turns into push by the ground.
    const slowing = ((5 / 7) * GRAVITY * ROLLING_FRICTION) / RADIUS;
    const { speed, spin } = after(3);
    expect(speed / (2 - slowing * 3)).toBeCloseTo(1, 2);
    expect(-spin * RADIUS).toBeCloseTo(speed, 2);
  });

  it('[R6.1] a ball stops, is not turned the other way, and stays where it is', () => {
    const after = ball(RADIUS, [0.5, 0, 0], [0, 0, -0.5 / RADIUS]);
    for (let i = 0; i < 3 * TICK_RATE; i++) expect(after(TICK_SECONDS).speed).toBeGreaterThan(-1e-3);
    expect(Math.abs(after(1).speed)).toBeLessThan(1e-3);
  });

  it('[R6.1] a ball that spins on the spot is slowed, too', () => {
    const { upright } = ball(RADIUS, [0, 0, 0], [0, 10, 0])(0.5);
    const slowing = (GRAVITY * ROLLING_FRICTION) / (0.4 * RADIUS * RADIUS);
    expect((10 - upright) / (slowing * 0.5)).toBeCloseTo(1, 1);
  });

  it('[R6.2] nothing slows the turning of a ball that touches nothing', () => {
    const { spin } = ball(20, [0, 0, 0], [0, 0, 9])(1);
    expect(spin).toBeCloseTo(9, 2);
  });

  it('[R6.2] a ball that bounced and left the ground turns on freely', () => {
    const after = ball(RADIUS, [0, 0, 0], [0, 0, 9]);
    after(0.5);
    const { simulation, spin: onGround } = after(0);
    expect(onGround).toBeLessThan(9);
    simulation.push(BALL, vector(0, 3 * 8, 0), null, 40);
    const { spin: left } = after(0.2);
    expect(after(0.5).spin).toBeCloseTo(left, 2);
  });

  it('[R6.1] a ball that sleeps is left alone', () => {
    const { simulation } = ball(RADIUS, [0, 0, 0], [0, 0, 0])(1);
    simulation.sleep(BALL);
    for (let tick = 0; tick < 30; tick++) simulation.step();
    expect(simulation.isAsleep(BALL)).toBe(true);
  });
}
