import { readRoomCode, ROOM_CODE_LENGTH } from '../../core/room/code.ts';
import type { RoomCode } from '../../core/room/code.ts';
import { el } from '../panel/dom.ts';

/**
 * What of a text belongs into the field for a code: its letters as capitals, as many as a code has; of a link,
 * those of its room. May be too short, and may hold letters that no code has: the player sees what was typed.
 */
export function lettersOf(text: string): string {
  const room = /[?&#]room=([^&#\s]*)/i.exec(text)?.[1];
  if (room === undefined && text.includes('://')) return '';
  const letters = (room ?? text).normalize('NFKC').toUpperCase();
  return letters.replace(/[^A-Z]/g, '').slice(0, ROOM_CODE_LENGTH);
}

export type CodeField = {
  readonly element: HTMLInputElement;
  /** The code that stands there, or null if it is none. */
  read(): RoomCode | null;
  write(code: string): void;
};

/** A field that keeps to the letters of a code, however they are typed or pasted. */
export function codeField(id: string, describedBy: string): CodeField {
  const element = el('input', {
    id,
    class: 'code',
    name: 'room',
    type: 'text',
    inputmode: 'text',
    autocomplete: 'off',
    autocapitalize: 'characters',
    autocorrect: 'off',
    spellcheck: 'false',
    enterkeyhint: 'go',
    placeholder: 'five letters',
    'aria-describedby': describedBy,
  });
  const tidy = (): void => {
    const letters = lettersOf(element.value);
    if (letters === element.value) return;
    // Whoever mends a letter in the middle goes on there.
    const caret = lettersOf(element.value.slice(0, element.selectionStart ?? undefined)).length;
    element.value = letters;
    element.setSelectionRange(caret, caret);
  };
  element.addEventListener('input', (event) => {
    if (!(event instanceof InputEvent && event.isComposing)) tidy();
  });
  element.addEventListener('compositionend', tidy);
  return {
    element,
    read: () => readRoomCode(lettersOf(element.value)),
    write: (code) => (element.value = lettersOf(code)),
  };
}
