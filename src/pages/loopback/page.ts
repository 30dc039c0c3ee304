import type { BodyId, Slot } from '../../core/base/ids.ts';
import { NO_BODY, NO_SLOT } from '../../core/base/ids.ts';
import type { PeerView } from '../../core/peer/shown/peer-view.ts';
import { peerView } from '../../core/peer/shown/peer-view.ts';
import type { Recording } from '../../core/peer/recording/recording.ts';
import { readRecording } from '../../core/peer/recording/recording.ts';
import { listenToDesk } from '../../input/desk-listeners.ts';
import { DeskPlayer } from '../../input/desk-player.ts';
import type { DeskCommand } from '../../input/desk-router.ts';
import { DeskRouter } from '../../input/desk-router.ts';
import type { Pane } from '../../input/panes.ts';
import { GUEST_PANE, HOST_PANE } from '../../input/panes.ts';
import { ScriptedHands } from '../../input/scripted-hand.ts';
import type { HeadsetMode } from '../../view/headset/display.ts';
import { offeredModes } from '../../view/headset/display.ts';
import type { PaneView as DrawnPane } from '../../view/renderer.ts';
import { WorldView } from '../../view/world-view.ts';
import { createEnterButtons } from '../headset/enter-buttons.ts';
import { SlotHands } from '../headset/slot-hands.ts';
import { el } from '../panel/dom.ts';
import { createHelp } from './panel/help.ts';
import { createLabels } from './panel/labels.ts';
import type { Panel } from './panel/panel.ts';
import { createPanel } from './panel/panel.ts';
import { showNotice } from '../panel/screens.ts';
import type { Settings } from '../settings.ts';
import { FILE_FAULTS, openFile } from '../files.ts';
import { offerHandle } from '../handle.ts';
import { formatSettings } from '../settings.ts';
import type { PageCanvas } from '../page-canvas.ts';
import { Ticker } from '../../room/ticker.ts';
import { Readings, recordsOf } from './readings.ts';
import { GUEST, HOST, LoopbackSession } from './session.ts';
import { START_PLACES } from './start-places.ts';
import { Visitor } from './visitor.ts';
import { gameLevels } from '../../levels/levels.ts';
import { capacityOf } from '../../core/world/existence.ts';

/** Milliseconds between two updates of the panel. */
const PANEL_INTERVAL_MS = 100;
const PANES: readonly Pane[] = [HOST_PANE, GUEST_PANE];
/** The peer that each pane shows. */
const SLOTS = [HOST, GUEST] as const;
const NO_OWN_HANDS = { showOwnHands: false };
const ROLES = ['The host', 'The guest'] as const;

/** Called when another page replaces this one; this page has closed itself before. */
export type LoopbackPageHandlers = {
  /** The player in the headset goes to the lobby. */
  onLobby(): void;
  /** The player has opened a recording. */
  onRecording(recording: Recording): void;
};

/**
 * The loopback page shows two worlds side by side. The player plays both at the desk, or one of them in a
 * headset.
 */
export class LoopbackPage {
  readonly #pageCanvas: PageCanvas;
  readonly #players = [new DeskPlayer(START_PLACES[0]), new DeskPlayer(START_PLACES[1])] as const;
  readonly #scripted = new ScriptedHands(2);
  readonly #hands = [new SlotHands(), new SlotHands()] as const;
  readonly #router: DeskRouter;
  readonly #panel: Panel;
  readonly #help: ReturnType<typeof createHelp>;
  readonly #labels: ReturnType<typeof createLabels>;
  readonly #worlds: readonly [WorldView, WorldView];
  readonly #visitor: Visitor;
  readonly #drawn: DrawnPane[];
  readonly #ticker: Ticker<XRFrame>;
  /** Aborted when the page closes. */
  readonly #open = new AbortController();
  #settings: Settings;
  #session: LoopbackSession;
  #readings: Readings;
  #views: readonly [PeerView, PeerView];
  #inspected: BodyId = NO_BODY;
  #frameAt = 0;
  #panelAt = 0;

