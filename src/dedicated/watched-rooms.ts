import type { RoomCode } from '../core/room/code.ts';
import type { StreamPart } from '../session/watching/room-stream.ts';
import { RoomStream } from '../session/watching/room-stream.ts';
import type { DedicatedRoom } from './dedicated-room.ts';
import type { WatchedRoom, WatchState } from './watch-state.ts';

/** Called with all that a process says of the rooms that are watched. */
export type WatchedHandlers = {
  /** [N5] The next part of a room's stream. */
  streamed(code: RoomCode, part: StreamPart): void;
  /** [N5.6] The answer to `watch`: whether each of its rooms may be watched. */
  watchable(ask: number, states: ReadonlyMap<RoomCode, WatchState>): void;
};

/** Milliseconds after which nobody watches any more if the server has not said so again: it says so once a second. */
const FORGOTTEN_MS = 5000;

/** [N5] The streams of a process's rooms that somebody watches. */
export class WatchedRooms {
  readonly #handlers: WatchedHandlers;
  readonly #streams = new Map<RoomCode, RoomStream>();
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
   * @param ask the number that the answers are to have.
   * @param of finds a room by its code.
   */
  watch(
    ask: number,
    watched: readonly WatchedRoom[],
    nowMs: number,
    of: (code: RoomCode) => DedicatedRoom | null,
  ): void {
    const before = this.#watched;
    this.#watched = new Map(watched.map((room) => [room.code, room]));
    this.#toldMs = nowMs;
    for (const code of before.keys()) {
      if (this.#watched.has(code)) continue;
      // Whoever watches it next needs all of it.
      this.#streams.delete(code);
      of(code)?.setWatchers(0);
    }
    const states = new Map<RoomCode, WatchState>();
    for (const { code, watchers } of watched) {
      const room = of(code);
      room?.setWatchers(watchers);
      states.set(code, room?.watchState ?? 'none');
    }
    this.#handlers.watchable(ask, states);
  }

  /** Call it after each tick of a room. */
  tick(room: DedicatedRoom, nowMs: number): void {
    const { code } = room;
    const watched = this.#watched.get(code);
    if (watched === undefined || nowMs - this.#toldMs > FORGOTTEN_MS) return;
    const stream = this.#streams.get(code) ?? this.#begin(code);
    room.stream(stream, nowMs, watched.wantsKeyframe);
  }

  #begin(code: RoomCode): RoomStream {
    const stream = new RoomStream((part) => {
      // The wish for a keyframe is served. If another watcher waits, the server asks again.
      if (part.kind === 'bundle' && part.isKeyframe) this.#served(code);
      this.#handlers.streamed(code, part);
    });
    this.#streams.set(code, stream);
    return stream;
  }

  #served(code: RoomCode): void {
    const watched = this.#watched.get(code);
    if (watched !== undefined) this.#watched.set(code, { ...watched, wantsKeyframe: false });
  }
}
