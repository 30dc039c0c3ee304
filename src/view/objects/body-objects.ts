import type { BodyId } from '../../core/base/ids.ts';
import type { PeerView } from '../../core/peer/shown/peer-view.ts';
import { capacityOf, templateOf } from '../../core/world/existence.ts';
import type { Level, Template } from '../../core/world/level.ts';
import type { Placeable } from './place.ts';
import { placeBody } from './place.ts';

/** How a project makes and removes its objects for bodies. */
export type BodyMaker<Thing extends Placeable> = {
  /** Makes the object of a body and adds it to the scene; null for a body that is not drawn. */
  create(body: BodyId, template: Template): Thing | null;
  /** The body is no more. */
  remove(object: Thing): void;
};

/** A project's objects for the bodies of a level: one appears with each body, follows it, and goes with it. */
export class BodyObjects<Thing extends Placeable> {
  readonly #level: Level;
  readonly #maker: BodyMaker<Thing>;
  readonly #objects: (Thing | null)[];
  /** For each id which body its object is for; -1 for none. */
  readonly #shown: Int32Array;

  constructor(level: Level, maker: BodyMaker<Thing>) {
    this.#level = level;
    this.#maker = maker;
    this.#objects = Array<null>(capacityOf(level)).fill(null);
    this.#shown = new Int32Array(capacityOf(level)).fill(-1);
  }

  /** The object of a body; null if it has none. */
  objectOf(body: BodyId): Thing | null {
    return this.#objects[body] ?? null;
  }

  /** Shows a view; call it once a frame, after `Peer.view`. */
  update(view: PeerView): void {
    for (let id = 0; id < this.#shown.length; id++) {
      const body = id as BodyId;
      const existence = view.exists[id] === 1 ? view.existence[id] : -1;
      if (existence !== this.#shown[id]) this.#replace(body, existence);
      const object = this.#objects[id];
      if (object !== null) placeBody(view, body, object);
    }
  }

  /** @param existence -1 for no body. */
  #replace(body: BodyId, existence: number): void {
    const former = this.#objects[body];
    if (former !== null) this.#maker.remove(former);
    const template = existence < 0 ? null : templateOf(this.#level, body, existence);
    this.#objects[body] = template === null ? null : this.#maker.create(body, template);
    this.#shown[body] = existence;
  }

  /** Removes all objects. */
  dispose(): void {
    for (let id = 0; id < this.#shown.length; id++) this.#replace(id as BodyId, -1);
  }
}
