import { MAX_ROOM_PLAYERS, MAX_SERVER_ROOM_PLAYERS } from '../../../core/base/constants.ts';
import { isLarge } from '../../../core/room/people.ts';
import type { LevelId } from '../../../levels/levels.ts';
import { LEVEL_IDS } from '../../../levels/levels.ts';
import { el, uniqueId } from '../../panel/dom.ts';
import { SCENE_TITLES } from '../../room/sentences.ts';
import type { RoomPlace, ServerOffer } from './server-room.ts';

/** Where a room can run, and how players read it. */
const PLACES: readonly (readonly [RoomPlace['kind'], string])[] = [
  ['browser', 'In my browser'],
  ['server', 'On this server'],
];

/** A sentence for each place: what it means to the player. */
const PLACE_HINTS: Readonly<Record<RoomPlace['kind'] | 'large' | 'voiceless', string>> = {
  browser: 'Nothing else is needed. If you leave, the room moves to a friend’s browser.',
  server: 'The room does not depend on your connection, and waits five minutes for you to come back.',
  large:
    'The room does not depend on your connection. With more than eight players, everybody connects to this server alone.',
  voiceless:
    'The room does not depend on your connection. With more than eight players, everybody connects to this server alone, and there is no voice.',
};

/** [N8.1] The sizes of rooms on a server that are offered, as far as the server allows them. */
const SIZES = [MAX_ROOM_PLAYERS, 16, MAX_SERVER_ROOM_PLAYERS];

/** The form that starts a room. */
export type StartForm = {
  readonly element: HTMLFormElement;
  /** @param offer the server's rooms; null if it has none. Else the player may choose where the room runs. */
  show(offer: ServerOffer | null): void;
};

/** Creates the form. @param onStart called with the chosen scene, and where the room is to run. */
export function createStartForm(onStart: (scene: LevelId, place: RoomPlace) => void): StartForm {
  const scene = choice(
    'Scene',
    LEVEL_IDS.map((id) => [id, SCENE_TITLES[id]]),
  );
  const place = choice('Runs', PLACES);
  place.field.classList.add('place');
  const size = choice('Players', []);
  const hint = el('p', { class: 'hint', id: uniqueId('hint') });
  for (const { select } of [place, size]) select.setAttribute('aria-describedby', hint.id);
  let sizes: readonly number[] = [];
  let hasVoices = false;
  const chosenPlace = (): RoomPlace => {
    const kind = place.field.hidden ? 'browser' : PLACES[place.select.selectedIndex][0];
    return kind === 'browser' ? { kind } : { kind, capacity: sizes[size.select.selectedIndex] };
  };
  const showHint = (): void => {
    const chosen = chosenPlace();
    size.field.hidden = chosen.kind === 'browser' || sizes.length < 2;
    const large = hasVoices ? 'large' : 'voiceless';
    hint.textContent = PLACE_HINTS[chosen.kind === 'server' && isLarge(chosen) ? large : chosen.kind];
  };
  for (const { select } of [place, size]) select.addEventListener('change', showHint);
  const show = (offer: ServerOffer | null): void => {
    const most = offer?.players ?? null;
    hasVoices = offer?.hasVoices === true;
    place.field.hidden = hint.hidden = most === null;
    sizes = most === null ? [] : [...SIZES.filter((count) => count < most), most];
    const before = size.select.value;
    const options = sizes.map((count) => el('option', { value: String(count) }, `Up to ${count}`));
    size.select.replaceChildren(...options);
    if (sizes.map(String).includes(before)) size.select.value = before;
    showHint();
  };
  show(null);
  const start = el('button', { type: 'submit', class: 'primary' }, 'Start a room');
  const element = el('form', { class: 'start' }, start, scene.field, place.field, size.field, hint);
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
