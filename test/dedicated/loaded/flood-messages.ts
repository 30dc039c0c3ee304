import type { RoomCode } from '../../../src/core/room/code.ts';

/** The one thing that the tool asks of the process that floods. */
export type FloodOrder = {
  readonly url: string;
  readonly metricsUrl: string;
  /** Rooms that are there. */
  readonly codes: readonly RoomCode[];
  /** UDP ports of the rooms. */
  readonly ports: readonly number[];
  readonly seconds: number;
};

/** How much was sent. */
export type Flooded = {
  /** Requests for pages, rooms and metrics, and orders of rooms. */
  readonly requests: number;
  /** WebSockets to the broker, to rooms and to watch, and frames of garbage on those that opened. */
  readonly sockets: number;
  readonly frames: number;
  /** UDP packets of garbage. */
  readonly datagrams: number;
};

export type FloodAnswer = { readonly kind: 'ready' } | ({ readonly kind: 'flooded' } & Flooded);
