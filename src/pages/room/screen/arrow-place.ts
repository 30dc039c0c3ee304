import type { EdgePlace } from '../../../view/players/edge-place.ts';

/** CSS pixels: an arrow's side; the free space at the picture's sides, above and below; from one place to the next. */
export const ARROW_SIZE = 40;
const SIDES = 30;
const ABOVE = 92;
const BELOW = 40;
const STEP = 44;
/** Places that are tried at most: each card and each other arrow takes a few of them. */
const MOST_STEPS = 20;

/** CSS pixels from the window's left and upper edge: the middle of an arrow. */
export type WindowPlace = { readonly x: number; readonly y: number };

/** CSS pixels: a card that no arrow covers, as a DOMRect has it. */
export type CardPlace = {
  readonly left: number;
  readonly right: number;
  readonly top: number;
  readonly bottom: number;
};

/**
 * Returns where an arrow goes: at the edge, over no card and no other arrow.
 * @param edge the direction in which it points.
 * @param shown the places of the arrows that are there already.
 */
export function arrowPlace(
  edge: EdgePlace,
  { width, height }: { readonly width: number; readonly height: number },
  shown: readonly WindowPlace[],
  cards: readonly CardPlace[],
): WindowPlace {
  const x = SIDES + ((edge.x + 1) / 2) * (width - 2 * SIDES);
  const wanted = ABOVE + ((1 - edge.y) / 2) * (height - ABOVE - BELOW);
  const isFree = (y: number): boolean =>
    !cards.some((card) => covers(card, x, y)) &&
    !shown.some((other) => Math.abs(other.x - x) < ARROW_SIZE && Math.abs(other.y - y) < ARROW_SIZE);
  // Towards the middle of the window, where there is room.
  const step = wanted > height / 2 ? -STEP : STEP;
  let y = wanted;
  for (let i = 0; i < MOST_STEPS && !isFree(y); i++) y += step;
  const reach = ARROW_SIZE / 2;
  return { x, y: Math.max(reach, Math.min(height - reach, y)) };
}

/** True if an arrow at this place would lie over a card. */
function covers({ left, right, top, bottom }: CardPlace, x: number, y: number): boolean {
  const reach = ARROW_SIZE / 2;
  return x + reach > left && x - reach < right && y + reach > top && y - reach < bottom;
}
