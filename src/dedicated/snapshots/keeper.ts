import type { DedicatedRoom } from '../dedicated-room.ts';
import { writeSnapshot } from './snapshot.ts';
import type { SnapshotStore } from './snapshot-store.ts';

/** [N6.1] Milliseconds between two snapshots of a room: so much of its building can be lost. */
const SAVE_EVERY_MS = 10_000;

/** A keeper's notes on a room. */
type Kept = {
  /** Milliseconds of the owner's clock at which the next snapshot is due. */
  dueMs: number;
  /** The last text but for its time: nothing is written while a room stays the same. */
  text: string;
  /** The last write, after which the next one begins. */
  written: Promise<void>;
};

/** Takes snapshots of the rooms of a process, and puts them into a store. */
export class Keeper {
  readonly #store: SnapshotStore;
  readonly #rooms = new Map<DedicatedRoom, Kept>();
  /** Snapshots that could not be written or removed. */
  failures = 0;

  constructor(store: SnapshotStore) {
    this.#store = store;
  }

  /** Call it once a tick for each room. @param nowMs milliseconds of the owner's clock. */
  tick(room: DedicatedRoom, nowMs: number): void {
    const kept = this.#rooms.get(room) ?? { dueMs: -Infinity, text: '', written: Promise.resolve() };
    if (nowMs < kept.dueMs) return;
    if (this.#save(room, kept)) kept.dueMs = nowMs + SAVE_EVERY_MS;
  }

  /** Saves all rooms once more. @returns when they are written. Never rejects. */
  async saveAll(): Promise<void> {
    for (const [room, kept] of this.#rooms) this.#save(room, kept);
    await this.written();
  }

  /** A room is over for good. */
  forget(room: DedicatedRoom): void {
    const kept = this.#rooms.get(room);
    if (kept === undefined) return;
    this.#then(kept, () => this.#store.remove(room.code));
    void kept.written.then(() => this.#rooms.delete(room));
  }

  /** @returns when everything that was begun is written. Never rejects. */
  async written(): Promise<void> {
    await Promise.all(Array.from(this.#rooms.values(), ({ written }) => written));
  }

  /** @returns false if there is nothing to save: the room is not open, or another member is its host. */
  #save(room: DedicatedRoom, kept: Kept): boolean {
    const snapshot = room.snapshot(Math.floor(Date.now() / 1000));
    if (snapshot === null) return false;
    this.#rooms.set(room, kept);
    const text = writeSnapshot({ ...snapshot, world: { ...snapshot.world, savedAt: 0 } });
    if (text === kept.text) return true;
    kept.text = text;
    this.#then(kept, () => this.#store.save(snapshot.code, writeSnapshot(snapshot)));
    return true;
  }

  /** One write of a room begins after the other: a slow disk must not bring an older one last. */
  #then(kept: Kept, write: () => Promise<void>): void {
    kept.written = kept.written.then(write).catch((error: unknown) => {
      if (this.failures++ === 0) console.error('A snapshot of a room could not be written:', error);
      kept.text = '';
    });
  }
}
