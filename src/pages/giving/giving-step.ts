import type { BodyId, HandSide, Slot } from '../../core/base/ids.ts';
import { HAND_SIDES, LEFT, NO_BODY, RIGHT } from '../../core/base/ids.ts';
import type { ReadonlyVector } from '../../core/base/math.ts';
import { distance, wrapAngle } from '../../core/base/math.ts';
import { POSE_STRIDE } from '../../core/base/state.ts';
import type { AvatarView, PeerView } from '../../core/peer/shown/peer-view.ts';
import { isTied } from './tied.ts';
import type { HandOverAction } from '../../storage/done-actions.ts';

/** Metres from a head to a body within which that player's hand surely reaches it [A9.2]. */
const TAKEN_WITHIN = 2.9;
/**
 * Radians between a friend's gaze at its giver and a body that it surely sees: an upright phone shows 0.36 on each side.
 * While the step is `hold still`, a little more is allowed.
 */
const ASIDE = 0.27;
const ASIDE_STILL = 0.33;
/** Metres along the floor from a friend's head: a nearer body is at the friend's hand, on whichever side it is. */
const AT_HAND = 0.7;
/** Milliseconds for which the step `keep` stays on the screen after the player has let go too early. */
const KEPT_MS = 1500;
/** Milliseconds for which no step asks a player to take back what it has just given: first the friend enjoys it. */
const ENJOYED_MS = 4000;

/**
 * The step of a hand-over [A9] that a player can take now. To give: `pick up` a body, `hold out` the held one, `hold
 * still` because the friend reaches it now, `let go` because the friend reaches for it. To take: `press` the friend's
 * body, after `put down` of the own one, and `keep` pressing until the friend lets go.
 */
export type GivingStep = {
  readonly kind: 'pick up' | 'hold out' | 'hold still' | 'let go' | 'put down' | 'press' | 'keep';
  readonly friend: Slot;
  /** The player's own hand that it is for. */
  readonly side: HandSide;
};

/** Says whether the player has done one half of a hand-over before: that half needs no step. */
export type Knows = (half: HandOverAction) => boolean;

/** The half of a hand-over that a step belongs to. */
export function halfOf({ kind }: GivingStep): HandOverAction {
  return kind === 'put down' || kind === 'press' || kind === 'keep' ? 'take' : 'give';
}

/**
 * Returns the next step for the player of a view; null if nobody else is there, or nothing is left to learn. Of two
 * players who hold a body out to each other, the one in the lower slot gives first.
 * @param wasStill the step before was `hold still`: a small movement does not change it.
 * @param kept a body that a friend may keep: no step asks for it.
 */
export function givingStep(
  view: PeerView,
  knows: Knows,
  wasStill = false,
  kept: BodyId = NO_BODY,
): GivingStep | null {
  const own = view.self < 0 ? undefined : view.avatars[view.self];
  const friends = view.avatars.filter(({ present, slot }) => present && slot !== view.self);
  if (own === undefined || friends.length === 0) return null;
  const under = knows('give') ? null : letGo(view, own, friends);
  if (under !== null) return under;
  const offer = knows('take') ? null : offerOf(view, own, friends, kept);
  const isLoose = (body: BodyId): boolean => body !== NO_BODY && !isTied(view, body);
  const full = HAND_SIDES.find((side) => isLoose(own.hands[side].held));
  if (offer !== null) {
    const { friend, body } = offer;
    const reaching = HAND_SIDES.find((side) => own.hands[side].reach === body);
    if (reaching !== undefined) return { kind: 'keep', friend, side: reaching };
    const free = freeHand(own, placeOf(view, body));
    if (free !== null) return { kind: 'press', friend, side: free };
    if (full !== undefined && (friend < own.slot || knows('give')))
      return { kind: 'put down', friend, side: full };
  }
  if (knows('give')) return null;
  const { slot: friend, head } = nearestTo(own.head.position, friends);
  if (full === undefined && own.hands.some(({ held }) => held !== NO_BODY)) return null;
  if (full === undefined) return { kind: 'pick up', friend, side: RIGHT };
  const body = placeOf(view, own.hands[full].held);
  const isBetween = distance(own.head.position, body) < distance(own.head.position, head.position);
  const isNear = isBetween && distance(head.position, body) < TAKEN_WITHIN;
  const isSeen = isBefore(head.position, own.head.position, body, wasStill ? ASIDE_STILL : ASIDE);
  return { kind: isNear && isSeen ? 'hold still' : 'hold out', friend, side: full };
}

/**
 * True if a friend that looks at this player sees the body before it, even in a narrow picture.
 * @param within radians to each side.
 */
