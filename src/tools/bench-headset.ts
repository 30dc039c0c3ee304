import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { extname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { BrowserContext } from 'playwright-core';
import { build } from 'vite';
import { launchBrowser } from '../../test/support/browser.ts';
import type { HeadsetFigures } from './bench-headset-page.ts';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const PAGE = fileURLToPath(new URL('./bench-headset-page.ts', import.meta.url));
/** A name that browsers take for a safe way; what it serves comes from a folder. */
const ADDRESS = 'http://localhost/';
const HTML =
  '<!doctype html><link rel="icon" href="data:,"><canvas></canvas><script type="module" src="bench.js"></script>';
const TYPES: Readonly<Record<string, string>> = { '.js': 'text/javascript', '.html': 'text/html' };
/** Few pixels, since software draws them all, and JavaScript does the same for more. */
const VIEWPORT = { width: 160, height: 120 };
/** With these a page's clock counts microseconds. */
const ISOLATED = {
  'Cross-Origin-Opener-Policy': 'same-origin',
  'Cross-Origin-Embedder-Policy': 'require-corp',
};

/**
 * Draws worlds of so many cubes, one after another, in an emulated headset in Chromium.
 * @param frames that are counted in each.
 * @throws Error if there is no Chromium, or the page fails.
 */
export async function benchHeadset(cubes: readonly number[], frames: number): Promise<HeadsetFigures[]> {
  const folder = await mkdtemp(join(tmpdir(), 'handover-bench-'));
  try {
    await buildPage(folder);
    const browser = await launchBrowser();
    try {
      return await runPage(await browser.newContext({ viewport: VIEWPORT }), folder, cubes, frames);
    } finally {
      await browser.close();
    }
  } finally {
    await rm(folder, { recursive: true });
  }
}

/** As the pages are built for players. */
async function buildPage(folder: string): Promise<void> {
  await build({
    root: ROOT,
    publicDir: false,
    logLevel: 'error',
    build: {
      outDir: folder,
      emptyOutDir: true,
      reportCompressedSize: false,
      rolldownOptions: { input: PAGE, output: { entryFileNames: 'bench.js' } },
    },
  });
}

async function runPage(
  context: BrowserContext,
  folder: string,
  cubes: readonly number[],
  frames: number,
): Promise<HeadsetFigures[]> {
  await context.route(`${ADDRESS}**`, async (route) => {
    const path = new URL(route.request().url()).pathname.slice(1);
    const body = path === '' ? HTML : await readFile(join(folder, path));
    const contentType = TYPES[extname(path) || '.html'] ?? 'application/octet-stream';
    await route.fulfill({ body, contentType, headers: ISOLATED });
  });
  const page = await context.newPage();
  const failed = new Promise<never>((_, reject) => {
    page.once('pageerror', reject);
  });
  const found: HeadsetFigures[] = [];
  await page.goto(ADDRESS);
  await Promise.race([failed, page.waitForFunction(() => window.headsetBench !== undefined)]);
  for (const count of cubes) {
    const run = page.evaluate(([n, f]) => window.headsetBench?.run(n, f), [count, frames] as const);
    const figures = await Promise.race([failed, run]);
    if (figures !== undefined) found.push(figures);
  }
  return found;
}
