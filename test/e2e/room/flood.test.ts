import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Part } from '../../support/pages/door-flood.ts';
import {
  CANDIDATES,
  describeFlood,
  FAST_OFFERS,
  FloodedDoor,
  SLOW_OFFERS,
} from '../../support/pages/door-flood.ts';
import { connectBrowser, openSite } from '../../support/run/stories.ts';

const SECONDS = 8;
/** Megabytes. */
const MOST_GROWTH = 10;

describe('a stranger who knows the code, and floods the door', () => {
  let browser: Browser;
  let door: FloodedDoor;

  beforeAll(async () => {
    const site = openSite();
    const connected = await connectBrowser();
    browser = connected;
    door = await FloodedDoor.open(browser, site.url);
  });
  afterAll(async () => {
    await door.close();
    await browser.close();
  });

  it.each<[string, Part]>([
    ['with candidates of no connection does not fill the host’s memory', CANDIDATES],
    ['with an offer now and then does not bar it', SLOW_OFFERS],
    ['with many offers does not use up the host’s connections', FAST_OFFERS],
  ])('%s, and a friend joins', async (_, part) => {
    const story = await door.flood([part], SECONDS);
    console.log(describeFlood(story));
    expect(Math.max(...story.heap) - story.heap[0]).toBeLessThan(MOST_GROWTH);
  });
});
