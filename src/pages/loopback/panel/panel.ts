import type { BodyId } from '../../../core/base/ids.ts';
import type { Settings } from '../../settings.ts';
import { formatSettings } from '../../settings.ts';
import type { Control } from '../../panel/controls.ts';
import { networkControls, worldControls } from '../../panel/controls.ts';
import { el, setText, uniqueId } from '../../panel/dom.ts';
import type { PanelFigures, PeerRecord } from '../../panel/figures.ts';
import { authorityBar, counters, graphs, summarise } from './readings.ts';
import { recordCard } from './record-card.ts';

/** Called by the panel when the player uses it. */
export type PanelHandlers = {
  /** The player has changed the settings. The page must apply them and write them into the URL. */
  onChange(settings: Settings): void;
  onReset(): void;
  /** The player wants to open a recording. */
  onRecording(): void;
  /** The player has closed the record card. */
  onRecordClosed(): void;
  /** Aborted when the panel is removed. */
  readonly signal: AbortSignal;
};

export type Panel = {
  /** Adds the newest figures to the graphs; about ten times per second. */
  update(figures: PanelFigures): void;
  /** Shows settings that were changed elsewhere; calls no handler. */
  show(settings: Settings): void;
  /** Opens or closes the panel, and calls `onChange`. */
  toggle(): void;
  /** Shows the record card of a body with these records. */
  showRecord(body: BodyId, peers: readonly PeerRecord[]): void;
  hideRecord(): void;
  /**
   * Returns how many CSS pixels of the window's lower edge the open dock covers. A sheet in a small window
   * counts as 0, because players close it again soon. May change after a resize and after any change of the
   * settings.
   */
  covered(): number;
};

/** In windows of this size the panel is open by default. */
const ROOM_FOR_PANEL = '(min-width: 900px) and (min-height: 560px)';
/** Milliseconds that the button says "Link copied". */
const COPIED_FOR = 1800;

/** The network panel: controls for the simulated network, and graphs of its effects on the worlds. */
export function createPanel(container: HTMLElement, start: Settings, handlers: PanelHandlers): Panel {
  let settings = start;
  const room = window.matchMedia(ROOM_FOR_PANEL);
  const isOpen = (): boolean => (settings.panel === 'auto' ? room.matches : settings.panel === 'open');

  const change = (part: Partial<Settings>): void => {
    show({ ...settings, ...part });
    handlers.onChange(settings);
  };
  const toggle = (): void => {
    const open = !isOpen();
    const focused = document.activeElement === (open ? opener : closer);
    change({ panel: open === room.matches ? 'auto' : open ? 'open' : 'closed' });
    // The pressed button is hidden now; its counterpart gets the focus.
    if (focused) (open ? closer : opener).focus();
  };

  const network = networkControls(change);
  const world = worldControls(change);
  const charts = graphs();
  const bodies = authorityBar(start.players);
  const counts = counters();
  const record = recordCard(() => handlers.onRecordClosed());
  const id = uniqueId('panel');
  const summary = el('span', { class: 'summary' });
  const opener = toggleButton('opener card', id, toggle, 'Network ', summary, el('kbd', {}, 'N'));
  const closer = toggleButton('quiet', id, toggle, 'Close ', el('kbd', {}, 'N'));

  const element = el(
    'section',
    { class: 'card panel', id, 'aria-label': 'Network' },
    column('Network', closer, network.map(elementOf)),
    el('div', { class: 'graphs' }, ...charts.map(elementOf)),
    column('World', '', [
      ...world.map(elementOf),
      actions(handlers, () => settings),
      bodies.element,
      counts.element,
    ]),
  );
  container.append(record.element, opener, element);

  function show(next: Settings): void {
    settings = next;
    for (const control of [...network, ...world]) control.show(next);
    showOpen();
  }
  function showOpen(): void {
    element.hidden = !isOpen();
    opener.hidden = isOpen();
    for (const button of [opener, closer]) button.setAttribute('aria-expanded', String(isOpen()));
  }
  room.addEventListener('change', showOpen, { signal: handlers.signal });
  show(start);

  return {
    show,
    toggle,
    showRecord: (body, peers) => record.show(body, peers),
    hideRecord: () => record.hide(),
    covered: () => (isOpen() && room.matches ? window.innerHeight - element.getBoundingClientRect().top : 0),
    update(figures) {
      for (const reading of [...charts, bodies, counts]) reading.update(figures, isOpen());
      if (!isOpen()) setText(summary, summarise(figures));
    },
  };
}

function elementOf(part: Pick<Control, 'element'>): HTMLElement {
  return part.element;
}

function column(title: string, aside: Node | string, parts: readonly HTMLElement[]): HTMLElement {
  return el('div', { class: 'column' }, el('header', {}, el('h2', {}, title), aside), ...parts);
}

function toggleButton(
  style: string,
  controls: string,
  toggle: () => void,
  ...content: (Node | string)[]
): HTMLButtonElement {
  const button = el('button', { type: 'button', class: style, 'aria-controls': controls }, ...content);
  button.addEventListener('click', toggle);
  return button;
}

function actions(handlers: PanelHandlers, settings: () => Settings): HTMLElement {
  const reset = el('button', { type: 'button' }, 'Reset');
  reset.addEventListener('click', () => handlers.onReset());
  const recording = el('button', { type: 'button' }, 'Open a recording');
  recording.addEventListener('click', () => handlers.onRecording());
  return el('div', { class: 'buttons' }, reset, copyButton(settings), recording);
}

/**
 * Copies a link to the page with its present settings. If the browser does not allow it, the link is shown in
 * a prompt.
 */
function copyButton(settings: () => Settings): HTMLElement {
  const button = el('button', { type: 'button', 'aria-live': 'polite' }, 'Copy link');
  button.addEventListener('click', () => {
    const link = new URL(formatSettings(settings()), location.origin + location.pathname).href;
    const say = (text: string): void => {
      button.textContent = text;
      setTimeout(() => (button.textContent = 'Copy link'), COPIED_FOR);
    };
    // There is no clipboard without a secure context.
    const copied = window.isSecureContext ? navigator.clipboard.writeText(link) : Promise.reject(new Error());
    copied.then(
      () => say('Link copied'),
      () => window.prompt('Copy this link:', link),
    );
  });
  return button;
}
