import type { HandSide } from '../../core/base/ids.ts';
import { HAND_SIDES, NO_BODY } from '../../core/base/ids.ts';
import type { ReadonlyVector, Vector } from '../../core/base/math.ts';
import { rotate, vector } from '../../core/base/math.ts';
import type { AvatarView } from '../../core/peer/shown/peer-view.ts';

/** Metres: a hand that waves is higher than this below the eyes, where shoulders are. */
const SHOULDER_BELOW = 0.28;
/** The least upward component of the hand's direction: a waving hand has its fingers up, a pointing hand does not. */
const FINGERS_UP = 0.55;
/** Metres from one turn of the hand to the next, at least. */
const LEAST_SWING = 0.07;
/** Turns of the hand within so many seconds make a wave. */
const TURNS = 2;
const WITHIN = 1;
/** Seconds after a reported wave in which no other one is reported. */
const PAUSE = 2.5;

/** One hand's way to the right and to the left. */
type Swing = {
  /** 1: last it went right; -1: left; 0: it is not raised. */
  heading: -1 | 0 | 1;
  /** The farthest place in that direction, in metres to the right of the head. */
  farthest: number;
  /** When it turned, in seconds, the latest last. */
  readonly turns: number[];
};

/** Sees when a player waves, by what is drawn of it, whatever device moves its hand. One object watches one player. */
export class WaveWatcher {
  readonly #swings: readonly [Swing, Swing] = [swing(), swing()];
  readonly #right = vector();
  readonly #up = vector();
  #quietUntil = -Infinity;

  /**
   * Call it once a frame.
   * @param now in seconds, on any clock.
   * @returns the hand that has begun to wave in this frame; null if none has.
   */
  frame(avatar: AvatarView, now: number): HandSide | null {
    let found: HandSide | null = null;
    for (const side of HAND_SIDES) if (this.#watch(side, avatar, now)) found = side;
    if (found === null || now < this.#quietUntil) return null;
    this.#quietUntil = now + PAUSE;
    return found;
  }

  /** @returns true while the hand waves. */
  #watch(side: HandSide, { present, head, hands }: AvatarView, now: number): boolean {
    const state = this.#swings[side];
    const hand = hands[side];
    const { position, rotation } = hand.pose;
    const isRaised =
      present &&
      hand.tracked &&
      hand.held === NO_BODY &&
      position.y > head.position.y - SHOULDER_BELOW &&
      rotate(rotation, FORWARD, this.#up).y > FINGERS_UP;
    if (!isRaised) {
      state.heading = 0;
      state.turns.length = 0;
      return false;
    }
    const axis = rotate(head.rotation, RIGHTWARD, this.#right);
    const place = across(axis, position, head.position);
    if (state.heading === 0) {
      state.heading = 1;
      state.farthest = place;
    } else if ((place - state.farthest) * state.heading > 0) state.farthest = place;
    else if ((state.farthest - place) * state.heading > LEAST_SWING) {
      state.heading = state.heading === 1 ? -1 : 1;
      state.farthest = place;
      state.turns.push(now);
    }
    while (state.turns.length > 0 && now - state.turns[0] > WITHIN) state.turns.shift();
    return state.turns.length >= TURNS;
  }
}

function swing(): Swing {
  return { heading: 0, farthest: 0, turns: [] };
}

function across(axis: ReadonlyVector, of: ReadonlyVector, from: ReadonlyVector): number {
  return axis.x * (of.x - from.x) + axis.y * (of.y - from.y) + axis.z * (of.z - from.z);
}

const FORWARD: Readonly<Vector> = { x: 0, y: 0, z: -1 };
const RIGHTWARD: Readonly<Vector> = { x: 1, y: 0, z: 0 };
