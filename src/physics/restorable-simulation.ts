import type { Simulation } from '../core/world/simulation.ts';

/** A simulation that can be restored to an earlier state, except for contacts and sleep. */
export type RestorableSimulation = Simulation & {
  /** A snapshot of everything that the next steps depend on, including the solver's memory. */
  snapshot(): Uint8Array;
  /** Continues from a snapshot of a simulation of the same level and build. */
  restore(snapshot: Uint8Array): void;
};
