import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openPage } from '../support/pages/room-page.ts';
import type { PageServer } from '../support/run/server.ts';
import { startBuiltServer, startServer } from '../support/run/server.ts';
import { connectBrowser, openSite } from '../support/run/stories.ts';

declare global {
  interface Window {
    /** The violations that the policy has prevented. */
    refused?: string[];
    /** Set by a script that somebody has smuggled in. */
    smuggled?: boolean;
  }
}

/** Runs in a page before all else. */
function noteRefusals(): void {
  window.refused = [];
  addEventListener('securitypolicyviolation', ({ violatedDirective, blockedURI }) => {
    window.refused?.push(`${violatedDirective} ${blockedURI}`);
  });
}

/** Runs in the page: what markup could do if it were taken for markup, and a fetch from elsewhere. */
async function smuggle(): Promise<void> {
  const script = document.createElement('script');
  script.textContent = 'window.smuggled = true';
  document.body.append(script);
  const image = document.createElement('div');
  image.innerHTML = '<img src="data:," onerror="window.smuggled = true">';
  document.body.append(image);
  await fetch('https://example.invalid/').catch(() => undefined);
}

/** The directives that have prevented something. */
async function broken(page: Page): Promise<string[]> {
  const refused = (await page.evaluate(() => window.refused)) ?? [];
  return [...new Set(refused.map((what) => what.split(' ')[0]))].sort();
}

async function plays(page: Page): Promise<void> {
  await page.waitForFunction(() => (window.handover?.inspect()[0]?.tick ?? 0) > 30);
}

describe('[F1] the Content Security Policy of the pages', () => {
  let browser: Browser;
  beforeAll(async () => {
    browser = await connectBrowser();
  });
  afterAll(() => browser.close());

  it.each([
    ['as they are built', () => startBuiltServer(openSite().folder)],
    ['from the sources', () => startServer()],
  ] as const)('%s: they play under it, and no script from elsewhere runs', async (_, start) => {
    const server: PageServer = await start();
    try {
      const answer = await fetch(server.url);
      expect(answer.headers.get('Content-Security-Policy')).toContain("script-src 'self' 'wasm-unsafe-eval'");
      const { page, context, faults } = await openPage(browser, 'about:blank');
      await context.addInitScript(noteRefusals);
      await page.goto(`${server.url}?view=loopback&scene=grid&count=4`);
      await plays(page);
      expect(await page.evaluate(() => window.refused)).toEqual([]);
      expect(faults).toEqual([]);
      await page.evaluate(smuggle);
      // A script that stands there, one in an attribute, and the other site.
      await expect.poll(() => broken(page)).toEqual(['connect-src', 'script-src-attr', 'script-src-elem']);
      expect(await page.evaluate(() => window.smuggled)).toBeUndefined();
      await context.close();
    } finally {
      await server.close();
    }
  });

  it('stands in the built page, too, for sites that send no headers', async () => {
    const html = await (await fetch(openSite().url)).text();
    const said = /<meta http-equiv="Content-Security-Policy" content="([^"]*)"/.exec(html)?.[1];
    const policy = said?.replaceAll('&#39;', "'");
    expect(policy).toContain("script-src 'self' 'wasm-unsafe-eval' 'sha256-");
    expect(policy).toContain("object-src 'none'");
    // It stands before all that it governs.
    expect(html.indexOf('http-equiv')).toBeLessThan(html.indexOf('<script'));
  });
});
