import type { PanelHit } from '../../../view/headset/panel/panel-hit.ts';

/** How firmly a hand is closed, 0 to 1: above the first number it presses, below the second it has let go. */
const CLOSES = 0.6;
const OPENS = 0.4;
/** A hand that is closed more than this is about to press. Its aim is kept for at most this many milliseconds. */
const BEGINS = 0.12;
const CLOSING_MS = 350;
/** Metres in front of a panel and behind it: a fingertip between them touches the panel. */
const NEAR = 0.05;
const THROUGH = 0.08;
/** Returns true if a fingertip touches the panel. */
export function isTouching({ distance }: Readonly<PanelHit>): boolean {
  return distance < NEAR && distance > -THROUGH;
}

/** Metres: a fingertip must go back so far in front of the panel before it can press again. */
const BACK = 0.008;

/**
 * One hand at a panel: where it points, and when it presses. A hand presses by closing while it points at the
 * panel, or by pushing the fingertip into the panel. It acts at that moment. Closing moves the hand, a bare
 * hand by centimetres, so the aim is kept from the moment when the hand begins to close.
 */
export class PanelHand {
  /** The last place on the panel, in pixels of its picture. */
  x = 0;
  y = 0;
  /** How the hand reaches the panel: by its pointing ray or by its fingertip; `none` if it does not. */
  way: 'none' | 'ray' | 'finger' = 'none';
  /** True from the press until the hand opens or the finger leaves. */
  pressing = false;
  /** True while the panel uses the hand's grip and trigger: until they are released. */
  busy = false;
  /** True while the hand is closing: its place on the panel is kept. */
  isAimKept = false;
  #closed = false;
  #closingAt = Number.NaN;
  #isBefore = false;

  /**
   * Updates the hand for one frame.
   * @param nowMs on any clock.
   * @param closed how firmly the hand is closed, 0 to 1.
   * @param way how the hand reaches the panel.
   * @param hit its place on the panel; null if it is not there.
   * @returns true in the frame in which it begins to press.
   */
  update(nowMs: number, closed: number, way: 'ray' | 'finger', hit: Readonly<PanelHit> | null): boolean {
    const wasClosed = this.#closed;
    this.#closed = closed > (wasClosed ? OPENS : CLOSES);
    this.isAimKept = this.#isClosing(nowMs, closed) && this.way === 'ray' && way === 'ray';
    if (!this.isAimKept) this.#follow(way, hit);
    const pokes = this.#poke(way === 'finger' ? hit : null);
    const isAt = this.way !== 'none';
    const begins = pokes || (isAt && this.#closed && !wasClosed);
    const isIn = this.way === 'finger' && !this.#isBefore;
    this.pressing = begins || (this.pressing && isAt && (this.#closed || isIn));
    this.busy = isAt || (this.busy && this.#closed);
    return begins;
  }

  #follow(way: 'ray' | 'finger', hit: Readonly<PanelHit> | null): void {
    this.way = hit === null ? 'none' : way;
    if (hit === null) return;
    this.x = hit.x;
    this.y = hit.y;
  }

  #isClosing(nowMs: number, closed: number): boolean {
    if (closed <= BEGINS) this.#closingAt = Number.NaN;
    else if (Number.isNaN(this.#closingAt)) this.#closingAt = nowMs;
    return nowMs - this.#closingAt < CLOSING_MS;
  }

  /** The hand is not tracked, or is busy elsewhere. */
  leave(): void {
    this.way = 'none';
    this.pressing = false;
    this.busy = false;
    this.isAimKept = false;
    this.#isBefore = false;
    // A hand that comes back closed must not press.
    this.#closed = true;
  }

  /** Returns true when a finger has come through the panel from its front. */
  #poke(finger: Readonly<PanelHit> | null): boolean {
    const wasBefore = this.#isBefore;
    if (finger === null) this.#isBefore = false;
    else if (finger.distance > BACK) this.#isBefore = true;
    else if (finger.distance <= 0) this.#isBefore = false;
    return finger !== null && finger.distance <= 0 && wasBefore;
  }
}
