import { el, setText } from '../panel/dom.ts';

/** Called when a player in the lobby chooses something to do without friends. */
export type DoorHandlers = {
  /** Practise with a bot. */
  onPractise(): void;
  /** Choose a recording, and watch it. */
  onWatch(): void;
};

/** The doors for a player alone. */
export type Doors = {
  readonly element: HTMLElement;
  /** @param notice a sentence about a door that did not open; '' for none. */
  show(notice: string): void;
};

/** Creates the doors to practice and to recordings. */
export function createDoors(handlers: DoorHandlers): Doors {
  const practise = el(
    'a',
    { class: 'door', href: '?view=practice' },
    el('b', {}, 'Practise'),
    el('span', {}, 'A bot hands you cubes, and builds with you'),
  );
  practise.addEventListener('click', (event) => {
    // Another tab was asked for.
    if (event.ctrlKey || event.metaKey || event.shiftKey) return;
    event.preventDefault();
    handlers.onPractise();
  });
  const watch = el(
    'button',
    { type: 'button', class: 'door' },
    el('b', {}, 'Watch a recording'),
    el('span', {}, 'From a file that you saved'),
  );
  watch.addEventListener('click', () => handlers.onWatch());
  const complaint = el('p', { class: 'complaint', role: 'alert' });
  return {
    element: el('div', { class: 'doors' }, practise, watch, complaint),
    show: (notice) => setText(complaint, notice),
  };
}

/** The doors at the bottom of the page, which players do not need. */
export function createEngineersDoors(): HTMLElement {
  const link = (view: string, words: string): HTMLElement => el('a', { href: `?view=${view}` }, words);
  return el(
    'p',
    { class: 'small engineers' },
    'For engineers: ',
    link('loopback', 'both sides of the network'),
    ', and ',
    link('lab', 'network models side by side'),
    '.',
  );
}
