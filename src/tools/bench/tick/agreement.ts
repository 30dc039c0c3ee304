import type { Simulation } from '../../../core/world/simulation.ts';
import { Referee } from '../../../harness/referee/referee.ts';
import type { RoomHarness } from '../../../harness/room.ts';
import { MovingCount } from './moving.ts';

/** Seconds within which a room must agree once hands are still. */
const MOST_SECONDS = 20;
/** Metres a second: a slower body does not count as moving. */
export const STILL_SPEED = 0.05;
/** Ticks between two looks. */
const STEP = 6;

/** Seconds after the moment from which hands are still. */
export type Agreement = {
  /** Until nothing moves any more in the host's engine; null if something moves at the last look. */
  readonly movesUntil: number | null;
  /** [I1] Until all peers agree on everything, and all bodies rest; null if not within MOST_SECONDS. */
  readonly agreesAfter: number | null;
};

/**
 * Runs a room on with still hands until all agree.
 * @param engine the host's.
 * @param roundTripMs the longest round trip of the network, which loses packets.
 */
export function measureAgreement(room: RoomHarness, engine: Simulation, roundTripMs: number): Agreement {
  const referee = new Referee(room, roundTripMs, true);
  const { rate } = room.level;
  const moving = new MovingCount(engine);
  let lastMoved = 0;
  let agreesAfter: number | null = null;
  let moves = false;
  for (let tick = 1; tick <= MOST_SECONDS * rate; tick++) {
    room.step();
    referee.observe();
    if (tick % STEP !== 0) continue;
    moves = moving.fasterThan(STILL_SPEED) > 0;
    if (moves) lastMoved = tick / rate;
    if (referee.finish().converged) {
      agreesAfter = tick / rate;
      break;
    }
  }
  return { movesUntil: moves ? null : lastMoved, agreesAfter };
}
