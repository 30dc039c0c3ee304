import { openLobby } from './lobby/entry.ts';
import { showNotice } from './panel/screens.ts';

/** The one script of the one page: the query string says which door. What a door needs is loaded behind it. */
async function main(): Promise<void> {
  const canvas = document.querySelector<HTMLCanvasElement>('#stage');
  const overlay = document.querySelector<HTMLElement>('#overlay');
  if (canvas === null || overlay === null) throw new Error('index.html lacks its stage or its overlay');
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
