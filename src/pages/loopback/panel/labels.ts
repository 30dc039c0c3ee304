import type { Slot } from '../../../core/base/ids.ts';
import type { Pane, PaneRectangles } from '../../../input/panes.ts';
import { GUEST_PANE, HOST_PANE } from '../../../input/panes.ts';
import { slotLook } from '../../../view/slots.ts';
import { slotBadge } from '../../panel/slot-badge.ts';
import { el } from '../../panel/dom.ts';

/** The peer that each pane shows. */
const PANES: readonly { readonly pane: Pane; readonly role: string; readonly slot: Slot }[] = [
  { pane: HOST_PANE, role: 'Host', slot: 0 as Slot },
  { pane: GUEST_PANE, role: 'Guest', slot: 1 as Slot },
];

export type Labels = {
  /** Puts each label over its pane. */
  place(panes: PaneRectangles): void;
  /** Marks the pane that receives key presses. */
  setActive(pane: Pane): void;
  /** [G4] Shows for a moment that player `to` now has the body that a hand of this pane held. */
  showLost(pane: Pane, to: Slot): void;
};

/** Milliseconds that the text of `showLost` stays: long enough to be read. */
const SAID_FOR = 2600;

/** Creates the label and the frame over each pane. A label is a button that makes its pane active. */
export function createLabels(container: HTMLElement, onActivate: (pane: Pane) => void): Labels {
  const labels = PANES.map(({ pane, role, slot }) => {
    const { name, colour } = slotLook(slot);
    const button = el(
      'button',
      { type: 'button', class: 'label', 'aria-pressed': 'false', title: `Key ${pane + 1}` },
      slotBadge(slot),
      el('span', {}, el('b', {}, role), ` · ${name}`),
    );
    button.addEventListener('click', () => onActivate(pane));
    const said = el('p', { class: 'said', role: 'status', hidden: true });
    const frame = el('div', { class: 'pane', style: `--slot:${colour}` }, button, said);
    container.append(frame);
    return { pane, button, frame, said, hiding: 0 };
  });

  const setActive = (active: Pane): void => {
    for (const { pane, button, frame } of labels) {
      button.setAttribute('aria-pressed', String(pane === active));
      frame.classList.toggle('active', pane === active);
    }
  };
  setActive(HOST_PANE);
  return {
    setActive,
    showLost(pane, to) {
      const label = labels[pane];
      label.said.replaceChildren(
        slotBadge(to),
        ` ${PANES[to]?.role ?? 'Another player'} has it: that hand was first.`,
      );
      label.said.hidden = false;
      clearTimeout(label.hiding);
      label.hiding = window.setTimeout(() => (label.said.hidden = true), SAID_FOR);
    },
    place(panes) {
      for (const { pane, frame } of labels) {
        const { x, y, width, height } = panes[pane];
        frame.style.left = `${x}px`;
        frame.style.top = `${y}px`;
        frame.style.width = `${width}px`;
        frame.style.height = `${height}px`;
      }
    },
  };
}
