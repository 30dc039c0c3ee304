import type { RoomCode } from '../../../src/core/room/code.ts';
import type { NodeStationSettings } from '../../../src/transport/node/node-station.ts';

/** A place in a room: a player asks for this colour. */
export type Place = { readonly code: RoomCode; readonly colour: number };

/** One thing that the tool asks of a process with many players. */
export type CrowdOrder =
  /** Players come in, one after the other. */
  | { readonly kind: 'come'; readonly network: NodeStationSettings; readonly places: readonly Place[] }
  /** They grab and throw from now on. @param players of each room. @param resetSeconds as in `ResetRhythm`. */
  | {
      readonly kind: 'play';
      readonly seed: number;
      readonly players: number;
      readonly resetSeconds: number;
    }
  /** Tells what came and went since the last order. */
  | { readonly kind: 'count' }
  /** They lower their hands, and tell whether all bodies are at rest. */
  | { readonly kind: 'rest' };

/** The traffic of one player, in bytes of payload, and the ticks that it ran. */
export type Counted = { readonly down: number; readonly up: number; readonly ticks: number };

/** An answer of the process: one when it can begin, and one to each order. */
export type CrowdAnswer =
  | { readonly kind: 'ready' }
  | { readonly kind: 'there' }
  | { readonly kind: 'playing' }
  /** @param seconds since the last order. @param lost players that are not in the room. */
  | {
      readonly kind: 'counted';
      readonly seconds: number;
      readonly players: readonly Counted[];
      readonly lost: number;
    }
  /** @param bodies for each player, all bodies at rest; empty while something moves. */
  | {
      readonly kind: 'rests';
      readonly bodies: readonly { readonly code: RoomCode; readonly bodies: string }[];
    };
