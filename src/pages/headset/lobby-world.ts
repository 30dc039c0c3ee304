import { NO_BODY } from '../../core/base/ids.ts';
import { vector } from '../../core/base/math.ts';
import { Peer } from '../../core/peer/peer.ts';
import type { PeerView } from '../../core/peer/shown/peer-view.ts';
import { peerView } from '../../core/peer/shown/peer-view.ts';
import type { Level } from '../../core/world/level.ts';
import { createLevel } from '../../levels/levels.ts';
import { CUBE_SIZE } from '../../levels/arrangements.ts';
import { createRapierSimulation } from '../../physics/rapier-simulation.ts';
import type { PaneView } from '../../view/renderer.ts';
import { WorldView } from '../../view/world-view.ts';
import { Sounds } from '../sounds.ts';
import type { PageCanvas } from '../page-canvas.ts';
import { Ticker } from '../../room/ticker.ts';
import { Headset } from './headset.ts';
import type { LobbyAction, LobbyPanelModel } from './panel/lobby-boxes.ts';
import { LobbyPanel } from './panel/lobby-panel.ts';
import type { PanelPlacement } from './panel/panel-place.ts';
import { PanelPlace } from './panel/panel-place.ts';
import { capacityOf } from '../../core/world/existence.ts';

/** The player's start: the cubes are a little to the right, beside the panel. */
const START = { position: vector(-1.9, 0, 2.6), yaw: 0 };
/** Cubes from the top of the pyramid: three layers. */
const CUBES = 6;
/** In front of the player, as LobbyPanel needs it. */
export const STANDING: PanelPlacement = { away: 1.8, height: 1.45, left: 0 };

export type LobbyWorldHandlers = {
  onAction(action: LobbyAction): void;
  /** The player has left the headset; the world is disposed of. */
  onLeft(): void;
};

/** The lobby in a headset: a panel in front of the player, and a few cubes to play with. */
export class LobbyWorld {
  readonly #pageCanvas: PageCanvas;
  readonly #handlers: LobbyWorldHandlers;
  readonly #peer: Peer;
  readonly #view: PeerView;
  readonly #drawing: WorldView;
  readonly #pane: PaneView;
  readonly #headset: Headset;
  readonly #panel = new LobbyPanel();
  readonly #place = new PanelPlace(this.#panel.mesh, STANDING);
  readonly #sounds = new Sounds();
  readonly #ticker: Ticker<XRFrame>;
  #model: LobbyPanelModel;
  #frameAt = 0;

  /** The engine must be loaded, and a headset worn. */
  constructor(pageCanvas: PageCanvas, model: LobbyPanelModel, handlers: LobbyWorldHandlers) {
    this.#pageCanvas = pageCanvas;
    this.#handlers = handlers;
    this.#model = model;
    const scene = smallPyramid();
    const { colour: slot, name } = model.profile;
    this.#peer = new Peer({
      slot,
      host: slot,
      level: scene,
      name,
      simulation: createRapierSimulation(scene),
    });
    this.#view = peerView(capacityOf(scene));
    this.#drawing = new WorldView(scene);
    this.#pane = { view: this.#drawing, left: 0, top: 0, width: 1, height: 1 };
    this.#headset = new Headset(pageCanvas.display, this.#drawing, () => START);
    this.#drawing.extras.add(this.#panel.mesh);
    this.#ticker = new Ticker(pageCanvas, {
      begin: (nowMs, xr) => this.#begin(nowMs, xr),
      tick: (timeMs) => this.#tick(timeMs),
      frame: (nowMs, alpha) => this.#frame(nowMs, alpha),
    });
  }

  show(model: LobbyPanelModel): void {
    this.#model = model;
  }

  dispose(): void {
    this.#ticker.stop();
    this.#headset.takeOff();
    this.#panel.dispose();
    this.#drawing.dispose();
    this.#sounds.dispose();
    this.#peer.dispose();
  }

  #begin(nowMs: number, xr: XRFrame | null): void {
    this.#headset.begin(nowMs, xr, this.#peer);
    const { player } = this.#headset;
    if (player === null) return;
    this.#place.update(player);
    const action = this.#panel.update(player, this.#headset.held);
    // This call may dispose of this world.
    if (action !== null) this.#handlers.onAction(action);
  }

  #tick(timeMs: number): void {
    const { player } = this.#headset;
    if (this.#pageCanvas.display.session === null) {
      this.dispose();
      this.#handlers.onLeft();
    } else if (player !== null) {
      this.#peer.tick(player.sample(timeMs));
      this.#headset.tick(this.#peer);
    }
  }

  #frame(nowMs: number, alpha: number): void {
    const { player } = this.#headset;
    if (player === null) return;
    const seconds = Math.min(0.1, (nowMs - this.#frameAt) / 1000);
    this.#frameAt = nowMs;
    this.#peer.view(alpha, player.drawn(), this.#view);
    this.#sounds.frame(this.#peer, player.drawn().head);
    this.#headset.place();
    this.#drawing.update(this.#view, seconds, { ghosts: null, highlight: NO_BODY, ...this.#headset.options });
    this.#headset.update(this.#view, seconds, null);
    this.#panel.show(this.#model);
    this.#pageCanvas.renderer.render([this.#pane]);
  }
}

/** Returns the top of the pyramid, standing on the floor. */
function smallPyramid(): Level {
  const pyramid = createLevel({ id: 'pyramid', seed: 1 });
  const top = pyramid.bodies.slice(-CUBES);
  const lift = CUBE_SIZE / 2 - Math.min(...top.map(({ start }) => start.position.y));
  return {
    ...pyramid,
    bodies: top.map((body) => {
      const { position, rotation } = body.start;
      return { ...body, start: { position: { ...position, y: position.y + lift }, rotation } };
    }),
  };
}
