import { posix, relative } from 'node:path';
import type { MarkdownOptions } from 'vitepress';
import { placeOf } from './pages.ts';

type Markdown = Parameters<NonNullable<MarkdownOptions['config']>>[0];

/**
 * Leads a link between files of the repository to the page in the site. A link to a file that is no page of the site
 * becomes plain text.
 * @param root the repository's folder.
 */
export function followRepositoryLinks(markdown: Markdown, root: string): void {
  markdown.core.ruler.push('repository-links', ({ tokens, env }) => {
    // `relativePath` is the path in the site.
    // The search index gives the file as `path`.
    const { realPath, path } = env as { readonly realPath?: string; readonly path: string };
    const from = relative(root, realPath ?? path).replaceAll('\\', '/');
    for (const { children } of tokens) {
      let isDropped = false;
      for (const token of children ?? []) {
        if (token.type === 'link_open') {
          const href = siteHref(token.attrGet('href') ?? '', from);
          isDropped = href === null;
          if (href !== null) token.attrSet('href', href);
        }
        if (isDropped && (token.type === 'link_open' || token.type === 'link_close')) token.hidden = true;
        if (token.hidden) Object.assign(token, { type: 'text', content: '', tag: '', nesting: 0 });
        if (token.type === 'link_close') isDropped = false;
      }
    }
  });
}

/** @returns the address to write; null if the site has no such page. */
function siteHref(href: string, from: string): string | null {
  if (/^(?:[a-z]+:|#|\/)/i.test(href)) return href;
  const [path = '', anchor] = href.split('#');
  const place = placeOf(posix.join(posix.dirname(from), path));
  if (place === null) return null;
  return `/${place}${anchor === undefined ? '' : `#${anchor}`}`;
}
