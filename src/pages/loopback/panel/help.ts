import { el } from '../../panel/dom.ts';

/** The keys of src/input/desk-*.ts, and what they do. */
const KEYS: readonly (readonly [keys: readonly string[], what: string])[] = [
  [['Left drag'], 'hold, throw'],
  [['Wheel'], 'near, far'],
  [['F'], 'to hand'],
  [['Q', 'E'], 'turn'],
  [['Shift'], 'tilt'],
  [['Right drag', 'Arrows'], 'look'],
  [['WASD'], 'walk'],
  [['R', 'C'], 'rise'],
  [['1', '2'], 'player'],
  [['Alt click'], 'inspect'],
  [['Space'], 'reset'],
  [['G'], 'ghosts'],
];

export type Help = { show(visible: boolean): void };

/** A line about the controls: keys on devices with a mouse, gestures on touch screens. */
export function createHelp(container: HTMLElement, onHide: () => void): Help {
  const keys = KEYS.map(([names, what]) =>
    el('span', {}, ...names.map((name) => el('kbd', {}, name)), ` ${what}`),
  );
  const close = el('button', { type: 'button', class: 'quiet', 'aria-label': 'Hide the help' });
  close.append(el('kbd', {}, 'H'), ' hide');
  close.addEventListener('click', onHide);
  const element = el(
    'section',
    { class: 'help', 'aria-label': 'Help', hidden: true },
    el('p', { class: 'keys' }, ...keys),
    el('p', { class: 'fingers' }, 'One finger holds and throws a cube, or looks around. Two fingers walk.'),
    close,
  );
  container.append(element);
  return {
    show(visible) {
      element.hidden = !visible;
    },
  };
}
