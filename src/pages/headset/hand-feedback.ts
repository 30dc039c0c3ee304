import { TICK_MS } from '../../core/base/constants.ts';
import type { BodyId, HandSide } from '../../core/base/ids.ts';
import { HAND_SIDES, NO_BODY, RIGHT } from '../../core/base/ids.ts';
import type { Contact } from '../../core/peer/diagnostics/contact-log.ts';
import { NEAR_RADIUS } from '../../core/hands/player-hands.ts';
import type { Peer } from '../../core/peer/peer.ts';
import type { HeadsetPlayer } from '../../input/headset/headset-player.ts';
import type { HeadsetPicture } from '../../view/headset/picture.ts';
import type { Pulse } from './pulses.ts';
import { impactPulse, PULSES } from './pulses.ts';

/** A hand with more grip than this counts as closed: it touches no other body. */
const CLOSED_GRIP = 0.5;
/** 3 ticks, 50 ms: faster pulses blur into a buzz, so only a stronger pulse may follow sooner. */
const APART_TICKS = 3;

/** A hand's bodies in the last tick, and its present pulse. */
type Grasp = {
  held: BodyId;
  touched: BodyId;
  /** [A9] The body that the hand reached for, and whether another hand reached for the body it held. */
  reach: BodyId;
  isReachedFor: boolean;
  strength: number;
  until: number;
};

/** Pulses for the hands of a player in a headset, and a text near the hand that lost a body. */
export class HandFeedback {
  readonly #player: Pick<HeadsetPlayer, 'pulse'>;
  readonly #picture: Pick<HeadsetPicture, 'showText'>;
  readonly #grasps: readonly [Grasp, Grasp] = [nothing(), nothing()];
  #peer: Peer | null = null;
  #contacts = 0;
  /** [A9] The tick of the last giving, and the hand that let go last. */
  #given = -1;
  #emptied: HandSide = RIGHT;
  /** Ticks since the start. */
  #now = 0;

  constructor(player: Pick<HeadsetPlayer, 'pulse'>, picture: Pick<HeadsetPicture, 'showText'>) {
    this.#player = player;
    this.#picture = picture;
  }

  /** Forgets the past: the player was in another world until now. */
  arrive(): void {
    this.#peer = null;
  }

  /** Starts the pulses for what happened in a tick. */
  tick(peer: Peer): void {
    this.#now++;
    if (peer !== this.#peer) this.#begin(peer);
    for (const side of HAND_SIDES) this.#updateHand(peer, side);
    if (peer.diagnostics.given.tick !== this.#given) this.#pulse(this.#emptied, PULSES.given);
    this.#given = peer.diagnostics.given.tick;
    peer.contacts.each(this.#contacts, this.#onContact);
    this.#contacts = peer.contacts.total;
  }

  /**
   * [G4] Another player has the body that this player's hand held or closed on: gives that hand a strong
   * pulse and shows a text. Call it before `tick` of the same tick.
   */
  lose(peer: Peer, text: string): void {
    const { side } = peer.diagnostics.lost;
    this.#pulse(side, PULSES.lost);
    this.#picture.showText(side, text);
  }

  /** The hand has kicked a body. */
  kicked(side: HandSide): void {
    this.#pulse(side, PULSES.kick);
  }

  #updateHand(peer: Peer, side: HandSide): void {
    const { held, reach } = peer.diagnostics.hands[side];
    const before = this.#grasps[side];
    const touched = touchedBy(peer, side);
    const reachedFor = held !== NO_BODY && peer.diagnostics.isReachedFor(held);
    if (held === NO_BODY && before.held !== NO_BODY) {
      this.#emptied = side;
      this.#pulse(side, PULSES.release);
    } else if (held !== before.held) {
      this.#pulse(side, held === before.reach ? PULSES.received : PULSES.grab);
    } else if (reach !== before.reach && reach !== NO_BODY) this.#pulse(side, PULSES.reach);
    else if (reachedFor && !before.isReachedFor) this.#pulse(side, PULSES.reach);
    else if (touched !== before.touched && touched !== NO_BODY) this.#pulse(side, PULSES.touch);
    before.held = held;
    before.touched = touched;
    before.reach = reach;
    before.isReachedFor = reachedFor;
  }

  /** Starts with a new peer: nothing that happened there before causes a pulse. */
  #begin(peer: Peer): void {
    this.#peer = peer;
    this.#contacts = peer.contacts.total;
    this.#given = peer.diagnostics.given.tick;
    for (const side of HAND_SIDES) {
      const { held, reach } = peer.diagnostics.hands[side];
      Object.assign(this.#grasps[side], { held, reach, touched: NO_BODY, isReachedFor: false });
    }
  }

  readonly #onContact = ({ a, b, speed }: Readonly<Contact>): void => {
    for (const side of HAND_SIDES) {
      const { held } = this.#grasps[side];
      if (held === NO_BODY || (held !== a && held !== b)) continue;
      const pulse = impactPulse(speed);
      if (pulse !== null) this.#pulse(side, pulse);
    }
  };

  /** A controller plays only its newest pulse, so a weaker one must not cut off a stronger one. */
  #pulse(side: HandSide, { strength, ms }: Pulse): void {
    const felt = this.#grasps[side];
    if (this.#now < felt.until && strength <= felt.strength) return;
    felt.strength = strength;
    felt.until = this.#now + Math.max(APART_TICKS, Math.ceil(ms / TICK_MS));
    this.#player.pulse(side, strength, ms);
  }
}

/** [G1] Returns the body that an open hand touches and would take, or NO_BODY. */
function touchedBy(peer: Peer, side: HandSide): BodyId {
  const { selected } = peer.diagnostics.hands[side];
  const { pose } = peer.diagnostics.input.hands[side];
  if (selected === NO_BODY || isClosed(peer, side)) return NO_BODY;
  return peer.diagnostics.overlapSphere(pose.position, NEAR_RADIUS) === selected ? selected : NO_BODY;
}

function isClosed({ diagnostics }: Peer, side: HandSide): boolean {
  return diagnostics.input.hands[side].grip > CLOSED_GRIP;
}

function nothing(): Grasp {
  return {
    held: NO_BODY,
    touched: NO_BODY,
    reach: NO_BODY,
    isReachedFor: false,
    strength: 0,
    until: 0,
  };
}
