import { el, setText, uniqueId } from '../../panel/dom.ts';
import type { AddingState } from '../bodies/adding.ts';
import type { AddHandlers } from '../bodies/room-bodies.ts';
import type { Part } from './menu-parts.ts';
import { button, iconButton, setAttribute } from './menu-parts.ts';

/** The button in the bar that opens a panel to add bodies, and that panel; both are there if the level allows it. */
export type AddPart = {
  readonly opener: Part;
  readonly panel: HTMLElement;
  close(): void;
};

/** @param onOpen called when the panel opens: another panel may be in its place. */
export function createAdd(handlers: AddHandlers, onOpen: () => void): AddPart {
  const title = uniqueId('add');
  const kinds = el('div', { class: 'kinds' });
  const out = el('p', { class: 'aside', role: 'status' });
  const close = iconButton(() => leave());
  close.show('close', 'Close the panel');
  const last = button('Remove last', () => handlers.onRemoveLast());
  const all = button('Remove all', () => handlers.onRemoveAll());
  const panel = el(
    'section',
    { class: 'card add', id: uniqueId('add'), 'aria-labelledby': title, hidden: true },
    el('header', {}, el('h2', { id: title }, 'Add'), close.element),
    kinds,
    out,
    el('div', { class: 'actions' }, last, all),
  );
  const setOpen = (open: boolean): void => {
    panel.hidden = !open;
    setAttribute(opener.element, 'aria-expanded', String(open));
    if (open) onOpen();
  };
  const opener = iconButton(() => setOpen(panel.hidden === true), {
    class: 'pill icon add-opener',
    'aria-expanded': 'false',
    'aria-controls': panel.id,
    hidden: true,
  });
  opener.show('add', 'Add something (key N: the same again)');
  const leave = (): void => {
    setOpen(false);
    opener.element.focus();
  };
  // Whoever has opened it with the mouse is still at its opener.
  for (const part of [panel, opener.element]) {
    part.addEventListener('keydown', (event) => {
      if (event.key !== 'Escape' || panel.hidden === true) return;
      event.preventDefault();
      leave();
    });
  }
  let shown = '';
  return {
    opener: {
      element: opener.element,
      show({ adding }) {
        opener.element.hidden = adding === null;
        if (adding === null) setOpen(false);
        if (adding === null || panel.hidden) return;
        if (shown !== adding.names.join()) {
          shown = adding.names.join();
          kinds.replaceChildren(...adding.names.map((name, i) => button(name, () => handlers.onAdd(i))));
        }
        setText(out, describeOut(adding));
        last.disabled = all.disabled = adding.out === 0;
      },
    },
    panel,
    close: () => setOpen(false),
  };
}

/** @returns for example "You have added 3 of 16." */
export function describeOut({ out, most }: Pick<AddingState, 'out' | 'most'>): string {
  return out === 0 ? `You may add up to ${most}.` : `You have added ${out} of ${most}.`;
}
