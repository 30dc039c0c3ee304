import type { RoomCode } from '../core/room/code.ts';
import type { NodeStationSettings } from '../transport/node/node-station.ts';
import type { RoomOrder } from './dedicated-room.ts';
import type { HouseFigures } from './house-figures.ts';
import type { StreamPart } from '../session/watching/room-stream.ts';
import type { OpenRoom } from './room-house.ts';
import type { WatchedRoom, WatchState } from './watch-state.ts';
import type { KeptDoor } from './snapshots/kept-doors.ts';
import type { SnapshotPlace } from './snapshots/snapshot-store.ts';

/** How a process with rooms begins. */
export type HouseSettings = {
  readonly network: NodeStationSettings;
  readonly mostRooms: number;
  readonly emptyMs: number;
  /** [N2.3] The server shows it when it passes a line on. */
  readonly lineSecret: string;
  /** [N6.1] Where rooms are kept; they go on from there if the process dies. Left out: they are not kept. */
  readonly snapshots?: SnapshotPlace;
};

/** A message to a process with rooms. */
export type ToRooms =
  /** Begins, and restores the rooms that are kept. */
  | { readonly kind: 'begin'; readonly settings: HouseSettings }
  | { readonly kind: 'open'; readonly request: number; readonly order: RoomOrder }
  /** [N5] All rooms that somebody watches, or wants to; once a second, and when that changes. `ask` counts these. */
  | { readonly kind: 'watch'; readonly ask: number; readonly rooms: readonly WatchedRoom[] }
  /** [N9.5] Another process of the site has this room. */
  | { readonly kind: 'taken'; readonly code: RoomCode }
  /** End all rooms, and then yourself. */
  | { readonly kind: 'stop' };

/** A message from a process with rooms. */
export type FromRooms =
  | { readonly kind: 'opened'; readonly request: number; readonly opened: OpenRoom }
  | { readonly kind: 'refused'; readonly request: number; readonly why: 'full' | 'failed' }
  /** The room that this request has opened is no more. */
  | { readonly kind: 'ended'; readonly request: number }
  /** [N6.3] The doors of all rooms that it keeps. */
  | { readonly kind: 'kept'; readonly doors: readonly KeptDoor[] }
  /** [N5.6] The answer to the 'watch' with this number: whether each of its rooms may be watched. */
  | {
      readonly kind: 'watchable';
      readonly ask: number;
      readonly states: ReadonlyMap<RoomCode, WatchState>;
    }
  | { readonly kind: 'stream'; readonly code: RoomCode; readonly part: StreamPart }
  /** [N8.6] The pages that play in this large room now; none once the room is gone. */
  | { readonly kind: 'players'; readonly code: RoomCode; readonly pages: readonly string[] }
  | { readonly kind: 'figures'; readonly figures: HouseFigures }
  /** [N2.3] It takes lines over WebSockets at this port of this machine. */
  | { readonly kind: 'lines'; readonly port: number };
