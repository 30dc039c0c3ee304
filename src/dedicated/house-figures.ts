/** Figures of a process with rooms. */
export type HouseFigures = {
  readonly rooms: number;
  /** Those of them of which another member is host, or may be: they are on their way back. */
  readonly returning: number;
  /** People in all rooms. */
  readonly people: number;
  /** [N5] People who watch them. */
  readonly watchers: number;
  /** Milliseconds that one tick of all rooms took, at most in 99 of 100 ticks of the last ten seconds. */
  readonly tickP99Ms: number;
  /** The same for 90 of 100; 0 in the first ten seconds. A room that begins takes some long ticks, which it leaves out. */
  readonly tickP90Ms: number;
  /** Ticks since the beginning; those that began late, by a tick's time or more; and those that were left out. */
  readonly ticks: number;
  readonly lateTicks: number;
  readonly skippedTicks: number;
  /** Snapshots that could not be written, or read. */
  readonly snapshotFailures: number;
};

/** The figures while there is no such process. */
export const NO_FIGURES: HouseFigures = {
  rooms: 0,
  returning: 0,
  people: 0,
  watchers: 0,
  tickP99Ms: 0,
  tickP90Ms: 0,
  ticks: 0,
  lateTicks: 0,
  skippedTicks: 0,
  snapshotFailures: 0,
};
