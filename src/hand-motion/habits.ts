import type { ReadonlyVector } from '../core/base/math.ts';
import type { Quantiles } from './chance.ts';

/**
 * How a player moves, and how well a headset tracks it: the parameters of the generator. Metres, radians and
 * seconds. A spread is a standard deviation; a distribution is given by its quantiles at evenly spaced shares.
 */
export type PlayerHabits = {
  readonly head: HeadHabits;
  readonly left: HandHabits;
  readonly right: HandHabits;
  readonly headTracking: TrackingHabits;
  readonly handTracking: TrackingHabits;
};

export type HeadHabits = {
  /** Where the head is on average. */
  readonly home: ReadonlyVector;
  /** How far it sways to each side along each axis, on average, and the time of one sway. */
  readonly sway: ReadonlyVector;
  readonly swayTimes: readonly [least: number, most: number];
  /** How far it turns about each axis, on average, and the time of one turn. */
  readonly turn: ReadonlyVector;
  readonly turnTimes: readonly [least: number, most: number];
};

export type HandHabits = {
  /** Where the wrist is on average, and the spread of where it is at the end of a swing. */
  readonly home: ReadonlyVector;
  readonly reach: ReadonlyVector;
  /** Metres by which the forearm lifts the wrist for each radian of pitch. */
  readonly lift: number;
  /** The pitch at which a swing downwards and one upwards end, on average, and its spread. */
  readonly pitch: readonly [down: number, up: number];
  readonly pitchSpread: number;
  /** The spread of yaw and of roll at the end of a swing. */
  readonly yawSpread: number;
  readonly rollSpread: number;
  /** The highest speed of a swing, in radians a second. */
  readonly swingSpeeds: Quantiles;
  /** The share of a stroke's time from its highest speed to rest: less than a half is a sudden stop. */
  readonly falls: Quantiles;
  /**
   * How far the hand goes too far and springs back, as a share of the swing; and how fast, as a share of the swing's
   * speed.
   */
  readonly recoils: Quantiles;
  readonly recoilSpeed: number;
  /** Seconds from the end of a recoil to the next swing. */
  readonly pauses: Quantiles;
  /** How long the wrist's movement takes, and yaw and roll: multiples of the swing's time. */
  readonly reachTimes: Quantiles;
  readonly turnTimes: Quantiles;
  /** The wrist moves for longer than the swing. The swing begins when this share of the difference has passed. */
  readonly lag: number;
  /** Slow movement that is added: the spread of a step along each axis and about each axis, and steps a second. */
  readonly drift: number;
  readonly driftTurn: number;
  readonly driftRate: number;
};

export type TrackingHabits = {
  /** The vector from the wrist, or the head, to the point that is tracked, in the frame of the wrist or head. */
  readonly lever: ReadonlyVector;
  /**
   * Tremor: its frequency in Hz, and its root mean square along each axis and about each axis. Physiological tremor
   * of the hand has 8 to 12 Hz (R. Elble and W. Koller, "Tremor", 1990).
   */
  readonly tremorRate: number;
  readonly tremor: number;
  readonly tremorTurn: number;
  /** The factors of tremor, each for some tenths of a second. */
  readonly unrest: Quantiles;
  /** Spread of the errors of one frame along each axis and about each axis. */
  readonly noise: number;
  readonly noiseTurn: number;
  /** By how many metres the noise grows for each metre a second of speed; so its unit is seconds. */
  readonly noiseGrowth: number;
  /** How often the cameras lose sight of the device. */
  readonly lossesPerMinute: number;
};

/** The habits that both hands share. */
const HAND = {
  lift: 0.21,
  pitchSpread: 0.12,
  falls: [0.19, 0.2, 0.51],
  recoils: [0.06, 0.12, 0.28, 0.83],
  recoilSpeed: 0.64,
  reachTimes: [1.75, 2, 2.4, 4.6],
  turnTimes: [1, 2, 2.6],
  lag: 0.14,
  driftRate: 10.8,
} as const;

/**
 * A right-handed player in fast play. The numbers are such that speed, acceleration, jerk, turning and frame times
 * are distributed as in a recorded minute of it (`npm run bench -- motion`); nothing else of the minute is in them.
 */
export const FAST_PLAY: PlayerHabits = {
  head: {
    home: { x: 0, y: 1.7, z: 0 },
    sway: { x: 0.095, y: 0.011, z: 0.032 },
    swayTimes: [0.55, 2.5],
    turn: { x: 0.041, y: 0.03, z: 0.067 },
    turnTimes: [0.08, 0.82],
  },
  left: {
    ...HAND,
    home: { x: -0.3, y: 1.35, z: -0.4 },
    reach: { x: 0.18, y: 0.05, z: 0.24 },
    pitch: [-1.6, 1.2],
    yawSpread: 1.2,
    rollSpread: 0.12,
    swingSpeeds: [33, 35, 36, 49, 64],
    pauses: [0.02, 0.06, 0.09, 0.11, 0.37],
    drift: 0.011,
    driftTurn: 0.3,
  },
  right: {
    ...HAND,
    home: { x: 0.3, y: 1.35, z: -0.4 },
    reach: { x: 0.18, y: 0.07, z: 0.14 },
    pitch: [-1.5, 1.2],
    yawSpread: 1.3,
    rollSpread: 0.33,
    swingSpeeds: [33, 46, 47, 57, 100],
    pauses: [0.02, 0.05, 0.09, 0.12, 0.31],
    drift: 0.005,
    driftTurn: 0.38,
  },
  headTracking: {
    lever: { x: 0, y: 0, z: 0 },
    tremorRate: 9.3,
    tremor: 0.00036,
    tremorTurn: 0.004,
    unrest: [0.35, 0.57, 0.58, 0.78, 0.87, 1.17, 1.22, 1.33, 5.8],
    noise: 0.00001,
    noiseTurn: 0.00003,
    noiseGrowth: 0.00001,
    lossesPerMinute: 0,
  },
  handTracking: {
    lever: { x: 0, y: -0.07, z: -0.2 },
    tremorRate: 9,
    tremor: 0.00036,
    tremorTurn: 0.0019,
    unrest: [0.27, 0.65, 1.05, 4],
    noise: 0.00008,
    noiseTurn: 0.0005,
    noiseGrowth: 0.00022,
    lossesPerMinute: 2,
  },
};
