import { MAX_PLAYERS } from '../../../core/base/constants.ts';
import type { Slot } from '../../../core/base/ids.ts';
import type { SceneName } from '../../../core/world/scene.ts';
import { SCENE_NAMES } from '../../../core/world/scene.ts';
import type { ComfortSettings } from '../../../storage/comfort.ts';
import { SNAP_DEGREES } from '../../../storage/comfort.ts';
import { FIGURES } from '../../room/menu/menu-figures.ts';
import { describePlayer } from '../../room/menu/menu-players.ts';
import type { VoiceWish } from '../../room/menu/menu-voice.ts';
import { describeVoice, ownLevel } from '../../room/menu/menu-voice.ts';
import type { RoomModel, RoomPlayer } from '../../room/model.ts';
import { calledBy } from '../../room/model.ts';
import { SCENE_TITLES, spelled, UNREACHABLE } from '../../room/sentences.ts';
import type { Box, Rect } from './panel-boxes.ts';
import { button, columns, paragraph, rect, text } from './panel-boxes.ts';

/** Actions of the menu in the room or with the headset. */
export type WristAction =
  | { readonly kind: 'mute'; readonly slot: Slot; readonly muted: boolean }
  | { readonly kind: 'voice'; readonly wish: VoiceWish }
  | { readonly kind: 'scene'; readonly scene: SceneName }
  | { readonly kind: 'lock'; readonly locked: boolean }
  | { readonly kind: 'comfort'; readonly comfort: ComfortSettings }
  | { readonly kind: 'reset' | 'leave room' }
  | { readonly kind: 'leave headset' };

/** Actions that can't be undone; the player must confirm them. */
export type IrreversibleAction = Extract<WristAction, { readonly kind: 'scene' | 'reset' | 'leave room' }>;

/** Everything that can be pressed; some of it changes only the menu. */
export type WristPress =
  | WristAction
  | { readonly kind: 'tab'; readonly tab: Tab }
  | { readonly kind: 'ask'; readonly about: IrreversibleAction }
  | { readonly kind: 'keep' | 'close' };

export const TABS = ['Players', 'Room', 'Network', 'Comfort'] as const;
export type Tab = (typeof TABS)[number];

/** The state of the menu itself. */
export type WristState = {
  readonly tab: Tab;
  /** The action that waits for the player's confirmation; null if there is none. */
  readonly asked: IrreversibleAction | null;
  readonly comfort: ComfortSettings;
  /** The browser gives the microphone without asking. It could not ask in a headset. */
  readonly microphoneGranted: boolean;
};

type WristBox = Box<WristPress>;

/** A unit is 0.57 mm: text 22 units high, seen from half a metre, takes 1.4 degrees. */
export const WRIST_UNITS = { width: 560, height: 760 } as const;
const INSIDE = rect(24, 0, WRIST_UNITS.width - 48, 0);
/** The area of a tab's page, and the area at the lower edge that is always there. */
const PAGE: Rect = { ...INSIDE, y: 172, height: 384 };
const FOOT: Rect = { ...INSIDE, y: 580, height: 156 };
const LABEL = { size: 22, tone: 'soft' } as const;
const SAID = { size: 22 } as const;

/** Returns the menu's boxes, in WRIST_UNITS. */
export function wristBoxes(model: RoomModel, state: WristState): WristBox[] {
  return [...head(model), ...tabs(state.tab), ...page(model, state), ...foot(model, state)];
}

