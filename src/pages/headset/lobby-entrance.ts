import { loadPhysics } from '../../physics/rapier-simulation.ts';
import type { HeadsetMode } from '../../view/headset/display.ts';
import type { Failure } from '../room/sentences.ts';
import type { Stage } from '../stage.ts';
import { presentStage, stageOn } from '../stage.ts';
import type { LobbyAction, LobbyPanelModel } from './panel/lobby-boxes.ts';
import { LobbyWorld } from './lobby-world.ts';

export type LobbyEntranceHandlers = {
  /** What the player wants. */
  onAction(action: LobbyAction): void;
  /** The lobby can't be shown in a headset. */
  onFailure(failure: Failure): void;
};

/** The lobby's way into a headset: while one is worn and the player is in no room, it shows the lobby there. */
export class LobbyEntrance {
  readonly #canvas: HTMLCanvasElement;
  readonly #handlers: LobbyEntranceHandlers;
  /** Null while the player is in a room. */
  #model: LobbyPanelModel | null = null;
  #world: LobbyWorld | null = null;
  /** The engine can't be had: only the page loaded anew may find it. */
  #isBroken = false;

  constructor(canvas: HTMLCanvasElement, handlers: LobbyEntranceHandlers) {
    this.#canvas = canvas;
    this.#handlers = handlers;
  }

  /**
   * To be called from a click.
   * @returns false if the device or the player refused.
   */
  async enter(mode: HeadsetMode): Promise<boolean> {
    let stage: Stage;
    try {
      stage = stageOn(this.#canvas);
    } catch {
      this.#handlers.onFailure('no graphics');
      return true;
    }
    const entered = await stage.display.enter(mode);
    if (entered) await this.#open(stage);
    return entered;
  }

  /** Back to the screen. */
  leave(): void {
    presentStage()?.display.leave();
  }

  /** The player is in the lobby, which is in this state. */
  show(model: LobbyPanelModel): void {
    this.#model = model;
    const stage = presentStage();
    if (this.#world !== null) this.#world.show(model);
    else if (stage !== null) void this.#open(stage);
  }

  /** The player is somewhere else from now on, and somebody else draws. */
  hide(): void {
    this.#model = null;
    this.#world?.dispose();
    this.#world = null;
  }

  async #open(stage: Stage): Promise<void> {
    if (stage.display.session === null || this.#isBroken) return;
    try {
      await loadPhysics();
    } catch {
      this.#isBroken = true;
      stage.display.leave();
      this.#handlers.onFailure('no engine');
      return;
    }
    // Meanwhile the headset may have been left, or a room entered.
    if (stage.display.session === null || this.#model === null || this.#world !== null) return;
    this.#world = new LobbyWorld(stage, this.#model, {
      onAction: (action) => this.#handlers.onAction(action),
      onLeft: () => (this.#world = null),
    });
  }
}
