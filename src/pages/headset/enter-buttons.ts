import './headset.css';
import type { HeadsetMode } from '../../view/headset/display.ts';
import { el, setText } from '../panel/dom.ts';

const TITLES: Readonly<Record<HeadsetMode, string>> = { vr: 'Enter VR', ar: 'Enter AR' };
const REFUSED = 'The headset didn’t start. Allow it for this page, then try again.';

/**
 * Adds one button for each headset mode, and a sentence for the case that the headset does not start.
 * @param offered the device's modes; empty without a headset.
 * @param enter returns false if the device or the player refused.
 */
export function createEnterButtons(
  container: HTMLElement,
  offered: Promise<readonly HeadsetMode[]>,
  enter: (mode: HeadsetMode) => Promise<boolean>,
): HTMLElement {
  const refusal = el('p', { role: 'alert' });
  const element = el('div', { class: 'enter-headset' });
  container.append(element);
  void offered.then((modes) => {
    for (const mode of modes) {
      const button = el('button', { type: 'button' }, TITLES[mode]);
      button.addEventListener('click', () => {
        setText(refusal, '');
        void enter(mode).then((entered) => setText(refusal, entered ? '' : REFUSED));
      });
      element.append(button);
    }
    if (modes.length > 0) element.append(refusal);
  });
  return element;
}
