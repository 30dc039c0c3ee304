import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { Plugin } from 'vite';
import { defineConfig } from 'vitepress';
import { showPanes } from './panes.ts';
import { placeOf } from './pages.ts';
import { followRepositoryLinks } from './repository-links.ts';
import { NAVIGATION, SIDEBAR } from './navigation.ts';

/** The sandbox's own: two cubes. */
const ICON = iconOf(readFileSync(new URL('../../../index.html', import.meta.url), 'utf8'));
const root = fileURLToPath(new URL('../../..', import.meta.url));
/** Documents outside of this folder are compiled to Vue; what renders them on the build machine finds Vue here. */
const ownVue: Plugin = {
  name: 'own-vue',
  enforce: 'pre',
  resolveId: (source, _importer, { ssr }) =>
    ssr === true && /^vue(?:\/|$)/.test(source) ? { id: source, external: true } : null,
};

export default defineConfig({
  title: 'Handover',
  description: 'Networked physics for the open web: what you touch has no lag.',
  lang: 'en',
  head: [['link', { rel: 'icon', href: ICON }]],
  // The sandbox is in the folder above, so that pages can show it.
  base: process.env.DOCS_BASE ?? '/docs/',
  srcDir: root,
  outDir: process.env.DOCS_OUT ?? `${root}/dist/docs`,
  cacheDir: 'node_modules/.vitepress',
  srcExclude: [
    '**/node_modules/**',
    '{dist,dist-package,test,create-handover,docs/upstream}/**',
    '{CONTRIBUTING,SECURITY}.md',
    'examples/*/**',
  ],
  rewrites: (path) => placeOf(path) ?? path,
  // Where the sandbox runs after `npm start`.
  ignoreDeadLinks: 'localhostLinks',
  // The sandbox has one look, and its policy allows no scripts within pages.
  appearance: false,
  metaChunk: true,
  transformHtml: (html) => html.replace(/<script id="check-mac-os">.*?<\/script>/s, ''),
  markdown: {
    config: (markdown) => {
      followRepositoryLinks(markdown, root);
      showPanes(markdown);
    },
  },
  vite: { plugins: [ownVue] },
  themeConfig: {
    nav: NAVIGATION,
    sidebar: SIDEBAR,
    outline: [2, 3],
    search: { provider: 'local' },
  },
});

function iconOf(html: string): string {
  const icon = /rel="icon"\s+href="([^"]+)"/.exec(html)?.[1];
  if (icon === undefined) throw new Error('index.html has no icon');
  return icon;
}
