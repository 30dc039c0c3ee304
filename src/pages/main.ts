import { openLobby } from './lobby/entry.ts';
import { showNotice } from './panel/screens.ts';

/**
 * The only script of the only page. The query string decides which entry is loaded; its code is fetched only
 * then.
 */
async function main(): Promise<void> {
  const canvas = document.querySelector<HTMLCanvasElement>('#stage');
  const overlay = document.querySelector<HTMLElement>('#overlay');
  if (canvas === null || overlay === null) throw new Error('index.html lacks its canvas or its overlay');
  const parameters = new URLSearchParams(location.search);
  const emulated = parameters.get('emulate');
  if (emulated !== null) {
    const { emulateHeadset } = await import('./headset/emulate.ts');
    showNotice(
      overlay,
      [emulateHeadset(emulated)].filter((sentence) => sentence !== null),
    );
  }
  const view = parameters.get('view');
  if (view === 'loopback') {
    const { openLoopback } = await import('./loopback/entry.ts');
    await openLoopback(canvas, overlay, () => openLobby(canvas, overlay));
  } else if (view === 'lab') {
    const { openLab } = await import('./lab/entry.ts');
    await openLab(canvas, overlay);
  } else openLobby(canvas, overlay);
}

void main();
