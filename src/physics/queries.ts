import type * as RAPIER from './engine-types.ts';
import type { BodyId } from '../core/base/ids.ts';
import { NO_BODY } from '../core/base/ids.ts';
import type { ReadonlyVector } from '../core/base/math.ts';
import { copyVector, quaternion, vector } from '../core/base/math.ts';
import { distanceToCollider } from './collider-measures.ts';
import type { ColliderOwners } from './contacts/collider-owners.ts';
import type { Engine } from './engine-types.ts';

/** Searches an engine's world for bodies, as the queries of `Simulation` say. */
export class Queries {
  readonly #engine: Engine;
  readonly #owners: ColliderOwners;
  /** Owners from here on are no bodies. */
  readonly #count: number;
  readonly #ray: RAPIER.Ray;
  readonly #ball: RAPIER.Ball;
  readonly #centre = vector();
  #nearest: BodyId = NO_BODY;
  #nearestDistance = Infinity;

  constructor(engine: Engine, owners: ColliderOwners, count: number) {
    this.#engine = engine;
    this.#owners = owners;
    this.#count = count;
    this.#ray = new engine.Ray(vector(), vector());
    this.#ball = new engine.Ball(1);
  }

  overlapSphere(world: RAPIER.World, position: ReadonlyVector, radius: number): BodyId {
    this.#ball.radius = radius;
    this.#nearest = NO_BODY;
    this.#nearestDistance = Infinity;
    copyVector(position, this.#centre);
    const { EXCLUDE_SENSORS } = this.#engine.QueryFilterFlags;
    world.intersectionsWithShape(position, UNTURNED, this.#ball, this.#onOverlap, EXCLUDE_SENSORS);
    return this.#nearest;
  }

  readonly #onOverlap = (collider: RAPIER.Collider): boolean => {
    const id = this.#bodyOf(collider);
    if (id === NO_BODY) return true;
    const away = distanceToCollider(this.#centre, collider);
    if (away < this.#nearestDistance) {
      this.#nearest = id;
      this.#nearestDistance = away;
    }
    return true;
  };

  castRay(world: RAPIER.World, origin: ReadonlyVector, direction: ReadonlyVector, reach: number): BodyId {
    this.#ray.origin = origin;
    this.#ray.dir = direction;
    const hit = world.castRay(this.#ray, reach, true, this.#engine.QueryFilterFlags.EXCLUDE_SENSORS);
    return hit === null ? NO_BODY : this.#bodyOf(hit.collider);
  }

  castSphere(
    world: RAPIER.World,
    origin: ReadonlyVector,
    direction: ReadonlyVector,
    radius: number,
    reach: number,
  ): BodyId {
    this.#ball.radius = radius;
    // Static bodies do not stop it.
    const { EXCLUDE_FIXED, EXCLUDE_SENSORS } = this.#engine.QueryFilterFlags;
    const flags = EXCLUDE_FIXED | EXCLUDE_SENSORS;
    const hit = world.castShape(origin, UNTURNED, direction, this.#ball, 0, reach, true, flags);
    return hit === null ? NO_BODY : this.#bodyOf(hit.collider);
  }

  #bodyOf(collider: RAPIER.Collider): BodyId {
    if (!this.#owners.has(collider.handle)) return NO_BODY;
    const owner = this.#owners.of(collider.handle);
    return owner < this.#count ? (owner as BodyId) : NO_BODY;
  }
}

const UNTURNED = quaternion();
