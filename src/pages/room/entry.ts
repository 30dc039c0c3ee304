import type { Slot } from '../../core/base/ids.ts';
import type { Pose } from '../../core/base/math.ts';
import { copyVector, fromAxisAngle, vector } from '../../core/base/math.ts';
import { playerInput } from '../../core/hands/hand-input.ts';
import type { RoomCode } from '../../core/room/code.ts';
import type { JoinProgress } from '../../core/room/line.ts';
import type { SavedWorld } from '../../core/wire/files/saved-world.ts';
import type { DeskStart } from '../../input/desk-player.ts';
import { ServerCalls } from '../../transport/webrtc/server-calls.ts';
import { hasWebRtc } from '../../transport/webrtc/has-webrtc.ts';
import { WebRtcStation } from '../../transport/webrtc/station.ts';
import type { VoiceMeans } from '../../transport/webrtc/voice-line.ts';
import type { PageConfig } from '../../room/config.ts';
import { openStage } from '../page-canvas.ts';
import { halfWidthOfWindow } from '../../view/lens.ts';
import { untilIn } from '../../room/enter.ts';
import { arrivalIn } from './meeting.ts';
import type { EarlyVoice } from './network/early-voice.ts';
import { RoomPage } from './page.ts';
import { RoomSession } from '../../session/room-session.ts';
import type { Entry } from '../../session/session-state.ts';
import { GAME } from './session/game.ts';
import { loadPageKey } from './session/page-key.ts';
import { greetingOf } from './news/greeting.ts';
import type { Failure } from './sentences.ts';
import type { GameSession } from './session/session.ts';
import { RETURNING } from './session/session.ts';

/** The settings of `enterRoom`. */
export type RoomEntryOptions = {
  readonly canvas: HTMLCanvasElement;
  readonly overlay: HTMLElement;
  readonly config: PageConfig;
  readonly code: RoomCode;
  readonly name: string;
  readonly colour: Slot;
  /** The player has chosen that colour, now or some other day. */
  readonly hasChosen: boolean;
  readonly entry: Entry;
  /** Aborted to stop coming in, or to leave: for good, or with the reason RETURNING if the page may be back soon. */
  readonly signal: AbortSignal;
  /** [F5.2] Called while the page looks for the room, at each new step and each second. */
  readonly onProgress: (progress: JoinProgress) => void;
  /** Called when the player is in the room, again when a new world has begun or the room's rules have changed. */
  readonly onChange: (session: GameSession) => void;
  /** Called when the player has another name. */
  readonly onName: (name: string) => void;
  /** Called to leave, and to come in again with another colour. @param world a host's, to go on with. */
  readonly onColour: (colour: Slot, world: SavedWorld | null) => void;
  /** Called when it is over. `why` is null if the player wanted to leave. */
  readonly onEnd: (why: Failure | null) => void;
  /** The microphone that the player was asked for on its way in. */
  readonly voice: { take(): Promise<EarlyVoice> | null };
};

const UP = vector(0, 1, 0);

/**
 * Comes into a room, and shows it once its world is known.
 * @returns when the room is shown, or coming in has failed and `onEnd` was called.
 */
export async function enterRoom(options: RoomEntryOptions): Promise<void> {
  const { canvas, overlay, config, code, entry, signal, onEnd } = options;
  if (!hasWebRtc()) {
    onEnd('no webrtc');
    return;
  }
  const { broker, rooms, voices } = config;
  const hasVoices = rooms !== null && voices;
  const serverCalls = hasVoices ? (means: VoiceMeans) => new ServerCalls(rooms, means) : null;
  const station = new WebRtcStation(broker, rooms, serverCalls);
  const stage = await openStage(canvas);
  if (typeof stage === 'string') {
    station.close();
    onEnd(stage);
    return;
  }
  const key = await loadPageKey().catch(() => null);
  if (key === null) {
    station.close();
    onEnd('insecure');
    return;
  }
  const { name, colour } = options;
  const session = new RoomSession(station, { game: GAME, code, name, colour, entry, key });
  try {
    const input = playerInput();
    // Others see it already: where it is going to stand, and not in the middle of the cubes.
    const afterTick = (): void => {
      const { world, roster } = session;
      if (world !== null) standAt(arrivalIn(world, roster, halfWidthOfWindow()).start, input.head);
    };
    await untilIn(session, { input, signal, onProgress: options.onProgress, afterTick });
  } catch (error) {
    session.leave(signal.reason === RETURNING);
    throw error;
  }
  const { status, world, slot } = session;
  if (status.kind === 'ended' || world === null || slot === null || signal.aborted) {
    session.leave(signal.reason === RETURNING);
    if (status.kind === 'ended' && status.cause !== undefined) reportError(status.cause);
    onEnd(status.kind === 'ended' ? status.why : null);
    return;
  }
  const { onChange, onName, onColour } = options;
  onChange(session);
  const page = new RoomPage(session, world, {
    stage,
    overlay,
    friends: config.friends,
    hasServerRooms: config.serverRooms,
    canBeWatched: config.watching,
    onChange,
    onName,
    onColour,
    greeting: greetingOf(options, slot),
    onEnd,
    voice: options.voice.take(),
  });
  signal.addEventListener('abort', () => page.leave(signal.reason === RETURNING));
}

/** The head of a player who stands at a place and looks from there. */
function standAt({ position, yaw }: DeskStart, head: Pose): void {
  copyVector(position, head.position);
  fromAxisAngle(UP, yaw, head.rotation);
}
