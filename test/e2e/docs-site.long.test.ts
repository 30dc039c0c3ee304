import { execFile } from 'node:child_process';
import { existsSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { OwnSite } from '../support/run/stories.ts';
import { connectBrowser, openOwnSite, openSite } from '../support/run/stories.ts';

describe('the site of documents', () => {
  const folder = join(openSite().folder, 'docs');
  let browser: Browser;
  let site: OwnSite;

  beforeAll(async () => {
    // A dead link between pages fails the build.
    await promisify(execFile)('npm', ['run', 'docs'], { env: { ...process.env, DOCS_OUT: folder } });
    site = await openOwnSite();
    browser = await connectBrowser();
  }, 600_000);
  afterAll(async () => {
    await browser.close();
    await site.close();
    rmSync(folder, { recursive: true, force: true });
  });

  it('has every page of its menu, and no scripts that its policy would stop', async () => {
    const page = await browser.newPage();
    const faults: string[] = [];
    page.on('console', (message) => {
      if (message.type() === 'error') faults.push(message.text());
    });
    await page.goto(`${site.url}docs/guide/start.html`);
    const links = await page
      .locator('.VPSidebar a')
      .evaluateAll((all) => all.map((link) => link.getAttribute('href') ?? ''));
    expect(links.length).toBeGreaterThan(20);
    for (const link of links) {
      const file = join(folder, new URL(link, site.url).pathname.replace('/docs/', ''));
      expect(existsSync(file), link).toBe(true);
    }
    expect(faults).toEqual([]);
    await page.close();
  });

  it('finds a page by a word', async () => {
    const page = await browser.newPage();
    await page.goto(`${site.url}docs/`);
    await page.getByRole('button', { name: 'Search' }).first().click();
    await page.locator('#localsearch-input').fill('jointEnd');
    await page.getByRole('option').filter({ hasText: 'Machines' }).first().waitFor();
    await page.close();
  });

  it('shows both sides of the network within the page on authority', async () => {
    const page = await browser.newPage();
    await page.goto(`${site.url}docs/guide/authority.html`);
    expect(await page.locator('iframe').count()).toBe(0);
    await page.getByRole('button', { name: 'Try it here' }).click();
    await expect.poll(() => ticksIn(page)).toBeGreaterThan(30);
    await page.getByRole('button', { name: 'Close' }).click();
    expect(await page.locator('iframe').count()).toBe(0);
    await page.close();
  });
});

/** The ticks that the guest in the loopback page has made; 0 before there is one. */
async function ticksIn(page: Page): Promise<number> {
  const frame = page.frames().find((child) => child.url().includes('view=loopback'));
  return (await frame?.evaluate(() => window.handover?.inspect()[1]?.tick ?? 0)) ?? 0;
}
