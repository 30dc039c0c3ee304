import type { RoomCode } from '../../core/room/code.ts';

/** A place in which snapshots of rooms outlive the process of the rooms. Every call may reject. */
export type SnapshotStore = {
  /** Replaces the snapshot of a room: a fault leaves the earlier one as it was. */
  save(code: RoomCode, text: string): Promise<void>;
  /** Forgets a room; one that is not there is passed over. */
  remove(code: RoomCode): Promise<void>;
  /** The texts of all snapshots, in no order. */
  load(): Promise<readonly string[]>;
};

/** Where a server keeps its rooms. */
export type SnapshotPlace = { readonly kind: 'folder'; readonly path: string };
