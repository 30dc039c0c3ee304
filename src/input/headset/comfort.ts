/** How a player in a headset moves and turns. */
export type Comfort = {
  /** The left stick walks; otherwise it teleports. */
  readonly smoothWalking: boolean;
  /** Degrees of one turn by the stick. */
  readonly snapDegrees: number;
  /** The stick turns smoothly; otherwise by `snapDegrees`. */
  readonly smoothTurn: boolean;
  /** The picture's edge is dark while the stick walks or turns smoothly. */
  readonly vignette: boolean;
  /** The player sits: its eyes are raised to the height of somebody who stands. */
  readonly seated: boolean;
};

/** The settings of a player that has chosen nothing. */
export const USUAL_COMFORT: Comfort = {
  smoothWalking: false,
  snapDegrees: 45,
  smoothTurn: false,
  vignette: true,
  seated: false,
};

/** The turns that a player can choose, in degrees. */
export const SNAP_DEGREES: readonly number[] = [30, 45, 90];

/** Metres: the height of the eyes of somebody who stands. */
export const STANDING = 1.6;
