import './headset.css';
import type { HeadsetMode } from '../../view/headset/display.ts';
import { el, setText } from '../panel/dom.ts';

const TITLES: Readonly<Record<HeadsetMode, string>> = { vr: 'Enter VR', ar: 'Enter AR' };
const REFUSED = 'The headset didn’t start. Allow it for this page, then try again.';
const ASKING = 'Allow the microphone, or don’t: then the headset starts.';
/** Browsers start a headset only shortly after a press, and the answer may have taken longer. */
const PRESS_AGAIN = 'Press the button once more.';

/** The voice of a player that will put a headset on. Most browsers can't ask for the microphone in a headset. */
export type VoiceFirst = {
  /** The player has chosen voice before. */
  readonly isWanted: boolean;
  /** The microphone was asked for already. */
  readonly isOn: boolean;
  want(isWanted: boolean): void;
  /** Asks for the microphone. @returns when it is answered. */
  ask(): Promise<void>;
};

/**
 * Adds one button for each headset mode, and a sentence for the case that the headset does not start.
 * @param offered the device's modes; empty without a headset.
 * @param enter returns false if the device or the player refused.
 * @param voice asked for before the headset is entered, if the player ticks its box; null: there is no voice here.
 */
export function createEnterButtons(
  container: HTMLElement,
  offered: Promise<readonly HeadsetMode[]>,
  enter: (mode: HeadsetMode) => Promise<boolean>,
  voice: VoiceFirst | null = null,
): HTMLElement {
  const said = el('p', { role: 'alert' });
  const element = el('div', { class: 'enter-headset' });
  container.append(element);
  const box = voice === null ? null : voiceBox(voice);
  const go = async (mode: HeadsetMode): Promise<void> => {
    const asks = voice !== null && box?.input.checked === true && !voice.isOn;
    setText(said, asks ? ASKING : '');
    if (asks) await voice.ask();
    const entered = await enter(mode);
    setText(said, entered ? '' : asks ? PRESS_AGAIN : REFUSED);
  };
  void offered.then((modes) => {
    if (modes.length === 0) return;
    for (const mode of modes) {
      const button = el('button', { type: 'button' }, TITLES[mode]);
      button.addEventListener('click', () => void go(mode));
      element.append(button);
    }
    if (box !== null) element.append(box.element);
    element.append(said);
  });
  return element;
}

function voiceBox(voice: VoiceFirst): { readonly element: HTMLElement; readonly input: HTMLInputElement } {
  const input = el('input', { type: 'checkbox' });
  input.checked = voice.isWanted;
  input.addEventListener('change', () => voice.want(input.checked));
  return { element: el('label', { class: 'with-voice' }, input, 'With voice'), input };
}
