import { MAX_TICK_RATE, MIN_TICK_RATE, SOLVER_SUBSTEPS } from '../../core/base/constants.ts';
import type { BodyId } from '../../core/base/ids.ts';
import type { ReadonlyVector } from '../../core/base/math.ts';
import { copyQuaternion, copyVector, length, quaternion, vector } from '../../core/base/math.ts';
import type { DrivenBody } from '../../core/world/driven/driven.ts';
import type { Bounds, Level, LevelBody, Spawning, StaticBody, Template } from '../../core/world/level.ts';
import { STANDARD_MATERIAL } from '../../core/world/level.ts';
import { faultsOfLevel } from '../../core/world/level-faults.ts';
import type { Simulation } from '../../core/world/simulation.ts';
import type { Collider, ContactForceEvent, Engine, PhysicsHooks, RigidBody, World } from '../engine-types.ts';
import type { LentWorld } from './lent-world.ts';
import { solidCollidersOf, surfacing } from './lent-world.ts';
import { RapierSimulation } from '../rapier-simulation.ts';
import { shapeOfColliders, staticShapeOf } from './read-shapes.ts';

/** The bounds of an adopted level that does not say others: what falls off something at height 0 is put back [R4]. */
const ADOPTED_BOUNDS: Bounds = { across: 63, low: -20, high: 61 };
/** Seconds by which the world's timestep may differ from a tick of a whole rate: the engine keeps 32 bits of it. */
const TIMESTEP_SLACK = 1e-7;
/** Nobody spawns anything. */
const NO_SPAWNING: Spawning = { perPlayer: 0, slots: 0, perSecond: 0, templates: [] };

/** The options of `adopt`. */
export type AdoptOptions = {
  /** The id of the level; 'adopted' if not given. */
  readonly id?: string;
  /** The box that shared bodies stay in [R4]; 63 m across, from -20 to 61 m, if not given. */
  readonly bounds?: Bounds;
  /**
   * Changes what was read of a body: who may take it, when it rests, its rolling friction. Its shape, mass, friction,
   * restitution and damping stay the engine's, whatever is returned.
   * @param index of the body in `bodies`.
   */
  readonly template?: (read: Template, index: number) => Template;
  /** The level's statics; read from the world's fixed colliders if not given. */
  readonly statics?: readonly StaticBody[];
  /** [S5] The limits of spawning; nobody spawns anything if not given. */
  readonly spawning?: Spawning;
  /** [K1] Lifts, carousels and belts that all pages have at the same place; they come into the world while it is shared. None if not given. */
  readonly driven?: readonly DrivenBody[];
  /** The project's own hooks. They are asked about all pairs but those that peers ignore [A10]. */
  readonly hooks?: PhysicsHooks;
  /**
   * Called during a tick for each collision event of the world, as EventQueue.drainCollisionEvents would. The tick goes on
   * if it throws, and the error is thrown again afterwards, uncaught. So it is for `onContactForce`.
   */
  readonly onCollision?: (first: number, second: number, started: boolean) => void;
  /** Called during a tick for each contact force event of the world, which is valid only during the call. */
  readonly onContactForce?: (event: ContactForceEvent) => void;
};

/** A project's world as a peer needs it. */
export type Adopted<Body> = {
  /** The same on every peer whose world was made in the same way. */
  readonly level: Level;
  /** For one peer. `dispose` leaves the world to the project. */
  readonly simulation: Simulation;
  /** The engine's body of an id, spawned ones included; null if there is none now. */
  readonly bodyOf: (id: BodyId) => Body | null;
};

/** A project's world that can be simulated by one peer after another. */
export type LendableWorld<Body> = {
  readonly level: Level;
  /** A simulation for the next peer; the one before must have been disposed. Bodies begin where the level has them. */
  readonly simulate: () => Simulation;
  /** The engine's body of an id, spawned ones included; null if there is none now. */
  readonly bodyOf: (id: BodyId) => Body | null;
};

/**
 * Shares bodies of a project's own world. The body `bodies[i]` has the id i. From now on the peer steps the world, once in
 * each tick; the project calls `world.step` no more. The world's timestep sets the rate: 1/60 s is 60 ticks a second
 * [B2.1]. All else in the world stays the project's own, on each peer by itself: sensors, kinematic platforms, bodies that
 * are not in `bodies`, and joints between those. What never moves becomes a part of the level, so that peers with another
 * world find out by its hash [B1].
 * @param engine the module of Rapier that made the world, 0.19 to 0.21, of any build, after its `init`.
 * @param bodies dynamic, enabled, at rest; with boxes, balls, capsules, cylinders, cones and convex hulls. They stay where
 * they are.
 * @throws RangeError with a sentence for everything that can't be shared, and for each fault of the level [B1.4].
 */
