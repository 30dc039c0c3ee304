import type { BufferGeometry, Camera, Material } from 'three';
import { CylinderGeometry, Group, Mesh, MeshBasicMaterial, SphereGeometry, Vector3 } from 'three';
import { RoundedBoxGeometry } from 'three/addons/geometries/RoundedBoxGeometry.js';
import type { Slot } from '../../core/base/ids.ts';
import { HAND_SIDES, NO_BODY } from '../../core/base/ids.ts';
import { POSE_STRIDE } from '../../core/base/state.ts';
import type { AvatarView, HandView } from '../../core/peer/shown/peer-view.ts';
import { chamferedBox } from '../bodies/chamfered-box.ts';
import { flowFraction } from '../bodies/colour-flow.ts';
import type { Light } from '../light/daylight.ts';
import { CASTS_SHADOW } from '../light/daylight.ts';
import { HandMesh } from './hand-mesh.ts';
import { NameTag } from './name-tag.ts';
import { joined, painted } from '../light/paint.ts';
import { slotLook } from '../slots.ts';

const DARK = '#23282f';
const STRAP = '#d9dcdf';
/** Metres from the eyes up to the name tag. */
const TAG_ABOVE = 0.21;
/** Metres: if a held body is farther from the hand, a beam connects them. */
const BEAM_FROM = 0.6;
/** Fraction of the remaining way that the visor's light goes in one frame of 1/90 s. */
const VOICE_FLOW = 0.35;

/** Which parts of an avatar are drawn: a player does not see its own head. */
export type AvatarParts = {
  head: boolean;
  hands: boolean;
  /** Whether something else draws the left and the right hand; here only that hand's beam is drawn then. */
  replaced: readonly [boolean, boolean];
};

/** One player: head, name, hands, and beams to held bodies at a distance. */
export class AvatarMesh {
  readonly group = new Group();
  readonly #head: Mesh;
  readonly #voice: Mesh<BufferGeometry, MeshBasicMaterial>;
  readonly #tag: NameTag;
  readonly #hands: readonly HandMesh[];
  readonly #beams: readonly Mesh<BufferGeometry, MeshBasicMaterial>[];
  readonly #aim = new Vector3();
  #loudness = 0;

  constructor(slot: Slot, light: Light, material: Material) {
    const { colour } = slotLook(slot);
    this.#head = new Mesh(headGeometry(colour), material);
    this.#head.layers.enable(CASTS_SHADOW);
    this.#voice = new Mesh(voiceGeometry(), new MeshBasicMaterial({ color: '#ffffff' }));
    this.#head.add(this.#voice);
    this.#tag = new NameTag(slot);
    this.#hands = HAND_SIDES.map((side) => new HandMesh(side, colour, light));
    this.#beams = HAND_SIDES.map(() => beamMesh(colour));
    this.group.add(this.#head, this.#tag.mesh, ...this.#hands.map((hand) => hand.mesh), ...this.#beams);
  }

  /**
   * Moves everything to the avatar's present pose.
   * @param poses the drawn poses of the bodies.
   */
  update(
    avatar: AvatarView,
    parts: Readonly<AvatarParts>,
    poses: Float32Array,
    camera: Camera,
    seconds: number,
  ): void {
    this.group.visible = avatar.present;
    if (!avatar.present) return;
    this.#updateHead(avatar, parts.head, camera, seconds);
    for (const side of HAND_SIDES) {
      const hand = avatar.hands[side];
      const { mesh } = this.#hands[side];
      const shown = parts.hands && hand.tracked;
      mesh.visible = shown && !parts.replaced[side];
      mesh.position.copy(hand.pose.position);
      mesh.quaternion.copy(hand.pose.rotation);
      this.#hands[side].move(hand, seconds);
      this.#updateBeam(this.#beams[side], hand, shown, poses);
    }
  }

  dispose(): void {
    this.#head.geometry.dispose();
    this.#voice.geometry.dispose();
    this.#voice.material.dispose();
    this.#tag.dispose();
    for (const hand of this.#hands) hand.dispose();
    for (const beam of this.#beams) {
      beam.geometry.dispose();
      beam.material.dispose();
    }
  }

  #updateHead(avatar: AvatarView, shown: boolean, camera: Camera, seconds: number): void {
    this.#head.visible = this.#tag.mesh.visible = shown;
    if (!shown) return;
    const { position, rotation } = avatar.head;
    this.#head.position.copy(position);
    this.#head.quaternion.copy(rotation);
    this.#loudness += (avatar.voice - this.#loudness) * flowFraction(VOICE_FLOW, seconds);
    this.#voice.visible = this.#loudness > 0.02;
    this.#voice.scale.x = 0.15 + 0.85 * Math.min(1, this.#loudness);
    this.#tag.update(avatar.name, position.x, position.y + TAG_ABOVE, position.z, camera);
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

/** A smooth head in the player's colour with a dark visor. Its eyes are at the origin and look along -z. */
function headGeometry(colour: string): BufferGeometry {
  const shell = new SphereGeometry(1, 20, 14).scale(0.09, 0.12, 0.11).translate(0, -0.008, 0.07);
  const strap = new CylinderGeometry(1, 1, 0.03, 24, 1).scale(0.0915, 1, 0.1115).translate(0, 0.004, 0.07);
  const visor = new RoundedBoxGeometry(0.166, 0.092, 0.07, 2, 0.033).translate(0, 0.004, -0.018);
  const plate = chamferedBox([0.07, 0.033, 0.01], 0.008).translate(0, 0.004, -0.046);
  return joined([painted(shell, colour), painted(strap, STRAP), painted(visor, STRAP), painted(plate, DARK)]);
}

/** A strip of light on the visor; it grows wider with the voice. */
function voiceGeometry(): BufferGeometry {
  return chamferedBox([0.045, 0.0035, 0.002], 0.001).translate(0, -0.016, -0.0565);
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
