import { TICK_RATE } from '../../core/base/constants.ts';
import type { Slot } from '../../core/base/ids.ts';
import { NO_BODY, NO_SLOT } from '../../core/base/ids.ts';
import { POSE_STRIDE } from '../../core/base/state.ts';
import type { PeerView } from '../../core/peer/shown/peer-view.ts';
import { peerView } from '../../core/peer/shown/peer-view.ts';
import type { LabModel } from '../../lab/lab-model.ts';
import { modelOf } from '../../lab/models.ts';
import { blendPose } from '../../lab/game/poses.ts';
import type { LabEngines, LabRun } from '../../lab/run.ts';
import { VIEWER } from '../../lab/run.ts';
import { createLabScene } from '../../lab/game/scenes.ts';
import { createLabRun } from '../../lab/sweep/sweep.ts';
import type { PaneView } from '../../view/renderer.ts';
import { WorldView } from '../../view/world-view.ts';
import { el } from '../panel/dom.ts';
import type { PageCanvas } from '../page-canvas.ts';
import { Ticker } from '../../room/ticker.ts';
import { LAB_FIELD_OF_VIEW, labCamera, LabHands } from './lab-hands.ts';
import { LabPanel } from './lab-panel.ts';
import type { LabSettings } from './lab-settings.ts';
import { formatLabSettings, labConditions } from './lab-settings.ts';
import { labPanes, paneAt } from './panes.ts';
import type { PaneRectangle } from './panes.ts';
import { FigureTable, PaneReadout } from './readouts.ts';
import { SweepPanel } from './sweep-panel.ts';

/** Milliseconds between two updates of the figures. */
const FIGURES_INTERVAL_MS = 250;

/** One model on the page: its run, its picture and its figures. */
type ShownModel = {
  readonly run: LabRun;
  readonly world: WorldView;
  readonly drawn: PeerView;
  readonly truth: PeerView;
  readonly readout: PaneReadout;
};

/** The lab's page: up to four models of the same game, and the figures of each. */
export class LabPage {
  readonly #pageCanvas: PageCanvas;
  readonly #engines: LabEngines;
  readonly #panes = el('div', { class: 'lab-panes' });
  readonly #table = new FigureTable();
  readonly #panel: LabPanel;
  readonly #sweep: SweepPanel;
  #settings: LabSettings;
  #hands: LabHands;
  #models: readonly ShownModel[] = [];
  #rectangles: readonly PaneRectangle[] = [];
  #drawn: PaneView[] = [];
  #ticks = 0;
  #frameAt = 0;
  #figuresAt = 0;