  /** @param handlers called after this page has closed itself. */
  constructor(
    pageCanvas: PageCanvas,
    overlay: HTMLElement,
    settings: Settings,
    handlers: LoopbackPageHandlers,
  ) {
    this.#pageCanvas = pageCanvas;
    // One element for the whole page, so that it can be removed at once.
    const container = el('div', { style: 'display: contents' });
    overlay.append(container);
    this.#settings = settings;
    this.#session = this.#createSession();
    this.#readings = new Readings(this.#session);
    this.#views = this.#createViews();
    this.#worlds = [new WorldView(this.#session.level), new WorldView(this.#session.level)];
    this.#visitor = new Visitor(pageCanvas.display, this.#worlds, {
      onReset: () => this.#session.reset(),
      onLobby: () => {
        this.#close();
        handlers.onLobby();
      },
    });
    this.#drawn = this.#worlds.map((view) => ({ view, left: 0, top: 0, width: 1, height: 1 }));
    this.#labels = createLabels(container, (pane) => this.#router.activate(pane));
    this.#help = createHelp(container, () => this.#change({ ...this.#settings, help: false }));
    const { signal } = this.#open;
    this.#panel = createPanel(container, settings, {
      onChange: (next) => this.#change(next),
      onReset: () => this.#session.reset(),
      onRecording: () => openFile('recording', (bytes) => this.#replay(bytes, container, handlers)),
      onRecordClosed: () => (this.#inspected = NO_BODY),
      signal,
    });
    this.#router = new DeskRouter(this.#players, {
      onCommand: (command) => this.#perform(command),
      onInspect: (pane, x, y) => this.#inspect(pane, x, y),
      onActive: (pane) => this.#labels.setActive(pane),
    });
    signal.addEventListener('abort', () => container.remove());
    signal.addEventListener('abort', listenToDesk(pageCanvas.canvas, this.#router));
    const enterButtons = createEnterButtons(container, offeredModes(), (mode) => this.#enter(mode));
    enterButtons.classList.add('at-top');
    offerHandle({
      peers: () => this.#session.peers,
      viewOf: (slot) => this.#views[slot as Pane],
      hands: this.#scripted,
      reset: () => this.#session.reset(),
    });
    this.#help.show(settings.help);
    this.#resize();
    window.addEventListener('resize', () => this.#resize(), { signal });
    this.#ticker = new Ticker(pageCanvas, {
      begin: (nowMs, xr) => {
        if (this.#visitor.begin(nowMs, xr, this.#session.peers)) return;
        for (const pane of PANES) this.#poseCamera(pane, nowMs);
      },
      tick: (timeMs) => this.#tick(timeMs),
      frame: (nowMs, alpha) => this.#frame(nowMs, alpha),
    });
  }

  #replay(bytes: Uint8Array, container: HTMLElement, handlers: LoopbackPageHandlers): void {
    const recording = readRecording(bytes, gameLevels);
    if (typeof recording === 'string') {
      showNotice(container, [FILE_FAULTS.recording[recording]]);
      return;
    }
    this.#close();
    handlers.onRecording(recording);
  }

  #createSession(): LoopbackSession {
    return new LoopbackSession(this.#settings, (slot, timeMs) => {
      const pane = slot as number as Pane;
      const source = this.#visitor.at(pane, this.#players[pane]);
      return this.#scripted.over(slot, this.#hands[pane].sample(source, timeMs));
    });
  }

  async #enter(mode: HeadsetMode): Promise<boolean> {
    // The player is not at the desk now.
    this.#router.blur();
    return this.#pageCanvas.display.enter(mode);
  }

  #createViews(): [PeerView, PeerView] {
    const count = capacityOf(this.#session.level);
    return [peerView(count), peerView(count)];
  }

  #tick(timeMs: number): void {
    const { pane: visited, headset } = this.#visitor;
    this.#session.visit(visited === null ? null : SLOTS[visited]);
    this.#session.tick(timeMs);
    this.#readings.tick();
    for (const pane of PANES) {
      const peer = this.#session.peers[pane];
      const { tick, to } = peer.diagnostics.lost;
      const isLost = tick === peer.diagnostics.tick;
      // [J3.4] A hand that pulled too hard lost its body to nobody.
      const isTaken = isLost && to !== NO_SLOT;
      if (isTaken) this.#labels.showLost(pane, to);
      if (isTaken && pane === visited) headset.showLost(peer, `${ROLES[1 - pane]} has this cube now.`);
      if (pane === visited) headset.tick(peer);
    }
  }

  #frame(nowMs: number, alpha: number): void {
    const seconds = Math.min(0.1, (nowMs - this.#frameAt) / 1000);
    this.#frameAt = nowMs;
    for (const pane of PANES) this.#fillView(pane, alpha);
    const { pane: visited, headset } = this.#visitor;
    // In a headset only one world is drawn.
    const shown = visited === null ? PANES : [visited];
    if (visited !== null) headset.place();
    for (const pane of shown) {
      this.#worlds[pane].update(this.#views[pane], seconds, {
        ghosts: this.#settings.ghosts ? this.#views[1 - pane] : null,
        highlight: this.#inspected,
        ...(visited === null ? NO_OWN_HANDS : headset.options),
      });
    }
    if (visited !== null) this.#visitor.update(this.#views[visited], seconds);
    this.#pageCanvas.renderer.render(shown.map((pane) => this.#drawn[pane]));
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

  /** [T5] A body in a hand of this page is drawn where that hand is in this frame. */
  #fillView(pane: Pane, alpha: number): void {
    const slot = pane as number as Slot;
    const bot = this.#session.isBot(slot);
    const { pane: visited, player: visitor } = this.#visitor;
    const player = visited === null ? this.#players[pane] : pane === visited ? visitor : null;
    const hands = bot || player === null ? null : this.#scripted.over(slot, player.drawn());
    this.#session.peers[slot].view(alpha, hands, this.#views[pane]);
    this.#players[pane].see(this.#views[pane]);
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

  #perform(command: DeskCommand): void {
    switch (command) {
      case 'reset':
        this.#session.reset();
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

  /** Applies new settings and writes them into the URL, so that a link shows the same page. */
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
    for (const world of this.#worlds) world.setScene(this.#session.level);
  }

  /** Frees the worlds; another page may use the canvas then. */
  #close(): void {
    this.#ticker.stop();
    this.#open.abort();
    this.#visitor.takeOff();
    for (const world of this.#worlds) world.dispose();
    this.#session.dispose();
    delete window.handover;
  }

  #resize(): void {
    const { canvas } = this.#pageCanvas;
    this.#router.resize(canvas.clientWidth, canvas.clientHeight);
    this.#pageCanvas.resize();
    this.#labels.place(this.#router.panes);
    for (const pane of PANES) {
      const { x, y, width, height } = this.#router.panes[pane];
      this.#drawn[pane] = { view: this.#worlds[pane], left: x, top: y, width, height };
    }
  }
}
