import { FACES } from './faces.js';

/** The reference of each import of the package, from the docstrings in its sources. */
export default {
  entryPoints: FACES.map(({ source }) => `../../${source}`),
  tsconfig: 'tsconfig.reference.json',
  out: 'reference',
  plugin: ['typedoc-plugin-markdown', './name-faces.js'],
  readme: 'none',
  name: 'Reference',
  // Sources are read here, not published.
  disableSources: true,
  excludePrivate: true,
  excludeInternal: true,
  excludeExternals: true,
  githubPages: false,
  // `npm run typecheck` checks types, with Vite's own among them.
  skipErrorChecking: true,
  // A type of the inside that a face shows by way of another is described where it shows.
  validation: { notExported: false },
  hideBreadcrumbs: true,
  hidePageHeader: true,
  useCodeBlocks: true,
  expandObjects: true,
  parametersFormat: 'table',
  indexFormat: 'table',
  router: 'module',
};
