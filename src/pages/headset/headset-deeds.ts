import type { BodyId } from '../../core/base/ids.ts';
import { HAND_SIDES, LEFT, NO_BODY, RIGHT } from '../../core/base/ids.ts';
import type { Vector } from '../../core/base/math.ts';
import { copyVector, distance, vector } from '../../core/base/math.ts';
import type { PeerEvent } from '../../core/peer/diagnostics/event-log.ts';
import type { Peer } from '../../core/peer/peer.ts';
import type { HeadsetPlayer } from '../../input/headset/headset-player.ts';
import type { HeadsetDeed } from '../../storage/done.ts';

/** How far a trigger is pulled that means it, 0 to 1. */
const PULLED = 0.5;
/** What must add up, so that nothing passes for a deed by mistake: ticks of a stick or a trigger, metres. */
const MEANT_TICKS = 6;
const GONE = 0.5;

/** Notices what a player in a headset does. */
export class HeadsetDeedWatch {
  readonly #player: HeadsetPlayer;
  readonly #onDeed: (deed: HeadsetDeed) => void;
  readonly #held: [BodyId, BodyId] = [NO_BODY, NO_BODY];
  readonly #rig: Vector = vector();
  #peer: Peer | null = null;
  #events = 0;
  #turned = 0;
  #pulled = 0;
  #pushed = 0;
  #gone = 0;

  /** @param onDeed called again and again for what is done again and again. */
  constructor(player: HeadsetPlayer, onDeed: (deed: HeadsetDeed) => void) {
    this.#player = player;
    this.#onDeed = onDeed;
    this.#turned = player.turned;
    copyVector(player.rig.position, this.#rig);
  }

  /** What happened until now was another's: the player was elsewhere. */
  arrive(): void {
    this.#peer = null;
  }

  /** To be called after each tick of the player's peer. */
  tick(peer: Peer): void {
    if (peer !== this.#peer) this.#events = peer.diagnostics.events.total;
    this.#peer = peer;
    this.#watchHands(peer);
    peer.diagnostics.events.each(this.#events, this.#onEvent);
    this.#events = peer.diagnostics.events.total;
    this.#watchFeet();
  }

  /** To be called in each frame: a button is pressed for one of them. */
  frame(): void {
    if (this.#player.pressed(LEFT, 'upper') || this.#player.pressed(RIGHT, 'upper')) this.#onDeed('menu');
  }

  #watchHands({ diagnostics }: Peer): void {
    const { hands, input } = diagnostics;
    for (const side of HAND_SIDES) {
      const { held } = hands[side];
      if (held !== NO_BODY && held !== this.#held[side])
        this.#onDeed(this.#player.devices[side] === 'hand' ? 'pinch' : 'grip');
      this.#held[side] = held;
      if (held === NO_BODY) continue;
      const { trigger, stick } = input.hands[side];
      this.#pulled += Number(trigger > PULLED);
      this.#pushed += Number(stick.x !== 0 || stick.y !== 0);
    }
    if (this.#pulled > MEANT_TICKS) this.#onDeed('snap');
    if (this.#pushed > MEANT_TICKS) this.#onDeed('shift');
  }

  readonly #onEvent = ({ kind, slot }: Readonly<PeerEvent>): void => {
    if (kind === 'throw' && slot === this.#peer?.diagnostics.slot) this.#onDeed('throw');
  };

  #watchFeet(): void {
    const { rig, turned } = this.#player;
    // A turn is about the head, so it moves the rig, too.
    if (turned === this.#turned) this.#gone += distance(rig.position, this.#rig);
    else this.#onDeed('turn');
    this.#turned = turned;
    copyVector(rig.position, this.#rig);
    if (this.#gone > GONE) this.#onDeed('go');
  }
}
