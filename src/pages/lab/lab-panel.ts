import { LAB_MODELS, modelOf } from '../../lab/models.ts';
import { LAB_SCENES, PLAYER_COUNTS, SCENE_TITLES } from '../../lab/game/scenes.ts';
import type { Control } from '../panel/controls.ts';
import { choice, conditionControls } from '../panel/controls.ts';
import { el } from '../panel/dom.ts';
import { GAPS, NEIGHBOURS, WINDOWS } from '../../lab/switches.ts';
import { CHANNELS } from '../settings.ts';
import type { LabSettings } from './lab-settings.ts';
import { FIGURE_NAMES, formatLabSettings, HANDS, LAB_RATES, MOST_PANES } from './lab-settings.ts';
import { figureTitle } from './readouts.ts';

export type LabPanelHandlers = {
  onChange(settings: LabSettings): void;
  onRestart(): void;
  /** The other player's machine must stall for one second. */
  onStall(): void;
};

const HAND_TITLES = {
  script: 'Played for you, always the same',
  own: 'Your own: pointer or arrow keys',
} as const;
const CHANNEL_TITLES = { datagram: 'Datagrams', dataChannel: 'Data channel' } as const;
const NEIGHBOUR_TITLES = { predicted: 'As predicted', interpolated: 'Between snapshots' } as const;
const GAP_TITLES = { repeat: 'The last one counts again', stand: 'The cube stands still' } as const;
/** Milliseconds that the button says "Link copied". */
const COPIED_FOR = 1800;

/** All settings of the lab, and descriptions of the chosen models. */
export class LabPanel {
  readonly element: HTMLElement;
  #settings: LabSettings;
  readonly #controls: readonly Control<LabSettings>[];
  readonly #models = el('div', { class: 'lab-models' });
  readonly #texts = el('div', { class: 'lab-texts' });
  readonly #handlers: LabPanelHandlers;

