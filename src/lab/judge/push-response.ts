import { GRAVITY, TICK_MS, TICK_RATE, TICK_SECONDS } from '../../core/base/constants.ts';
import type { BodyId } from '../../core/base/ids.ts';
import { MOTION, POSE_STRIDE, STRIDE } from '../../core/base/state.ts';
import { drive } from '../game/drive.ts';
import type { Hand } from '../game/hand.ts';
import { HAND_STEPS } from '../game/hand.ts';
import { apart } from '../game/poses.ts';
import { cubesTouch } from './boxes.ts';

/** Metres in a tick below which a body is drawn still, and the ticks for which it must have been still. */
const STILL = 0.0006;
const STILL_TICKS = 6;
/** Metres that a pushed body must move to be seen moving. */
const SEEN = 0.01;
/** Metres by which the hand's cube must reach into another for a contact that is no graze. */
const REACHES = 0.02;
/**
 * Metres from the drawn own cube: if a cube within them moves, the own cube has pushed it; farther away, another player
 * has. Where both are drawn between two late snapshots, a pushed cube starts while the own one is up to 16 cm away.
 */
const CLOSE = 0.2;
/** Metres from a body within which another player's cube leans on it. */
const LEANS = 0.05;
/** Ticks after which an answer is no longer awaited: the hand has missed. */
const GIVEN_UP = 1.5 * TICK_RATE;

/** The cubes of a game as the judge knows them. */
export type JudgedBodies = {
  /** Metres from the middle to a side, for each body. The players' own cubes come first. */
  readonly halves: readonly number[];
  readonly players: number;
};

/**
 * Measures how long a pushed cube takes to answer. A cube that follows the player's hand without any delay is
 * computed beside the game. When it meets a cube that the player sees at rest, the clock starts; when that cube is
 * seen moving, it stops. So the delay of one's own cube is part of it.
 */
export class PushResponse {
  readonly #own: number;
  readonly #bodies: JudgedBodies;
  readonly #ghost = new Float32Array(STRIDE);
  readonly #before: Float32Array;
  readonly #still: Int32Array;
  /** For each body the tick of the contact, -1 for none; and the place where it was seen then. */
  readonly #touchedAt: Int32Array;
  readonly #places: Float32Array;
  #ticks = 0;

  /** @param own the player's cube. */
  constructor(bodies: JudgedBodies, own: number) {
    const count = bodies.halves.length;
    this.#own = own;
    this.#bodies = bodies;
    this.#before = new Float32Array(count * POSE_STRIDE);
    this.#still = new Int32Array(count);
    this.#touchedAt = new Int32Array(count).fill(-1);
    this.#places = new Float32Array(count * POSE_STRIDE);
    this.#ghost[MOTION.rotation + 3] = 1;
  }

  /**
   * One tick: the player's hand, and what the player sees after it.
   * @param truth of the same moment: a cube on which another player's leans answers late, however fast the network is.
   * @param answered called with the milliseconds of each answer.
   */
  observe(hand: Hand, drawn: Float32Array, truth: Float32Array, answered: (ms: number) => void): void {
    this.#ticks++;
    this.#follow(hand);
    const { halves, players } = this.#bodies;
    for (let body = players, at = players * POSE_STRIDE; body < halves.length; body++, at += POSE_STRIDE) {
      const isStill = this.#ticks > 1 && apart(drawn, at, this.#before, at) < STILL;
      if (this.#touchedAt[body] >= 0) this.#await(body, drawn, answered);
      else if (this.#still[body] >= STILL_TICKS && this.#isPushed(body, truth)) {
        this.#touchedAt[body] = this.#ticks;
        this.#places.set(this.#before.subarray(at, at + POSE_STRIDE), at);
        this.#await(body, drawn, answered);
      }
      this.#still[body] = isStill ? this.#still[body] + 1 : 0;
    }
    this.#before.set(drawn);
  }

  #await(body: number, drawn: Float32Array, answered: (ms: number) => void): void {
    const at = body * POSE_STRIDE;
    const waited = this.#ticks - this.#touchedAt[body];
    if (apart(drawn, at, this.#places, at) > SEEN) {
      if (this.#isBeside(body, drawn)) answered((waited + 1) * TICK_MS);
    } else if (waited < GIVEN_UP) return;
    this.#touchedAt[body] = -1;
    this.#still[body] = 0;
  }

  /** True if the hand's cube meets a body, and no other player's cube leans on that. */
  #isPushed(body: number, truth: Float32Array): boolean {
    const { halves, players } = this.#bodies;
    const at = body * POSE_STRIDE;
    if (!cubesTouch(this.#ghost, 0, halves[this.#own], this.#before, at, halves[body], -REACHES))
      return false;
    for (let player = 0; player < players; player++) {
      const other = player * POSE_STRIDE;
      if (player !== this.#own && cubesTouch(truth, other, halves[player], truth, at, halves[body], LEANS))
        return false;
    }
    return true;
  }

  #isBeside(body: number, drawn: Float32Array): boolean {
    const { halves } = this.#bodies;
    const [own, at] = [this.#own * POSE_STRIDE, body * POSE_STRIDE];
    return cubesTouch(drawn, own, halves[this.#own], drawn, at, halves[body], CLOSE);
  }

  /** The law that pulls every player's cube, without anything in its way. */
  #follow(hand: Hand): void {
    const ghost = this.#ghost;
    if (this.#ticks === 1) {
      ghost[0] = hand.x / HAND_STEPS;
      ghost[1] = hand.y / HAND_STEPS;
      ghost[2] = hand.z / HAND_STEPS;
    }
    drive(ghost, 0 as BodyId, hand);
    ghost[MOTION.linear + 1] -= GRAVITY * TICK_SECONDS;
    for (let i = 0; i < 3; i++) ghost[i] += ghost[MOTION.linear + i] * TICK_SECONDS;
  }
}
