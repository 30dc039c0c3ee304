import { TICK_MS } from '../core/base/constants.ts';
import type { RoomCode } from '../core/room/code.ts';
import type { PublicKey, RoomId } from '../core/room/identity/key.ts';
import { runTicks, TickClock } from '../session/tick-clock.ts';
import type { LineSocket } from '../transport/socket/socket-connection.ts';
import type { Looking, MovingRoom, RoomOrder, RoomSurroundings } from './dedicated-room.ts';
import { DedicatedRoom } from './dedicated-room.ts';
import { Durations } from './durations.ts';
import type { HouseFigures } from './house-figures.ts';
import { Keeper } from './snapshots/keeper.ts';
import type { KeptDoor } from './snapshots/kept-doors.ts';
import { KeptDoors } from './snapshots/kept-doors.ts';
import type { Return, Tried } from './snapshots/returns.ts';
import { looksNext, Returns } from './snapshots/returns.ts';
import { loadSnapshots } from './snapshots/load-snapshots.ts';
import type { RoomSnapshot } from './snapshots/snapshot.ts';
import type { WatchedRoom } from './watch-state.ts';
import type { PlayersHandler } from './told-players.ts';
import { ToldPlayers } from './told-players.ts';
import type { WatchedHandlers } from './watched-rooms.ts';
import { WatchedRooms } from './watched-rooms.ts';
import type { SnapshotStore } from './snapshots/snapshot-store.ts';

/** A room that is open, or that moves to this process; and the key of its dedicated host [P1]. */
export type OpenRoom = { readonly code: RoomCode; readonly room: RoomId | null; readonly key: PublicKey };

/** The settings of a RoomHouse. */
export type HouseOptions = RoomSurroundings & {
  /** [N5] These functions get all news of watched rooms; left out if nobody can watch. */
  readonly watched?: WatchedHandlers;
  /** [N8.6] Is told who plays in large rooms. */
  readonly players?: PlayersHandler;
  /** Rooms at most. */
  readonly mostRooms: number;
  /** Milliseconds after which a room ends in which nobody is. */
  readonly emptyMs: number;
  /** [N6.1] Keeps the rooms; left out if they end with the process. */
  readonly store?: SnapshotStore;
  /** [N6.4] Milliseconds after its last snapshot at which a kept room without a place is given up; never if left out. */
  readonly keepMs?: number;
  /** [N6.3] Is told the doors of all rooms that are kept, whenever one of them has changed. */
  readonly kept?: (doors: readonly KeptDoor[]) => void;
};

/** [N9.4] Milliseconds between two looks whether rooms of a dead process wait in a shared store. */
const LOAD_AGAIN_MS = 500;
/** Milliseconds that a room's door has to open. */
const OPEN_WITHIN_MS = 15_000;

/** An attempt to bring a kept room back, and how it looks for the room at its door. */
type Attempt = { readonly returning: Return; readonly looks: Looking };

/** The rooms of one process, and their common clock. */
export class RoomHouse {
  readonly #options: HouseOptions;
  /** Each room, and what is called when it has ended. */
  readonly #rooms = new Map<DedicatedRoom, () => void>();
  readonly #keeper: Keeper | null;
  readonly #watched: WatchedRooms | null;
  readonly #players: ToldPlayers | null;
  readonly #doors: KeptDoors;
  /** The kept rooms that wait for an attempt to bring them back, and the attempts that are under way. */
  readonly #returns = new Returns();
  readonly #restored = new Map<DedicatedRoom, Attempt>();
  #unreadable = 0;
  /** When a shared store is looked at next; infinite while that is under way, and for any other store. */
  #loadsAtMs = Infinity;
  #hasLoaded = false;
  readonly #clock = new TickClock(performance.now());
  readonly #durations = new Durations();
  /** Rooms that are being made. */
  #beginning = 0;
  readonly #stopTicks: () => void;
  #isStopped = false;
  /** The kept rooms are read. */
  #loaded = Promise.resolve();

  constructor(options: HouseOptions) {
    this.#options = options;
    this.#watched = options.watched === undefined ? null : new WatchedRooms(options.watched);
    this.#players = options.players === undefined ? null : new ToldPlayers(options.players);
    this.#doors = new KeptDoors(options.kept ?? (() => undefined));
    this.#keeper = options.store === undefined ? null : new Keeper(options.store, this.#doors);
    this.#stopTicks = runTicks(this.#clock, (dueMs) => this.#tick(dueMs));
  }

