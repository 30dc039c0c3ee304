import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import { WebSocketServer } from 'ws';
import type { RoomCode } from '../../core/room/code.ts';
import type { WatchedRoom, WatchState } from '../../dedicated/watch-state.ts';
import type { WatchNews } from '../../dedicated/rooms-process.ts';
import { writeWatchers } from '../../session/watching/watch-messages.ts';
import { closeAtOnce } from '../../transport/node/line-server.ts';
import { FULL, LOCKED, NO_SUCH_ROOM } from '../../transport/socket/close-codes.ts';
import { readWatchAddress } from '../../transport/socket/line-address.ts';
import type { Rate } from '../visitors/token-buckets.ts';
import { TokenBuckets } from '../visitors/token-buckets.ts';
import { isOwnSocket } from '../visitors/own-page.ts';
import { refuseUpgrade } from '../visitors/refuse.ts';
import { Watcher } from './watcher.ts';

/** How fast one network may begin to watch: a class does so at once, and comes again when its network is slow. */
const WATCHES_OF_NETWORK: Rate = { atOnce: 120, anotherMs: 250 };
/** Milliseconds between two questions to the process with the rooms: if nothing changes, and at least. */
const TELL_MS = 1000;
const TELL_AGAIN_MS = 100;
/**
 * The most codes of rooms that nobody sees yet: for watchers of one network, and in all. Each costs the process with
 * the rooms a look, and most codes that strangers try belong to no room.
 */
const MOST_AWAITED_OF_NETWORK = 8;
const MOST_AWAITED = 256;
/** The share of all places that one network may have. */
const NETWORK_SHARE = 1 / 4;
/** Milliseconds after which those that watch a room are told that it is gone: its process may have to begin anew. */
const GONE_MS = 15_000;
/** Milliseconds after which somebody who has just come is told that there is no such room. */
const NOTHING_MS = 3000;

/** The process that has the rooms. */
export type WatchSource = {
  /** Tells it which rooms are watched, and asks whether they may be. @param ask the number of this question. */
  watch(ask: number, rooms: readonly WatchedRoom[]): void;
};

/** The parts of the server that watchers need. */
export type WatchersServer = {
  networkOf(request: IncomingMessage): string;
  /** A watcher was refused. */
  refused(network: string): void;
  /** Whether a network may look for a room. */
  mayLookFor(network: string, code: RoomCode): boolean;
  /** [N5.6] Watchers of all rooms at most. One network has a quarter of these places. */
  readonly most: number;
};

/** A room that somebody watches, or wants to. */
type Stream = {
  readonly watchers: Set<Watcher>;
  /** The text by which the present world began; null before the first. */
  begin: string | null;
  /** When the process said last that it has the room. */
  hereMs: number;
};

