import type { BodyId } from '../../../core/base/ids.ts';
import { NO_BODY, RIGHT } from '../../../core/base/ids.ts';
import type { Vector } from '../../../core/base/math.ts';
import { copyVector, distance, rotate, vector } from '../../../core/base/math.ts';
import type { PlayerInput } from '../../../core/hands/hand-input.ts';
import type { DeskAction } from '../../../storage/done-actions.ts';

/** Metres: a hand that throws moves at least this far in one tick, 0.6 m/s. */
const THROW_STEP = 0.01;
/** The share of a hand's step that counts in the next tick: a hand opens after its fastest tick, and frames may be few. */
const REMEMBERED = 0.92;
/** An action counts from these sums on, not by accident: radians looked, metres walked, ticks of a pushed stick. */
const LOOKED = 0.3;
const WALKED = 0.8;
const PUSHED = 6;

/**
 * Notices what a player does, from its input alone, with any device. One object watches one player, in every tick.
 */
export class ActionWatcher {
  readonly #onAction: (action: DeskAction) => void;
  readonly #eye: Vector = vector();
  readonly #gaze: Vector = vector();
  readonly #hand: Vector = vector();
  readonly #ahead: Vector = vector();
  #isFirst = true;
  #held: BodyId = NO_BODY;
  #swing = 0;
  #looked = 0;
  #walked = 0;
  #reached = 0;
  #turned = 0;

  /** @param onAction called for every action, also when it is repeated. */
  constructor(onAction: (action: DeskAction) => void) {
    this.#onAction = onAction;
  }

  /** @param held the body in the player's right hand after this tick. */
  tick({ head, hands }: PlayerInput, held: BodyId): void {
    const hand = hands[RIGHT];
    const ahead = rotate(head.rotation, FORWARD, this.#ahead);
    if (!this.#isFirst) {
      this.#looked += distance(ahead, this.#gaze);
      this.#walked += distance(head.position, this.#eye);
      this.#swing = Math.max(this.#swing * REMEMBERED, distance(hand.pose.position, this.#hand));
    }
    this.#isFirst = false;
    copyVector(ahead, this.#gaze);
    copyVector(head.position, this.#eye);
    copyVector(hand.pose.position, this.#hand);

    if (held !== NO_BODY) {
      this.#onAction('hold');
      this.#reached += Number(hand.stick.y !== 0);
      this.#turned += Number(hand.stick.x !== 0);
    } else if (this.#held !== NO_BODY && hand.tracked && hand.grip === 0 && this.#isThrow(hand)) {
      this.#onAction('throw');
    }
    this.#held = held;
    if (this.#looked > LOOKED) this.#onAction('look');
    if (this.#walked > WALKED) this.#onAction('walk');
    if (this.#reached > PUSHED) this.#onAction('reach');
    if (this.#turned > PUSHED) this.#onAction('turn');
  }

  /** A key throws without a swing; only the hand's trail tells of it. */
  #isThrow({ trail }: PlayerInput['hands'][number]): boolean {
    return this.#swing > THROW_STEP || (trail.broken && trail.count > 1);
  }
}

const FORWARD: Readonly<Vector> = { x: 0, y: 0, z: -1 };
