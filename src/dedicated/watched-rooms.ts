import type { RoomCode } from '../core/room/code.ts';
import type { StreamPart } from '../session/watching/room-stream.ts';
import { RoomStream } from '../session/watching/room-stream.ts';
import type { DedicatedRoom } from './dedicated-room.ts';
import type { WatchedRoom, WatchState } from './watch-state.ts';

/** Called with all that a process says of the rooms that are watched. */
export type WatchedHandlers = {
  /** [N5] The next part of a room's stream. */
  streamed(code: RoomCode, part: StreamPart): void;
  /** [N5.6] The answer to each room of `watch`. */
  watchable(code: RoomCode, state: WatchState): void;
};

/** Milliseconds after which nobody watches any more if the server has not said so again: it says so once a second. */
const FORGOTTEN_MS = 5000;

/** [N5] The streams of a process's rooms that somebody watches. */
export class WatchedRooms {
  readonly #handlers: WatchedHandlers;
  readonly #streams = new WeakMap<DedicatedRoom, RoomStream>();
  #watched = new Map<RoomCode, WatchedRoom>();
  #toldMs = 0;

  constructor(handlers: WatchedHandlers) {
    this.#handlers = handlers;
  }

  /** Watchers of all rooms. */
  get count(): number {
    return [...this.#watched.values()].reduce((sum, { watchers }) => sum + watchers, 0);
  }

  /**
   * These rooms are watched from now on, and no others.
   * @param of finds a room by its code.
   */
  watch(watched: readonly WatchedRoom[], nowMs: number, of: (code: RoomCode) => DedicatedRoom | null): void {
    const before = this.#watched;
    this.#watched = new Map(watched.map((room) => [room.code, room]));
    this.#toldMs = nowMs;
    for (const code of before.keys()) if (!this.#watched.has(code)) of(code)?.setWatchers(0);
    for (const { code, watchers } of watched) {
      const room = of(code);
      room?.setWatchers(watchers);
      this.#handlers.watchable(code, room?.watchState ?? 'none');
    }
  }

  /** Call it after each tick of a room. */
  tick(room: DedicatedRoom, nowMs: number): void {
    const watched = this.#watched.get(room.code);
    if (watched === undefined || nowMs - this.#toldMs > FORGOTTEN_MS) return;
    room.stream(this.#streamOf(room), nowMs, watched.wantsKeyframe);
  }

  #streamOf(room: DedicatedRoom): RoomStream {
    const known = this.#streams.get(room);
    if (known !== undefined) return known;
    const { code } = room;
    const stream = new RoomStream((part) => {
      // The server says again if another watcher waits.
      if (part.kind === 'bundle' && part.isKeyframe) this.#served(code);
      this.#handlers.streamed(code, part);
    });
    this.#streams.set(room, stream);
    return stream;
  }

  #served(code: RoomCode): void {
    const watched = this.#watched.get(code);
    if (watched !== undefined) this.#watched.set(code, { ...watched, wantsKeyframe: false });
  }
}
