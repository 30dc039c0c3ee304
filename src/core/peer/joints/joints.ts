import type { EntryId } from '../../shared/layout.ts';
import { isAsMade, loadOf } from '../../world/joints/tears.ts';
import type { PeerState } from '../peer-state.ts';
import type { SharedSink } from '../shared/shared-state.ts';
import { breakOverloaded, GONE, THERE } from './breaking.ts';
import { mayChange } from './joint-writers.ts';

/**
 * Why a joint is not removed or mended. `no joint`: the level has none of this number. `not allowed`: the level lets
 * nobody remove it. `not yours`: this player does not simulate both of its ends; take a body under nobody first. `apart`:
 * its ends are not where the joint would hold them.
 */
export type JointRefusal = 'no joint' | 'not allowed' | 'not yours' | 'apart';

/** [J4] The joints of the level, by their place in its list, as a peer has them. */
export class Joints {
  readonly #peer: PeerState;
  readonly #sink: SharedSink;

  /** @internal */
  constructor(peer: PeerState, sink: SharedSink) {
    this.#peer = peer;
    this.#sink = sink;
  }

  /** True if a joint is there; false if it was removed or is broken, and for a number that the level does not have. */
  has(joint: number): boolean {
    return this.#peer.bodies.records.islands.isGone[joint] === 0;
  }

  /** [J6.1] The force on a joint that breaks, as a share of the one at which it does; 0 for others, and for what is gone. */
  loadOf(joint: number): number {
    const { joints } = this.#peer.bodies.level;
    const isLoaded = this.has(joint) && joints[joint].breaksAt !== undefined;
    return isLoaded ? Math.max(0, loadOf(joints[joint], this.#peer.bodies.motion)) : 0;
  }

  /** [J4.3] Takes a joint out of the world, at once here. @returns why not; null if it is gone. */
  remove(joint: number): JointRefusal | null {
    return this.#change(joint, GONE);
  }

  /** [J4.4] Puts a joint back that is gone, at once here. @returns why not; null if it is there. */
  mend(joint: number): JointRefusal | null {
    return this.#change(joint, THERE);
  }

  /** [J6.2] Call it after the step. @internal */
  breakOverloaded(): void {
    breakOverloaded(this.#peer);
  }

  #change(joint: number, word: Int32Array): JointRefusal | null {
    const { bodies, self } = this.#peer;
    const found = bodies.level.joints[joint];
    if (found === undefined) return 'no joint';
    if (found.removable !== true) return 'not allowed';
    if (bodies.records.islands.isGone[joint] === word[0]) return null;
    if (word === THERE && !isAsMade(found, bodies.motion)) return 'apart';
    if (!mayChange(this.#peer, joint, self)) return 'not yours';
    this.#sink.write(joint as EntryId, word);
    return null;
  }
}
