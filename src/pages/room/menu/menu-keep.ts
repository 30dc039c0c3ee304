import { el, setText } from '../../panel/dom.ts';
import type { Part } from './menu-parts.ts';
import { button, section, setAttribute } from './menu-parts.ts';
import type { RecordingState } from '../model.ts';

/** Called when the player wants to keep or open something. */
export type KeepHandlers = {
  /** Save the cubes as they are now to a file. */
  onSaveWorld(): void;
  /** Open a file, and put its cubes into the room for everybody. */
  onOpenWorld(): void;
  onRecord(on: boolean): void;
};

/** The buttons that save and open cubes, and that record. */
export function createKeep(handlers: KeepHandlers): Part {
  const save = button('Save the world', () => handlers.onSaveWorld());
  const open = button('Open a file', () => handlers.onOpenWorld());
  const record = recordButton(handlers);
  return {
    element: section(
      'Save and record',
      el('div', { class: 'actions' }, save, open),
      el('div', { class: 'actions recorder' }, record.element),
      el('p', { class: 'aside' }, 'Records the world and its players, not voices.'),
    ),
    show(model) {
      const { you, host } = model;
      open.hidden = you !== host;
      record.show(model);
    },
  };
}

function recordButton(handlers: KeepHandlers): Part {
  let isOn = false;
  const element = button('Record', () => handlers.onRecord(!isOn));
  return {
    element,
    show({ recording }) {
      isOn = recording.kind !== 'off';
      setText(element, isOn ? 'Stop and save' : 'Record');
    },
  };
}

/** A button in the bar while a recording runs: it shows the length, and a press ends the recording. */
export function createRecordingSign(handlers: KeepHandlers): Part {
  const time = el('span');
  const dot = el('i', { 'aria-hidden': 'true' });
  const element = el('button', { type: 'button', class: 'pill recording', hidden: true }, dot, time);
  element.addEventListener('click', () => handlers.onRecord(false));
  return {
    element,
    show({ recording }) {
      element.hidden = recording.kind === 'off';
      setText(time, describeRecording(recording));
      const label = 'Stop and save the recording';
      setAttribute(element, 'aria-label', label);
      setAttribute(element, 'title', label);
    },
  };
}

/** @returns minutes and seconds, for example "1:05". */
export function describeRecording({ kind, seconds }: RecordingState): string {
  if (kind === 'starting') return 'Starting…';
  const whole = Math.floor(seconds);
  return `${Math.floor(whole / 60)}:${String(whole % 60).padStart(2, '0')}`;
}
