/**
 * The part of Rapier's interface that this module uses, of versions 0.19 to 0.21 and of every build. The types of two
 * builds are never equal to TypeScript, because their classes have private members; all of them fit these.
 */

type Vector = { x: number; y: number; z: number };
type Rotation = { x: number; y: number; z: number; w: number };
/** The engine's number for a thing. */
type Handle = number;

/** A vector in the engine's own memory. */
export interface RawVector {
  x: number;
  y: number;
  z: number;
  free(): void;
}

/** Bodies by their handles, without the wrapper's objects. */
export interface RawRigidBodySet {
  rbIsSleeping(handle: Handle): boolean;
  rbWakeUp(handle: Handle): void;
  rbSetTranslation(handle: Handle, x: number, y: number, z: number, wakeUp: boolean): void;
  rbSetRotation(handle: Handle, x: number, y: number, z: number, w: number, wakeUp: boolean): void;
  rbSetLinvel(handle: Handle, linear: RawVector, wakeUp: boolean): void;
  rbSetAngvel(handle: Handle, angular: RawVector, wakeUp: boolean): void;
  rbApplyTorqueImpulse(handle: Handle, impulse: RawVector, wakeUp: boolean): void;
  /** Up to 0.19 these return the numbers as a vector in the engine's memory; from 0.20 on they fill `out`. */
  rbTranslation(handle: Handle, out: Float32Array): unknown;
  rbRotation(handle: Handle, out: Float32Array): unknown;
  rbLinvel(handle: Handle, out: Float32Array): unknown;
  rbAngvel(handle: Handle, out: Float32Array): unknown;
}

/** A shape of any type; it has the fields of its type. */
export interface ColliderShape {
  /** One of the engine's ShapeType. */
  readonly type: number;
  readonly halfExtents?: Vector;
  readonly radius?: number;
  readonly halfHeight?: number;
  readonly vertices?: Float32Array;
  readonly indices?: Uint32Array | null;
  readonly nrows?: number;
  readonly ncols?: number;
  readonly heights?: Float32Array;
  readonly scale?: Vector;
}

export interface Ball {
  readonly type: number;
  radius: number;
}

export interface Ray {
  origin: Vector;
  dir: Vector;
}

export interface Collider {
  readonly handle: Handle;
  readonly shape: ColliderShape;
  parent(): RigidBody | null;
  isEnabled(): boolean;
  isSensor(): boolean;
  translation(): Vector;
  rotation(): Rotation;
  translationWrtParent(): Vector | null;
  rotationWrtParent(): Rotation | null;
  friction(): number;
  restitution(): number;
  volume(): number;
  setMass(mass: number): void;
  collisionGroups(): number;
  setCollisionGroups(groups: number): void;
  activeHooks(): number;
  setActiveHooks(hooks: number): void;
  activeEvents(): number;
  setActiveEvents(events: number): void;
  activeCollisionTypes(): number;
  setActiveCollisionTypes(types: number): void;
  projectPoint(point: Vector, solid: boolean): { readonly point: Vector; readonly isInside: boolean } | null;
}

export interface RigidBody {
  readonly handle: Handle;
  isValid(): boolean;
  isDynamic(): boolean;
  isFixed(): boolean;
  isMoving(): boolean;
  isEnabled(): boolean;
  setEnabled(enabled: boolean): void;
  setBodyType(type: number, wakeUp: boolean): void;
  numColliders(): number;
  collider(index: number): Collider;
  translation(target?: Vector): Vector;
  rotation(target?: Rotation): Rotation;
  linvel(): Vector;
  angvel(): Vector;
  mass(): number;
  /** Kilograms times square metres, about the body's principal axes. */
  principalInertia(): Vector;
  recomputeMassPropertiesFromColliders(): void;
  linearDamping(): number;
  angularDamping(): number;
  gravityScale(): number;
  setGravityScale(factor: number, wakeUp: boolean): void;
  setTranslation(position: Vector, wakeUp: boolean): void;
  setRotation(rotation: Rotation, wakeUp: boolean): void;
  setLinvel(velocity: Vector, wakeUp: boolean): void;
  setAngvel(velocity: Vector, wakeUp: boolean): void;
  setNextKinematicTranslation(position: Vector): void;
  setNextKinematicRotation(rotation: Rotation): void;
  applyImpulse(impulse: Vector, wakeUp: boolean): void;
  applyImpulseAtPoint(impulse: Vector, point: Vector, wakeUp: boolean): void;
  sleep(): void;
  wakeUp(): void;
}

