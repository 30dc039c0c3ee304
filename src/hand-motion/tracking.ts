import type { Pose, Quaternion, Vector } from '../core/base/math.ts';
import {
  addScaled,
  copyVector,
  distance,
  lerpVector,
  multiply,
  normalize,
  quaternion,
  rotate,
  setQuaternion,
  vector,
} from '../core/base/math.ts';
import type { Random } from '../core/base/random.ts';
import { gaussian, StratifiedSampler } from './chance.ts';
import type { TrackingHabits } from './habits.ts';
import { Tremor } from './tremor.ts';

const AXES = ['x', 'y', 'z'] as const;
/** Seconds until the strength of the tremor is drawn anew. */
const SPELL = [0.2, 0.8] as const;
/** Seconds for which a device that the cameras have lost is shown near where they saw it last. */
const LOST_FOR = [0.06, 0.13] as const;
/** The share of its true movement that is reported meanwhile: dead reckoning falls short. */
const DEAD_RECKONING = 0.25;
/** The longest step in seconds from one pose to the next; it also bounds the first, which has no pose before it. */
const LONGEST_STEP = 1;

/** A headset's report of a head or a hand: its tremor, the lever to the device, and errors of tracking. */
export class Tracking {
  readonly #habits: TrackingHabits;
  readonly #random: Random;
  readonly #tremors: readonly Tremor[];
  readonly #unrests: StratifiedSampler;
  #unrest = 1;
  #spellEnds = -Infinity;
  #moment = -Infinity;
  readonly #before = vector();
  #foundAt = -Infinity;
  readonly #lostPlace = vector();

  /** @param random is this device's own from here on. */
  constructor(habits: TrackingHabits, random: Random) {
    this.#habits = habits;
    this.#random = random;
    this.#unrests = new StratifiedSampler(habits.unrest, random.fork());
    this.#tremors = Array.from({ length: 6 }, () => new Tremor(habits.tremorRate, random.fork()));
  }

  /** Turns the true pose at a moment in seconds, later than the one before, into the reported one, and returns it. */
  track(moment: number, inOut: Pose): Pose {
    const { position, rotation } = inOut;
    const seconds = Math.min(LONGEST_STEP, moment - this.#moment);
    this.#moment = moment;
    this.#shake(seconds, inOut);
    addScaled(position, rotate(rotation, this.#habits.lever, lever), 1, position);
    this.#lose(seconds, position);
    const speed = distance(position, this.#before) / seconds;
    copyVector(position, this.#before);
    this.#addNoise(speed, inOut);
    normalize(rotation, rotation);
    return inOut;
  }

  #shake(seconds: number, { position, rotation }: Pose): void {
    if (this.#moment >= this.#spellEnds) {
      this.#spellEnds = this.#moment + this.#random.between(...SPELL);
      this.#unrest = this.#unrests.next();
    }
    const [x, y, z, ...turns] = this.#tremors.map((tremor) => this.#unrest * tremor.next(seconds));
    const { tremor, tremorTurn } = this.#habits;
    position.x += tremor * x;
    position.y += tremor * y;
    position.z += tremor * z;
    turnBy(turns, tremorTurn, rotation);
  }

  /** Every now and then the cameras lose sight of the device, and the position stays behind until they find it. */
  #lose(seconds: number, position: Vector): void {
    if (this.#moment < this.#foundAt) {
      lerpVector(this.#lostPlace, position, DEAD_RECKONING, position);
    } else if (this.#random.chance((this.#habits.lossesPerMinute / 60) * seconds)) {
      this.#foundAt = this.#moment + this.#random.between(...LOST_FOR);
      copyVector(position, this.#lostPlace);
    }
  }

  #addNoise(speed: number, { position, rotation }: Pose): void {
    const { noise, noiseGrowth, noiseTurn } = this.#habits;
    const metres = noise + noiseGrowth * speed;
    for (const axis of AXES) position[axis] += metres * gaussian(this.#random);
    turnBy(
      AXES.map(() => gaussian(this.#random)),
      noiseTurn,
      rotation,
    );
  }
}

/** Turns a rotation by a small rotation vector, in its own frame, of which each component is scaled to radians. */
function turnBy([x, y, z]: readonly number[], scale: number, inOut: Quaternion): void {
  const half = scale / 2;
  multiply(inOut, normalize(setQuaternion(turn, half * x, half * y, half * z, 1), turn), inOut);
}

const lever = vector();
const turn = quaternion();
