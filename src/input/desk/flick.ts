/**
 * A flick: how fast and which way a pointer moved as its hand opened. The method is that of the flings of touch
 * screens: the mean velocity over a short window before the release, as Android's VelocityTracker has it over
 * 100 ms. Places of the pointer come when they come, so the place at the window's start is read between two of them.
 */

/** Milliseconds before the release over which the velocity is the mean. */
export const FLICK_WINDOW_MS = 80;
/** Screen heights a second: a slower release puts a body down. */
export const FLICK_SPEED = 0.7;
/** Screen heights a second: a faster flick throws no further. */
const FASTEST = 4.2;
/** Metres along the floor that the slowest and the fastest flick throw. */
export const LEAST_RANGE = 1;
export const MOST_RANGE = 8;
/** Places that are kept: more than the window holds. */
const PLACES = 32;
/** Milliseconds between a place and the next but one: a mouse with 1000 places a second would fill the ring. */
const LEAST_STEP_MS = 6;
/** Radians from straight up: a flick within it throws straight ahead, for no hand flicks quite straight. */
const STRAIGHT = (10 * Math.PI) / 180;
/** Radians from straight up beyond which a flick is no throw along the view: it goes downwards. */
const DOWNWARD = (120 * Math.PI) / 180;
/** The share of a flick's angle from straight up by which it turns the throw, and the most radians. */
const TURN_SHARE = 0.375;
const MOST_TURN = Math.PI / 6;

/** A flick: how far and which way it is to throw. */
export type Flick = {
  /** Metres along the floor. */
  readonly range: number;
  /** Radians to the left of the pointer's ray. */
  readonly turn: number;
  /** Where the pointer was at the start of the window, and at its end, in pane coordinates. */
  readonly from: Place;
  readonly to: Place;
};

/** A place of the pointer: -1 to 1 across and up the pane. */
export type Place = { readonly x: number; readonly y: number };

/** The pointer's latest places, with their times. */
export class PointerPath {
  readonly #places = Array.from({ length: PLACES }, () => ({ time: 0, x: 0, y: 0 }));
  #count = 0;

  /** Milliseconds of the last place; NaN without one. */
  get lastTime(): number {
    return this.#count === 0 ? Number.NaN : this.#at(this.#count - 1).time;
  }

  /** Forgets all places but the last: a hand has closed there. */
  begin(): void {
    if (this.#count === 0) return;
    const { time, x, y } = this.#at(this.#count - 1);
    this.#count = 0;
    this.add(time, x, y);
  }

  /** Adds a place. One that is earlier than the last is ignored. */
  add(timeMs: number, x: number, y: number): void {
    if (timeMs < this.lastTime) return;
    if (this.#count > 1 && timeMs - this.#at(this.#count - 2).time < LEAST_STEP_MS) this.#count--;
    Object.assign(this.#at(this.#count), { time: timeMs, x, y });
    this.#count++;
  }

  /**
   * Returns the flick that a release at this moment ends, or null if the pointer was slower, or moved downwards.
   * @param timeMs milliseconds, on the clock of `add`; the last place holds until then.
   * @param aspect width divided by height of the pane.
   */
  flick(timeMs: number, aspect: number): Flick | null {
    if (this.#count < 2) return null;
    const from = this.#placeAt(timeMs - FLICK_WINDOW_MS);
    const { x, y } = this.#at(this.#count - 1);
    // A pane is two units high.
    const across = ((x - from.x) * aspect) / 2;
    const up = (y - from.y) / 2;
    const speed = Math.hypot(across, up) / (FLICK_WINDOW_MS / 1000);
    const angle = Math.atan2(across, up);
    if (!(speed >= FLICK_SPEED) || Math.abs(angle) > DOWNWARD) return null;
    return { range: rangeOf(speed), turn: turnOf(angle), from, to: { x, y } };
  }

  /**
   * The place at a moment, on the straight line between two places. After a pause longer than the window the
   * pointer rested first: it moved only within the window.
   */
  #placeAt(timeMs: number): Place {
    const oldest = Math.max(0, this.#count - PLACES);
    let after = this.#count - 1;
    while (after > oldest && this.#at(after - 1).time > timeMs) after--;
    const next = this.#at(after);
    if (after === oldest || next.time <= timeMs) return { x: next.x, y: next.y };
    const before = this.#at(after - 1);
    const start = Math.max(before.time, next.time - FLICK_WINDOW_MS);
    const share = next.time > start ? Math.min(1, Math.max(0, (timeMs - start) / (next.time - start))) : 1;
    return { x: before.x + (next.x - before.x) * share, y: before.y + (next.y - before.y) * share };
  }

  #at(index: number): { time: number; x: number; y: number } {
    return this.#places[index % PLACES];
  }
}

/** Returns the metres that a flick of this speed throws. @param speed in screen heights a second. */
function rangeOf(speed: number): number {
  const share = (speed - FLICK_SPEED) / (FASTEST - FLICK_SPEED);
  return LEAST_RANGE + Math.min(1, Math.max(0, share)) * (MOST_RANGE - LEAST_RANGE);
}

/** Returns the radians to the left by which a flick turns its throw. @param angle to the right of straight up. */
function turnOf(angle: number): number {
  const beyond = Math.max(0, Math.abs(angle) - STRAIGHT) * TURN_SHARE;
  return -Math.sign(angle) * Math.min(MOST_TURN, beyond);
}
