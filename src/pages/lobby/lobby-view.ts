import './styles/lobby.css';
import './styles/you.css';
import './styles/choices.css';
import './styles/states.css';
import './styles/small-windows.css';
import type { Slot } from '../../core/base/ids.ts';
import type { JoinProgress } from '../../core/room/line.ts';
import type { LevelId } from '../../levels/levels.ts';
import type { LeftRoom } from '../../storage/left-room.ts';
import type { AskedServices } from '../../room/config.ts';
import { el, setText } from '../panel/dom.ts';
import { nameField, placeholderFor } from '../panel/name-field.ts';
import type { BusyStep, Failure } from '../room/sentences.ts';
import { BUSY, FAILURES, joinStep, spelled, triedFor } from '../room/sentences.ts';
import { askedSentence, learntSentence } from './asked.ts';
import { createBackdrop } from './backdrop.ts';
import { createColours } from './colours.ts';
import { createDoors, createEngineersDoors } from './doors.ts';
import type { JoinWish } from './start/join-form.ts';
import type { RoomPlace, ServerOffer } from './start/server-room.ts';
import { createStartForm } from './start/start-form.ts';
import { createJoinForm } from './start/join-form.ts';
import type { LastWorld } from './last-world.ts';
import { describeLastWorld, describeLeftRoom } from './last-world.ts';

/** The player's name and colour, kept until the next visit. */
export type LobbyProfile = { readonly name: string; readonly colour: Slot };

export type LobbyModel = {
  readonly profile: LobbyProfile;
  /** The text in the code field: from a link, or the code of the room that was lost. */
  readonly code: string;
  /** The services that are asked on the way to friends; null while they are not known yet. */
  readonly asked: AskedServices | null;
  readonly state: LobbyState;
  /** The world of this browser that can be continued; null if there is none. */
  readonly lastWorld: LastWorld | null;
  /** The room that the player has left, if others may still be in it; else null. */
  readonly leftRoom: LeftRoom | null;
  /** The rooms that the site's server offers; null if it runs none. */
  readonly server: ServerOffer | null;
  /** A sentence about a door that did not open; '' for none. */
  readonly notice: string;
};

/**
 * `opening`: starts the player's own room. `ordering`: orders one of the server, and comes in. `looking`: looks for a
 * friend's room. `loading`: loads the loopback page.
 */
export type LobbyState =
  | { readonly kind: 'idle' }
  | {
      readonly kind: 'busy';
      readonly step: BusyStep;
      /** [F5.2] The progress of looking for a room; null before the search has begun. */
      readonly progress: JoinProgress | null;
    }
  | { readonly kind: 'failed'; readonly failure: Failure };

export type LobbyHandlers = {
  /** The player has changed name or colour. */
  onProfile(profile: LobbyProfile): void;
  onStart(profile: LobbyProfile, scene: LevelId, place: RoomPlace): void;
  /** Starts a room with the last world. */
  onContinue(profile: LobbyProfile): void;
  onJoin(profile: LobbyProfile, wish: JoinWish): void;
  /** Goes back to the room that was left last. */
  onBack(profile: LobbyProfile): void;
  onPractise(profile: LobbyProfile): void;
  /** Chooses a recording, and watches it. */
  onWatch(): void;
  /** Stops what keeps the lobby busy. */
  onCancel(): void;
  /** Repeats what failed. */
  onRetry(): void;
};

export type Lobby = {
  /** The part about the player; the caller may add elements at its end. */
  readonly you: HTMLElement;
  show(model: LobbyModel): void;
  /** Moves the focus to what the player would press next: the way back to a room, else the heading. */
  focus(): void;
  /** Takes the lobby off the page. */
  remove(): void;
};

