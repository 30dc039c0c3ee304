import type { BodyId, HandSide } from '../../core/base/ids.ts';
import { HAND_SIDES, LEFT, NO_BODY, RIGHT } from '../../core/base/ids.ts';
import type { Peer } from '../../core/peer/peer.ts';
import type { PeerView } from '../../core/peer/peer-view.ts';
import type { DeskStart } from '../../input/desk-player.ts';
import { HeadsetPlayer } from '../../input/headset/headset-player.ts';
import type { HeadsetMode } from '../../view/headset/display.ts';
import { HeadsetDisplay } from '../../view/headset/display.ts';
import type { HeadsetFrame } from '../../view/headset/picture.ts';
import { HeadsetPicture } from '../../view/headset/picture.ts';
import type { Renderer3d } from '../../view/renderer.ts';
import type { WorldView } from '../../view/world-view.ts';
import type { RoomModel } from '../room/model.ts';
import { WristPanel } from './wrist-panel.ts';

/** Strength, 0 to 1, and milliseconds of what a hand feels. */
const PULSES = {
  touch: [0.15, 12],
  grab: [0.5, 30],
  release: [0.2, 20],
  lost: [0.9, 120],
} as const;

/** What a hand had and pointed at in the last tick. */
type Grasp = { held: BodyId; selected: BodyId };

/** What there is while a headset is worn. */
type Worn = {
  readonly player: HeadsetPlayer;
  readonly picture: HeadsetPicture;
  readonly panel: WristPanel;
  frame: HeadsetFrame | null;
};

/** A page's way into a headset: its display, its player, and what that player sees and feels. */
export class Headset {
  readonly display: HeadsetDisplay;
  readonly #world: WorldView;
  readonly #start: DeskStart;
  readonly #grasps: readonly [Grasp, Grasp] = [nothing(), nothing()];
  readonly #held: [boolean, boolean] = [false, false];
  #worn: Worn | null = null;

  constructor(renderer: Renderer3d, world: WorldView, start: DeskStart) {
    this.display = new HeadsetDisplay(renderer);
    this.#world = world;
    this.#start = start;
  }

  /** The player in the headset; null while none is worn. */
  get player(): HeadsetPlayer | null {
    return this.#worn?.player ?? null;
  }

  /**
   * Puts the world into the headset; call it from a click. Leaving it by whatever way leads back to the screen.
   * @returns false if the device or the player refused.
   */
  enter(mode: HeadsetMode): Promise<boolean> {
    return this.display.enter(mode, () => this.#takeOff());
  }

  /**
   * [T1] Reads a frame, before its ticks.
   * @returns false if no headset is worn: then the desk's player plays.
   */
  begin(nowMs: number, frame: XRFrame | null, peer: Peer): boolean {
    const { session, space, mode } = this.display;
    if (frame === null || session === null || space === null) return false;
    this.#worn ??= {
      player: new HeadsetPlayer(this.#start),
      picture: new HeadsetPicture(this.#world),
      panel: this.#createPanel(),
      frame: null,
    };
    const { player } = this.#worn;
    const sources = session.inputSources;
    for (const side of HAND_SIDES) this.#held[side] = peer.player.hands[side].held !== NO_BODY;
    player.beginFrame(nowMs, frame, space, sources, this.#held);
    const { devices, joints, rig, teleport } = player;
    this.#worn.frame = { frame, space, sources, devices, joints, rig, teleport, passthrough: mode === 'ar' };
    return true;
  }

  /** What the world's picture needs to know; nothing while no headset is worn. */
  get options(): {
    readonly showOwnHands: boolean;
    readonly replacedHands?: readonly [boolean, boolean];
    readonly passthrough?: boolean;
  } {
    if (this.#worn === null) return { showOwnHands: false };
    const passthrough = this.display.mode === 'ar';
    return { showOwnHands: true, replacedHands: this.#worn.picture.replaced, passthrough };
  }

  /** Where the player stands in the world: before the world is drawn. */
  place(): void {
    if (this.#worn?.frame) this.#worn.picture.place(this.#worn.frame);
  }

  /** Shows own hands, where they point, and the panel: after the world was brought up to date. */
  update(view: PeerView, seconds: number, room: () => RoomModel): void {
    if (!this.#worn?.frame) return;
    const { player, picture, panel, frame } = this.#worn;
    picture.update(frame, view, seconds);
    if (player.pressed(LEFT, 'upper') || player.pressed(LEFT, 'lower')) panel.toggle();
    if (panel.update(player.drawn(), room())) this.display.leave();
  }

  #createPanel(): WristPanel {
    const panel = new WristPanel();
    this.#world.extras.add(panel.surface.mesh);
    return panel;
  }

  #takeOff(): void {
    if (this.#worn === null) return;
    const { picture, panel } = this.#worn;
    picture.remove();
    this.#world.extras.remove(panel.surface.mesh);
    panel.dispose();
    this.#worn = null;
  }

  /** Lets the hands feel what happened in a tick. */
  feel(peer: Peer): void {
    const player = this.#worn?.player;
    if (player === undefined) return;
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
   * `feel` in the same tick.
   */
  sayLost(peer: Peer, text: string): void {
    const emptied = HAND_SIDES.filter(
      (side) => this.#grasps[side].held !== NO_BODY && peer.player.hands[side].held === NO_BODY,
    );
    // Without one, the body was gone before the hand had closed on it.
    for (const side of emptied.length > 0 ? emptied : [RIGHT]) {
      this.#pulse(side, 'lost');
      this.#worn?.picture.say(side, text);
    }
  }

  #pulse(side: HandSide, kind: keyof typeof PULSES): void {
    const [strength, ms] = PULSES[kind];
    this.#worn?.player.pulse(side, strength, ms);
  }

  /** Back to the screen, for good. */
  dispose(): void {
    this.display.leave();
    this.#takeOff();
  }
}

function nothing(): Grasp {
  return { held: NO_BODY, selected: NO_BODY };
}
