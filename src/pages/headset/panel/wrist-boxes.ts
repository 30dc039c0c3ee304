import { DEDICATED_SLOT } from '../../../core/base/constants.ts';
import { LEVEL_IDS } from '../../../levels/levels.ts';
import { FIGURES } from '../../room/menu/menu-figures.ts';
import type { VoiceWish } from '../../room/menu/menu-voice.ts';
import { describeVoice, ownLevel } from '../../room/menu/menu-voice.ts';
import type { ResetState, RoomModel } from '../../room/model.ts';
import { hasFriends } from '../../room/model.ts';
import {
  BACK_TO_LOBBY,
  leavingQuestion,
  resetLabel,
  resetQuestion,
  SCENE_TITLES,
  sceneForGuests,
  spelled,
  UNREACHABLE,
} from '../../room/sentences.ts';
import type { Rect } from './panel-boxes.ts';
import { button, columns, paragraph, rect, text } from './panel-boxes.ts';
import type { Tab, WristBox, WristPress, WristState } from './wrist-layout.ts';
import { FOOT, INSIDE, LABEL, PAGE, question, SAID, TABS } from './wrist-layout.ts';
import { addPage } from './wrist-add.ts';
import { comfortPage, helpPage } from './wrist-pages.ts';
import { playersPage, stepped } from './wrist-players.ts';

/** Units between two tabs; and the space around the letters of a tab, in letters. */
const TAB_GAP = 8;
const TAB_PADDING = 2.6;
/** Letters by which an m or a w is wider than another one. */
const WIDER = 0.6;

/** Returns the menu's boxes, in WRIST_UNITS. */
export function wristBoxes(model: RoomModel, state: WristState): WristBox[] {
  const names = TABS.filter((each) => each !== 'Add' || model.adding !== null);
  const tab = names.includes(state.tab) ? state.tab : 'Players';
  return [...head(model), ...tabs(names, tab), ...page(model, { ...state, tab }), ...foot(model, state)];
}

function head({ isPractice, code, players, capacity, connection, host }: RoomModel): WristBox[] {
  const isLost = connection === 'lost';
  const lost = host === DEDICATED_SLOT ? 'No answer' : 'Connection lost';
  const count = `${players.filter(({ presence }) => presence !== 'away').length} of ${capacity}`;
  return [
    text(rect(28, 22, 272, 60), isPractice ? 'Practice' : spelled(code), { size: 48, bold: true }),
    text(rect(312, 30, 148, 44), isLost ? lost : count, {
      size: isLost ? 20 : 26,
      tone: isLost ? 'warning' : 'soft',
      align: 'right',
    }),
    button(rect(476, 24, 60, 56), {
      label: 'Close the menu',
      icon: 'close',
      iconOnly: true,
      look: 'bare',
      action: { kind: 'close' },
    }),
  ];
}

function tabs(names: readonly Tab[], chosen: Tab): WristBox[] {
  const letters = names.map((tab) => tab.length + WIDER * (tab.split(/[mw]/).length - 1) + TAB_PADDING);
  const gaps = (names.length - 1) * TAB_GAP;
  const unit = (INSIDE.width - gaps) / letters.reduce((sum, each) => sum + each, 0);
  return names.map((tab, i) => {
    const before = letters.slice(0, i).reduce((sum, each) => sum + each, 0);
    const at = rect(INSIDE.x + before * unit + i * TAB_GAP, 96, letters[i] * unit, 54);
    const look = tab === chosen ? 'chosen' : 'plain';
    return button(at, { label: tab, look, size: 18, action: { kind: 'tab', tab } });
  });
}

function page(model: RoomModel, state: WristState): WristBox[] {
  const { asked } = state;
  switch (state.tab) {
    case 'Players':
      return playersPage(model, state);
    case 'Add':
      return model.adding === null ? [] : addPage(model.adding);
    case 'Room':
      if (model.you !== model.host)
        return asked?.kind === 'reset' && model.reset !== null
          ? question(PAGE, resetQuestion(model.reset), 'Reset', asked)
          : guestRoom(model);
      if (asked?.kind === 'scene')
        return question(
          PAGE,
          `Start the ${SCENE_TITLES[asked.scene].toLowerCase()} for everybody?`,
          'Start',
          asked,
        );
      return asked?.kind === 'reset'
        ? question(PAGE, 'Reset the scene for everybody?', 'Reset', asked)
        : hostRoom(model);
    case 'Network':
      return FIGURES.flatMap(([label, read], i) => figureRow(label, read(model.figures), i));
    case 'Comfort':
      return comfortPage(state);
    case 'Help':
      return helpPage(state);
  }
}

function hostRoom({ isPractice, scene: present, locked, reachable }: RoomModel): WristBox[] {
  const { x, y, width } = PAGE;
  const places = [0, 1, 2].flatMap((row) => columns(rect(x, y + 36 + row * 48, width, 42), 3, 10));
  const scenes = LEVEL_IDS.map((scene, i): WristBox => {
    const about = { kind: 'scene', scene } as const;
    const isPresent = scene === present;
    return button(places[i], {
      label: SCENE_TITLES[scene],
      look: isPresent ? 'chosen' : 'plain',
      action: isPresent ? null : { kind: 'ask', about },
    });
  });
  return [
    text(rect(x + 4, y, width, 30), 'Scene', LABEL),
    ...scenes,
    button(places[LEVEL_IDS.length], {
      label: 'Reset',
      look: 'danger',
      action: { kind: 'ask', about: { kind: 'reset' } },
    }),
    ...(isPractice ? [] : whoCanJoin(locked, reachable)),
  ];
}

