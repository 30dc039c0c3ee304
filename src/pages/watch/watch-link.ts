import type { RoomCode } from '../../core/room/code.ts';
import type { WatchEnd } from '../../transport/socket/watch-socket.ts';
import { WatchSocket } from '../../transport/socket/watch-socket.ts';
import type { WatchFault } from '../../session/watching/watching.ts';
import { Watching } from '../../session/watching/watching.ts';
import { watchAddress } from '../../transport/socket/line-address.ts';
import type { Game } from '../../session/world.ts';

/** Milliseconds until a broken connection is tried again: at first, and at most. */
const AGAIN_MS = 500;
const MOST_AGAIN_MS = 4000;
/** Milliseconds without the server after which watching ends: it may begin anew meanwhile. */
const GIVES_UP_MS = 60_000;

/** Why a room can't be watched, or no longer. */
export type WatchFailure = Exclude<WatchEnd, 'lost'> | 'no server' | WatchFault;

/**
 * [N5] The way from a server's room to the page that shows it: a connection, another one when it breaks or falls behind,
 * and the world that comes by it.
 */
export class WatchLink {
  readonly watching: Watching;
  readonly #address: URL;
  #socket: WatchSocket | null = null;
  #failure: WatchFailure | null = null;
  /** When the connection broke; null while there is one. */
  #lostMs: number | null = null;
  #againMs = AGAIN_MS;
  #tryMs = 0;

  /** @param rooms the address of the server's rooms, with a slash at its end. */
  constructor(game: Game, rooms: URL, code: RoomCode) {
    this.watching = new Watching(game);
    this.#address = watchAddress(rooms, code);
    this.#connect();
  }

  /** Null while it goes on. */
  get failure(): WatchFailure | null {
    return this.#failure ?? this.watching.fault;
  }

  /** True while the connection is broken. */
  get isLost(): boolean {
    return this.#lostMs !== null;
  }

  /** Takes in what has come, and runs one tick of the world. @param nowMs when it is due. */
  tick(nowMs: number): void {
    if (this.failure !== null) return;
    if (this.watching.isBehind) {
      this.#socket?.close();
      this.#connect();
    }
    if (this.#lostMs !== null) this.#tryAgain(nowMs, this.#lostMs);
    this.watching.tick(nowMs);
  }

  #tryAgain(nowMs: number, sinceMs: number): void {
    if (nowMs - sinceMs > GIVES_UP_MS) this.#failure = 'no server';
    else if (this.#socket === null && nowMs >= this.#tryMs) this.#connect();
  }

  #connect(): void {
    this.watching.restart();
    this.#socket = new WatchSocket(
      new WebSocket(this.#address),
      (message) => {
        this.#lostMs = null;
        this.#againMs = AGAIN_MS;
        this.watching.receive(message);
      },
      (why) => this.#end(why),
    );
  }

  #end(why: WatchEnd): void {
    this.#socket = null;
    // A room whose process began anew is back in a moment.
    const wasHere = this.watching.world !== null;
    if (why !== 'lost' && !(why === 'no room' && wasHere && this.#lostMs === null)) this.#failure = why;
    const now = performance.now();
    this.#lostMs ??= now;
    this.#tryMs = now + this.#againMs;
    this.#againMs = Math.min(MOST_AGAIN_MS, 2 * this.#againMs);
  }

  /** Ends it, and frees the world. */
  close(): void {
    this.#socket?.close();
    this.watching.dispose();
  }
}
