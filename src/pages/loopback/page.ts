import type { BodyId, Slot } from '../../core/base/ids.ts';
import { NO_BODY } from '../../core/base/ids.ts';
import type { PeerView } from '../../core/peer/peer-view.ts';
import { peerView } from '../../core/peer/peer-view.ts';
import { listenToDesk } from '../../input/desk-listeners.ts';
import { DeskPlayer } from '../../input/desk-player.ts';
import type { DeskCommand } from '../../input/desk-router.ts';
import { DeskRouter } from '../../input/desk-router.ts';
import type { Pane } from '../../input/panes.ts';
import { GUEST_PANE, HOST_PANE } from '../../input/panes.ts';
import { ScriptedHands } from '../../input/scripted-hand.ts';
import type { Pane as DrawnPane, Renderer3d } from '../../view/renderer.ts';
import { WorldView } from '../../view/world-view.ts';
import { createHelp } from '../panel/help.ts';
import { createLabels } from '../panel/labels.ts';
import type { Panel } from '../panel/panel.ts';
import { createPanel } from '../panel/panel.ts';
import type { Settings } from '../settings.ts';
import { offerHandle } from '../handle.ts';
import { formatSettings } from '../settings.ts';
import { Ticker } from '../ticker.ts';
import { Readings, recordsOf } from './readings.ts';
import { Session } from './session.ts';
import { STARTS } from './starts.ts';

/** Milliseconds between two updates of the panel. */
const PANEL_INTERVAL_MS = 100;
/** Device pixels per CSS pixel that are drawn at the most: more costs, and can't be seen. */
const MOST_PIXEL_RATIO = 2;
const PANES: readonly Pane[] = [HOST_PANE, GUEST_PANE];

/** The loopback page: two worlds side by side, and the player at the desk in both. */
export class LoopbackPage {
  readonly #canvas: HTMLCanvasElement;
  readonly #renderer: Renderer3d;
  readonly #players = [new DeskPlayer(STARTS[0]), new DeskPlayer(STARTS[1])] as const;
  readonly #scripted = new ScriptedHands(2);
  readonly #router: DeskRouter;
  readonly #panel: Panel;
  readonly #help: ReturnType<typeof createHelp>;
  readonly #labels: ReturnType<typeof createLabels>;
  readonly #worlds: readonly [WorldView, WorldView];
  readonly #drawn: DrawnPane[];
  readonly #ticker: Ticker;
  #settings: Settings;
  #session: Session;
  #readings: Readings;
  #views: readonly [PeerView, PeerView];
  #inspected: BodyId = NO_BODY;
  #frameAt = 0;
  #panelAt = 0;

