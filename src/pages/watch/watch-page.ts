import './watch.css';
import type { Slot } from '../../core/base/ids.ts';
import { NO_BODY, NO_SLOT } from '../../core/base/ids.ts';
import { vector } from '../../core/base/math.ts';
import type { RoomCode } from '../../core/room/code.ts';
import { listenToDesk } from '../../input/desk-listeners.ts';
import type { DeskStart } from '../../input/desk-player.ts';
import { DeskPlayer } from '../../input/desk-player.ts';
import { DeskRouter } from '../../input/desk-router.ts';
import { ScriptedHands } from '../../input/scripted-hand.ts';
import { Ticker } from '../../room/ticker.ts';
import type { World } from '../../session/world.ts';
import { nameOfSlot } from '../../view/slots.ts';
import { WorldView } from '../../view/world-view.ts';
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
  readonly #pageCanvas: PageCanvas;
  readonly #options: WatchPageOptions;
  readonly #player = new DeskPlayer({ position: vector(), yaw: 0, pitch: 0 });
  readonly #router: DeskRouter;
  readonly #bar: WatchBar;
  readonly #open = new AbortController();
  readonly #ticker: Ticker<XRFrame>;
  #drawing: WorldView | null = null;
  /** The world that is drawn. */
  #shown: World | null = null;
  #frameAt = 0;
  #barAt = -Infinity;

  constructor(pageCanvas: PageCanvas, overlay: HTMLElement, options: WatchPageOptions) {
    this.#pageCanvas = pageCanvas;
    this.#options = options;
    const { link, code } = options;
    const container = el('div', { style: 'display: contents' });
    overlay.append(container);
    this.#bar = createWatchBar(container, code, () => {
      this.#close();
      link.close();
      options.onClose();
    });
    this.#router = new DeskRouter([this.#player], {
      onCommand: () => undefined,
      onInspect: () => undefined,
      onActive: () => undefined,
    });
    const { signal } = this.#open;
    signal.addEventListener('abort', () => container.remove());
    signal.addEventListener('abort', listenToDesk(pageCanvas.canvas, this.#router));
    window.addEventListener('resize', () => this.#resize(), { signal });
    window.addEventListener('pagehide', () => link.close(), { signal });
    offerHandle({
      peers: () => (link.watching.world === null ? [] : [link.watching.world.peer]),
      viewOf: () => this.#shown?.view,
      hands: new ScriptedHands(),
      reset: () => undefined,
    });
    this.#resize();
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
    const drawing = this.#drawingOf(world);
    const { peer, view } = world;
    peer.view(alpha, null, view);
    // The viewer is not one of the players, so all players are drawn.
    view.self = NO_SLOT;
    const { width, height } = this.#router.panes[0];
    const { camera } = drawing;
    this.#player.setLens((camera.fov * Math.PI) / 180, width / height);
    this.#player.beginFrame(nowMs);
    // Its hand takes nothing, so every drag looks around.
    this.#player.see(null);
    const { position, rotation } = this.#player.camera;
    camera.position.set(position.x, position.y, position.z);
    camera.quaternion.set(rotation.x, rotation.y, rotation.z, rotation.w);
    drawing.update(view, seconds, { highlight: NO_BODY, showOwnHands: true });
    this.#pageCanvas.renderer.render([{ view: drawing, left: 0, top: 0, width, height }]);
  }

  /** In another level the viewer stands at that level's place. */
  #drawingOf(world: World): WorldView {
    if (this.#drawing === null) this.#drawing = new WorldView(world.level);
    else if (this.#shown === world) return this.#drawing;
    else this.#drawing.setScene(world.level);
    if (this.#shown?.choice.id !== world.choice.id) this.#player.goTo(this.#placeIn(world));
    this.#shown = world;
    return this.#drawing;
  }

  #placeIn({ level }: World): DeskStart {
    const { width, height } = this.#router.panes[0];
    return watcherPlaceOf(level, height > width);
  }

  #showBar(): void {
    const { watching, isLost } = this.#options.link;
    const players = (this.#shown?.view.avatars ?? []).flatMap(({ present, name }, at) => {
      const slot = at as Slot;
      return present ? [{ slot, name: name === '' ? nameOfSlot(slot) : name }] : [];
    });
    this.#bar.show({ players, watchers: watching.watchers, isLost });
  }

  #resize(): void {
    const { canvas } = this.#pageCanvas;
    this.#router.resize(canvas.clientWidth, canvas.clientHeight);
    this.#pageCanvas.resize();
  }

  /** Another page may use the canvas then. */
  #close(): void {
    this.#ticker.stop();
    this.#open.abort();
    this.#drawing?.dispose();
    delete window.handover;
  }
}
