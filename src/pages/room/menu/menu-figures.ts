import { el, setText } from '../../panel/dom.ts';
import { formatBitrate, formatMilliseconds, formatRate } from '../../panel/figures.ts';
import type { Part } from './menu-parts.ts';
import type { RoomFigures } from '../model.ts';

/** The network figures that are shown, as text with units. */
export const FIGURES: readonly (readonly [label: string, read: (figures: RoomFigures) => string])[] = [
  ['Round trip', ({ roundTrip }) => formatMilliseconds(roundTrip)],
  ['Playout delay', ({ playoutDelay }) => formatMilliseconds(playoutDelay)],
  ['Packets up', ({ payloadUp }) => formatBitrate(payloadUp)],
  ['Packets down', ({ payloadDown }) => formatBitrate(payloadDown)],
  ['At the socket, up', ({ socketUp }) => formatBitrate(socketUp)],
  ['At the socket, down', ({ socketDown }) => formatBitrate(socketDown)],
  ['Packets skipped', ({ skipped }) => formatRate(skipped)],
  ['Ticks', ({ tickRate }) => formatRate(tickRate)],
];

/** The network figures. While it is closed, it shows only the round trip. */
export function createFigures(): Part {
  const values = FIGURES.map(() => el('dd'));
  const list = FIGURES.map(([label], i) => el('div', {}, el('dt', {}, label), values[i]));
  const trip = el('span', { class: 'aside' });
  const element = el(
    'details',
    {},
    el('summary', {}, 'Network', trip),
    el('dl', { class: 'figures' }, ...list),
  );
  return {
    element,
    show({ figures }) {
      setText(trip, formatMilliseconds(figures.roundTrip));
      if (element.open) FIGURES.forEach(([, read], i) => setText(values[i], read(figures)));
    },
  };
}

/** Keys and what they do, as src/input has them. */
const KEYS: readonly (readonly [keys: readonly string[], what: string])[] = [
  [['Left drag'], 'Hold something. Flick and let go to throw. On empty space, look around'],
  [['Wheel'], 'Move it further or nearer'],
  [['F'], 'Bring it to your hand. With an empty hand, kick what you point at, up to 4 m away'],
  [['N'], 'Add another body of the last kind, where the scene allows it'],
  [['Delete'], 'Remove a body that you have added, in your hand or pointed at'],
  [['Q', 'E'], 'Turn it, or tilt it with Shift'],
  [['Right drag'], 'Look around, even while you hold something'],
  [['W', 'A', 'S', 'D'], 'Walk'],
  [['R', 'C'], 'Rise and sink'],
  [['Arrows'], 'Look around'],
  [[',', '.'], 'Choose the next thing to the left or right'],
  [['Enter'], 'Take it, or put it down'],
  [['Page up', 'Page down'], 'Move it further or nearer, like + and −'],
  [['T'], 'Throw it. Hold the key longer to throw further'],
  [['O'], 'Hold it out to a friend, who presses it. Then let go'],
  [['Left press'], 'On what a friend holds: it is yours when the friend lets go'],
  [['B', 'Home'], 'Back to the start'],
  [['V'], 'Wave'],
  [['M', 'Esc'], 'This menu'],
];
const FINGERS: typeof KEYS = [
  [['One finger'], 'Hold something. Flick and let go to throw. On empty space, look around'],
  [['Two taps'], 'Kick what is there, up to 4 m away'],
  [['Two fingers'], 'Walk. Or pinch what you hold, to move it further or nearer'],
  [['The stick'], 'Walk'],
  [['The buttons'], 'Turn and move what you hold. Give holds it out to a friend'],
  [['What a friend holds'], 'Press it and keep pressing: it is yours when the friend lets go'],
];

/** Help for keys and for fingers; the style shows the part that fits the device. */
export function createHelp(): HTMLElement {
  const keys = el('dl', { class: 'help-lines keys' }, ...KEYS.map(helpLine));
  const fingers = el('dl', { class: 'help-lines fingers' }, ...FINGERS.map(helpLine));
  return el('details', {}, el('summary', {}, 'Help'), keys, fingers);
}

function helpLine([names, what]: (typeof KEYS)[number]): HTMLElement {
  const keys = names.flatMap((name) => [el('kbd', {}, name), ' ']);
  return el('div', {}, el('dt', {}, ...keys), el('dd', {}, what));
}
