import type { RoomCode } from '../../../core/room/code.ts';
import type { RoomId } from '../../../core/room/identity/key.ts';
import { el, setText, uniqueId } from '../../panel/dom.ts';
import { FAILURES } from '../../room/sentences.ts';
import { codeField } from './code-field.ts';

/** How a player wants to come into a friend's room. */
export type JoinWish = {
  readonly code: RoomCode;
  /** [P3] The room of a link that was pasted; null for the code alone. */
  readonly room: RoomId | null;
  /** Ask for the microphone on the way. */
  readonly withVoice: boolean;
};

/** The form for a friend's code. */
export type JoinForm = {
  readonly element: HTMLElement;
  /** Puts a code into the field. */
  write(code: string): void;
};

const BAD_CODE = `${FAILURES['bad code'].title} ${FAILURES['bad code'].text}`;

/** @param onJoin called with a code that is valid in form. */
export function createJoinForm(onJoin: (wish: JoinWish) => void): JoinForm {
  const complaint = el('p', { class: 'complaint', id: uniqueId('complaint'), role: 'alert' });
  const field = codeField(uniqueId('code'), complaint.id);
  const withVoice = el('button', { type: 'submit' }, 'Join with voice');
  const element = el(
    'form',
    { class: 'join' },
    el(
      'div',
      { class: 'field' },
      el('label', { for: field.element.id }, 'Your friend’s code'),
      field.element,
    ),
    // The first button is the one that Enter presses.
    el('button', { type: 'submit' }, 'Join'),
    withVoice,
    complaint,
  );
  const complain = (sentence: string): void => {
    setText(complaint, sentence);
    field.element.toggleAttribute('aria-invalid', sentence !== '');
    // On a phone that lies on its side it may be below the edge.
    if (sentence !== '') complaint.scrollIntoView({ block: 'nearest' });
  };
  field.element.addEventListener('input', () => complain(field.hasDropped ? BAD_CODE : ''));
  element.addEventListener('submit', (event) => {
    event.preventDefault();
    const code = field.read();
    if (code !== null) {
      onJoin({ code, room: field.room, withVoice: event.submitter === withVoice });
      return;
    }
    field.element.focus();
    const isEmpty = field.element.value === '' && !field.hasDropped;
    complain(isEmpty ? 'Type the code, or paste the link.' : BAD_CODE);
  });
  return {
    element,
    write(code) {
      field.write(code);
      complain('');
    },
  };
}
