import type { ShaderMaterial, WebGLRenderer } from 'three';
import { Group, PerspectiveCamera, Raycaster, Scene as Drawing, Vector2 } from 'three';
import type { BodyId } from '../core/base/ids.ts';
import type { PeerView } from '../core/peer/shown/peer-view.ts';
import type { Scene } from '../core/world/scene.ts';
import type { AvatarParts } from './avatar-mesh.ts';
import { AvatarMesh } from './avatar-mesh.ts';
import { BodyMeshes } from './bodies.ts';
import type { Hit } from './body-instances.ts';
import type { Light } from './daylight.ts';
import { Sun } from './daylight.ts';
import { paintMaterial } from './paint.ts';
import type { Quality } from './quality.ts';
import { detectQuality } from './quality.ts';
import { Surroundings } from './surroundings.ts';

/** Vertical field of view in degrees, until the page sets another. */
const FIELD_OF_VIEW = 60;
/** Metres from the camera to the nearest and farthest that is drawn. */
const NEAR = 0.05;
const FAR = 400;
/** Metres that shadows reach beyond the bodies' starts, and the least and most that they reach from the middle. */
const SHADOW_MARGIN = 4;
const SHADOW_LEAST = 9;
const SHADOW_MOST = 26;

/** What a pane shows besides the world itself. */
export type WorldViewOptions = {
  /** Another peer's view, whose bodies are drawn as outlines beside this one's. */
  readonly ghosts?: PeerView | null;
  /** The body that a grip would take (what the view's own hands have selected is shown in any case), or NO_BODY. */
  readonly highlight: BodyId;
  /** False where the player sees no hands of its own, as with a mouse. */
  readonly showOwnHands: boolean;
  /** The left and the right of its own hands that something else draws: of those only the beams are shown. */
  readonly replacedHands?: readonly [boolean, boolean];
  /** True where the player's own room is seen behind the bodies: no sky and no floor. */
  readonly passthrough?: boolean;
};

const NONE_REPLACED = [false, false] as const;

/** One peer's world, as drawn in one pane. It reads a PeerView and changes nothing but the picture. */
export class WorldView {
  /** The page poses it, and may set its field of view; `Renderer3d.render` sets its aspect. */
  readonly camera = new PerspectiveCamera(FIELD_OF_VIEW, 1, NEAR, FAR);
  /** Holds the camera: from a headset's space to the world. What a page adds to it goes where the player goes. */
  readonly rig = new Group();
  /** What a page adds to the world. */
  readonly extras = new Group();
  readonly #drawing = new Drawing();
  readonly #quality: Quality;
  readonly #sun: Sun;
  readonly #paint: ShaderMaterial;
  readonly #surroundings: Surroundings;
  readonly #avatars: (AvatarMesh | undefined)[] = [];
  readonly #parts: AvatarParts = { head: true, hands: true, replaced: NONE_REPLACED };
  readonly #raycaster = new Raycaster();
  readonly #pointer = new Vector2();
  #bodies: BodyMeshes;

  /** @param quality the same as the renderer's. */
  constructor(scene: Scene, quality: Quality = detectQuality()) {
    this.#quality = quality;
    this.#sun = new Sun(quality);
    this.#paint = paintMaterial(this.#sun.light);
    this.#surroundings = new Surroundings(this.#sun.light);
    this.#bodies = this.#createBodies(scene);
    this.rig.add(this.camera);
    this.#drawing.add(this.rig, this.extras, this.#surroundings.group);
  }

  /** The world's light, for what a page adds. */
  get light(): Light {
    return this.#sun.light;
  }

  /** Shows another scene's bodies from now on. */
  setScene(scene: Scene): void {
    this.#drawing.remove(this.#bodies.group);
    this.#bodies.dispose();
    this.#bodies = this.#createBodies(scene);
  }

  /**
   * Shows `view`, a view of the scene's bodies; `seconds` have passed since the last time. The camera should be where it will be drawn from.
   */
  update(view: PeerView, seconds: number, options: WorldViewOptions): void {
    this.#surroundings.group.visible = options.passthrough !== true;
    this.#bodies.update(view, seconds, options.highlight, options.ghosts ?? null);
    for (const avatar of view.avatars) {
      if (avatar.present && this.#avatars[avatar.slot] === undefined) {
        const mesh = new AvatarMesh(avatar.slot, this.#sun.light, this.#paint);
        this.#avatars[avatar.slot] = mesh;
        this.#drawing.add(mesh.group);
      }
      const own = avatar.slot === view.self;
      this.#parts.head = !own;
      this.#parts.hands = !own || options.showOwnHands;
      this.#parts.replaced = (own ? options.replacedHands : undefined) ?? NONE_REPLACED;
      this.#avatars[avatar.slot]?.update(avatar, this.#parts, view.poses, this.camera, seconds);
    }
  }

  /** The first body under a point of the pane (-1 to 1, right and up) and its distance in metres, or null. */
  pick(ndcX: number, ndcY: number): Hit | null {
    this.camera.updateWorldMatrix(true, false);
    this.#raycaster.setFromCamera(this.#pointer.set(ndcX, ndcY), this.camera);
    return this.#bodies.pick(this.#raycaster);
  }

  /** Draws the world into the viewport that is set. */
  draw(webgl: WebGLRenderer): void {
    this.#sun.castShadows(webgl, this.#drawing);
    webgl.render(this.#drawing, this.camera);
  }

  dispose(): void {
    this.#bodies.dispose();
    for (const avatar of this.#avatars) avatar?.dispose();
    this.#surroundings.dispose();
    this.#paint.dispose();
    this.#sun.dispose();
  }

  #createBodies(scene: Scene): BodyMeshes {
    const bodies = new BodyMeshes(scene, this.#sun.light, this.#quality);
    this.#drawing.add(bodies.group);
    this.#sun.cover(shadowReach(scene));
    return bodies;
  }
}

/** Metres from the middle within which the bodies of a scene are likely to lie. */
function shadowReach(scene: Scene): number {
  const starts = scene.bodies.map(({ start }) =>
    Math.max(Math.abs(start.position.x), Math.abs(start.position.z)),
  );
  return Math.min(SHADOW_MOST, Math.max(SHADOW_LEAST, Math.max(0, ...starts) + SHADOW_MARGIN));
}
