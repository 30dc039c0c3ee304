import { TICK_MS } from '../core/base/constants.ts';
import type { RoomCode } from '../core/room/code.ts';
import type { RoomId } from '../core/room/identity/key.ts';
import { runTicks, TickClock } from '../session/tick-clock.ts';
import type { RoomOrder, RoomSurroundings } from './dedicated-room.ts';
import { DedicatedRoom } from './dedicated-room.ts';
import { Durations } from './durations.ts';
import type { HouseFigures } from './house-figures.ts';
import { Keeper } from './snapshots/keeper.ts';
import type { RoomSnapshot } from './snapshots/snapshot.ts';
import { readSnapshot } from './snapshots/snapshot.ts';
import type { SnapshotStore } from './snapshots/snapshot-store.ts';

/** A room that is open. */
export type OpenRoom = { readonly code: RoomCode; readonly room: RoomId | null };

/** The settings of a RoomHouse. */
export type HouseOptions = RoomSurroundings & {
  /** Rooms at most. */
  readonly mostRooms: number;
  /** Milliseconds after which a room ends in which nobody is. */
  readonly emptyMs: number;
  /** [N6.1] Keeps the rooms; left out if they end with the process. */
  readonly store?: SnapshotStore;
};

/** Milliseconds for which a room that was kept is looked for again and again. */
const RESTORE_WITHIN_MS = 60_000;
/** Milliseconds that a room's door has to open. */
const OPEN_WITHIN_MS = 15_000;

/** The rooms of one process, and their common clock. */
export class RoomHouse {
  readonly #options: HouseOptions;
  /** Each room, and what is called when it has ended. */
  readonly #rooms = new Map<DedicatedRoom, () => void>();
  readonly #keeper: Keeper | null;
  /** The rooms that were restored, and that may have to be restored once more. */
  readonly #restored = new Map<
    DedicatedRoom,
    { readonly snapshot: RoomSnapshot; readonly untilMs: number }
  >();
  #unreadable = 0;
  readonly #clock = new TickClock(performance.now());
  readonly #durations = new Durations();
  /** Rooms that are being made. */
  #beginning = 0;
  readonly #stopTicks: () => void;
  #isStopped = false;

  constructor(options: HouseOptions) {
    this.#options = options;
    this.#keeper = options.store === undefined ? null : new Keeper(options.store);
    this.#stopTicks = runTicks(this.#clock, (dueMs) => this.#tick(dueMs));
  }

  /**
   * Opens a room.
   * @param ended called once when the room has ended; never if the house was full, or the order made no sense.
   * @returns when players can join it; 'full' if this process has as many rooms as it may.
   * @throws RangeError if the order asks for what no room has; Error if the broker does not take it.
   */
  async open(order: RoomOrder, ended: () => void = () => undefined): Promise<OpenRoom | 'full'> {
    if (this.#rooms.size + this.#beginning >= this.#options.mostRooms || this.#isStopped) return 'full';
    this.#beginning++;
    const room = await DedicatedRoom.begin(this.#options, order).finally(() => void this.#beginning--);
    if (this.#isStopped) {
      room.leave();
      return 'full';
    }
    this.#rooms.set(room, ended);
    const until = performance.now() + OPEN_WITHIN_MS;
    while (room.state.kind === 'opening' && performance.now() < until) await aTick();
    if (room.state.kind === 'open') return { code: room.code, room: room.room };
    this.#end(room);
    throw new Error('The broker does not open a door for the room.');
  }

  /** [N6.2] Goes on with the rooms that are kept, as many as may be here. Never rejects. */
  async restore(): Promise<void> {
    const texts = await this.#options.store?.load().catch((error: unknown) => {
      console.error('The rooms that were kept could not be read:', error);
      return [];
    });
    for (const text of texts ?? []) {
      const snapshot = readSnapshot(text, this.#options.game.levels);
      if (snapshot === null) this.#unreadable++;
      else await this.#restore(snapshot, performance.now() + RESTORE_WITHIN_MS);
    }
  }

  async #restore(snapshot: RoomSnapshot, untilMs: number): Promise<void> {
    if (this.#rooms.size + this.#beginning >= this.#options.mostRooms || this.#isStopped) return;
    this.#beginning++;
    const room = await DedicatedRoom.restore(this.#options, snapshot)
      .catch(() => null)
      .finally(() => void this.#beginning--);
    if (room === null) this.#unreadable++;
    else if (this.#isStopped) room.leave();
    else {
      this.#rooms.set(room, () => undefined);
      this.#restored.set(room, { snapshot, untilMs });
    }
  }

  get figures(): HouseFigures {
    const { ticks, late, skipped } = this.#clock;
    const rooms = [...this.#rooms.keys()];
    return {
      rooms: rooms.length,
      returning: rooms.filter(({ state }) => state.kind !== 'open').length,
      people: rooms.reduce((sum, room) => sum + room.people, 0),
      tickP99Ms: this.#durations.percentile(0.99),
      ticks,
      lateTicks: late,
      skippedTicks: skipped,
      snapshotFailures: this.#unreadable + (this.#keeper?.failures ?? 0),
    };
  }

  /**
   * Ends all rooms. Each goes on under one of its players, if there are any; and is kept, if rooms are kept.
   * @returns when the last snapshots are written. Never rejects.
   */
  async stop(): Promise<void> {
    this.#isStopped = true;
    this.#stopTicks();
    const written = this.#keeper?.saveAll();
    for (const room of this.#rooms.keys()) this.#leave(room);
    await written;
  }

  #tick(dueMs: number): void {
    const began = performance.now();
    for (const room of this.#rooms.keys()) {
      this.#guard(room, () => room.tick(dueMs));
      if (room.state.kind === 'over' || room.emptyFor(dueMs) > this.#options.emptyMs) this.#end(room);
      else this.#keeper?.tick(room, dueMs);
    }
    this.#durations.add(performance.now() - began);
  }

  /** [N4.3] Ends a room if what it does fails. */
  #guard(room: DedicatedRoom, act: () => void): void {
    try {
      act();
    } catch (error) {
      console.error(`Room ${room.code} has ended by a fault:`, error);
      this.#end(room);
    }
  }

  /** Ends a room for good; one that was restored and did not find its way back is restored once more. */
  #end(room: DedicatedRoom): void {
    const { mayTryAgain } = room;
    this.#leave(room);
    const restored = this.#restored.get(room);
    this.#restored.delete(room);
    if (restored !== undefined && mayTryAgain && performance.now() < restored.untilMs)
      void this.#restore(restored.snapshot, restored.untilMs);
    else this.#keeper?.forget(room);
  }

  #leave(room: DedicatedRoom): void {
    const ended = this.#rooms.get(room);
    if (ended === undefined) return;
    this.#rooms.delete(room);
    // After a fault, leaving may fail, too.
    this.#guard(room, () => room.leave());
    ended();
  }
}

function aTick(): Promise<void> {
  return new Promise((resolve) => void setTimeout(resolve, TICK_MS));
}
