import { Vector3 } from 'three';

/**
 * Radians from the gaze within which hints are read with the eyes alone: below the news, which are 0.27 below it. Quest 3
 * shows 0.8 to each side and 0.85 down.
 */
const READABLE = 0.6;
/** Metres from the eye to hints that are brought into the gaze, at least. */
const NEAREST = 0.45;
/**
 * Radians from the gaze to the hand's own side. If the hints begin farther out than the first number, they extend
 * inwards instead of outwards; below the second, outwards again. A hint is up to 0.4 rad long.
 */
const TURNS_AT = 0.3;
const TURNS_BACK_AT = 0.2;

/** The place of the hints of a hand. */
export class HintPlace {
  /** In the world: the point beside which the hints begin. */
  readonly anchor = new Vector3();
  /** 1: the hints go to the right of the anchor; -1: to its left. */
  outwards: 1 | -1;
  readonly #side: 1 | -1;
  readonly #toHand = new Vector3();

  /** @param side 1 for the right hand, -1 for the left one. */
  constructor(side: 1 | -1) {
    this.#side = side;
    this.outwards = side;
  }

  /**
   * Finds the place: at the hand, or on the way from there to the gaze, if the hand is out of it.
   * @param ahead of the head, of length 1.
   * @param right of the head, of length 1.
   */
  find(eye: Vector3, ahead: Vector3, right: Vector3, hand: Vector3): void {
    const toHand = this.#toHand.subVectors(hand, eye);
    const far = toHand.length();
    toHand.divideScalar(far);
    const away = Math.acos(Math.min(1, Math.max(-1, toHand.dot(ahead))));
    this.anchor.copy(hand);
    if (away > READABLE) {
      // Between the two directions, at READABLE from the gaze; a hand right behind the head has no such way.
      const [sine, most] = [Math.sin(away), Math.max(far, NEAREST)];
      if (sine > 1e-3) {
        toHand.multiplyScalar(Math.sin(READABLE) / sine);
        toHand.addScaledVector(ahead, Math.sin(away - READABLE) / sine);
      } else toHand.copy(ahead);
      this.anchor.copy(eye).addScaledVector(toHand, most);
    }
    const aside = Math.asin(Math.min(1, Math.max(-1, toHand.dot(right)))) * this.#side;
    const turns = this.outwards === this.#side ? aside > TURNS_AT : aside > TURNS_BACK_AT;
    this.outwards = (turns ? -this.#side : this.#side) as 1 | -1;
  }
}
