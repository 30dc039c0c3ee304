import type { Slot } from '../../../core/base/ids.ts';
import type { JoinProgress } from '../../../core/room/line.ts';
import type { RoomCode } from '../../../core/room/code.ts';
import { readRoomCode, ROOM_CODE_LENGTH, ROOM_CODE_LETTERS } from '../../../core/room/code.ts';
import type { LevelId } from '../../../levels/levels.ts';
import { LEVEL_IDS } from '../../../levels/levels.ts';
import type { LeftRoom } from '../../../storage/left-room.ts';
import type { LastWorld } from '../../lobby/last-world.ts';
import type { LobbyState } from '../../lobby/lobby-view.ts';
import { calledBy } from '../../room/model.ts';
import type { BusyStep, Failure } from '../../room/sentences.ts';
import { BUSY, FAILURES, joinStep, SCENE_TITLES, spelled, triedFor } from '../../room/sentences.ts';
import type { Box } from './panel-boxes.ts';
import { button, columns, paragraph, rect, text } from './panel-boxes.ts';

/** Everything that the lobby's panel shows. */
export type LobbyPanelModel = {
  readonly profile: { readonly name: string; readonly colour: Slot };
  /** The text in the code field: from a link, the code of the room that was lost, or ''. */
  readonly code: string;
  readonly state: LobbyState;
  /** The world of this browser that can be continued; null if there is none. */
  readonly lastWorld: LastWorld | null;
  /** The room that the player has left, if others may still be in it; else null. */
  readonly leftRoom: Pick<LeftRoom, 'code'> | null;
};

/** The choices of a player in the lobby. `cancel` stops what keeps the lobby busy, or closes a failure. */
export type LobbyAction =
  | { readonly kind: 'start'; readonly scene: LevelId }
  | { readonly kind: 'join'; readonly code: RoomCode }
  | { readonly kind: 'continue' | 'back' | 'cancel' | 'retry' | 'practise' | 'loopback' | 'exit' };

/** Everything that can be pressed; some of it changes only the panel. */
export type LobbyPress =
  | LobbyAction
  | { readonly kind: 'scene'; readonly scene: LevelId }
  | { readonly kind: 'letter'; readonly letter: string }
  | { readonly kind: 'erase' };

/** The scene and the letters that were chosen on the panel. */
export type LobbyChoice = { readonly scene: LevelId; readonly code: string };

type LobbyBox = Box<LobbyPress>;

/** A unit is 1.25 mm: text 28 units high, seen from 2 m, takes one degree. */
export const LOBBY_UNITS = { width: 960, height: 720 } as const;
const LEFT_EDGE = 40;
const RIGHT_EDGE = LOBBY_UNITS.width - LEFT_EDGE;
/** The two columns: the player's own room, and a friend's room. */
const OWN = rect(LEFT_EDGE, 122, 390, 468);
const FRIENDS = rect(RIGHT_EDGE - 410, 122, 410, 468);
const LABEL = { size: 28, tone: 'soft' } as const;
const KEYS_ACROSS = 5;
const KEY = { height: 58, gap: 10 } as const;

/** Returns the lobby's boxes, in LOBBY_UNITS. */
export function lobbyBoxes(model: LobbyPanelModel, choice: LobbyChoice): LobbyBox[] {
  return [...head(model), ...middle(model, choice), ...foot(model)];
}

function head({ profile }: LobbyPanelModel): LobbyBox[] {
  const called = calledBy({ slot: profile.colour, name: profile.name });
  return [
    text(rect(LEFT_EDGE, 24, 400, 60), 'Handover', { size: 46, bold: true }),
    text(rect(470, 32, 390, 44), called, { size: 30, align: 'right' }),
    { ...rect(RIGHT_EDGE - 44, 32, 44, 44), kind: 'badge', slot: profile.colour, faint: false },
    { ...rect(LEFT_EDGE, 100, RIGHT_EDGE - LEFT_EDGE, 2), kind: 'rule' },
  ];
}

function middle({ state, code, lastWorld, leftRoom }: LobbyPanelModel, choice: LobbyChoice): LobbyBox[] {
  switch (state.kind) {
    case 'idle':
      return [...ownRoom(choice.scene, lastWorld !== null, leftRoom !== null), ...friendsRoom(choice.code)];
    case 'busy':
      return busy(state, code);
    case 'failed':
      return failed(state.failure, code);
  }
}

/** @param canGoBack the way back to a room stands out then, in place of the start. */
function ownRoom(chosen: LevelId, canContinue: boolean, canGoBack: boolean): LobbyBox[] {
  const { x, y, width } = OWN;
  const rows = [0, 1, 2, 3, 4].flatMap((row) => columns(rect(x, y + 42 + row * 70, width, 62), 2, 12));
  const scenes = LEVEL_IDS.map((scene, i): LobbyBox => {
    const look = scene === chosen ? 'chosen' : 'plain';
    return button(rows[i], { label: SCENE_TITLES[scene], look, size: 30, action: { kind: 'scene', scene } });
  });
  // The place that the scenes leave free.
  const goOn = button<LobbyPress>(rows[LEVEL_IDS.length], {
    label: 'Continue',
    look: 'bare',
    size: 30,
    action: { kind: 'continue' },
  });
  return [
    text(rect(x, y, width, 34), 'Scene', LABEL),
    ...scenes,
    ...(canContinue ? [goOn] : []),
    button(rect(x, y + 404, width, 64), {
      label: 'Start a room',
      look: canGoBack ? 'plain' : 'primary',
      size: 30,
      action: { kind: 'start', scene: chosen },
    }),
    { ...rect((x + width + FRIENDS.x) / 2 - 1, y, 2, OWN.height), kind: 'rule' },
  ];
}