  constructor(canvas: HTMLCanvasElement, overlay: HTMLElement, renderer: Renderer3d, settings: Settings) {
    this.#canvas = canvas;
    this.#renderer = renderer;
    this.#settings = settings;
    this.#session = this.#createSession();
    this.#readings = new Readings(this.#session);
    this.#views = this.#createViews();
    this.#worlds = [new WorldView(this.#session.scene), new WorldView(this.#session.scene)];
    this.#drawn = this.#worlds.map((view) => ({ view, left: 0, top: 0, width: 1, height: 1 }));
    this.#labels = createLabels(overlay, (pane) => this.#router.activate(pane));
    this.#help = createHelp(overlay, () => this.#change({ ...this.#settings, help: false }));
    this.#panel = createPanel(overlay, settings, {
      onChange: (next) => this.#change(next),
      onReset: () => this.#session.restart(),
      onRecordClosed: () => (this.#inspected = NO_BODY),
    });
    this.#router = new DeskRouter(this.#players, {
      onCommand: (command) => this.#obey(command),
      onInspect: (pane, x, y) => this.#inspect(pane, x, y),
      onActive: (pane) => this.#labels.setActive(pane),
    });
    listenToDesk(canvas, this.#router);
    offerHandle({
      peers: () => this.#session.peers,
      viewOf: (slot) => this.#views[slot as Pane],
      hands: this.#scripted,
      reset: () => this.#session.restart(),
    });
    this.#help.show(settings.help);
    this.#resize();
    window.addEventListener('resize', () => this.#resize());
    this.#ticker = new Ticker(renderer.webgl, {
      begin: (nowMs) => {
        for (const pane of PANES) this.#poseCamera(pane, nowMs);
      },
      tick: (timeMs) => this.#tick(timeMs),
      frame: (nowMs, alpha) => this.#frame(nowMs, alpha),
    });
  }

  #createSession(): Session {
    return new Session(this.#settings, (slot, timeMs) =>
      this.#scripted.over(slot, this.#players[slot].sample(timeMs)),
    );
  }

  #createViews(): [PeerView, PeerView] {
    const count = this.#session.scene.bodies.length;
    return [peerView(count), peerView(count)];
  }

  #tick(timeMs: number): void {
    this.#session.tick(timeMs);
    this.#readings.tick();
    for (const pane of PANES) {
      const { state, player } = this.#session.peers[pane];
      if (player.lost.tick === state.tick) this.#labels.sayLost(pane, player.lost.to);
    }
  }

  #frame(nowMs: number, alpha: number): void {
    const seconds = Math.min(0.1, (nowMs - this.#frameAt) / 1000);
    this.#frameAt = nowMs;
    for (const pane of PANES) this.#fillView(pane, alpha);
    for (const pane of PANES) {
      this.#worlds[pane].update(this.#views[pane], seconds, {
        ghosts: this.#settings.ghosts ? this.#views[1 - pane] : null,
        highlight: this.#inspected,
        showOwnHands: false,
      });
    }
    this.#renderer.render(this.#drawn);
    if (nowMs - this.#panelAt >= PANEL_INTERVAL_MS) this.#updatePanel(nowMs);
  }

  #poseCamera(pane: Pane, nowMs: number): void {
    const { camera } = this.#worlds[pane];
    const { width, height } = this.#drawn[pane];
    const player = this.#players[pane];
    player.setLens((camera.fov * Math.PI) / 180, width / height);
    player.beginFrame(nowMs);
    const { position, rotation } = player.camera;
    camera.position.set(position.x, position.y, position.z);
    camera.quaternion.set(rotation.x, rotation.y, rotation.z, rotation.w);
  }

  /** [T5] What a hand of this page holds is drawn where that hand is in this frame. */
  #fillView(pane: Pane, alpha: number): void {
    const slot = pane as number as Slot;
    const bot = this.#session.isBot(slot);
    const hands = bot ? null : this.#scripted.over(slot, this.#players[pane].drawn());
    this.#session.peers[slot].view(alpha, hands, this.#views[pane]);
  }

  #updatePanel(nowMs: number): void {
    this.#panelAt = nowMs;
    this.#panel.update(this.#readings.figures(this.#ticker.rate));
    if (this.#inspected !== NO_BODY) {
      this.#panel.showRecord(this.#inspected, recordsOf(this.#session, this.#inspected));
    }
  }

  #inspect(pane: Pane, x: number, y: number): void {
    this.#inspected = this.#worlds[pane].pick(x, y)?.body ?? NO_BODY;
    if (this.#inspected === NO_BODY) this.#panel.hideRecord();
    else this.#panel.showRecord(this.#inspected, recordsOf(this.#session, this.#inspected));
  }

  #obey(command: DeskCommand): void {
    switch (command) {
      case 'reset':
        this.#session.restart();
        break;
      case 'help':
        this.#change({ ...this.#settings, help: !this.#settings.help });
        break;
      case 'ghosts':
        this.#change({ ...this.#settings, ghosts: !this.#settings.ghosts });
        break;
      case 'panel':
        this.#panel.toggle();
        break;
      case 'dismiss':
        this.#inspected = NO_BODY;
        this.#panel.hideRecord();
        break;
    }
  }

  /** Puts new settings into effect, and into the URL, so that a link shows what one sees. */
  #change(next: Settings): void {
    const before = this.#settings;
    this.#settings = next;
    history.replaceState(null, '', location.pathname + formatSettings(next));
    this.#panel.show(next);
    this.#help.show(next.help);
    const rebuilt =
      next.scene !== before.scene ||
      next.seed !== before.seed ||
      next.count !== before.count ||
      next.bots !== before.bots;
    if (rebuilt) this.#rebuild();
    else this.#session.setNetwork(next);
  }

  #rebuild(): void {
    this.#session.dispose();
    this.#session = this.#createSession();
    this.#readings = new Readings(this.#session);
    this.#views = this.#createViews();
    this.#inspected = NO_BODY;
    this.#panel.hideRecord();
    for (const world of this.#worlds) world.setScene(this.#session.scene);
  }

  #resize(): void {
    const { clientWidth, clientHeight } = this.#canvas;
    this.#router.resize(clientWidth, clientHeight);
    this.#renderer.resize(clientWidth, clientHeight, Math.min(MOST_PIXEL_RATIO, devicePixelRatio));
    this.#labels.place(this.#router.panes);
    for (const pane of PANES) {
      const { x, y, width, height } = this.#router.panes[pane];
      this.#drawn[pane] = { view: this.#worlds[pane], left: x, top: y, width, height };
    }
  }
}
