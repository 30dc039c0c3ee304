import type { BodyId } from '../../core/base/ids.ts';
import { HAND_SIDES, LEFT, NO_BODY, RIGHT } from '../../core/base/ids.ts';
import type { Vector } from '../../core/base/math.ts';
import { copyVector, distance, vector } from '../../core/base/math.ts';
import type { PeerEvent } from '../../core/peer/diagnostics/event-log.ts';
import type { Peer } from '../../core/peer/peer.ts';
import type { HeadsetPlayer } from '../../input/headset/headset-player.ts';
import type { HeadsetAction } from '../../storage/done-actions.ts';

/** A trigger pulled further than this counts as pulled, 0 to 1. */
const PULLED = 0.5;
/**
 * An action counts only from these sums on, so that nothing is counted by mistake: ticks of a stick or
 * trigger, metres walked.
 */
const MEANT_TICKS = 6;
const GONE = 0.5;

/** Recognises the actions of a player in a headset. */
export class HeadsetActionWatch {
  readonly #player: HeadsetPlayer;
  readonly #onAction: (action: HeadsetAction) => void;
  readonly #held: [BodyId, BodyId] = [NO_BODY, NO_BODY];
  readonly #rig: Vector = vector();
  #peer: Peer | null = null;
  #events = 0;
  #turned = 0;
  #pulled = 0;
  #pushed = 0;
  #gone = 0;

  /** @param onAction called each time an action is recognised. */
  constructor(player: HeadsetPlayer, onAction: (action: HeadsetAction) => void) {
    this.#player = player;
    this.#onAction = onAction;
    this.#turned = player.turned;
    copyVector(player.rig.position, this.#rig);
  }

  /** Forgets the past: the player was in another world until now. */
  arrive(): void {
    this.#peer = null;
  }

  /** Call it after each tick of the player's peer. */
  tick(peer: Peer): void {
    if (peer !== this.#peer) this.#events = peer.diagnostics.events.total;
    this.#peer = peer;
    this.#watchHands(peer);
    peer.diagnostics.events.each(this.#events, this.#onEvent);
    this.#events = peer.diagnostics.events.total;
    this.#watchFeet();
  }

  /** Call it in each frame: `pressed` is true for one frame. */
  frame(): void {
    if (this.#player.pressed(LEFT, 'upper') || this.#player.pressed(RIGHT, 'upper')) this.#onAction('menu');
  }

  #watchHands({ diagnostics }: Peer): void {
    const { hands, input } = diagnostics;
    for (const side of HAND_SIDES) {
      const { held } = hands[side];
      if (held !== NO_BODY && held !== this.#held[side])
        this.#onAction(this.#player.devices[side] === 'hand' ? 'pinch' : 'grip');
      this.#held[side] = held;
      if (held === NO_BODY) continue;
      const { trigger, stick } = input.hands[side];
      this.#pulled += Number(trigger > PULLED);
      this.#pushed += Number(stick.x !== 0 || stick.y !== 0);
    }
    if (this.#pulled > MEANT_TICKS) this.#onAction('snap');
    if (this.#pushed > MEANT_TICKS) this.#onAction('shift');
  }

  readonly #onEvent = ({ kind, slot }: Readonly<PeerEvent>): void => {
    if (kind === 'throw' && slot === this.#peer?.diagnostics.slot) this.#onAction('throw');
  };

  #watchFeet(): void {
    const { rig, turned } = this.#player;
    // The player turns about the head, which moves the rig too.
    if (turned === this.#turned) this.#gone += distance(rig.position, this.#rig);
    else this.#onAction('turn');
    this.#turned = turned;
    copyVector(rig.position, this.#rig);
    if (this.#gone > GONE) this.#onAction('go');
  }
}
