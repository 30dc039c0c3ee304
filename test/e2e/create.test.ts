import { execFileSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import type { Page } from 'playwright-core';
import { createServer } from 'vite';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { POSE_STRIDE } from '../../src/core/base/state.ts';
import type { Room } from '../../src/room/room.ts';
import { buildPackage } from '../../src/tools/package/build.ts';
import { freePort } from '../support/run/free-port.ts';
import { connectBrowser } from '../support/run/stories.ts';

const ROOT = resolve('.');
const CREATE = join(ROOT, 'create-handover/create.js');
/** The packages that npm would install for the new game, besides this one. */
const INSTALLED = ['@dimforge/rapier3d-compat', 'peerjs', 'three', 'peer', 'vite'];
/** The ball in the middle of the picture, and where that is: in shares of it. */
const BALL = 2;
const MIDDLE = { x: 0.5, y: 0.47 };

describe('npm create handover', () => {
  let folder = '';
  let said = '';

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'handover-create-'));
    said = execFileSync(process.execPath, [CREATE, 'Our Game'], { cwd: folder, encoding: 'utf8' });
    await buildPackage(ROOT, join(folder, 'built'));
    // A copy: from a link's other end the package would not find what is installed beside it.
    cpSync(join(folder, 'built'), join(folder, 'Our Game/node_modules/handover'), { recursive: true });
    for (const name of INSTALLED) {
      const link = join(folder, 'Our Game/node_modules', name);
      mkdirSync(dirname(link), { recursive: true });
      symlinkSync(join(ROOT, 'node_modules', name), link, 'junction');
    }
  });
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  it('names the game, and leaves a folder alone that is not empty', () => {
    const manifest = JSON.parse(readFileSync(join(folder, 'Our Game/package.json'), 'utf8')) as {
      name: string;
    };
    expect(manifest.name).toBe('our-game');
    expect(existsSync(join(folder, 'Our Game/.gitignore'))).toBe(true);
    expect(() =>
      execFileSync(process.execPath, [CREATE, 'Our Game'], { cwd: folder, stdio: 'pipe' }),
    ).toThrow('is not empty');
  });

  it('says how to go on with the package of this repository, which npm may not have', () => {
    expect(said).toMatch(
      /npm pack \.\/dist-package\)\n {2}cd "Our Game"\n {2}npm install ".*\.tgz"\n {2}npm start/,
    );
  });

  it('needs what this project has, in the same versions', () => {
    type Needs = Readonly<Record<'dependencies' | 'devDependencies', Readonly<Record<string, string>>>>;
    const read = (path: string): Needs => JSON.parse(readFileSync(join(ROOT, path), 'utf8')) as Needs;
    const own = read('package.json');
    const { dependencies, devDependencies } = read('create-handover/template/package.json');
    const { handover, ...others } = { ...dependencies, ...devDependencies };
    expect(others).toEqual(
      Object.fromEntries(
        INSTALLED.map((name) => [name, { ...own.devDependencies, ...own.dependencies }[name]]),
      ),
    );
    const versions = ['package.json', 'create-handover/package.json'].map(
      (path) => (JSON.parse(readFileSync(join(ROOT, path), 'utf8')) as { version: string }).version,
    );
    expect(versions.map((version) => `^${version}`)).toEqual([handover, handover]);
  });

  it('makes a game in which two browsers throw a ball at each other', async () => {
    process.env.BROKER_PORT = String(await freePort());
    const vite = await createServer({
      root: join(folder, 'Our Game'),
      logLevel: 'error',
      server: { host: '127.0.0.1', port: 0, fs: { strict: false } },
    });
    onTestFinished(() => vite.close());
    await vite.listen();
    const browser = await connectBrowser();
    onTestFinished(() => browser.close());
    const open = async (address: string): Promise<Page> => {
      const page = await (await browser.newContext({ viewport: { width: 800, height: 600 } })).newPage();
      page.on('pageerror', (error) => {
        throw error;
      });
      await page.goto(address);
      return page;
    };
    const host = await open(vite.resolvedUrls?.local[0] ?? '');
    await host.getByText('Send this page’s address to a friend.').waitFor();
    const guest = await open(host.url());
    for (const page of [host, guest]) await page.getByText('You play with 1.').waitFor();
    await drag(guest);
    await expect.poll(async () => Math.hypot(...(await placeOf(host)))).toBeGreaterThan(1);
    // Once all rests, both have the same.
    await expect.poll(async () => apart(await placeOf(host), await placeOf(guest))).toBeLessThan(1e-6);
  });
});

/** Drags the ball in the middle of the picture to the left, and lets go in motion. */
async function drag(page: Page): Promise<void> {
  const { width, height } = page.viewportSize() ?? { width: 0, height: 0 };
  const at = { x: MIDDLE.x * width, y: MIDDLE.y * height };
  await page.mouse.move(at.x, at.y);
  await page.waitForTimeout(500);
  await page.mouse.down();
  await page.waitForTimeout(500);
  for (let step = 1; step <= 20; step++) {
    await page.mouse.move(at.x - step * 10, at.y - step * 4);
    await page.waitForTimeout(16);
  }
  await page.mouse.up();
}

/** Metres: where a page draws the ball. */
function placeOf(page: Page): Promise<number[]> {
  return page.evaluate(
    ([ball, stride]) => {
      const { room } = globalThis as unknown as { room: Room };
      return [...room.view().poses.subarray(ball * stride, ball * stride + 3)];
    },
    [BALL, POSE_STRIDE],
  );
}

function apart(a: readonly number[], b: readonly number[]): number {
  return Math.hypot(...a.map((value, i) => value - b[i]));
}
