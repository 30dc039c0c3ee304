import { el } from './dom.ts';

/** The curtain, the failure and the notices of index.html. */

/** Removes the curtain: the page is ready. */
export function showReady(): void {
  document.body.dataset.state = 'ready';
}

/** [F5] The page can't go on: `title` says what happened, `text` says what to do. */
export function showFailure({ title, text }: { readonly title: string; readonly text: string }): void {
  document.body.dataset.state = 'failed';
  const place = document.getElementById('failure');
  place?.replaceChildren(el('strong', {}, title), ' ', text);
}

/** Shows sentences over the world until the player closes them, for example about invalid settings. */
export function showNotice(container: HTMLElement, sentences: readonly string[]): void {
  if (sentences.length === 0) return;
  const close = el('button', { type: 'button', class: 'quiet', 'aria-label': 'Close the notice' }, '✕');
  const lines = sentences.map((sentence) => el('p', {}, sentence));
  // An alert is read out also if it comes with its text.
  const notice = el('div', { class: 'card notice', role: 'alert' }, el('div', {}, ...lines), close);
  close.addEventListener('click', () => notice.remove());
  container.append(notice);
}
