import type { Pose } from '../core/base/math.ts';
import { multiply, quaternion } from '../core/base/math.ts';
import type { Random } from '../core/base/random.ts';
import { gaussian, StratifiedSampler } from './chance.ts';
import type { HandHabits } from './habits.ts';
import { Channel, PEAK_SPEED } from './strokes.ts';
import { turnAbout } from './turns.ts';

const AXES = ['x', 'y', 'z'] as const;
type Channels = Readonly<Record<(typeof AXES)[number], Channel>>;

/** Seconds that a swing or a recoil takes at the least and at the most. */
const SHORTEST = 0.05;
const LONGEST = 0.6;
/** The share of a swing's time after which the hand begins to spring back. */
const RECOIL_AT = 0.85;
/** A step of slow movement takes twice the time to the next one, so that two are always under way. */
const OVERLAP = 2;

/**
 * How a hand moves in play, without tremor and without errors of tracking. It swings up and down in turns: the forearm
 * lifts the wrist, the wrist turns the hand a bit later, the hand springs back, and a pause follows. Slow movement is
 * added all the time. Every movement is a sum of minimum-jerk strokes. In swings and throws the segments of an arm
 * begin one after another, from the shoulder outwards (C. Putnam, "Sequential motions of body segments in striking and
 * throwing skills", J. Biomech. 26, 1993).
 */
export class HandMovement {
  readonly #habits: HandHabits;
  readonly #random: Random;
  readonly #wrist: Channels;
  readonly #turns: Channels = { x: new Channel(0), y: new Channel(0), z: new Channel(0) };
  readonly #speeds: StratifiedSampler;
  readonly #falls: StratifiedSampler;
  readonly #recoils: StratifiedSampler;
  readonly #pauses: StratifiedSampler;
  readonly #reachTimes: StratifiedSampler;
  readonly #turnTimes: StratifiedSampler;
  #swingsUp = false;
  #nextSwing = 0;
  #nextStep = 0;

  /** @param random is this hand's own from here on. */
  constructor(habits: HandHabits, random: Random) {
    this.#habits = habits;
    this.#random = random;
    const { x, y, z } = habits.home;
    this.#wrist = { x: new Channel(x), y: new Channel(y), z: new Channel(z) };
    this.#speeds = new StratifiedSampler(habits.swingSpeeds, random.fork());
    this.#falls = new StratifiedSampler(habits.falls, random.fork());
    this.#recoils = new StratifiedSampler(habits.recoils, random.fork());
    this.#pauses = new StratifiedSampler(habits.pauses, random.fork());
    this.#reachTimes = new StratifiedSampler(habits.reachTimes, random.fork());
    this.#turnTimes = new StratifiedSampler(habits.turnTimes, random.fork());
  }

  /** Fills in the wrist's pose at a moment in seconds, which must not go back, and returns it. */
  at(moment: number, out: Pose): Pose {
    while (this.#nextSwing <= moment) this.#swing(this.#nextSwing);
    while (this.#nextStep <= moment) this.#step(this.#nextStep);
    for (const axis of AXES) out.position[axis] = this.#wrist[axis].at(moment);
    turnAbout('y', this.#turns.y.at(moment), out.rotation);
    multiply(out.rotation, turnAbout('x', this.#turns.x.at(moment), turn), out.rotation);
    multiply(out.rotation, turnAbout('z', this.#turns.z.at(moment), turn), out.rotation);
    return out;
  }

  /** Plans a swing from where the last one leads to, its recoil, and the pause after it. */
  #swing(start: number): void {
    const { pitch, pitchSpread, recoilSpeed, lag } = this.#habits;
    this.#swingsUp = !this.#swingsUp;
    const end = pitch[this.#swingsUp ? 1 : 0] + pitchSpread * gaussian(this.#random);
    const way = end - this.#turns.x.target;
    const recoil = way * this.#recoils.next();
    const speed = this.#speeds.next();
    const seconds = secondsOf(way + recoil, speed);
    const reachSeconds = seconds * this.#reachTimes.next();
    const turnStart = start + lag * Math.max(0, reachSeconds - seconds);
    this.#stroke(this.#turns.x, turnStart, seconds, way + recoil);
    this.#turnAside(turnStart, seconds);
    this.#reach(start, reachSeconds, end);
    const recoilStart = turnStart + RECOIL_AT * seconds;
    const recoilSeconds = secondsOf(recoil, speed * recoilSpeed);
    this.#stroke(this.#turns.x, recoilStart, recoilSeconds, -recoil);
    this.#nextSwing = recoilStart + recoilSeconds + this.#pauses.next();
  }

  /** Turns about the other two axes, together with a swing. */
  #turnAside(start: number, seconds: number): void {
    const { yawSpread, rollSpread } = this.#habits;
    const [yaw, roll] = [yawSpread * gaussian(this.#random), rollSpread * gaussian(this.#random)];
    this.#strokeTo(this.#turns.y, start, seconds * this.#turnTimes.next(), yaw);
    this.#strokeTo(this.#turns.z, start, seconds * this.#turnTimes.next(), roll);
  }

  /** Moves the wrist to where a swing ends: higher with a swing that ends upwards. */
  #reach(start: number, seconds: number, pitchAtEnd: number): void {
    const { home, reach, lift, pitch } = this.#habits;
    const height = lift * (pitchAtEnd - (pitch[0] + pitch[1]) / 2);
    for (const axis of AXES) {
      const end = home[axis] + (axis === 'y' ? height : 0) + reach[axis] * gaussian(this.#random);
      this.#strokeTo(this.#wrist[axis], start, seconds, end);
    }
  }

  #step(start: number): void {
    const { drift, driftTurn, driftRate } = this.#habits;
    const seconds = this.#random.between(0.7, 1.3) / driftRate;
    for (const axis of AXES) {
      this.#stroke(this.#wrist[axis], start, OVERLAP * seconds, drift * gaussian(this.#random));
      this.#stroke(this.#turns[axis], start, OVERLAP * seconds, driftTurn * gaussian(this.#random));
    }
    this.#nextStep = start + seconds;
  }

  #strokeTo(channel: Channel, start: number, seconds: number, end: number): void {
    this.#stroke(channel, start, seconds, end - channel.target);
  }

  #stroke(channel: Channel, start: number, seconds: number, amount: number): void {
    const fall = seconds * this.#falls.next();
    channel.add({ start, rise: seconds - fall, fall, amount });
  }
}

/** Seconds in which a minimum-jerk stroke over a way, in radians, reaches a highest speed, in radians a second. */
function secondsOf(way: number, highestSpeed: number): number {
  return Math.min(LONGEST, Math.max(SHORTEST, (PEAK_SPEED * Math.abs(way)) / highestSpeed));
}

const turn = quaternion();
