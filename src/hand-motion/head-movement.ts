import type { Pose, ReadonlyVector } from '../core/base/math.ts';
import { multiply, quaternion } from '../core/base/math.ts';
import type { Random } from '../core/base/random.ts';
import { gaussian } from './chance.ts';
import type { HeadHabits } from './habits.ts';
import { Channel } from './strokes.ts';
import { turnAbout } from './turns.ts';

const AXES = ['x', 'y', 'z'] as const;

/** The share of a stroke's time after which the next one begins. */
const NEXT_AFTER = 0.7;

/** How a head sways and turns in play, without tremor and errors of tracking. */
export class HeadMovement {
  readonly #place: SideToSide;
  readonly #turns: SideToSide;

  /** @param random is this head's own from here on. */
  constructor({ home, sway, swayTimes, turn, turnTimes }: HeadHabits, random: Random) {
    this.#place = new SideToSide(home, sway, swayTimes, random.fork());
    this.#turns = new SideToSide({ x: 0, y: 0, z: 0 }, turn, turnTimes, random.fork());
  }

  /** Fills in the head's pose at a moment in seconds, which must not go back, and returns it. */
  at(moment: number, out: Pose): Pose {
    for (const axis of AXES) out.position[axis] = this.#place.at(axis, moment);
    turnAbout('y', this.#turns.at('y', moment), out.rotation);
    multiply(out.rotation, turnAbout('x', this.#turns.at('x', moment), turnOfAxis), out.rotation);
    multiply(out.rotation, turnAbout('z', this.#turns.at('z', moment), turnOfAxis), out.rotation);
    return out;
  }
}

/** Three channels, each with one minimum-jerk stroke after another, to one side of its middle and to the other. */
class SideToSide {
  readonly #middle: ReadonlyVector;
  readonly #reach: ReadonlyVector;
  readonly #times: readonly [least: number, most: number];
  readonly #random: Random;
  readonly #channels: Readonly<Record<(typeof AXES)[number], Channel>>;
  readonly #next = { x: 0, y: 0, z: 0 };

  constructor(
    middle: ReadonlyVector,
    reach: ReadonlyVector,
    times: readonly [number, number],
    random: Random,
  ) {
    this.#middle = middle;
    this.#reach = reach;
    this.#times = times;
    this.#random = random;
    this.#channels = { x: new Channel(middle.x), y: new Channel(middle.y), z: new Channel(middle.z) };
  }

  at(axis: (typeof AXES)[number], moment: number): number {
    const channel = this.#channels[axis];
    while (this.#next[axis] <= moment) {
      const seconds = this.#random.between(...this.#times);
      const reach = this.#reach[axis] * (this.#random.between(0.5, 1.5) + 0.3 * gaussian(this.#random));
      const end = this.#middle[axis] + (channel.target > this.#middle[axis] ? -reach : reach);
      const half = seconds / 2;
      channel.add({ start: this.#next[axis], rise: half, fall: half, amount: end - channel.target });
      this.#next[axis] += NEXT_AFTER * seconds;
    }
    return channel.at(moment);
  }
}

const turnOfAxis = quaternion();
