import { MAX_ROOM_PLAYERS } from '../../../core/base/constants.ts';
import type { IconName } from '../../room/menu/menu-parts.ts';
import { describePlayer, makeHostQuestion } from '../../room/menu/menu-players.ts';
import type { RoomModel, RoomPlayer } from '../../room/model.ts';
import { calledBy, isVoiceless } from '../../room/model.ts';
import { button, rect, text } from './panel-boxes.ts';
import type { WristBox, WristPress, WristState } from './wrist-layout.ts';
import { PAGE, question } from './wrist-layout.ts';
import { nameBoard } from './wrist-name.ts';

/** Rows of a page, and the height of one. */
const ROWS = MAX_ROOM_PLAYERS;
const ROW = PAGE.height / ROWS;

/** Returns the page of the players: a row for each. */
export function playersPage(model: RoomModel, { asked, writing }: WristState): WristBox[] {
  if (writing !== null) return nameBoard(writing);
  const isAsked = asked?.kind === 'remove' || asked?.kind === 'make host';
  if (isAsked && model.you === model.host) {
    const player = model.players.find(({ slot }) => slot === asked.slot);
    const isStillRight = player !== undefined && (asked.kind === 'remove' || player.presence === 'here');
    if (isStillRight)
      return asked.kind === 'remove'
        ? question(PAGE, `Remove ${calledBy(player)} from the room?`, 'Remove', asked)
        : question(PAGE, makeHostQuestion(calledBy(player)), 'Make host', asked);
  }
  const { players, you } = model;
  if (players.length <= ROWS) return players.flatMap((player, i) => playerRow(player, i, model));
  // [N8.1] The player's own row is there to rename itself.
  const own = players.filter(({ slot }) => slot === you);
  const shown = [...own, ...players.filter(({ slot }) => slot !== you)].slice(0, ROWS - 1);
  const more = text<WristPress>(
    rect(76, PAGE.y + (ROWS - 1) * ROW + 8, 380, 26),
    `and ${players.length - shown.length} more`,
    { size: 20, tone: 'soft' },
  );
  return [...shown.flatMap((player, i) => playerRow(player, i, model)), more];
}

function playerRow(player: RoomPlayer, i: number, model: RoomModel): WristBox[] {
  const y = PAGE.y + i * ROW;
  const { slot, presence, voice, mutedHere, level } = player;
  const isHere = presence === 'here';
  const isHeard = isHere && voice === 'on' && !mutedHere;
  const about = describePlayer(player, model);
  const buttons = buttonsOf(player, y, model);
  const end = Math.min(538, ...buttons.map(({ x }) => x)) - 8;
  const name = rect(76, about === '' ? y + 8 : y, (isHeard ? end - 84 : end) - 84, 26);
  return [
    { ...rect(28, y + 4, 36, 36), kind: 'badge', slot, faint: !isHere },
    text(name, calledBy(player), { size: 23, bold: true, tone: isHere ? 'ink' : 'soft' }),
    ...(about === ''
      ? []
      : [text<WristPress>(rect(76, y + 26, name.width, 17), about, { size: 17, tone: 'soft' })]),
    ...(isHeard
      ? [{ ...rect(end - 76, y + 17, 68, 10), kind: 'meter', level: stepped(level) } as const]
      : []),
    ...buttons,
  ];
}

/** The buttons at the end of a row: to rename oneself, or to mute another player, make it host and remove it. */
function buttonsOf(player: RoomPlayer, y: number, model: RoomModel): WristBox[] {
  const { slot, mutedHere, name } = player;
  // In practice nobody could read a name, and the bot stays.
  if (model.isPractice) return [];
  if (slot === model.you) {
    const place = rect(404, y + 2, 132, 40);
    return [button(place, { label: 'Rename', look: 'plain', size: 20, action: { kind: 'write', name } })];
  }
  const called = calledBy(player);
  const isHost = model.you === model.host;
  const canBeHost = isHost && player.presence === 'here';
  const iconAt = (x: number, label: string, icon: IconName, action: WristPress): WristBox =>
    button(rect(x, y + 2, 64, 40), { label, icon, iconOnly: true, look: 'bare', action });
  const ask = (kind: 'remove' | 'make host'): WristPress => ({ kind: 'ask', about: { kind, slot } });
  if (isVoiceless(model)) return [];
  return [
    // A page may send a voice and say that it is off, so everybody can be muted.
    button(rect(canBeHost ? 336 : isHost ? 404 : 472, y + 2, 64, 40), {
      label: mutedHere ? `Hear ${called} again` : `Mute ${called} for me`,
      icon: mutedHere ? 'no speaker' : 'speaker',
      iconOnly: true,
      look: mutedHere ? 'chosen' : 'bare',
      action: { kind: 'mute', slot, muted: !mutedHere },
    }),
    ...(canBeHost ? [iconAt(404, `Make ${called} the host`, 'crown', ask('make host'))] : []),
    ...(isHost ? [iconAt(472, `Remove ${called} from the room`, 'close', ask('remove'))] : []),
  ];
}

/** Levels of a meter: enough to look smooth, and few enough that a silent voice causes no new drawing. */
const STEPS = 12;

/** Returns a meter's level in steps. */
export function stepped(level: number): number {
  return Math.round(Math.min(1, Math.max(0, level)) * STEPS) / STEPS;
}
