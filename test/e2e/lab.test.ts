import type { Browser, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { FIGURES } from '../../src/lab/judge/figures.ts';
import { labPanes } from '../../src/pages/lab/panes.ts';
import type { Site } from '../support/run/stories.ts';
import { connectBrowser, openSite } from '../support/run/stories.ts';

/** Beside the panel, the worlds are 500 pixels wide. */
const SIZE = { width: 900, height: 420 };
/** Coarse: software draws it. */
const PIXEL_RATIO = 0.5;
/** Bytes of a picture with something in it: one colour alone takes some hundred. */
const LEAST_PICTURE = 1500;

describe('the lab', () => {
  let site: Site;
  let browser: Browser;
  let page: Page;
  const faults: string[] = [];

  beforeAll(async () => {
    [site, browser] = await Promise.all([openSite(), connectBrowser()]);
  });
  afterAll(() => browser.close());
  afterEach(async () => {
    await page.close();
    expect(faults.splice(0)).toEqual([]);
  });

  async function open(query: string): Promise<void> {
    page = await browser.newPage({ viewport: SIZE, deviceScaleFactor: PIXEL_RATIO });
    page.on('pageerror', (error) => faults.push(error.message));
    page.on('console', (message) => {
      if (message.type() === 'error') faults.push(message.text());
    });
    await page.goto(`${site.url}?view=lab${query}`);
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
    ['prediction', 'reconciliation', 'interpolation-constant', 'owner-move'],
  ])('draws %s, %s, %s and %s, and shows what each costs', async (...models) => {
    await open(`&scene=push&models=${models.join(',')}`);
    // Once the hand has moved for the first time, and has been seen to.
    const isSeen = async (): Promise<boolean> => (await figures('delay')).every(Number.isFinite);
    await expect.poll(isSeen, { timeout: 40_000 }).toBe(true);
    for (const name of ['errorMean', 'up', 'down', 'steps', 'memory', 'work'])
      for (const figure of await figures(name)) expect(figure).toBeGreaterThanOrEqual(0);
    for (const speed of await figures('speed')) expect(speed).toBeGreaterThan(80);
    for (const { left, top, width, height } of labPanes(4, SIZE.width, SIZE.height)) {
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
    const url = page.url();
    expect(url).toContain('latency=');
    await page.reload();
    await page.waitForFunction(() => document.body.dataset.state === 'ready');
    expect(await page.getByLabel('Model in pane 2').inputValue()).toBe('owner-add');
    expect(page.url()).toBe(url);
    expect(await page.locator('.lab-pane').count()).toBe(2);
  });

  it('measures a chart of all models, and stops when it is told to', async () => {
    await open('&scene=push&models=owner-add&figure=errorMean&axis=loss');
    await page.getByRole('button', { name: 'Measure all twelve' }).click();
    await expect
      .poll(() => page.locator('.lab-chart polyline').count(), { timeout: 40_000 })
      .toBeGreaterThan(1);
    await page.getByRole('button', { name: 'Stop' }).click();
    await page.getByRole('button', { name: 'Measure all twelve' }).waitFor();
    expect(await page.locator('.lab-chart svg').getAttribute('aria-label')).toContain('error, mean');
  });

  it('says what in a link makes no sense', async () => {
    await open('&models=telepathy&scene=push');
    expect(await page.locator('.notice').textContent()).toContain('“models” can’t be “telepathy”');
    expect(await page.locator('.lab-pane').count()).toBe(4);
  });
});
