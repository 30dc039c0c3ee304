import { MAX_PLAYERS } from '../base/constants.ts';
import type { BodySet } from '../base/body-set.ts';
import type { BodyId } from '../base/ids.ts';
import type { ReadonlyPose, ReadonlyVector } from '../base/math.ts';
import type { ContactGraph } from './contacts.ts';
import type { Joint } from './joints/joint.ts';
import type { Template } from './level.ts';

/** Hands that pull bodies at once, at most: two for each player. */
export const MAX_PULLS = 2 * MAX_PLAYERS;

/** Returns true for two bodies that are not to push each other. */
export type Ignores = (a: BodyId, b: BodyId) => boolean;

/**
 * A physics engine as a peer needs it. Units are metres, seconds and radians; motions are laid out as MOTION in
 * base/state.ts. The engine's own sleeping must be off: a body sleeps and wakes by the calls below, and wakes when a
 * moving body touches it. Implementations make no garbage of their own in any of these calls.
 */
export interface Simulation {
  /** Ids of bodies in the world, 0 to count - 1. There need not be a body of each. */
  readonly count: number;

  /**
   * The bodies that touch, kept up to date by `step`, and those that the level's joints tie together. A body of several
   * parts touches while one of them does.
   */
  readonly contacts: ContactGraph;

  /** The bodies that do not sleep, at any moment. Read only. */
  readonly awake: BodySet;

  /**
   * Advances by one tick: 1 / `rate` of the level, in seconds.
   * @param ignores called for pairs with a body of which `askAbout` was set; ignored pairs are in `contacts`, too.
   */
  step(ignores?: Ignores): void;

  /** Sets whether `step` calls `ignores` for the pairs of a body; false at first. */
  askAbout(body: BodyId, asks: boolean): void;

  /**
   * Puts a body of this template into the world, awake, in place of the one that has the id, if any. The level's joints
   * tie it to the bodies that are there.
   * @param motion has the motion of the body at `body * STRIDE`.
   */
  place(body: BodyId, template: Template, motion: Float32Array): void;

  /**
   * [J4] This joint is in the world from now on, while both of its bodies are, in place of the one with the same number.
   * @param number at first its place among the level's joints.
   * @param joint null: there is none of this number.
   */
  setJoint(number: number, joint: Joint | null): void;

  /** Takes a body out of the world, and its joints with it; what touched it wakes. Without a body of this id nothing happens. */
  remove(body: BodyId): void;

  /**
   * Copies the motion of every body that is not asleep into `out` (STRIDE numbers a body); the numbers of a
   * body that is asleep are left as they are.
   */
  capture(out: Float32Array): void;

  /** Sets a free body's motion from `motion` at `body * STRIDE`, and wakes it. */
  write(body: BodyId, motion: Float32Array): void;

  /**
   * Makes a body kinematic: it goes where `moveHeld` puts it. If it `pushes`, it pushes the bodies that it touches and
   * is in `contacts` (a body in a hand of this peer, [G5]); else it touches nothing.
   */
  hold(body: BodyId, pushes: boolean): void;

  /** Sets where a held body is to be at the end of the next step. */
  moveHeld(body: BodyId, pose: ReadonlyPose): void;

  /** Gives a held body back to the engine, with these velocities. */
  release(body: BodyId, linear: ReadonlyVector, angular: ReadonlyVector): void;

  /**
   * [J3] A hand pulls at a point of a free body in every step from now on, with bounded force and torque, until it pulls
   * to another pose or not at all.
   * @param hand any number from 0 to MAX_PULLS - 1: each pulls one body at a time.
   * @param grip the point, in the body's frame. It stays the same while the hand pulls this body.
   * @param to where that point is to be, and the rotation that the body is to have.
   * @param load the mass that hangs on the hand as a multiple of the body's own, at least 1: a light handle of a heavy
   * thing is pulled as hard as the thing needs.
   */
  pull(hand: number, body: BodyId, grip: ReadonlyVector, to: ReadonlyPose, load: number): void;

  /** The hand pulls nothing any more; does nothing if it did not pull. */
  endPull(hand: number): void;

  /**
   * [K1] Sets where a driven body of the level is to be at the end of the next step.
   * @param driven its index in the level.
   * @param jumps true if it is there at once, and pushes nothing on its way.
   */
  drive(driven: number, to: ReadonlyPose, jumps: boolean): void;

  /** [K1.5] True if a thing that moves, and is no body of the level, touches this body. */
  isCarried(body: BodyId): boolean;

  /**
   * Pushes a free body, and wakes it. The next step moves it with its new velocities.
   * @param impulse newton-seconds.
   * @param at the point of the world where it is pushed, which may turn it; null for its centre of mass.
   * @param mostSpin radians a second: a push at a point that would have the body turn faster does not happen.
   * @returns false if it did not happen.
   */
  push(body: BodyId, impulse: ReadonlyVector, at: ReadonlyVector | null, mostSpin: number): boolean;

  /**
   * Puts a body to sleep, unless something that moves and is no body of the level carries it. Must not be called in a
   * tick in which the body was written: the step would undo it.
   */
  sleep(body: BodyId): void;

  /** Wakes a body; without a body of this id nothing happens. */
  wake(body: BodyId): void;

  /** True if the body sleeps, or if there is no body of this id: if it is not among `awake`. */
  isAsleep(body: BodyId): boolean;

  /**
   * The body nearest to `position` among those that overlap the sphere of `radius` there, or NO_BODY. Distances are to
   * the surface; of bodies around `position`, the one in which it lies deepest is the nearest.
   */
  overlapSphere(position: ReadonlyVector, radius: number): BodyId;

  /**
   * The first body on the ray, or NO_BODY; `direction` is of unit length, `distance` in metres. The floor
   * stops the ray.
   */
  castRay(origin: ReadonlyVector, direction: ReadonlyVector, distance: number): BodyId;

  /** The first body that a sphere of `radius` meets on the way, or NO_BODY. The floor does not stop it. */
  castSphere(origin: ReadonlyVector, direction: ReadonlyVector, radius: number, distance: number): BodyId;

  /** Frees the engine's memory; nothing may be called after it. */
  dispose(): void;
}