  /**
   * @param table shows the figures.
   * @param sweep contains the chart.
   */
  constructor(settings: LabSettings, table: HTMLElement, sweep: HTMLElement, handlers: LabPanelHandlers) {
    this.#settings = settings;
    this.#handlers = handlers;
    const change = (part: Partial<LabSettings>): void => this.#change(part);
    const scene: Control<LabSettings>[] = [
      choice<LabSettings, 'scene'>(
        'Scene',
        'scene',
        LAB_SCENES,
        (name) => capital(SCENE_TITLES[name]),
        change,
      ),
      choice<LabSettings, 'hands'>('Your hand', 'hands', HANDS, (hands) => HAND_TITLES[hands], change),
      onOffSwitch('Where things truly are', 'ghosts', change),
    ];
    const network: Control<LabSettings>[] = [
      ...conditionControls(change),
      choice<LabSettings, 'rate'>('Snapshots', 'rate', LAB_RATES, rateTitle, change),
      choice<LabSettings, 'channel'>('Channel', 'channel', CHANNELS, (name) => CHANNEL_TITLES[name], change),
    ];
    const line: Control<LabSettings> = choice<LabSettings, 'line'>(
      'Over time',
      'line',
      FIGURE_NAMES,
      figureTitle,
      change,
    );
    const variants: Control<LabSettings>[] = [
      choice<LabSettings, 'players'>('Players', 'players', PLAYER_COUNTS, playersTitle, change),
      choice<LabSettings, 'neighbours'>(
        'Others, by prediction',
        'neighbours',
        NEIGHBOURS,
        (name) => NEIGHBOUR_TITLES[name],
        change,
      ),
      onOffSwitch('Corrections are eased', 'easing', change),
      choice<LabSettings, 'gap'>('A hand is missing', 'gap', GAPS, (name) => GAP_TITLES[name], change),
      choice<LabSettings, 'window'>('Late hands are taken', 'window', WINDOWS, windowTitle, change),
    ];
    this.#controls = [...scene, ...network, ...variants, line];
    const elements = (controls: readonly Control<LabSettings>[]): HTMLElement[] =>
      controls.map(({ element }) => element);
    this.element = el(
      'section',
      { class: 'lab-panel', 'aria-label': 'The lab' },
      el('header', {}, el('h1', {}, 'The lab'), el('a', { href: location.pathname }, 'Handover')),
      el(
        'p',
        {},
        'Same hands, same scene, same network: only the network model differs. You see what Red sees. Outlines show where the machine that decides has things now. Press in a world to move the red cube yourself.',
      ),
      part('Side by side', this.#models, ...elements(scene), this.#buttons()),
      part('Network', ...elements(network)),
      part('Variants', ...elements(variants)),
      part('Figures', line.element, table),
      sweep,
      part('What to look at', this.#texts),
    );
    this.show(settings);
  }

  /** Shows settings that were changed elsewhere; calls no handler. */
  show(settings: LabSettings): void {
    this.#settings = settings;
    for (const control of this.#controls) control.show(settings);
    this.#showModels();
    this.#texts.replaceChildren(
      ...settings.models.flatMap((id) => {
        const model = modelOf(id);
        if (model === undefined) return [];
        return [
          el('h3', {}, model.title),
          el('p', {}, model.look),
          el('p', { class: 'suits' }, el('b', {}, 'Good for: '), model.suits),
        ];
      }),
    );
  }

  #change(part: Partial<LabSettings>): void {
    this.show({ ...this.#settings, ...part });
    this.#handlers.onChange(this.#settings);
  }

  /** One list per pane; all but the first may be empty. */
  #showModels(): void {
    const { models } = this.#settings;
    const lists = Array.from({ length: Math.min(MOST_PANES, models.length + 1) }, (_, i) => {
      const options = LAB_MODELS.map(({ id, title }) =>
        el('option', { value: id, selected: id === models[i] }, title),
      );
      const none = el('option', { value: '', selected: models[i] === undefined }, 'None');
      const list = el('select', { 'aria-label': `Model in pane ${i + 1}` }, ...options);
      if (i > 0) list.prepend(none);
      list.addEventListener('change', () => {
        const next = [...models.slice(0, i), list.value, ...models.slice(i + 1)];
        this.#change({ models: next.filter((id) => id !== '') });
      });
      return list;
    });
    this.#models.replaceChildren(...lists);
  }

  #buttons(): HTMLElement {
    const restart = el('button', { type: 'button' }, 'Start again');
    restart.addEventListener('click', () => this.#handlers.onRestart());
    const stall = el(
      'button',
      { type: 'button', title: 'As if the page were in the background' },
      'Stall the other player',
    );
    stall.addEventListener('click', () => this.#handlers.onStall());
    const copy = el('button', { type: 'button', 'aria-live': 'polite' }, 'Copy link');
    copy.addEventListener('click', () => void this.#copy(copy));
    return el('div', { class: 'buttons' }, restart, stall, copy);
  }

  async #copy(button: HTMLElement): Promise<void> {
    const link = new URL(formatLabSettings(this.#settings), location.origin + location.pathname).href;
    try {
      // There is no clipboard without a secure context.
      await navigator.clipboard.writeText(link);
      button.textContent = 'Link copied';
      setTimeout(() => (button.textContent = 'Copy link'), COPIED_FOR);
    } catch {
      window.prompt('Copy this link:', link);
    }
  }
}

function part(title: string, ...parts: readonly HTMLElement[]): HTMLElement {
  return el('div', { class: 'part' }, el('h2', {}, title), ...parts);
}

function onOffSwitch(
  title: string,
  name: 'ghosts' | 'easing',
  change: (part: Partial<LabSettings>) => void,
): Control<LabSettings> {
  const box = el('input', { type: 'checkbox', role: 'switch' });
  box.addEventListener('change', () => change({ [name]: box.checked }));
  return {
    element: el('label', { class: 'row switch' }, el('span', {}, title), box),
    show: (settings) => {
      box.checked = settings[name];
    },
  };
}

function playersTitle(players: LabSettings['players']): string {
  return players === 2 ? 'Two: you see the first' : 'Three: two guests see each other';
}

function windowTitle(ms: LabSettings['window']): string {
  return ms === 0 ? 'Never' : `Up to ${ms} ms`;
}

function rateTitle(rate: LabSettings['rate']): string {
  return rate === 'own' ? 'As each model prefers' : `${rate} a second`;
}

function capital(words: string): string {
  return words.charAt(0).toUpperCase() + words.slice(1);
}
