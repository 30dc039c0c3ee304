import { MAX_ROOM_PLAYERS } from '../../../core/base/constants.ts';
import type { LevelId } from '../../../levels/levels.ts';
import { LEVEL_IDS } from '../../../levels/levels.ts';
import { el, setText, uniqueId } from '../../panel/dom.ts';
import type { Part } from './menu-parts.ts';
import { button, createQuestion, iconButton, section } from './menu-parts.ts';
import type { RoomModel } from '../model.ts';
import { hasFriends } from '../model.ts';
import {
  BACK_TO_LOBBY,
  leavingQuestion,
  resetLabel,
  resetQuestion,
  SCENE_TITLES,
  sceneForGuests,
} from '../sentences.ts';

/** Called when a host wants another scene, or the same anew; [N1.6] or when a server's guest wants it anew. */
export type SceneHandlers = {
  /** Begin another scene for everybody. */
  onScene(scene: LevelId): void;
  /** Begin the present scene anew; [N1.6] or take back the wish for it. */
  onReset(): void;
};

/**
 * The scene: the host chooses, the others only see it. A choice in the list changes nothing until the button is
 * pressed, since arrow keys go through every scene. While friends are here, a question comes first.
 */
export function createScene(handlers: SceneHandlers): Part {
  const id = uniqueId('scene');
  const options = LEVEL_IDS.map((scene) => el('option', { value: scene }, SCENE_TITLES[scene]));
  const select = el('select', { id, 'aria-label': 'Scene' }, ...options);
  let present: string | null = null;
  const chosen = (): LevelId => LEVEL_IDS[select.selectedIndex];
  const change = (): void => {
    if (chosen() === present) handlers.onReset();
    else handlers.onScene(chosen());
  };
  const asking = askedFirst(change);
  const go = button('Reset', () => {
    const deed =
      chosen() === present ? 'Reset the scene' : `Start the ${SCENE_TITLES[chosen()].toLowerCase()}`;
    asking.press(go, `${deed} for everybody?`, chosen() === present ? 'Reset' : 'Start');
  });
  const nameButton = (): void =>
    setText(go, chosen() === present ? 'Reset' : `Start ${SCENE_TITLES[chosen()].toLowerCase()}`);
  select.addEventListener('change', () => {
    asking.close();
    nameButton();
  });
  const choice = el('div', { class: 'pair' }, select, go, asking.element);
  const name = el('p');
  const wish = createResetWish(() => handlers.onReset());
  return {
    element: section('Scene', choice, name, wish.element),
    show(model) {
      const { scene, you, host } = model;
      asking.show(model);
      wish.show(model);
      choice.hidden = you !== host;
      name.hidden = !choice.hidden;
      setText(name, sceneForGuests(scene, host));
      if (scene === present) return;
      asking.close();
      present = scene;
      select.value = scene;
      nameButton();
    },
  };
}

/** [N1.6] The button by which a server's guests reset the scene together; hidden where a player is the host. */
function createResetWish(onReset: () => void): Part {
  let question = '';
  let isYours = false;
  const asking = createQuestion('Reset', 'Cancel', (agreed) => {
    wish.focus();
    if (agreed) onReset();
  });
  // Nothing brings the cubes back, so the question comes also while the player is alone.
  const wish = button('Reset', () => {
    if (isYours) onReset();
    else asking.ask(question, 'Reset');
  });
  const element = el('div', { class: 'place' }, wish, asking.element);
  return {
    element,
    show({ reset }) {
      element.hidden = reset === null;
      if (reset === null || reset.isYours) asking.close();
      if (reset === null) return;
      isYours = reset.isYours;
      question = resetQuestion(reset);
      setText(wish, resetLabel(reset));
    },
  };
}

/** Called when a host changes the rules of its room. */
export type RuleHandlers = {
  onLock(locked: boolean): void;
  /** How many may play, the host included. */
  onCapacity(capacity: number): void;
};

/** Called when a host wants its room to go on on the site's server. */
export type MoveHandlers = { onMove(): void };

