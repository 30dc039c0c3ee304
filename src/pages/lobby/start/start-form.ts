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
  place.field.hidden = true;
  const start = el('button', { type: 'submit', class: 'primary' }, 'Start a room');
  const element = el('form', { class: 'start' }, start, scene.field, place.field);
  element.addEventListener('submit', (event) => {
    event.preventDefault();
    const [chosen] = place.field.hidden ? PLACES[0] : PLACES[place.select.selectedIndex];
    onStart(LEVEL_IDS[scene.select.selectedIndex], chosen);
  });
  return { element, show: (hasServerRooms) => void (place.field.hidden = !hasServerRooms) };
}

function choice(
  label: string,
  options: readonly (readonly [value: string, words: string])[],
): { field: HTMLElement; select: HTMLSelectElement } {
  const id = uniqueId('start');
  const select = el('select', { id }, ...options.map(([value, words]) => el('option', { value }, words)));
  return { field: el('div', { class: 'field' }, el('label', { for: id }, label), select), select };
}
