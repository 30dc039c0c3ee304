import { showFailure, showNotice, showReady } from '../panel/screens.ts';
import { FAILURES } from '../room/sentences.ts';
import { parseSettings } from '../settings.ts';
import { openStage } from '../page-canvas.ts';
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
  const stage = await openStage(canvas);
  if (typeof stage === 'string') {
    showFailure(FAILURES[stage]);
    return;
  }
  const openWorlds = (): void => {
    new LoopbackPage(stage, overlay, settingsHere().settings, {
      onLobby: () => {
        history.pushState(null, '', location.pathname);
        canvas.setAttribute('aria-label', label);
        onLobby();
      },
      onRecording: (recording) => void new ReplayPage(stage, overlay, recording, openWorlds),
    });
  };
  openWorlds();
  showNotice(overlay, complaints);
  showReady();
}
