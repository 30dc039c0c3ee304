import type { PanelHit } from '../../../view/headset/panel-hit.ts';

/** How firmly a hand is closed, 0 to 1, when it begins to press, and below which it has let go. */
const CLOSES = 0.6;
const OPENS = 0.4;
/** How firmly a hand that is about to press is closed, and for how many milliseconds it may take to. */
const BEGINS = 0.12;
const CLOSING_MS = 350;
/** Metres before a panel, and behind it, within which a fingertip is at it. */
const NEAR = 0.05;
const THROUGH = 0.08;
/** Whether a fingertip before or behind a panel is at it. */
export function isTouching({ distance }: Readonly<PanelHit>): boolean {
  return distance < NEAR && distance > -THROUGH;
}

/** Metres before a panel to which a fingertip must come back before it can press again. */
const BACK = 0.008;

/**
 * One hand at a panel: where it is, and when it presses. A hand presses by closing on what it points at, or by
 * putting the fingertip to the panel, and it acts at that moment. Closing moves a hand, a bare one by centimetres: what
 * it points at counts as of when it began to close.
 */
export class PanelHand {
  /** Pixels of the panel's picture; as last seen. */
  x = 0;
  y = 0;
  /** Whether it is at the panel, and how. */
  way: 'none' | 'ray' | 'finger' = 'none';
  /** Whether it presses, or still does. */
  pressing = false;
  /** Whether its grip and trigger are the panel's: until they are let go. */
  busy = false;
  /** It is closing: where it points stays as it was. */
  isAimKept = false;
  #closed = false;
  #closingAt = Number.NaN;
  #isBefore = false;

  /**
   * One frame.
   * @param nowMs on any clock.
   * @param closed how firmly the hand is closed, 0 to 1.
   * @param hit where it is at the panel, by which way; null where it is not.
   * @returns whether it has begun to press.
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

  /** The hand is not seen, or has something else to do. */
  leave(): void {
    this.way = 'none';
    this.pressing = false;
    this.busy = false;
    this.isAimKept = false;
    this.#isBefore = false;
    // Whatever it does when it comes back, it has not pressed here.
    this.#closed = true;
  }

  /** A finger that came from before the panel has come through it. */
  #poke(finger: Readonly<PanelHit> | null): boolean {
    const wasBefore = this.#isBefore;
    if (finger === null) this.#isBefore = false;
    else if (finger.distance > BACK) this.#isBefore = true;
    else if (finger.distance <= 0) this.#isBefore = false;
    return finger !== null && finger.distance <= 0 && wasBefore;
  }
}
