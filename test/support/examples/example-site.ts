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
const INSTALLED = ['@dimforge/rapier3d-compat', 'peerjs', 'three'];

/** A server of files as the examples ask for it, and a broker. */
export type ExampleSite = {
  /** @returns the address of an example's page, which takes the site's broker. */
  address(example: string): string;
  close(): Promise<void>;
};

/** Builds the package into a new folder, puts the examples beside it, and serves that folder. */
export async function openExampleSite(): Promise<ExampleSite> {
  const folder = mkdtempSync(join(tmpdir(), 'handover-examples-'));
  await buildPackage(ROOT, join(folder, 'node_modules/handover'));
  cpSync(join(ROOT, 'examples'), join(folder, 'examples'), { recursive: true });
  for (const name of INSTALLED) {
    const link = join(folder, 'node_modules', name);
    mkdirSync(dirname(link), { recursive: true });
    symlinkSync(join(ROOT, 'node_modules', name), link, 'junction');
  }
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
