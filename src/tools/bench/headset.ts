import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { extname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Browser, BrowserContext, JSHandle, Page } from 'playwright-core';
import { build } from 'vite';
import { launchBrowser } from '../../../test/support/run/browser.ts';
import type { HeadsetBench, HeadsetFigures } from './headset-page.ts';

const ROOT = fileURLToPath(new URL('../../..', import.meta.url));
const PAGE = fileURLToPath(new URL('./headset-page.ts', import.meta.url));
/** A host name that browsers treat as secure. Its files come from a folder. */
const ADDRESS = 'http://localhost/';
const HTML =
  '<!doctype html><link rel="icon" href="data:,"><canvas></canvas><script type="module" src="bench.js"></script>';
const TYPES: Readonly<Record<string, string>> = { '.js': 'text/javascript', '.html': 'text/html' };
/** Few pixels, because software draws them all; JavaScript does the same work for more. */
const VIEWPORT = { width: 160, height: 120 };
/** With these arguments a page's clock counts microseconds. */
const ISOLATED = {
  'Cross-Origin-Opener-Policy': 'same-origin',
  'Cross-Origin-Embedder-Policy': 'require-corp',
};

/**
 * Draws worlds of so many cubes, one after another, in an emulated headset in Chromium.
 * @param frames that are counted in each.
 * @param warmUp frames before those, until code is compiled, models have come, and the cubes are in play.
 * @param openBrowser starts the browser, or connects to one; it is closed in the end.
 * @throws Error if there is no Chromium, or the page fails.
 */
export async function benchHeadset(
  cubes: readonly number[],
  frames: number,
  warmUp: number,
  openBrowser: () => Promise<Browser> = launchBrowser,
): Promise<HeadsetFigures[]> {
  const folder = await mkdtemp(join(tmpdir(), 'handover-bench-'));
  try {
    await buildPage(folder);
    const browser = await openBrowser();
    try {
      return await runPage(await browser.newContext({ viewport: VIEWPORT }), folder, (page) =>
        drawAll(page, cubes, [frames, warmUp]),
      );
    } finally {
      await browser.close();
    }
  } finally {
    await rm(folder, { recursive: true });
  }
}

/** Builds the page as for players. */
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

/** Opens the page with the files of the folder. */
async function runPage<T>(
  context: BrowserContext,
  folder: string,
  use: (page: Page) => Promise<T>,
): Promise<T> {
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
  await page.goto(ADDRESS);
  return Promise.race([failed, use(page)]);
}

async function drawAll(
  page: Page,
  cubes: readonly number[],
  frames: readonly [counted: number, warmUp: number],
): Promise<HeadsetFigures[]> {
  const bench = (await page.waitForFunction(() => window.headsetBench)) as JSHandle<HeadsetBench>;
  const found: HeadsetFigures[] = [];
  for (const count of cubes) {
    found.push(await bench.evaluate((b, [n, [f, w]]) => b.run(n, f, w), [count, frames] as const));
  }
  return found;
}
