import type { Slot } from '../../core/base/ids.ts';
import { playerInput } from '../../core/hands/hand-input.ts';
import type { RoomCode } from '../../core/room/code.ts';
import { loadPhysics } from '../../physics/rapier-simulation.ts';
import { Station } from '../../transport/webrtc/station.ts';
import type { PageConfig } from '../config.ts';
import type { PageCanvas } from '../page-canvas.ts';
import { pageCanvasOn } from '../page-canvas.ts';
import { RoomPage } from './page.ts';
import type { Entry } from './room-session.ts';
import { RoomSession } from './room-session.ts';
import type { Failure } from './sentences.ts';
import type { GameSession } from './session.ts';
import { RETURNING } from './session.ts';

export type DoorOptions = {
  readonly canvas: HTMLCanvasElement;
  readonly overlay: HTMLElement;
  readonly config: PageConfig;
  readonly code: RoomCode;
  readonly name: string;
  readonly colour: Slot;
  readonly entry: Entry;
  /** Gives up coming in, or leaves: for `RETURNING`, or else for good. */
  readonly signal: AbortSignal;
  /** The player is in the room, with a world that is known; again whenever a new one begins, or the rules change. */
  readonly onChange: (session: GameSession) => void;
  /** It is over: why, or null if the player wanted it. */
  readonly onEnd: (why: Failure | null) => void;
};

/** Milliseconds between two looks at how coming in goes on. */
const LOOK_EVERY_MS = 16;

/** Comes into a room, and shows it once its world is known. Everything that takes time is begun at once. */
export async function enterRoom(options: DoorOptions): Promise<void> {
  const { canvas, overlay, config, code, entry, signal, onEnd } = options;
  let stage: PageCanvas;
  try {
    stage = pageCanvasOn(canvas);
  } catch {
    onEnd('no graphics');
    return;
  }
  const station = new Station(config.broker);
  try {
    await loadPhysics();
  } catch {
    station.close();
    onEnd('no engine');
    return;
  }
  const { name, colour } = options;
  const session = new RoomSession(station, { code, name, colour, entry });
  try {
    await untilIn(session, signal);
  } catch (error) {
    session.leave(signal.reason === RETURNING);
    throw error;
  }
  const { status, world, slot } = session;
  if (status.kind === 'ended' || world === null || slot === null || signal.aborted) {
    session.leave(signal.reason === RETURNING);
    onEnd(status.kind === 'ended' ? status.why : null);
    return;
  }
  const { onChange } = options;
  onChange(session);
  const page = new RoomPage(session, world, slot, {
    stage,
    overlay,
    friendsUrl: config.friendsUrl,
    onChange,
    onEnd,
  });
  signal.addEventListener('abort', () => page.leave(signal.reason === RETURNING));
}

/** Runs a session until its player is in the room and its peer knows the world, or it has ended. */
async function untilIn(session: GameSession, signal: AbortSignal): Promise<void> {
  const nobody = playerInput();
  for (;;) {
    session.tick(performance.now(), nobody);
    const { status, world } = session;
    if (status.kind === 'ended' || signal.aborted) return;
    if (status.kind === 'here' && world?.isKnown === true) return;
    await new Promise((resolve) => void setTimeout(resolve, LOOK_EVERY_MS));
  }
}
