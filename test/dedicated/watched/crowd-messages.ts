import type { RoomCode } from '../../../src/core/room/code.ts';

/** One thing that the tool asks of the process of a crowd. */
export type CrowdOrder =
  /** Begins to watch, so many at a time that are each a network of their own, and some of them that read nothing. */
  | {
      readonly kind: 'come';
      readonly url: string;
      readonly code: RoomCode;
      readonly reading: number;
      readonly deaf: number;
    }
  /** Counts what comes for so long. */
  | { readonly kind: 'count'; readonly seconds: number };

/** An answer of the process: one when it can begin, and one to each order. */
export type CrowdAnswer =
  | { readonly kind: 'ready' }
  /** All that read have the world. @param slowestMs until the last of them had its first keyframe, from its own call. */
  | { readonly kind: 'there'; readonly slowestMs: number }
  | {
      readonly kind: 'counted';
      /** kbit/s of payload: the mean of those that read. */
      readonly kbps: number;
      /** Milliseconds without anything, of all that read: at most. */
      readonly gapMs: number;
      /** Those that read whose connection has ended. */
      readonly lost: number;
    };
