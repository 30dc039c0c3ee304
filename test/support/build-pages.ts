import { fileURLToPath } from 'node:url';
import { build } from 'vite';
import { BUILT_PAGES } from './server.ts';

/** Builds the pages once for all tests of a run that look at them built. */
export default async function buildPages(): Promise<void> {
  await build({
    root: fileURLToPath(new URL('../..', import.meta.url)),
    logLevel: 'error',
    build: { outDir: BUILT_PAGES, emptyOutDir: true, reportCompressedSize: false },
  });
}