export interface RigidBodyDesc {
  setTranslation(x: number, y: number, z: number): RigidBodyDesc;
  setRotation(rotation: Rotation): RigidBodyDesc;
  setLinearDamping(damping: number): RigidBodyDesc;
  setAngularDamping(damping: number): RigidBodyDesc;
  setCanSleep(can: boolean): RigidBodyDesc;
  setSoftCcdPrediction(distance: number): RigidBodyDesc;
}

export interface ColliderDesc {
  setTranslation(x: number, y: number, z: number): ColliderDesc;
  setRotation(rotation: Rotation): ColliderDesc;
  setMass(mass: number): ColliderDesc;
  setFriction(friction: number): ColliderDesc;
  setRestitution(restitution: number): ColliderDesc;
  setActiveEvents(events: number): ColliderDesc;
  setActiveCollisionTypes(types: number): ColliderDesc;
}

/** The joints of one kind. */
interface JointSet {
  forEachJointHandleAttachedToRigidBody(body: Handle, f: (joint: Handle) => void): void;
  remove(joint: Handle, wakeUp: boolean): void;
}

/** Joints by their handles, without the wrapper's objects. */
interface RawImpulseJointSet {
  jointConfigureMotor(
    joint: Handle,
    axis: number,
    place: number,
    speed: number,
    stiffness: number,
    damping: number,
  ): void;
  jointConfigureMotorModel(joint: Handle, axis: number, model: number): void;
  jointConfigureMotorVelocity(joint: Handle, axis: number, speed: number, factor: number): void;
  jointSetLimits(joint: Handle, axis: number, least: number, most: number): void;
  /** From 0.20 on. */
  jointSetMotorMaxForce?(joint: Handle, axis: number, force: number): void;
}

/** The description of a joint, as the engine's functions make it. */
export interface JointData {
  anchor1: Vector;
  anchor2: Vector;
}

export interface ImpulseJoint {
  readonly handle: Handle;
  setContactsEnabled(enabled: boolean): void;
}

/** A joint as versions from 0.20 on have it. */
export interface FramedJoint extends ImpulseJoint {
  setLocalFrame1(position: Vector, rotation: Rotation): void;
  setLocalFrame2(position: Vector, rotation: Rotation): void;
}

/** Valid only while the engine calls with it. */
export interface ContactForceEvent {
  collider1(): Handle;
  collider2(): Handle;
  totalForceMagnitude(): number;
  maxForceMagnitude(): number;
}

export interface EventQueue {
  drainCollisionEvents(f: (first: Handle, second: Handle, started: boolean) => void): void;
  drainContactForceEvents(f: (event: ContactForceEvent) => void): void;
  free(): void;
}

/** Decides which pairs of colliders the engine looks at. */
export interface PhysicsHooks {
  /** @returns SolverFlags, or null for a pair that has no contacts at all. */
  filterContactPair(first: Handle, second: Handle, firstBody: Handle, secondBody: Handle): number | null;
  filterIntersectionPair(first: Handle, second: Handle, firstBody: Handle, secondBody: Handle): boolean;
}

export interface World {
  gravity: Vector;
  timestep: number;
  numSolverIterations: number;
  readonly bodies: { readonly raw: RawRigidBodySet };
  numInternalPgsIterations: number;
  readonly impulseJoints: JointSet & { readonly raw: RawImpulseJointSet };

