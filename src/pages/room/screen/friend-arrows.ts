import './friend-arrows.css';
import { MAX_ROOM_PLAYERS } from '../../../core/base/constants.ts';
import type { BodyId, Slot } from '../../../core/base/ids.ts';
import { NO_BODY } from '../../../core/base/ids.ts';
import type { PeerView } from '../../../core/peer/shown/peer-view.ts';
import type { EdgePlace } from '../../../view/players/edge-place.ts';
import { DROP, DROP_BOX } from '../../../view/players/edge-place.ts';
import { MARK_BOX, slotLook } from '../../../view/slots.ts';
import type { WorldView } from '../../../view/world-view.ts';
import { nearestOffer, placeOf } from '../../giving/giving-step.ts';
import { el, svgPath } from '../../panel/dom.ts';
import type { CardPlace, WindowPlace } from './arrow-place.ts';
import { ARROW_SIZE, arrowPlace } from './arrow-place.ts';

/** The side of the mark in it. */
const MARK = 15;

/** The cards that no arrow covers. */
const CARDS = '.hints:not([hidden]), .waiting:not([hidden]), .room .offer';

/** The colour of an arrow to a body that glows, darker than the line around the body: on it stands a white sign. */
const GLOWING = '#a8640a';

/** A cube, for the arrow to one. */
const CUBE = 'M12 1.5 21.4 6.8v10.4L12 22.5 2.6 17.2V6.8zM12 4.3 6.7 7.3 12 10.3l5.3-3z';

/**
 * Arrows at the edge of the picture: one for each friend of the first slots that is out of sight, in its colour and with
 * its mark; and one to a cube in a friend's hand, within reach, or else to the body that glows.
 */
export class FriendArrows {
  readonly #container: HTMLElement;
  readonly #element = el('div', { class: 'friend-arrows', 'aria-hidden': 'true' });
  readonly #arrows = Array.from({ length: MAX_ROOM_PLAYERS }, (_, slot) => friendArrow(slot as Slot));
  readonly #toCube = arrow(CUBE);

  /** @param container has the page's cards, too. */
  constructor(container: HTMLElement) {
    this.#container = container;
    this.#toCube.element.classList.add('to-cube');
    this.#element.append(...this.#arrows.map(({ element }) => element), this.#toCube.element);
    container.append(this.#element);
  }

  /**
   * Call it once a frame, when the camera is in its place.
   * @param world fills the window; null while it is seen in a headset.
   * @param glow the body that glows, or NO_BODY.
   */
  show(view: PeerView, world: WorldView | null, glow: BodyId): void {
    this.#element.hidden = world === null;
    if (world === null) return;
    const shown: WindowPlace[] = [];
    const cards = Array.from(this.#container.querySelectorAll(CARDS))
      .filter((card) => getComputedStyle(card).visibility === 'visible')
      .map((card) => card.getBoundingClientRect());
    const put = (arrow: Arrow, edge: EdgePlace | null): void => place(arrow, edge, shown, cards);
    for (const { slot, present, head } of view.avatars) {
      if (slot >= MAX_ROOM_PLAYERS) continue;
      const seen = present && slot !== view.self;
      put(this.#arrows[slot], seen ? world.edgeTowards(head.position) : null);
    }
    const offer = nearestOffer(view);
    const body = offer?.body ?? glow;
    this.#toCube.element.style.color = offer === null ? GLOWING : slotLook(offer.friend).colour;
    put(this.#toCube, body === NO_BODY ? null : world.edgeTowards(placeOf(view, body)));
  }

  dispose(): void {
    this.#element.remove();
  }
}

/**
 * Puts an arrow at the edge.
 * @param edge null: it is hidden.
 * @param shown the places of the arrows that are there already; this one's is added.
 * @param cards that are not to be covered.
 */
function place(
  { element, drop }: Arrow,
  edge: EdgePlace | null,
  shown: WindowPlace[],
  cards: readonly CardPlace[],
): void {
  element.hidden = edge === null;
  if (edge === null) return;
  const size = { width: window.innerWidth, height: window.innerHeight };
  const { x, y } = arrowPlace(edge, size, shown, cards);
  shown.push({ x, y });
  element.style.transform = `translate(${x.toFixed(1)}px, ${y.toFixed(1)}px)`;
  drop.style.transform = `rotate(${(-Math.atan2(edge.y * size.height, edge.x * size.width)).toFixed(3)}rad)`;
}

type Arrow = { readonly element: HTMLElement; readonly drop: SVGSVGElement };

function friendArrow(slot: Slot): Arrow {
  const { colour, mark } = slotLook(slot);
  const made = arrow(mark.path);
  made.element.style.color = colour;
  made.element.dataset.slot = String(slot);
  return made;
}

/** @param path of the sign in it. */
function arrow(path: string): Arrow {
  const drop = svgPath(DROP, DROP_BOX, 'currentColor');
  const sign = svgPath(path, MARK_BOX, '#fff');
  const inset = `${(ARROW_SIZE - MARK) / 2}px`;
  Object.assign(sign.style, { inset, width: `${MARK}px`, height: `${MARK}px`, filter: 'none' });
  const element = el('div', { class: 'friend-arrow', hidden: true }, drop, sign);
  return { element, drop };
}
