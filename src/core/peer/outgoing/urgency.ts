import { PRIORITY_BASE, PRIORITY_THROWN } from '../../base/constants.ts';
import type { BodyId } from '../../base/ids.ts';
import { NO_SLOT, NOT_HELD } from '../../base/ids.ts';
import { STATE, STRIDE } from '../../base/state.ts';
import { FALL } from '../../wire/bodies/predict.ts';
import type { PeerState } from '../peer-state.ts';

/**
 * A body that is slower than this on every axis creeps: 2 cm/s and 0.1 rad/s, by which it goes a millimetre in
 * WAITING_TICKS, and that by what was told last.
 */
const CREEPING_SPEED = 20;
const CREEPING_TURN = 100;
/** What creeps, and what its author has said nothing new of, is told once in as many ticks: packets get lost. */
const WAITING_TICKS = 4;
/**
 * Steps of velocity for which a jolt counts once, 1/8 m/s, as a power of 2; of turning it takes eight times as much. In
 * whole numbers throughout: a fraction is garbage for every body in every tick until the compiler has come to it.
 */
const ONCE_BITS = 7;
const TURN_BITS = 3;
/** The most that a jolt counts: what comes to a stop from 2.5 m/s. */
export const MOST_JOLT = 20;
const VELOCITIES = STRIDE - STATE.linear;

/**
 * [W5] What a body's priority grows by: a throw comes first, then jolts. A *jolt* is by how much a body's velocities
 * have changed in a tick otherwise than by falling, which a receiver, whose engine carries the body on, can't know.
 * What is merely fast is not urgent.
 */
export class Urgency {
  readonly #peer: PeerState;
  /** What a body's priority grows by, unless it was thrown: the same for all receivers. */
  readonly #growth: Int32Array;
  readonly #velocities: Int32Array;
  /** 1 for what rested at the last look. */
  readonly #rested: Uint8Array;
  /** Of what is passed on the author's tick at the last look. */
  readonly #ticks: Int32Array;

  constructor(peer: PeerState) {
    const { count } = peer.bodies;
    this.#peer = peer;
    this.#growth = new Int32Array(count).fill(PRIORITY_BASE);
    this.#velocities = new Int32Array(count * VELOCITIES);
    this.#rested = new Uint8Array(count);
    this.#ticks = new Int32Array(count).fill(-1);
  }

  /** Looks at all bodies, once a tick for all receivers. */
  update(): void {
    const { bodies, relay, policy, self } = this.#peer;
    const { authority, resting, state } = bodies.records;
    for (let body = 0; body < this.#growth.length; body++) {
      const has = authority[body];
      const isRelayed = policy.isHost && has !== NO_SLOT && has !== self;
      const rests = isRelayed ? relay.resting[body] : resting[body];
      if (rests === 1 && this.#rested[body] === 1) continue;
      this.#rested[body] = rests;
      const isOld = isRelayed && relay.tick[body] === this.#ticks[body];
      this.#ticks[body] = relay.tick[body];
      const jolt = this.#measure(isRelayed ? relay.state : state, body);
      this.#growth[body] = this.#growthOf(body as BodyId, jolt, isOld);
    }
  }

  /** @param isOld nothing new was said of what is passed on. */
  #growthOf(body: BodyId, jolt: number, isOld: boolean): number {
    const motion = motionToTell(this.#peer, body);
    if (motion === null) return PRIORITY_BASE;
    const waits = isOld || (jolt === 0 && creeps(motion, body));
    if (!waits) return PRIORITY_BASE + jolt;
    return (this.#peer.tick + body) % WAITING_TICKS === 0 ? PRIORITY_BASE : 0;
  }

  /** Of what a host passes on the velocities change when it hears of them: nothing new is no jolt. */
  #measure(state: Int32Array, body: number): number {
    const was = this.#velocities;
    const from = body * STRIDE + STATE.linear;
    const to = body * VELOCITIES;
    let moved = 0;
    let turned = 0;
    for (let i = 0; i < VELOCITIES; i++) {
      const change = state[from + i] - was[to + i];
      was[to + i] = state[from + i];
      if (i === 1) moved += Math.min(Math.abs(change), Math.abs(change + FALL));
      else if (i < 3) moved += Math.abs(change);
      else turned += Math.abs(change);
    }
    const counts = ((moved << TURN_BITS) + turned) >> (ONCE_BITS + TURN_BITS);
    return Math.min(MOST_JOLT, counts);
  }

  /** What a body's priority grows by in this tick; 0 if it can wait [W8]. */
  of(body: BodyId): number {
    const { thrownUntil, tick } = this.#peer;
    return thrownUntil[body] > tick ? PRIORITY_THROWN : this.#growth[body];
  }
}

/** The states in which a body stands that is told as moving; null if it is not. */
function motionToTell({ bodies, relay, self }: PeerState, body: BodyId): Int32Array | null {
  const { authority, hold, resting, state } = bodies.records;
  const has = authority[body];
  if (hold[body] !== NOT_HELD) return null;
  if (has === NO_SLOT || has === self) return resting[body] === 0 ? state : null;
  return relay.author[body] === has && relay.resting[body] === 0 ? relay.state : null;
}

function creeps(state: Int32Array, body: BodyId): boolean {
  const at = body * STRIDE;
  return (
    !exceeds(state, at + STATE.linear, CREEPING_SPEED) && !exceeds(state, at + STATE.angular, CREEPING_TURN)
  );
}

/** True if one of three numbers is greater, of either sign. */
function exceeds(numbers: Int32Array, at: number, most: number): boolean {
  for (let i = at; i < at + 3; i++) if (Math.abs(numbers[i]) > most) return true;
  return false;
}
