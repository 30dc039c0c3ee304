import type { NodeStationSettings } from '../transport/node/node-station.ts';
import type { RoomOrder } from './dedicated-room.ts';
import type { HouseFigures, OpenRoom } from './room-house.ts';

/** How a process with rooms begins. */
export type HouseSettings = {
  readonly network: NodeStationSettings;
  readonly mostRooms: number;
  readonly emptyMs: number;
};

/** A message to a process with rooms. */
export type ToRooms =
  | { readonly kind: 'begin'; readonly settings: HouseSettings }
  | { readonly kind: 'open'; readonly request: number; readonly order: RoomOrder }
  /** End all rooms, and then yourself. */
  | { readonly kind: 'stop' };

/** A message from a process with rooms. */
export type FromRooms =
  | { readonly kind: 'opened'; readonly request: number; readonly opened: OpenRoom }
  | { readonly kind: 'refused'; readonly request: number; readonly why: 'full' | 'failed' }
  /** The room that this request has opened is no more. */
  | { readonly kind: 'ended'; readonly request: number }
  | { readonly kind: 'figures'; readonly figures: HouseFigures };
