import { TICK_RATE } from '../core/base/constants.ts';
import type { PlayerInput } from '../core/hands/hand-input.ts';
import type { JoinProgress } from '../core/room/line.ts';
import type { Session } from '../session/session.ts';

/** The surroundings of a member that comes into its room. */
export type Entering = {
  /** The player's head and hands meanwhile. */
  readonly input: PlayerInput;
  /** Aborted to stop. */
  readonly signal: AbortSignal | null;
  /** [F5.2] Called while the member looks for the room, at each new step and each second. */
  readonly onProgress: (progress: JoinProgress) => void;
  /** Called after each tick. */
  readonly afterTick?: () => void;
};

/** Runs a session until its player is in the room and its peer knows the world, or it has ended, or is stopped. */
export async function untilIn(session: Session, entering: Entering): Promise<void> {
  const { input, signal, onProgress, afterTick } = entering;
  let told: JoinProgress | null = null;
  while (!isAborted(signal)) {
    session.tick(performance.now(), input);
    afterTick?.();
    const { status, world } = session;
    if (status.kind === 'ended' || status.kind === 'left' || isAborted(signal)) return;
    if (status.kind === 'here' && world?.isKnown === true) return;
    const progress = progressOf(session, told);
    if (progress !== null && !looksSame(progress, told)) onProgress((told = progress));
    // The world ticks already, at its own rate.
    const waitMs = Math.floor(1000 / (world?.level.rate ?? TICK_RATE));
    await new Promise((resolve) => void setTimeout(resolve, waitMs));
  }
}

/** True once a signal is aborted: it may be at any time while one waits. */
export function isAborted(signal: AbortSignal | null): boolean {
  return signal?.aborted === true;
}

/** @returns null for a host, and before a guest has begun. @param before the last progress. */
function progressOf({ progress, status }: Session, before: JoinProgress | null): JoinProgress | null {
  if (progress !== null || before === null || status.kind !== 'here') return progress;
  return { ...before, step: 'entering' };
}

function looksSame(a: JoinProgress, b: JoinProgress | null): boolean {
  return a.step === b?.step && Math.floor(a.forMs / 1000) === Math.floor(b.forMs / 1000);
}