/** The lock, the capacity and the place of the room; shown to the host only. */
export function createRules(handlers: RuleHandlers & MoveHandlers): Part {
  const box = el('input', { type: 'checkbox', role: 'switch' });
  box.addEventListener('change', () => handlers.onLock(box.checked));
  const words = el('span', {}, el('b', {}, 'Lock the room'), ' Nobody new can join');
  const id = uniqueId('capacity');
  const options = CAPACITIES.map((count) => el('option', { value: String(count) }, String(count)));
  const select = el('select', { id }, ...options);
  select.addEventListener('change', () => handlers.onCapacity(CAPACITIES[select.selectedIndex]));
  const most = el('div', { class: 'lock' }, el('label', { for: id }, el('b', {}, 'Room size')), select);
  const place = createPlace(handlers);
  const element = section('Room', el('label', { class: 'lock' }, words, box), most, place.element);
  return {
    element,
    show(model) {
      const { you, host, locked, capacity } = model;
      element.hidden = you !== host;
      box.checked = locked;
      select.value = String(capacity);
      place.show(model);
    },
  };
}

const ON_SERVER = ' On the server it stays when you leave, but nobody can change the scene';

/** The button by which the room goes on on the server [N3.4]; hidden where that is impossible. */
function createPlace(handlers: MoveHandlers): Part {
  const words = el('span', {}, el('b', {}, 'Runs in your browser'), ON_SERVER);
  let isUnderway = false;
  const asking = createQuestion('Move it', 'Cancel', (agreed) => {
    move.focus();
    if (agreed) handlers.onMove();
  });
  // No button moves the room back, so the question comes also while the host is alone.
  const move = button('Move', () => {
    if (!isUnderway) asking.ask('Move the room to the server? You can’t move it back.', 'Move it');
  });
  const element = el('div', { class: 'place' }, words, move, asking.element);
  return {
    element,
    show({ move: state }) {
      element.hidden = state === 'impossible';
      if (state !== 'possible') asking.close();
      isUnderway = state === 'underway';
      // The button may have the focus, which it would lose if it were disabled.
      move.setAttribute('aria-disabled', String(isUnderway));
      setText(move, isUnderway ? 'Moving…' : 'Move to the server');
    },
  };
}

const CAPACITIES = Array.from({ length: MAX_ROOM_PLAYERS - 1 }, (_, i) => i + 2);

/** The button that brings the player back to where it began. */
export function createBack(onBack: () => void): Part {
  const back = button('Back to the start', onBack, { class: 'back' });
  return { element: el('section', { 'aria-label': 'Your place' }, back), show: () => undefined };
}

/** The button to wave to friends, shown while there are any. */
export function createWaveButton(onWave: () => void): Part {
  const wave = iconButton(onWave, { class: 'pill icon wave', hidden: true });
  wave.show('wave', 'Wave to your friends (key V)');
  return {
    element: wave.element,
    show(model) {
      wave.element.hidden = !hasFriends(model);
    },
  };
}

/** The way out of practice, always in sight; hidden in a room, which one leaves by the menu. */
export function createLobbyButton(onLeave: () => void): Part {
  const element = button(BACK_TO_LOBBY, onLeave, { class: 'pill to-lobby', hidden: true });
  return { element, show: ({ isPractice }) => (element.hidden = !isPractice) };
}

/** The button to leave. While friends are here, a question comes first. */
export function createLeave(onLeave: () => void): Part {
  let question = '';
  const asking = askedFirst(onLeave);
  const leave = button('Leave the room', () => asking.press(leave, question, 'Leave'), { class: 'leave' });
  return {
    element: el('section', { 'aria-label': 'Leave' }, leave, asking.element),
    show(model) {
      setText(leave, model.isPractice ? BACK_TO_LOBBY : 'Leave the room');
      question = leavingQuestion(hasFriends(model), model.recording.kind === 'on');
      asking.show(model);
    },
  };
}

/** A deed that is done at once while the player is alone, and after a question while friends are here. */
type AskedFirst = {
  /** The question. */
  readonly element: HTMLElement;
  /** @param pressed the button that was pressed; it has the focus again after the answer. */
  press(pressed: HTMLElement, question: string, yes: string): void;
  close(): void;
  show(model: RoomModel): void;
};

function askedFirst(act: () => void): AskedFirst {
  let isAlone = true;
  let focus: HTMLElement | null = null;
  const question = createQuestion('Yes', 'Cancel', (agreed) => {
    focus?.focus();
    if (agreed) act();
  });
  return {
    element: question.element,
    press(pressed, sentence, yes) {
      focus = pressed;
      if (isAlone) act();
      else question.ask(sentence, yes);
    },
    close: () => question.close(),
    show(model) {
      isAlone = !hasFriends(model);
    },
  };
}
