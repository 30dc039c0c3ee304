import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import type { WebSocket } from 'ws';
import { WebSocketServer } from 'ws';
import type { RoomCode } from '../../core/room/code.ts';
import type { WatchedRoom } from '../../dedicated/watch-state.ts';
import type { WatchNews } from '../../dedicated/rooms-process.ts';
import { writeWatchers } from '../../session/watching/watch-messages.ts';
import { closeAtOnce } from '../../transport/node/line-server.ts';
import { FULL, LOCKED, NO_SUCH_ROOM } from '../../transport/socket/close-codes.ts';
import { readWatchAddress } from '../../transport/socket/line-address.ts';
import type { Rate } from '../broker/token-buckets.ts';
import { TokenBuckets } from '../broker/token-buckets.ts';
import { isOwnPage } from '../visitors/own-page.ts';
import { refuseUpgrade } from '../visitors/refuse.ts';
import { Watcher } from './watcher.ts';

/** How fast one network may begin to watch: a class does so at once, and comes again when its network is slow. */
const WATCHES_OF_NETWORK: Rate = { atOnce: 120, anotherMs: 250 };
/** Milliseconds between two words to the process with the rooms, if nothing changes. */
const TELL_MS = 1000;
/**
 * Milliseconds after which a room is not here: for those that watched it, since its process may have to begin anew; and
 * for those that have just come.
 */
const SILENT_MS = 15_000;
const NOTHING_MS = 3000;

/** The process that has the rooms. */
export type WatchSource = {
  /** Tells it which rooms are watched. */
  watch(rooms: readonly WatchedRoom[]): void;
};

/** The parts of the server that watchers need. */
export type WatchersWatch = {
  networkOf(request: IncomingMessage): string;
  /** A watcher was refused. */
  refused(network: string): void;
  /** Whether a network may look for a room. */
  mayLookFor(network: string, code: RoomCode): boolean;
  /** Watchers of all rooms at most. */
  readonly most: number;
};

/** A room that somebody watches. */
type Watched = {
  readonly watchers: Set<Watcher>;
  /** The text by which the present world began; null before the first. */
  begin: string | null;
  /** When the last part of its stream came. */
  heardMs: number;
  /** How many the watchers were told to be. */
  said: number;
};

/** [N5] Gives the streams of rooms to those that watch them. One part goes to all, coded and framed once. */
export class RoomWatchers {
  readonly #source: WatchSource;
  readonly #watch: WatchersWatch;
  readonly #networks = new TokenBuckets(WATCHES_OF_NETWORK);
  readonly #sockets = new WebSocketServer({
    noServer: true,
    // A watcher sends nothing.
    maxPayload: 1,
    perMessageDeflate: false,
    autoPong: false,
  });
  readonly #rooms = new Map<RoomCode, Watched>();
  readonly #timer: NodeJS.Timeout;
  #isTold = true;

  constructor(source: WatchSource, watch: WatchersWatch) {
    this.#source = source;
    this.#watch = watch;
    this.#timer = setInterval(() => this.#eachSecond(performance.now()), TELL_MS);
    this.#timer.unref();
  }

  /** Watchers of all rooms. */
  get count(): number {
    let count = 0;
    for (const { watchers } of this.#rooms.values()) count += watchers.size;
    return count;
  }

  /** Takes an upgrade, if it is one of a watcher. @returns false if it is not. */
  upgrade(request: IncomingMessage, stream: Duplex, head: Buffer): boolean {
    const asked = readWatchAddress(request.url);
    if (asked === null) return false;
    const network = this.#watch.networkOf(request);
    const refusal = this.#refusalOf(request, network, asked.code);
    if (refusal !== null) this.#watch.refused(network);
    if (refusal === 403) {
      refuseUpgrade(stream, refusal);
      return true;
    }
    this.#sockets.handleUpgrade(request, stream, head, (socket) => {
      if (refusal !== null || asked.code === null) closeAtOnce(socket, refusal ?? NO_SUCH_ROOM);
      else this.#begin(asked.code, socket);
    });
    return true;
  }

  /** A page of another site could use up what its visitor's network may look for. */
  #refusalOf(request: IncomingMessage, network: string, code: RoomCode | null): number | null {
    if (!isOwnPage(request.headers['sec-fetch-site'])) return 403;
    const mayWatch = this.#networks.take(network, Date.now()) && this.count < this.#watch.most;
    return mayWatch && (code === null || this.#watch.mayLookFor(network, code)) ? null : FULL;
  }

  #begin(code: RoomCode, socket: WebSocket): void {
    const now = performance.now();
    let room = this.#rooms.get(code);
    if (room === undefined) {
      room = { watchers: new Set(), begin: null, heardMs: now, said: 0 };
      this.#rooms.set(code, room);
    }
    const { watchers } = room;
    const watcher = new Watcher(socket);
    watchers.add(watcher);
    socket.once('close', () => {
      watchers.delete(watcher);
      this.#tellSoon();
    });
    this.#tellSoon();
  }

  /** Takes in what the process with the rooms says. */
  take(news: WatchNews): void {
    const room = this.#rooms.get(news.code);
    if (room === undefined) return;
    if (news.kind === 'watchable') {
      if (news.state === 'locked') this.#close(room, LOCKED, (watcher) => watcher.hasNothing);
      // A room that moved to a browser, or has ended. It may be on its way back.
      if (news.state !== 'none') room.heardMs = performance.now();
      return;
    }
    const { part } = news;
    if (part.kind === 'begin') {
      room.begin = part.text;
      for (const watcher of room.watchers) watcher.beginAnew();
      return;
    }
    if (room.begin === null) return;
    const bundle = Buffer.from(part.bytes.buffer, part.bytes.byteOffset, part.bytes.length);
    for (const watcher of room.watchers) watcher.send(room.begin, bundle, part.isKeyframe);
    if ([...room.watchers].some((watcher) => watcher.waitsForKeyframe)) this.#tellSoon();
  }

  #eachSecond(nowMs: number): void {
    for (const [code, room] of this.#rooms) {
      const { watchers } = room;
      for (const watcher of watchers) watcher.judge(nowMs);
      const isSilent = nowMs - room.heardMs > SILENT_MS;
      this.#close(room, NO_SUCH_ROOM, (watcher) => {
        return isSilent || (watcher.hasNothing && watcher.ageAt(nowMs) > NOTHING_MS);
      });
      if (watchers.size === 0) this.#rooms.delete(code);
      if (room.said === watchers.size) continue;
      room.said = watchers.size;
      const text = writeWatchers(room.said);
      for (const watcher of watchers) watcher.say(text);
    }
    this.#tell();
  }

  #close({ watchers }: Watched, code: number, which: (watcher: Watcher) => boolean): void {
    for (const watcher of [...watchers].filter(which)) {
      watchers.delete(watcher);
      watcher.close(code);
    }
  }

  /** Many may come at once: the process hears of them together. */
  #tellSoon(): void {
    if (!this.#isTold) return;
    this.#isTold = false;
    setImmediate(() => !this.#isTold && this.#tell());
  }

  #tell(): void {
    this.#isTold = true;
    const rooms = [...this.#rooms].map(([code, { watchers }]) => {
      const wantsKeyframe = [...watchers].some((watcher) => watcher.waitsForKeyframe);
      return { code, watchers: watchers.size, wantsKeyframe };
    });
    this.#source.watch(rooms);
  }

  /** Ends all watching. */
  stop(): void {
    clearInterval(this.#timer);
    for (const { watchers } of this.#rooms.values()) for (const watcher of watchers) watcher.end();
    this.#rooms.clear();
  }
}
