import { MAX_SERVER_ROOM_PLAYERS } from '../../../core/base/constants.ts';
import type { Slot } from '../../../core/base/ids.ts';
import type { PublicKey } from '../../../core/room/identity/key.ts';
import { slotBadge } from '../../panel/slot-badge.ts';
import { el, setText } from '../../panel/dom.ts';
import { formatMilliseconds } from '../../panel/figures.ts';
import type { IconName, Part, Question } from './menu-parts.ts';
import { createQuestion, iconButton, meter, section, setAttribute } from './menu-parts.ts';
import type { RoomModel, RoomPlayer } from '../model.ts';
import { calledBy, isVoiceless } from '../model.ts';

/** Called when a player wants something of another player. */
export type PlayerHandlers = {
  /** Whether to hear a player on this page. */
  onMute(slot: Slot, muted: boolean): void;
  /** Give the room to a player. Only a host can, and it has confirmed. */
  onMakeHost(slot: Slot): void;
  /** Remove a player. Only a host can, and it has confirmed. */
  onRemove(slot: Slot): void;
};

/** The players of the room: a row for each slot, shown while the slot has a player. */
export function createPlayers(handlers: PlayerHandlers): Part {
  const count = el('span', { class: 'aside' });
  const rows = Array.from({ length: MAX_SERVER_ROOM_PLAYERS }, (_, slot) =>
    playerRow(slot as Slot, handlers),
  );
  const list = el('ul', { class: 'players', tabindex: '-1' }, ...rows.map(({ element }) => element));
  const element = section('Players', list);
  element.querySelector('h3')?.append(count);
  return {
    element,
    show(model) {
      setText(count, `${model.players.length} of ${model.capacity}`);
      for (const [slot, row] of rows.entries()) {
        const hadFocus = row.element.contains(document.activeElement);
        row.show(
          model.players.find((other) => other.slot === slot),
          model,
        );
        // The focus must not be lost with a row or a button that is hidden now.
        if (hadFocus && document.activeElement?.closest('[hidden]') !== null) list.focus();
      }
    },
  };
}

type Row = { readonly element: HTMLElement; show(player: RoomPlayer | undefined, model: RoomModel): void };

function playerRow(slot: Slot, handlers: PlayerHandlers): Row {
  let muted = false;
  let called = '';
  let key: PublicKey | null = null;
  const name = el('span', { class: 'name' });
  const about = el('span', { class: 'about' });
  const level = meter();
  const mute = iconButton(() => handlers.onMute(slot, !muted));
  const crown = questionButton('Make host', () => handlers.onMakeHost(slot));
  const remove = questionButton('Remove', () => handlers.onRemove(slot));
  const closeAll = (): void => {
    crown.question.close();
    remove.question.close();
  };
  // One question at a time.
  crown.element.addEventListener('click', () => remove.question.close());
  remove.element.addEventListener('click', () => crown.question.close());
  const element = el(
    'li',
    { hidden: true },
    slotBadge(slot),
    el('span', { class: 'who' }, name, about),
    level.element,
    mute.element,
    crown.element,
    remove.element,
    crown.question.element,
    remove.question.element,
  );
  return {
    element,
    show(player, model) {
      element.hidden = player === undefined;
      const other = slot !== model.you;
      const canRemove = player !== undefined && other && model.you === model.host && !model.isPractice;
      const canBeHost = canRemove && player.presence === 'here';
      if (!canRemove) remove.question.close();
      if (!canBeHost) crown.question.close();
      // Another player has come into the slot. A new name closes nothing: else a player could keep its removal away.
      if (player?.key !== key) closeAll();
      key = player?.key ?? null;
      if (player === undefined) return;
      called = calledBy(player);
      muted = player.mutedHere;
      setText(name, called);
      setText(about, describePlayer(player, model));
      setAttribute(element, 'data-presence', player.presence);
      level.element.hidden = player.voice !== 'on' || player.presence !== 'here' || player.mutedHere;
      level.show(player.level);
      // A page may send a voice and say that it is off, so everybody can be muted.
      mute.element.hidden = !other || model.isPractice || isVoiceless(model);
      const [sign, does, word] = muted
        ? (['no speaker', `Hear ${called} again`, 'Hear'] as const)
        : (['speaker', `Mute ${called} for me`, 'Mute'] as const);
      mute.show(sign, does, word);
      crown.element.hidden = !canBeHost;
      crown.show('crown', `Make ${called} the host`, makeHostQuestion(called));
      remove.element.hidden = !canRemove;
      remove.show('close', `Remove ${called} from the room`, `Remove ${called} from the room?`);
    },
  };
}

/** @returns the question before a room is given to another player. */
export function makeHostQuestion(called: string): string {
  return `Make ${called} the host? You stay in the room.`;
}

/** A button that asks a question, and does its work when the player agrees. */
type QuestionButton = {
  readonly element: HTMLElement;
  readonly question: Question;
  show(icon: IconName, label: string, asks: string): void;
};

function questionButton(yes: string, act: () => void): QuestionButton {
  let asks = '';
  const question = createQuestion(yes, 'Cancel', (agreed) => {
    ask.element.focus();
    if (agreed) act();
  });
  const ask = iconButton(() => question.ask(asks));
  return {
    element: ask.element,
    question,
    show(icon, label, sentence) {
      asks = sentence;
      ask.show(icon, label, yes);
    },
  };
}

/** @returns for example "you · host", "24 ms · muted" or "host · connection lost". */
export function describePlayer(player: RoomPlayer, { you, host }: Pick<RoomModel, 'you' | 'host'>): string {
  const { slot, presence, roundTripMs, voice } = player;
  const parts: string[] = [];
  if (slot === you) parts.push('you');
  if (slot === host) parts.push('host');
  if (presence === 'lost') parts.push('connection lost');
  if (presence === 'away') parts.push('away, place kept');
  if (presence === 'here') {
    if (slot !== you && slot !== host && roundTripMs > 0) parts.push(formatMilliseconds(roundTripMs));
    if (voice === 'muted') parts.push('muted');
    if (player.mutedHere) parts.push('muted for you');
  }
  return parts.join(' · ');
}
