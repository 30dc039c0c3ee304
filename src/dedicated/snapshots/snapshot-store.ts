import type { ProcessId } from '../../cluster/keys.ts';
import type { RoomCode } from '../../core/room/code.ts';

/** The snapshot of a room in a store: its text, which nobody has checked; null if it can't be read. */
export type Stored = { readonly code: RoomCode; readonly text: string | null };

/** The contents of a store. */
export type Loaded = {
  /** In no order; a store bounds how many it reads, and how long they are. */
  readonly stored: readonly Stored[];
  /** Snapshots that were left where they are, because there are too many. */
  readonly left: number;
  /** Those that were removed because they were too old. */
  readonly removed: number;
};

/** The wishes of a process that loads a store. */
export type Wanted = {
  /** Rooms for which it has a place. */
  readonly places: number;
  /** Rooms that it has already, or that it is about to forget. */
  readonly count: number;
  /** True for a room that it has already, or that it is about to forget. */
  readonly has: (code: RoomCode) => boolean;
};

/** [N9.5] Another process has the room: it had taken this one for dead. */
export class RoomTaken extends Error {}

/** A place in which snapshots of rooms outlive the process of the rooms. Every call may reject. */
export type SnapshotStore = {
  /** True if other processes use it, too, and leave rooms to this one: then it is loaded again and again. */
  readonly isShared: boolean;
  /** Replaces the snapshot of a room: a fault leaves the earlier one as it was. Rejects with RoomTaken if it is another's. */
  save(code: RoomCode, text: string): Promise<void>;
  /** Forgets a room; one that is not there is passed over. */
  remove(code: RoomCode): Promise<void>;
  /** Puts a snapshot that is of no use where it is not loaded again, but can be looked at for a while. */
  setAside(code: RoomCode): Promise<void>;
  load(wanted: Wanted): Promise<Loaded>;
};

/** Where a server keeps its rooms. */
export type SnapshotPlace = (
  | { readonly kind: 'folder'; readonly path: string }
  /** [N9.4] `process`: the member of the cluster that keeps its rooms there. */
  | { readonly kind: 'redis'; readonly url: string; readonly process: ProcessId }
) & {
  /** [N6.4] Milliseconds after its last snapshot at which a room that is on its way back is given up. */
  readonly keepMs: number;
};
