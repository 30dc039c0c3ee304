import type { BodyId } from '../../base/ids.ts';
import type { ReadonlyPose, ReadonlyVector } from '../../base/math.ts';
import { length, pose } from '../../base/math.ts';
import { poseIn } from '../../base/motion.ts';
import type { EntryId } from '../../shared/layout.ts';
import type { Joint, JointEnd } from '../../world/joints/joint.ts';
import { jointEnd } from '../../world/joints/joint.ts';
import { makerOf, makingOf } from '../../world/joints/making.ts';
import { isAsMade, loadOf } from '../../world/joints/tears.ts';
import { isInBounds } from '../../world/level.ts';
import type { PeerState } from '../peer-state.ts';
import type { SharedSink } from '../shared/shared-state.ts';
import { breakOverloaded } from './breaking.ts';
import { goneWords, THERE } from './untying.ts';
import { isAlone, isSmall, mayChange, simulatesEnds } from './joint-writers.ts';
import { madeJoint, wordsOf } from './made-joints.ts';

/**
 * Why a joint is not removed, mended or made. `no joint`: there is none of this number. `not allowed`: the level lets
 * nobody do this, or has no such kind, or both ends are the same. `not yours`: this player does not simulate both of its
 * ends; take a body under nobody first. `apart`: its ends are not where the joint would hold them. `tied`: another joint
 * holds these two already. `too many`: all numbers of this player are in use, or its slot has none; or the island would
 * have too many bodies. `bounds`: a number is not finite, or out of the world.
 */
export type JointRefusal =
  | 'no joint'
  | 'not allowed'
  | 'not yours'
  | 'apart'
  | 'tied'
  | 'too many'
  | 'bounds';

/** [J5] A joint to be made, where its bodies are now. */
export type JointWish = {
  /** Its index among the level's `making.kinds`. */
  readonly kind: number;
  /** The two bodies; null for the world, at one of the ends. */
  readonly a: BodyId | null;
  readonly b: BodyId | null;
  /** The place of its ends in the world, in metres. */
  readonly at: ReadonlyVector;
  /** The place of the second end, of a rope or a spring; as `at` if left out. */
  readonly to?: ReadonlyVector;
  /** The axis of a hinge or a slider, in the world, of any length but 0; x if left out. */
  readonly axis?: ReadonlyVector;
};

/** True for a vector that shows a direction. */
function isDirection(axis: ReadonlyVector): boolean {
  const metres = length(axis);
  return metres > 1e-6 && metres < 1e6;
}

/** [J4] [J5] The joints of a peer by their numbers: first those of the level, in its order, then those that players make. */
export class Joints {
  readonly #peer: PeerState;
  readonly #sink: SharedSink;

  /** @internal */
  constructor(peer: PeerState, sink: SharedSink) {
    this.#peer = peer;
    this.#sink = sink;
  }

  /** True if a joint is there; false if it was removed, is broken or was not made, and for a number that no joint can have. */
  has(joint: number): boolean {
    return this.#peer.bodies.records.islands.isGone[joint] === 0;
  }

  /** The joint of a number as it is tied now; null if it is not there. */
  get(joint: number): Joint | null {
    return this.has(joint) ? this.#peer.bodies.records.islands.joints[joint] : null;
  }

  /** [J6.1] The force on a joint that breaks, as a share of the one at which it does; 0 for others, and for what is gone. */
  loadOf(joint: number): number {
    const found = this.get(joint);
    if (found === null || found.breaksAt === undefined) return 0;
    return Math.max(0, loadOf(found, this.#peer.bodies.motion));
  }

  /** [J4.3] Takes a joint out of the world, at once here. @returns why not; null if it is gone. */
  remove(joint: number): JointRefusal | null {
    const found = this.#peer.bodies.records.islands.joints[joint];
    if (found === undefined) return 'no joint';
    if (found.removable !== true) return 'not allowed';
    return this.has(joint) ? this.#write(joint, goneWords(this.#peer, joint)) : null;
  }

  /** [J4.4] Puts a joint of the level back that is gone, at once here. @returns why not; null if it is there. */
  mend(joint: number): JointRefusal | null {
    const { level, motion } = this.#peer.bodies;
    const found = level.joints[joint];
    if (found === undefined) return 'no joint';
    if (found.removable !== true) return 'not allowed';
    if (this.has(joint)) return null;
    if (!simulatesEnds(this.#peer, joint, this.#peer.self)) return 'not yours';
    if (!isAsMade(found, motion)) return 'apart';
    return isAlone(this.#peer, found, joint) ? this.#write(joint, THERE) : 'tied';
  }

  /** [J5.3] Makes a joint between two bodies, or a body and the world, at once here. @returns its number, or why not. */
  make({ kind, a, b, at, to = at, axis }: JointWish): number | JointRefusal {
    const peer = this.#peer;
    const { level, motion } = peer.bodies;
    if (makingOf(level).kinds[kind] === undefined || a === b) return 'not allowed';
    const isWithin = isInBounds(level.bounds, at) && isInBounds(level.bounds, to);
    if (!isWithin || (axis !== undefined && !isDirection(axis))) return 'bounds';
    const number = this.#freeNumber();
    if (number < 0) return 'too many';
    if (!this.#isThere(a) || !this.#isThere(b)) return 'not yours';
    const ends = [this.#end(a, at, axis), this.#end(b, to, axis)] as const;
    const words = wordsOf(level, kind, ends);
    const joint = madeJoint(level, words, 0);
    if (joint === null) return 'bounds';
    if (!isAsMade(joint, motion)) return 'apart';
    if (!isSmall(peer, joint)) return 'too many';
    if (!isAlone(peer, joint, number)) return 'tied';
    return this.#write(number, words) ?? number;
  }

  #isThere(body: BodyId | null): boolean {
    return body === null || this.#peer.bodies.has(body);
  }

  #end(body: BodyId | null, at: ReadonlyVector, axis: ReadonlyVector | undefined): JointEnd {
    const start: ReadonlyPose = body === null ? pose() : poseIn(this.#peer.bodies.motion, body, pose());
    const { frame } = jointEnd([{ start }], 0, at, axis);
    return { body, frame };
  }

  /** The first number of this player that has no joint, also by the host's word; -1 if there is none. */
  #freeNumber(): number {
    const { bodies, links, host, self } = this.#peer;
    const { level, records } = bodies;
    const { isGone } = records.islands;
    const entries = links[host]?.shared?.entries;
    for (let joint = level.joints.length; joint < isGone.length; joint++) {
      const isWaiting = entries?.isWaiting(joint as EntryId) === true;
      if (isGone[joint] === 1 && makerOf(level, joint) === self && !isWaiting) return joint;
    }
    return -1;
  }

  /** [J6.2] Call it after the step. @internal */
  breakOverloaded(): void {
    breakOverloaded(this.#peer);
  }

  #write(joint: number, words: Int32Array): JointRefusal | null {
    if (!mayChange(this.#peer, joint, this.#peer.self, words, 0)) return 'not yours';
    this.#sink.write(joint as EntryId, words);
    return null;
  }
}