  constructor(pageCanvas: PageCanvas, overlay: HTMLElement, settings: LabSettings, engines: LabEngines) {
    this.#pageCanvas = pageCanvas;
    this.#engines = engines;
    this.#settings = settings;
    this.#hands = this.#createHands();
    this.#sweep = new SweepPanel(settings, (part) => this.#change({ ...this.#settings, ...part }));
    this.#panel = new LabPanel(settings, this.#table.element, this.#sweep.element, {
      onChange: (next) => this.#change(next),
      onRestart: () => this.#rebuild(),
      onStall: () => this.#models.forEach(({ run }) => run.stall(0, TICK_RATE)),
    });
    overlay.append(this.#panes, this.#panel.element);
    document.body.classList.add('lab');
    this.#listen(pageCanvas.canvas);
    this.#rebuild();
    new Ticker(pageCanvas, {
      begin: () => undefined,
      tick: () => this.#tick(),
      frame: (nowMs, alpha) => this.#frame(nowMs, alpha),
    });
  }

  #createHands(): LabHands {
    const { scene, seed, players, hands } = this.#settings;
    return new LabHands(createLabScene(scene, seed, players), seed, hands === 'own');
  }

  /** Restarts every model, so that all figures belong to the present settings. */
  #rebuild(): void {
    for (const { run, world } of this.#models) {
      run.dispose();
      world.dispose();
    }
    const what = { ...this.#settings, engines: this.#engines, clock: () => performance.now() };
    const models = this.#settings.models
      .map(modelOf)
      .filter((model): model is LabModel => model !== undefined);
    this.#models = models.map((model) => {
      const run = createLabRun(model, what, labConditions(this.#settings));
      const { level } = run.scene;
      const world = new WorldView(level);
      world.camera.fov = LAB_FIELD_OF_VIEW;
      const count = level.bodies.length;
      return { run, world, drawn: peerView(count), truth: peerView(count), readout: new PaneReadout(model) };
    });
    this.#hands = this.#createHands();
    this.#ticks = 0;
    this.#table.show(models);
    this.#panes.replaceChildren(...this.#models.map(({ readout }) => readout.element));
    this.#resize();
  }

  #tick(): void {
    const hands = this.#hands.next(++this.#ticks);
    for (const { run } of this.#models) run.step(hands);
  }

  #frame(nowMs: number, alpha: number): void {
    const seconds = Math.min(0.1, (nowMs - this.#frameAt) / 1000);
    this.#frameAt = nowMs;
    for (const { run, world, drawn, truth } of this.#models) {
      fill(run, run.drawnBefore, run.drawn, alpha, drawn);
      fill(run, run.truthBefore, run.truth, alpha, truth);
      const ghosts = this.#settings.ghosts ? truth : null;
      world.update(drawn, seconds, { ghosts, highlight: NO_BODY, showOwnHands: false });
    }
    this.#pageCanvas.renderer.render(this.#drawn);
    if (nowMs - this.#figuresAt < FIGURES_INTERVAL_MS) return;
    this.#figuresAt = nowMs;
    const figures = this.#models.map(({ run }) => run.figures());
    this.#table.update(figures);
    this.#models.forEach(({ run, readout }, i) => {
      readout.update(figures[i], run.takeRecentFigures(), run.game.peers[VIEWER].report.word);
    });
    const { line } = this.#settings;
    const top = Math.max(...this.#models.map(({ readout }) => readout.largest(line)));
    for (const { readout } of this.#models) readout.draw(line, top);
  }

  /** Applies new settings and writes them into the URL, so that a link shows the same page. */
  #change(next: LabSettings): void {
    const before = this.#settings;
    this.#settings = next;
    history.replaceState(null, '', location.pathname + formatLabSettings(next));
    this.#panel.show(next);
    this.#sweep.show(next);
    // These settings change only the picture: the models go on.
    const { ghosts, line, axis, figure, seeds } = next;
    const looked = { ghosts, line, axis, figure, seeds };
    if (formatLabSettings({ ...before, ...looked }) !== formatLabSettings(next)) this.#rebuild();
  }

  #listen(canvas: HTMLCanvasElement): void {
    window.addEventListener('resize', () => this.#resize());
    window.addEventListener('blur', () => this.#hands.releaseKeys());
    const point = ({ offsetX, offsetY }: PointerEvent): void => {
      const pane = paneAt(this.#rectangles, offsetX, offsetY);
      if (pane !== undefined && this.#hands.isOwn) this.#hands.point(pane, offsetX, offsetY);
    };
    canvas.addEventListener('pointermove', point);
    canvas.addEventListener('pointerdown', (event) => {
      canvas.focus({ preventScroll: true });
      if (!this.#hands.isOwn) this.#change({ ...this.#settings, hands: 'own' });
      point(event);
    });
    canvas.addEventListener(
      'wheel',
      (event) => {
        this.#hands.lift(Math.sign(event.deltaY));
        event.preventDefault();
      },
      { passive: false },
    );
    canvas.addEventListener('keydown', (event) => {
      if (event.ctrlKey || event.altKey || event.metaKey || !this.#hands.key(event.code, true)) return;
      event.preventDefault();
      if (this.#hands.isOwn) return;
      this.#change({ ...this.#settings, hands: 'own' });
      this.#hands.key(event.code, true);
    });
    window.addEventListener('keyup', (event) => this.#hands.key(event.code, false));
  }

  #resize(): void {
    this.#pageCanvas.resize();
    const { clientWidth, clientHeight } = this.#pageCanvas.canvas;
    this.#rectangles = labPanes(this.#models.length, clientWidth, clientHeight);
    this.#drawn = this.#models.map(({ world, readout }, i) => {
      const rectangle = this.#rectangles[i];
      readout.place(rectangle);
      const { position, rotation } = labCamera(rectangle);
      world.camera.position.set(position.x, position.y, position.z);
      world.camera.quaternion.set(rotation.x, rotation.y, rotation.z, rotation.w);
      return { view: world, ...rectangle };
    });
  }
}

/**
 * Writes the poses between the last two ticks into `out`. A body has the colour of its player, or of the
 * player that simulates it.
 */
function fill(run: LabRun, before: Float32Array, after: Float32Array, alpha: number, out: PeerView): void {
  out.self = VIEWER as Slot;
  for (let body = 0, at = 0; at < after.length; body++, at += POSE_STRIDE) {
    blendPose(before, at, after, at, alpha, out.poses, at);
    const simulator = run.game.simulator?.(body) ?? NO_SLOT;
    out.authority[body] = body < run.scene.homes.length ? body : simulator;
  }
}
