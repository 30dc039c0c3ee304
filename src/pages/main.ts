import { openLobby } from './lobby/door.ts';

/** The one script of the one page: the query string says which door. What a door needs is loaded behind it. */
async function main(): Promise<void> {
  const canvas = document.querySelector<HTMLCanvasElement>('#stage');
  const overlay = document.querySelector<HTMLElement>('#overlay');
  if (canvas === null || overlay === null) throw new Error('index.html lacks its stage or its overlay');
  const view = new URLSearchParams(location.search).get('view');
  if (view === 'loopback') {
    const { openLoopback } = await import('./loopback/door.ts');
    await openLoopback(canvas, overlay);
  } else openLobby(canvas, overlay);
}

void main();
