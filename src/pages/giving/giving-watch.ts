import type { BodyId, HandSide, Slot } from '../../core/base/ids.ts';
import { HAND_SIDES, NO_BODY, NO_SLOT, RIGHT } from '../../core/base/ids.ts';
import type { PeerEvent } from '../../core/peer/diagnostics/event-log.ts';
import type { Peer } from '../../core/peer/peer.ts';

/** The news of hand-overs [A9]. */
export type GivingSinks = {
  /** This player has given a body. @param side the hand that let go of it. */
  gave(to: Slot, side: HandSide): void;
  /** This player's hand has got a body from another player's. */
  received(from: Slot, side: HandSide): void;
  /** A body has gone from one player's hand to another's, whoever they are. */
  passed(body: BodyId, to: Slot): void;
};

/** Notices when bodies go from hand to hand, by what a peer knows. */
export class GivingWatch {
  readonly #sinks: GivingSinks;
  #peer: Peer | null = null;
  #events = 0;
  #given = -1;
  /** The body that each hand held last, and the player whose body it reached for last. */
  readonly #held: [BodyId, BodyId] = [NO_BODY, NO_BODY];
  readonly #reachedInto: [Slot, Slot] = [NO_SLOT, NO_SLOT];
  #lastGiven: BodyId = NO_BODY;

  constructor(sinks: GivingSinks) {
    this.#sinks = sinks;
  }

  /** Call it after every tick of the player's peer. What happened in a new world before now is not told. */
  tick(peer: Peer): void {
    const { events, given } = peer.diagnostics;
    if (peer !== this.#peer) {
      this.#peer = peer;
      this.#events = events.total;
      this.#given = given.tick;
    }
    events.each(this.#events, this.#onEvent);
    this.#events = events.total;
    if (given.tick !== this.#given) {
      this.#given = given.tick;
      this.#sinks.gave(given.to, HAND_SIDES.find((side) => this.#held[side] === this.#lastGiven) ?? RIGHT);
    }
    for (const side of HAND_SIDES) {
      const { held, reach } = peer.diagnostics.hands[side];
      if (held !== NO_BODY) this.#held[side] = held;
      if (reach !== NO_BODY) this.#reachedInto[side] = peer.diagnostics.simulatorOf(reach);
    }
  }

  readonly #onEvent = ({ kind, rule, body, slot }: Readonly<PeerEvent>): void => {
    if (kind === 'give') {
      this.#lastGiven = body;
      this.#sinks.passed(body, slot);
    }
    const { diagnostics } = this.#peer ?? {};
    if (kind !== 'grab' || rule !== 'A9' || diagnostics === undefined || slot !== diagnostics.slot) return;
    const side = HAND_SIDES.find((each) => diagnostics.hands[each].held === body);
    if (side !== undefined) this.#sinks.received(this.#reachedInto[side], side);
  };
}
