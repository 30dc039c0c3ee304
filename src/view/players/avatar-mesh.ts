import type { BufferGeometry, PerspectiveCamera } from 'three';
import { CylinderGeometry, Group, Mesh, MeshBasicMaterial, Vector3 } from 'three';
import type { Slot } from '../../core/base/ids.ts';
import { HAND_SIDES, NO_BODY } from '../../core/base/ids.ts';
import { POSE_STRIDE } from '../../core/base/state.ts';
import type { AvatarView, HandView } from '../../core/peer/shown/peer-view.ts';
import type { HandKind } from '../../core/room/profile.ts';
import { FIRST_SLOTS } from '../../core/base/constants.ts';
import type { Light } from '../light/daylight.ts';
import { NameTag } from './name-tag.ts';
import { PersonMesh } from './person-mesh.ts';
import { PlayerHand } from './player-hand.ts';
import { slotLook } from '../slots.ts';

/** Metres from the eyes up to the name tag. */
const TAG_ABOVE = 0.22;
/** Metres: if a held body is farther from the hand, a beam connects them. */
const BEAM_FROM = 0.6;

/** Which parts of an avatar are drawn: a player does not see its own head. */
export type AvatarParts = {
  head: boolean;
  hands: boolean;
  /** The kind of its hands. */
  kind: HandKind;
  /** Whether something else draws the left and the right hand; here only that hand's beam is drawn then. */
  replaced: readonly [boolean, boolean];
};

/** One player: body, name, hands, and beams to held bodies at a distance. */
export class AvatarMesh {
  readonly group = new Group();
  readonly #person: PersonMesh;
  readonly #tag: NameTag;
  readonly #hands: readonly PlayerHand[];
  readonly #beams: readonly Mesh<BufferGeometry, MeshBasicMaterial>[];
  readonly #aim = new Vector3();

  constructor(slot: Slot, light: Light) {
    const { colour } = slotLook(slot);
    this.#person = new PersonMesh(colour, light, (slot % FIRST_SLOTS) / FIRST_SLOTS);
    this.#tag = new NameTag(slot);
    this.#hands = HAND_SIDES.map((side) => new PlayerHand(side, slot, light));
    this.#beams = HAND_SIDES.map(() => beamMesh(colour));
    this.group.add(
      this.#person.mesh,
      this.#tag.group,
      ...this.#hands.map((hand) => hand.group),
      ...this.#beams,
    );
  }

  /**
   * Moves everything to the avatar's present pose.
   * @param poses the drawn poses of the bodies.
   * @param tagShare the least height of a name, as a share of the picture's.
   */
  update(
    avatar: AvatarView,
    parts: Readonly<AvatarParts>,
    poses: Float32Array,
    { camera, tagShare }: { readonly camera: PerspectiveCamera; readonly tagShare: number },
    seconds: number,
  ): void {
    this.group.visible = avatar.present;
    if (!avatar.present) return;
    this.#person.mesh.visible = this.#tag.group.visible = parts.head;
    if (parts.head) {
      const { x, y, z } = avatar.head.position;
      this.#person.update(avatar, seconds);
      this.#tag.update(avatar.name, x, y + TAG_ABOVE, z, camera, tagShare);
    }
    for (const side of HAND_SIDES) {
      const hand = avatar.hands[side];
      const shown = parts.hands && hand.tracked;
      const isDrawn = shown && !parts.replaced[side];
      this.#hands[side].group.visible = isDrawn;
      if (isDrawn) this.#hands[side].update(hand, parts.kind, !parts.head, seconds);
      this.#updateBeam(this.#beams[side], hand, shown, poses);
    }
  }

  dispose(): void {
    this.#person.dispose();
    this.#tag.dispose();
    for (const hand of this.#hands) hand.dispose();
    for (const beam of this.#beams) {
      beam.geometry.dispose();
      beam.material.dispose();
    }
  }

  #updateBeam(beam: Mesh, hand: HandView, shown: boolean, poses: Float32Array): void {
    beam.visible = false;
    const at = hand.held * POSE_STRIDE;
    if (!shown || hand.held === NO_BODY || at + POSE_STRIDE > poses.length) return;
    this.#aim.fromArray(poses, at);
    const length = this.#aim.distanceTo(hand.pose.position);
    if (length < BEAM_FROM) return;
    beam.visible = true;
    beam.position.copy(hand.pose.position);
    beam.lookAt(this.#aim);
    beam.scale.set(1, 1, length);
  }
}

/** A thin beam of length 1 along +z; `lookAt` turns it to its target. */
function beamMesh(colour: string): Mesh<BufferGeometry, MeshBasicMaterial> {
  const geometry = new CylinderGeometry(0.009, 0.004, 1, 8, 1, true)
    .rotateX(Math.PI / 2)
    .translate(0, 0, 0.5);
  const material = new MeshBasicMaterial({
    color: colour,
    transparent: true,
    opacity: 0.45,
    depthWrite: false,
  });
  const mesh = new Mesh(geometry, material);
  mesh.renderOrder = 5;
  return mesh;
}
