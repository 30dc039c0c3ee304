import type { MarkdownOptions } from 'vitepress';

type Markdown = Parameters<NonNullable<MarkdownOptions['config']>>[0];

/** Pages of the sandbox that a document shows, by the name in its comment: `<!-- show loopback -->`. */
const PANES: Readonly<Record<string, { readonly view: string; readonly title: string }>> = {
  loopback: { view: 'loopback', title: 'Try it here: both sides of the network' },
  lab: { view: 'lab', title: 'Try it here: network models side by side' },
};

/**
 * In place of a comment a page of the sandbox shows, once a reader asks for it: it costs a physics engine and a second
 * or two. Where documents are read without the site, such as in the repository, the comment does not show.
 */
export function showPanes(markdown: Markdown): void {
  const { html_block: others } = markdown.renderer.rules;
  markdown.renderer.rules.html_block = (...given) => {
    const [tokens, index] = given;
    const name = /^<!-- show (\w+) -->\s*$/.exec(tokens[index]?.content ?? '')?.[1];
    if (name === undefined) return others?.(...given) ?? '';
    const pane = PANES[name];
    if (pane === undefined) throw new Error(`the site has no pane “${name}”`);
    return `<Pane view="${pane.view}" title="${pane.title}" />\n`;
  };
}
