import type { BodyId, Slot } from '../base/ids.ts';
import { HAND_SIDES, NO_BODY } from '../base/ids.ts';
import { MAX_PLAYERS } from '../base/constants.ts';
import { vector } from '../base/math.ts';
import type { PeerState } from './peer-state.ts';

/**
 * [W7] The bodies in other players' hands, as this peer shows them: a body is in a hand from the first due
 * sample that carries it, as long as the record names that player.
 */
export class Carrying {
  readonly #carried = new Int16Array(MAX_PLAYERS * HAND_SIDES.length).fill(NO_BODY);

  /** Moves what is carried; what is no longer carried goes back to the engine. */
  update(peer: PeerState): void {
    for (const side of HAND_SIDES) {
      for (let slot = 0; slot < MAX_PLAYERS; slot++) {
        const at = slot * HAND_SIDES.length + side;
        const was = this.#carried[at] as BodyId;
        const is = carriedIn(peer, slot as Slot, side);
        this.#carried[at] = is;
        if (was !== NO_BODY && was !== is && !this.#isCarried(was) && !inOwnHand(peer, was)) {
          peer.bodies.letGo(was, STILL, STILL);
        }
        const { carriedPose } = peer.authors[slot].stream.shown.hands[side];
        if (is !== NO_BODY) peer.bodies.carry(is, carriedPose, slot as Slot);
      }
    }
  }

  /** The body that a player carries in a hand here, or NO_BODY. */
  of(slot: Slot, side: 0 | 1): BodyId {
    return this.#carried[slot * HAND_SIDES.length + side] as BodyId;
  }

  /** Forgets everything: the scene begins anew. */
  clear(): void {
    this.#carried.fill(NO_BODY);
  }

  #isCarried(body: BodyId): boolean {
    return this.#carried.includes(body);
  }
}

function carriedIn(peer: PeerState, slot: Slot, side: 0 | 1): BodyId {
  const { stream } = peer.authors[slot];
  if (slot === peer.self || !stream.hasAvatar) return NO_BODY;
  const hand = stream.shown.hands[side];
  const known = hand.tracked && hand.carried !== NO_BODY;
  return known && peer.bodies.records.authority[hand.carried] === slot ? hand.carried : NO_BODY;
}

function inOwnHand(peer: PeerState, body: BodyId): boolean {
  const { records } = peer.bodies;
  return records.authority[body] === peer.self && records.hold[body] !== 0;
}

const STILL = vector();
