import type { BodyId, HandSide } from '../base/ids.ts';
import { NO_BODY } from '../base/ids.ts';
import { MAX_HOLD_DISTANCE, ticksIn } from '../base/constants.ts';
import type { Pose, Quaternion, Vector } from '../base/math.ts';
import {
  addScaled,
  composePose,
  copyPose,
  fromAxisAngle,
  length,
  lerpPose,
  multiply,
  pose,
  quaternion,
  relativePose,
  rotate,
  setVector,
  vector,
} from '../base/math.ts';
import type { Simulation } from '../world/simulation.ts';
import type { HeldBounds } from './clamp-held.ts';
import type { HandInput } from './hand-input.ts';
import { throwVelocity, VelocityEstimate } from './throw.ts';

/** Grip, 0 to 1, above which a hand closes. */
const GRIP_CLOSES = 0.75;
/** Grip below which it opens: lower, so that a hand at the edge does not flutter. */
const GRIP_OPENS = 0.6;
/** Trigger, 0 to 1, above which a held body snaps to the hand. */
const TRIGGER_PULLED = 0.5;
/** Deflection of the stick, 0 to 1, above which the snap ends. */
const STICK_PUSHED = 0.65;
/** [G1] Metres around the hand within which it touches a body. */
export const NEAR_RADIUS = 0.05;
/** [G1] Metres: how far the hand points. */
const POINT_DISTANCE = 25;
/** [A9] Metres around the hand within which it touches a body that another player holds: that hand moves, too. */
const REACH_RADIUS = 0.15;
/** [G1] Metres: the radius of the wider cast, for bodies that are too far away to point at exactly. */
const FAR_RADIUS = 0.25;
/** [G1] Metres from the hand at which that cast begins. */
const FAR_START = 10;
/** [G1] Seconds for which a body stays selected after the hand has pointed at it. */
const SELECTION_SECONDS = 0.5;
/** Seconds between two casts of an open hand: they cost an engine much. */
const LOOK_SECONDS = 1 / 30;
/** Seconds after letting go in which nothing is selected, so that a hand does not catch its own throw. */
const COOLDOWN_SECONDS = 0.23;
/** Seconds after closing in which a closed hand still catches a body that flies into it. */
const CATCH_SECONDS = 0.25;
/** [G2] Metres from the hand between which the stick moves a held body. */
const LEAST_DISTANCE = 0.4;
const MOST_DISTANCE = Math.min(20, MAX_HOLD_DISTANCE);
/** [G2] Metres a second at which the stick moves it, fully pushed. */
const ZOOM_SPEED = 4;
/** [G2] Radians a second at which the stick turns it, fully pushed. */
const TURN_SPEED = Math.PI;
/** [G2] Share of the way to the hand that a snap leaves in a 60th of a second. */
const SNAP_LEAVES = 0.75;
/** [G2] Metres a second: the fastest snap. */
const SNAP_SPEED = 10;

/**
 * The command of a hand in one tick. The peer decides whether it may [A6], and carries it out. Velocities are in metres
 * and radians a second, in objects of the command's own.
 */
export type HandCommand =
  | { readonly kind: 'none' }
  | { readonly kind: 'grab'; readonly body: BodyId }
  | { readonly kind: 'release'; readonly thrown: boolean; readonly linear: Vector; readonly angular: Vector };

const NOTHING: HandCommand = { kind: 'none' };

/** One hand of this peer's player: the body that it points at, the one that it holds, and where that one is to be. */
export class PlayerHand {
  readonly side: HandSide;
  /** The body that a grip would take, or NO_BODY. */
  selected: BodyId = NO_BODY;
  /** The body in the hand, or NO_BODY. */
  held: BodyId = NO_BODY;
  /** [A9] The body in another player's hand that this one, closed, reaches for; or NO_BODY. */
  reach: BodyId = NO_BODY;
  /** The pose of the held body in the frame of the hand. */
  readonly offset: Pose = pose();
  /** The same in the tick before. */
  readonly #offsetBefore: Pose = pose();
  /** The pose that the held body is to have in the world. */
  readonly target: Pose = pose();
  readonly #estimate: VelocityEstimate;
  /** Ticks a second. */
  readonly #rate: number;
  readonly #bounds: HeldBounds;
  #closed = false;
  #closedTicks = 0;
  #selectedTicks = 0;
  #lookedTicks = Infinity;
  #cooldown = 0;
  #snapping = false;

  /**
   * @param bounds of the bodies that it may hold.
   * @param rate ticks a second.
   */
  constructor(side: HandSide, bounds: HeldBounds, rate: number) {
    this.side = side;
    this.#rate = rate;
    this.#estimate = new VelocityEstimate(rate);
    this.#bounds = bounds;
  }

