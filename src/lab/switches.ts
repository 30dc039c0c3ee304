export const NEIGHBOURS = ['predicted', 'interpolated'] as const;
export const GAPS = ['repeat', 'stand'] as const;
/** Milliseconds that can be chosen for `window`. */
export const WINDOWS = [0, 50, 100, 200, 300, 400, 600, 1000] as const;

/** The viewer's switches. Each model obeys the switches that concern it. */
export type LabSwitches = {
  /** How a predicting client draws what it does not own: as it predicts it, or between snapshots. */
  readonly neighbours: (typeof NEIGHBOURS)[number];
  /** Whether a model that corrects its picture eases the correction, or shows it at once. */
  readonly easing: boolean;
  /** A server's use for a player whose hand of a tick has not arrived: the last hand again, or the cube stands. */
  readonly gap: (typeof GAPS)[number];
  /** Milliseconds by which a hand may be late at a server that goes back. */
  readonly window: (typeof WINDOWS)[number];
};

/** Each model at its best. */
export const BEST_SWITCHES: LabSwitches = {
  neighbours: 'predicted',
  easing: true,
  gap: 'repeat',
  window: 400,
};
