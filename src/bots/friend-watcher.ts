import type { BodyId, Slot } from '../core/base/ids.ts';
import { HAND_SIDES, NO_BODY, NOT_HELD } from '../core/base/ids.ts';
import { TICK_RATE } from '../core/base/constants.ts';
import type { ReadonlyVector } from '../core/base/math.ts';
import { distance, vector } from '../core/base/math.ts';
import type { AvatarView } from '../core/peer/shown/peer-view.ts';
import type { BotSight } from './bot.ts';
import { positionOf, speedOf } from './bot.ts';

/** Ticks for which a cube must be held out to the helper before it notices. */
const NOTICING = 25;
/** Ticks for which the player may keep what it was given where it got it: the helper does not take it back at once. */
const KEEPING = 8 * TICK_RATE;
/** Metres from the helper's eyes up to which a cube is held out to it, and m/s up to which it is held still. */
const HELD_OUT = 1.7;
const HELD_STILL = 1;

/** The other player, as the helper sees it. */
export type Friend = Pick<AvatarView, 'head' | 'hands'>;

/** Notices for a helper what the other player does: that it reaches for the helper's cube, or that it holds one out. */
export class FriendWatcher {
  readonly #helper: Slot;
  /** The ticks for which the player has reached for the helper's cube. */
  reachTicks = 0;
  #heldOut: BodyId = NO_BODY;
  #heldOutTicks = 0;
  /** The body that the helper gave last, until the player has carried it away or had it for a while. */
  #given: BodyId = NO_BODY;
  #givenTicks = 0;

  /** @param helper the helper's slot. */
  constructor(helper: Slot) {
    this.#helper = helper;
  }

  /** The body that the player has held out for NOTICING; NO_BODY if there is none. */
  get offered(): BodyId {
    return this.#heldOutTicks > NOTICING ? this.#heldOut : NO_BODY;
  }

  /**
   * Call it once a tick.
   * @param friend the other player; null while it is not there.
   * @param eyes the helper's.
   * @param held the body that the helper has to do with; NO_BODY if there is none.
   */
  watch(sight: BotSight, friend: Friend | null, eyes: ReadonlyVector, held: BodyId): void {
    const reaches = friend?.hands.some(({ reach }) => reach !== NO_BODY && reach === held) === true;
    this.reachTicks = reaches ? this.reachTicks + 1 : 0;
    this.#givenTicks++;
    const isAway = this.#given !== NO_BODY && distanceTo(this.#given, sight, eyes) > HELD_OUT;
    if (isAway || this.#givenTicks > KEEPING) this.#given = NO_BODY;
    const heldOut = friend === null ? NO_BODY : this.#heldOutBy(friend, sight, eyes);
    this.#heldOutTicks = heldOut !== NO_BODY && heldOut === this.#heldOut ? this.#heldOutTicks + 1 : 0;
    this.#heldOut = heldOut;
  }

  /** The helper does something else: how long the player reached before does not count. */
  forgetReach(): void {
    this.reachTicks = 0;
  }

  /** The helper has given a body to the player. */
  hasGiven(body: BodyId): void {
    this.#given = body;
    this.#givenTicks = 0;
  }

  #heldOutBy({ hands }: Friend, sight: BotSight, eyes: ReadonlyVector): BodyId {
    for (const side of HAND_SIDES) {
      const { held } = hands[side];
      if (held === NO_BODY || held === this.#given || this.#isHelpers(held, sight)) continue;
      if (speedOf(held, sight) > HELD_STILL) continue;
      if (distanceTo(held, sight, eyes) < HELD_OUT) return held;
    }
    return NO_BODY;
  }

  #isHelpers(body: BodyId, { records }: BotSight): boolean {
    return records.hold[body] !== NOT_HELD && records.authority[body] === this.#helper;
  }
}

function distanceTo(body: BodyId, sight: BotSight, eyes: ReadonlyVector): number {
  return distance(positionOf(body, sight, place), eyes);
}

const place = vector();
