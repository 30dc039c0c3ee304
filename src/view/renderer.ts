import { NoToneMapping, SRGBColorSpace, WebGLRenderer } from 'three';
import type { Quality } from './quality.ts';
import { detectQuality } from './quality.ts';
import type { WorldView } from './world-view.ts';

/** A rectangle of the canvas, in CSS pixels from its top left corner, and the world that is drawn in it. */
export type PaneView = {
  readonly view: WorldView;
  readonly left: number;
  readonly top: number;
  readonly width: number;
  readonly height: number;
};

/** Draws worlds on one canvas, side by side. */
export type Renderer3d = {
  /** Only for a page: WebXR and the animation loop. */
  readonly webgl: WebGLRenderer;
  /**
   * Sets the canvas's size in CSS pixels. While a headset is worn, the size is applied after the headset's
   * session.
   */
  resize(width: number, height: number, pixelRatio: number): void;
  /** Draws every pane; in a headset only the first one, for both eyes. */
  render(panes: readonly PaneView[]): void;
  dispose(): void;
};

/**
 * Creates the renderer of a canvas.
 * @param quality decides about smooth edges and can't be changed; the views must have the same quality.
 * @throws Error if the browser has no WebGL 2.
 */
export function createRenderer(canvas: HTMLCanvasElement, quality: Quality = detectQuality()): Renderer3d {
  const webgl = new WebGLRenderer({
    canvas,
    antialias: quality === 'full',
    powerPreference: 'high-performance',
  });
  webgl.outputColorSpace = SRGBColorSpace;
  webgl.toneMapping = NoToneMapping;
  let size = { width: 1, height: 1, pixelRatio: 1 };

  function applySize(): void {
    if (webgl.xr.isPresenting) return;
    webgl.setPixelRatio(size.pixelRatio);
    webgl.setSize(size.width, size.height, false);
  }
  // three has restored the size from before the session then.
  webgl.xr.addEventListener('sessionend', applySize);

  function drawPane(pane: PaneView): void {
    const bottom = size.height - pane.top - pane.height;
    webgl.setViewport(pane.left, bottom, pane.width, pane.height);
    webgl.setScissor(pane.left, bottom, pane.width, pane.height);
    const { camera } = pane.view;
    camera.aspect = pane.width / Math.max(1, pane.height);
    camera.updateProjectionMatrix();
    pane.view.draw(webgl);
  }

  /** three gives the camera the headset's field of view; on the screen it must have its own again. */
  function drawHeadset({ view }: PaneView): void {
    const { fov } = view.camera;
    webgl.setScissorTest(false);
    view.draw(webgl);
    view.camera.fov = fov;
  }

  return {
    webgl,
    resize(width, height, pixelRatio) {
      size = { width, height, pixelRatio };
      applySize();
    },
    render(panes) {
      if (webgl.xr.isPresenting) {
        if (panes.length > 0) drawHeadset(panes[0]);
        return;
      }
      webgl.setScissorTest(true);
      for (const pane of panes) drawPane(pane);
    },
    dispose: () => webgl.dispose(),
  };
}
