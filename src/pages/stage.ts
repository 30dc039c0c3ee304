import { HeadsetDisplay } from '../view/headset/display.ts';
import type { Renderer3d } from '../view/renderer.ts';
import { createRenderer } from '../view/renderer.ts';
import type { Frames } from './ticker.ts';

/** Device pixels per CSS pixel that are drawn at the most: more costs, and can't be seen. */
const MOST_PIXEL_RATIO = 2;

/**
 * What a page draws on: one canvas, one renderer, one way into a headset. It is lent to one door at a time, so
 * that a player in a headset goes from the lobby to a room and back without leaving it.
 */
export class Stage implements Frames {
  readonly canvas: HTMLCanvasElement;
  readonly renderer: Renderer3d;
  readonly display: HeadsetDisplay;
  #onFrame: ((nowMs: number, xr?: XRFrame) => void) | null = null;

  /** @throws Error if the browser has no WebGL 2. */
  constructor(canvas: HTMLCanvasElement) {
    this.canvas = canvas;
    this.renderer = createRenderer(canvas);
    this.display = new HeadsetDisplay(this.renderer);
    // Once and for all: set anew while a headset is worn, three would draw the window's frames beside its own.
    this.renderer.webgl.setAnimationLoop((nowMs, xr) => this.#onFrame?.(nowMs, xr));
  }

  /** Draws as large as the canvas is shown by now. */
  resize(): void {
    const { clientWidth, clientHeight } = this.canvas;
    this.renderer.resize(clientWidth, clientHeight, Math.min(MOST_PIXEL_RATIO, devicePixelRatio));
  }

  /** Who has the stage draws from now on; with null, nobody does until somebody else has it. */
  setAnimationLoop(onFrame: ((nowMs: number, xr?: XRFrame) => void) | null): void {
    this.#onFrame = onFrame;
  }
}

let stage: Stage | null = null;

/**
 * The page's stage: made when it is first needed, and kept for as long as the page lives.
 * @throws Error if the browser has no WebGL 2.
 */
export function stageOn(canvas: HTMLCanvasElement): Stage {
  stage ??= new Stage(canvas);
  return stage;
}

/** The page's stage, if there is one already. */
export function presentStage(): Stage | null {
  return stage;
}
