import { MAX_PLAYERS } from '../../../core/base/constants.ts';
import type { SceneName } from '../../../core/world/scene.ts';
import { SCENE_NAMES } from '../../../core/world/scene.ts';
import { el, setText, uniqueId } from '../../panel/dom.ts';
import type { Part } from './menu-parts.ts';
import { button, iconButton, section } from './menu-parts.ts';
import { SCENE_TITLES } from '../sentences.ts';

/** Called when a host wants another scene, or the same anew. */
export type SceneHandlers = {
  /** Begin another scene for everybody. */
  onScene(scene: SceneName): void;
  /** Begin the present scene anew. */
  onReset(): void;
};

/**
 * The scene: the host chooses, the others only see it. A choice in the list changes nothing until the button is
 * pressed, since arrow keys go through every scene.
 */
export function createScene(handlers: SceneHandlers): Part {
  const id = uniqueId('scene');
  const options = SCENE_NAMES.map((scene) => el('option', { value: scene }, SCENE_TITLES[scene]));
  const select = el('select', { id, 'aria-label': 'Scene' }, ...options);
  let present: SceneName | null = null;
  const chosen = (): SceneName => SCENE_NAMES[select.selectedIndex];
  const go = button('Reset', () => {
    if (chosen() === present) handlers.onReset();
    else handlers.onScene(chosen());
  });
  const nameButton = (): void =>
    setText(go, chosen() === present ? 'Reset' : `Start ${SCENE_TITLES[chosen()].toLowerCase()}`);
  select.addEventListener('change', nameButton);
  const choice = el('div', { class: 'pair' }, select, go);
  const name = el('p');
  return {
    element: section('Scene', choice, name),
    show({ scene, you, host }) {
      choice.hidden = you !== host;
      name.hidden = !choice.hidden;
      setText(name, `${SCENE_TITLES[scene]}. The host can change it.`);
      if (scene === present) return;
      present = scene;
      select.value = scene;
      nameButton();
    },
  };
}

/** Called when a host changes the rules of its room. */
export type RuleHandlers = {
  onLock(locked: boolean): void;
  /** How many may play, the host included. */
  onCapacity(capacity: number): void;
};

/** The lock and the capacity of the room; shown to the host only. */
export function createRules(handlers: RuleHandlers): Part {
  const box = el('input', { type: 'checkbox', role: 'switch' });
  box.addEventListener('change', () => handlers.onLock(box.checked));
  const words = el('span', {}, el('b', {}, 'Lock the room'), ' Nobody new can join');
  const id = uniqueId('capacity');
  const options = CAPACITIES.map((count) => el('option', { value: String(count) }, String(count)));
  const select = el('select', { id }, ...options);
  select.addEventListener('change', () => handlers.onCapacity(CAPACITIES[select.selectedIndex]));
  const most = el('div', { class: 'lock' }, el('label', { for: id }, el('b', {}, 'Room size')), select);
  const element = section('Room', el('label', { class: 'lock' }, words, box), most);
  return {
    element,
    show({ you, host, locked, capacity }) {
      element.hidden = you !== host;
      box.checked = locked;
      select.value = String(capacity);
    },
  };
}

const CAPACITIES = Array.from({ length: MAX_PLAYERS - 1 }, (_, i) => i + 2);

/** The button that brings the player back to where it began. */
export function createBack(onBack: () => void): Part {
  const back = button('Back to the cubes', onBack, { class: 'back' });
  return { element: el('section', { 'aria-label': 'Your place' }, back), show: () => undefined };
}

/** The button to wave to friends, shown while there are any. */
export function createWaveButton(onWave: () => void): Part {
  const wave = iconButton(onWave, { class: 'pill icon wave', hidden: true });
  wave.show('wave', 'Wave to your friends (key V)');
  return {
    element: wave.element,
    show({ players, you }) {
      wave.element.hidden = !players.some(({ slot, presence }) => slot !== you && presence !== 'away');
    },
  };
}

/** The button to leave. It asks no question: the others play on without this player. */
export function createLeave(onLeave: () => void): Part {
  const leave = button('Leave the room', onLeave, { class: 'leave' });
  return { element: el('section', { 'aria-label': 'Leave' }, leave), show: () => undefined };
}
