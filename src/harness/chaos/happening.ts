import type { Slot } from '../../core/base/ids.ts';
import type { Vector } from '../../core/base/math.ts';
import type { BodyAction } from '../../core/peer/actions/body-action.ts';
import type { LinkConditions } from '../../netsim/network-simulator.ts';

/** One happening in one step of a room. A new kind starts here, and happen.ts carries it out. */
export type Happening = { readonly step: number } & (
  | { readonly kind: 'reset' }
  /** A page does nothing for so many steps, as one that is hidden. */
  | { readonly kind: 'stall'; readonly slot: Slot; readonly steps: number }
  /** `leave`: a guest says goodbye. `come`: a newcomer takes its slot. `reload`: the same while the guest is there. */
  | { readonly kind: 'leave' | 'come' | 'reload'; readonly slot: Slot }
  /** A guest's line is gone, and is there again, under the same connection. */
  | { readonly kind: 'lose line' | 'find line'; readonly slot: Slot }
  /**
   * `miss`: the host makes a guest absent. The guest comes back with its world over a new connection, which begins by
   * `admit` at the host and by `greet` at the guest.
   */
  | { readonly kind: 'miss' | 'admit' | 'greet'; readonly slot: Slot }
  /** [A13] A player acts on a body without a hand. */
  | { readonly kind: 'act'; readonly slot: Slot; readonly action: BodyAction }
  /** [S2] A player spawns a body. `template`: 0 to 2, or 3 for one that only a cheat spawns. */
  | {
      readonly kind: 'spawn';
      readonly slot: Slot;
      readonly template: number;
      readonly at: Vector;
      readonly linear: Vector;
      readonly angular: Vector;
    }
  /**
   * [S3] A player despawns one of the bodies that are here by its own word, one that somebody has or holds, or whatever
   * has an id. `pick` from 0 to 1 says which.
   */
  | {
      readonly kind: 'despawn';
      readonly slot: Slot;
      readonly which: 'here' | 'busy' | 'any id';
      readonly pick: number;
    }
  /**
   * [J4] A player removes or mends a joint, this one or the next that it may; or strikes an end of it with great force; or
   * [J5] makes one between two bodies that it has.
   */
  | {
      readonly kind: 'joint';
      readonly slot: Slot;
      readonly deed: 'remove' | 'mend' | 'overload' | 'make';
      readonly joint: number;
    }
  /** In one direction nothing arrives for a while, and then all at once. */
  | { readonly kind: 'hold up'; readonly from: Slot; readonly to: Slot; readonly ms: number }
  /** One direction behaves differently from now on. */
  | {
      readonly kind: 'weather';
      readonly from: Slot;
      readonly to: Slot;
      readonly conditions: Partial<LinkConditions>;
    }
);