export function adopt<Body extends RigidBody>(
  engine: Engine,
  world: World,
  bodies: readonly Body[],
  options: AdoptOptions = {},
): Adopted<Body> {
  const { level, simulate, bodyOf } = shareWorld(engine, world, bodies, options);
  return { level, simulation: simulate(), bodyOf };
}

/**
 * The same for one peer after another: a member of a room begins anew when it comes back after it was missed.
 * @throws RangeError as `adopt` does.
 */
export function shareWorld<Body extends RigidBody>(
  engine: Engine,
  world: World,
  bodies: readonly Body[],
  options: AdoptOptions = {},
): LendableWorld<Body> {
  const fixed = fixedCollidersOf(world);
  const level = readLevel(engine, world, bodies, fixed, options);
  const lent = {
    world,
    bodies,
    statics: fixed,
    hooks: options.hooks ?? null,
    onCollision: options.onCollision === undefined ? null : surfacing(options.onCollision),
    onContactForce: options.onContactForce === undefined ? null : surfacing(options.onContactForce),
  };
  let simulation: RapierSimulation | null = null;
  return {
    level,
    simulate: () => {
      // Its peer may not be disposed yet: a world has one simulation at a time.
      simulation?.dispose();
      if (simulation !== null) putBack(level, lent, simulation);
      simulation = new RapierSimulation(engine, level, lent);
      return simulation;
    },
    // The world made every body of it, so all are of the project's own class.
    bodyOf: (id) => (simulation?.bodyOf(id) ?? null) as Body | null,
  };
}

/** The shared bodies are where they began, at rest; what was spawned among them is no more. */
function putBack(level: Level, { world, bodies }: LentWorld, former: RapierSimulation): void {
  for (let id = bodies.length; id < former.count; id++) {
    const spawned = former.bodyOf(id as BodyId);
    if (spawned !== null) world.removeRigidBody(spawned);
  }
  bodies.forEach((body, i) => {
    const { position, rotation } = level.bodies[i].start;
    body.setEnabled(true);
    body.setTranslation(position, true);
    body.setRotation(rotation, true);
    body.setLinvel(ZERO, true);
    body.setAngvel(ZERO, true);
  });
}

const ZERO = vector();

function readLevel(
  engine: Engine,
  world: World,
  bodies: readonly RigidBody[],
  fixed: readonly Collider[],
  options: AdoptOptions,
): Level {
  const faults = [
    ...faultsOfWorld(world),
    ...bodies.flatMap((body, i) => faultsOfBody(engine, world, body, i)),
  ];
  if (new Set(bodies.map(({ handle }) => handle)).size < bodies.length)
    faults.push('A body is in the list twice.');
  refuse(faults);
  const { spawning = NO_SPAWNING } = options;
  const templates = new Map<string, Template>();
  const levelBodies = bodies.map((body, i): LevelBody => {
    const read = readTemplate(engine, body);
    const template = { ...(options.template?.(read, i) ?? read), ...ofEngine(read) };
    const key = JSON.stringify(template);
    templates.set(key, templates.get(key) ?? template);
    return { template: templates.get(key) ?? template, start: startOf(body) };
  });
  const level: Level = {
    id: options.id ?? 'adopted',
    rate: rateOf(world),
    gravity: -world.gravity.y,
    bounds: options.bounds ?? ADOPTED_BOUNDS,
    templates: [...new Set([...templates.values(), ...spawning.templates])],
    bodies: levelBodies,
    statics: options.statics ?? fixed.map((collider, i) => readStatic(engine, collider, i)),
    joints: [],
    spawning,
    ...(options.driven === undefined ? {} : { driven: options.driven }),
  };
  refuse(faultsOfLevel(level));
  return level;
}

function refuse(faults: readonly string[]): void {
  if (faults.length > 0) throw new RangeError(faults.join('\n'));
}

/** [B2.1] Ticks a second, by the world's timestep. */
function rateOf({ timestep }: World): number {
  return Math.round(1 / timestep);
}

