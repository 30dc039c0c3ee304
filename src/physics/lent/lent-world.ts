import type * as RAPIER from '../engine-types.ts';
import type { Engine } from '../engine-types.ts';

/** A project's own world, which keeps it, and the parts of it that a simulation uses. */
export type LentWorld = {
  readonly world: RAPIER.World;
  /** The bodies of the level, in its order. */
  readonly bodies: readonly RAPIER.RigidBody[];
  /** The colliders that never move. */
  readonly statics: readonly RAPIER.Collider[];
  /** The project's own hooks, called for pairs that `ignores` does not decide. */
  readonly hooks: RAPIER.PhysicsHooks | null;
  /** Called in each step for every collision event. */
  readonly onCollision: ((first: number, second: number, started: boolean) => void) | null;
  /** Called in each step for every contact force event, which is valid only during the call. */
  readonly onContactForce: ((event: RAPIER.ContactForceEvent) => void) | null;
};

/**
 * Wraps a callback of a project. The engine calls it from WebAssembly, which swallows errors. So an error of the callback
 * is thrown again after the tick, where nobody catches it: a page's console shows it, and a process of Node ends.
 */
export function surfacing<A, B = void, C = void>(
  call: (a: A, b: B, c: C) => void,
): (a: A, b: B, c: C) => void {
  return (a, b, c) => {
    try {
      call(a, b, c);
    } catch (error) {
      queueMicrotask(() => {
        throw error;
      });
    }
  };
}

/** The colliders of a body that push. */
export function solidCollidersOf(body: RAPIER.RigidBody): RAPIER.Collider[] {
  return Array.from({ length: body.numColliders() }, (_, i) => body.collider(i)).filter(
    (collider) => !collider.isSensor(),
  );
}

/**
 * The hooks of a simulation.
 * @param lent is asked about pairs of which `areIgnored` says no.
 */
export function hooksOf(
  { SolverFlags }: Engine,
  areIgnored: (first: number, second: number) => boolean,
  lent: RAPIER.PhysicsHooks | null,
): RAPIER.PhysicsHooks {
  return {
    filterContactPair: (a, b, bodyA, bodyB) => {
      if (areIgnored(a, b)) return SolverFlags.EMPTY;
      return lent === null ? SolverFlags.COMPUTE_IMPULSE : lent.filterContactPair(a, b, bodyA, bodyB);
    },
    filterIntersectionPair: (a, b, bodyA, bodyB) => lent?.filterIntersectionPair(a, b, bodyA, bodyB) ?? true,
  };
}

/** Calls `visit` for the handles of all colliders that touch one, as of the last step. */
export function eachTouching(
  world: RAPIER.World,
  collider: RAPIER.Collider,
  visit: (handle: number) => void,
): void {
  const others: RAPIER.Collider[] = [];
  world.contactPairsWith(collider, (other: RAPIER.Collider | null) => {
    // Until its next step the engine still has contacts of colliders that were taken out, and gives null for them.
    if (other !== null) others.push(other);
  });
  for (const other of others) {
    let touches = false;
    world.contactPair(collider, other, (manifold) => (touches ||= manifold.numSolverContacts() > 0));
    if (touches) visit(other.handle);
  }
}
