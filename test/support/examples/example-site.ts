import { cpSync, mkdirSync, mkdtempSync, rmSync, symlinkSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import sirv from 'sirv';
import { buildPackage } from '../../../src/tools/package/build.ts';
import { openOwnSite } from '../run/stories.ts';

const ROOT = resolve('.');
/** The packages that a player of the examples installs besides this one. */
const INSTALLED = [
  '@dimforge/rapier3d-compat',
  '@react-three/fiber',
  '@react-three/rapier',
  'peerjs',
  'react',
  'react-dom',
  'three',
];

/** A server of files as the examples ask for it, and a broker. */
export type ExampleSite = {
  /** @returns the address of an example's page, which takes the site's broker. */
  address(example: string): string;
  close(): Promise<void>;
};

/**
 * Builds the package into a new folder, puts the examples beside it, and serves that folder.
 * @param built the example that a bundler builds in its folder; none of them if left out.
 */
export async function openExampleSite(built?: string): Promise<ExampleSite> {
  const folder = mkdtempSync(join(tmpdir(), 'handover-examples-'));
  await buildPackage(ROOT, join(folder, 'node_modules/handover'));
  cpSync(join(ROOT, 'examples'), join(folder, 'examples'), { recursive: true });
  for (const name of INSTALLED) {
    const link = join(folder, 'node_modules', name);
    mkdirSync(dirname(link), { recursive: true });
    symlinkSync(join(ROOT, 'node_modules', name), link, 'junction');
  }
  if (built !== undefined) await bundleExample(join(folder, 'examples', built));
  const files = createServer(sirv(folder, { dev: true }));
  await new Promise<void>((listening) => {
    files.listen(0, '127.0.0.1', listening);
  });
  const site = await openOwnSite();
  const { port } = files.address() as AddressInfo;
  const broker = encodeURIComponent(new URL('broker', site.url).href);
  return {
    address: (example) => `http://127.0.0.1:${port}/examples/${example}/?broker=${broker}`,
    close: async () => {
      files.close();
      await site.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** Bundles an example into its own folder. As in development React mounts everything twice in its StrictMode. */
async function bundleExample(folder: string): Promise<void> {
  const { build } = await import('vite');
  await build({
    root: folder,
    base: './',
    mode: 'development',
    logLevel: 'error',
    define: { 'process.env.NODE_ENV': '"development"' },
    build: { outDir: join(folder, '.built'), minify: false },
  });
  cpSync(join(folder, '.built'), folder, { recursive: true });
}
