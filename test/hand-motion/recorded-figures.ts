/** The shares of frames, 0 to 1, for which the figures below say what they are at or below. */
export const TABLE_SHARES = [0.1, 0.25, 0.5, 0.75, 0.9, 0.95, 0.99];

/**
 * How a recorded minute of fast play moves, in the units of MotionFigures, to three digits: what the generated
 * motion is held to where the recording is not there.
 */
export const RECORDED_FIGURES = {
  intervals: [10.8, 11, 11.1, 11.2, 11.4, 11.5, 11.8],
  parts: {
    head: {
      speed: [0.0662, 0.102, 0.161, 0.245, 0.342, 0.42, 0.525],
      acceleration: [1.27, 1.88, 2.93, 4.71, 8.13, 11.3, 24.4],
      jerk: [124, 191, 300, 486, 847, 1260, 2810],
      angularSpeed: [0.273, 0.414, 0.628, 0.956, 1.38, 1.81, 2.84],
    },
    left: {
      speed: [0.642, 1.31, 3.3, 6.32, 8.64, 9.88, 12.7],
      acceleration: [14.5, 32.1, 83.8, 194, 313, 420, 719],
      jerk: [1310, 2860, 6530, 14100, 25600, 34900, 70900],
      angularSpeed: [2.45, 4.94, 12.1, 25.8, 36.1, 42.7, 56.4],
    },
    right: {
      speed: [0.587, 1.31, 2.95, 6.9, 10.3, 12.8, 16.4],
      acceleration: [17.1, 40, 94.4, 259, 502, 658, 1120],
      jerk: [1600, 3500, 8420, 20200, 40400, 58200, 116000],
      angularSpeed: [2.78, 5.81, 13.7, 31.2, 48.6, 59.2, 85.1],
    },
  },
};
