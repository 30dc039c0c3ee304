import type { BodyId } from '../../base/ids.ts';
import { MAX_LINEAR_SPEED } from '../../base/constants.ts';
import type { Pose } from '../../base/math.ts';
import { addScaled, length, lerpVector, pose, setQuaternion, setVector, vector } from '../../base/math.ts';
import { poseIn, putVector } from '../../base/motion.ts';
import { MOTION, POSE_STRIDE, STRIDE } from '../../base/state.ts';
import type { Bounds, Level } from '../../world/level.ts';
import { isInBounds } from '../../world/level.ts';
import { Carriers } from './carriers.ts';
import { DRIVE_STEPS } from './drive-clock.ts';
import type { Islands } from '../../world/joints/islands.ts';
import type { DrivenBodies } from './driven-bodies.ts';
import type { Ride } from './ride.ts';
import { fade, noRide, rideTo, rideWith } from './ride.ts';

/** [K2.4] Seconds by which the room's time of a state may be off: more than any delay from player to player. */
const MOST_SECONDS = 1;

/**
 * [K2] The bodies of other players that ride on driven bodies. Their states say where they were while the driven bodies
 * stood as their authors saw them; this class moves them along to where the driven bodies are here.
 */
export class Riding {
  readonly carriers: Carriers;
  readonly #driven: DrivenBodies;
  readonly #rate: number;
  readonly #bounds: Bounds;
  readonly #islands: Islands;
  /** The ride of each body of which a state has come; null for others. */
  readonly #rides: (Ride | null)[];

  /** @param islands of the world. @param count ids of bodies in it. */
  constructor(
    driven: DrivenBodies,
    level: Pick<Level, 'driven' | 'rate' | 'bounds'>,
    islands: Islands,
    count: number,
  ) {
    this.#islands = islands;
    this.carriers = new Carriers(driven, level);
    this.#driven = driven;
    this.#rate = level.rate;
    this.#bounds = level.bounds;
    this.#rides = Array.from({ length: count }, () => null);
  }

  /** True if a body rides, or has just got off. */
  has(body: BodyId): boolean {
    return (this.#rides[body]?.share ?? 0) > 0;
  }

  /** A body is moved by this peer, or by a hand, or it rests: it is where it is in the world. */
  forget(body: BodyId): void {
    this.#rides[body] = null;
  }

  /** The level begins anew: nothing rides. */
  clear(): void {
    this.#rides.fill(null);
  }

  /**
   * A state of another player's body: moves it along with what carries it, to where that is in the engine. The lowest part
   * of an island comes first, and says what carries all of it.
   * @param time the room's time in steps, as its author had it with this state.
   * @param motions the state's motion is at `body * STRIDE`.
   */
  bring(body: BodyId, time: number, motions: Float32Array): void {
    const at = body * STRIDE;
    const to = this.#driven.inEngine;
    // [K2.4] Else a player could bring bodies together that it had taken far apart [H9.5].
    if (Math.abs(to - time) > MOST_SECONDS * DRIVE_STEPS * this.#rate) {
      this.forget(body);
      return;
    }
    const was = this.#rides[body];
    const ride = (this.#rides[body] ??= noRide());
    const { position } = poseIn(motions, body, place);
    const v = at + MOTION.linear;
    setVector(linear, motions[v], motions[v + 1], motions[v + 2]);
    const seconds = Math.max(0, Math.min(1, (time - ride.time) / (DRIVE_STEPS * this.#rate)));
    ride.time = time;
    const root = this.#islands.rootOf(body);
    if (root === body) fade(ride, this.carriers.find(time, position, linear), was === null, seconds);
    else rideWith(ride, this.#rides[root]);
    if (ride.share === 0) return;
    const { carrier, share } = ride;
    // Its velocity relative to its carrier then, turned along with the carrier, plus the carrier's velocity here.
    addScaled(linear, this.carriers.speedAt(carrier, time, position, speed), -1, relative);
    this.carriers.turn(carrier, time, to, relative, relative);
    rideTo(this.carriers, ride, time, to, place);
    addScaled(relative, this.carriers.speedAt(carrier, to, position, speed), 1, relative);
    lerpVector(linear, relative, share, linear);
    // A path may lead out of the world, and its far end be faster than any body.
    if (!isInBounds(this.#bounds, place.position) || !(length(linear) <= MAX_LINEAR_SPEED)) {
      this.forget(body);
      return;
    }
    putVector(linear, motions, v);
    const w = at + MOTION.angular;
    setVector(spin, motions[w], motions[w + 1], motions[w + 2]);
    this.carriers.turn(carrier, time, to, spin, relative);
    putVector(lerpVector(spin, relative, share, spin), motions, w);
    putPose(place, motions, at);
  }

  /** Draws a body that rides as much farther as its carrier goes in this tick. @param poses the drawn poses. */
  draw(body: BodyId, poses: Float32Array): void {
    const ride = this.#rides[body];
    if (ride === null || ride.share === 0) return;
    const at = body * POSE_STRIDE;
    setVector(place.position, poses[at], poses[at + 1], poses[at + 2]);
    setQuaternion(place.rotation, poses[at + 3], poses[at + 4], poses[at + 5], poses[at + 6]);
    putPose(rideTo(this.carriers, ride, this.#driven.inEngine, this.#driven.clock.time, place), poses, at);
  }
}

function putPose({ position, rotation }: Readonly<Pose>, out: Float32Array, at: number): void {
  putVector(position, out, at);
  putVector(rotation, out, at + MOTION.rotation);
  out[at + MOTION.rotation + 3] = rotation.w;
}

/** Work space of single calls. */
const place = pose();
const linear = vector();
const speed = vector();
const relative = vector();
const spin = vector();
