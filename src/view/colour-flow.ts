import { NO_SLOT } from '../core/base/ids.ts';
import type { Rgb } from './colour.ts';

/** Fraction of the way that a body's colour goes to its player's in one frame of 1/90 s (the sample's). */
const TO_PLAYER = 0.3;
/** The same, back to white: slow enough to see who had it last. */
const TO_WHITE = 0.04;
/** Frames a second for which those fractions, and others of the sample's, were chosen. */
const REFERENCE_RATE = 90;
/** Below this difference a value has arrived. */
const NEGLIGIBLE = 0.002;

/**
 * The fraction of the way to go in `seconds`, where one frame of the sample goes `perFrame` of it: the same
 * flow at any frame rate.
 */
export function flowFraction(perFrame: number, seconds: number): number {
  return 1 - (1 - perFrame) ** (seconds * REFERENCE_RATE);
}

/**
 * The colour of every body as it flows after its authority: fast to a player's on touch, slowly back to white.
 * The last player's mark stays while its colour fades.
 */
export class ColourFlow {
  /** For each body its colour, red, green and blue. */
  readonly tint: Float32Array;
  /** For each body the slot whose mark it shows, and how strongly, 0 to 1. */
  readonly mark: Float32Array;
  readonly #palette: readonly Rgb[];
  readonly #white: Rgb;

  /** @param palette the slots' colours, in order. */
  constructor(count: number, palette: readonly Rgb[], white: Rgb) {
    this.#palette = palette;
    this.#white = white;
    this.tint = new Float32Array(count * 3);
    this.mark = new Float32Array(count * 2);
    for (let body = 0; body < count; body++) this.tint.set(white, body * 3);
  }

  /** Lets the colours flow for `seconds`; returns whether any of them changed. */
  advance(authority: Int8Array, seconds: number): boolean {
    const toPlayer = flowFraction(TO_PLAYER, seconds);
    const toWhite = flowFraction(TO_WHITE, seconds);
    const count = Math.min(authority.length, this.mark.length / 2);
    let changed = false;
    for (let body = 0; body < count; body++) {
      const slot = authority[body];
      const under = slot !== NO_SLOT;
      const fraction = under ? toPlayer : toWhite;
      if (under && this.mark[body * 2] !== slot) {
        this.mark[body * 2] = slot;
        changed = true;
      }
      if (flow(this.mark, body * 2 + 1, under ? 1 : 0, fraction)) changed = true;
      const colour = under ? this.#palette[slot] : this.#white;
      for (let channel = 0; channel < 3; channel++) {
        if (flow(this.tint, body * 3 + channel, colour[channel], fraction)) changed = true;
      }
    }
    return changed;
  }
}

/** Moves one value towards its target; returns whether it moved. */
function flow(values: Float32Array, at: number, target: number, fraction: number): boolean {
  const difference = target - values[at];
  if (difference === 0) return false;
  if (Math.abs(difference) < NEGLIGIBLE) values[at] = target;
  else values[at] += difference * fraction;
  // A target that has no exact float would otherwise differ for ever.
  return Math.abs(difference) > 1e-6;
}
