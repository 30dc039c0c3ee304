import { loadPhysics } from '../../physics/rapier-simulation.ts';
import { showFailure, showNotice, showReady } from '../panel/screens.ts';
import { FAILURES } from '../room/sentences.ts';
import { parseSettings } from '../settings.ts';
import type { PageCanvas } from '../page-canvas.ts';
import { pageCanvasOn } from '../page-canvas.ts';
import { LoopbackPage } from './page.ts';
import { ReplayPage } from './replay-page.ts';

/** Reads the settings in the URL. */
function settingsHere(): ReturnType<typeof parseSettings> {
  const parameters = new URLSearchParams(location.search);
  // This parameter belongs to every page, not to this one.
  parameters.delete('emulate');
  return parseSettings(`?${parameters.toString()}`);
}

/**
 * Opens the loopback page with the settings in the URL.
 * @param onLobby called when the player in a headset goes to the lobby. The page is closed then, and the URL
 * is the lobby's.
 */
export async function openLoopback(
  canvas: HTMLCanvasElement,
  overlay: HTMLElement,
  onLobby: () => void,
): Promise<void> {
  const { complaints } = settingsHere();
  const label = canvas.getAttribute('aria-label') ?? '';
  canvas.setAttribute(
    'aria-label',
    'The same cubes twice: the host’s world, and the guest’s. The pointer acts in the one it is over.',
  );
  let pageCanvas: PageCanvas;
  try {
    pageCanvas = pageCanvasOn(canvas);
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
  const openWorlds = (): void => {
    new LoopbackPage(pageCanvas, overlay, settingsHere().settings, {
      onLobby: () => {
        history.pushState(null, '', location.pathname);
        canvas.setAttribute('aria-label', label);
        onLobby();
      },
      onRecording: (recording) => void new ReplayPage(pageCanvas, overlay, recording, openWorlds),
    });
  };
  openWorlds();
  showNotice(overlay, complaints);
  showReady();
}