function head({ code, players, capacity, connection }: RoomModel): WristBox[] {
  const isLost = connection === 'lost';
  const count = `${players.filter(({ presence }) => presence !== 'away').length} of ${capacity}`;
  return [
    text(rect(28, 22, 272, 60), spelled(code), { size: 48, bold: true }),
    text(rect(312, 30, 148, 44), isLost ? 'Connection lost' : count, {
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

function tabs(chosen: Tab): WristBox[] {
  return columns({ ...INSIDE, y: 98, height: 56 }, TABS.length, 8).map((at, i) => {
    const tab = TABS[i];
    const look = tab === chosen ? 'chosen' : 'plain';
    return button(at, { label: tab, look, size: 23, action: { kind: 'tab', tab } });
  });
}

function page(model: RoomModel, state: WristState): WristBox[] {
  const { asked } = state;
  switch (state.tab) {
    case 'Players':
      return model.players.slice(0, MAX_PLAYERS).flatMap((player, i) => playerRow(player, i, model));
    case 'Room':
      if (model.you !== model.host) return guestRoom(model);
      if (asked?.kind === 'scene')
        return question(
          PAGE,
          `Start the ${SCENE_TITLES[asked.scene].toLowerCase()} for everybody?`,
          'Start',
          asked,
        );
      return asked?.kind === 'reset'
        ? question(PAGE, 'Reset the cubes for everybody?', 'Reset', asked)
        : hostRoom(model);
    case 'Network':
      return FIGURES.flatMap(([label, read], i) => figureRow(label, read(model.figures), i));
    case 'Comfort':
      return comfortPage(state.comfort);
  }
}

const ROW = PAGE.height / MAX_PLAYERS;

function playerRow(player: RoomPlayer, i: number, model: RoomModel): WristBox[] {
  const y = PAGE.y + i * ROW;
  const { slot, presence, voice, mutedHere, level } = player;
  const isHere = presence === 'here';
  const called = calledBy(player);
  const isHeard = isHere && voice === 'on' && !mutedHere;
  const canMute = slot !== model.you && (voice !== 'off' || mutedHere);
  const about = describePlayer(player, model);
  const name = rect(76, about === '' ? y + 9 : y, isHeard ? 270 : 380, 28);
  return [
    { ...rect(28, y + 6, 36, 36), kind: 'badge', slot, faint: !isHere },
    text(name, called, { size: 24, bold: true, tone: isHere ? 'ink' : 'soft' }),
    ...(about === ''
      ? []
      : [text<WristPress>(rect(76, y + 28, name.width, 18), about, { size: 18, tone: 'soft' })]),
    ...(isHeard ? [{ ...rect(356, y + 19, 100, 10), kind: 'meter', level: stepped(level) } as const] : []),
    ...(canMute
      ? [
          button<WristPress>(rect(472, y + 3, 64, 42), {
            label: mutedHere ? `Hear ${called} again` : `Mute ${called} for me`,
            icon: mutedHere ? 'no speaker' : 'speaker',
            iconOnly: true,
            look: mutedHere ? 'chosen' : 'bare',
            action: { kind: 'mute', slot, muted: !mutedHere },
          }),
        ]
      : []),
  ];
}

/** Levels of a meter: enough to look smooth, and few enough that a silent voice causes no new drawing. */
const STEPS = 12;

function stepped(level: number): number {
  return Math.round(Math.min(1, Math.max(0, level)) * STEPS) / STEPS;
}

function hostRoom({ scene: present, locked, reachable }: RoomModel): WristBox[] {
  const { x, y, width } = PAGE;
  const places = [0, 1].flatMap((row) => columns(rect(x, y + 36 + row * 68, width, 58), 3, 10));
  const scenes = SCENE_NAMES.map((scene, i): WristBox => {
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
    button(places[SCENE_NAMES.length], {
      label: 'Reset',
      look: 'danger',
      action: { kind: 'ask', about: { kind: 'reset' } },
    }),
    text(rect(x + 4, y + 182, width, 30), 'Who can join', LABEL),
    button(rect(x, y + 218, width, 60), {
      label: locked ? 'Unlock the room' : 'Lock the room',
      icon: 'lock',
      look: locked ? 'chosen' : 'plain',
      action: { kind: 'lock', locked: !locked },
    }),
    paragraph(rect(x + 4, y + 288, width - 8, 96), whoComesIn(locked, reachable), { ...SAID, tone: 'soft' }),
  ];
}

function guestRoom({ scene, locked, reachable }: RoomModel): WristBox[] {
  const { x, y, width } = PAGE;
  return [
    text(rect(x + 4, y, width, 30), 'Scene', LABEL),
    paragraph(rect(x + 4, y + 36, width - 8, 76), `${SCENE_TITLES[scene]}. The host can change it.`, {
      size: 26,
    }),
    text(rect(x + 4, y + 130, width, 30), 'Who can join', LABEL),
    paragraph(rect(x + 4, y + 166, width - 8, 120), whoComesIn(locked, reachable), { size: 26 }),
  ];
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

function comfortPage(comfort: ComfortSettings): WristBox[] {
  const { x, y, width } = PAGE;
  const ways = columns(rect(x, y + 36, width, 62), 2, 10);
  const snaps = columns(rect(x, y + 158, width, 62), SNAP_DEGREES.length, 10);
  const choice = (at: Rect, label: string, isChosen: boolean, change: Partial<ComfortSettings>): WristBox =>
    button(at, {
      label,
      look: isChosen ? 'chosen' : 'plain',
      action: { kind: 'comfort', comfort: { ...comfort, ...change } },
    });
  return [
    text(rect(x + 4, y, width, 30), 'Move by', LABEL),
    choice(ways[0], 'Teleport', !comfort.smoothWalking, { smoothWalking: false }),
    choice(ways[1], 'Walking', comfort.smoothWalking, { smoothWalking: true }),
    text(rect(x + 4, y + 122, width, 30), 'Turn by', LABEL),
    ...SNAP_DEGREES.map((snapDegrees, i) =>
      choice(snaps[i], `${snapDegrees}°`, comfort.snapDegrees === snapDegrees, { snapDegrees }),
    ),
    paragraph(rect(x + 4, y + 250, width - 8, 100), 'If walking makes you feel sick, teleport.', {
      ...SAID,
      tone: 'soft',
    }),
  ];
}

function foot(model: RoomModel, { asked, microphoneGranted }: WristState): WristBox[] {
  const rule: WristBox = { ...rect(INSIDE.x, 566, INSIDE.width, 2), kind: 'rule' };
  if (asked?.kind === 'leave room') {
    return [rule, ...question(FOOT, 'Leave the room?', 'Leave', asked)];
  }
  const [left, right] = columns({ ...FOOT, y: 662, height: 74 }, 2, 12);
  return [
    rule,
    ...ownVoice(model, microphoneGranted),
    button(left, { label: 'Leave the headset', look: 'plain', size: 23, action: { kind: 'leave headset' } }),
    button(right, {
      label: 'Leave the room',
      look: 'danger',
      size: 23,
      action: { kind: 'ask', about: { kind: 'leave room' } },
    }),
  ];
}

function ownVoice(model: RoomModel, isGranted: boolean): WristBox[] {
  const { x, y, width } = FOOT;
  const { voice } = model;
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
    case 'muted':
      return [act('Unmute', 'unmute'), beside];
    case 'asking':
      return [paragraph(rect(x + 4, y, width - 8, 62), said, SAID)];
    case 'off':
      if (isGranted) return [act('Turn voice on', 'on'), beside];
      return [paragraph(rect(x + 4, y, width - 8, 62), `${said} ${VOICE_OUTSIDE}`, SAID)];
    case 'failed':
      if (isGranted) return [act('Try again', 'on'), beside];
      return [paragraph(rect(x + 4, y, width - 8, 62), said, SAID)];
  }
}

const VOICE_OUTSIDE = 'Turn it on outside the headset, where your browser can ask.';

/** A question and two answers; the harmless answer comes first. */
function question(
  { x, y, width, height }: Rect,
  words: string,
  yes: string,
  about: IrreversibleAction,
): WristBox[] {
  const size = height < 200 ? 24 : 30;
  const [left, right] = columns(rect(x, y + height - 74, width, 74), 2, 12);
  return [
    paragraph(rect(x + 4, y, width - 8, height - 86), words, { size, bold: true, align: 'centre' }),
    button(left, {
      label: 'Cancel',
      look: 'plain',
      action: { kind: 'keep' },
    }),
    button(right, { label: yes, look: 'danger', action: about }),
  ];
}
