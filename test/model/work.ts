import type { Actor, Rules } from './actor.ts';
import type { Layout } from './layout.ts';

/** What the parts of a move share. */
export type Work = {
  readonly l: Layout;
  readonly rules: Rules;
  readonly actors: readonly Actor[];
  /** What is said each way, by guest. */
  readonly says: readonly [readonly Uint8Array[], readonly Uint8Array[]];
  readonly before: Uint8Array;
  fault: string | null;
};
