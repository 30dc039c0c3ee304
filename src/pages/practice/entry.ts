import type { Slot } from '../../core/base/ids.ts';
import { forgetHandOver } from '../../storage/done-actions.ts';
import { openStage } from '../page-canvas.ts';
import { RoomPage } from '../room/page.ts';
import type { Failure } from '../room/sentences.ts';
import { PracticeSession } from './practice-session.ts';

/** The settings of `enterPractice`. */
export type PracticeOptions = {
  readonly canvas: HTMLCanvasElement;
  readonly overlay: HTMLElement;
  readonly name: string;
  readonly colour: Slot;
  /** Aborted to give up, or to leave. */
  readonly signal: AbortSignal;
  /** Called when the world is about to be shown. */
  readonly onShown: () => void;
  /** Called when it is over. `why` is null if the player wanted to leave. */
  readonly onEnd: (why: Failure | null) => void;
};

/**
 * Opens a room in which a bot hands cubes to the player and builds with it. Nothing goes over a network.
 * @returns when the world is shown, or `onEnd` was called.
 */
export async function enterPractice(options: PracticeOptions): Promise<void> {
  const { canvas, overlay, name, colour, signal, onShown, onEnd } = options;
  const stage = await openStage(canvas);
  if (typeof stage === 'string') {
    onEnd(stage);
    return;
  }
  if (signal.aborted) return;
  // A player who practises is taught, whatever it has done before.
  forgetHandOver();
  const session = new PracticeSession(name, colour);
  onShown();
  const friends = { url: new URL(location.href), ownCertificate: false };
  const page = new RoomPage(session, session.world, {
    stage,
    overlay,
    friends,
    hasServerRooms: false,
    canBeWatched: false,
    onChange: () => undefined,
    // In practice the player can change neither its name nor its colour.
    onName: () => undefined,
    onColour: () => undefined,
    greeting: null,
    onEnd,
    voice: null,
  });
  signal.addEventListener('abort', () => page.leave(false));
}
