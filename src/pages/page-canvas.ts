import { loadPhysics } from '../physics/rapier-simulation.ts';
import { HeadsetDisplay } from '../view/headset/display.ts';
import type { Renderer3d } from '../view/renderer.ts';
import { createRenderer } from '../view/renderer.ts';
import { missingPart } from './room/sentences.ts';
import type { Frames } from '../room/ticker.ts';

/** Most device pixels per CSS pixel: more costs time, and nobody sees the difference. */
const MOST_PIXEL_RATIO = 2;

/**
 * The page's canvas, its renderer and its headset display. There is one of each per page, and the lobby, the
 * rooms and the loopback page take turns with them. So a player in a headset goes from the lobby to a room
 * and back without leaving the headset.
 */
export class PageCanvas implements Frames<XRFrame> {
  readonly canvas: HTMLCanvasElement;
  readonly renderer: Renderer3d;
  readonly display: HeadsetDisplay;
  #onFrame: ((nowMs: number, xr?: XRFrame) => void) | null = null;

  /** @throws Error if the browser has no WebGL 2. */
  constructor(canvas: HTMLCanvasElement) {
    this.canvas = canvas;
    this.renderer = createRenderer(canvas);
    this.display = new HeadsetDisplay(this.renderer);
    // Set only once: if it is set again while a headset is worn, three also draws the window's frames.
    this.renderer.webgl.setAnimationLoop((nowMs, xr) => this.#onFrame?.(nowMs, xr));
  }

  /** Adapts the picture's size to the present size of the canvas. */
  resize(): void {
    const { clientWidth, clientHeight } = this.canvas;
    this.renderer.resize(clientWidth, clientHeight, Math.min(MOST_PIXEL_RATIO, devicePixelRatio));
  }

  /**
   * The given function draws all frames from now on, in place of the last one. With null, nothing is drawn
   * until the next call.
   */
  setAnimationLoop(onFrame: ((nowMs: number, xr?: XRFrame) => void) | null): void {
    this.#onFrame = onFrame;
  }
}

/** The reasons why a browser can't show a world. */
export type StageFailure = 'no graphics' | EngineFailure;

/** The reasons why the engine did not load: this browser can't run it, or it could not be fetched. */
type EngineFailure = 'no engine' | ReturnType<typeof missingPart>;

/** @param error by which loading the engine has failed: browsers give a TypeError for what could not be fetched. */
export function engineFailure(error: unknown): EngineFailure {
  return error instanceof TypeError ? missingPart() : 'no engine';
}

let pageCanvas: PageCanvas | null = null;

/**
 * Returns the page's canvas. It is created at the first call and lives as long as the page.
 * @throws Error if the browser has no WebGL 2.
 */
export function pageCanvasOn(canvas: HTMLCanvasElement): PageCanvas {
  pageCanvas ??= new PageCanvas(canvas);
  return pageCanvas;
}

/**
 * Prepares the browser for a world: creates the page's canvas, and loads the engine.
 * @returns the canvas, or the reason why this browser can't show a world.
 */
export async function openStage(canvas: HTMLCanvasElement): Promise<PageCanvas | StageFailure> {
  let stage: PageCanvas;
  try {
    stage = pageCanvasOn(canvas);
  } catch {
    return 'no graphics';
  }
  return loadPhysics().then(() => stage, engineFailure);
}

/** Returns the page's canvas, or null if `pageCanvasOn` has not created it yet. */
export function existingPageCanvas(): PageCanvas | null {
  return pageCanvas;
}
