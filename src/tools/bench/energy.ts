import { TICK_RATE } from '../../core/base/constants.ts';
import type { BodyId, Slot } from '../../core/base/ids.ts';
import { putVector } from '../../core/base/motion.ts';
import { MOTION, STATE, STRIDE } from '../../core/base/state.ts';
import { playerInput } from '../../core/hands/hand-input.ts';
import type { Numbers } from '../../core/peer/diagnostics/bodies-diagnostics.ts';
import { Peer } from '../../core/peer/peer.ts';
import { dequantiseMotion, quantiseMotion } from '../../core/wire/bodies/quantise.ts';
import { createRapierSimulation, loadPhysics } from '../../physics/rapier-simulation.ts';
import type { Course } from './energy-courses.ts';
import { energyCourses } from './energy-courses.ts';

/** How a body moved: its last speed in m/s and spin in rad/s, its energy in joules, and the metres of its way. */
export type Outcome = {
  readonly speed: number;
  readonly spin: number;
  readonly energy: number;
  readonly way: number;
};

/** A course in the engine alone and within a peer. */
export type EnergyRow = {
  readonly name: string;
  readonly seconds: number;
  readonly isChaotic: boolean;
  readonly alone: Outcome;
  readonly peer: Outcome;
};

/** Plays every course in the engine alone, and within a peer that quantises it [W2]. */
export async function benchEnergy(courses: readonly Course[] = energyCourses()): Promise<EnergyRow[]> {
  await loadPhysics();
  return courses.map((course) => {
    const { name, seconds, isChaotic } = course;
    const runs = Array.from({ length: course.runs }, (_, run) => playBoth(course, run * APART));
    const mean = (of: 'alone' | 'peer'): Outcome => meanOf(runs.map((each) => each[of]));
    return { name, seconds, isChaotic, alone: mean('alone'), peer: mean('peer') };
  });
}

/** @param more metres a second that the body is faster along x. */
function playBoth(course: Course, more: number): Pick<EnergyRow, 'alone' | 'peer'> {
  const { level, angular } = course;
  const [x, y, z] = course.linear;
  const { position, rotation } = level.bodies[BODY].start;
  const motion = new Float32Array(STRIDE);
  putVector(position, motion, 0);
  motion.set([rotation.x, rotation.y, rotation.z, rotation.w], MOTION.rotation);
  motion.set([x + more, y, z, ...angular], MOTION.linear);
  const state = new Int32Array(STRIDE);
  state[STATE.largest] = -1;
  quantiseMotion(motion, 0, state);
  dequantiseMotion(state, 0, motion, 0);
  // A saved world is the way to begin with a velocity.
  const peer = new Peer({ slot: HOST, host: HOST, level, simulation: createRapierSimulation(level) });
  peer.reset({
    level: THE_COURSE,
    savedAt: 0,
    existence: new Uint16Array(1),
    resting: new Uint8Array(1),
    state,
  });
  const other = createRapierSimulation(level);
  other.write(BODY, motion);
  const ticks = Math.round(course.seconds * TICK_RATE);
  const input = playerInput();
  const ofPeer = follow(course, ticks, peer.diagnostics.bodies.motion, () => peer.tick(input));
  const ofEngine = follow(course, ticks, motion, () => {
    other.step();
    other.capture(motion);
  });
  peer.dispose();
  other.dispose();
  return { alone: ofEngine, peer: ofPeer };
}

function meanOf(outcomes: readonly Outcome[]): Outcome {
  const mean = (what: keyof Outcome): number =>
    outcomes.reduce((sum, outcome) => sum + outcome[what], 0) / outcomes.length;
  return { speed: mean('speed'), spin: mean('spin'), energy: mean('energy'), way: mean('way') };
}

/** Ticks, and measures the motion at index 0, which `tick` brings up to date. */
function follow(course: Course, ticks: number, motion: Numbers, tick: () => void): Outcome {
  let way = 0;
  for (let i = 0; i < ticks; i++) {
    const [x, y, z] = motion;
    tick();
    way += length(motion[0] - x, motion[1] - y, motion[2] - z);
  }
  const { mass } = course.level.bodies[BODY].template;
  const [, , , , , , , u, v, w, a, b, c] = motion;
  const speed = length(u, v, w);
  const spin = length(a, b, c);
  const height = motion[1] - course.ground;
  const energy = mass * (speed ** 2 / 2 + course.level.gravity * height) + (course.inertia * spin ** 2) / 2;
  return { speed, spin, energy, way };
}

function length(x: number, y: number, z: number): number {
  return Math.sqrt(x * x + y * y + z * z);
}

/** Below this, in m/s, rad/s, joules or metres, two numbers count as equal: a body that stands may tremble so [R5]. */
const NEGLIGIBLE = 0.05;

/** By how much a number differs from the engine's, as a share of the engine's; 0 where both are negligible. */
export function shareOff(alone: number, peer: number): number {
  return Math.max(Math.abs(alone), Math.abs(peer)) < NEGLIGIBLE ? 0 : (peer - alone) / Math.abs(alone);
}

/** The figures as a table. */
export function describeEnergy(rows: readonly EnergyRow[]): string {
  const head = ['seconds', 'speed', 'spin', 'energy', 'way'].map((word) => word.padStart(16)).join('');
  return [
    `${'the engine alone, and a peer'.padEnd(50)}${head}`,
    ...rows.map(({ name, seconds, alone, peer, isChaotic }) => {
      const parts = (['speed', 'spin', 'energy', 'way'] as const).map((what) => {
        const off = (100 * shareOff(alone[what], peer[what])).toFixed(1);
        return `${alone[what].toFixed(2)} ${off} %`.padStart(16);
      });
      return `${`${name}${isChaotic ? ' *' : ''}`.padEnd(50)}${String(seconds).padStart(16)}${parts.join('')}`;
    }),
    '* chaotic: the smallest difference grows',
    '',
  ].join('\n');
}

/** Metres a second between the starts of two runs. */
const APART = 0.01;
const HOST = 0 as Slot;
const BODY = 0 as BodyId;
const THE_COURSE = { id: 'course', seed: 0, hash: '' };
