import { loadPhysics } from '../../physics/rapier-simulation.ts';
import { showFailure, showNotice, showReady } from '../panel/screens.ts';
import { FAILURES } from '../room/sentences.ts';
import { parseSettings } from '../settings.ts';
import type { Stage } from '../stage.ts';
import { stageOn } from '../stage.ts';
import { LoopbackPage } from './page.ts';
import { ReplayPage } from './replay-page.ts';

/** The settings in the URL. */
function settingsHere(): ReturnType<typeof parseSettings> {
  const parameters = new URLSearchParams(location.search);
  // Not the page's own: it is for every page.
  parameters.delete('emulate');
  return parseSettings(`?${parameters.toString()}`);
}

/**
 * Opens the loopback page as its URL says.
 * @param onLobby the player in a headset has gone on to the lobby: the page is closed, and the URL is the lobby's.
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
  let stage: Stage;
  try {
    stage = stageOn(canvas);
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