function friendsRoom(written: string): LobbyBox[] {
  const { x, y, width } = FRIENDS;
  const code = readRoomCode(written);
  const places = columns(rect(x, y + 42, width, 76), ROOM_CODE_LENGTH, 12);
  const isFull = written.length >= ROOM_CODE_LENGTH;
  const keys = Array.from(ROOM_CODE_LETTERS, (letter, i): LobbyBox => {
    const top = y + 132 + Math.floor(i / KEYS_ACROSS) * (KEY.height + KEY.gap);
    const at = columns(rect(x, top, width, KEY.height), KEYS_ACROSS, KEY.gap)[i % KEYS_ACROSS];
    return button(at, {
      label: letter,
      look: 'bare',
      size: 32,
      action: isFull ? null : { kind: 'letter', letter },
    });
  });
  const isEmpty = written === '';
  return [
    text(rect(x, y, width, 34), 'Your friend’s code', LABEL),
    ...places.map((place, i): LobbyBox => ({
      ...place,
      kind: 'place',
      letter: written.charAt(i),
      next: i === written.length,
    })),
    ...keys,
    button(rect(x, y + 404, 150, 64), {
      label: 'Delete',
      look: 'plain',
      size: 28,
      action: isEmpty ? null : { kind: 'erase' },
    }),
    button(rect(x + 162, y + 404, width - 162, 64), {
      label: 'Join',
      look: 'primary',
      size: 30,
      action: code === null ? null : { kind: 'join', code },
    }),
  ];
}

function busy({ step, progress }: Extract<LobbyState, { kind: 'busy' }>, code: string): LobbyBox[] {
  const across = RIGHT_EDGE - LEFT_EDGE;
  const sentence = step === 'looking' ? `${BUSY.looking} ${spelled(code)}…` : BUSY[step];
  return [
    paragraph(rect(LEFT_EDGE, 170, across, 110), sentence, { size: 44, align: 'centre' }),
    ...(progress === null ? [] : trying(progress, step, across)),
    button(rect(330, 450, 300, 72), { label: 'Cancel', look: 'plain', size: 30, action: { kind: 'cancel' } }),
  ];
}

/** [F5.2] */
function trying(progress: JoinProgress, busy: BusyStep, across: number): LobbyBox[] {
  return [
    paragraph(rect(LEFT_EDGE, 300, across, 56), joinStep(progress, busy), { size: 34, align: 'centre' }),
    paragraph(rect(LEFT_EDGE, 360, across, 48), triedFor(progress), {
      size: 28,
      tone: 'soft',
      align: 'centre',
    }),
  ];
}

/** A title with at most so many letters fits on one line. */
const ONE_LINE = 36;

/** @param code of the room that the player wanted to come into; empty if there was none. */
function failed(failure: Failure, code: string): LobbyBox[] {
  const { title, text: said, remedy } = FAILURES[failure];
  const across = RIGHT_EDGE - LEFT_EDGE;
  const titleHeight = title.length > ONE_LINE ? 112 : 56;
  const [left, right] = columns(rect(LEFT_EDGE, 500, across, 72), 2, 40);
  const back: LobbyBox = button(left, { label: 'Back', look: 'plain', size: 30, action: { kind: 'cancel' } });
  const again: LobbyBox = button(right, {
    label: remedy === 'reload' ? 'Reload' : 'Try again',
    look: 'primary',
    size: 30,
    action: { kind: 'retry' },
  });
  return [
    ...(code === ''
      ? []
      : [text<LobbyPress>(rect(LEFT_EDGE, 120, across, 40), `Room ${spelled(code)}`, LABEL)]),
    paragraph(rect(LEFT_EDGE, 166, across, titleHeight), title, { size: 42, bold: true }),
    paragraph(rect(LEFT_EDGE, 184 + titleHeight, across, 300 - titleHeight), said, { size: 34 }),
    ...(remedy === 'none' ? [back] : [back, again]),
  ];
}

function foot({ state, leftRoom }: LobbyPanelModel): LobbyBox[] {
  const doors: { label: string; kind: 'back' | 'practise' | 'loopback' | 'exit' }[] = [
    ...(leftRoom === null ? [] : [{ label: `Back to room ${leftRoom.code}`, kind: 'back' } as const]),
    { label: 'Practise', kind: 'practise' },
    // More than three buttons are too small to be read.
    ...(leftRoom === null ? [{ label: 'For engineers', kind: 'loopback' } as const] : []),
    { label: 'Leave the headset', kind: 'exit' },
  ];
  const places = columns(rect(LEFT_EDGE, 634, RIGHT_EDGE - LEFT_EDGE, 62), doors.length, 20);
  const size = leftRoom === null ? 28 : 24;
  const buttons = doors.map(({ label, kind }, i): LobbyBox => {
    const look = kind === 'back' ? 'primary' : 'plain';
    return button(places[i], { label, look, size, action: { kind } });
  });
  return [
    { ...rect(LEFT_EDGE, 612, RIGHT_EDGE - LEFT_EDGE, 2), kind: 'rule' },
    ...(state.kind === 'busy' ? buttons.slice(-1) : buttons),
  ];
}
