import type { Slot } from '../../core/base/ids.ts';
import { MARK_BOX, slotLook } from '../../view/slots.ts';
import { el, svgPath } from './dom.ts';

/** A slot's colour with its mark on it. */
export function slotChip(slot: Slot): HTMLElement {
  const { colour, mark } = slotLook(slot);
  return el('span', { class: 'chip', style: `background:${colour}` }, svgPath(mark.path, MARK_BOX, '#fff'));
}
