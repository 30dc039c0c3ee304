import { Group, Vector3 } from 'three';
import { GLTFLoader } from 'three/addons/loaders/GLTFLoader.js';
import type { HandSide, Slot } from '../../../core/base/ids.ts';
import { HAND_SIDES, LEFT, NO_SLOT, RIGHT } from '../../../core/base/ids.ts';
import type { Light } from '../../light/daylight.ts';
import { slotLook } from '../../slots.ts';
import { BareHand } from './bare-hand.ts';
import type { ControllerButton } from './controller-model.ts';
import { ControllerModel } from './controller-model.ts';
import { controllerModelUrl, handModelUrl } from './input-profiles.ts';
import { tint } from './own-hand-paint.ts';

/** The inputs for drawing a player's own hands in one frame. */
export type OwnHandsState = {
  readonly self: Slot;
  /** True if the player sees its real hands. */
  readonly passthrough: boolean;
  readonly frame: XRFrame;
  /** The space of the rig. */
  readonly space: XRReferenceSpace;
  readonly sources: Iterable<XRInputSource>;
  /** The device of each hand. */
  readonly devices: readonly ['none' | 'controller' | 'hand', 'none' | 'controller' | 'hand'];
  /** For each bare hand 25 column-major matrices in WebXR's order, from a joint to the world. */
  readonly joints: readonly [Float32Array, Float32Array];
};

/** One hand: its models once they are loaded, and the one that is shown. */
type OwnHand = {
  readonly grip: Group;
  controller: ControllerModel | null;
  /** The address of the model of `controller`, also while it is loading. */
  url: string | null;
  bare: BareHand | null;
  bareAsked: boolean;
  slot: Slot;
};

/**
 * The own hands of a player in a headset: the device's controllers with moving buttons, or bare hands. Each
 * hand needs one draw call.
 */
export class OwnHands {
  /** The caller adds it to the rig. */
  readonly group = new Group();
  /** Whether the left and the right hand are drawn here. A hand is drawn only after its model is loaded. */
  readonly shown: readonly [boolean, boolean];
  readonly #shown: [boolean, boolean] = [false, false];
  readonly #light: Light;
  readonly #hands = HAND_SIDES.map(() => ownHand());
  readonly #loader = new GLTFLoader();
  #disposed = false;

  constructor(light: Light) {
    this.#light = light;
    this.shown = this.#shown;
    this.group.add(...this.#hands.map(({ grip }) => grip));
  }

  /** Draws both hands of this frame. */
  update(state: OwnHandsState): void {
    for (const side of HAND_SIDES) this.#hide(side);
    for (const source of state.sources) {
      const side = source.handedness === 'left' ? LEFT : RIGHT;
      if (this.#shown[side]) continue;
      if (state.devices[side] === 'controller') this.#showController(side, source, state);
      if (state.devices[side] === 'hand') this.#showBare(side, state);
    }
  }

  /**
   * Writes a button's position in the world, as of the last drawn frame.
   * @returns false if no controller is drawn there, or if it has no such button.
   */
  buttonPlace(side: HandSide, button: ControllerButton, out: Vector3): boolean {
    const { controller, grip } = this.#hands[side];
    const place = controller?.mesh.visible === true ? controller.buttons[button] : undefined;
    if (place === undefined) return false;
    grip.localToWorld(out.copy(place));
    return true;
  }

  dispose(): void {
    this.#disposed = true;
    this.group.clear();
    for (const { controller, bare } of this.#hands) {
      controller?.dispose();
      bare?.dispose();
    }
  }

  #hide(side: HandSide): void {
    const { controller, bare } = this.#hands[side];
    this.#shown[side] = false;
    if (controller !== null) controller.mesh.visible = false;
    if (bare !== null) bare.mesh.visible = false;
  }

  #showController(side: HandSide, source: XRInputSource, { frame, space, self }: OwnHandsState): void {
    const hand = this.#hands[side];
    const url = controllerModelUrl(source.profiles, side);
    if (url !== hand.url) this.#fetchController(side, url);
    const pose = source.gripSpace === undefined ? undefined : frame.getPose(source.gripSpace, space);
    if (hand.controller === null || !pose) return;
    const { position, orientation } = pose.transform;
    hand.grip.position.set(position.x, position.y, position.z);
    hand.grip.quaternion.set(orientation.x, orientation.y, orientation.z, orientation.w);
    if (source.gamepad) hand.controller.press(source.gamepad);
    this.#tint(hand, self);
    this.#shown[side] = hand.controller.mesh.visible = true;
  }

  #showBare(side: HandSide, { joints, passthrough, self }: OwnHandsState): void {
    const hand = this.#hands[side];
    if (!hand.bareAsked) this.#fetchBare(side);
    if (hand.bare === null) return;
    hand.bare.move(joints[side]);
    hand.bare.unseen = passthrough;
    this.#tint(hand, self);
    this.#shown[side] = hand.bare.mesh.visible = true;
  }

  #tint(hand: OwnHand, slot: Slot): void {
    if (hand.slot === slot || slot === NO_SLOT) return;
    hand.slot = slot;
    for (const model of [hand.controller, hand.bare]) {
      if (model !== null) tint(model.mesh.material, slotLook(slot));
    }
  }

  #fetchController(side: HandSide, url: string | null): void {
    const hand = this.#hands[side];
    hand.controller?.mesh.removeFromParent();
    hand.controller?.dispose();
    hand.controller = null;
    hand.url = url;
    if (url === null) return;
    void this.#loader.loadAsync(url).then(({ scene }) => {
      if (this.#disposed || hand.url !== url) return;
      hand.controller = new ControllerModel(scene, this.#light);
      hand.grip.add(hand.controller.mesh);
      hand.slot = NO_SLOT;
    }, leaveOut);
  }

  #fetchBare(side: HandSide): void {
    const hand = this.#hands[side];
    hand.bareAsked = true;
    void this.#loader.loadAsync(handModelUrl(side)).then(({ scene }) => {
      if (this.#disposed) return;
      hand.bare = new BareHand(scene, this.#light);
      this.group.add(hand.bare.mesh);
      hand.slot = NO_SLOT;
    }, leaveOut);
  }
}

/** If a model can't be loaded, the hand looks as other players see it. */
function leaveOut(): void {}

function ownHand(): OwnHand {
  return { grip: new Group(), controller: null, url: null, bare: null, bareAsked: false, slot: NO_SLOT };
}
