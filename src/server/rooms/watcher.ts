import type { WebSocket } from 'ws';
import { closeAtOnce } from '../../transport/node/line-server.ts';

/** Bytes that may wait for a watcher beside what the system holds for it; with more it gets nothing. */
const MOST_WAITING = 65_536;
/** Milliseconds after which a watcher for which so much waits is ended. */
const STUCK_MS = 30_000;

/**
 * One that watches a room, as its server sees it. `anew`: it gets the text by which the world began with the next keyframe.
 * `waiting`: it knows the world, and waits for a keyframe. `along`: it has every bundle so far.
 */
type WatcherState = 'anew' | 'waiting' | 'along';

/** [N5.4] [N5.8] The socket of one watcher: it gets nothing that it could not understand, or would not read. */
export class Watcher {
  readonly #socket: WebSocket;
  #state: WatcherState = 'anew';
  #hasBundles = false;
  readonly #beganMs = performance.now();
  /** Since when too much waits; null if it does not. */
  #stuckMs: number | null = null;

  /** @param socket becomes the watcher's own. */
  constructor(socket: WebSocket) {
    this.#socket = socket;
    // A connection that breaks must not end the process.
    socket.on('error', () => undefined);
    // It has nothing to say.
    for (const event of ['message', 'ping', 'pong'] as const) socket.on(event, () => socket.terminate());
  }

  /** True before its first bundle. */
  get hasNothing(): boolean {
    return !this.#hasBundles;
  }

  /** Milliseconds since it came. */
  ageAt(nowMs: number): number {
    return nowMs - this.#beganMs;
  }

  /** True if it could take a keyframe now, and needs one. */
  get waitsForKeyframe(): boolean {
    return this.#state !== 'along' && this.#stuckMs === null;
  }

  /** Another world begins. */
  beginAnew(): void {
    this.#state = 'anew';
  }

  /** @param begin the text by which the present world began. */
  send(begin: string, bundle: Buffer, isKeyframe: boolean): void {
    if (this.#state !== 'along' && !isKeyframe) return;
    if (this.#socket.bufferedAmount > MOST_WAITING) {
      if (this.#state === 'along') this.#state = 'waiting';
      this.#stuckMs ??= performance.now();
      return;
    }
    if (this.#state === 'anew') this.#socket.send(begin);
    this.#state = 'along';
    this.#hasBundles = true;
    this.#socket.send(bundle);
  }

  /** Sends a text, unless much waits already. */
  say(text: string): void {
    if (this.#stuckMs === null) this.#socket.send(text);
  }

  /** Call it once a second. */
  judge(nowMs: number): void {
    if (this.#stuckMs === null) return;
    if (this.#socket.bufferedAmount <= MOST_WAITING / 2) this.#stuckMs = null;
    else if (nowMs - this.#stuckMs > STUCK_MS) this.#socket.terminate();
  }

  /** @param code says why. */
  close(code: number): void {
    closeAtOnce(this.#socket, code);
  }

  end(): void {
    this.#socket.terminate();
  }
}
