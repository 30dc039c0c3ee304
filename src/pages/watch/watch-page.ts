import './watch.css';
import type { Slot } from '../../core/base/ids.ts';
import type { RoomCode } from '../../core/room/code.ts';
import { ScriptedHands } from '../../input/scripted-hand.ts';
import { Ticker } from '../../room/ticker.ts';
import type { World } from '../../session/world.ts';
import { nameOfSlot } from '../../view/slots.ts';
import { FreeViewer } from '../free-viewer.ts';
import { offerHandle } from '../handle.ts';
import type { PageCanvas } from '../page-canvas.ts';
import { el } from '../panel/dom.ts';
import { watcherPlaceOf } from '../start-places.ts';
import type { WatchBar } from './watch-bar.ts';
import { createWatchBar } from './watch-bar.ts';
import type { WatchFailure, WatchLink } from './watch-link.ts';

/** Milliseconds between two updates of the bar. */
const BAR_MS = 200;

/** The settings of a WatchPage. */
export type WatchPageOptions = {
  /** The page closes it. */
  readonly link: WatchLink;
  readonly code: RoomCode;
  /** The room can't be watched any longer; the page has closed itself before, but not the link. */
  readonly onFailure: (why: WatchFailure) => void;
  /** The viewer wants to go back; the page has closed itself and the link before. */
  readonly onClose: () => void;
};

/** [N5] Shows a room to somebody who only watches, and who flies freely. */
export class WatchPage {
  readonly #options: WatchPageOptions;
  readonly #viewer: FreeViewer;
  readonly #bar: WatchBar;
  readonly #open = new AbortController();
  readonly #ticker: Ticker<XRFrame>;
  /** The world that is drawn. */
  #shown: World | null = null;
  #frameAt = 0;
  #barAt = -Infinity;

  constructor(pageCanvas: PageCanvas, overlay: HTMLElement, options: WatchPageOptions) {
    this.#options = options;
    const { link, code } = options;
    const container = el('div', { style: 'display: contents' });
    overlay.append(container);
    this.#bar = createWatchBar(container, code, () => {
      this.#close();
      link.close();
      options.onClose();
    });
    this.#viewer = new FreeViewer(pageCanvas);
    const { signal } = this.#open;
    signal.addEventListener('abort', () => container.remove());
    window.addEventListener('pagehide', () => link.close(), { signal });
    offerHandle({
      peers: () => (link.watching.world === null ? [] : [link.watching.world.peer]),
      viewOf: () => this.#shown?.view,
      hands: new ScriptedHands(),
      reset: () => undefined,
    });
    this.#ticker = new Ticker(pageCanvas, {
      begin: () => undefined,
      tick: (timeMs) => this.#tick(timeMs),
      frame: (nowMs, alpha) => this.#frame(nowMs, alpha),
    });
  }

  #tick(timeMs: number): void {
    const { link, onFailure } = this.#options;
    link.tick(timeMs);
    const { failure } = link;
    if (failure === null) return;
    this.#close();
    onFailure(failure);
  }

  #frame(nowMs: number, alpha: number): void {
    const seconds = Math.min(0.1, (nowMs - this.#frameAt) / 1000);
    this.#frameAt = nowMs;
    const { world } = this.#options.link.watching;
    // Until a new world is known, the last picture stays.
    if (world?.isKnown === true) this.#draw(world, nowMs, seconds, alpha);
    if (nowMs - this.#barAt < BAR_MS) return;
    this.#barAt = nowMs;
    this.#showBar();
  }

  #draw(world: World, nowMs: number, seconds: number, alpha: number): void {
    if (this.#shown !== world) this.#enter(world);
    this.#viewer.draw(world.peer, alpha, world.view, nowMs, seconds);
  }

  /** In another level the viewer stands at that level's place. */
  #enter(world: World): void {
    this.#viewer.enter(world.level);
    if (this.#shown?.choice.id !== world.choice.id)
      this.#viewer.goTo(watcherPlaceOf(world.level, this.#viewer.isUpright));
    this.#shown = world;
  }

  #showBar(): void {
    const { watching, isLost } = this.#options.link;
    const players = (this.#shown?.view.avatars ?? []).flatMap(({ present, name }, at) => {
      const slot = at as Slot;
      return present ? [{ slot, name: name === '' ? nameOfSlot(slot) : name }] : [];
    });
    this.#bar.show({ players, watchers: watching.watchers, isLost });
  }

  /** Another page may use the canvas then. */
  #close(): void {
    this.#ticker.stop();
    this.#open.abort();
    this.#viewer.dispose();
    delete window.handover;
  }
}
