import './headset.css';
import type { HeadsetMode } from '../../view/headset/display.ts';
import { el } from '../panel/dom.ts';
import type { Headset } from './headset.ts';

const TITLES: Readonly<Record<HeadsetMode, string>> = { vr: 'Enter VR', ar: 'Enter AR' };

/**
 * Buttons for what the device offers; none where there is no headset.
 * @param onRefused the device or the player said no.
 */
export function createEnterButtons(
  container: HTMLElement,
  headset: Headset,
  onRefused: () => void,
): HTMLElement {
  const element = el('div', { class: 'enter-headset' });
  container.append(element);
  void headset.display.offers().then((modes) => {
    for (const mode of modes) {
      const button = el('button', { type: 'button' }, TITLES[mode]);
      button.addEventListener('click', () => {
        void headset.enter(mode).then((entered) => {
          if (!entered) onRefused();
        });
      });
      element.append(button);
    }
  });
  return element;
}
