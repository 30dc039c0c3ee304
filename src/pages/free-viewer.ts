import { NO_BODY, NO_SLOT } from '../core/base/ids.ts';
import { vector } from '../core/base/math.ts';
import type { Peer } from '../core/peer/peer.ts';
import type { PeerView } from '../core/peer/shown/peer-view.ts';
import type { Level } from '../core/world/level.ts';
import { listenToDesk } from '../input/desk-listeners.ts';
import type { DeskStart } from '../input/desk-player.ts';
import { DeskPlayer } from '../input/desk-player.ts';
import { DeskRouter } from '../input/desk-router.ts';
import { WorldView } from '../view/world-view.ts';
import type { PageCanvas } from './page-canvas.ts';

/** Somebody who is none of the players: it flies freely through a world, and sees all of them. */
export class FreeViewer {
  readonly #pageCanvas: PageCanvas;
  readonly #player = new DeskPlayer({ position: vector(), yaw: 0, pitch: 0 });
  readonly #router: DeskRouter;
  readonly #open = new AbortController();
  #drawing: WorldView | null = null;

  /** @param onSpace the viewer has pressed the space bar; left out if that does nothing. */
  constructor(pageCanvas: PageCanvas, onSpace: () => void = () => undefined) {
    this.#pageCanvas = pageCanvas;
    this.#router = new DeskRouter([this.#player], {
      onCommand: (command) => {
        if (command === 'reset') onSpace();
      },
      onInspect: () => undefined,
      onActive: () => undefined,
    });
    const { signal } = this.#open;
    signal.addEventListener('abort', listenToDesk(pageCanvas.canvas, this.#router));
    window.addEventListener('resize', () => this.#resize(), { signal });
    this.#resize();
  }

  /** True if the picture is higher than wide, as on an upright phone. */
  get isUpright(): boolean {
    const { width, height } = this.#router.panes[0];
    return height > width;
  }

  /** Begins to draw a world in this level, in place of the one before. */
  enter(level: Level): void {
    this.#drawing ??= new WorldView(level);
    this.#drawing.setScene(level);
  }

  goTo(start: DeskStart): void {
    this.#player.goTo(start);
  }

  /**
   * Draws a moment of a peer's world; `enter` must have been called with its level.
   * @param alpha see Peer.view.
   * @param view is overwritten; it is nobody's own.
   * @param seconds since the last frame.
   */
  draw(peer: Peer, alpha: number, view: PeerView, nowMs: number, seconds: number): void {
    const drawing = this.#drawing;
    if (drawing === null) throw new Error('A viewer enters a level before it draws.');
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

  #resize(): void {
    const { canvas } = this.#pageCanvas;
    this.#router.resize(canvas.clientWidth, canvas.clientHeight);
    this.#pageCanvas.resize();
  }

  /** Takes its listeners off the page, and frees what it has drawn. */
  dispose(): void {
    this.#open.abort();
    this.#drawing?.dispose();
  }
}
