import type { RoomCode } from '../../core/room/code.ts';
import { ROOMS_PATH } from '../../transport/socket/line-address.ts';
import { openStage } from '../page-canvas.ts';
import type { Failure } from '../room/sentences.ts';
import { GAME } from '../room/session/game.ts';
import type { WatchFailure } from './watch-link.ts';
import { WatchLink } from './watch-link.ts';
import { WatchPage } from './watch-page.ts';

/** Milliseconds between two ticks while the world is not shown yet. */
const TICK_MS = 16;

/** The settings of `openWatch`. */
export type WatchOptions = {
  readonly canvas: HTMLCanvasElement;
  readonly overlay: HTMLElement;
  readonly code: RoomCode;
  /** Aborted to give up. */
  readonly signal: AbortSignal;
  /** Called when the room is about to be shown. */
  readonly onShown: () => void;
  /** Called when it is over. `why` is null if the viewer wanted to leave. */
  readonly onEnd: (why: Failure | null) => void;
};

const FAILURES: Readonly<Record<WatchFailure, Failure>> = {
  'no room': 'nothing to watch',
  locked: 'room locked',
  full: 'too many watch',
  'no server': 'server lost',
  version: 'version',
  'other level': 'other level',
  'other rate': 'other rate',
};

/** Shows a room of this site's server to somebody who only watches. @returns when it is shown, or `onEnd` was called. */
export async function openWatch(options: WatchOptions): Promise<void> {
  const { canvas, overlay, code, signal, onShown, onEnd } = options;
  const stage = await openStage(canvas);
  if (signal.aborted) return;
  if (typeof stage === 'string') {
    onEnd(stage);
    return;
  }
  const link = new WatchLink(GAME, new URL(`${ROOMS_PATH}/`, location.href), code);
  const failed = (why: WatchFailure): void => {
    link.close();
    onEnd(FAILURES[why]);
  };
  while (link.failure === null && !signal.aborted && link.watching.world?.isKnown !== true) {
    link.tick(performance.now());
    await new Promise((resolve) => void setTimeout(resolve, TICK_MS));
  }
  if (signal.aborted) link.close();
  else if (link.failure !== null) failed(link.failure);
  else {
    onShown();
    new WatchPage(stage, overlay, { link, code, onFailure: failed, onClose: () => onEnd(null) });
  }
}