/** Creates the first page. It needs neither the engine nor a network, and can be used at once. */
export function createLobby(container: HTMLElement, handlers: LobbyHandlers): Lobby {
  const backdrop = createBackdrop();
  const name = nameField(() => handlers.onProfile(profile()));
  const profile = (): LobbyProfile => ({ name: name.value, colour: colours.read() });
  const colours = createColours((colour) => {
    backdrop.show(colour);
    name.placeholder = placeholderFor(colour);
    handlers.onProfile(profile());
  });

  const startForm = createStartForm((scene, place) => handlers.onStart(profile(), scene, place));
  const start = startForm.element;
  const continueCard = continueButton(() => handlers.onContinue(profile()));
  const join = createJoinForm((wish) => handlers.onJoin(profile(), wish));
  const back = backButton(() => handlers.onBack(profile()));
  const doors = createDoors({
    onPractise: () => handlers.onPractise(profile()),
    onWatch: () => handlers.onWatch(),
  });
  const busy = busyCard(() => handlers.onCancel());
  const failure = failureCard(() => handlers.onRetry());
  const choices = el(
    'div',
    { class: 'choices' },
    back.element,
    continueCard.element,
    start,
    or(),
    join.element,
    or(),
    doors.element,
  );
  const head = heading();
  const you = el('div', { class: 'you' }, labelled('Your name', name), colours.element);
  const small = smallPrint();
  const parts = [head.element, failure.element, card(you, choices, busy.element), ...small.elements];
  const content = el('div', { class: 'content' }, ...parts);
  const element = el('section', { class: 'lobby', 'aria-label': 'Lobby' }, backdrop.element, content);
  container.append(element);

  let before: LobbyModel | null = null;
  return {
    you,
    remove: () => element.remove(),
    focus: () => (back.element.hidden ? head.title : back.element).focus(),
    show(model) {
      if (document.activeElement !== name) name.value = model.profile.name;
      if (model.profile.colour !== before?.profile.colour) {
        colours.show(model.profile.colour);
        backdrop.show(model.profile.colour);
        name.placeholder = placeholderFor(model.profile.colour);
      }
      if (model.code !== before?.code) join.write(model.code);
      small.show(model.asked);
      if (model.server !== before?.server) startForm.show(model.server);
      continueCard.show(model.lastWorld);
      back.show(model.leftRoom);
      // Only the button that the player would most likely press stands out.
      start.querySelector('button')?.classList.toggle('primary', model.leftRoom === null);
      doors.show(model.notice);
      const waiting = model.state.kind === 'busy';
      const focusLeaves = !waiting && busy.element.contains(document.activeElement);
      choices.hidden = waiting;
      busy.show(model.state, model.code);
      failure.show(model.state);
      if (focusLeaves && model.state.kind === 'idle') start.querySelector('button')?.focus();
      before = model;
    },
  };
}

/** The lines below the card. */
function smallPrint(): {
  readonly elements: readonly HTMLElement[];
  show(asked: AskedServices | null): void;
} {
  const asked = el('p', { class: 'small' });
  const privacy = el('p', { class: 'small' });
  return {
    elements: [asked, privacy, createEngineersDoors()],
    show(services) {
      setText(asked, services === null ? '' : askedSentence(services));
      setText(privacy, privacySentences(services));
    },
  };
}

function heading(): { readonly element: HTMLElement; readonly title: HTMLElement } {
  const title = el('h1', { tabindex: '-1' }, 'Handover');
  const words = 'Pick up, throw, catch and hand over cubes with friends. No lag in your own hands.';
  return { element: el('header', {}, title, el('p', {}, words)), title };
}

function card(...parts: HTMLElement[]): HTMLElement {
  return el('div', { class: 'card' }, ...parts);
}

function or(): HTMLElement {
  return el('p', { class: 'or' }, 'or');
}

function labelled(text: string, field: HTMLElement): HTMLElement {
  return el('div', { class: 'field' }, el('label', { for: field.id }, text), field);
}

/** The way back to the room that was left; hidden if there is none. */
function backButton(onBack: () => void): StateCard & { show(room: LeftRoom | null): void } {
  const title = el('b');
  const sentence = el('span');
  const element = el('button', { type: 'button', class: 'continue primary', hidden: true }, title, sentence);
  element.addEventListener('click', onBack);
  return {
    element,
    show(room) {
      element.hidden = room === null;
      if (room === null) return;
      setText(title, `Back to room ${room.code}`);
      setText(sentence, describeLeftRoom(room));
    },
  };
}

