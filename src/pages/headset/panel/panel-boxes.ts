import type { Slot } from '../../../core/base/ids.ts';
import type { IconName } from '../../room/menu/menu-parts.ts';

/**
 * A panel's picture as plain data: boxes in units of the panel's own, from its left and from its top. Pure
 * functions make them of a model, `panel-paint.ts` draws them, and what lies under a hand is found here.
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
  /** Breaks into lines; a long one is written smaller, until it fits. */
  | { readonly kind: 'paragraph'; readonly text: string; readonly look: TextLook }
  | (Button<Action> & { readonly kind: 'button' })
  /** `level` 0 to 1. */
  | { readonly kind: 'meter'; readonly level: number }
  /** The colour and mark of a player; faint for one who is not here. */
  | { readonly kind: 'chip'; readonly slot: Slot; readonly faint: boolean }
  /** A place for a letter; `next` is where the next one goes. */
  | { readonly kind: 'place'; readonly letter: string; readonly next: boolean }
  | { readonly kind: 'rule' };

export type TextLook = {
  /** Units: the height of the letters' box. */
  readonly size: number;
  readonly tone?: Tone;
  readonly bold?: boolean;
  readonly align?: 'left' | 'centre' | 'right';
};

export type Button<Action> = {
  readonly label: string;
  readonly icon?: IconName;
  /** Shows its glyph alone. */
  readonly iconOnly?: true;
  /** `chosen` is what is already so. */
  readonly look: 'plain' | 'primary' | 'grave' | 'chosen' | 'bare';
  /** Null: it can't be pressed now. */
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

/** Shares a width between as many places, with gaps. */
export function columns({ x, y, width, height }: Rect, count: number, gap: number): Rect[] {
  const each = (width - (count - 1) * gap) / count;
  return Array.from({ length: count }, (_, i) => rect(x + i * (each + gap), y, each, height));
}

/** Half of the gaps between keys counts as theirs, so that a hand that trembles misses none. */
const SLACK = 4;

/** The button at a place, by its number; -1 if there is none that can be pressed. */
export function buttonAt<A>(boxes: readonly Box<A>[], x: number, y: number): number {
  for (let i = 0; i < boxes.length; i++) {
    const box = boxes[i];
    if (box.kind !== 'button' || box.action === null) continue;
    const isAcross = x >= box.x - SLACK && x < box.x + box.width + SLACK;
    if (isAcross && y >= box.y - SLACK && y < box.y + box.height + SLACK) return i;
  }
  return -1;
}

/** What the button with this number does; null if it is none. */
export function actionOf<A>(boxes: readonly Box<A>[], index: number): A | null {
  const box = boxes.at(index);
  return index >= 0 && box?.kind === 'button' ? box.action : null;
}
