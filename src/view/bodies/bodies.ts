import type { InstancedMesh, Raycaster } from 'three';
import { Group } from 'three';
import type { BodyId } from '../../core/base/ids.ts';
import type { PeerView } from '../../core/peer/shown/peer-view.ts';
import type { Level } from '../../core/world/level.ts';
import { floorOf } from '../../core/world/level.ts';
import { PresentBodies } from './present-bodies.ts';
import type { Hit } from './body-instances.ts';
import { BodyInstances } from './body-instances.ts';
import { BODY_ATTRIBUTES, bodyMaterial, markMaterial } from './body-materials.ts';
import { paint } from '../light/colour.ts';
import { ColourFlow } from './colour-flow.ts';
import { contactGeometry, contactMaterial } from './contact-shadows.ts';
import type { Light } from '../light/daylight.ts';
import { CASTS_SHADOW } from '../light/daylight.ts';
import { Emphasis } from './emphasis.ts';
import { Ghosts } from './ghosts.ts';
import { markAtlas } from '../mark-atlas.ts';
import type { Quality } from '../quality.ts';
import type { Detail } from './shapes.ts';
import { markGeometry, shadowGeometry, shapeGeometry } from './shapes.ts';
import { SLOT_LOOKS, WHITE } from '../slots.ts';

/** Scenes with more bodies are drawn with coarser edges. */
const FINE_UP_TO = 400;

const PALETTE = SLOT_LOOKS.map(({ colour }) => paint(colour));

/** Everything that is drawn for the bodies of one scene. A new scene needs a new object. */
export class BodyMeshes {
  readonly group = new Group();
  readonly #scene: Level;
  readonly #present: PresentBodies;
  readonly #instances: BodyInstances;
  readonly #solid: readonly InstancedMesh[];
  readonly #materials: ReturnType<typeof createMaterials>;
  readonly #flow: ColourFlow;
  readonly #emphasis: Emphasis;
  #ghosts: Ghosts | null = null;

  constructor(scene: Level, light: Light, quality: Quality) {
    const { bodies } = scene;
    const detail: Detail = quality === 'modest' || bodies.length > FINE_UP_TO ? 'coarse' : 'fine';
    this.#scene = scene;
    this.#materials = createMaterials(light);
    this.#present = new PresentBodies(scene);
    this.#instances = new BodyInstances(this.#present, BODY_ATTRIBUTES);
    const { body, mark, contact } = this.#materials;
    this.#solid = this.#instances.addMeshes((shape) => shapeGeometry(shape, detail), body);
    for (const mesh of this.#instances.addMeshes(shadowGeometry, body)) mesh.layers.set(CASTS_SHADOW);
    const marks = this.#instances.addMeshes((shape) => markGeometry(shape, detail), mark);
    for (const mesh of marks) mesh.renderOrder = 4;
    const hasFloor = floorOf(scene) !== null;
    for (const mesh of this.#instances.addMeshes(contactGeometry, contact)) {
      mesh.renderOrder = 3;
      mesh.visible = hasFloor;
    }
    this.#flow = new ColourFlow(this.#present.count, PALETTE, paint(WHITE));
    this.#instances.set('tint', this.#flow.tint);
    this.#emphasis = new Emphasis(this.#present);
    this.group.add(this.#instances.group, this.#emphasis.group);
  }

  /**
   * Draws the bodies of `view`, and those of `ghosts` as outlines.
   * @param seconds since the last update.
   * @param glow the body that invites to be taken, or NO_BODY.
   */
  update(view: PeerView, seconds: number, highlight: BodyId, ghosts: PeerView | null, glow: BodyId): void {
    const isOther = this.#present.update(view);
    if (isOther) {
      this.#instances.recount();
      for (const body of this.#present.begun) this.#flow.begin(body);
    }
    this.#instances.place(view.poses);
    if (this.#flow.advance(view, seconds) || isOther) {
      this.#instances.set('tint', this.#flow.tint);
      this.#instances.set('mark', this.#flow.mark);
    }
    if (this.#emphasis.update(view, highlight, seconds, glow) || isOther)
      this.#instances.set('lift', this.#emphasis.lift);
    this.#updateGhosts(view, ghosts);
  }

  pick(raycaster: Raycaster): Hit | null {
    return this.#instances.pick(raycaster, this.#solid);
  }

  dispose(): void {
    this.#instances.dispose();
    for (const material of Object.values(this.#materials)) material.dispose();
    this.#emphasis.dispose();
    this.#ghosts?.dispose();
  }

  #updateGhosts(view: PeerView, ghosts: PeerView | null): void {
    if (ghosts !== null && this.#ghosts === null) {
      this.#ghosts = new Ghosts(this.#scene);
      this.group.add(this.#ghosts.group);
    }
    if (this.#ghosts === null) return;
    this.#ghosts.group.visible = ghosts !== null;
    if (ghosts !== null) this.#ghosts.place(ghosts, view.poses);
  }
}

function createMaterials(light: Light) {
  return { body: bodyMaterial(light), mark: markMaterial(markAtlas()), contact: contactMaterial() };
}
