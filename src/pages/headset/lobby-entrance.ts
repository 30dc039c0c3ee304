import { loadPhysics } from '../../physics/rapier-simulation.ts';
import type { HeadsetMode } from '../../view/headset/display.ts';
import type { Failure } from '../room/sentences.ts';
import type { PageCanvas } from '../page-canvas.ts';
import { engineFailure, existingPageCanvas, pageCanvasOn } from '../page-canvas.ts';
import type { LobbyAction, LobbyPanelModel } from './panel/lobby-boxes.ts';
import { LobbyWorld } from './lobby-world.ts';

export type LobbyEntranceHandlers = {
  /** The player has made a choice on the panel. */
  onAction(action: LobbyAction): void;
  /** The lobby can't be shown in the headset. */
  onFailure(failure: Failure): void;
};

/** Shows the lobby in a headset while one is worn and the player is in no room. */
export class LobbyEntrance {
  readonly #canvas: HTMLCanvasElement;
  readonly #handlers: LobbyEntranceHandlers;
  /** Null while the player is in a room. */
  #model: LobbyPanelModel | null = null;
  #world: LobbyWorld | null = null;
  /** The engine could not be loaded; only a reload of the page may help. */
  #isBroken = false;

  constructor(canvas: HTMLCanvasElement, handlers: LobbyEntranceHandlers) {
    this.#canvas = canvas;
    this.#handlers = handlers;
  }

  /**
   * Enters the headset. Call it from a click.
   * @returns false if the device or the player refused.
   */
  async enter(mode: HeadsetMode): Promise<boolean> {
    let pageCanvas: PageCanvas;
    try {
      pageCanvas = pageCanvasOn(this.#canvas);
    } catch {
      this.#handlers.onFailure('no graphics');
      return true;
    }
    const entered = await pageCanvas.display.enter(mode);
    if (entered) await this.#open(pageCanvas);
    return entered;
  }

  /** Leaves the headset. */
  leave(): void {
    existingPageCanvas()?.display.leave();
  }

  /** The player is in the lobby; shows its present state. */
  show(model: LobbyPanelModel): void {
    this.#model = model;
    const pageCanvas = existingPageCanvas();
    if (this.#world !== null) this.#world.show(model);
    else if (pageCanvas !== null) void this.#open(pageCanvas);
  }

  /** The player has left the lobby: another part of the page draws from now on. */
  hide(): void {
    this.#model = null;
    this.#world?.dispose();
    this.#world = null;
  }

  async #open(pageCanvas: PageCanvas): Promise<void> {
    if (pageCanvas.display.session === null || this.#isBroken) return;
    try {
      await loadPhysics();
    } catch (error) {
      this.#isBroken = true;
      pageCanvas.display.leave();
      this.#handlers.onFailure(engineFailure(error));
      return;
    }
    // While the engine was loading, the player may have left the headset or entered a room.
    if (pageCanvas.display.session === null || this.#model === null || this.#world !== null) return;
    this.#world = new LobbyWorld(pageCanvas, this.#model, {
      onAction: (action) => this.#handlers.onAction(action),
      onLeft: () => (this.#world = null),
    });
  }
}
