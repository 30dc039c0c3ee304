import type { Slot } from '../../core/base/ids.ts';
import type { Peer } from '../../core/peer/peer.ts';
import type { PlayedPeer } from '../../core/peer/recording/playback.ts';
import { Playback } from '../../core/peer/recording/playback.ts';
import type { PeerView } from '../../core/peer/shown/peer-view.ts';
import { peerView } from '../../core/peer/shown/peer-view.ts';
import type { Recording } from '../../core/peer/recording/recording.ts';
import { ScriptedHands } from '../../input/scripted-hand.ts';
import { createRapierSimulation } from '../../physics/rapier-simulation.ts';
import { nameOfSlot } from '../../view/slots.ts';
import { FreeViewer } from '../free-viewer.ts';
import { offerHandle } from '../handle.ts';
import { el } from '../panel/dom.ts';
import type { PageCanvas } from '../page-canvas.ts';
import { viewerPlaceOf } from '../start-places.ts';
import type { ReplayBar } from './replay-bar.ts';
import { createReplayBar } from './replay-bar.ts';
import { ReplayRun } from './replay-run.ts';
import { capacityOf } from '../../core/world/existence.ts';

/**
 * Most milliseconds per frame for playback steps: while playing, and while seeking, when nothing is drawn.
 */
const PLAYING_MS = 12;
const SEEKING_MS = 60;

/** The peer that is drawn. */
type Shown = { readonly played: PlayedPeer; readonly view: PeerView };

/** Replays a recording with real peers. It draws the world of one of them; the viewer flies freely. */
export class ReplayPage {
  readonly #pageCanvas: PageCanvas;
  readonly #run: ReplayRun;
  readonly #viewer: FreeViewer;
  readonly #bar: ReplayBar;
  readonly #open = new AbortController();
  #shown: Shown | null = null;
  /** The peer that the viewer has chosen; null for the first one. */
  #chosen: Slot | null = null;
  #isBroken = false;
  #frameAt = 0;

  /** @param onClose the viewer wants to go back; this page has closed itself before. */
  constructor(pageCanvas: PageCanvas, overlay: HTMLElement, recording: Recording, onClose: () => void) {
    this.#pageCanvas = pageCanvas;
    this.#run = new ReplayRun(recording.seconds, () => new Playback(recording, createRapierSimulation));
    const container = el('div', { style: 'display: contents' });
    overlay.append(container);
    this.#bar = createReplayBar(container, {
      onPlay: (on) => this.#play(on),
      onSeek: (step) => this.#run.seek(step),
      onPeer: (slot) => (this.#chosen = slot),
      onClose: () => {
        this.#close();
        onClose();
      },
    });
    this.#viewer = new FreeViewer(pageCanvas, () => this.#play(!this.#run.isPlaying));
    this.#open.signal.addEventListener('abort', () => container.remove());
    offerHandle({
      peers: () => [...this.#run.playback.played.values()].map(({ peer }) => peer),
      viewOf: () => this.#shown?.view,
      hands: new ScriptedHands(),
      reset: () => undefined,
    });
    this.#advance(0);
    this.#showBar();
    pageCanvas.setAnimationLoop((nowMs) => this.#frame(nowMs));
  }

  #play(on: boolean): void {
    if (on) this.#run.play();
    else this.#run.pause();
  }

  #frame(nowMs: number): void {
    const seconds = Math.min(0.1, (nowMs - this.#frameAt) / 1000);
    this.#frameAt = nowMs;
    this.#advance(seconds);
    const shown = this.#choose();
    if (shown !== null && this.#run.isReady)
      this.#viewer.draw(shown.played.peer, this.#run.alpha, shown.view, nowMs, seconds);
    this.#showBar();
  }

  #showBar(): void {
    this.#bar.show({
      place: this.#run.place,
      isPlaying: this.#run.isPlaying,
      seconds: this.#run.seconds,
      peers: new Map([...this.#run.playback.played].map(([slot, { peer }]) => [slot, nameOf(peer)])),
      shown: this.#shown?.played.peer.diagnostics.slot ?? null,
      notice: this.#notice(),
    });
  }

  #advance(seconds: number): void {
    if (this.#isBroken) return;
    const end = performance.now() + (this.#run.isPlaying ? PLAYING_MS : SEEKING_MS);
    try {
      this.#run.advance(seconds, () => performance.now() < end);
    } catch (error) {
      // A file made by hand can make the engine fail.
      console.error(error);
      this.#isBroken = true;
      this.#run.pause();
    }
  }

  /** Returns the peer to draw. If that peer has started again, its world is drawn again from the start. */
  #choose(): Shown | null {
    const { played } = this.#run.playback;
    const wanted = (this.#chosen === null ? undefined : played.get(this.#chosen)) ?? [...played.values()][0];
    if (wanted === undefined) return null;
    if (this.#shown?.played === wanted) return this.#shown;
    const { level: scene } = wanted;
    if (this.#shown === null) this.#viewer.goTo(viewerPlaceOf(scene));
    this.#viewer.enter(scene);
    this.#shown = { played: wanted, view: peerView(capacityOf(scene)) };
    return this.#shown;
  }

  #notice(): string {
    const { partedAt } = this.#run.playback;
    if (this.#isBroken) return 'This recording can’t go on from here. Reload the page.';
    if (partedAt === null) return '';
    const seconds = this.#run.seconds[partedAt].toFixed(1);
    return `After ${seconds} s the replay differs from what happened, because another kind of machine recorded it.`;
  }

  /** Frees the worlds; another page may use the canvas then. */
  #close(): void {
    this.#pageCanvas.setAnimationLoop(null);
    this.#open.abort();
    this.#viewer.dispose();
    this.#run.dispose();
    delete window.handover;
  }
}

function nameOf({ diagnostics }: Peer): string {
  const { slot } = diagnostics;
  const name = diagnostics.nameOf(slot);
  return name === '' ? nameOfSlot(slot) : name;
}
