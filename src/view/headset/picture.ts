import type { Object3D } from 'three';
import type { HandSide, Slot } from '../../core/base/ids.ts';
import { NO_SLOT } from '../../core/base/ids.ts';
import type { ReadonlyPose } from '../../core/base/math.ts';
import type { PeerView } from '../../core/peer/shown/peer-view.ts';
import type { WorldView } from '../world-view.ts';
import { FriendSigns } from './gaze/friend-signs.ts';
import { GazeNews } from './gaze/gaze-news.ts';
import { Vignette } from './gaze/vignette.ts';
import type { ArcAim } from './lines/arc.ts';
import { TeleportArc } from './lines/arc.ts';
import type { Hint } from './labels/label.ts';
import { HandLabels } from './labels/label.ts';
import type { OwnHandsState } from './hands/own-hands.ts';
import { OwnHands } from './hands/own-hands.ts';
import { PointerLines } from './lines/pointer.ts';

/** The inputs for one frame in a headset, and the place of its space in the world. */
export type HeadsetFrame = Omit<OwnHandsState, 'self'> & {
  readonly rig: ReadonlyPose;
  readonly teleport: ArcAim;
  /** Whether the picture's edge is dark, because the player is moved. */
  readonly vignette: boolean;
};

/**
 * Everything that a player in a headset sees besides the world: own hands, pointers, the teleport's arc,
 * labels, news and arrows to friends.
 */
export class HeadsetPicture {
  readonly #world: WorldView;
  readonly #hands: OwnHands;
  readonly #lines = new PointerLines();
  readonly #arc = new TeleportArc();
  readonly #labels = new HandLabels();
  readonly #news = new GazeNews();
  readonly #signs = new FriendSigns();
  readonly #vignette = new Vignette();
  /** The inputs for drawing the hands: created once, filled in each frame. */
  #shown: (HeadsetFrame & { self: Slot }) | null = null;

  constructor(world: WorldView) {
    this.#world = world;
    this.#hands = new OwnHands(world.light);
    world.rig.add(this.#hands.group);
    world.extras.add(...this.#inWorld);
  }

  get #inWorld(): Object3D[] {
    return [
      this.#lines.mesh,
      this.#arc.group,
      this.#labels.mesh,
      this.#news.mesh,
      this.#signs.mesh,
      this.#vignette.mesh,
    ];
  }

  /** Whether the left and the right own hand are drawn here, in place of the hands that others see. */
  get replaced(): readonly [boolean, boolean] {
    return this.#hands.shown;
  }

  /** Moves the rig. Call it before the world is updated. */
  place({ rig }: HeadsetFrame): void {
    const { position, rotation } = rig;
    this.#world.rig.position.set(position.x, position.y, position.z);
    this.#world.rig.quaternion.set(rotation.x, rotation.y, rotation.z, rotation.w);
  }

  /**
   * Draws one frame.
   * @param seconds since the last frame.
   */
  update(frame: HeadsetFrame, view: PeerView, seconds: number): void {
    if (this.#shown === null) this.#shown = { ...frame, self: view.self };
    else Object.assign(this.#shown, frame).self = view.self;
    this.#hands.update(this.#shown);
    this.#lines.update(view, seconds);
    this.#arc.update(frame.teleport, view.self, seconds);
    this.#labels.update(view, this.#hands, this.#world.camera, seconds);
    if (view.self !== NO_SLOT) this.#news.update(view.avatars[view.self].head, seconds);
    this.#signs.update(view, seconds);
    this.#vignette.update(frame.vignette, seconds);
  }

  /** Shows a sentence below the gaze for a moment. */
  say(sentence: string): void {
    this.#news.say(sentence);
  }

  /** Shows a text near a hand for two seconds. */
  showText(side: HandSide, text: string): void {
    this.#labels.showText(side, text);
  }

  /** Sets the hints at a hand's buttons. */
  hint(side: HandSide, hints: readonly Hint[]): void {
    this.#labels.hints(side, hints);
  }

  /** Removes everything, and moves the rig back for the screen. */
  remove(): void {
    this.#world.rig.remove(this.#hands.group);
    this.#world.extras.remove(...this.#inWorld);
    this.#world.rig.position.set(0, 0, 0);
    this.#world.rig.quaternion.set(0, 0, 0, 1);
    for (const part of [
      this.#hands,
      this.#lines,
      this.#arc,
      this.#labels,
      this.#news,
      this.#signs,
      this.#vignette,
    ])
      part.dispose();
  }
}
