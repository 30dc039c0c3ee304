import type { BodyId, HandSide } from '../../core/base/ids.ts';
import { HAND_SIDES, NO_BODY, RIGHT } from '../../core/base/ids.ts';
import type { Peer } from '../../core/peer/peer.ts';
import type { HeadsetPlayer } from '../../input/headset/headset-player.ts';
import type { HeadsetPicture } from '../../view/headset/picture.ts';

/** Strength, 0 to 1, and milliseconds of what a hand feels. */
const PULSES = {
  touch: [0.15, 12],
  grab: [0.5, 30],
  release: [0.2, 20],
  lost: [0.9, 120],
} as const;

/** What a hand had and pointed at in the last tick. */
type Grasp = { held: BodyId; selected: BodyId };

/** What hands in a headset feel of what happens to them, and the word near the hand that says why. */
export class Feel {
  readonly #player: HeadsetPlayer;
  readonly #picture: HeadsetPicture;
  readonly #grasps: readonly [Grasp, Grasp] = [nothing(), nothing()];

  constructor(player: HeadsetPlayer, picture: HeadsetPicture) {
    this.#player = player;
    this.#picture = picture;
  }

  /** Lets the hands feel what happened in a tick. */
  tick(peer: Peer): void {
    for (const side of HAND_SIDES) {
      const { held, selected } = peer.player.hands[side];
      const before = this.#grasps[side];
      if (held !== before.held) this.#pulse(side, held === NO_BODY ? 'release' : 'grab');
      else if (held === NO_BODY && selected !== before.selected && selected !== NO_BODY)
        this.#pulse(side, 'touch');
      before.held = held;
      before.selected = selected;
    }
  }

  /**
   * [G4] What a hand held has gone to another: a strong pulse there, and a word that says why. To be told before
   * `tick` of the same tick.
   */
  lose(peer: Peer, text: string): void {
    const emptied = HAND_SIDES.filter(
      (side) => this.#grasps[side].held !== NO_BODY && peer.player.hands[side].held === NO_BODY,
    );
    // Without one, the body was gone before the hand had closed on it.
    for (const side of emptied.length > 0 ? emptied : [RIGHT]) {
      this.#pulse(side, 'lost');
      this.#picture.say(side, text);
    }
  }

  #pulse(side: HandSide, kind: keyof typeof PULSES): void {
    const [strength, ms] = PULSES[kind];
    this.#player.pulse(side, strength, ms);
  }
}

function nothing(): Grasp {
  return { held: NO_BODY, selected: NO_BODY };
}
