import type { EdgePlace } from '../../../view/players/edge-place.ts';

/** CSS pixels: an arrow's side; the free space at the picture's sides, above and below; from one arrow to the next. */
export const ARROW_SIZE = 40;
const SIDES = 30;
const ABOVE = 92;
const BELOW = 40;
const STEP = 44;
/** CSS pixels between an arrow and a card. */
const GAP = 4;

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
 * Returns where an arrow goes: at the edge, beside cards, and below or above other arrows.
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
  const card = cards.find((each) => covers(each, x, wanted));
  if (card === undefined) return { x, y: freeHeight(shown, x, wanted, STEP) };
  const { top, bottom } = card;
  const away = ARROW_SIZE / 2 + GAP;
  // On that side of the card where the middle of the window is.
  const isLow = top + bottom > height;
  const y = isLow ? freeHeight(shown, x, top - away, -STEP) : freeHeight(shown, x, bottom + away, STEP);
  return { x, y };
}

/** Where an arrow lies below others, or above them, if two friends are out of sight at one place. @param step to the next place. */
function freeHeight(shown: readonly WindowPlace[], x: number, y: number, step: number): number {
  const isTaken = shown.some(
    (other) => Math.abs(other.x - x) < ARROW_SIZE && Math.abs(other.y - y) < ARROW_SIZE,
  );
  return isTaken ? freeHeight(shown, x, y + step, step) : y;
}

/** True if an arrow at this place would lie over a card. */
function covers({ left, right, top, bottom }: CardPlace, x: number, y: number): boolean {
  const reach = ARROW_SIZE / 2;
  return x + reach > left && x - reach < right && y + reach > top && y - reach < bottom;
}
