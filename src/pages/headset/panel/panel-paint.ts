import { MARK_BOX, slotLook } from '../../../view/slots.ts';
import { ICON_BOX, ICONS } from '../../room/menu/menu-parts.ts';
import type { Box, Button, Rect, TextLook, Tone } from './panel-boxes.ts';

/** `over`: a hand points at the button. */
export type ButtonState = 'rest' | 'over' | 'pressed';

/** Colours as in style.css and a room's styles, but opaque: a panel must be easy to read over any world. */
const PAPER = '#fafcfd';
const INK = '#1c2733';
const LINE = '#dde2e6';
const TRACK = '#d7dde2';
const HEARD = '#2c8f4b';
const ACCENT = '#2a6f97';
const TONES: Readonly<Record<Tone, string>> = { ink: INK, soft: '#55616e', warning: '#97331b' };
/** For each look: the background at rest, under a hand, and pressed; then the text, and the border. */
const LOOKS: Readonly<Record<Button<unknown>['look'], readonly string[]>> = {
  plain: ['#ffffff', '#e3eef5', '#c6deeb', INK, '#8b96a1'],
  primary: [ACCENT, '#235f82', '#1a4a66', '#ffffff', ACCENT],
  danger: ['#ffffff', '#f9e4de', '#f0cabf', '#97331b', '#a5381f'],
  chosen: ['#d9e9f2', '#c9dfec', '#b5d2e3', '#174a68', ACCENT],
  bare: [PAPER, '#e3eef5', '#c6deeb', INK, '#ccd4da'],
};
const IDLE = ['#f0f2f4', '#98a2ab'] as const;
const FONT = 'system-ui, -apple-system, "Segoe UI", Roboto, "Helvetica Neue", Arial, sans-serif';
/** Units: the radius of the corners of the panel and of the buttons. */
const RADIUS = 28;
const BUTTON_RADIUS = 12;
const LETTERING = 26;
/** Line height in font sizes, and the factor for each smaller try of a paragraph. */
const LEADING = 1.3;
const SMALLER = 0.94;
/** A long line is condensed down to this factor before its end is cut off. */
const CONDENSED = 0.86;
const ICON_SIZE = 30;

/**
 * Draws a panel.
 * @param scale pixels per unit.
 * @param states one per box; used for buttons.
 */
export function paintPanel(
  context: CanvasRenderingContext2D,
  scale: number,
  { width, height }: { readonly width: number; readonly height: number },
  boxes: readonly Box<unknown>[],
  states: readonly ButtonState[],
): void {
  context.scale(scale, scale);
  context.textBaseline = 'middle';
  fill(context, { x: 0, y: 0, width: width / scale, height: height / scale }, RADIUS, PAPER);
  boxes.forEach((box, i) => paintBox(context, box, states[i]));
}

function paintBox(context: CanvasRenderingContext2D, box: Box<unknown>, state: ButtonState): void {
  switch (box.kind) {
    case 'text':
      return paintText(context, box, box.text, box.look);
    case 'paragraph':
      return paintParagraph(context, box, box.text, box.look);
    case 'button':
      return paintButton(context, box, box, state);
    case 'meter':
      fill(context, box, box.height / 2, TRACK);
      if (box.level > 0)
        fill(context, { ...box, width: Math.max(box.height, box.width * box.level) }, box.height / 2, HEARD);
      return;
    case 'badge':
      return paintBadge(context, box);
    case 'place':
      fill(context, box, BUTTON_RADIUS, '#ffffff', box.next ? ACCENT : '#b9c2ca', box.next ? 4 : 2);
      return paintText(context, box, box.letter, { size: box.height * 0.62, bold: true, align: 'centre' });
    case 'rule':
      context.fillStyle = LINE;
      context.fillRect(box.x, box.y, box.width, box.height);
  }
}

function fill(
  context: CanvasRenderingContext2D,
  { x, y, width, height }: Rect,
  radius: number,
  colour: string,
  edge?: string,
  edgeWidth = 2,
): void {
  context.beginPath();
  const inset = edge === undefined ? 0 : edgeWidth / 2;
  context.roundRect(x + inset, y + inset, width - 2 * inset, height - 2 * inset, radius);
  context.fillStyle = colour;
  context.fill();
  if (edge === undefined) return;
  context.strokeStyle = edge;
  context.lineWidth = edgeWidth;
  context.stroke();
}

function setFont(context: CanvasRenderingContext2D, size: number, bold = false): void {
  context.font = `${bold ? 650 : 450} ${size.toFixed(1)}px ${FONT}`;
}

