import type { Attributes } from '../../panel/dom.ts';
import { el, svgPath, uniqueId } from '../../panel/dom.ts';
import type { RoomModel } from '../model.ts';

/** A part of the menu: made once, and updated in place by `show`. */
export type Part = { readonly element: HTMLElement; show(model: RoomModel): void };

/** The same part, hidden while the player practises: it is about a room with friends. */
export function forRooms(part: Part): Part {
  const { element } = part;
  return {
    element,
    show(model) {
      if (model.isPractice) element.hidden = true;
      else part.show(model);
    },
  };
}

/** The side of the square in which the icons are drawn, in units of their paths. */
export const ICON_BOX = 24;
const MICROPHONE =
  'M12 2a3.6 3.6 0 0 1 3.6 3.6v5.8a3.6 3.6 0 0 1-7.2 0V5.6A3.6 3.6 0 0 1 12 2zM4.6 11h2.1a5.3 5.3 0 0 0 10.6 0h2.1a7.4 7.4 0 0 1-6.3 7.3V22h-2.2v-3.7A7.4 7.4 0 0 1 4.6 11z';
const SPEAKER = 'M3 9h4l6-5v16l-6-5H3z';
/** SVG path data of the icons. */
export const ICONS = {
  menu: 'M3 5.5h18v2.2H3zM3 10.9h18v2.2H3zM3 16.3h18v2.2H3z',
  add: 'M10.7 4h2.6v6.7H20v2.6h-6.7V20h-2.6v-6.7H4v-2.6h6.7z',
  close: 'M5.5 4 12 10.5 18.5 4 20 5.5 13.5 12 20 18.5 18.5 20 12 13.5 5.5 20 4 18.5 10.5 12 4 5.5z',
  microphone: MICROPHONE,
  'no microphone': `${MICROPHONE}M3.6 2 22 20.4 20.4 22 2 3.6z`,
  alert: 'M12 2.2 23 21.5H1zM10.9 9v6.2h2.2V9zM10.9 16.8v2.2h2.2v-2.2z',
  speaker: `${SPEAKER}M15 9.7l1.2-1.6a5 5 0 0 1 0 7.8L15 14.3a3 3 0 0 0 0-4.6zM17.6 6.4l1.3-1.6a9.2 9.2 0 0 1 0 14.4l-1.3-1.6a7.1 7.1 0 0 0 0-11.2z`,
  'no speaker': `${SPEAKER}M16.4 8.2 18.7 10.5 21 8.2 22.3 9.5 20 11.8 22.3 14.1 21 15.4 18.7 13.1 16.4 15.4 15.1 14.1 17.4 11.8 15.1 9.5z`,
  wave: 'M7.6 4.7a1.25 1.25 0 0 1 2.5 0V11h.9V3.2a1.25 1.25 0 0 1 2.5 0V11h.9V4.4a1.25 1.25 0 0 1 2.5 0v7.4h.9V7.2a1.25 1.25 0 0 1 2.5 0V15a7 7 0 0 1-7 7h-.7a7 7 0 0 1-5.6-2.8L3 13.9a1.45 1.45 0 0 1 2.2-1.9l2.4 2.4z',
  crown: 'M2.6 6.4 7.4 10.6 12 3.6l4.6 7 4.8-4.2-1.8 11H4.4zM4.4 18.9h15.2v2.1H4.4z',
  eye: 'M12 5c5 0 8.7 3.6 10.4 7-1.7 3.4-5.4 7-10.4 7S3.3 15.4 1.6 12C3.3 8.6 7 5 12 5zm0 2.6a4.4 4.4 0 1 0 0 8.8 4.4 4.4 0 0 0 0-8.8zm0 2.2a2.2 2.2 0 1 1 0 4.4 2.2 2.2 0 0 1 0-4.4z',
  lock: 'M7 10V7.5a5 5 0 0 1 10 0V10h2v11H5V10zM9.1 10h5.8V7.5a2.9 2.9 0 0 0-5.8 0z',
} as const;
export type IconName = keyof typeof ICONS;

export function icon(name: IconName): SVGSVGElement {
  return svgPath(ICONS[name], ICON_BOX, 'currentColor');
}

export function button(text: string, onClick: () => void, attributes: Attributes = {}): HTMLButtonElement {
  const element = el('button', { type: 'button', ...attributes }, text);
  element.addEventListener('click', onClick);
  return element;
}

/**
 * A button that shows an icon; a label names it for screen readers, and when the pointer rests on it. A word may stand
 * below the icon, for those who only look.
 */
export type IconButton = {
  readonly element: HTMLButtonElement;
  show(name: IconName, label: string, word?: string): void;
};

export function iconButton(onClick: () => void, attributes: Attributes = {}): IconButton {
  const element = button('', onClick, { class: 'icon', ...attributes });
  let shown = '';
  return {
    element,
    show(name, label, word = '') {
      if (shown !== name + word)
        element.replaceChildren(icon(name), ...(word === '' ? [] : [el('span', {}, word)]));
      shown = name + word;
      setAttribute(element, 'aria-label', label);
      setAttribute(element, 'title', label);
    },
  };
}

/** Sets an attribute only if it differs: a screen reader may announce each change. */
export function setAttribute(element: Element, name: string, value: string): void {
  if (element.getAttribute(name) !== value) element.setAttribute(name, value);
}

/** A part of the menu under its own heading. */
export function section(title: string, ...children: HTMLElement[]): HTMLElement {
  const id = uniqueId('section');
  return el('section', { 'aria-labelledby': id }, el('h3', { id }, title), ...children);
}

/** A bar that shows how loud a voice is, 0 to 1. It is hidden from screen readers, since it changes all the time. */
export type MeterElement = { readonly element: HTMLElement; show(level: number): void };

export function meter(): MeterElement {
  const bar = el('i');
  return {
    element: el('span', { class: 'meter', 'aria-hidden': 'true' }, bar),
    show(level) {
      bar.style.transform = `scaleX(${Math.min(1, Math.max(0, level)).toFixed(2)})`;
    },
  };
}

/** A question before something that the player could not undo. */
export type Question = {
  readonly element: HTMLElement;
  /** @param answer the text of the button that agrees, if it is not the one of the beginning. */
  ask(question: string, answer?: string): void;
  close(): void;
};

/** @param onAnswer called with the answer, after the question was hidden. */
export function createQuestion(yes: string, no: string, onAnswer: (agreed: boolean) => void): Question {
  const text = el('p');
  const answer = (agreed: boolean) => (): void => {
    element.hidden = true;
    onAnswer(agreed);
  };
  const refuse = button(no, answer(false));
  const agree = button(yes, answer(true), { class: 'grave' });
  const element = el(
    'div',
    { class: 'question', role: 'group', hidden: true },
    text,
    el('div', { class: 'actions' }, refuse, agree),
  );
  return {
    element,
    ask(question, answer = yes) {
      text.textContent = question;
      agree.textContent = answer;
      element.setAttribute('aria-label', question);
      element.hidden = false;
      // The harmless answer has the focus, so that a key that is pressed twice does no harm.
      refuse.focus();
    },
    close: () => (element.hidden = true),
  };
}