function faultsOfWorld(world: World): string[] {
  const { gravity, timestep, numSolverIterations } = world;
  const faults: string[] = [];
  const rate = rateOf(world);
  const isRate = rate >= MIN_TICK_RATE && rate <= MAX_TICK_RATE;
  if (!isRate || Math.abs(timestep - 1 / rate) > TIMESTEP_SLACK)
    faults.push(
      `The world's timestep is ${timestep} s; peers tick ${MIN_TICK_RATE} to ${MAX_TICK_RATE} times a second, a whole number.`,
    );
  if (numSolverIterations !== SOLVER_SUBSTEPS)
    faults.push(
      `The world has ${numSolverIterations} solver iterations; flight is predicted with ${SOLVER_SUBSTEPS}.`,
    );
  if (gravity.y > 0) faults.push("The world's gravity points up; it must point down, or be 0.");
  if (gravity.x !== 0 || gravity.z !== 0) faults.push("The world's gravity does not point down, along -y.");
  return faults;
}

function faultsOfBody(engine: Engine, world: World, body: RigidBody, index: number): string[] {
  const name = `Body ${index}`;
  if (!body.isValid()) return [`${name} is no more in the world.`];
  if (!body.isDynamic())
    return [`${name} is fixed or kinematic: such a body can't be shared yet. It may stay in the world.`];
  const faults: string[] = [];
  const say = (fault: string): void => void faults.push(`${name}: ${fault}`);
  if (!body.isEnabled()) say('It is disabled.');
  if (body.gravityScale() !== 1) say("Its gravity scale is not 1: such a body can't be shared yet.");
  if (length(body.linvel()) > 0 || length(body.angvel()) > 0) say('It moves: a level begins at rest.');
  if (hasJoint(world, body))
    say(
      "It has a joint: bodies with joints can't be shared yet. Leave it out of the bodies, or make the machine as a level with joints.",
    );
  const colliders = solidCollidersOf(body);
  body.recomputeMassPropertiesFromColliders();
  if (colliders.length === 0) say(body.numColliders() > 0 ? 'It has sensors only.' : 'It has no collider.');
  else if (!(body.mass() > 0)) say('It has no mass: no collider of it has a density or a mass.');
  else if (shapeOfColliders(engine, colliders) === null)
    say('A shape can be a box, a ball, a capsule, a cylinder, a cone or a convex hull, without round edges.');
  for (const collider of colliders) {
    if (collider.friction() !== colliders[0].friction()) say('Its colliders differ in friction.');
    if (collider.restitution() !== colliders[0].restitution()) say('Its colliders differ in restitution.');
  }
  return faults;
}

function hasJoint({ impulseJoints, multibodyJoints }: World, { handle }: RigidBody): boolean {
  const joints: number[] = [];
  const add = (joint: number): void => void joints.push(joint);
  impulseJoints.forEachJointHandleAttachedToRigidBody(handle, add);
  multibodyJoints.forEachJointHandleAttachedToRigidBody(handle, add);
  return joints.length > 0;
}

function readTemplate(engine: Engine, body: RigidBody): Template {
  const colliders = solidCollidersOf(body);
  const shape = shapeOfColliders(engine, colliders);
  if (shape === null) throw new RangeError('The body has a shape that no level has.');
  return {
    ...STANDARD_MATERIAL,
    shape,
    mass: body.mass(),
    friction: colliders[0].friction(),
    restitution: colliders[0].restitution(),
    linearDamping: body.linearDamping(),
    angularDamping: body.angularDamping(),
  };
}

/** The part of a template that the engine's body has. */
function ofEngine({ shape, mass, friction, restitution, linearDamping, angularDamping }: Template) {
  return { shape, mass, friction, restitution, linearDamping, angularDamping };
}

function startOf(body: RigidBody): LevelBody['start'] {
  return {
    position: copyVector(body.translation(), vector()),
    rotation: copyQuaternion(body.rotation(), quaternion()),
  };
}

/** The colliders of a world that never move: those of fixed bodies, and of none. */
function fixedCollidersOf(world: World): Collider[] {
  const fixed: Collider[] = [];
  world.forEachCollider((collider) => {
    if (collider.isSensor() || !collider.isEnabled()) return;
    if (collider.parent()?.isFixed() ?? true) fixed.push(collider);
  });
  return fixed;
}

function readStatic(engine: Engine, collider: Collider, index: number): StaticBody {
  const shape = staticShapeOf(engine, collider.shape);
  if (shape === null)
    throw new RangeError(
      `The fixed collider ${index} has a shape that no level has; say in \`statics\` what never moves.`,
    );
  const [position, rotation] = [collider.translation(), collider.rotation()];
  return {
    shape,
    pose: { position: plain(position), rotation: copyQuaternion(rotation, quaternion()) },
    friction: collider.friction(),
    restitution: collider.restitution(),
  };
}

function plain(from: ReadonlyVector): StaticBody['pose']['position'] {
  return copyVector(from, vector());
}
