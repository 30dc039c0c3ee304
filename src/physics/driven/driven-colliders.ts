import type { ReadonlyPose, ReadonlyVector } from '../../core/base/math.ts';
import { addScaled, copyVector, vector } from '../../core/base/math.ts';
import type { DrivenBody } from '../../core/world/driven/driven.ts';
import type { Engine, RigidBody, World } from '../engine-types.ts';
import { collidersOf } from '../shapes.ts';

/** [K1] A level's driven bodies in the engine: kinematic, so that nothing pushes them. */
export class DrivenColliders {
  readonly #driven: readonly DrivenBody[];
  /** Seconds of a step. */
  readonly #seconds: number;
  #bodies: RigidBody[];
  readonly #beside = vector();

  /** @param rate ticks a second. */
  constructor(engine: Engine, world: World, driven: readonly DrivenBody[], rate: number) {
    this.#driven = driven;
    this.#seconds = 1 / rate;
    this.#bodies = driven.map((body) => create(engine, world, body));
  }

  /**
   * Sets where a driven body is to be at the end of the next step.
   * @param jumps true if it is there at once, and pushes nothing on its way.
   */
  move(index: number, { position, rotation }: ReadonlyPose, jumps: boolean): void {
    const body = this.#bodies[index];
    const { path } = this.#driven[index];
    if (path.kind === 'belt') this.#runBelt(body, position, path.velocity);
    else if (jumps) {
      body.setTranslation(position, true);
      body.setRotation(rotation, true);
    } else {
      body.setNextKinematicTranslation(position);
      body.setNextKinematicRotation(rotation);
    }
  }

  /** A belt moves on by a step, which carries what lies on it, and begins the next step where it was. */
  #runBelt(body: RigidBody, position: ReadonlyVector, velocity: ReadonlyVector): void {
    body.setTranslation(copyVector(position, this.#beside), false);
    body.setNextKinematicTranslation(addScaled(position, velocity, this.#seconds, this.#beside));
  }

  /** Takes the bodies out of a world that goes on without them. */
  remove(world: World): void {
    for (const body of this.#bodies) world.removeRigidBody(body);
    this.#bodies = [];
  }

  /** The world is another one, which was restored. */
  renew(world: World): void {
    this.#bodies = this.#bodies.map(({ handle }) => world.getRigidBody(handle));
  }
}

function create(
  engine: Engine,
  world: World,
  { shape, start, friction, restitution }: DrivenBody,
): RigidBody {
  const { position, rotation } = start;
  const body = world.createRigidBody(
    engine.RigidBodyDesc.kinematicPositionBased()
      .setTranslation(position.x, position.y, position.z)
      .setRotation(rotation),
  );
  for (const part of collidersOf(engine, shape))
    world.createCollider(part.setFriction(friction).setRestitution(restitution), body);
  return body;
}
