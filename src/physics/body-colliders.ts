import type { BodyId } from '../core/base/ids.ts';
import type { Collider, Engine } from './engine-types.ts';

/** Collision groups: membership in the high half, filter in the low half. */
const COLLIDES_WITH_NOTHING = 0;

/** One collider, and what its maker has set. */
type Part = { readonly collider: Collider; readonly groups: number; readonly hooks: number };

/**
 * The colliders of each body: one, or one for each part of a compound. What a carried body and a body that is asked about
 * need of them is taken back to what their maker has set.
 */
export class BodyColliders {
  readonly #filter: number;
  readonly #parts: (readonly Part[])[];
  /** 1 for a body that is asked about. */
  readonly #asked: Uint8Array;
  #askedCount = 0;

  constructor(engine: Engine, count: number) {
    this.#filter = engine.ActiveHooks.FILTER_CONTACT_PAIRS;
    this.#parts = Array.from({ length: count }, () => []);
    this.#asked = new Uint8Array(count);
  }

  /** The number of bodies that are asked about. */
  get askedCount(): number {
    return this.#askedCount;
  }

  /** Gives a body its colliders. */
  set(id: BodyId, colliders: readonly Collider[]): void {
    this.#parts[id] = colliders.map((collider) => ({
      collider,
      groups: collider.collisionGroups(),
      hooks: collider.activeHooks(),
    }));
  }

  /** Sets whether a body touches anything. */
  setTouching(id: BodyId, touches: boolean): void {
    for (const { collider, groups } of this.#parts[id])
      collider.setCollisionGroups(touches ? groups : COLLIDES_WITH_NOTHING);
  }

  /** True if a body is asked about. */
  isAsked(id: BodyId): boolean {
    return this.#asked[id] === 1;
  }

  /** Sets whether the engine asks about the contacts of a body. */
  setAsked(id: BodyId, asks: boolean): void {
    if (this.#parts[id].length === 0 || this.isAsked(id) === asks) return;
    for (const { collider, hooks } of this.#parts[id])
      collider.setActiveHooks(asks ? hooks | this.#filter : hooks);
    this.#asked[id] = asks ? 1 : 0;
    this.#askedCount += asks ? 1 : -1;
  }

  /** The world is another one, which was restored: `renew` gives the new object of a collider. */
  renew(renew: (collider: Collider) => Collider): void {
    this.#askedCount = 0;
    this.#parts.forEach((parts, id) => {
      this.#parts[id] = parts.map((part) => ({ ...part, collider: renew(part.collider) }));
      const isAsked = this.#parts[id].some((part) => part.collider.activeHooks() !== part.hooks);
      this.#asked[id] = isAsked ? 1 : 0;
      this.#askedCount += this.#asked[id];
    });
  }
}
