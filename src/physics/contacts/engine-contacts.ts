import type { BodyId } from '../../core/base/ids.ts';
import { ContactGraph } from '../../core/world/contacts.ts';
import { Others } from '../lent/others.ts';
import { ColliderOwners } from './collider-owners.ts';

/** The contacts in an engine's world, kept up to date by the engine's collision events. */
export class EngineContacts {
  /** The bodies that touch each other. */
  readonly graph: ContactGraph;
  /** Something that never moves is an owner from the number of ids on. */
  readonly owners = new ColliderOwners();
  readonly others: Others;
  readonly #count: number;
  /** For each body how many things that never move it touches. */
  readonly #grounds: Uint16Array;

  /**
   * @param count ids of bodies in the world.
   * @param isMoving true for the handle of a collider that moves, though it is no body's.
   */
  constructor(count: number, isMoving: (handle: number) => boolean) {
    this.#count = count;
    this.graph = new ContactGraph(count);
    this.others = new Others(isMoving);
    this.#grounds = new Uint16Array(count);
  }

  /** True if a body touches anything but bodies that joints tie it to. */
  touchesAnything(id: BodyId): boolean {
    return this.#grounds[id] > 0 || this.graph.touchesUntied(id) || this.others.touch(id);
  }

  /** Notes that two colliders, by their handles, have come to touch, or have parted. */
  note(first: number, second: number, started: boolean): void {
    const { owners } = this;
    if (!owners.has(first)) return this.#noteOther(second, first, started);
    if (!owners.has(second)) return this.#noteOther(first, second, started);
    const a = owners.of(first);
    const b = owners.of(second);
    if (!owners.note(first, second, started)) return;
    if (a < this.#count && b < this.#count) {
      if (started) this.graph.add(a as BodyId, b as BodyId);
      else this.graph.remove(a as BodyId, b as BodyId);
    } else if (Math.min(a, b) < this.#count) this.#noteGround(Math.min(a, b) as BodyId, started);
  }

  #noteGround(id: BodyId, started: boolean): void {
    if (started) {
      this.#grounds[id]++;
      this.graph.land(id);
    } else if (this.#grounds[id] > 0) this.#grounds[id]--;
  }

  #noteOther(own: number, other: number, started: boolean): void {
    const body = this.owners.has(own) ? this.owners.of(own) : this.#count;
    if (body < this.#count) this.others.note(body as BodyId, other, started);
  }

  /** A body has left the world: it touches nothing, and its colliders are nobody's. */
  remove(id: BodyId): void {
    this.#grounds[id] = 0;
    this.graph.clear(id);
    this.others.clear(id);
    this.owners.remove(id);
  }
}
