import type { BodyId, HandSide } from '../core/base/ids.ts';
import { HAND_SIDES, NO_BODY } from '../core/base/ids.ts';
import type { ReadonlyPose, ReadonlyVector, Vector } from '../core/base/math.ts';
import { vector } from '../core/base/math.ts';
import { POSE_STRIDE } from '../core/base/state.ts';
import type { Contact } from '../core/peer/diagnostics/contact-log.ts';
import type { PeerEvent } from '../core/peer/diagnostics/event-log.ts';
import type { PeerDiagnostics } from '../core/peer/diagnostics/peer-diagnostics.ts';
import type { Peer } from '../core/peer/peer.ts';
import { Effects } from '../sound/effects.ts';

/** Volumes of the sounds of hands, 0 to 1. */
const GRAB = 0.6;
const REACH = 0.6;
const RELEASE = 0.4;
const LOST = 0.7;
const WAVE = 0.8;
const KICK = 0.7;
const HANDED_OVER = 0.8;

/** Plays what a player hears: sounds of its hands, and sounds of cubes that collide. */
export class Sounds {
  readonly #effects = new Effects();
  readonly #at = vector();
  #peer: Peer | null = null;
  #contacts = 0;
  #events = 0;
  /** The tick in which a hand last lost a body. */
  #lostAt = -1;
  /** The body that each hand held in the last frame. */
  readonly #held: [BodyId, BodyId] = [NO_BODY, NO_BODY];

  /**
   * Plays the sounds of everything that has happened since the last frame.
   * @param head the listener's pose.
   */
  frame(peer: Peer, head: ReadonlyPose): void {
    this.#effects.listen(head);
    if (peer !== this.#peer) {
      // Nothing that happened in a new world before now is heard.
      this.#peer = peer;
      this.#contacts = peer.contacts.total;
      this.#events = peer.diagnostics.events.total;
      this.#lostAt = peer.diagnostics.lost.tick;
    }
    peer.contacts.each(this.#contacts, this.#onContact);
    this.#contacts = peer.contacts.total;
    peer.diagnostics.events.each(this.#events, this.#onEvent);
    this.#events = peer.diagnostics.events.total;
    this.#playLoss(peer);
    for (const side of HAND_SIDES) this.#held[side] = peer.diagnostics.hands[side].held;
  }

  /** Somebody waves. @param hand its place, in metres. */
  wave(hand: ReadonlyVector): void {
    this.#effects.play('wave', hand, WAVE);
  }

  /** This player has kicked a body. */
  kicked(body: BodyId): void {
    this.#effects.play('contact', this.#placeOf(body), KICK);
  }

  /** [A9] A body has gone from one player's hand to another's. @param body its place, in metres. */
  handedOver(body: ReadonlyVector): void {
    this.#effects.play('give', body, HANDED_OVER);
  }

  readonly #onContact = ({ a, b, speed }: Readonly<Contact>): void => {
    this.#effects.contact(a, b, this.#placeOf(a), speed);
  };

  readonly #onEvent = ({ kind, body, slot }: Readonly<PeerEvent>): void => {
    if (body === NO_BODY || slot !== this.#peer?.diagnostics.slot) return;
    if (kind === 'grab') this.#effects.play('grab', this.#handOf(body), GRAB);
    else if (kind === 'reach') this.#effects.play('reach', this.#handOf(body), REACH);
    else if (kind === 'release' || kind === 'throw')
      this.#effects.play('release', this.#handOf(body), RELEASE);
  };

  /** [G4] The sound comes from the hand that lost its body or closed on nothing. */
  #playLoss({ diagnostics }: Peer): void {
    if (diagnostics.lost.tick === this.#lostAt) return;
    this.#lostAt = diagnostics.lost.tick;
    this.#effects.play('lose', placeOfHand(diagnostics, diagnostics.lost.side), LOST);
  }

  /**
   * Returns the position of the hand that holds the body, reaches for it, or held it in the last frame, even
   * if the hand is far from the body.
   */
  #handOf(body: BodyId): ReadonlyVector {
    const player = this.#peer?.diagnostics;
    const side =
      HAND_SIDES.find((now) => player?.hands[now].held === body || player?.hands[now].reach === body) ??
      HAND_SIDES.find((before) => this.#held[before] === body);
    return player === undefined || side === undefined ? this.#placeOf(body) : placeOfHand(player, side);
  }

  #placeOf(body: BodyId): Vector {
    const shown = this.#peer?.diagnostics.bodies.drawn;
    const at = body * POSE_STRIDE;
    this.#at.x = shown?.[at] ?? 0;
    this.#at.y = shown?.[at + 1] ?? 0;
    this.#at.z = shown?.[at + 2] ?? 0;
    return this.#at;
  }

  dispose(): void {
    this.#effects.dispose();
  }
}

function placeOfHand({ input }: PeerDiagnostics, side: HandSide): ReadonlyVector {
  return input.hands[side].pose.position;
}
