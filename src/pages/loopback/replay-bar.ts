import './replay.css';
import type { Slot } from '../../core/base/ids.ts';
import { el, setText } from '../panel/dom.ts';
import type { ReplayPlace } from './replay-run.ts';

export type ReplayBarHandlers = {
  onPlay(on: boolean): void;
  /** The player wants to stop at this step. */
  onSeek(step: number): void;
  /** The player wants to see this peer's world. */
  onPeer(slot: Slot): void;
  onClose(): void;
};

export type ReplayBarModel = {
  readonly place: ReplayPlace;
  readonly isPlaying: boolean;
  /** Seconds from the first step to each step. */
  readonly seconds: Float64Array;
  /** The names of the recorded peers, and the peer whose world is shown. */
  readonly peers: ReadonlyMap<Slot, string>;
  readonly shown: Slot | null;
  /** A sentence for the player, or ''. */
  readonly notice: string;
};

export type ReplayBar = { show(model: ReplayBarModel): void };

/** Creates the bar under a replayed recording: it shows the present step and leads to any other. */
export function createReplayBar(container: HTMLElement, handlers: ReplayBarHandlers): ReplayBar {
  let model: ReplayBarModel | null = null;
  const button = (text: string, label: string, onClick: () => void): HTMLButtonElement => {
    const element = el('button', { type: 'button', 'aria-label': label, title: label }, text);
    element.addEventListener('click', onClick);
    return element;
  };
  const by = (steps: number) => (): void => handlers.onSeek((model?.place.wanted ?? 0) + steps);
  const play = button('Play', 'Play', () => handlers.onPlay(model?.isPlaying !== true));
  const slider = el('input', { type: 'range', min: '1', step: '1', 'aria-label': 'Time' });
  slider.addEventListener('input', () => handlers.onSeek(slider.valueAsNumber));
  const time = el('output');
  const who = el('select', { 'aria-label': 'Whose world', hidden: true });
  who.addEventListener('change', () => handlers.onPeer(Number(who.value) as Slot));
  const notice = el('p', { role: 'status', hidden: true });
  container.append(
    el(
      'section',
      { class: 'card replay', 'aria-label': 'Recording' },
      notice,
      el(
        'div',
        { class: 'controls' },
        play,
        button('−1', 'One step back', by(-1)),
        button('+1', 'One step on', by(1)),
        slider,
        time,
        who,
        button('Close', 'Close the recording', () => handlers.onClose()),
      ),
    ),
  );
  return {
    show(next) {
      model = next;
      const { place, seconds, isPlaying } = next;
      slider.max = String(seconds.length);
      slider.valueAsNumber = place.wanted;
      const [now, end] = [seconds[place.wanted - 1], seconds[seconds.length - 1]];
      const share = (place.wanted - 1) / Math.max(1, seconds.length - 1);
      slider.style.setProperty('--share', `${100 * share}%`);
      slider.setAttribute('aria-valuetext', `${now.toFixed(2)} seconds`);
      setText(time, `${now.toFixed(2)} of ${end.toFixed(1)} s`);
      const label = isPlaying ? 'Pause' : 'Play';
      setText(play, label);
      play.setAttribute('aria-label', label);
      play.title = `${label} (space)`;
      showPeers(who, next);
      const said = place.at === place.wanted || isPlaying ? next.notice : `Loading: ${percent(place)} %`;
      setText(notice, said);
      notice.hidden = said === '';
    },
  };
}

function percent({ at, wanted }: ReplayPlace): number {
  return Math.floor((100 * at) / wanted);
}

function showPeers(select: HTMLSelectElement, { peers, shown }: ReplayBarModel): void {
  select.hidden = peers.size < 2;
  if (select.options.length !== peers.size) {
    const options = [...peers].map(([slot, name]) => el('option', { value: String(slot) }, name));
    select.replaceChildren(...options);
  }
  if (shown !== null) select.value = String(shown);
}
