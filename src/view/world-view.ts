import type { WebGLRenderer } from 'three';
import { Group, Matrix4, PerspectiveCamera, Raycaster, Scene as Drawing, Vector2, Vector3 } from 'three';
import { NO_BODY } from '../core/base/ids.ts';
import type { BodyId, Slot } from '../core/base/ids.ts';
import type { ReadonlyVector } from '../core/base/math.ts';
import type { PeerView } from '../core/peer/shown/peer-view.ts';
import type { HandKind } from '../core/room/profile.ts';
import type { Level } from '../core/world/level.ts';
import type { AvatarParts } from './players/avatar-mesh.ts';
import { AvatarMesh } from './players/avatar-mesh.ts';
import type { EdgePlace } from './players/edge-place.ts';
import { edgePlace } from './players/edge-place.ts';
import { BodyMeshes } from './bodies/bodies.ts';
import type { Hit } from './bodies/body-instances.ts';
import type { Light } from './light/daylight.ts';
import { Sun } from './light/daylight.ts';
import type { Quality } from './quality.ts';
import { detectQuality } from './quality.ts';
import { DrivenMeshes } from './statics/driven-meshes.ts';
import { StaticMeshes } from './statics/static-meshes.ts';
import { Tethers } from './tethers/tethers.ts';
import { floorOf } from '../core/world/level.ts';
import { Surroundings } from './light/surroundings.ts';

/** Vertical field of view in degrees; the page may change it, as `fieldOfView` in lens.ts says. */
const FIELD_OF_VIEW = 60;
/** Metres from the camera: nearer and farther objects are not drawn. */
const NEAR = 0.05;
const FAR = 400;
/** CSS pixels: the least height of a name, and the height of a picture if the page does not say it. */
const TAG_PIXELS = 30;
const USUAL_HEIGHT = 720;
/** Metres: shadows reach so far beyond the bodies' starts; and the least and the most from the middle. */
const SHADOW_MARGIN = 4;
const SHADOW_LEAST = 9;
const SHADOW_MOST = 26;

/** Options for drawing a world in a pane. */
export type WorldViewOptions = {
  /** The view of another peer; its bodies are drawn as outlines. */
  readonly ghosts?: PeerView | null;
  /**
   * The body that a grip would take, or NO_BODY. The bodies selected by the view's own hands are shown in any
   * case.
   */
  readonly highlight: BodyId;
  /** A body that glows, because the player is invited to take it. */
  readonly glow?: BodyId;
  /** False if the player sees no hands of its own, for example with a mouse. */
  readonly showOwnHands: boolean;
  /** Whether something else draws the left and the right own hand; here only their beams are drawn then. */
  readonly replacedHands?: readonly [boolean, boolean];
  /** The kind of another player's hands; pointers if it is not given. */
  readonly handsOf?: (slot: Slot) => HandKind;
  /** The height of the pane in CSS pixels: it sets the least height of names. A headset gives a fixed number. */
  readonly paneHeight?: number;
  /** True if the player sees its real room behind the bodies: no sky and no floor. */
  readonly passthrough?: boolean;
};

const NONE_REPLACED = [false, false] as const;

