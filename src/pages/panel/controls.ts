import { LEVEL_IDS } from '../../levels/levels.ts';
import type { NumberRange } from '../fields.ts';
import { numberIn } from '../fields.ts';
import type { NetworkConditions, Settings } from '../settings.ts';
import { BOT_NAMES, CHANNELS, NETWORK_PRESETS, presetOf, RANGES, RATES } from '../settings.ts';
import { el, uniqueId } from './dom.ts';
import { nearestIndex, SLIDER_VALUES } from './slider-values.ts';

/** An input element, and a function that makes it show given settings. */
export type Control<Shown = Settings> = { readonly element: HTMLElement; show(settings: Shown): void };

/** A control calls this with its change. */
type Change<Changed = Settings> = (change: Partial<Changed>) => void;

const LABELS: { readonly [Name in keyof NetworkConditions]: string } = {
  latency: 'Latency',
  jitter: 'Jitter',
  loss: 'Loss',
  duplicate: 'Duplicates',
};
const HINTS: { readonly [Name in keyof NetworkConditions]: string } = {
  latency: 'One way: a round trip takes twice as long',
  jitter: 'How much longer a packet may take',
  loss: 'Packets that never arrive',
  duplicate: 'Packets that arrive twice',
};

/** Presets, the four sliders, the send rate and the channel. */
export function networkControls(change: Change): readonly Control[] {
  return [
    ...conditionControls(change),
    choice('Send rate', 'rate', RATES, (rate) => `${rate} packets a second`, change),
    choice('Channel', 'channel', CHANNELS, (channel) => CHANNEL_NAMES[channel], change),
  ];
}

/** Presets and the four sliders. */
export function conditionControls(change: Change<NetworkConditions>): readonly Control<NetworkConditions>[] {
  return [
    presets(change),
    slider('latency', change),
    slider('jitter', change),
    slider('loss', change),
    slider('duplicate', change),
  ];
}

/** Scene, bots and ghosts. */
export function worldControls(change: Change): readonly Control[] {
  return [
    choice('Scene', 'scene', LEVEL_IDS, capitalised, change),
    count(change),
    choice('Bots', 'bots', BOT_NAMES, capitalised, change),
    ghosts(change),
  ];
}

const CHANNEL_NAMES = { datagram: 'Datagrams', dataChannel: 'Data channel' } as const;

function presets(change: Change<NetworkConditions>): Control<NetworkConditions> {
  const buttons = NETWORK_PRESETS.map(({ name, conditions }) => {
    const button = el('button', { type: 'button', 'aria-pressed': 'false' }, name);
    button.addEventListener('click', () => change(conditions));
    return button;
  });
  return {
    element: el('div', { class: 'presets', role: 'group', 'aria-label': 'Network presets' }, ...buttons),
    show(settings) {
      const preset = presetOf(settings);
      NETWORK_PRESETS.forEach((other, i) =>
        buttons[i].setAttribute('aria-pressed', String(other === preset)),
      );
    },
  };
}

/** A slider over round values, with a number beside it that takes any value of the range. */
function slider(
  name: keyof NetworkConditions,
  change: Change<NetworkConditions>,
): Control<NetworkConditions> {
  const range = RANGES[name];
  const stops = SLIDER_VALUES[name];
  const id = uniqueId(name);
  const track = el('input', { type: 'range', id, min: '0', max: String(stops.length - 1), step: '1' });
  const number = numberInput(range, `${LABELS[name]}, ${range.unit}`, (value) => change({ [name]: value }));
  track.addEventListener('input', () => change({ [name]: stops[track.valueAsNumber] }));
  return {
    element: el(
      'div',
      { class: 'row slider', title: HINTS[name] },
      el('label', { for: id }, LABELS[name]),
      track,
      number.element,
      el('span', { class: 'unit' }, range.unit),
    ),
    show(settings) {
      const stop = nearestIndex(stops, settings[name]);
      track.value = String(stop);
      track.style.setProperty('--share', `${(100 * stop) / (stops.length - 1)}%`);
      track.setAttribute('aria-valuetext', `${settings[name]} ${range.unit}`);
      number.show(settings[name]);
    },
  };
}

function numberInput(
  range: NumberRange,
  label: string,
  change: (value: number) => void,
): { element: HTMLInputElement; show(value: number): void } {
  let shown = range.low;
  const element = el('input', {
    type: 'number',
    min: String(range.low),
    max: String(range.high),
    step: String(range.step),
    inputmode: range.step === 1 ? 'numeric' : 'decimal',
    'aria-label': label,
  });
  element.addEventListener('change', () => {
    const within = Math.min(Math.max(element.valueAsNumber, range.low), range.high);
    const value = numberIn(range, range.step === 1 ? Math.round(within) : within);
    if (value === undefined) element.value = String(shown);
    else change(value);
  });
  return {
    element,
    show(value) {
      shown = value;
      element.value = String(value);
    },
  };
}

/** A list for choosing one value of a setting. */
export function choice<All, Name extends keyof All & string>(
  label: string,
  name: Name,
  values: readonly All[Name][],
  titleOf: (value: All[Name]) => string,
  change: Change<All>,
): Control<All> {
  const id = uniqueId(name);
  const options = values.map((value) => el('option', { value: String(value) }, titleOf(value)));
  const select = el('select', { id }, ...options);
  select.addEventListener('change', () => {
    const chosen: Partial<All> = {};
    chosen[name] = values[select.selectedIndex];
    change(chosen);
  });
  return {
    element: el('div', { class: 'row choice' }, el('label', { for: id }, label), select),
    show: (settings) => {
      select.value = String(settings[name]);
    },
  };
}

/** The number of cubes, visible only for the scene where it can be chosen. */
function count(change: Change): Control {
  const number = numberInput(RANGES.count, 'Cubes', (value) => change({ count: value }));
  const element = el('div', { class: 'row' }, el('span', { 'aria-hidden': 'true' }, 'Cubes'), number.element);
  return {
    element,
    show(settings) {
      element.hidden = settings.scene !== 'grid';
      number.show(settings.count);
    },
  };
}

function ghosts(change: Change): Control {
  const box = el('input', { type: 'checkbox', role: 'switch' });
  box.addEventListener('change', () => change({ ghosts: box.checked }));
  return {
    element: el('label', { class: 'row switch' }, el('span', {}, 'Ghosts of the other peer'), box),
    show: (settings) => {
      box.checked = settings.ghosts;
    },
  };
}

function capitalised(word: string): string {
  return word.charAt(0).toUpperCase() + word.slice(1);
}
