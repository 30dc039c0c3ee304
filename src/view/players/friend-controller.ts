import type { Group } from 'three';
import { Quaternion } from 'three';
import { GLTFLoader } from 'three/addons/loaders/GLTFLoader.js';
import type { HandSide, Slot } from '../../core/base/ids.ts';
import { LEFT } from '../../core/base/ids.ts';
import type { HandView } from '../../core/peer/shown/peer-view.ts';
import { ControllerModel } from '../headset/hands/controller-model.ts';
import { controllerModelUrl } from '../headset/hands/input-profiles.ts';
import { tint } from '../headset/hands/own-hand-paint.ts';
import type { Light } from '../light/daylight.ts';
import { slotLook } from '../slots.ts';

/** All friends' controllers are drawn as this device: players do not send which device they have. */
const PROFILES = ['meta-quest-touch-plus'];
/** Radians from where it points to how it is held: upwards, and inwards. */
const TILT = Math.PI / 4;
const TURN = 0.12;

/** The models as they are loaded: once for a page, for each side. */
const loading: (Promise<Group> | undefined)[] = [];

/** A friend's controller, by a real device's model, in one draw call. */
export class FriendController {
  readonly model: ControllerModel;
  readonly #held: Quaternion;
  readonly #pad = { buttons: [{ value: 0 }, { value: 0 }], axes: [0, 0, 0, 0] };

  private constructor(side: HandSide, slot: Slot, root: Group, light: Light) {
    this.model = new ControllerModel(root.clone(true), light);
    tint(this.model.mesh.material, slotLook(slot));
    const inwards = side === LEFT ? -1 : 1;
    this.#held = new Quaternion().setFromAxisAngle({ x: 0, y: 1, z: 0 }, inwards * TURN);
    this.#held.premultiply(new Quaternion().setFromAxisAngle({ x: 1, y: 0, z: 0 }, TILT));
  }

  /** Loads it. Resolves to null if it can't be loaded. */
  static async load(side: HandSide, slot: Slot, light: Light): Promise<FriendController | null> {
    try {
      const url = controllerModelUrl(PROFILES, side);
      if (url === null) return null;
      const root = await (loading[side] ??= new GLTFLoader().loadAsync(url).then(({ scene }) => scene));
      return new FriendController(side, slot, root, light);
    } catch {
      return null;
    }
  }

  /** Moves it, and its trigger and grip. */
  move({ pose, trigger, grip }: HandView): void {
    const { mesh } = this.model;
    mesh.position.copy(pose.position);
    mesh.quaternion.copy(pose.rotation).multiply(this.#held);
    this.#pad.buttons[0].value = trigger;
    this.#pad.buttons[1].value = grip;
    this.model.press(this.#pad);
  }
}