function whoCanJoin(locked: boolean, reachable: boolean): WristBox[] {
  const { x, y, width } = PAGE;
  return [
    text(rect(x + 4, y + 182, width, 30), 'Who can join', LABEL),
    button(rect(x, y + 218, width, 60), {
      label: locked ? 'Unlock the room' : 'Lock the room',
      icon: 'lock',
      look: locked ? 'chosen' : 'plain',
      action: { kind: 'lock', locked: !locked },
    }),
    paragraph(rect(x + 4, y + 288, width - 8, 66), whoComesIn(locked, reachable), { ...SAID, tone: 'soft' }),
  ];
}

function guestRoom({ scene, host, locked, reachable, reset }: RoomModel): WristBox[] {
  const { x, y, width } = PAGE;
  return [
    text(rect(x + 4, y, width, 30), 'Scene', LABEL),
    paragraph(rect(x + 4, y + 36, width - 8, reset === null ? 76 : 36), sceneForGuests(scene, host), {
      size: 26,
    }),
    ...(reset === null ? [] : [resetButton(reset, rect(x, y + 74, width, 48))]),
    text(rect(x + 4, y + 130, width, 30), 'Who can join', LABEL),
    paragraph(rect(x + 4, y + 166, width - 8, 120), whoComesIn(locked, reachable), { size: 26 }),
  ];
}

/** [N1.6] */
function resetButton(reset: ResetState, at: Rect): WristBox {
  const about = { kind: 'reset' } as const;
  const action = reset.isYours ? about : ({ kind: 'ask', about } as const);
  return button(at, {
    label: resetLabel(reset),
    look: reset.isYours ? 'chosen' : 'danger',
    action,
  });
}

function whoComesIn(locked: boolean, reachable: boolean): string {
  if (locked) return 'The room is locked. Nobody new can join.';
  return reachable ? 'Friends join with the code above.' : UNREACHABLE;
}

function figureRow(label: string, value: string, i: number): WristBox[] {
  const { x, y, width } = PAGE;
  const top = y + i * (PAGE.height / FIGURES.length);
  return [
    text(rect(x + 4, top + 6, 290, 34), label, { size: 24, tone: 'soft' }),
    text(rect(x + 302, top + 6, width - 306, 34), value, { size: 24, bold: true, align: 'right' }),
  ];
}

function foot(model: RoomModel, { asked, microphoneGranted }: WristState): WristBox[] {
  const rule: WristBox = { ...rect(INSIDE.x, 532, INSIDE.width, 2), kind: 'rule' };
  if (asked?.kind === 'leave room') {
    const leaving = leavingQuestion(hasFriends(model), model.recording.kind === 'on');
    return [
      rule,
      ...question(FOOT, model.isPractice ? 'Leave the practice?' : leaving, 'Leave', asked, 'right'),
    ];
  }
  const [back, wave] = columns({ ...FOOT, y: FOOT.y + 74, height: 52 }, 2, 12);
  const [left, right] = columns({ ...FOOT, y: FOOT.y + 138, height: 56 }, 2, 12);
  return [
    rule,
    ...ownVoice(model, microphoneGranted),
    button(back, { label: 'Back to the start', look: 'plain', size: 23, action: { kind: 'back' } }),
    button(wave, { label: 'Wave', icon: 'wave', look: 'plain', size: 23, action: { kind: 'wave' } }),
    button(left, { label: 'Leave the headset', look: 'plain', size: 23, action: { kind: 'leave headset' } }),
    button(right, {
      label: model.isPractice ? BACK_TO_LOBBY : 'Leave the room',
      look: 'danger',
      size: 23,
      action: { kind: 'ask', about: { kind: 'leave room' } },
    }),
  ];
}

function ownVoice(model: RoomModel, isGranted: boolean): WristBox[] {
  const { x, y, width } = FOOT;
  const { voice } = model;
  if (model.isPractice) return [];
  const said = describeVoice(voice);
  const [left, right] = [rect(x, y, 230, 62), rect(x + 246, y, width - 246, 62)];
  const act = (label: string, wish: VoiceWish): WristBox =>
    button(left, {
      label,
      icon: wish === 'mute' ? 'microphone' : 'no microphone',
      look: wish === 'mute' ? 'plain' : 'primary',
      size: 23,
      action: { kind: 'voice', wish },
    });
  const beside = paragraph<WristPress>(right, said, { size: 20, tone: 'soft' });
  switch (voice.kind) {
    case 'on':
      return [
        act('Mute', 'mute'),
        paragraph({ ...right, height: 48 }, said, { size: 19, tone: 'soft' }),
        { ...rect(right.x, y + 52, right.width, 10), kind: 'meter', level: stepped(ownLevel(model)) },
      ];
    case 'connecting':
      return [act('Mute', 'mute'), beside];
    case 'muted':
      return [act('Unmute', 'unmute'), beside];
    case 'asking':
      return [paragraph(rect(x + 4, y, width - 8, 62), said, SAID)];
    case 'off':
      if (isGranted) return [act('Turn voice on', 'on'), beside];
      return [paragraph(rect(x + 4, y, width - 8, 62), VOICE_OUTSIDE, SAID)];
    case 'failed':
      if (isGranted) return [act('Try again', 'on'), beside];
      return [paragraph(rect(x + 4, y, width - 8, 62), said, SAID)];
  }
}

const VOICE_OUTSIDE = 'Your voice is off. Turn it on outside the headset, where your browser can ask.';
