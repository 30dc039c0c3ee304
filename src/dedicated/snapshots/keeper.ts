import type { RoomCode } from '../../core/room/code.ts';
import { reignOf } from '../../core/room/identity/lineage.ts';
import type { DedicatedRoom } from '../dedicated-room.ts';
import type { KeptDoors } from './kept-doors.ts';
import type { RoomSnapshot } from './snapshot.ts';
import { writeSnapshot } from './snapshot.ts';
import type { SnapshotStore } from './snapshot-store.ts';
import { RoomTaken } from './snapshot-store.ts';

/** [N6.1] Milliseconds between two snapshots of a room: so much of its building can be lost. */
const SAVE_EVERY_MS = 10_000;
/** The same if the secret of the door has changed: by then the roster is without the player that was removed, too. */
const SAVE_SOON_MS = 1000;
/** [N6.4] Milliseconds after which a room is saved though nothing has changed: it is not an old one while it lives. */
const SAVE_ANYWAY_MS = 600_000;

/** The part of a room that is kept. */
type KeptRoom = Pick<DedicatedRoom, 'code' | 'doorSecret' | 'founder' | 'key' | 'snapshot'>;

/** A keeper's notes on a room. */
type Kept = {
  /** Milliseconds of the owner's clock at which the next snapshot is due. */
  dueMs: number;
  /** The last text but for its time: while a room stays the same, little is written. */
  text: string;
  /** Seconds since the beginning of 1970: when that was written. */
  savedAt: number;
  /** The last write, after which the next one begins. */
  written: Promise<void>;
  /** [N9.5] Another process has the room. */
  isTaken: boolean;
};

function newKept(): Kept {
  return { dueMs: -Infinity, text: '', savedAt: 0, written: Promise.resolve(), isTaken: false };
}

/** Takes snapshots of the rooms of a process, and puts them into a store. */
export class Keeper {
  readonly #store: SnapshotStore;
  readonly #doors: KeptDoors;
  /** By code: a room that is restored goes on where the one before has stopped. */
  readonly #rooms = new Map<RoomCode, Kept>();
  /** Rooms that a shared store could not forget: they must not be loaded again. */
  readonly #left = new Map<RoomCode, () => Promise<void>>();
  /** Snapshots that could not be written or removed. */
  failures = 0;

  /** @param doors learns which doors are kept. */
  constructor(store: SnapshotStore, doors: KeptDoors) {
    this.#store = store;
    this.#doors = doors;
  }

  /** True while a room is kept, and until the store has forgotten it. */
  has(code: RoomCode): boolean {
    return this.#rooms.has(code);
  }

  /** Rooms of which that is true. */
  get size(): number {
    return this.#rooms.size;
  }

  /** [N9.5] Another process has the room, if it is kept here. */
  markTaken(code: RoomCode): void {
    const kept = this.#rooms.get(code);
    if (kept !== undefined) kept.isTaken = true;
  }

  /** [N9.5] True if another process has the room: it must end here. */
  isTaken(code: RoomCode): boolean {
    return this.#rooms.get(code)?.isTaken === true;
  }

  /** The store may have lost everything: each room is saved again at its next tick. */
  saveAnew(): void {
    this.#forgetLeft();
    for (const kept of this.#rooms.values()) Object.assign(kept, { text: '', dueMs: -Infinity });
  }

  /** The store has these snapshots: their rooms are kept until they are forgotten. */
  adopt(snapshots: readonly RoomSnapshot[]): void {
    for (const { code } of snapshots) this.#rooms.set(code, newKept());
    this.#doors.add(
      snapshots.map(({ code, door, founder, lineage }) => {
        return { code, secret: door, founder, key: reignOf(lineage).key };
      }),
    );
  }

  /** Call it once a tick for each room. @param nowMs milliseconds of the owner's clock. */
  tick(room: KeptRoom, nowMs: number): void {
    const { doorSecret: secret, founder, key } = room;
    if (secret === null) return;
    const isNewDoor = this.#doors.set(room.code, { secret, founder, key });
    const kept = this.#rooms.get(room.code);
    // [F4.21] A player that was removed knows the old secret: a restored room must not have that one.
    if (kept !== undefined && isNewDoor) kept.dueMs = Math.min(kept.dueMs, nowMs + SAVE_SOON_MS);
    if (kept !== undefined && nowMs < kept.dueMs) return;
    const saved = this.#save(room);
    if (saved !== null) saved.dueMs = nowMs + SAVE_EVERY_MS;
  }

  /** Saves these rooms once more. @returns when they are written. Never rejects. */
  async saveAll(rooms: Iterable<KeptRoom>): Promise<void> {
    for (const room of rooms) this.#save(room);
    await this.written();
  }

  /** A room is over for good; one that was never kept is passed over. */
  forget(code: RoomCode): void {
    this.#give(code, () => this.#store.remove(code));
  }

  /** A room can't be restored, whatever is tried. */
  setAside(code: RoomCode): void {
    this.#give(code, () => this.#store.setAside(code));
  }

  #give(code: RoomCode, away: () => Promise<void>): void {
    const kept = this.#rooms.get(code);
    if (kept === undefined) return;
    this.#doors.delete(code);
    // Another process keeps it.
    if (kept.isTaken) {
      this.#rooms.delete(code);
      return;
    }
    let isGone = false;
    this.#then(kept, () => away().then(() => void (isGone = true)));
    void kept.written.then(() => {
      // Unless a room of this code is kept again.
      if (this.#doors.has(code)) return;
      if (isGone || !this.#store.isShared) this.#rooms.delete(code);
      else this.#left.set(code, away);
    });
  }

  /** Forgets the rooms that a shared store could not forget while it was away. */
  #forgetLeft(): void {
    const left = [...this.#left];
    this.#left.clear();
    for (const [code, away] of left) this.#give(code, away);
  }

  /** @returns when everything that was begun is written. Never rejects. */
  async written(): Promise<void> {
    await Promise.all(Array.from(this.#rooms.values(), ({ written }) => written));
  }

  /** @returns null if there is nothing to save: the room is not open, or another member is its host. */
  #save(room: KeptRoom): Kept | null {
    const now = Math.floor(Date.now() / 1000);
    const kept = this.#rooms.get(room.code) ?? newKept();
    try {
      const snapshot = room.snapshot(now);
      if (snapshot === null) return null;
      this.#rooms.set(room.code, kept);
      const text = writeSnapshot({ ...snapshot, world: { ...snapshot.world, savedAt: 0 } });
      if (text === kept.text && now - kept.savedAt < SAVE_ANYWAY_MS / 1000) return kept;
      kept.text = text;
      kept.savedAt = now;
      const whole = writeSnapshot(snapshot);
      this.#then(kept, () => this.#store.save(room.code, whole));
    } catch (error) {
      // [N4.3] The room plays on; what it had before is kept.
      this.#rooms.set(room.code, kept);
      this.#fail(error, kept);
    }
    return kept;
  }

  #fail(error: unknown, kept: Kept): void {
    if (error instanceof RoomTaken) {
      kept.isTaken = true;
      return;
    }
    if (this.failures++ === 0) console.error('A snapshot of a room could not be written:', error);
    kept.text = '';
  }

  /** One write of a room begins after the other: a slow disk must not bring an older one last. */
  #then(kept: Kept, write: () => Promise<void>): void {
    kept.written = kept.written.then(write).catch((error: unknown) => this.#fail(error, kept));
  }
}
