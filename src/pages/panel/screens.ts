import { el } from './dom.ts';

/** What index.html shows before, and instead of, the world. */

/** The page is ready: takes the curtain away. */
export function showReady(): void {
  document.body.dataset.state = 'ready';
}

/** [F5] The page can't go on: one sentence that says what happened, and one that says what to do. */
export function showFailure({ title, text }: { readonly title: string; readonly text: string }): void {
  document.body.dataset.state = 'failed';
  const place = document.getElementById('failure');
  place?.replaceChildren(el('strong', {}, title), ' ', text);
}

/** Says a few sentences over the world until the player closes them: settings that made no sense. */
export function showNotice(container: HTMLElement, sentences: readonly string[]): void {
  if (sentences.length === 0) return;
  const close = el('button', { type: 'button', class: 'quiet', 'aria-label': 'Close the notice' }, '✕');
  const lines = sentences.map((sentence) => el('p', {}, sentence));
  const notice = el('div', { class: 'card notice', role: 'status' }, el('div', {}, ...lines), close);
  close.addEventListener('click', () => notice.remove());
  container.append(notice);
}