  /**
   * Opens a room.
   * @param ended called once when the room has ended; never if the house was full, or the order made no sense.
   * @returns when players can join it, or [N3.4] when a room that moves is looked for; 'full' if this process has as many rooms as it may.
   * @throws RangeError if the order asks for what no room has; Error if the broker does not take it.
   */
  async open(order: RoomOrder, ended: () => void = () => undefined): Promise<OpenRoom | 'full'> {
    await this.#loaded;
    const { moves } = order;
    const here = moves === undefined ? null : this.#roomHere(moves);
    if (here !== null) {
      // The room counts for the order that opened it first, so this order is over.
      ended();
      return here;
    }
    // A kept room that waits has its place.
    if (this.#places <= this.#returns.size || this.#isStopped) return 'full';
    this.#beginning++;
    const isKept = (code: RoomCode): boolean => this.#doors.has(code);
    const begun = DedicatedRoom.begin(this.#options, order, isKept);
    const room = await begun.finally(() => void this.#beginning--);
    if (this.#isStopped) {
      room.leave();
      return 'full';
    }
    this.#rooms.set(room, ended);
    const { key } = room;
    if (moves !== undefined) return { ...moves, key };
    const until = performance.now() + OPEN_WITHIN_MS;
    while (room.state.kind === 'opening' && performance.now() < until) await aTick();
    if (room.state.kind === 'open') return { code: room.code, room: room.room, key };
    this.#end(room);
    throw new Error('The broker does not open a door for the room.');
  }

  /**
   * [N3.4] A room that is to move here, and that this process has already, or keeps: it goes on as it is.
   * @returns null if there is none of its code. @throws RangeError if that is another room.
   */
  #roomHere({ code, room }: MovingRoom): OpenRoom | null {
    const ofCode = [...this.#rooms.keys()].filter((one) => one.code === code);
    const here = ofCode.find((one) => one.mayBe(room));
    // One that looks for another room behind this code is in nobody's way: anybody can order that.
    if (here === undefined && ofCode.some((one) => one.room !== null))
      throw new RangeError(`The room ${code} here is another one.`);
    const key = here?.key ?? this.#doors.keyOf(code);
    return key === null ? null : { code, room, key };
  }

  /** Places that no room has. */
  get #places(): number {
    return this.#options.mostRooms - this.#rooms.size - this.#beginning;
  }

  /**
   * [N6.2] Goes on with the rooms that are kept, as many at a time as may be here.
   * @returns when all are read. Never rejects.
   */
  restore(): Promise<void> {
    return (this.#loaded = this.#load());
  }

  async #load(): Promise<void> {
    const { store, game } = this.#options;
    const keeper = this.#keeper;
    if (store === undefined || keeper === null || this.#isStopped) return;
    this.#loadsAtMs = Infinity;
    const isFirst = !this.#hasLoaded;
    const wanted = {
      places: this.#places - this.#returns.size,
      count: keeper.size,
      has: (code: RoomCode) => keeper.has(code),
    };
    const isTooOld = (snapshot: RoomSnapshot): boolean => this.#isTooOld(snapshot);
    const { snapshots, isRead, news, unreadable } = await loadSnapshots(store, wanted, game.levels, isTooOld);
    if (store.isShared) this.#loadsAtMs = performance.now() + LOAD_AGAIN_MS;
    // A shared store is away for now, so it is read again later.
    if (!isRead && store.isShared) return;
    this.#unreadable += unreadable;
    if (news !== '') console.error(news);
    this.#hasLoaded = true;
    if (isFirst || snapshots.length > 0) keeper.adopt(snapshots);
    for (const snapshot of snapshots) this.#returns.add(snapshot, performance.now());
  }

  /** [N9.5] Another process has this room: it ends here, or does not come back here. */
  lose(code: RoomCode): void {
    this.#keeper?.markTaken(code);
    for (const waiting of this.#returns.drop((snapshot) => snapshot.code === code))
      this.#keeper?.forget(waiting);
  }

  /** [N9.7] A store that was away may have lost everything. */
  saveAnew(): void {
    this.#keeper?.saveAnew();
  }

  /** [N6.4] */
  #isTooOld({ world }: RoomSnapshot): boolean {
    return Date.now() - 1000 * world.savedAt > (this.#options.keepMs ?? Infinity);
  }

  async #restore(returning: Return, nowMs: number): Promise<void> {
    this.#beginning++;
    const { snapshot } = returning;
    const looks = looksNext(returning, nowMs);
    const begun = DedicatedRoom.restore(this.#options, snapshot, looks);
    const room = await begun.catch(() => 'failed' as const).finally(() => void this.#beginning--);
    if (room === 'failed') this.#returns.again(returning, triedBy(looks), nowMs);
    else if (room === null) {
      this.#unreadable++;
      this.#keeper?.setAside(snapshot.code);
    } else if (this.#isStopped) room.leave();
    else {
      this.#rooms.set(room, () => undefined);
      this.#restored.set(room, { returning, looks });
    }
  }

  /**
   * [N2.3] Gives a room a line that has come over a WebSocket; the socket is the room's then.
   * @param page the id at the broker of its other end, for which the server vouches.
   * @returns false if this process is host of no such room.
   */
  takeSocket(code: string, page: string, socket: LineSocket): boolean {
    const room = [...this.#rooms.keys()].find((one) => one.code === code && one.state.kind === 'open');
    room?.takeSocket(page, socket);
    return room !== undefined;
  }

  /** [N5] These rooms are watched from now on, and no others. */
  watch(ask: number, rooms: readonly WatchedRoom[]): void {
    // Beside an open one there may be one that looks for another room behind this code.
    const ofCode = (code: RoomCode): DedicatedRoom | null => {
      const all = [...this.#rooms.keys()].filter((one) => one.code === code);
      return all.find(({ state }) => state.kind === 'open') ?? all.at(0) ?? null;
    };
    this.#watched?.watch(ask, rooms, performance.now(), ofCode);
  }

  get figures(): HouseFigures {
    const { ticks, late, skipped } = this.#clock;
    const rooms = [...this.#rooms.keys()];
    return {
      rooms: this.#returns.size + rooms.length,
      returning: this.#returns.size + rooms.filter(({ state }) => state.kind !== 'open').length,
      people: rooms.reduce((sum, room) => sum + room.people, 0),
      watchers: this.#watched?.count ?? 0,
      tickP99Ms: this.#durations.percentile(0.99),
      tickP90Ms: this.#durations.isFull ? this.#durations.percentile(0.9) : 0,
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
    const written = this.#keeper?.saveAll(this.#rooms.keys());
    for (const room of this.#rooms.keys()) this.#leave(room);
    await written;
  }

  #tick(dueMs: number): void {
    const began = performance.now();
    for (const code of this.#returns.drop((snapshot) => this.#isTooOld(snapshot))) this.#keeper?.forget(code);
    if (dueMs >= this.#loadsAtMs) void this.#load();
    const next = this.#places > 0 ? this.#returns.take(dueMs) : null;
    if (next !== null) void this.#restore(next, dueMs);
    for (const room of this.#rooms.keys()) this.#guard(room, () => this.#tickRoom(room, dueMs));
    this.#durations.add(performance.now() - began);
  }

  #tickRoom(room: DedicatedRoom, dueMs: number): void {
    room.tick(dueMs);
    this.#watched?.tick(room, dueMs);
    this.#players?.tick(room);
    const isEmpty = room.state.kind === 'open' && room.emptyFor(dueMs) > this.#options.emptyMs;
    if (this.#keeper?.isTaken(room.code) === true) this.#endForGood(room);
    else if (room.state.kind === 'over' || isEmpty) this.#end(room);
    else this.#keeper?.tick(room, dueMs);
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

  /** [N6.3] Ends a room for good; one that was restored and did not find its way back is restored once more. */
  #end(room: DedicatedRoom): void {
    const { mayTryAgain, code, state } = room;
    const isOther = state.kind === 'over' && state.why === 'version';
    this.#leave(room);
    const attempt = this.#restored.get(room);
    this.#restored.delete(room);
    if (attempt !== undefined && mayTryAgain) {
      const tried = isOther ? 'other version' : triedBy(attempt.looks);
      this.#returns.again(attempt.returning, tried, performance.now());
    } else if (this.#doors.keyOf(code) === room.key) this.#keeper?.forget(code);
  }

  /** [N9.5] Ends a room that another process has: it does not come back here. */
  #endForGood(room: DedicatedRoom): void {
    this.#restored.delete(room);
    this.#end(room);
  }

  #leave(room: DedicatedRoom): void {
    const ended = this.#rooms.get(room);
    if (ended === undefined) return;
    this.#rooms.delete(room);
    this.#players?.end(room);
    // After a fault, leaving may fail, too.
    this.#guard(room, () => room.leave());
    ended();
  }
}

function triedBy(looks: Looking): Tried {
  return looks === 'not' ? 'asked' : 'looked';
}

function aTick(): Promise<void> {
  return new Promise((resolve) => void setTimeout(resolve, TICK_MS));
}
