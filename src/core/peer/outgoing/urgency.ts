import { PRIORITY_BASE, PRIORITY_THROWN, ticksIn } from '../../base/constants.ts';
import type { BodyId } from '../../base/ids.ts';
import { isInHand, NO_SLOT } from '../../base/ids.ts';
import { STATE, STRIDE } from '../../base/state.ts';

import type { PeerState } from '../peer-state.ts';
import type { BodyVersions } from './body-versions.ts';

/**
 * A body that is slower than both of these on every axis creeps: 2 cm/s and 0.1 rad/s, in steps of the velocity grids.
 * In WAITING_SECONDS it moves a millimetre, and receivers move it on by the velocity that they have.
 */
const CREEPING_SPEED = 20;
const CREEPING_TURN = 100;
/** Seconds after which a creeping body, or one without a newer relayed state, is sent all the same: packets get lost. */
const WAITING_SECONDS = 0.07;
/**
 * Bits of the steps of velocity, 1/8 m/s, that raise a jolt by one. All numbers are whole: until the compiler has
 * optimised the loop, a fraction would be garbage for every body in every tick.
 */
const ONCE_BITS = 7;
/** A change of angular velocity needs 2 ** TURN_BITS times as many steps. */
const TURN_BITS = 3;
/** The greatest jolt, in units of priority: a stop from 2.5 m/s. */
export const MOST_JOLT = 20;
/** Numbers of a body's velocities, linear and angular. */
const VELOCITIES = STRIDE - STATE.linear;

/**
 * [W5] The growth of each body's priority: thrown bodies come first, then jolts. A jolt is the change of a body's
 * velocities in a tick other than by falling: a receiver, whose engine moves the body on, cannot foresee it. A body
 * that is merely fast is not urgent.
 */
export class Urgency {
  readonly #peer: PeerState;
  /** WAITING_SECONDS in ticks. */
  readonly #waitingTicks: number;
  /** The growth of each body's priority unless it was thrown: the same for all receivers. */
  readonly #growth: Int32Array;
  /** The velocities at the last update, VELOCITIES numbers a body. */
  readonly #velocities: Int32Array;
  /** The tick of each relayed state at the last update. */
  readonly #ticks: Int32Array;

  /** @param peer the sender. */
  constructor(peer: PeerState) {
    const { count } = peer.bodies;
    this.#peer = peer;
    this.#waitingTicks = ticksIn(WAITING_SECONDS, peer.rate);
    this.#growth = new Int32Array(count).fill(PRIORITY_BASE);
    this.#velocities = new Int32Array(count * VELOCITIES);
    this.#ticks = new Int32Array(count).fill(-1);
  }

  /** Updates the growth of the bodies that move; call it once a tick, for all receivers, after the versions. */
  update({ moving, movingCount }: Pick<BodyVersions, 'moving' | 'movingCount'>): void {
    const { bodies, relay, policy, self } = this.#peer;
    const { authority, state } = bodies.records;
    for (let i = 0; i < movingCount; i++) {
      const body = moving[i];
      const has = authority[body];
      const isRelayed = policy.isHost && has !== NO_SLOT && has !== self;
      const isOld = isRelayed && relay.tick[body] === this.#ticks[body];
      this.#ticks[body] = relay.tick[body];
      const jolt = this.#measure(isRelayed ? relay.state : state, body);
      this.#growth[body] = this.#growthOf(body as BodyId, jolt, isOld);
    }
  }

  /** @param isOld true for a relayed state that was there at the last update. */
  #growthOf(body: BodyId, jolt: number, isOld: boolean): number {
    const motion = statesOfMoving(this.#peer, body);
    if (motion === null) return PRIORITY_BASE;
    const waits = isOld || (jolt === 0 && creeps(motion, body));
    if (!waits) return PRIORITY_BASE + jolt;
    return (this.#peer.tick + body) % this.#waitingTicks === 0 ? PRIORITY_BASE : 0;
  }

  /** The jolt of a body since the last update. A relayed velocity changes only when a new state arrives. */
  #measure(state: Int32Array, body: number): number {
    const was = this.#velocities;
    const from = body * STRIDE + STATE.linear;
    const to = body * VELOCITIES;
    const { fall } = this.#peer.flights.lawOf(body as BodyId, this.#peer.bodies.records.existence[body]);
    let moved = 0;
    let turned = 0;
    for (let i = 0; i < VELOCITIES; i++) {
      const change = state[from + i] - was[to + i];
      was[to + i] = state[from + i];
      if (i === 1) moved += Math.min(Math.abs(change), Math.abs(change + fall));
      else if (i < 3) moved += Math.abs(change);
      else turned += Math.abs(change);
    }
    const counts = ((moved << TURN_BITS) + turned) >> (ONCE_BITS + TURN_BITS);
    return Math.min(MOST_JOLT, counts);
  }

  /** The growth of a body's priority in this tick: a whole number; 0 if the body can wait [W8]. */
  of(body: BodyId): number {
    const { thrownUntil, tick } = this.#peer;
    return thrownUntil[body] > tick ? PRIORITY_THROWN : this.#growth[body];
  }
}

/** The array that has the state of a body which is sent as moving, at `body * STRIDE`; null if it is not moving. */
function statesOfMoving({ bodies, relay, self }: PeerState, body: BodyId): Int32Array | null {
  const { authority, hold, resting, state, islands } = bodies.records;
  const has = authority[body];
  if (isInHand(hold[body]) && islands.isJointed[body] === 0) return null;
  if (has === NO_SLOT || has === self) return resting[body] === 0 ? state : null;
  return relay.author[body] === has && relay.resting[body] === 0 ? relay.state : null;
}

function creeps(state: Int32Array, body: BodyId): boolean {
  const at = body * STRIDE;
  return (
    !exceeds(state, at + STATE.linear, CREEPING_SPEED) && !exceeds(state, at + STATE.angular, CREEPING_TURN)
  );
}

/** True if the magnitude of one of the three numbers at an index is greater than `most`. */
function exceeds(numbers: Int32Array, at: number, most: number): boolean {
  for (let i = at; i < at + 3; i++) if (Math.abs(numbers[i]) > most) return true;
  return false;
}
