import { NO_SLOT } from '../../core/base/ids.ts';
import type { PeerView } from '../../core/peer/shown/peer-view.ts';
import type { Rgb } from '../light/colour.ts';
import { colouringSlot } from './colouring-slot.ts';

/**
 * Fraction of the remaining way to its player's colour that a body's colour goes in one frame of 1/90 s, as
 * in Fiedler's sample project.
 */
const TO_PLAYER = 0.3;
/** The same on the way back to white: slow enough to see who had the body last. */
const TO_WHITE = 0.04;
/** The frame rate for which these fractions were chosen, like others from Fiedler's sample project. */
const REFERENCE_RATE = 90;
/** A value is at its target if the difference is smaller than this. */
const NEGLIGIBLE = 0.002;

/**
 * Returns the fraction of the remaining way for a frame of `seconds`, so that colours flow equally fast at
 * any frame rate.
 * @param perFrame the fraction for one frame of 1/90 s.
 */
export function flowFraction(perFrame: number, seconds: number): number {
  return 1 - (1 - perFrame) ** (seconds * REFERENCE_RATE);
}

/**
 * The colour of every body follows its authority: quickly to a player's colour, slowly back to white. The
 * last player's mark stays while its colour fades.
 */
export class ColourFlow {
  /** Each body's colour: red, green and blue. */
  readonly tint: Float32Array;
  /** For each body the slot of its mark, and the mark's opacity, 0 to 1. */
  readonly mark: Float32Array;
  readonly #palette: readonly Rgb[];
  readonly #white: Rgb;

  /** @param palette the slots' colours, in order. */
  constructor(count: number, palette: readonly Rgb[], white: Rgb) {
    this.#palette = palette;
    this.#white = white;
    this.tint = new Float32Array(count * 3);
    this.mark = new Float32Array(count * 2);
    for (let body = 0; body < count; body++) this.begin(body);
  }

  /** A new body has this id: it is white, without a mark. */
  begin(body: number): void {
    this.tint.set(this.#white, body * 3);
    this.mark.fill(0, body * 2, body * 2 + 2);
  }

  /**
   * Moves all colours on.
   * @param view says who has each body.
   * @param seconds since the last call.
   * @returns whether a colour has changed.
   */
  advance(view: Pick<PeerView, 'authority' | 'avatars'>, seconds: number): boolean {
    const toPlayer = flowFraction(TO_PLAYER, seconds);
    const toWhite = flowFraction(TO_WHITE, seconds);
    const count = Math.min(view.authority.length, this.mark.length / 2);
    let changed = false;
    for (let body = 0; body < count; body++) {
      const slot = colouringSlot(view, body);
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

/** Moves one value towards its target. Returns whether it has changed. */
function flow(values: Float32Array, at: number, target: number, fraction: number): boolean {
  const difference = target - values[at];
  if (difference === 0) return false;
  if (Math.abs(difference) < NEGLIGIBLE) values[at] = target;
  else values[at] += difference * fraction;
  // A target between two floats would otherwise count as changed for ever.
  return Math.abs(difference) > 1e-6;
}
