import type { Duplex } from 'node:stream';
import type { WebSocket } from 'ws';
import { closeAtOnce } from '../../transport/node/line-server.ts';

/** Bytes that may wait for a watcher beside what the system holds for it; with more it gets nothing. */
const MOST_WAITING = 65_536;
/** Milliseconds after which a watcher for which so much waits is ended. */
const STUCK_MS = 30_000;

/**
 * One that watches a room, as its server sees it. `outside`: it is not let in yet. `anew`: it gets the text by which the
 * world began with the next keyframe. `waiting`: it knows the world, and waits for a keyframe. `along`: it has every bundle
 * so far.
 */
type WatcherState = 'outside' | 'anew' | 'waiting' | 'along';

/** [N5.4] [N5.8] The socket of one watcher: it gets nothing that it could not understand, or would not read. */
export class Watcher {
  /** The network from which it came. */
  readonly network: string;
  /** [N5.6] The number of the first question to the room's process that may let it in. */
  readonly ask: number;
  readonly #socket: WebSocket;
  readonly #beganMs = performance.now();
  #state: WatcherState = 'outside';
  #hasBundles = false;
  /** Since when too much waits; null if it does not. */
  #stuckMs: number | null = null;
  /** How many watch, as it was told last. */
  #told = 0;

  /**
   * @param socket becomes the watcher's own.
   * @param stream under the socket.
   * @param ask see the field `ask`.
   */
  constructor(socket: WebSocket, stream: Duplex, network: string, ask: number) {
    this.#socket = socket;
    this.network = network;
    this.ask = ask;
    // It has nothing to say: whatever it sends ends it, be it half a frame. A page that closes its socket is ended so, too.
    stream.on('data', () => socket.terminate());
    socket.on('error', () => socket.terminate());
  }

  /** Calls a function once it is gone. */
  onEnd(ended: () => void): void {
    this.#socket.once('close', ended);
  }

  /** True if it sees the room: it has had a bundle. */
  get isThere(): boolean {
    return this.#hasBundles;
  }

  /** True if it could take a keyframe now, and needs one. */
  get waitsForKeyframe(): boolean {
    return (this.#state === 'anew' || this.#state === 'waiting') && this.#stuckMs === null;
  }

  /** Milliseconds since it came. */
  ageAt(nowMs: number): number {
    return nowMs - this.#beganMs;
  }

  /** [N5.6] The room may be watched. */
  letIn(): void {
    if (this.#state === 'outside') this.#state = 'anew';
  }

  /** Another world begins. */
  beginAnew(): void {
    if (this.#state !== 'outside') this.#state = 'anew';
  }

  /** @param begin the text by which the present world began. */
  send(begin: string, bundle: Buffer, isKeyframe: boolean): void {
    if (this.#state === 'outside' || (this.#state !== 'along' && !isKeyframe)) return;
    if (this.#socket.bufferedAmount > MOST_WAITING) this.#stuckMs ??= performance.now();
    if (this.#stuckMs !== null) {
      if (this.#state === 'along') this.#state = 'waiting';
      return;
    }
    if (this.#state === 'anew') this.#socket.send(begin);
    this.#state = 'along';
    this.#hasBundles = true;
    this.#socket.send(bundle);
  }

  /** [N5.1] Says how many watch, unless it knows, or much waits already. @param text says so. */
  tell(watchers: number, text: string): void {
    if (this.#told === watchers || this.#stuckMs !== null) return;
    this.#told = watchers;
    this.#socket.send(text);
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
