import type { BodyId, HandSide } from '../base/ids.ts';
import { NO_BODY } from '../base/ids.ts';
import { MAX_HOLD_DISTANCE, TICK_SECONDS } from '../base/constants.ts';
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
import { clampHeld } from './clamp-held.ts';
import type { HandInput } from './hand-input.ts';
import { throwVelocity, VelocityEstimate } from './throw.ts';

/** Grip closes above the first and opens below the second, so that a hand at the edge does not flutter. */
const GRIP_CLOSES = 0.75;
const GRIP_OPENS = 0.6;
const TRIGGER_PULLED = 0.5;
const STICK_PUSHED = 0.65;
/** [G1] Metres: what overlaps the hand, and how far it points. */
export const NEAR_RADIUS = 0.05;
const POINT_DISTANCE = 25;
/** [A9] Metres: what another player holds is touched from further off, since that hand moves, too. */
const REACH_RADIUS = 0.15;
/** [G1] Metres: the wider cast, for what is too far off to point at exactly. */
const FAR_RADIUS = 0.25;
const FAR_START = 10;
/** [G1] Ticks for which a body that was pointed at still counts. */
const SELECTION_TICKS = 30;
/** An open hand looks for what it points at in every second tick: an engine takes long to say. */
const LOOK_TICKS = 2;
/** Ticks after letting go in which nothing new is selected, so that a throw does not catch itself. */
const COOLDOWN_TICKS = 14;
/** Ticks after closing in which a closed hand still catches what flies into it. */
const CATCH_TICKS = 15;
/** [G2] Metres from the hand, metres a second, and radians a second. */
const LEAST_DISTANCE = 0.4;
const MOST_DISTANCE = Math.min(20, MAX_HOLD_DISTANCE);
const ZOOM_SPEED = 4;
const TURN_SPEED = Math.PI;
/** [G2] Share of the way to the hand that a snap covers in a tick, and metres a second that it has at the most. */
const SNAP_SHARE = 0.25;
const SNAP_SPEED = 10;

/** What a hand wants done, in one tick. The peer decides whether it may [A6], and does it. */
export type HandCommand =
  | { readonly kind: 'none' }
  | { readonly kind: 'grab'; readonly body: BodyId }
  | { readonly kind: 'release'; readonly thrown: boolean; readonly linear: Vector; readonly angular: Vector };

const NOTHING: HandCommand = { kind: 'none' };

/** One hand of this peer's player: what it points at, what it holds, and where what it holds shall be. */
export class PlayerHand {
  readonly side: HandSide;
  /** The body that a grip would take, or NO_BODY. */
  selected: BodyId = NO_BODY;
  /** The body in the hand, or NO_BODY. */
  held: BodyId = NO_BODY;
  /** [A9] The body in another player's hand that this one, closed, reaches for; or NO_BODY. */
  reach: BodyId = NO_BODY;
  /** Where the held body is in the frame of the hand. */
  readonly offset: Pose = pose();
  /** The same in the tick before. */
  readonly #offsetBefore: Pose = pose();
  /** Where the held body shall be in the world. */
  readonly target: Pose = pose();
  readonly #estimate = new VelocityEstimate();
  #closed = false;
  #closedTicks = 0;
  #selectedTicks = 0;
  #lookedTicks = LOOK_TICKS;
  #cooldown = 0;
  #snapping = false;

  constructor(side: HandSide) {
    this.side = side;
  }

  /**
   * Looks at the input of this tick and says what the hand wants. `time` in ticks is the moment at which the
   * input was sampled. It may want the body in the other hand: that is passing.
   * @param isTaken true for a body in another player's hand.
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
    const catches = this.#closedTicks <= CATCH_TICKS && this.#isNear(input, simulation);
    return closedNow || catches ? { kind: 'grab', body: this.selected } : NOTHING;
  }

  /** The peer has given the body to this hand; `at` is where it is. */
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

  /** [A9] True if the hand touches a body that another player held. */
  touches(body: BodyId, input: Readonly<HandInput>, simulation: Simulation): boolean {
    return simulation.overlapSphere(input.pose.position, REACH_RADIUS) === body;
  }

  /** Where the held body is when the hand is there: as the hand carries it, but inside the world. */
  placeHeld(hand: Readonly<Pose>, out: Pose): void {
    composePose(hand, this.offset, out);
    clampHeld(out);
  }

