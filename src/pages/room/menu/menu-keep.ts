import { el, setText } from '../../panel/dom.ts';
import type { Part } from './menu-parts.ts';
import { button, section, setAttribute } from './menu-parts.ts';
import type { RecordingState } from '../model.ts';

export type KeepHandlers = {
  /** The cubes as they are now, to a file. */
  onSaveWorld(): void;
  /** The cubes of a file, for everybody. */
  onOpenWorld(): void;
  onRecord(on: boolean): void;
};

/** What can be kept: the cubes as they are, and what happens from now on. */
export function createKeep(handlers: KeepHandlers): Part {
  const save = button('Save cubes', () => handlers.onSaveWorld());
  const open = button('Open a file', () => handlers.onOpenWorld());
  const record = recordButton(handlers);
  return {
    element: section(
      'Keep',
      el('div', { class: 'actions' }, save, open),
      el('div', { class: 'actions recorder' }, record.element),
      el('p', { class: 'aside' }, 'A recording holds all that happens from now on, but no voices.'),
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
      setText(element, isOn ? 'Stop, and save the recording' : 'Record');
    },
  };
}

/** In the bar as long as something is recorded: since when; pressed, it ends. */
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
      const label = 'Stop, and save the recording';
      setAttribute(element, 'aria-label', label);
      setAttribute(element, 'title', label);
    },
  };
}

/** "1:05" */
export function describeRecording({ kind, seconds }: RecordingState): string {
  if (kind === 'starting') return 'Starting…';
  const whole = Math.floor(seconds);
  return `${Math.floor(whole / 60)}:${String(whole % 60).padStart(2, '0')}`;
}
