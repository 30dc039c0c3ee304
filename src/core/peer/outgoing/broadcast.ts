import { ticksIn, WATCHER_SLOT } from '../../base/constants.ts';
import type { ConnectionId, Slot } from '../../base/ids.ts';
import { newLink } from '../begin-link.ts';
import { beginShared } from '../shared/receive-shared.ts';
import type { Link } from '../link.ts';
import type { PeerState } from '../peer-state.ts';

/** [N5.3] Seconds between two keyframes, at least. */
const KEYFRAMES_APART_SECONDS = 0.5;
/** [N5.2] Seconds between two packets. */
const PACKETS_APART_SECONDS = 0.05;
/** [N5.2] Kilobits a second of what is no keyframe: 31 players who throw cubes all the time take 72. */
const KBPS = 128;
/** Packets of a keyframe that leave in one tick, at most; the rest of a larger one follows in the next ticks. */
export const MOST_KEYFRAME_PACKETS = 32;

/** The number of a stream's connection. It begins with a keyframe, so it never needs another one. */
export const BROADCAST_CONNECTION = 0 as ConnectionId;

/** Gets each packet for watchers; the bytes are valid until it returns. `isKeyframe`: a watcher may begin with it. */
export type SendToWatchers = (bytes: Uint8Array, isKeyframe: boolean) => void;

/**
 * [N5.2] The stream to all that watch. It is one link, as if to one more guest, whose packets count as acked when they
 * leave. This class decides when a keyframe begins; Sending fills the packets.
 */
export class Broadcast {
  readonly link: Link;
  /** Bits a second. */
  readonly bits = 1000 * KBPS;
  /** Ticks between two packets. */
  readonly every: number;
  readonly #peer: PeerState;
  readonly #keyframesApart: number;
  #keyframeTick = -Infinity;
  #lastTick = -Infinity;
  /** The term and the reset of the last keyframe. */
  #term = -1;
  #reset = -1;
  /** True until every body was sent since the last keyframe began. */
  #isInKeyframe = false;

  constructor(peer: PeerState) {
    this.#peer = peer;
    this.link = newLink(peer, WATCHER_SLOT as Slot, BROADCAST_CONNECTION);
    // So it learns all that the links to players learn.
    peer.broadcast = this.link;
    this.every = ticksIn(PACKETS_APART_SECONDS, peer.rate);
    this.#keyframesApart = ticksIn(KEYFRAMES_APART_SECONDS, peer.rate);
  }

  /** @returns true if a keyframe begins in this tick. */
  begin(wantsKeyframe: boolean): boolean {
    const { tick, term, reset } = this.#peer;
    // In a tick that was left out, more may have changed than is known.
    const isBroken = this.#lastTick !== tick - 1 || this.#term !== term || this.#reset !== reset;
    this.#lastTick = tick;
    if (!isBroken && (!wantsKeyframe || tick - this.#keyframeTick < this.#keyframesApart)) return false;
    this.#keyframeTick = tick;
    this.#term = term;
    this.#reset = reset;
    this.#isInKeyframe = true;
    const { receiver, shared } = this.link;
    receiver.beginAnew();
    shared?.beginAnew();
    beginShared(this.#peer, this.link, true);
    return true;
  }

  /** [N5.3] True if the keyframe goes on: something is still to be sent that it has to have. */
  goesOn(): boolean {
    const { receiver } = this.link;
    this.#isInKeyframe &&= !receiver.hasAckedAll || receiver.avatarsFrom > 0;
    return this.#isInKeyframe;
  }
}
