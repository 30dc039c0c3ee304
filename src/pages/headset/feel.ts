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

/** A hand whose grip is more than this counts as closed: it touches nothing new. */
const CLOSED_GRIP = 0.5;
/** Ticks, 50 ms: pulses that follow each other faster blur into a buzz, so only a stronger one comes through. */
const APART_TICKS = 3;

/** One hand in the last tick, and the pulse that it feels. */
type Grasp = {
  held: BodyId;
  touched: BodyId;
  /** [A9] What it reached for, and whether somebody reached for what it held. */
  reach: BodyId;
  isReachedFor: boolean;
  strength: number;
  until: number;
};

/** What hands in a headset feel of what happens to them, and the word near the hand that says why. */
export class Feel {
  readonly #player: Pick<HeadsetPlayer, 'pulse'>;
  readonly #picture: Pick<HeadsetPicture, 'say'>;
  readonly #grasps: readonly [Grasp, Grasp] = [nothing(), nothing()];
  #peer: Peer | null = null;
  #contacts = 0;
  /** [A9] The tick of the last giving, and the hand that let go last. */
  #given = -1;
  #emptied: HandSide = RIGHT;
  /** Ticks that were felt. */
  #now = 0;

  constructor(player: Pick<HeadsetPlayer, 'pulse'>, picture: Pick<HeadsetPicture, 'say'>) {
    this.#player = player;
    this.#picture = picture;
  }

  /** What happened until now is not felt: the player was elsewhere. */
  arrive(): void {
    this.#peer = null;
  }

  /** Lets the hands feel what happened in a tick. */
  tick(peer: Peer): void {
    this.#now++;
    if (peer !== this.#peer) this.#begin(peer);
    for (const side of HAND_SIDES) this.#feelHand(peer, side);
    if (peer.diagnostics.given.tick !== this.#given) this.#pulse(this.#emptied, PULSES.given);
    this.#given = peer.diagnostics.given.tick;
    peer.contacts.each(this.#contacts, this.#onContact);
    this.#contacts = peer.contacts.total;
  }

  /**
   * [G4] What a hand held, or closed on, is another's: a strong pulse there, and a word that says why. To be told
   * before `tick` of the same tick.
   */
  lose(peer: Peer, text: string): void {
    const { side } = peer.diagnostics.lost;
    this.#pulse(side, PULSES.lost);
    this.#picture.say(side, text);
  }

  #feelHand(peer: Peer, side: HandSide): void {
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

  /** A world that is new to the hands: what happened in it before is not felt. */
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

  /** A controller plays its newest pulse alone: while one is felt, a weaker one is left out. */
  #pulse(side: HandSide, { strength, ms }: Pulse): void {
    const felt = this.#grasps[side];
    if (this.#now < felt.until && strength <= felt.strength) return;
    felt.strength = strength;
    felt.until = this.#now + Math.max(APART_TICKS, Math.ceil(ms / TICK_MS));
    this.#player.pulse(side, strength, ms);
  }
}

/** [G1] The body that an open hand touches and would take. */
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
