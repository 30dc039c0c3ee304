import type { Browser, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { LAB_MODELS } from '../../src/lab/models.ts';
import { FIGURES } from '../../src/lab/judge/figures.ts';
import { labPanes } from '../../src/pages/lab/panes.ts';
import { openPage } from '../support/pages/room-page.ts';
import type { Site } from '../support/run/stories.ts';
import { connectBrowser, openSite } from '../support/run/stories.ts';

/** Beside the panel, the worlds are 500 pixels wide. */
const SIZE = { width: 900, height: 420 };
/** Bytes of a picture with something in it: one colour alone takes some hundred. */
const LEAST_PICTURE = 1500;

describe('the lab', () => {
  let site: Site;
  let browser: Browser;
  let page: Page;
  let faults: string[] = [];

  beforeAll(async () => {
    site = openSite();
    browser = await connectBrowser();
  });
  afterAll(() => browser.close());
  afterEach(async () => {
    await page.context().close();
    expect(faults).toEqual([]);
  });

  async function open(query: string): Promise<void> {
    ({ page, faults } = await openPage(browser, `${site.url}?view=lab${query}`, { viewport: SIZE }));
    await page.waitForFunction(() => document.body.dataset.state === 'ready');
  }

  /** A row of the table, a number for each model. */
  async function figures(name: string): Promise<number[]> {
    const row = FIGURES.findIndex((figure) => figure.name === name) + 1;
    const cells = await page.locator(`.lab-table tbody tr:nth-child(${row}) td`).allTextContents();
    return cells.map(Number);
  }

  it.each([
    ['authority', 'lockstep', 'rollback', 'server'],
    ['prediction', 'reconciliation', 'interpolation-cached', 'owner-move'],
    ['colyseus', 'interpolation-constant'],
  ])('draws %s, %s and others, and shows what each costs', async (...models) => {
    await open(`&scene=push&models=${models.join(',')}`);
    // Once the hand has moved for the first time, and has been seen to.
    const isSeen = async (): Promise<boolean> => (await figures('delay')).every(Number.isFinite);
    await expect.poll(isSeen).toBe(true);
    for (const name of ['errorMean', 'up', 'down', 'steps', 'memory', 'work'])
      for (const figure of await figures(name)) expect(figure).toBeGreaterThanOrEqual(0);
    for (const speed of await figures('speed')) expect(speed).toBeGreaterThan(80);
    await page.evaluate(() => {
      window.fillsPixels = true;
      return new Promise((resolve) => void requestAnimationFrame(() => requestAnimationFrame(resolve)));
    });
    for (const { left, top, width, height } of labPanes(models.length, SIZE.width, SIZE.height)) {
      const clip = { x: left, y: top + height / 2, width: width - 4, height: height / 2 - 4 };
      expect((await page.screenshot({ clip })).length).toBeGreaterThan(LEAST_PICTURE);
    }
  });

  it('takes the viewer’s own hand, and its link brings back what was set', async () => {
    await open('&scene=push&models=server&latency=0&jitter=0');
    const [pane] = labPanes(1, SIZE.width, SIZE.height);
    await page.mouse.move(pane.width / 2, pane.height * 0.7);
    await page.mouse.down();
    await page.mouse.up();
    expect(page.url()).toContain('hands=own');
    await page.getByLabel('Model in pane 2').selectOption('owner-add');
    expect(page.url()).toContain('models=server,owner-add');
    await page.getByLabel('Latency', { exact: true }).fill('20');
    await page.getByLabel('Players').selectOption('3');
    await page.getByLabel('Corrections are eased').uncheck({ force: true });
    await page.getByLabel('Late hands are taken').selectOption('100');
    for (const part of ['players=3', 'easing=off', 'window=100']) expect(page.url()).toContain(part);
    const url = page.url();
    expect(url).toContain('latency=');
    await page.reload();
    await page.waitForFunction(() => document.body.dataset.state === 'ready');
    expect(await page.getByLabel('Model in pane 2').inputValue()).toBe('owner-add');
    expect(page.url()).toBe(url);
    expect(await page.locator('.lab-pane').count()).toBe(2);
  });

  it('measures a chart of all models in a worker while the worlds go on, and stops when it is told to', async () => {
    await open('&scene=push&models=owner-add&figure=errorMean&axis=loss&seed=7');
    const panel = page.locator('.lab-sweep');
    expect(await panel.textContent()).toContain('seeds 7 to 9');
    // So many that it cannot be over before it is stopped.
    await page.getByLabel('Seeds').selectOption('9');
    await page.getByRole('button', { name: 'Measure all models' }).click();
    await expect.poll(() => page.locator('.lab-chart polyline').count()).toBeGreaterThan(1);
    const runs = LAB_MODELS.length * 5 * 9;
    expect(await panel.textContent()).toMatch(new RegExp(`[1-9]\\d* of ${runs} runs`));
    // The worlds go on: their figures change while it is still measuring.
    const figuresOfPane = page.locator('.lab-pane .figures');
    const before = await figuresOfPane.textContent();
    await expect.poll(() => figuresOfPane.textContent()).not.toBe(before);
    await page.getByRole('button', { name: 'Stop' }).click();
    await page.getByRole('button', { name: 'Measure all models' }).waitFor();
    expect(await panel.getByRole('status').textContent()).toContain('Stopped after');
    expect(await page.locator('.lab-chart svg').getAttribute('aria-label')).toContain('error, mean');
    // Another figure is in the same rows. Another seed is not.
    await page.getByLabel('Figure').selectOption('jumps');
    expect(await page.locator('.lab-chart svg').getAttribute('aria-label')).toContain('jumps');
    await page.getByLabel('Seeds').selectOption('1');
    expect(page.url()).toContain('seeds=1');
    expect(await page.locator('.lab-chart svg').count()).toBe(0);
    expect(await panel.textContent()).toContain('with seed 7 at each value');
  });

  it.each([
    ['worker', '**/sweep-worker*', 'could not run the measurement'],
    ['engine', '**/rapier*', 'engine could not be loaded'],
  ])('says in one sentence that the %s cannot be loaded, and goes on', async (_, files, word) => {
    await open('&scene=push&models=owner-add');
    await page.context().route(files, (route) => route.abort());
    const button = page.getByRole('button', { name: 'Measure all models' });
    await button.click();
    const status = page.locator('.lab-sweep').getByRole('status');
    await expect.poll(() => status.textContent()).toContain(word);
    await button.waitFor();
    await page.context().unroute(files);
    await button.click();
    await expect.poll(() => page.locator('.lab-chart polyline').count()).toBeGreaterThan(0);
    expect(await status.textContent()).toBe('');
    // The browser tells of the files that it did not get; nothing else went wrong.
    expect(faults.filter((fault) => !fault.includes('Failed to load resource'))).toEqual([]);
    faults = [];
  });

  it('says what in a link makes no sense', async () => {
    await open('&models=telepathy&scene=push');
    expect(await page.locator('.notice').textContent()).toContain('“models” can’t be “telepathy”');
    expect(await page.locator('.lab-pane').count()).toBe(4);
    await page.getByRole('button', { name: 'Close the notice' }).click();
    expect(await page.locator('.notice').count()).toBe(0);
  });
});
