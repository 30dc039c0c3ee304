import { execFileSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { STRIDE } from '../../../core/base/state.ts';
import type { BodyId } from '../../../core/base/ids.ts';
import { vector } from '../../../core/base/math.ts';
import { createLevel } from '../../../levels/levels.ts';
import type { Simulation } from '../../../core/world/simulation.ts';
import { createRapierSimulation } from '../../../physics/rapier-simulation.ts';
import { bytesPerCall } from '../allocation.ts';

/**
 * Bytes on the JavaScript heap that a tick in the steady state allocates, with this many cubes that all move.
 */
export type TickBytes = {
  readonly cubes: number;
  /** A peer's own code, with an engine that allocates nothing: the mean of a host and a guest. */
  readonly own: number;
  /** The same while 200 of the cubes move and the others rest; null if there are no more. */
  readonly ownOfFew: number | null;
  /** Rapier's wrapper: the step, reading every body, writing every body, and one query near a hand. */
  readonly wrapper: {
    readonly step: number;
    readonly capture: number;
    readonly write: number;
    readonly look: number;
  };
};

const OWN_BYTES = fileURLToPath(new URL('../own-bytes.ts', import.meta.url));
/** Ticks of an engine until its code is compiled. */
const WARM_TICKS = 360;

/** Our own code is measured in a process by itself: other code would influence the compiler and make garbage. */
export function measureBytes(cubes: readonly number[]): TickBytes[] {
  const own = JSON.parse(
    execFileSync(process.execPath, ['--import', 'tsx', OWN_BYTES, ...cubes.map(String)], {
      encoding: 'utf8',
    }),
  ) as readonly { readonly all: number; readonly few: number | null }[];
  return cubes.map((count, i) => ({
    cubes: count,
    own: own[i].all,
    ownOfFew: own[i].few,
    wrapper: measureWrapper(count),
  }));
}

function measureWrapper(cubes: number): TickBytes['wrapper'] {
  const simulation = createRapierSimulation(createLevel({ id: 'grid', seed: 1, count: cubes }));
  const motion = new Float32Array(cubes * STRIDE);
  const parts = {
    capture: () => simulation.capture(motion),
    write: () => writeAll(simulation, motion),
    look: () => look(simulation),
    step: () => simulation.step(),
  };
  for (let tick = 0; tick < WARM_TICKS; tick++) for (const part of Object.values(parts)) part();
  const bytes = (part: () => void): number => Math.round(bytesPerCall(part, 20));
  const wrapper = {
    step: bytes(parts.step),
    capture: bytes(parts.capture),
    write: bytes(parts.write),
    look: bytes(parts.look),
  };
  simulation.dispose();
  return wrapper;
}

function writeAll(simulation: Simulation, motion: Float32Array): void {
  for (let body = 0; body < simulation.count; body++) simulation.write(body as BodyId, motion);
}

function look(simulation: Simulation): void {
  simulation.overlapSphere(HAND, 0.1);
}

const HAND = vector(0.3, 0.6, 0.2);
