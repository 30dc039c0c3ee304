import { readRoomCode, ROOM_CODE_LENGTH } from '../../../core/room/code.ts';
import type { RoomCode } from '../../../core/room/code.ts';
import type { RoomId } from '../../../core/room/identity/key.ts';
import { readRoomId } from '../../../core/room/identity/key.ts';
import { el } from '../../panel/dom.ts';

/**
 * Returns the letters of a text that can go into the code field: in capitals, at most as many as a code has.
 * From a link it takes the letters of the room's code, also from a link to watch the room. The result may be too short,
 * or contain letters that no code has: the player sees what was typed.
 */
export function lettersOf(text: string): string {
  const room = /[?&#](?:room|watch)=([^&#\s]*)/i.exec(text)?.[1];
  if (room === undefined && text.includes('://')) return '';
  const letters = (room ?? text).normalize('NFKC').toUpperCase();
  return letters.replace(/[^A-Z]/g, '').slice(0, ROOM_CODE_LENGTH);
}

/** [P3] @returns the room of a link; null if the text is no link with a room's id. */
export function roomIn(text: string): RoomId | null {
  return readRoomId(/[?&#]id=([^&#\s]*)/i.exec(text)?.[1]);
}

/** The field for a room's code. */
export type CodeField = {
  readonly element: HTMLInputElement;
  /** Returns the code in the field, or null if it is not a valid code. */
  read(): RoomCode | null;
  /** [P3] The room of the link that was pasted; null if the code was typed, or changed since. */
  readonly room: RoomId | null;
  /** True if nothing could stay of what was typed last. */
  readonly hasDropped: boolean;
  write(code: string): void;
};

/** A text field that keeps only the letters of a code, whether they are typed or pasted. */
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
  let hasDropped = false;
  let pasted: { readonly letters: string; readonly room: RoomId } | null = null;
  const tidy = (): void => {
    const letters = lettersOf(element.value);
    const room = roomIn(element.value);
    if (room !== null) pasted = { letters, room };
    hasDropped = letters === '' && element.value.trim() !== '';
    if (letters === element.value) return;
    // Keeps the caret after the letter that was edited.
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
    get room() {
      return pasted !== null && pasted.letters === lettersOf(element.value) ? pasted.room : null;
    },
    get hasDropped() {
      return hasDropped;
    },
    write: (code) => (element.value = lettersOf(code)),
  };
}
