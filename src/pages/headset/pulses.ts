/** What a hand feels at once: strength, 0 to 1, and milliseconds. */
export type Pulse = { readonly strength: number; readonly ms: number };

/** What happens to a hand, from the faintest to what must not be missed. */
export const PULSES = {
  /** A body is at the hand, and a grip would take it: a tick that does not tire. */
  touch: { strength: 0.15, ms: 12 },
  release: { strength: 0.25, ms: 20 },
  /** [A9] The hand reaches for what another holds, or another for what it holds: both know at once. */
  reach: { strength: 0.3, ms: 25 },
  /** [A9] What the hand let go of is in the other's. */
  given: { strength: 0.4, ms: 40 },
  grab: { strength: 0.5, ms: 30 },
  /** [A9] What the hand reached for is in it: its weight comes into the hand. */
  received: { strength: 0.7, ms: 50 },
  /** [G4] What the hand held is another's now: twice as strong as anything the player does, and long. */
  lost: { strength: 1, ms: 120 },
} as const satisfies Record<string, Pulse>;

/** Metres a second at which a held body meets another: slower is not felt, and faster feels no harder. */
const UNFELT_SPEED = 0.05;
const HARDEST_SPEED = 6;
/** Strength and milliseconds of what is just felt, and of the hardest: a tap is short, a blow is not. */
const TAP: Pulse = { strength: 0.1, ms: 10 };
const BLOW: Pulse = { strength: 0.9, ms: 45 };

/**
 * What the hand feels when what it holds meets something. All cubes weigh the same, so the impulse goes with the
 * speed; with each doubling of it the pulse grows by as much.
 * @param speed of approach, in metres a second.
 * @returns null if it is not felt.
 */
export function impactPulse(speed: number): Pulse | null {
  if (!(speed > UNFELT_SPEED)) return null;
  const share = Math.min(1, Math.log(speed / UNFELT_SPEED) / Math.log(HARDEST_SPEED / UNFELT_SPEED));
  return {
    strength: TAP.strength + (BLOW.strength - TAP.strength) * share,
    ms: TAP.ms + (BLOW.ms - TAP.ms) * share,
  };
}
