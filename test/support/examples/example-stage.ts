import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll } from 'vitest';
import { connectBrowser } from '../run/stories.ts';
import { DESK, openPage, PHONE } from './example-page.ts';
import type { ExampleSite } from './example-site.ts';
import { openExampleSite } from './example-site.ts';

/** Opens pages of one example for the stories of a file. */
export type ExampleStage = {
  /** Opens a room of the example at a desk. Its address is a link for others. */
  open(): Promise<Page>;
  /** Opens the link of a room on a phone, and waits until both are in it. */
  join(host: Page): Promise<Page>;
};

/**
 * Sets the stage for the stories of an example, in the file that calls it.
 * @param example its folder.
 * @param isBundled false: its pages load modules as they are.
 */
export function exampleStage(example: string, isBundled = false): ExampleStage {
  let site: ExampleSite;
  let browser: Browser;
  beforeAll(async () => {
    site = await openExampleSite(isBundled ? example : undefined);
    browser = await connectBrowser();
  });
  afterAll(async () => {
    await browser.close();
    await site.close();
  });
  return {
    open: async () => {
      const host = await openPage(browser, site.address(example), DESK);
      await host.getByText('Send this page’s address to a friend.').waitFor();
      return host;
    },
    join: async (host) => {
      const guest = await openPage(browser, host.url(), PHONE);
      for (const page of [host, guest]) await page.getByText('You play with 1.').waitFor();
      return guest;
    },
  };
}
