import type { BodyId } from '../../base/ids.ts';
import { isInHand, KEPT, NO_SLOT, NOT_HELD } from '../../base/ids.ts';
import { MAX_KEPT } from '../../base/constants.ts';
import type { ReadonlyVector } from '../../base/math.ts';
import { vector } from '../../base/math.ts';
import { putVector } from '../../base/motion.ts';
import { MOTION, STRIDE } from '../../base/state.ts';
import { endKeeping, gather, isAllowed, isAnothers, keep, keptBy, take } from '../../world/authority.ts';
import { holdOfIsland } from '../../world/record.ts';
import { logEvent } from '../diagnostics/log-event.ts';
import { ignoreLateClaims } from '../policy/host-policy.ts';
import type { PeerState } from '../peer-state.ts';
import type { ActionRefusal, BodyAction } from './body-action.ts';
import { copyOf, isWithinBounds, MOST_SPEED, MOST_WAY } from './body-action.ts';

/** Actions that a tick carries out, for each body of the world: more are refused. */
const MOST_A_BODY = 8;

/** [A13] The actions that this peer's owner has asked for since the last tick. */
export class Actions {
  readonly #waiting: BodyAction[] = [];

  /**
   * Keeps an action until the next tick.
   * @returns why it is refused; null if nothing speaks against it yet.
   */
  ask(peer: PeerState, action: BodyAction): ActionRefusal | null {
    const { count } = peer.bodies;
    if (!Number.isInteger(action.body) || action.body < 0 || action.body >= count) return 'no body';
    if (!isWithinBounds(action, peer.bodies.level.bounds)) return 'bounds';
    if (this.#waiting.length >= count * MOST_A_BODY) return 'too many';
    const refusal = this.#willKeep(action) ? null : refusalOf(peer, action);
    if (refusal === null) this.#waiting.push(copyOf(action));
    return refusal;
  }

  /** True if an action ends a keeping that was asked for since the last tick, and has not begun. */
  #willKeep(action: BodyAction): boolean {
    if (action.kind !== 'keep' || action.on) return false;
    return this.#waiting.some((other) => other.kind === 'keep' && other.on && other.body === action.body);
  }

