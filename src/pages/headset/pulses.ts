/** A pulse of a controller: strength, 0 to 1, and duration in milliseconds. */
export type Pulse = { readonly strength: number; readonly ms: number };

/** A pulse for each event of a hand, from the weakest to the strongest. */
export const PULSES = {
  /** The hand touches a body and could take it: a short pulse that does not annoy. */
  touch: { strength: 0.15, ms: 12 },
  release: { strength: 0.25, ms: 20 },
  /** [A9] A hand reaches for a body that another player holds: both players feel it at once. */
  reach: { strength: 0.3, ms: 25 },
  /** [A9] The other player has received the body that this hand let go. */
  given: { strength: 0.4, ms: 40 },
  grab: { strength: 0.5, ms: 30 },
  /** The hand has kicked a body: a short one, as of a thing that was there for a moment. */
  kick: { strength: 0.6, ms: 25 },
  /** [A9] The hand has received the body that it reached for: as if its weight came into the hand. */
  received: { strength: 0.7, ms: 50 },
  /**
   * [G4] Another player has the body that this hand held: twice as strong as the player's own actions, and
   * long.
   */
  lost: { strength: 1, ms: 120 },
} as const satisfies Record<string, Pulse>;

/**
 * Metres per second between a held body and another body: below the first number there is no pulse, above the
 * second it grows no more.
 */
const UNFELT_SPEED = 0.05;
const HARDEST_SPEED = 6;
/** The weakest and the strongest pulse of a collision: a light one is short, a hard one is longer. */
const TAP: Pulse = { strength: 0.1, ms: 10 };
const BLOW: Pulse = { strength: 0.9, ms: 45 };

/**
 * Returns the pulse for a collision of a held body. All cubes have the same mass, so the impulse is
 * proportional to the speed. Each doubling of the speed adds the same amount to the pulse.
 * @param speed of approach, in metres per second.
 * @returns null if the speed is too low.
 */
export function impactPulse(speed: number): Pulse | null {
  if (!(speed > UNFELT_SPEED)) return null;
  const share = Math.min(1, Math.log(speed / UNFELT_SPEED) / Math.log(HARDEST_SPEED / UNFELT_SPEED));
  return {
    strength: TAP.strength + (BLOW.strength - TAP.strength) * share,
    ms: TAP.ms + (BLOW.ms - TAP.ms) * share,
  };
}