/** A button of the choices; hidden if there is no last world. */
function continueButton(onContinue: () => void): StateCard & { show(lastWorld: LastWorld | null): void } {
  const sentence = el('span');
  const element = el(
    'button',
    { type: 'button', class: 'continue', hidden: true },
    el('b', {}, 'Continue'),
    sentence,
  );
  element.addEventListener('click', onContinue);
  return {
    element,
    show(lastWorld) {
      element.hidden = lastWorld === null;
      if (lastWorld !== null) setText(sentence, describeLastWorld(lastWorld, Date.now() / 1000));
    },
  };
}

type StateCard = { readonly element: HTMLElement };

function busyCard(onCancel: () => void): StateCard & { show(state: LobbyState, code: string): void } {
  const sentence = el('p', { role: 'status' });
  const cancel = el('button', { type: 'button' }, 'Cancel');
  cancel.addEventListener('click', onCancel);
  const cubes = el('span', { class: 'cubes', 'aria-hidden': 'true' });
  const trying = tryingText();
  const element = el('div', { class: 'busy', hidden: true }, cubes, sentence, trying.element, cancel);
  return {
    element,
    show(state, code) {
      const begins = element.hidden;
      element.hidden = state.kind !== 'busy';
      if (state.kind !== 'busy') return;
      sayStep(sentence, state.step, code);
      trying.show(state);
      if (begins) cancel.focus();
    },
  };
}

/** [F5.2] A screen reader reads out each new step, but not each second. */
function tryingText(): StateCard & { show(busy: Extract<LobbyState, { kind: 'busy' }>): void } {
  const step = el('span', { role: 'status' });
  const time = el('span', { class: 'time' });
  const element = el('p', { class: 'trying', hidden: true }, step, time);
  return {
    element,
    show({ progress, step: busy }) {
      element.hidden = progress === null;
      if (progress === null) return;
      setText(step, joinStep(progress, busy));
      setText(time, triedFor(progress));
    },
  };
}

function sayStep(sentence: HTMLElement, step: BusyStep, code: string): void {
  const key = `${step} ${code}`;
  if (sentence.dataset.step === key) return;
  sentence.dataset.step = key;
  if (step !== 'looking') sentence.replaceChildren(BUSY[step]);
  else {
    const letters = el('b', { 'aria-hidden': 'true' }, code);
    const aloud = el('span', { class: 'aloud' }, spelled(code));
    sentence.replaceChildren(`${BUSY.looking} `, letters, aloud, '…');
  }
}

function failureCard(onRetry: () => void): StateCard & { show(state: LobbyState): void } {
  const title = el('h2');
  const text = el('p');
  const again = el('button', { type: 'button' });
  const element = el(
    'div',
    { class: 'card failure', role: 'alert', tabindex: '-1', hidden: true },
    title,
    text,
    again,
  );
  let shown: Failure | null = null;
  again.addEventListener('click', () => {
    if (shown !== null && FAILURES[shown].remedy === 'reload') location.reload();
    else onRetry();
  });
  return {
    element,
    show(state) {
      const failure = state.kind === 'failed' ? state.failure : null;
      if (failure === shown) return;
      shown = failure;
      element.hidden = failure === null;
      if (failure === null) return;
      const { remedy, ...texts } = FAILURES[failure];
      title.textContent = texts.title;
      text.textContent = texts.text;
      again.hidden = remedy === 'none';
      again.textContent = remedy === 'reload' ? 'Reload' : 'Try again';
      element.focus();
    },
  };
}

/** Tells the player who learns which data. */
function privacySentences(asked: AskedServices | null): string {
  const learnt = asked === null ? '' : `${learntSentence(asked)} `;
  return `${learnt}There is no account. This browser keeps your name, your colour, your last cubes, your last recording, and a key that proves your place.`;
}