/** [N5] Gives the streams of rooms to those that watch them. Each part is coded once, and goes to all. */
export class RoomWatchers {
  readonly #source: WatchSource;
  readonly #server: WatchersServer;
  readonly #networks = new TokenBuckets(WATCHES_OF_NETWORK);
  readonly #sockets = new WebSocketServer({
    noServer: true,
    // A watcher sends nothing.
    maxPayload: 1,
    perMessageDeflate: false,
    autoPong: false,
  });
  readonly #rooms = new Map<RoomCode, Stream>();
  readonly #timer: NodeJS.Timeout;
  #soon: NodeJS.Timeout | undefined;
  /** The number of the last question to the process. */
  #ask = 0;

  constructor(source: WatchSource, server: WatchersServer) {
    this.#source = source;
    this.#server = server;
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
    const network = this.#server.networkOf(request);
    const refuse = (status: number): true => {
      this.#server.refused(network);
      refuseUpgrade(stream, status);
      return true;
    };
    // A page of another site could use up what its visitor's network may look for.
    if (!isOwnSocket(request)) return refuse(403);
    // A watcher has nothing to say, so no bytes may come with the request.
    if (!this.#networks.take(network, Date.now()) || head.length > 0) return refuse(429);
    const { code } = asked;
    const isRefused = !this.#hasPlace(network, code) || !this.#mayLookFor(network, code);
    if (isRefused) this.#server.refused(network);
    this.#sockets.handleUpgrade(request, stream, head, (socket) => {
      if (code === null || isRefused) closeAtOnce(socket, isRefused ? FULL : NO_SUCH_ROOM);
      else this.#begin(code, new Watcher(socket, stream, network, this.#ask + 1));
    });
    return true;
  }

  #mayLookFor(network: string, code: RoomCode | null): boolean {
    return code === null || this.#server.mayLookFor(network, code);
  }

  #hasPlace(network: string, code: RoomCode | null): boolean {
    const { most } = this.#server;
    if (this.count >= most || this.#countOf(network) >= most * NETWORK_SHARE) return false;
    if (code === null || this.#rooms.has(code)) return true;
    const awaited = [...this.#rooms.values()].filter((room) => countThere(room) === 0);
    const own = awaited.filter(({ watchers }) => [...watchers].some((one) => one.network === network));
    return awaited.length < MOST_AWAITED && own.length < MOST_AWAITED_OF_NETWORK;
  }

  #countOf(network: string): number {
    let count = 0;
    for (const { watchers } of this.#rooms.values())
      for (const watcher of watchers) if (watcher.network === network) count++;
    return count;
  }

  #begin(code: RoomCode, watcher: Watcher): void {
    const now = performance.now();
    let room = this.#rooms.get(code);
    if (room === undefined) {
      room = { watchers: new Set(), begin: null, hereMs: now };
      this.#rooms.set(code, room);
    }
    const { watchers } = room;
    watchers.add(watcher);
    watcher.onEnd(() => {
      watchers.delete(watcher);
      this.#tellSoon();
    });
    this.#tellSoon();
  }

  /** Takes in what the process with the rooms says. */
  take(news: WatchNews): void {
    if (news.kind === 'watchable') {
      for (const [code, state] of news.states) this.#judge(code, news.ask, state);
      return;
    }
    const room = this.#rooms.get(news.code);
    if (room === undefined) return;
    const { part } = news;
    if (part.kind === 'begin') {
      room.begin = part.text;
      for (const watcher of room.watchers) watcher.beginAnew();
      return;
    }
    if (room.begin === null) return;
    const bundle = Buffer.from(part.bytes.buffer, part.bytes.byteOffset, part.bytes.length);
    for (const watcher of room.watchers) watcher.send(room.begin, bundle, part.isKeyframe);
    if (waitsForKeyframe(room)) this.#tellSoon();
  }

  /** [N5.6] Only an answer to a question that was asked after somebody came lets them in: the room may be locked by then. */
  #judge(code: RoomCode, ask: number, state: WatchState): void {
    const room = this.#rooms.get(code);
    if (room === undefined) return;
    if (state !== 'none') room.hereMs = performance.now();
    if (state === 'locked') this.#close(room, LOCKED, (watcher) => !watcher.isThere);
    if (state !== 'open') return;
    for (const watcher of room.watchers) if (watcher.ask <= ask) watcher.letIn();
    if (waitsForKeyframe(room)) this.#tellSoon();
  }

  #eachSecond(nowMs: number): void {
    for (const [code, room] of this.#rooms) {
      const { watchers } = room;
      for (const watcher of watchers) watcher.judge(nowMs);
      const isGone = nowMs - room.hereMs > GONE_MS;
      this.#close(room, NO_SUCH_ROOM, (watcher) => {
        return isGone || (!watcher.isThere && watcher.ageAt(nowMs) > NOTHING_MS);
      });
      if (watchers.size === 0) this.#rooms.delete(code);
      const count = countThere(room);
      const text = writeWatchers(count);
      for (const watcher of watchers) if (watcher.isThere) watcher.tell(count, text);
    }
    this.#tell();
  }

  #close({ watchers }: Stream, code: number, which: (watcher: Watcher) => boolean): void {
    for (const watcher of [...watchers].filter(which)) {
      watchers.delete(watcher);
      watcher.close(code);
      this.#tellSoon();
    }
  }

  /** Many may come and go at once: the process hears of them together. */
  #tellSoon(): void {
    this.#soon ??= setTimeout(() => this.#tell(), TELL_AGAIN_MS);
  }

  #tell(): void {
    clearTimeout(this.#soon);
    this.#soon = undefined;
    const rooms = [...this.#rooms].map(([code, room]) => {
      return { code, watchers: countThere(room), wantsKeyframe: waitsForKeyframe(room) };
    });
    this.#source.watch(++this.#ask, rooms);
  }

  /** Ends all watching. */
  stop(): void {
    clearInterval(this.#timer);
    clearTimeout(this.#soon);
    for (const { watchers } of this.#rooms.values()) for (const watcher of watchers) watcher.end();
    this.#rooms.clear();
  }
}

/** Those who see the room. */
function countThere({ watchers }: Stream): number {
  let count = 0;
  for (const { isThere } of watchers) if (isThere) count++;
  return count;
}

function waitsForKeyframe({ watchers }: Stream): boolean {
  for (const watcher of watchers) if (watcher.waitsForKeyframe) return true;
  return false;
}
