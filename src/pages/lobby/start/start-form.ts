import type { LevelId } from '../../../levels/levels.ts';
import { LEVEL_IDS } from '../../../levels/levels.ts';
import { el, uniqueId } from '../../panel/dom.ts';
import { SCENE_TITLES } from '../../room/sentences.ts';
import type { RoomPlace } from './server-room.ts';

/** Where a room can run, and how players read it. */
const PLACES: readonly (readonly [RoomPlace, string])[] = [
  ['browser', 'In my browser'],
  ['server', 'On this server'],
];

/** A sentence for each place: what it means to the player. */
const PLACE_HINTS: Readonly<Record<RoomPlace, string>> = {
  browser: 'Nothing else is needed. If you leave, the room moves to a friend’s browser.',
  server: 'The room does not depend on your connection, and waits five minutes for you to come back.',
};

/** The form that starts a room. */
export type StartForm = {
  readonly element: HTMLFormElement;
  /** @param hasServerRooms the player may choose where the room runs. */
  show(hasServerRooms: boolean): void;
};

/** Creates the form. @param onStart called with the chosen scene, and where the room is to run. */
export function createStartForm(onStart: (scene: LevelId, place: RoomPlace) => void): StartForm {
  const scene = choice(
    'Scene',
    LEVEL_IDS.map((id) => [id, SCENE_TITLES[id]]),
  );
  const place = choice('Runs', PLACES);
  place.field.classList.add('place');
  const hint = el('p', { class: 'hint', id: uniqueId('hint') });
  place.select.setAttribute('aria-describedby', hint.id);
  const chosenPlace = (): RoomPlace =>
    place.field.hidden ? 'browser' : PLACES[place.select.selectedIndex][0];
  const showHint = (): void => void (hint.textContent = PLACE_HINTS[chosenPlace()]);
  place.select.addEventListener('change', showHint);
  const show = (hasServerRooms: boolean): void => {
    place.field.hidden = hint.hidden = !hasServerRooms;
    showHint();
  };
  show(false);
  const start = el('button', { type: 'submit', class: 'primary' }, 'Start a room');
  const element = el('form', { class: 'start' }, start, scene.field, place.field, hint);
  element.addEventListener('submit', (event) => {
    event.preventDefault();
    onStart(LEVEL_IDS[scene.select.selectedIndex], chosenPlace());
  });
  return { element, show };
}

function choice(
  label: string,
  options: readonly (readonly [value: string, words: string])[],
): { field: HTMLElement; select: HTMLSelectElement } {
  const id = uniqueId('start');
  const select = el('select', { id }, ...options.map(([value, words]) => el('option', { value }, words)));
  return { field: el('div', { class: 'field' }, el('label', { for: id }, label), select), select };
}