  /** The body is no longer in this hand, whatever the reason. */
  drop(): void {
    this.held = NO_BODY;
    this.selected = NO_BODY;
    this.#cooldown = COOLDOWN_TICKS;
  }

  #letGo(input: Readonly<HandInput>, time: number): HandCommand {
    this.placeHeld(input.pose, this.target);
    copyPose(this.offset, this.#offsetBefore);
    this.#learn(input, time);
    const command = throwVelocity(this.#estimate, length(this.offset.position), input.tracked);
    return { kind: 'release', ...command };
  }

  #moveHeld(input: Readonly<HandInput>, time: number): void {
    copyPose(this.offset, this.#offsetBefore);
    if (input.trigger > TRIGGER_PULLED) this.#snapping = true;
    const { position, rotation } = this.offset;
    if (this.#snapping) snap(position);
    if (Math.abs(input.stick.y) > STICK_PUSHED || Math.abs(input.stick.x) > STICK_PUSHED)
      this.#snapping = false;
    this.#zoom(input.stick.y);
    if (Math.abs(input.stick.x) > 0.1) turn(input, rotation);
    this.placeHeld(input.pose, this.target);
    this.#learn(input, time);
  }

  /** Tells the estimate of every place where the hand was seen, and of the body there. */
  #learn({ pose: hand, trail }: Readonly<HandInput>, time: number): void {
    if (trail.broken) this.#estimate.restart();
    if (trail.count === 0) this.#estimate.add(time, this.target, hand);
    for (let i = 0; i < trail.count; i++) {
      const seen = trail.poses[i];
      lerpPose(this.#offsetBefore, this.offset, (i + 1) / trail.count, offsetThen);
      clampHeld(composePose(seen, offsetThen, bodyThen));
      this.#estimate.add(time - trail.before[i], bodyThen, seen);
    }
  }

  /** [G2] Moves the held body along the line from the hand; one beyond the limits comes to them smoothly. */
  #zoom(stick: number): void {
    const position = this.offset.position;
    const far = length(position);
    if (Math.abs(stick) < 0.1 || far < 1e-3) return;
    const [least, most] = [Math.min(LEAST_DISTANCE, far), Math.max(MOST_DISTANCE, far)];
    const to = Math.max(least, Math.min(most, far + stick * ZOOM_SPEED * TICK_SECONDS));
    setVector(position, (position.x * to) / far, (position.y * to) / far, (position.z * to) / far);
  }

  /** [G1] */
  #select(input: Readonly<HandInput>, simulation: Simulation, isTaken: (body: BodyId) => boolean): void {
    this.#selectedTicks++;
    if (this.#cooldown > 0) this.#cooldown--;
    const may = input.tracked && !input.busy;
    this.#lookedTicks++;
    const looks = may && this.#cooldown === 0 && (this.#closed || this.#lookedTicks >= LOOK_TICKS);
    if (looks) this.#lookedTicks = 0;
    const found = looks ? pointedAt(input, simulation, isTaken) : NO_BODY;
    if (found !== NO_BODY) {
      this.selected = found;
      this.#selectedTicks = 0;
    } else if (this.#selectedTicks > SELECTION_TICKS || !may) this.selected = NO_BODY;
  }

  #isNear(input: Readonly<HandInput>, simulation: Simulation): boolean {
    return simulation.overlapSphere(input.pose.position, NEAR_RADIUS) === this.selected;
  }
}

/** [G1] The body that a hand would take: the one it touches, else the one it points at. */
function pointedAt(
  input: Readonly<HandInput>,
  simulation: Simulation,
  isTaken: (body: BodyId) => boolean,
): BodyId {
  const { position, rotation } = input.pose;
  // The wider one first: mostly there is nothing, and to ask an engine takes long.
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
function snap(position: Vector): void {
  const way = Math.sqrt(position.x ** 2 + position.y ** 2 + (position.z + LEAST_DISTANCE) ** 2);
  if (way < 1e-4) return;
  const share = Math.min(SNAP_SHARE, (SNAP_SPEED * TICK_SECONDS) / way);
  position.x -= position.x * share;
  position.y -= position.y * share;
  position.z -= (position.z + LEAST_DISTANCE) * share;
}

/** [G2] Turns a held body about the world's upright, or about the hand's right where `tilt` is set. */
function turn(input: Readonly<HandInput>, rotation: Quaternion): void {
  const angle = input.stick.x * TURN_SPEED * TICK_SECONDS;
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