  /**
   * Updates the hand with the input of this tick.
   * @param time the moment at which the input was sampled, in ticks.
   * @param isTaken true for a body in another player's hand.
   * @returns the command that follows. It may be to grab the body in the other hand: that is passing.
   */
  update(
    input: Readonly<HandInput>,
    time: number,
    simulation: Simulation,
    isTaken: (body: BodyId) => boolean = isNever,
  ): HandCommand {
    const wasClosed = this.#closed;
    this.#closed = input.tracked && input.grip > (wasClosed ? GRIP_OPENS : GRIP_CLOSES);
    this.#closedTicks = this.#closed ? this.#closedTicks + 1 : 0;
    if (!this.#closed) this.reach = NO_BODY;
    if (this.held !== NO_BODY) {
      if (!this.#closed) return this.#letGo(input, time);
      this.#moveHeld(input, time);
      return NOTHING;
    }
    if (this.reach !== NO_BODY) return NOTHING;
    this.#select(input, simulation, isTaken);
    if (!this.#closed || this.selected === NO_BODY) return NOTHING;
    const closedNow = !wasClosed;
    const catches = this.#closedTicks <= this.#ticks(CATCH_SECONDS) && this.#isNear(input, simulation);
    return closedNow || catches ? { kind: 'grab', body: this.selected } : NOTHING;
  }

  /**
   * The peer has put a body into this hand.
   * @param at the body's pose in the world; copied.
   * @param time as in `update`.
   */
  hold(body: BodyId, at: Readonly<Pose>, input: Readonly<HandInput>, time: number): void {
    this.held = body;
    this.selected = NO_BODY;
    this.reach = NO_BODY;
    this.#snapping = false;
    relativePose(input.pose, at, this.offset);
    copyPose(at, this.target);
    this.#estimate.restart();
    const { trail } = input;
    this.#estimate.add(trail.count === 0 ? time : time - trail.before[trail.count - 1], at, input.pose);
  }

  /** [A9] Another player holds the body: this hand reaches for it until it opens. */
  reachFor(body: BodyId): void {
    this.reach = body;
    this.selected = NO_BODY;
  }

  /** [A9] True if the hand touches the body, within the wider radius for bodies of other players' hands. */
  touches(body: BodyId, input: Readonly<HandInput>, simulation: Simulation): boolean {
    return simulation.overlapSphere(input.pose.position, REACH_RADIUS) === body;
  }

  /** Fills `out` with the pose of the held body for a pose of the hand, clamped to the world. */
  placeHeld(hand: Readonly<Pose>, out: Pose): void {
    composePose(hand, this.offset, out);
    this.#bounds.clamp(this.held, out);
  }

  /** The body is no longer in this hand, whatever the reason. */
  drop(): void {
    this.held = NO_BODY;
    this.selected = NO_BODY;
    this.#cooldown = this.#ticks(COOLDOWN_SECONDS);
  }

  #ticks(seconds: number): number {
    return ticksIn(seconds, this.#rate);
  }

  #letGo(input: Readonly<HandInput>, time: number): HandCommand {
    this.placeHeld(input.pose, this.target);
    copyPose(this.offset, this.#offsetBefore);
    this.#addSamples(input, time);
    const command = throwVelocity(this.#estimate, length(this.offset.position), input.tracked);
    return { kind: 'release', ...command };
  }

  #moveHeld(input: Readonly<HandInput>, time: number): void {
    copyPose(this.offset, this.#offsetBefore);
    if (input.trigger > TRIGGER_PULLED) this.#snapping = true;
    const { position, rotation } = this.offset;
    if (this.#snapping) snap(position, this.#rate);
    if (Math.abs(input.stick.y) > STICK_PUSHED || Math.abs(input.stick.x) > STICK_PUSHED)
      this.#snapping = false;
    this.#zoom(input.stick.y);
    if (Math.abs(input.stick.x) > 0.1) turn(input, 1 / this.#rate, rotation);
    this.placeHeld(input.pose, this.target);
    this.#addSamples(input, time);
  }

  /** Adds every pose of the hand's trail to the estimate, with the body's pose there. */
  #addSamples({ pose: hand, trail }: Readonly<HandInput>, time: number): void {
    if (trail.broken) this.#estimate.restart();
    if (trail.count === 0) this.#estimate.add(time, this.target, hand);
    for (let i = 0; i < trail.count; i++) {
      const seen = trail.poses[i];
      lerpPose(this.#offsetBefore, this.offset, (i + 1) / trail.count, offsetThen);
      this.#bounds.clamp(this.held, composePose(seen, offsetThen, bodyThen));
      this.#estimate.add(time - trail.before[i], bodyThen, seen);
    }
  }

  /** [G2] Moves the held body along the line from the hand. One beyond the limits comes within them smoothly. */
  #zoom(stick: number): void {
    const position = this.offset.position;
    const far = length(position);
    if (Math.abs(stick) < 0.1 || far < 1e-3) return;
    const [least, most] = [Math.min(LEAST_DISTANCE, far), Math.max(MOST_DISTANCE, far)];
    const to = Math.max(least, Math.min(most, far + stick * ZOOM_SPEED * (1 / this.#rate)));
    setVector(position, (position.x * to) / far, (position.y * to) / far, (position.z * to) / far);
  }

  /** [G1] Finds the body that a grip would take, and keeps it for SELECTION_SECONDS. */
  #select(input: Readonly<HandInput>, simulation: Simulation, isTaken: (body: BodyId) => boolean): void {
    this.#selectedTicks++;
    if (this.#cooldown > 0) this.#cooldown--;
    const may = input.tracked && !input.busy;
    this.#lookedTicks++;
    const looks =
      may && this.#cooldown === 0 && (this.#closed || this.#lookedTicks >= this.#ticks(LOOK_SECONDS));
    if (looks) this.#lookedTicks = 0;
    const found = looks ? pointedAt(input, simulation, isTaken) : NO_BODY;
    if (found !== NO_BODY) {
      this.selected = found;
      this.#selectedTicks = 0;
    } else if (this.#selectedTicks > this.#ticks(SELECTION_SECONDS) || !may) this.selected = NO_BODY;
  }

  #isNear(input: Readonly<HandInput>, simulation: Simulation): boolean {
    return simulation.overlapSphere(input.pose.position, NEAR_RADIUS) === this.selected;
  }
}

/** [G1] The body that a hand touches, else the one that it points at, or NO_BODY. */
function pointedAt(
  input: Readonly<HandInput>,
  simulation: Simulation,
  isTaken: (body: BodyId) => boolean,
): BodyId {
  const { position, rotation } = input.pose;
  // The wider sphere first: mostly it is empty, and each query costs an engine much.
  const offered = simulation.overlapSphere(position, REACH_RADIUS);
  if (offered !== NO_BODY) {
    const near = simulation.overlapSphere(position, NEAR_RADIUS);
    if (near !== NO_BODY) return near;
    if (isTaken(offered)) return offered;
  }
  rotate(rotation, FORWARD, direction);
  const exact = simulation.castRay(position, direction, POINT_DISTANCE);
  if (exact !== NO_BODY) return exact;
  addScaled(position, direction, FAR_START, origin);
  return simulation.castSphere(origin, direction, FAR_RADIUS, POINT_DISTANCE - FAR_START);
}

/** [G2] Brings a held body nearer to its place before the hand. */
function snap(position: Vector, rate: number): void {
  const way = Math.sqrt(position.x ** 2 + position.y ** 2 + (position.z + LEAST_DISTANCE) ** 2);
  if (way < 1e-4) return;
  const share = Math.min(1 - SNAP_LEAVES ** (60 / rate), (SNAP_SPEED * (1 / rate)) / way);
  position.x -= position.x * share;
  position.y -= position.y * share;
  position.z -= (position.z + LEAST_DISTANCE) * share;
}

/**
 * [G2] Turns a held body about the world's vertical axis, or about the hand's own right if `tilt` is set.
 * @param seconds of this tick.
 */
function turn(input: Readonly<HandInput>, seconds: number, rotation: Quaternion): void {
  const angle = input.stick.x * TURN_SPEED * seconds;
  const axis = input.tilt ? RIGHTWARD : inHandFrame(input, UPWARD);
  multiply(fromAxisAngle(axis, angle, turned), rotation, rotation);
}

function inHandFrame(input: Readonly<HandInput>, v: Readonly<Vector>): Vector {
  const { x, y, z, w } = input.pose.rotation;
  inverse.x = -x;
  inverse.y = -y;
  inverse.z = -z;
  inverse.w = w;
  return rotate(inverse, v, axisInHand);
}

const isNever = (): boolean => false;
const FORWARD = vector(0, 0, -1);
const UPWARD = vector(0, 1, 0);
const RIGHTWARD = vector(1, 0, 0);
const offsetThen = pose();
const bodyThen = pose();
const direction = vector();
const origin = vector();
const axisInHand = vector();
const inverse = quaternion();
const turned = quaternion();