/** One peer's world in one pane. It reads a PeerView and changes only the picture. */
export class WorldView {
  /** The page moves it, and may set its field of view; `Renderer3d.render` sets its aspect. */
  readonly camera = new PerspectiveCamera(FIELD_OF_VIEW, 1, NEAR, FAR);
  /**
   * Contains the camera, and leads from a headset's space to the world. Objects that a page adds here move
   * with the player.
   */
  readonly rig = new Group();
  /** Objects that a page adds to the world. */
  readonly extras = new Group();
  readonly #drawing = new Drawing();
  readonly #quality: Quality;
  readonly #sun: Sun;
  readonly #surroundings: Surroundings;
  readonly #avatars: (AvatarMesh | undefined)[] = [];
  readonly #parts: AvatarParts = {
    head: true,
    hands: true,
    kind: 'pointer',
    replaced: NONE_REPLACED,
  };
  readonly #raycaster = new Raycaster();
  readonly #pointer = new Vector2();
  readonly #point = new Vector3();
  readonly #toCamera = new Matrix4();
  #bodies: BodyMeshes;
  #statics: StaticMeshes;
  #driven: DrivenMeshes;
  #tethers: Tethers;

  /** @param quality the same as the renderer's. */
  constructor(scene: Level, quality: Quality = detectQuality()) {
    this.#quality = quality;
    this.#sun = new Sun(quality);
    this.#surroundings = new Surroundings(this.#sun.light);
    this.#bodies = this.#createBodies(scene);
    this.#statics = this.#createStatics(scene);
    this.#driven = this.#createDriven(scene);
    this.#tethers = this.#createTethers(scene);
    this.rig.add(this.camera);
    this.#drawing.add(this.rig, this.extras, this.#surroundings.group);
  }

  /** The world's light, for objects that a page adds. */
  get light(): Light {
    return this.#sun.light;
  }

  /** Replaces the bodies, what ties them, and what never moves, by those of another level. */
  setScene(scene: Level): void {
    this.#drawing.remove(this.#bodies.group, this.#statics.group, this.#driven.group, this.#tethers.group);
    this.#bodies.dispose();
    this.#statics.dispose();
    this.#driven.dispose();
    this.#tethers.dispose();
    this.#bodies = this.#createBodies(scene);
    this.#statics = this.#createStatics(scene);
    this.#driven = this.#createDriven(scene);
    this.#tethers = this.#createTethers(scene);
  }

  /**
   * Updates the picture. The camera must be in its place for this frame.
   * @param view of the present scene's bodies.
   * @param seconds since the last call.
   */
  update(view: PeerView, seconds: number, options: WorldViewOptions): void {
    this.#surroundings.group.visible = options.passthrough !== true;
    const { highlight, ghosts = null, glow = NO_BODY } = options;
    this.#bodies.update(view, seconds, highlight, ghosts, glow);
    this.#driven.update(view.driven);
    this.#tethers.update(view);
    const eye = { camera: this.camera, tagShare: TAG_PIXELS / (options.paneHeight ?? USUAL_HEIGHT) };
    for (const avatar of view.avatars) {
      if (avatar.present && this.#avatars[avatar.slot] === undefined) {
        const mesh = new AvatarMesh(avatar.slot, this.#sun.light);
        this.#avatars[avatar.slot] = mesh;
        this.#drawing.add(mesh.group);
      }
      const own = avatar.slot === view.self;
      this.#parts.head = !own;
      this.#parts.hands = !own || options.showOwnHands;
      this.#parts.kind = own ? 'controllers' : (options.handsOf?.(avatar.slot) ?? 'pointer');
      this.#parts.replaced = (own ? options.replacedHands : undefined) ?? NONE_REPLACED;
      this.#avatars[avatar.slot]?.update(avatar, this.#parts, view.poses, eye, seconds);
    }
  }

  /**
   * Returns the first body under a point of the pane and its distance in metres, or null.
   * @param ndcX -1 to 1, to the right.
   * @param ndcY -1 to 1, upwards.
   */
  pick(ndcX: number, ndcY: number): Hit | null {
    this.camera.updateWorldMatrix(true, false);
    this.#raycaster.setFromCamera(this.#pointer.set(ndcX, ndcY), this.camera);
    return this.#bodies.pick(this.#raycaster);
  }

  /** Returns the place at the picture's edge in the direction of a point out of sight; null if the point is in sight. */
  edgeTowards({ x, y, z }: ReadonlyVector): EdgePlace | null {
    this.camera.updateWorldMatrix(true, false);
    const toCamera = this.#toCamera.copy(this.camera.matrixWorld).invert();
    const tangent = Math.tan((this.camera.fov * Math.PI) / 360);
    return edgePlace(this.#point.set(x, y, z).applyMatrix4(toCamera), tangent, this.camera.aspect);
  }

  /** Draws the world into the present viewport. */
  draw(webgl: WebGLRenderer): void {
    this.#sun.castShadows(webgl, this.#drawing);
    webgl.render(this.#drawing, this.camera);
  }

  dispose(): void {
    this.#bodies.dispose();
    this.#statics.dispose();
    this.#driven.dispose();
    this.#tethers.dispose();
    for (const avatar of this.#avatars) avatar?.dispose();
    this.#surroundings.dispose();
    this.#sun.dispose();
  }

  #createBodies(scene: Level): BodyMeshes {
    const bodies = new BodyMeshes(scene, this.#sun.light, this.#quality);
    this.#drawing.add(bodies.group);
    this.#sun.cover(shadowReach(scene));
    return bodies;
  }

  #createStatics(scene: Level): StaticMeshes {
    const statics = new StaticMeshes(scene, this.#sun.light);
    this.#drawing.add(statics.group);
    this.#surroundings.showFloor(floorOf(scene) !== null);
    return statics;
  }

  #createDriven(scene: Level): DrivenMeshes {
    const driven = new DrivenMeshes(scene, this.#sun.light);
    this.#drawing.add(driven.group);
    return driven;
  }

  #createTethers(scene: Level): Tethers {
    const tethers = new Tethers(scene, this.#sun.light);
    this.#drawing.add(tethers.group);
    return tethers;
  }
}

/** Returns the distance from the middle, in metres, within which the bodies of a scene probably are. */
function shadowReach(scene: Level): number {
  const starts = scene.bodies.map(({ start }) =>
    Math.max(Math.abs(start.position.x), Math.abs(start.position.z)),
  );
  return Math.min(SHADOW_MOST, Math.max(SHADOW_LEAST, Math.max(0, ...starts) + SHADOW_MARGIN));
}
