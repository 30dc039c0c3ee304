import { NO_BODY } from '../../core/base/ids.ts';
import { speedOf } from '../../core/base/motion.ts';
import { STRIDE } from '../../core/base/state.ts';
import type { Simulation } from '../../core/world/simulation.ts';
import { Referee } from '../../harness/referee/referee.ts';
import type { RoomHarness } from '../../harness/room.ts';

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
  let movesUntil = 0;
  let moves = false;
  for (let tick = 1; tick <= MOST_SECONDS * rate; tick++) {
    room.step();
    referee.observe();
    if (tick % STEP !== 0) continue;
    moves = anyMoves(engine);
    if (moves) movesUntil = tick / rate;
    if (referee.finish().converged)
      return { movesUntil: moves ? null : movesUntil, agreesAfter: tick / rate };
  }
  return { movesUntil: moves ? null : movesUntil, agreesAfter: null };
}

function anyMoves(engine: Simulation): boolean {
  const motion = new Float32Array(engine.count * STRIDE);
  engine.capture(motion);
  for (let body = engine.awake.next(NO_BODY); body !== NO_BODY; body = engine.awake.next(body))
    if (speedOf(motion, body) > STILL_SPEED) return true;
  return false;
}
