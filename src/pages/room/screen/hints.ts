import './hints.css';
import type { DeskAction } from '../../../storage/done-actions.ts';
import { DESK_ACTIONS, loadDoneDeskActions, saveDoneDeskActions } from '../../../storage/done-actions.ts';
import type { Store } from '../../../storage/store.ts';
import { localStore } from '../../../storage/store.ts';
import { el } from '../../panel/dom.ts';

/** The hints on the screen. */
export type Hints = {
  /** The player has done this; call it as often as it is done. */
  done(action: DeskAction): void;
  dispose(): void;
};

/** The device that a player's hands use; it decides the words of the hints. */
export type Device = 'mouse' | 'touch';

/** The text has keys in brackets. A player that does one of `doneBy` no longer needs the hint. */
type Hint = { readonly text: string; readonly doneBy: readonly DeskAction[] };

/** The hints, in the order in which a newcomer needs them. */
const HINTS: Readonly<Record<Device, readonly Hint[]>> = {
  mouse: [
    { text: 'Drag a cube with the left button.', doneBy: ['hold'] },
    { text: 'Flick and let go to throw.', doneBy: ['throw'] },
    { text: 'Drag empty space to look around.', doneBy: ['look'] },
    { text: 'Walk with [W] [A] [S] [D].', doneBy: ['walk'] },
    { text: 'Hold a cube and turn the wheel: it moves away or comes nearer.', doneBy: ['reach'] },
    { text: 'Hold a cube and turn it with [Q] and [E].', doneBy: ['turn'] },
  ],
  touch: [
    { text: 'Drag a cube with one finger.', doneBy: ['hold'] },
    { text: 'Flick and let go to throw.', doneBy: ['throw'] },
    { text: 'Drag empty space with one finger to look around.', doneBy: ['look'] },
    { text: 'Walk with the stick on the left, or with two fingers.', doneBy: ['walk'] },
    { text: 'Hold a cube: the buttons on the right move and turn it.', doneBy: ['reach', 'turn'] },
  ],
};

/** Milliseconds for which a hint that was followed stays, with a tick mark. */
const PRAISE_MS = 1000;

/** Shows a newcomer one hint at a time. A hint for something that the player has done once is not shown again. */
export function createHints(container: HTMLElement, device: Device, store: Store = localStore()): Hints {
  const done = loadDoneDeskActions(store);
  const sentence = el('p', { role: 'status' });
  const close = el('button', { type: 'button', class: 'quiet' }, 'Got it');
  const element = el('section', { class: `card hints for-${device}`, 'aria-label': 'Hint' }, sentence, close);
  container.append(element);

  let shown: Hint | undefined;
  let praising = 0;
  const next = (): void => {
    shown = HINTS[device].find(({ doneBy }) => !doneBy.some((action) => done.has(action)));
    praising = 0;
    element.hidden = shown === undefined;
    element.classList.remove('done');
    sentence.replaceChildren(...withKeys(shown?.text ?? ''));
  };
  close.addEventListener('click', () => {
    for (const action of DESK_ACTIONS) done.add(action);
    saveDoneDeskActions(done, store);
    clearTimeout(praising);
    next();
  });
  next();
  return {
    done(action) {
      if (done.has(action)) return;
      done.add(action);
      saveDoneDeskActions(done, store);
      if (shown?.doneBy.includes(action) !== true || praising !== 0) return;
      element.classList.add('done');
      praising = window.setTimeout(next, PRAISE_MS);
    },
    dispose() {
      clearTimeout(praising);
      element.remove();
    },
  };
}

/** The sentence, with each key in brackets as a kbd element. */
function withKeys(text: string): (Node | string)[] {
  return text.split(/\[(\w+)\]/).map((part, i) => (i % 2 === 0 ? part : el('kbd', {}, part)));
}