function isBefore(
  friend: ReadonlyVector,
  own: ReadonlyVector,
  body: ReadonlyVector,
  within: number,
): boolean {
  const [x, z] = [body.x - friend.x, body.z - friend.z];
  if (Math.hypot(x, z) < AT_HAND) return true;
  const aside = Math.atan2(x, z) - Math.atan2(own.x - friend.x, own.z - friend.z);
  return Math.abs(wrapAngle(aside)) < within;
}

/** Another player's hand reaches for a body in a hand of this player. */
function letGo(view: PeerView, own: AvatarView, friends: readonly AvatarView[]): GivingStep | null {
  for (const side of HAND_SIDES) {
    const { held } = own.hands[side];
    const friend = friends.find(({ hands }) => hands.some(({ reach }) => reach === held));
    if (held !== NO_BODY && friend !== undefined && !isTied(view, held))
      return { kind: 'let go', friend: friend.slot, side };
  }
  return null;
}

/** A body in another player's hand that this player could take. */
export type Offer = { readonly friend: Slot; readonly body: BodyId };

/**
 * Returns the body in another player's hand that is nearest to the player of a view, within reach, and not beyond its
 * holder; null if there is none.
 */
export function nearestOffer(view: PeerView): Offer | null {
  if (view.self < 0) return null;
  const friends = view.avatars.filter(({ present, slot }) => present && slot !== view.self);
  return offerOf(view, view.avatars[view.self], friends);
}

function offerOf(
  view: PeerView,
  own: AvatarView,
  friends: readonly AvatarView[],
  kept: BodyId = NO_BODY,
): Offer | null {
  let nearest = TAKEN_WITHIN;
  let offer: Offer | null = null;
  for (const { slot: friend, head, hands } of friends) {
    const toFriend = distance(own.head.position, head.position);
    for (const { held: body } of hands) {
      if (body === NO_BODY || body === kept || isTied(view, body)) continue;
      const far = distance(own.head.position, placeOf(view, body));
      // A body that a hand reaches for already may be a little further away.
      if (own.hands.some(({ reach }) => reach === body)) return { friend, body };
      if (far >= nearest || far >= toFriend) continue;
      nearest = far;
      offer = { friend, body };
    }
  }
  return offer;
}

/** Returns the empty hand nearest to a place; null if both are full. At a desk no hand may be seen yet: the right one. */
function freeHand({ hands }: AvatarView, place: ReadonlyVector): HandSide | null {
  const free = HAND_SIDES.filter((side) => hands[side].tracked && hands[side].held === NO_BODY);
  if (free.length === 0) return hands.some(({ tracked }) => tracked) ? null : RIGHT;
  const far = (side: HandSide): number => distance(hands[side].pose.position, place);
  return free.length === 2 && far(LEFT) < far(RIGHT) ? LEFT : free[free.length - 1];
}

function nearestTo(eye: ReadonlyVector, friends: readonly AvatarView[]): AvatarView {
  return friends.reduce((best, each) =>
    distance(each.head.position, eye) < distance(best.head.position, eye) ? each : best,
  );
}

/** Where a body is drawn. */
export function placeOf({ poses }: PeerView, body: BodyId): ReadonlyVector {
  const [x = 0, y = 0, z = 0] = poses.subarray(body * POSE_STRIDE, body * POSE_STRIDE + 3);
  return { x, y, z };
}

/** Follows the steps from frame to frame, so that a step of a moment can be read. */
export class GivingSteps {
  #step: GivingStep | null = null;
  #keptAt = -Infinity;
  /** The body that the player gave last, and the time of the first frame after that; NaN until that frame. */
  #given: BodyId = NO_BODY;
  #givenAt = Number.NaN;

  /** The player has given a body to a friend: for a while no step asks to take it back. */
  gave(body: BodyId): void {
    this.#given = body;
    this.#givenAt = Number.NaN;
  }

  /** Returns the step for a frame. @param nowMs on any clock. */
  next(view: PeerView, knows: Knows, nowMs: number): GivingStep | null {
    if (Number.isNaN(this.#givenAt)) this.#givenAt = nowMs;
    if (nowMs - this.#givenAt > ENJOYED_MS) this.#given = NO_BODY;
    const step = givingStep(view, knows, this.#step?.kind === 'hold still', this.#given);
    if (step?.kind === 'keep') this.#keptAt = nowMs;
    const hasLetGo = this.#step?.kind === 'keep' && step?.kind === 'press';
    if (!hasLetGo || nowMs - this.#keptAt > KEPT_MS) this.#step = step;
    return this.#step;
  }
}
