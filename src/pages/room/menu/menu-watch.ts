import { el, setText } from '../../panel/dom.ts';
import { copyButton } from '../screen/invite.ts';
import type { Part } from './menu-parts.ts';
import { section } from './menu-parts.ts';

/** [N5] The link by which people watch the room without playing; shown in rooms of a server that lets them. */
export function createWatchLink(): Part {
  const link = el('input', { type: 'text', readonly: true, 'aria-label': 'Link to watch this room' });
  link.addEventListener('focus', () => link.select());
  const count = el('p', { class: 'aside', role: 'status' });
  const words = el(
    'div',
    { class: 'words' },
    link,
    el('div', { class: 'actions' }, copyButton(link, 'Copy watch link')),
  );
  const element = section('Let others watch', words, count);
  return {
    element,
    show({ watching, locked }) {
      element.hidden = watching === null || locked;
      if (watching === null) return;
      if (link.value !== watching.link) link.value = watching.link;
      setText(count, watchingSentence(watching.count));
    },
  };
}

/** @returns what players read about those that watch. */
export function watchingSentence(count: number): string {
  const always = 'With this link people can see the room, but can’t touch anything.';
  if (count === 0) return always;
  return `${always} ${count} ${count === 1 ? 'person watches' : 'people watch'} now.`;
}
