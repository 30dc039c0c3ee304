import type { RoomCode } from '../../core/room/code.ts';
import { Backoff } from '../../transport/backoff.ts';
import type { ReadSocket, WatchEnd } from '../../transport/socket/watch-socket.ts';
import { WatchSocket } from '../../transport/socket/watch-socket.ts';
import type { WatchFault } from '../../session/watching/watching.ts';
import { Watching } from '../../session/watching/watching.ts';
import { watchAddress } from '../../transport/socket/line-address.ts';
import type { Game } from '../../session/world.ts';

/** Milliseconds until another connection is tried: at first, and at most. */
const AGAIN_MS = 500;
const MOST_AGAIN_MS = 8000;
/** Milliseconds that a connection has to bring a world: a server answers within 3 s whether there is one. */
const WORLD_WITHIN_MS = 10_000;
/**
 * Milliseconds without an up-to-date world after which watching ends: for somebody who has seen the room, since the
 * server may be starting again; and for somebody who has not, since the site may have no server.
 */
const GIVES_UP_MS = 60_000;
const GIVES_UP_FIRST_MS = 15_000;

/** Why a room can't be watched, or no longer. */
export type WatchFailure = Exclude<WatchEnd, 'lost'> | 'no server' | WatchFault;

/** The connection that brings the room, or the wait for the next one. */
type Connection =
  | { readonly kind: 'open'; readonly socket: WatchSocket; readonly sinceMs: number }
  | { readonly kind: 'waiting'; readonly untilMs: number };

/**
 * [N5] The way from a server's room to the page that shows it: a connection, another one when it breaks or falls behind,
 * and the world that comes by it.
 */
export class WatchLink {
  readonly watching: Watching;
  readonly #address: URL;
  readonly #dial: (address: URL) => ReadSocket;
  #connection: Connection | null = null;
  #failure: WatchFailure | null = null;
  /** Since when the world is not up to date; null while it is. */
  #lostMs: number | null = null;
  readonly #backoff = new Backoff(AGAIN_MS, MOST_AGAIN_MS);
  /** How the last connection has ended. */
  #end: WatchEnd | null = null;
  #wasHere = false;

  /**
   * @param rooms the address of the server's rooms, with a slash at its end.
   * @param dial begins a WebSocket.
   */
  constructor(
    game: Game,
    rooms: URL,
    code: RoomCode,
    dial: (address: URL) => ReadSocket = (address) => new WebSocket(address),
  ) {
    this.watching = new Watching(game);
    this.#address = watchAddress(rooms, code);
    this.#dial = dial;
  }

  /** Null while it goes on. */
  get failure(): WatchFailure | null {
    return this.#failure ?? this.watching.fault;
  }

  /** True while nothing new of the room is seen. */
  get isLost(): boolean {
    return this.#wasHere && this.#lostMs !== null;
  }

  /** Takes in what has come, and runs one tick of the world. @param nowMs when it is due. */
  tick(nowMs: number): void {
    if (this.failure !== null) return;
    this.#connection ??= this.#connect(nowMs);
    this.watching.tick(nowMs);
    if (this.watching.status === 'along' && this.#end === null) {
      this.#wasHere = true;
      this.#lostMs = null;
      this.#backoff.reset();
      return;
    }
    this.#lostMs ??= nowMs;
    this.#tend(this.#connection, nowMs, this.#lostMs);
  }

  #tend(connection: Connection, nowMs: number, lostMs: number): void {
    if (this.#isFinal()) this.#failure = this.#end === 'lost' ? 'no server' : this.#end;
    else if (nowMs - lostMs > (this.#wasHere ? GIVES_UP_MS : GIVES_UP_FIRST_MS))
      this.#failure = this.#end === 'no room' ? 'no room' : 'no server';
    else if (connection.kind === 'waiting') {
      if (nowMs >= connection.untilMs) this.#connection = this.#connect(nowMs);
    } else {
      const isLate = nowMs - connection.sinceMs > WORLD_WITHIN_MS;
      if (this.#end === null && this.watching.status !== 'behind' && !isLate) return;
      connection.socket.close();
      this.#connection = { kind: 'waiting', untilMs: nowMs + this.#backoff.next() };
      this.watching.restart();
    }
  }

  /**
   * True if the server's refusal is final. A page that has shown the room before tries again unless it is locked: all
   * watchers may have come back at once, or the server may still have to restore the room.
   */
  #isFinal(): boolean {
    return this.#end === 'locked' || (!this.#wasHere && this.#end !== null && this.#end !== 'lost');
  }

  #connect(nowMs: number): Connection {
    this.#end = null;
    const socket = new WatchSocket(
      this.#dial(this.#address),
      (message) => this.watching.receive(message),
      (why) => (this.#end = why),
    );
    return { kind: 'open', socket, sinceMs: nowMs };
  }

  /** Ends it, and frees the world. */
  close(): void {
    if (this.#connection?.kind === 'open') this.#connection.socket.close();
    this.watching.dispose();
  }
}
