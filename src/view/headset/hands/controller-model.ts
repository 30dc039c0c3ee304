import type { BufferGeometry, Object3D, ShaderMaterial, Texture } from 'three';
import { Box3, BufferAttribute, Matrix4, Mesh, MeshStandardMaterial, NoColorSpace, Vector3 } from 'three';
import { mergeGeometries } from 'three/addons/utils/BufferGeometryUtils.js';
import type { Light } from '../../light/daylight.ts';
import { CASTS_SHADOW } from '../../light/daylight.ts';
import { ownHandMaterial } from './own-hand-paint.ts';

/** The buttons of a controller; 'lower' is A or X, 'upper' is B or Y. */
export type ControllerButton = 'stick' | 'upper' | 'lower' | 'trigger' | 'squeeze';
/** From top to bottom, as the player sees a controller that points forward. */
export const CONTROLLER_BUTTONS: readonly ControllerButton[] = [
  'trigger',
  'stick',
  'upper',
  'lower',
  'squeeze',
];

/** Metres: from the handle's lower end to the band in the player's colour, and the band's width. */
const BAND_FROM_END = 0.012;
const BAND_WIDTH = 0.007;

/** The parts of a controller's Gamepad that are read here. */
type Pad = { readonly buttons: readonly { readonly value: number }[]; readonly axes: readonly number[] };

/** The movement of a part: its node's name without the suffix, and how far it is moved, 0 to 1. */
type Move = {
  readonly nodes: readonly string[];
  readonly button?: ControllerButton;
  readonly amount: (pad: Pad) => number;
};

/** From WebXR's "xr-standard" mapping, and the node names of its registry. */
const MOVES: readonly Move[] = [
  { nodes: ['xr_standard_trigger_pressed'], button: 'trigger', amount: pressed(0) },
  { nodes: ['xr_standard_squeeze_pressed'], button: 'squeeze', amount: pressed(1) },
  { nodes: ['xr_standard_thumbstick_pressed'], button: 'stick', amount: pressed(3) },
  { nodes: ['xr_standard_thumbstick_xaxis_pressed'], amount: leaning(2) },
  { nodes: ['xr_standard_thumbstick_yaxis_pressed'], amount: leaning(3) },
  { nodes: ['a_button_pressed', 'x_button_pressed'], button: 'lower', amount: pressed(4) },
  { nodes: ['b_button_pressed', 'y_button_pressed'], button: 'upper', amount: pressed(5) },
];

function pressed(button: number): (pad: Pad) => number {
  return ({ buttons }) => (button < buttons.length ? Math.min(1, Math.max(0, buttons[button].value)) : 0);
}

function leaning(axis: number): (pad: Pad) => number {
  return ({ axes }) => (axis < axes.length ? Math.min(1, Math.max(-1, axes[axis])) / 2 + 0.5 : 0.5);
}

type Part = {
  readonly value: Object3D;
  readonly min: Object3D;
  readonly max: Object3D;
  readonly amount: (pad: Pad) => number;
  at: number;
};

/**
 * A device's own model with moving buttons, in the frame of its grip. It is one mesh, however many parts it
 * has.
 */
export class ControllerModel {
  readonly mesh: Mesh<BufferGeometry, ShaderMaterial>;
  /** The middle of each button of this device, in the frame of its grip. */
  readonly buttons: Readonly<Partial<Record<ControllerButton, Vector3>>>;
  readonly #root: Object3D;
  readonly #sources: readonly Mesh[];
  readonly #unbind: readonly Matrix4[];
  readonly #moved: readonly Matrix4[];
  readonly #parts: readonly Part[];
  readonly #picture: Texture | null;

