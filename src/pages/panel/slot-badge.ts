import type { Slot } from '../../core/base/ids.ts';
import { MARK_BOX, slotLook } from '../../view/slots.ts';
import { el, svgPath } from './dom.ts';

/** A square in a slot's colour with the slot's mark. */
export function slotBadge(slot: Slot): HTMLElement {
  const { colour, mark } = slotLook(slot);
  return el('span', { class: 'badge', style: `background:${colour}` }, svgPath(mark.path, MARK_BOX, '#fff'));
}
