import type { Slot } from '../../../core/base/ids.ts';
import type { IconName } from '../../room/menu/menu-parts.ts';

/**
 * A panel's picture as plain data: boxes in the panel's units, measured from its top left corner. Pure
 * functions make the boxes from a model, `panel-paint.ts` draws them, and this file finds the box under a
 * hand.
 */
export type Box<Action> = Rect & Content<Action>;

export type Rect = {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
};

export type Tone = 'ink' | 'soft' | 'warning';

type Content<Action> =
  | { readonly kind: 'text'; readonly text: string; readonly look: TextLook }
  /** Text in several lines; a long text is written smaller until it fits. */
  | { readonly kind: 'paragraph'; readonly text: string; readonly look: TextLook }
  | (Button<Action> & { readonly kind: 'button' })
  /** `level` is 0 to 1. */
  | { readonly kind: 'meter'; readonly level: number }
  /** A player's colour and mark; faint for a player who is away. */
  | { readonly kind: 'badge'; readonly slot: Slot; readonly faint: boolean }
  /** A field for one letter; `next` marks the field for the next letter. */
  | { readonly kind: 'place'; readonly letter: string; readonly next: boolean }
  | { readonly kind: 'rule' };

export type TextLook = {
  /** The height of the font, in units. */
  readonly size: number;
  readonly tone?: Tone;
  readonly bold?: boolean;
  readonly align?: 'left' | 'centre' | 'right';
};

export type Button<Action> = {
  readonly label: string;
  readonly icon?: IconName;
  /** Shows only the icon, without the label. */
  readonly iconOnly?: true;
  /** `chosen` marks the present setting. */
  readonly look: 'plain' | 'primary' | 'danger' | 'chosen' | 'bare';
  /** Null: the button can't be pressed now. */
  readonly action: Action | null;
  readonly size?: number;
};

export function rect(x: number, y: number, width: number, height: number): Rect {
  return { x, y, width, height };
}

export function text<A>(at: Rect, words: string, look: TextLook): Box<A> {
  return { ...at, kind: 'text', text: words, look };
}

export function paragraph<A>(at: Rect, words: string, look: TextLook): Box<A> {
  return { ...at, kind: 'paragraph', text: words, look };
}

export function button<A>(at: Rect, content: Button<A>): Box<A> {
  return { ...at, kind: 'button', ...content };
}

/** Divides a width into equal columns with gaps. */
export function columns({ x, y, width, height }: Rect, count: number, gap: number): Rect[] {
  const each = (width - (count - 1) * gap) / count;
  return Array.from({ length: count }, (_, i) => rect(x + i * (each + gap), y, each, height));
}

/** Units. Half of the gap between buttons belongs to each of them, so that a trembling hand does not miss. */
const SLACK = 4;

/** Returns the index of the button at a point; -1 if there is none, or if it can't be pressed. */
export function buttonAt<A>(boxes: readonly Box<A>[], x: number, y: number): number {
  for (let i = 0; i < boxes.length; i++) {
    const box = boxes[i];
    if (box.kind !== 'button' || box.action === null) continue;
    const isAcross = x >= box.x - SLACK && x < box.x + box.width + SLACK;
    if (isAcross && y >= box.y - SLACK && y < box.y + box.height + SLACK) return i;
  }
  return -1;
}

/** Returns the action of the box with this index; null if it has none. */
export function actionOf<A>(boxes: readonly Box<A>[], index: number): A | null {
  const box = boxes.at(index);
  return index >= 0 && box?.kind === 'button' ? box.action : null;
}
