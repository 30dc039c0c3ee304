import { DEDICATED_SLOT, MAX_ROOM_PLAYERS } from '../../../core/base/constants.ts';
import type { Slot } from '../../../core/base/ids.ts';
import { slotBadge } from '../../panel/slot-badge.ts';
import { el, setText } from '../../panel/dom.ts';
import type { Part } from '../menu/menu-parts.ts';
import { button, icon, setAttribute } from '../menu/menu-parts.ts';
import type { RoomModel } from '../model.ts';
import type { LostHost } from '../sentences.ts';
import { JOIN_STEPS, lostSentence, spelled, triedFor } from '../sentences.ts';

/** The room's code and players, always in sight. A press opens the menu. */
export function createRoomChip(onOpen: () => void): Part {
  const code = el('b');
  const lock = el('span', { class: 'locked', hidden: true }, icon('lock'));
  const chips = Array.from({ length: MAX_ROOM_PLAYERS }, (_, slot) => slotBadge(slot as Slot));
  const count = el('span');
  const watchers = el('span');
  const eye = el('span', { class: 'watchers', hidden: true }, icon('eye'), watchers);
  const inside = el('span', { 'aria-hidden': 'true' }, code, lock, el('span', { class: 'chips' }, ...chips));
  const element = el('button', { type: 'button', class: 'pill room-chip' }, inside);
  inside.append(count, eye);
  element.addEventListener('click', onOpen);
  return {
    element,
    show(model) {
      setText(code, model.code);
      lock.hidden = !model.locked;
      chips.forEach((chip, slot) => {
        const player = model.players.find((other) => other.slot === slot);
        chip.hidden = player === undefined;
        chip.dataset.presence = player?.presence ?? '';
      });
      setText(count, String(present(model)));
      eye.hidden = !model.watching?.count;
      setText(watchers, String(model.watching?.count ?? 0));
      setAttribute(element, 'aria-label', describeRoom(model));
    },
  };
}

/** @returns for example "Room K Q X M T, locked, 2 of 4 players: open the menu". */
export function describeRoom(
  model: Pick<RoomModel, 'code' | 'locked' | 'capacity' | 'players' | 'watching'>,
): string {
  const locked = model.locked ? ', locked' : '';
  const watched = model.watching?.count ? `, ${model.watching.count} watching` : '';
  return `Room ${spelled(model.code)}${locked}, ${present(model)} of ${model.capacity} players${watched}: open the menu`;
}

/** How many players are in the room now. */
function present({ players }: Pick<RoomModel, 'players'>): number {
  return players.filter(({ presence }) => presence !== 'away').length;
}

/** Milliseconds for which a connection must have been lost. */
const SHOWN_AFTER_MS = 1000;

/** A banner that is shown while the connection to the host is lost. */
export function createLostBanner(onLeave: () => void): Part {
  const sentence = el('p', { role: 'alert' });
  const step = el('span', { role: 'status' });
  const time = el('span', { class: 'time' });
  const trying = el('p', { class: 'trying' }, step, ' ', time);
  const element = el(
    'div',
    { class: 'card lost', hidden: true },
    el('span', { class: 'spinner', 'aria-hidden': 'true' }),
    el('div', {}, sentence, trying),
    button('Leave', onLeave),
  );
  return {
    element,
    show({ connection, progress, host, you }) {
      // [F4.33] A host that gives the room away is back in it in a moment, so nothing is shown in the first second.
      const isLost = connection === 'lost' && (progress?.forMs ?? Infinity) >= SHOWN_AFTER_MS;
      element.hidden = !isLost;
      // The text is set only now, so that a screen reader reads it out when it appears.
      setText(sentence, isLost ? lostSentence(lostHost(host, you), navigator.onLine) : '');
      setText(step, progress === null ? '' : JOIN_STEPS[progress.step]);
      setText(time, progress === null ? '' : triedFor(progress));
    },
  };
}

/** Tells which kind of host the line is lost to. @param host the host's slot. @param you this player's slot. */
function lostHost(host: Slot, you: Slot): LostHost {
  if (host === you) return 'self';
  return host === DEDICATED_SLOT ? 'server' : 'player';
}