  /** @throws Error if `root` contains no mesh. */
  constructor(root: Object3D, light: Light) {
    root.updateMatrixWorld(true);
    this.#root = root;
    this.#sources = meshesIn(root);
    this.#unbind = this.#sources.map(({ matrixWorld }) => matrixWorld.clone().invert());
    this.#moved = this.#sources.map(() => new Matrix4());
    this.#parts = MOVES.flatMap((move) => partOf(root, move));
    this.buttons = buttonsIn(root);
    this.#picture = pictureOf(this.#sources);
    const geometry = joinedMeshes(this.#sources);
    geometry.computeBoundingBox();
    const end = (geometry.boundingBox?.max.z ?? 0) - BAND_FROM_END;
    const band = [end - BAND_WIDTH, end] as const;
    const material = ownHandMaterial(light, { joints: this.#moved, picture: this.#picture, band });
    this.mesh = new Mesh(geometry, material);
    this.mesh.layers.enable(CASTS_SHADOW);
    this.mesh.frustumCulled = false;
  }

  /** Moves the buttons as they are pressed on the device. */
  press(pad: Pad): void {
    let changed = false;
    for (const part of this.#parts) {
      const amount = part.amount(pad);
      if (part.at === amount) continue;
      part.at = amount;
      part.value.quaternion.slerpQuaternions(part.min.quaternion, part.max.quaternion, amount);
      part.value.position.lerpVectors(part.min.position, part.max.position, amount);
      changed = true;
    }
    if (!changed) return;
    this.#root.updateMatrixWorld(true);
    for (let i = 0; i < this.#sources.length; i++) {
      this.#moved[i].multiplyMatrices(this.#sources[i].matrixWorld, this.#unbind[i]);
    }
  }

  dispose(): void {
    this.mesh.geometry.dispose();
    this.mesh.material.dispose();
    this.#picture?.dispose();
  }
}

function meshesIn(root: Object3D): Mesh[] {
  const found: Mesh[] = [];
  root.traverse((node) => {
    if (node instanceof Mesh) found.push(node as Mesh);
  });
  if (found.length === 0) throw new Error('a controller has no mesh');
  return found;
}

function partOf(root: Object3D, { nodes, amount }: Move): Part[] {
  return nodes.flatMap((name) => {
    const [value, min, max] = ['value', 'min', 'max'].map((end) => root.getObjectByName(`${name}_${end}`));
    if (value === undefined || min === undefined || max === undefined) return [];
    return [{ value, min, max, amount, at: NaN }];
  });
}

function buttonsIn(root: Object3D): Partial<Record<ControllerButton, Vector3>> {
  const places: Partial<Record<ControllerButton, Vector3>> = {};
  for (const { nodes, button } of MOVES) {
    const node = nodes
      .map((name) => root.getObjectByName(`${name}_value`))
      .find((found) => found !== undefined);
    if (button === undefined || node === undefined) continue;
    const box = new Box3().setFromObject(node);
    if (!box.isEmpty()) places[button] = box.getCenter(new Vector3());
  }
  return places;
}

/**
 * Returns the texture that all parts of a device share, or null. Its values are read in daylight.ts's units,
 * not in three's.
 */
function pictureOf(meshes: readonly Mesh[]): Texture | null {
  for (const { material } of meshes) {
    if (!(material instanceof MeshStandardMaterial) || material.map === null) continue;
    material.map.colorSpace = NoColorSpace;
    return material.map;
  }
  return null;
}

/** Joins the meshes into one geometry; each mesh becomes a joint. */
function joinedMeshes(meshes: readonly Mesh[]): BufferGeometry {
  const parts = meshes.map(({ geometry, matrixWorld }, joint) => {
    const part = geometry.clone().applyMatrix4(matrixWorld);
    for (const name of Object.keys(part.attributes)) {
      if (!['position', 'normal', 'uv'].includes(name)) part.deleteAttribute(name);
    }
    const { count } = part.getAttribute('position');
    const bound = (first: number): BufferAttribute =>
      new BufferAttribute(
        Float32Array.from({ length: count * 4 }, (_, i) => (i % 4 === 0 ? first : 0)),
        4,
      );
    part.setAttribute('skinIndex', bound(joint));
    return part.setAttribute('skinWeight', bound(1));
  });
  return mergeGeometries(parts);
}
