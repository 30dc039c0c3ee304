import type { Object3D } from 'three';
import { Group } from 'three';
import type { HandSide, Slot } from '../../core/base/ids.ts';
import type { HandKind } from '../../core/room/profile.ts';
import type { HandView } from '../../core/peer/shown/peer-view.ts';
import type { Light } from '../light/daylight.ts';
import { slotLook } from '../slots.ts';
import { BareHandMesh } from './bare-hand-mesh.ts';
import { FriendController } from './friend-controller.ts';
import { HandMesh } from './hand-mesh.ts';
import { skinOf } from './person-geometry.ts';

/**
 * One hand of a player in the world. A bare hand, and that of a player at a desk, takes one draw call. A hand with a
 * controller takes two: a glove, and a real device's model once it is loaded; until then the glove holds a plain one.
 */
export class PlayerHand {
  readonly group = new Group();
  readonly #side: HandSide;
  readonly #slot: Slot;
  readonly #light: Light;
  #bare: BareHandMesh | null = null;
  #plain: HandMesh | null = null;
  #glove: HandMesh | null = null;
  #controller: FriendController | null = null;
  #isAsked = false;
  #isDisposed = false;

  constructor(side: HandSide, slot: Slot, light: Light) {
    this.#side = side;
    this.#slot = slot;
    this.#light = light;
  }

  /**
   * Moves the hand, which is drawn by its kind.
   * @param isOwn of the player who sees it: if its device's own model is not drawn, a plain controller is.
   */
  update(hand: HandView, kind: HandKind, isOwn: boolean, seconds: number): void {
    const isHeld = kind === 'controllers';
    if (isHeld && !isOwn) this.#load();
    const hasModel = this.#controller !== null && !isOwn;
    show(this.#bare?.mesh, !isHeld);
    show(this.#plain?.mesh, isHeld && !hasModel);
    show(this.#glove?.mesh, isHeld && hasModel);
    show(this.#controller?.model.mesh, isHeld && hasModel);
    const glove = isHeld ? this.#gloveFor(hasModel) : this.#bareHand();
    glove.mesh.position.copy(hand.pose.position);
    glove.mesh.quaternion.copy(hand.pose.rotation);
    glove.move(hand, seconds);
    if (isHeld && hasModel) this.#controller?.move(hand);
  }

  dispose(): void {
    this.#isDisposed = true;
    for (const part of [this.#bare, this.#plain, this.#glove, this.#controller?.model]) part?.dispose();
  }

  #bareHand(): BareHandMesh {
    this.#bare ??= this.#added(new BareHandMesh(this.#side, skinOf(this.#colour), this.#light));
    return this.#bare;
  }

  #gloveFor(hasModel: boolean): HandMesh {
    if (hasModel) {
      this.#glove ??= this.#added(new HandMesh(this.#side, this.#colour, this.#light, false));
      return this.#glove;
    }
    this.#plain ??= this.#added(new HandMesh(this.#side, this.#colour, this.#light, true));
    return this.#plain;
  }

  #added<T extends { readonly mesh: Object3D }>(part: T): T {
    this.group.add(part.mesh);
    return part;
  }

  get #colour(): string {
    return slotLook(this.#slot).colour;
  }

  #load(): void {
    if (this.#isAsked) return;
    this.#isAsked = true;
    void FriendController.load(this.#side, this.#slot, this.#light).then((controller) => {
      if (controller === null) return;
      if (this.#isDisposed) controller.model.dispose();
      else {
        this.#controller = controller;
        this.group.add(controller.model.mesh);
      }
    });
  }
}

function show(mesh: Object3D | undefined, visible: boolean): void {
  if (mesh !== undefined) mesh.visible = visible;
}
