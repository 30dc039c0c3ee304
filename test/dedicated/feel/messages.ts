import type { RoomCode } from '../../../src/core/room/code.ts';
import type { NodeStationSettings } from '../../../src/transport/node/node-station.ts';
import type { Sight } from './watch.ts';

/** One thing that the tool asks of the process of a player. */
export type Order =
  | { readonly kind: 'open'; readonly url: string; readonly code: RoomCode }
  | {
      readonly kind: 'enter';
      readonly network: NodeStationSettings;
      readonly code: RoomCode;
      readonly colour: number;
    }
  | { readonly kind: 'leave' }
  /** Plays from now on, and watches from one time of the shared clock to another. @param resetSeconds as in `ResetRhythm`. */
  | {
      readonly kind: 'play';
      readonly seed: number;
      readonly fromMs: number;
      readonly untilMs: number;
      readonly resetSeconds: number;
    }
  /** Lowers its hands, and tells whether all bodies are at rest. */
  | { readonly kind: 'rest' };

/** The connection to the host; the host itself has none. */
export type LineKind = 'UDP' | 'WebSocket' | 'none';

/** An answer of the process: one when it can begin, and one to each order. */
export type Answer =
  | { readonly kind: 'ready' }
  | { readonly kind: 'left' }
  /** The world is there. @param seconds since the player began to dial. */
  | { readonly kind: 'in'; readonly seconds: number }
  | { readonly kind: 'not in' }
  | { readonly kind: 'played'; readonly line: LineKind; readonly sight: Sight }
  /** @param bodies all bodies at rest; empty while something moves. */
  | { readonly kind: 'rests'; readonly bodies: string };
