import { TICK_MS } from '../core/base/constants.ts';
import type { RoomCode } from '../core/room/code.ts';
import type { RoomId } from '../core/room/identity/key.ts';
import { runTicks, TickClock } from '../session/tick-clock.ts';
import type { RoomOrder, RoomSurroundings } from './dedicated-room.ts';
import { DedicatedRoom } from './dedicated-room.ts';
import { Durations } from './durations.ts';

/** A room that is open. */
export type OpenRoom = { readonly code: RoomCode; readonly room: RoomId | null };

/** Figures of a process with rooms. */
export type HouseFigures = {
  readonly rooms: number;
  /** People in all rooms. */
  readonly people: number;
  /** Milliseconds that one tick of all rooms took, at most in 99 of 100 ticks of the last ten seconds. */
  readonly tickP99Ms: number;
  /** Ticks since the beginning; those that began late, by a tick's time or more; and those that were left out. */
  readonly ticks: number;
  readonly lateTicks: number;
  readonly skippedTicks: number;
};

/** The settings of a RoomHouse. */
export type HouseOptions = RoomSurroundings & {
  /** Rooms at most. */
  readonly mostRooms: number;
  /** Milliseconds after which a room ends in which nobody is. */
  readonly emptyMs: number;
};

/** Milliseconds that a room's door has to open. */
const OPEN_WITHIN_MS = 15_000;

/** The rooms of one process, and their common clock. */
export class RoomHouse {
  readonly #options: HouseOptions;
  /** Each room, and what is called when it has ended. */
  readonly #rooms = new Map<DedicatedRoom, () => void>();
  readonly #clock = new TickClock(performance.now());
  readonly #durations = new Durations();
  /** Rooms that are being made. */
  #beginning = 0;
  readonly #stopTicks: () => void;
  #isStopped = false;

  constructor(options: HouseOptions) {
    this.#options = options;
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
    this.#rooms.set(room, ended);
    const until = performance.now() + OPEN_WITHIN_MS;
    while (room.state.kind === 'opening' && performance.now() < until) await aTick();
    if (room.state.kind === 'open') return { code: room.code, room: room.room };
    this.#end(room);
    throw new Error('The broker does not open a door for the room.');
  }

  get figures(): HouseFigures {
    const { ticks, late, skipped } = this.#clock;
    return {
      rooms: this.#rooms.size,
      people: [...this.#rooms.keys()].reduce((sum, room) => sum + room.people, 0),
      tickP99Ms: this.#durations.percentile(0.99),
      ticks,
      lateTicks: late,
      skippedTicks: skipped,
    };
  }

  /** Ends all rooms. Each goes on under one of its players, if there are any. */
  stop(): void {
    this.#isStopped = true;
    this.#stopTicks();
    for (const room of this.#rooms.keys()) this.#end(room);
  }

  #tick(dueMs: number): void {
    const began = performance.now();
    for (const room of this.#rooms.keys()) {
      this.#guard(room, () => room.tick(dueMs));
      if (room.state.kind === 'over' || room.emptyFor(dueMs) > this.#options.emptyMs) this.#end(room);
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

  #end(room: DedicatedRoom): void {
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