function paintText(context: CanvasRenderingContext2D, box: Rect, text: string, look: TextLook): void {
  setFont(context, look.size, look.bold);
  context.fillStyle = TONES[look.tone ?? 'ink'];
  writeLine(context, box, box.y + box.height / 2, text, look.align ?? 'left');
}

/** Condenses a long line, then cuts its end off. */
function writeLine(
  context: CanvasRenderingContext2D,
  { x, width }: Rect,
  middle: number,
  text: string,
  align: NonNullable<TextLook['align']>,
): void {
  const shown = cut(context, text, width / CONDENSED);
  context.textAlign = align === 'centre' ? 'center' : align;
  const at = align === 'left' ? x : align === 'right' ? x + width : x + width / 2;
  context.fillText(shown, at, middle, width);
}

function cut(context: CanvasRenderingContext2D, text: string, most: number): string {
  if (context.measureText(text).width <= most) return text;
  const letters = Array.from(text);
  while (letters.length > 1 && context.measureText(`${letters.join('')}…`).width > most) letters.pop();
  return `${letters.join('').trimEnd()}…`;
}

function paintParagraph(context: CanvasRenderingContext2D, box: Rect, text: string, look: TextLook): void {
  context.fillStyle = TONES[look.tone ?? 'ink'];
  let { size } = look;
  setFont(context, size, look.bold);
  let lines = broken(context, text, box.width);
  while (lines.length * size * LEADING > box.height && size > 10) {
    size *= SMALLER;
    setFont(context, size, look.bold);
    lines = broken(context, text, box.width);
  }
  const top = box.y + (look.align === 'centre' ? (box.height - lines.length * size * LEADING) / 2 : 0);
  lines.forEach((line, i) =>
    writeLine(context, box, top + (i + 0.5) * size * LEADING, line, look.align ?? 'left'),
  );
}

function broken(context: CanvasRenderingContext2D, text: string, width: number): string[] {
  const lines: string[] = [];
  let line = '';
  for (const word of text.split(' ')) {
    const longer = line === '' ? word : `${line} ${word}`;
    if (line !== '' && context.measureText(longer).width > width) {
      lines.push(line);
      line = word;
    } else line = longer;
  }
  return [...lines, line];
}

function paintButton(
  context: CanvasRenderingContext2D,
  box: Rect,
  { label, icon, iconOnly, look, action, size = LETTERING }: Button<unknown>,
  state: ButtonState,
): void {
  const [rest, over, pressed, letters, edge] = LOOKS[look];
  const ground = state === 'rest' ? rest : state === 'over' ? over : pressed;
  if (action === null && look !== 'chosen') fill(context, box, BUTTON_RADIUS, IDLE[0]);
  else fill(context, box, BUTTON_RADIUS, ground, state === 'rest' ? edge : ACCENT, state === 'rest' ? 2 : 4);
  context.fillStyle = action === null && look !== 'chosen' ? IDLE[1] : letters;
  if (icon !== undefined && iconOnly === true) {
    paintGlyph(context, ICONS[icon], ICON_BOX, box.x + box.width / 2, box.y + box.height / 2, ICON_SIZE);
    return;
  }
  setFont(context, size, true);
  const room = { ...box, x: box.x + 10, width: box.width - 20 };
  if (icon === undefined) {
    writeLine(context, room, box.y + box.height / 2, label, 'centre');
    return;
  }
  const width = Math.min(context.measureText(label).width, room.width - ICON_SIZE - 10);
  const left = box.x + (box.width - width - ICON_SIZE - 10) / 2;
  paintGlyph(context, ICONS[icon], ICON_BOX, left + ICON_SIZE / 2, box.y + box.height / 2, ICON_SIZE);
  writeLine(context, { ...room, x: left + ICON_SIZE + 10, width }, box.y + box.height / 2, label, 'left');
}

/**
 * Draws an outline from a square of `from` units, scaled to a square of `to` units, with its middle at a
 * point.
 */
function paintGlyph(
  context: CanvasRenderingContext2D,
  path: string,
  from: number,
  x: number,
  y: number,
  to: number,
): void {
  context.save();
  context.translate(x - to / 2, y - to / 2);
  context.scale(to / from, to / from);
  context.fill(new Path2D(path), 'evenodd');
  context.restore();
}

function paintBadge(context: CanvasRenderingContext2D, box: Box<unknown> & { readonly kind: 'badge' }): void {
  const { colour, mark } = slotLook(box.slot);
  context.globalAlpha = box.faint ? 0.4 : 1;
  fill(context, box, box.width * 0.24, colour);
  context.fillStyle = '#ffffff';
  paintGlyph(context, mark.path, MARK_BOX, box.x + box.width / 2, box.y + box.height / 2, box.width * 0.6);
  context.globalAlpha = 1;
}
