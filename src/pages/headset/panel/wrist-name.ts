import { button, columns, rect, text } from './panel-boxes.ts';
import type { WristBox, WristPress } from './wrist-layout.ts';
import { PAGE } from './wrist-layout.ts';

/** Letters of a name that is written here, at the most. */
const LONGEST = 14;
const LETTERS = Array.from('ABCDEFGHIJKLMNOPQRSTUVWXYZ');
const PER_ROW = 7;
const LAST_ROW = 3;
/** Units from one row of letters to the next, and the height of a letter. */
const ROW = 54;
const LETTER = 46;
/** Units from one key to the next, and the width of a key with a word. */
const GAP = 8;
const WORD = 92;

/** Returns the board on which a player writes its name: few headsets have a keyboard for a page. */
export function nameBoard(written: string): WristBox[] {
  const { x, y, width, height } = PAGE;
  const isFull = Array.from(written).length >= LONGEST;
  const keys = [
    ...LETTERS.map((letter): [string, WristPress | null] => [
      letter,
      isFull ? null : { kind: 'write', name: written + cased(letter, written) },
    ]),
    ['Space', isFull || written === '' || written.endsWith(' ') ? null : write(`${written} `)],
    ['Delete', written === '' ? null : write(Array.from(written).slice(0, -1).join(''))],
  ] as const;
  const [cancel, save] = columns(rect(x, y + height - 54, width, 54), 2, 12);
  return [
    text(rect(x + 4, y + 2, width - 8, 22), 'Your name', { size: 20, tone: 'soft' }),
    text(rect(x + 4, y + 28, width - 8, 40), `${written}|`, { size: 32, bold: true }),
    ...keys.map(([label, action], i) =>
      button<WristPress>(keyPlace(i), { label, look: 'plain', size: label.length > 1 ? 18 : 26, action }),
    ),
    button(cancel, { label: 'Cancel', look: 'plain', action: { kind: 'keep' } }),
    button(save, { label: 'Save', look: 'primary', action: { kind: 'name', name: written.trim() } }),
  ];
}

function write(name: string): WristPress {
  return { kind: 'write', name };
}

/** A name's words begin with large letters. */
function cased(letter: string, written: string): string {
  return written === '' || written.endsWith(' ') ? letter : letter.toLowerCase();
}

function keyPlace(i: number): ReturnType<typeof rect> {
  const [row, column] = [Math.floor(i / PER_ROW), i % PER_ROW];
  const place = rect(PAGE.x, PAGE.y + 76 + row * ROW, PAGE.width, LETTER);
  if (row < LAST_ROW) return columns(place, PER_ROW, GAP)[column];
  // The last row has letters first, then two keys with words.
  const letters = { ...place, width: place.width - 2 * (WORD + GAP) };
  const words = { ...place, x: place.x + letters.width + GAP, width: 2 * WORD + GAP };
  const isLetter = column < PER_ROW - 2;
  return isLetter
    ? columns(letters, PER_ROW - 2, GAP)[column]
    : columns(words, 2, GAP)[column - (PER_ROW - 2)];
}