  /** Call between the write-back and the step: carries out what was asked for. A refusal is logged. */
  run(peer: PeerState): void {
    if (this.#waiting.length === 0) return;
    for (const action of this.#waiting) {
      const refusal = refusalOf(peer, action) ?? carryOut(peer, action);
      if (refusal !== null) logEvent(peer, 'deny', 'A13', action.body, peer.self);
    }
    this.#waiting.length = 0;
  }

  /** The level begins anew: what was asked for in the old one does not happen. */
  clear(): void {
    this.#waiting.length = 0;
  }
}

/** Why this player may not do that now; null if it may. */
function refusalOf(peer: PeerState, action: BodyAction): ActionRefusal | null {
  const { bodies, self, policy } = peer;
  const { body } = action;
  const { authority, hold } = bodies.records;
  if (!bodies.has(body)) return 'no body';
  const right = action.kind === 'keep' ? 'keep' : 'take';
  const begins = right === 'keep' ? action.kind === 'keep' && action.on : authority[body] !== self;
  if (begins && !isAllowed(bodies.records, body, right, policy.isHost)) return 'not allowed';
  const isTaken = authority[body] !== self && isAnothers(bodies.records, body, self);
  if (action.kind === 'keep' && !action.on) return hold[body] === KEPT && !isTaken ? null : 'not kept';
  // [A12.1] A body that another player has and does not hold may be kept, as it may be grabbed; [A13.6] the host may take it.
  const mayTake = policy.isHost || action.kind === 'keep';
  if (isTaken && (!mayTake || holdOfIsland(bodies.records, body) !== NOT_HELD)) return 'taken';
  // [J2.6] One part alone would tear the joints.
  if (action.kind === 'teleport' && bodies.records.islands.isJointed[body] === 1) return 'jointed';
  if (action.kind === 'teleport' && !policy.isHost && isFar(bodies.motion, action)) return 'bounds';
  if ((action.kind === 'impulse' || action.kind === 'force') && isTooHard(peer, action)) return 'bounds';
  if (action.kind === 'keep' && hold[body] !== KEPT && keptBy(bodies.records, self) >= MAX_KEPT)
    return 'too many';
  // A body that is still in another player's hand here is kinematic.
  return isInHand(hold[body]) || bodies.kinematic.has(body) ? 'in hand' : null;
}

function carryOut(peer: PeerState, action: BodyAction): ActionRefusal | null {
  const { bodies } = peer;
  const { body } = action;
  if (action.kind === 'keep') {
    keepOrNot(peer, body, action.on);
    return null;
  }
  takeFirst(peer, body);
  switch (action.kind) {
    case 'take':
      return null;
    case 'impulse':
    case 'force':
      return push(peer, body, action.push, action.kind === 'force' ? 1 / peer.rate : 1, action.at);
    case 'velocity':
      awaken(peer, body);
      putVector(action.linear, bodies.motion, body * STRIDE + MOTION.linear);
      putVector(action.angular, bodies.motion, body * STRIDE + MOTION.angular);
      bodies.engine.write(body);
      return null;
    case 'teleport':
      return teleport(peer, action);
  }
}

/** [A12] Keeps a body, or keeps it no more. */
export function keepOrNot(peer: PeerState, body: BodyId, on: boolean): void {
  const { records } = peer.bodies;
  const { isHost } = peer.policy;
  if ((records.hold[body] === KEPT) === on) return;
  if (on) {
    const has = records.authority[body];
    if (isHost && has !== NO_SLOT && has !== peer.self) ignoreLateClaims(peer, body);
    keep(records, body, peer.self, isHost);
    peer.bodies.startSimulating(body);
  } else endKeeping(records, body, peer.self, isHost);
  logEvent(peer, on ? 'keep' : 'release', 'A12', body, peer.self);
}

/** [A13.1] A body under nobody comes under this player; [A13.6] under the host also another player's. */
function takeFirst(peer: PeerState, body: BodyId): void {
  const { records } = peer.bodies;
  const has = records.authority[body];
  if (has === peer.self) return;
  if (has === NO_SLOT) take(records, body, peer.self, peer.policy.isHost);
  else {
    const rests = records.resting[body];
    ignoreLateClaims(peer, body);
    gather(records, body, peer.self);
    records.resting[body] = rests;
    // [A14.1] It was thrown by another player, and does not strike for the host.
    for (const part of records.islands.parts[body]) peer.thrownUntil[part] = 0;
  }
  peer.bodies.startSimulating(body);
  logEvent(peer, 'take', 'A13', body, peer.self);
}

/** A body is to move: its record follows the engine, and what it carries may lose its footing. */
function awaken({ bodies }: PeerState, body: BodyId): void {
  bodies.rest.disturb(body);
  bodies.rest.disturbTouching(body);
  if (bodies.records.resting[body] === 1) bodies.rest.wakeRecord(body);
}

function push(
  peer: PeerState,
  body: BodyId,
  by: ReadonlyVector,
  share: number,
  at: ReadonlyVector | null,
): ActionRefusal | null {
  const { bodies } = peer;
  const { motion } = bodies;
  const v = body * STRIDE + MOTION.linear;
  const template = bodies.templates[body];
  if (template === null) return 'no body';
  const { mass } = template;
  impulse.x = by.x * share;
  impulse.y = by.y * share;
  impulse.z = by.z * share;
  was.x = motion[v];
  was.y = motion[v + 1];
  was.z = motion[v + 2];
  // After the step the engine's motion replaces this one, which is for further pushes of this tick.
  motion[v] += impulse.x / mass;
  motion[v + 1] += impulse.y / mass;
  motion[v + 2] += impulse.z / mass;
  // It would turn too fast.
  if (!bodies.simulation.push(body, impulse, at, MOST_SPEED)) {
    putVector(was, motion, v);
    return 'bounds';
  }
  awaken(peer, body);
  return null;
}

function teleport(peer: PeerState, { body, pose }: Teleport): null {
  const { bodies } = peer;
  const { motion } = bodies;
  const at = body * STRIDE;
  const { position, rotation } = pose;
  awaken(peer, body);
  putVector(position, motion, at);
  putVector(rotation, motion, at + MOTION.rotation);
  motion[at + MOTION.rotation + 3] = rotation.w;
  motion.fill(0, at + MOTION.linear, at + STRIDE);
  bodies.engine.write(body);
  bodies.drawn.corrections.forget(body);
  return null;
}

/** [A13.5] True if a push would bring a body to more than MOST_SPEED. */
function isTooHard(peer: PeerState, { kind, body, push: by }: Push): boolean {
  const { motion, templates } = peer.bodies;
  const perMass = (kind === 'force' ? 1 / peer.rate : 1) / (templates[body]?.mass ?? 1);
  const v = body * STRIDE + MOTION.linear;
  const x = motion[v] + by.x * perMass;
  const y = motion[v + 1] + by.y * perMass;
  const z = motion[v + 2] + by.z * perMass;
  return x * x + y * y + z * z > MOST_SPEED * MOST_SPEED;
}

/** [A13.5] True if a teleport is farther than a guest's may be. */
function isFar(motion: Float32Array, { body, pose: { position } }: Teleport): boolean {
  const at = body * STRIDE;
  const x = position.x - motion[at];
  const y = position.y - motion[at + 1];
  const z = position.z - motion[at + 2];
  return x * x + y * y + z * z > MOST_WAY * MOST_WAY;
}

type Teleport = Extract<BodyAction, { kind: 'teleport' }>;
type Push = Extract<BodyAction, { kind: 'impulse' | 'force' }>;

/** Work space of push. */
const impulse = vector();
const was = vector();
