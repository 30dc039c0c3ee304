import type { Actor, Rules } from './actor.ts';
import type { Layout } from '../state/layout.ts';

/** The context that the parts of a move share. */
export type MoveContext = {
  readonly layout: Layout;
  readonly rules: Rules;
  readonly actors: readonly Actor[];
  /** The packet each way, by guest. */
  readonly says: readonly [readonly Uint8Array[], readonly Uint8Array[]];
  readonly before: Uint8Array;
  fault: string | null;
};
