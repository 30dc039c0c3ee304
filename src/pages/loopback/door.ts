import { loadPhysics } from '../../physics/rapier-simulation.ts';
import { createRenderer } from '../../view/renderer.ts';
import { showFailure, showNotice, showReady } from '../panel/screens.ts';
import { FAILURES } from '../room/sentences.ts';
import { parseSettings } from '../settings.ts';
import { LoopbackPage } from './page.ts';

/** Opens the loopback page as its URL says. */
export async function openLoopback(canvas: HTMLCanvasElement, overlay: HTMLElement): Promise<void> {
  const { settings, complaints } = parseSettings(location.search);
  canvas.setAttribute(
    'aria-label',
    'The same cubes twice: the host’s world, and the guest’s. The pointer acts in the one it is over.',
  );
  let renderer;
  try {
    renderer = createRenderer(canvas);
  } catch {
    showFailure(FAILURES['no graphics']);
    return;
  }
  try {
    await loadPhysics();
  } catch {
    showFailure(FAILURES['no engine']);
    return;
  }
  new LoopbackPage(canvas, overlay, renderer, settings);
  showNotice(overlay, complaints);
  showReady();
}
