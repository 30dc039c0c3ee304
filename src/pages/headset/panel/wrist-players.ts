import { MAX_PLAYERS } from '../../../core/base/constants.ts';
import { describePlayer } from '../../room/menu/menu-players.ts';
import type { RoomModel, RoomPlayer } from '../../room/model.ts';
import { calledBy } from '../../room/model.ts';
import { button, rect, text } from './panel-boxes.ts';
import type { WristBox, WristPress, WristState } from './wrist-layout.ts';
import { PAGE, question } from './wrist-layout.ts';
import { nameBoard } from './wrist-name.ts';

const ROW = PAGE.height / MAX_PLAYERS;

/** Returns the page of the players: a row for each. */
export function playersPage(model: RoomModel, { asked, writing }: WristState): WristBox[] {
  if (writing !== null) return nameBoard(writing);
  if (asked?.kind === 'remove' && model.you === model.host) {
    const player = model.players.find(({ slot }) => slot === asked.slot);
    if (player !== undefined)
      return question(PAGE, `Remove ${calledBy(player)} from the room?`, 'Remove', asked);
  }
  return model.players.slice(0, MAX_PLAYERS).flatMap((player, i) => playerRow(player, i, model));
}

function playerRow(player: RoomPlayer, i: number, model: RoomModel): WristBox[] {
  const y = PAGE.y + i * ROW;
  const { slot, presence, voice, mutedHere, level } = player;
  const isHere = presence === 'here';
  const called = calledBy(player);
  const isHeard = isHere && voice === 'on' && !mutedHere;
  const isOther = slot !== model.you;
  // A page may send a voice and say that it is off, so everybody can be muted.
  const canMute = isOther && !model.isPractice;
  // A practice has nobody who could read a name, and its bot stays.
  const canRename = !isOther && !model.isPractice;
  const canRemove = isOther && model.you === model.host && !model.isPractice;
  const about = describePlayer(player, model);
  const end = canRemove || canRename ? 396 : canMute ? 464 : 530;
  const name = rect(76, about === '' ? y + 8 : y, (isHeard ? end - 84 : end) - 84, 26);
  return [
    { ...rect(28, y + 4, 36, 36), kind: 'badge', slot, faint: !isHere },
    text(name, called, { size: 23, bold: true, tone: isHere ? 'ink' : 'soft' }),
    ...(about === ''
      ? []
      : [text<WristPress>(rect(76, y + 26, name.width, 17), about, { size: 17, tone: 'soft' })]),
    ...(isHeard
      ? [{ ...rect(end - 76, y + 17, 68, 10), kind: 'meter', level: stepped(level) } as const]
      : []),
    ...(canMute
      ? [
          button<WristPress>(rect(canRemove ? 404 : 472, y + 2, 64, 40), {
            label: mutedHere ? `Hear ${called} again` : `Mute ${called} for me`,
            icon: mutedHere ? 'no speaker' : 'speaker',
            iconOnly: true,
            look: mutedHere ? 'chosen' : 'bare',
            action: { kind: 'mute', slot, muted: !mutedHere },
          }),
        ]
      : []),
    ...(canRename
      ? [
          button<WristPress>(rect(404, y + 2, 132, 40), {
            label: 'Rename',
            look: 'plain',
            size: 20,
            action: { kind: 'write', name: player.name },
          }),
        ]
      : []),
    ...(canRemove
      ? [
          button<WristPress>(rect(476, y + 2, 60, 40), {
            label: `Remove ${called} from the room`,
            icon: 'close',
            iconOnly: true,
            look: 'bare',
            action: { kind: 'ask', about: { kind: 'remove', slot } },
          }),
        ]
      : []),
  ];
}

/** Levels of a meter: enough to look smooth, and few enough that a silent voice causes no new drawing. */
const STEPS = 12;

/** Returns a meter's level in steps. */
export function stepped(level: number): number {
  return Math.round(Math.min(1, Math.max(0, level)) * STEPS) / STEPS;
}
