import './friend-arrows.css';
import { MAX_PLAYERS } from '../../../core/base/constants.ts';
import type { Slot } from '../../../core/base/ids.ts';
import type { PeerView } from '../../../core/peer/shown/peer-view.ts';
import { DROP, DROP_BOX } from '../../../view/players/edge-place.ts';
import { MARK_BOX, slotLook } from '../../../view/slots.ts';
import type { WorldView } from '../../../view/world-view.ts';
import { el, svgPath } from '../../panel/dom.ts';

/** CSS pixels: an arrow's side; the free space at the picture's sides, above and below; from one arrow to the next. */
const SIZE = 40;
const SIDES = 30;
const ABOVE = 92;
const BELOW = 40;
const STEP = 44;
/** The side of the mark in it. */
const MARK = 15;

/** Arrows at the edge of the picture, one for each friend out of sight, in its colour and with its mark. */
export class FriendArrows {
  readonly #element = el('div', { class: 'friend-arrows', 'aria-hidden': 'true' });
  readonly #arrows = Array.from({ length: MAX_PLAYERS }, (_, slot) => arrow(slot as Slot));

  constructor(container: HTMLElement) {
    this.#element.append(...this.#arrows.map(({ element }) => element));
    container.append(this.#element);
  }

  /**
   * Call it once a frame, when the camera is in its place.
   * @param world fills the window; null while it is seen in a headset.
   */
  show(view: PeerView, world: WorldView | null): void {
    this.#element.hidden = world === null;
    if (world === null) return;
    const [width, height] = [window.innerWidth, window.innerHeight];
    const shown: { x: number; y: number }[] = [];
    for (const { slot, present, head } of view.avatars) {
      const { element, drop } = this.#arrows[slot];
      const seen = present && slot !== view.self;
      const edge = seen ? world.edgeTowards(head.position) : null;
      element.hidden = edge === null;
      if (edge === null) continue;
      const x = SIDES + ((edge.x + 1) / 2) * (width - 2 * SIDES);
      const y = freeHeight(shown, x, ABOVE + ((1 - edge.y) / 2) * (height - ABOVE - BELOW));
      shown.push({ x, y });
      element.style.transform = `translate(${x.toFixed(1)}px, ${y.toFixed(1)}px)`;
      drop.style.transform = `rotate(${(-Math.atan2(edge.y * height, edge.x * width)).toFixed(3)}rad)`;
    }
  }

  dispose(): void {
    this.#element.remove();
  }
}

/** Where an arrow lies below others, if two friends are out of sight at one place. */
function freeHeight(shown: readonly { x: number; y: number }[], x: number, y: number): number {
  const isTaken = shown.some((other) => Math.abs(other.x - x) < SIZE && Math.abs(other.y - y) < SIZE);
  return isTaken ? freeHeight(shown, x, y + STEP) : y;
}

type Arrow = { readonly element: HTMLElement; readonly drop: SVGSVGElement };

function arrow(slot: Slot): Arrow {
  const { colour, mark } = slotLook(slot);
  const drop = svgPath(DROP, DROP_BOX, colour);
  const sign = svgPath(mark.path, MARK_BOX, '#fff');
  const inset = `${(SIZE - MARK) / 2}px`;
  Object.assign(sign.style, { inset, width: `${MARK}px`, height: `${MARK}px`, filter: 'none' });
  const element = el('div', { class: 'friend-arrow', hidden: true }, drop, sign);
  element.dataset.slot = String(slot);
  return { element, drop };
}
