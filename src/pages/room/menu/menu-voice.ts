import { el, setText } from '../../panel/dom.ts';
import type { IconName, Part } from './menu-parts.ts';
import { button, icon, iconButton, meter, section } from './menu-parts.ts';
import type { OwnVoice, RoomModel } from '../model.ts';
import { FAILURES } from '../sentences.ts';

/** A player's wish for its own voice. */
export type VoiceWish = 'on' | 'off' | 'mute' | 'unmute';

export type VoiceHandler = (wish: VoiceWish) => void;

/** The action of the voice button: `look` shows why there is no voice. */
type VoiceAct = {
  readonly act: VoiceWish | 'look' | 'wait';
  readonly icon: IconName;
  /** The state, in a word or two beside the icon. */
  readonly state: string;
  /** The effect of a press, for screen readers. */
  readonly label: string;
};

const ACTS: Readonly<Record<OwnVoice['kind'], VoiceAct>> = {
  off: { act: 'on', icon: 'no microphone', state: 'Voice off', label: 'Turn my voice on' },
  asking: {
    act: 'wait',
    icon: 'microphone',
    state: 'Allow it?',
    label: 'Your browser asks for the microphone',
  },
  connecting: { act: 'mute', icon: 'microphone', state: 'Connecting…', label: 'Mute my microphone' },
  on: { act: 'mute', icon: 'microphone', state: 'Voice on', label: 'Mute my microphone' },
  muted: { act: 'unmute', icon: 'no microphone', state: 'Muted', label: 'Unmute my microphone' },
  failed: { act: 'look', icon: 'alert', state: 'No voice', label: 'Your microphone doesn’t work: see why' },
};

/**
 * The voice button in the bar, with the level of the player's own voice in it.
 * @param onLook called when the player wants to know why there is no voice.
 */
export function createVoiceButton(onVoice: VoiceHandler, onLook: () => void): Part {
  let kind: OwnVoice['kind'] = 'off';
  const face = iconButton(
    () => {
      const { act } = ACTS[kind];
      if (act === 'look') onLook();
      else if (act !== 'wait') onVoice(act);
    },
    { class: 'pill icon voice' },
  );
  const { element } = face;
  const words = el('span');
  return {
    element,
    show(model) {
      kind = model.voice.kind;
      const { icon: name, label, state } = ACTS[kind];
      face.show(name, label);
      setText(words, state);
      if (words.parentElement === null) element.append(words);
      element.dataset.voice = kind;
      element.style.setProperty('--level', ownLevel(model).toFixed(2));
    },
  };
}

export function createVoice(onVoice: VoiceHandler): Part {
  const state = el('p', { role: 'status' });
  const level = meter();
  const sign = el('span', { class: 'sign', 'aria-hidden': 'true' });
  let shown: IconName | null = null;
  const on = button('Turn my voice on', () => onVoice('on'), { class: 'primary' });
  const mute = button('Mute', () => onVoice('mute'));
  const unmute = button('Unmute', () => onVoice('unmute'), { class: 'primary' });
  const off = button('Turn off', () => onVoice('off'));
  const buttons = [on, mute, unmute, off];
  const head = el('div', { class: 'state' }, sign, state, level.element);
  return {
    element: section('Voice', head, el('div', { class: 'actions' }, ...buttons)),
    show(model) {
      const { voice } = model;
      const name = ACTS[voice.kind].icon;
      if (name !== shown) sign.replaceChildren(icon(name));
      shown = name;
      head.dataset.voice = voice.kind;
      const focused = buttons.find((button) => button === document.activeElement);
      setText(state, describeVoice(voice));
      level.element.hidden = voice.kind !== 'on';
      level.show(ownLevel(model));
      const isOn = voice.kind === 'on' || voice.kind === 'connecting';
      on.hidden = isOn || voice.kind === 'muted' || hasNoRemedy(voice);
      on.toggleAttribute('disabled', voice.kind === 'asking');
      setText(on, voice.kind === 'failed' ? 'Try again' : 'Turn my voice on');
      mute.hidden = !isOn;
      unmute.hidden = voice.kind !== 'muted';
      off.hidden = !isOn && voice.kind !== 'muted';
      // If the button with the focus was hidden, the focus moves to the button that replaced it.
      if (focused?.hidden === true) buttons.find((button) => !button.hidden)?.focus();
    },
  };
}

/** True if the player can't do anything for its voice here. */
function hasNoRemedy(voice: OwnVoice): boolean {
  return voice.kind === 'failed' && FAILURES[`microphone ${voice.failure}`].remedy === 'none';
}

/** How loud the player's own voice is, 0 to 1; 0 while the others can't hear it. */
export function ownLevel({ players, voice, you }: RoomModel): number {
  if (voice.kind !== 'on') return 0;
  return players.find(({ slot }) => slot === you)?.level ?? 0;
}

/** @returns the state of the player's own voice, in a sentence or two. */
export function describeVoice(voice: OwnVoice): string {
  switch (voice.kind) {
    case 'off':
      return 'Your voice is off. Turn it on, and friends hear you.';
    case 'asking':
      return 'Allow the microphone in your browser.';
    case 'connecting':
      return 'Your voice is on its way to the server.';
    case 'on':
      return 'Friends hear you.';
    case 'muted':
      return 'You are muted. Press Unmute, and friends hear you.';
    case 'failed': {
      const { title, text } = FAILURES[`microphone ${voice.failure}`];
      return `${title} ${text}`;
    }
  }
}
