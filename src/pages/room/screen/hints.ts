import './hints.css';
import type { Level } from '../../../core/world/level.ts';
import type { DeskAction } from '../../../storage/done-actions.ts';
import { loadDoneDeskActions, saveDoneDeskActions } from '../../../storage/done-actions.ts';
import type { Store } from '../../../storage/store.ts';
import { localStore } from '../../../storage/store.ts';
import type { GivingStep } from '../../giving/giving-step.ts';
import { el } from '../../panel/dom.ts';
import type { Device, Hint } from './hint-texts.ts';
import { hasOnlyCubes, hintAt } from './hint-texts.ts';

/** The hints on the screen. */
export type Hints = {
  /** The player has done this; call it as often as it is done. */
  done(action: DeskAction): void;
  /** Whether the player has done this, or has closed its hint. */
  knows(action: DeskAction): boolean;
  /**
   * Teaches the step of a hand-over that the player could take now.
   * @param friend the name of the other player.
   */
  teach(step: GivingStep | null, friend: string): void;
  /** The player is in this level from now on. */
  enter(level: Level): void;
  dispose(): void;
};

/** Milliseconds for which a hint that was followed stays, with a tick mark. */
const PRAISE_MS = 1000;

/**
 * Shows a newcomer one hint at a time. A hint for something that the player has done once is not shown again, nor is
 * one that was closed.
 */
export function createHints(container: HTMLElement, device: Device, store: Store = localStore()): Hints {
  const done = loadDoneDeskActions(store);
  const sentence = el('p', { role: 'status' });
  const close = el('button', { type: 'button', class: 'quiet' }, 'Got it');
  const element = el('section', { class: `card hints for-${device}`, 'aria-label': 'Hint' }, sentence, close);
  container.append(element);

  let shown: Hint | null = null;
  let step: GivingStep | null = null;
  let [friend, shownFor] = ['', ''];
  let praising = 0;
  let cubes = true;
  const show = (): void => {
    const hint = hintAt(device, done, step, cubes);
    // A screen reader says each change.
    if (hint?.text !== shown?.text || (friend !== shownFor && hint?.text.includes(FRIEND) === true))
      sentence.replaceChildren(...withKeys(hint?.text ?? '', friend));
    shown = hint;
    shownFor = friend;
    element.hidden = shown === null;
  };
  const next = (): void => {
    clearTimeout(praising);
    praising = 0;
    element.classList.remove('done');
    show();
  };
  const learn = (actions: readonly DeskAction[]): void => {
    for (const action of actions) done.add(action);
    saveDoneDeskActions(done, store);
  };
  close.addEventListener('click', () => {
    learn(shown?.doneBy ?? []);
    next();
  });
  next();
  return {
    done(action) {
      if (done.has(action)) return;
      learn([action]);
      if (praising !== 0) return;
      if (shown?.doneBy.includes(action) !== true) {
        show();
        return;
      }
      element.classList.add('done');
      praising = window.setTimeout(next, PRAISE_MS);
    },
    knows: (action) => done.has(action),
    teach(now, name) {
      step = now;
      friend = name;
      if (praising === 0) show();
    },
    enter(level) {
      cubes = hasOnlyCubes(level);
      if (praising === 0) show();
    },
    dispose() {
      clearTimeout(praising);
      element.remove();
    },
  };
}

const FRIEND = '{friend}';

/** The sentence with the friend's name in it, and with each key in brackets as a kbd element. */
function withKeys(text: string, friend: string): (Node | string)[] {
  return text
    .split(/\[(\w+)\]/)
    .map((part, i) => (i % 2 === 0 ? part.replaceAll(FRIEND, () => friend) : el('kbd', {}, part)));
}
