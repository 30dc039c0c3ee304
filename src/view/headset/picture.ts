import type { HandSide, Slot } from '../../core/base/ids.ts';
import type { ReadonlyPose } from '../../core/base/math.ts';
import type { PeerView } from '../../core/peer/shown/peer-view.ts';
import type { WorldView } from '../world-view.ts';
import type { ArcAim } from './arc.ts';
import { TeleportArc } from './arc.ts';
import type { Hint } from './label.ts';
import { HandLabels } from './label.ts';
import type { OwnHandsState } from './own-hands.ts';
import { OwnHands } from './own-hands.ts';
import { PointerLines } from './pointer.ts';

/** What a headset gives for a frame, and where its space lies in the world. */
export type HeadsetFrame = Omit<OwnHandsState, 'self'> & {
  readonly rig: ReadonlyPose;
  readonly teleport: ArcAim;
};

/** What a world shows to a player in a headset besides itself: own hands, where they point, where they lead. */
export class HeadsetPicture {
  readonly #world: WorldView;
  readonly #hands: OwnHands;
  readonly #lines = new PointerLines();
  readonly #arc = new TeleportArc();
  readonly #labels = new HandLabels();
  /** What the hands are drawn by: made once, and filled in each frame. */
  #shown: (HeadsetFrame & { self: Slot }) | null = null;

  constructor(world: WorldView) {
    this.#world = world;
    this.#hands = new OwnHands(world.light);
    world.rig.add(this.#hands.group);
    world.extras.add(this.#lines.mesh, this.#arc.group, this.#labels.mesh);
  }

  /** The own hands that are drawn here, in place of those that others see. */
  get replaced(): readonly [boolean, boolean] {
    return this.#hands.shown;
  }

  /** Poses the rig: before the world is brought up to date. */
  place({ rig }: HeadsetFrame): void {
    const { position, rotation } = rig;
    this.#world.rig.position.set(position.x, position.y, position.z);
    this.#world.rig.quaternion.set(rotation.x, rotation.y, rotation.z, rotation.w);
  }

  /** Shows a frame; `seconds` have passed since the last one. */
  update(frame: HeadsetFrame, view: PeerView, seconds: number): void {
    if (this.#shown === null) this.#shown = { ...frame, self: view.self };
    else Object.assign(this.#shown, frame).self = view.self;
    this.#hands.update(this.#shown);
    this.#lines.update(view, seconds);
    this.#arc.update(frame.teleport, view.self, seconds);
    this.#labels.update(view, this.#hands, this.#world.camera, seconds);
  }

  /** A word near a hand, for two seconds. */
  say(side: HandSide, text: string): void {
    this.#labels.say(side, text);
  }

  /** The hints at a hand's buttons, from now on. */
  hint(side: HandSide, hints: readonly Hint[]): void {
    this.#labels.hints(side, hints);
  }

  /** Takes it all away, and the rig back to where a screen needs it. */
  remove(): void {
    this.#world.rig.remove(this.#hands.group);
    this.#world.extras.remove(this.#lines.mesh, this.#arc.group, this.#labels.mesh);
    this.#world.rig.position.set(0, 0, 0);
    this.#world.rig.quaternion.set(0, 0, 0, 1);
    for (const part of [this.#hands, this.#lines, this.#arc, this.#labels]) part.dispose();
  }
}
