import type { Slot } from '../../../core/base/ids.ts';
import type { LevelId } from '../../../levels/levels.ts';
import type { Comfort } from '../../../input/headset/comfort.ts';
import type { VoiceWish } from '../../room/menu/menu-voice.ts';
import type { Box, Rect } from './panel-boxes.ts';
import { button, columns, paragraph, rect } from './panel-boxes.ts';

/** Actions of the menu in the room or with the headset. */
export type WristAction =
  | { readonly kind: 'mute'; readonly slot: Slot; readonly muted: boolean }
  | { readonly kind: 'remove' | 'make host'; readonly slot: Slot }
  | { readonly kind: 'voice'; readonly wish: VoiceWish }
  | { readonly kind: 'scene'; readonly scene: LevelId }
  | { readonly kind: 'lock'; readonly locked: boolean }
  | { readonly kind: 'comfort'; readonly comfort: Comfort }
  /** The player's new name; if it is empty, the player is called by its colour. */
  | { readonly kind: 'name'; readonly name: string }
  /** A body of a name of the model's `adding`. */
  | { readonly kind: 'add'; readonly body: number }
  | { readonly kind: 'remove last' | 'remove all' }
  | { readonly kind: 'reset' | 'leave room' }
  | { readonly kind: 'leave headset' | 'back' | 'wave' };

/** Actions that the player could not undo; it must confirm them. */
export type IrreversibleAction = Extract<
  WristAction,
  { readonly kind: 'scene' | 'reset' | 'leave room' | 'remove' | 'make host' }
>;

/** Everything that can be pressed; some of it changes only the menu. */
export type WristPress =
  | WristAction
  | { readonly kind: 'tab'; readonly tab: Tab }
  | { readonly kind: 'ask'; readonly about: IrreversibleAction }
  /** The player is writing its name; this is the text so far. */
  | { readonly kind: 'write'; readonly name: string }
  | { readonly kind: 'keep' | 'close' };

/** `Add` is there where the level allows spawning. */
export const TABS = ['Players', 'Add', 'Room', 'Comfort', 'Help', 'Network'] as const;
export type Tab = (typeof TABS)[number];

/** The state of the menu itself. */
export type WristState = {
  readonly tab: Tab;
  /** The action that waits for the player's confirmation; null if there is none. */
  readonly asked: IrreversibleAction | null;
  /** The name that the player is writing; null if it is not. */
  readonly writing: string | null;
  readonly comfort: Comfort;
  /** The browser gives the microphone without asking. It could not ask in a headset. */
  readonly microphoneGranted: boolean;
  /** The player has no controllers: the help is about bare hands. */
  readonly bareHands: boolean;
};

export type WristBox = Box<WristPress>;

/** A unit is 0.57 mm: text 22 units high, seen from half a metre, takes 1.4 degrees. */
export const WRIST_UNITS = { width: 560, height: 760 } as const;
export const INSIDE = rect(24, 0, WRIST_UNITS.width - 48, 0);
/** The area of a tab's page, and the area at the lower edge that is always there. */
export const PAGE: Rect = { ...INSIDE, y: 168, height: 356 };
export const FOOT: Rect = { ...INSIDE, y: 546, height: 194 };
export const LABEL = { size: 22, tone: 'soft' } as const;
export const SAID = { size: 22 } as const;

/**
 * A question and two answers.
 * @param harmless the side of the harmless answer: it should be where the button lay that has asked.
 */
export function question(
  { x, y, width, height }: Rect,
  words: string,
  yes: string,
  about: IrreversibleAction,
  harmless: 'left' | 'right' = 'left',
): WristBox[] {
  const size = height < 200 ? 24 : 30;
  const sides = columns(rect(x, y + height - 74, width, 74), 2, 12);
  const [first, second] = harmless === 'left' ? sides : sides.toReversed();
  return [
    paragraph(rect(x + 4, y, width - 8, height - 86), words, { size, bold: true, align: 'centre' }),
    button(first, {
      label: 'Cancel',
      look: 'plain',
      action: { kind: 'keep' },
    }),
    button(second, { label: yes, look: 'danger', action: about }),
  ];
}
