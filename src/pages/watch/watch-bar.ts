import type { Slot } from '../../core/base/ids.ts';
import type { RoomCode } from '../../core/room/code.ts';
import { roomQuery } from '../../room/link.ts';
import { el, setText } from '../panel/dom.ts';
import { slotBadge } from '../panel/slot-badge.ts';
import { lostSentence, spelled } from '../room/sentences.ts';

/** The contents of the bar under a watched room. */
export type WatchBarModel = {
  /** The players in the picture, by slot. */
  readonly players: readonly { readonly slot: Slot; readonly name: string }[];
  /** How many watch, the viewer included. */
  readonly watchers: number;
  /** True while the connection is broken. */
  readonly isLost: boolean;
};

export type WatchBar = { show(model: WatchBarModel): void };

/** Players whose names stand in the bar; of more, their number does. */
const MOST_NAMES = 8;

/** Creates the bar under a watched room: who is there, the way in, and the way back. */
export function createWatchBar(container: HTMLElement, code: RoomCode, onClose: () => void): WatchBar {
  const notice = el('p', { class: 'lost', role: 'status', hidden: true });
  const who = el('ul', { class: 'who', 'aria-label': 'Players' });
  const count = el('p', { class: 'count' });
  // The lobby's own way into a room: the page loads anew, as by a friend's link.
  const join = el('a', { class: 'join', href: roomQuery(code, null) }, 'Play along');
  const back = el('button', { type: 'button' }, 'Leave');
  back.addEventListener('click', onClose);
  const aloud = el('span', { class: 'aloud' }, `Watching the room ${spelled(code)}`);
  const title = el('h2', {}, el('span', { 'aria-hidden': 'true' }, `Watching ${code}`), aloud);
  container.append(
    el(
      'section',
      { class: 'card watched', 'aria-label': 'The room' },
      notice,
      el('div', { class: 'words' }, title, count, el('p', { class: 'how' }, howToMove())),
      who,
      el('div', { class: 'actions' }, join, back),
    ),
  );
  let shown = '';
  return {
    show({ players, watchers, isLost }) {
      notice.hidden = !isLost;
      setText(notice, isLost ? lostSentence('server', navigator.onLine) : '');
      setText(count, countSentence(players.length, watchers));
      const names = players.map(({ slot, name }) => `${slot} ${name}`).join('\n');
      if (names === shown) return;
      shown = names;
      const listed = players.slice(0, MOST_NAMES);
      who.replaceChildren(...listed.map(({ slot, name }) => el('li', {}, slotBadge(slot), name)));
      const more = players.length - listed.length;
      if (more > 0) who.append(el('li', {}, `and ${more} more`));
    },
  };
}

/** @returns for example "2 players, 14 watching". @param watchers 0 while it is not known. */
export function countSentence(players: number, watchers: number): string {
  const playing = players === 0 ? 'Nobody is playing' : `${players} ${players === 1 ? 'player' : 'players'}`;
  return watchers > 0 ? `${playing}, ${watchers} watching` : playing;
}

/** @returns how a viewer moves, with the device at hand. */
function howToMove(): string {
  return matchMedia('(pointer: coarse)').matches
    ? 'One finger looks around, two walk.'
    : 'Drag to look, W A S D to move.';
}