  readonly multibodyJoints: JointSet;
  createRigidBody(description: RigidBodyDesc): RigidBody;
  createCollider(description: ColliderDesc, parent?: RigidBody): Collider;
  createImpulseJoint(data: JointData, a: RigidBody, b: RigidBody, wakeUp: boolean): ImpulseJoint;
  removeRigidBody(body: RigidBody): void;
  getRigidBody(handle: Handle): RigidBody;
  /** Null if there is none, though the engine's own types don't say so. */
  getCollider(handle: Handle): Collider | null;
  forEachCollider(f: (collider: Collider) => void): void;
  contactPairsWith(collider: Collider, f: (other: Collider) => void): void;
  contactPair(
    first: Collider,
    second: Collider,
    f: (manifold: { numSolverContacts(): number }, flipped: boolean) => void,
  ): void;
  step(events?: EventQueue, hooks?: PhysicsHooks): void;
  castRay(ray: Ray, reach: number, solid: boolean, flags?: number): { readonly collider: Collider } | null;
  castShape(
    position: Vector,
    rotation: Rotation,
    velocity: Vector,
    shape: ColliderShape,
    targetDistance: number,
    reach: number,
    stopAtPenetration: boolean,
    flags?: number,
  ): { readonly collider: Collider } | null;
  intersectionsWithShape(
    position: Vector,
    rotation: Rotation,
    shape: ColliderShape,
    callback: (collider: Collider) => boolean,
    flags?: number,
  ): void;
  takeSnapshot(): Uint8Array;
  free(): void;
}

/** The module that a build of Rapier exports by default, after its `init`. */
export interface Engine {
  readonly World: {
    new (gravity: Vector): World;
    restoreSnapshot(snapshot: Uint8Array): World;
  };
  readonly EventQueue: new (autoDrain: boolean) => EventQueue;
  readonly Ray: new (origin: Vector, direction: Vector) => Ray;
  readonly Ball: new (radius: number) => Ball;
  readonly RigidBodyDesc: {
    dynamic(): RigidBodyDesc;
    fixed(): RigidBodyDesc;
    kinematicPositionBased(): RigidBodyDesc;
  };
  readonly ColliderDesc: {
    cuboid(x: number, y: number, z: number): ColliderDesc;
    ball(radius: number): ColliderDesc;
    capsule(halfHeight: number, radius: number): ColliderDesc;
    cylinder(halfHeight: number, radius: number): ColliderDesc;
    cone(halfHeight: number, radius: number): ColliderDesc;
    convexHull(points: Float32Array): ColliderDesc | null;
    trimesh(vertices: Float32Array, indices: Uint32Array, flags?: number): ColliderDesc;
    heightfield(
      rows: number,
      columns: number,
      heights: Float32Array,
      scale: Vector,
      flags?: number,
    ): ColliderDesc;
  };
  readonly JointData: {
    fixed(a: Vector, turnedA: Rotation, b: Vector, turnedB: Rotation): JointData;
    revolute(a: Vector, b: Vector, axis: Vector): JointData;
    prismatic(a: Vector, b: Vector, axis: Vector): JointData;
    spherical(a: Vector, b: Vector): JointData;
    rope(length: number, a: Vector, b: Vector): JointData;
    spring(length: number, stiffness: number, damping: number, a: Vector, b: Vector): JointData;
    /** @param locked a bit for each locked axis. */
    generic(a: Vector, b: Vector, axis: Vector, locked: number): JointData;
  };
  readonly MotorModel: { readonly ForceBased: number };
  readonly VectorOps: { intoRaw(vector: Vector): RawVector };
  readonly ActiveHooks: { readonly NONE: number; readonly FILTER_CONTACT_PAIRS: number };
  readonly ActiveEvents: { readonly COLLISION_EVENTS: number };
  readonly ActiveCollisionTypes: { readonly DEFAULT: number; readonly KINEMATIC_FIXED: number };
  readonly SolverFlags: { readonly EMPTY: number; readonly COMPUTE_IMPULSE: number };
  readonly QueryFilterFlags: { readonly EXCLUDE_FIXED: number; readonly EXCLUDE_SENSORS: number };
  readonly RigidBodyType: { readonly Dynamic: number; readonly KinematicPositionBased: number };
  readonly TriMeshFlags: { readonly FIX_INTERNAL_EDGES: number };
  readonly HeightFieldFlags: { readonly FIX_INTERNAL_EDGES: number };
  readonly ShapeType: {
    readonly Ball: number;
    readonly Cuboid: number;
    readonly Capsule: number;
    readonly Cylinder: number;
    readonly Cone: number;
    readonly ConvexPolyhedron: number;
    readonly TriMesh: number;
    readonly HeightField: number;
  };
  version(): string;
}
