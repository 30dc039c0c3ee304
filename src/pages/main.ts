import { loadPhysics } from '../physics/rapier-simulation.ts';
import type { Renderer3d } from '../view/renderer.ts';
import { createRenderer } from '../view/renderer.ts';
import { LoopbackPage } from './loopback/page.ts';
import { showFailure, showNotice, showReady } from './panel/screens.ts';
import { parseSettings } from './settings.ts';

/** The one script of the one page: the query string says which door. */
async function main(): Promise<void> {
  const canvas = document.querySelector<HTMLCanvasElement>('#stage');
  const overlay = document.querySelector<HTMLElement>('#overlay');
  if (canvas === null || overlay === null) throw new Error('index.html lacks its stage or its overlay');
  const { settings, complaints } = parseSettings(location.search);
  const renderer = startRenderer(canvas);
  if (renderer === null) return;
  try {
    await loadPhysics();
  } catch {
    showFailure(
      'The physics engine could not be loaded.',
      'It needs WebAssembly: please allow it for this page, or use another browser.',
    );
    return;
  }
  new LoopbackPage(canvas, overlay, renderer, settings);
  showNotice(overlay, complaints);
  showReady();
}

function startRenderer(canvas: HTMLCanvasElement): Renderer3d | null {
  try {
    return createRenderer(canvas);
  } catch {
    showFailure(
      'This browser does not offer 3D graphics (WebGL 2) here.',
      'Please switch on hardware acceleration in its settings, or use another browser.',
    );
    return null;
  }
}

void main();
