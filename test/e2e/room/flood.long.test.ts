import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import {
  CANDIDATES,
  describeFlood,
  FAST_OFFERS,
  FloodedDoor,
  MANY_OFFERS,
  SLOW_OFFERS,
} from '../../support/pages/door-flood.ts';
import type { FloodedRoom, Part } from '../../support/pages/door-flood.ts';
import type { Site } from '../../support/run/stories.ts';
import { connectBrowser, openSite } from '../../support/run/stories.ts';

let site: Site;
let browser: Browser;

beforeAll(async () => {
  site = openSite();
  browser = await connectBrowser();
});
afterAll(() => browser.close());

/** A flood of the door of a new room. */
async function floodOnce(
  parts: readonly Part[],
  seconds: number,
  aloneSeconds?: number,
): Promise<FloodedRoom> {
  const door = await FloodedDoor.open(browser, site.url);
  try {
    return await door.flood(parts, seconds, aloneSeconds);
  } finally {
    await door.close();
  }
}

it('through a minute of every flood at once the host’s memory is flat, and a friend joins', async () => {
  const parts = [CANDIDATES, SLOW_OFFERS, FAST_OFFERS, MANY_OFFERS];
  const story = await floodOnce(parts, 65);
  console.log(describeFlood(story));
  // A busy machine takes longer, with a flood and without.
  expect(story.joinedAfter).toBeLessThan(10 + 2 * story.joinedBefore);
  expect(Math.max(...story.heap) - story.heap[0]).toBeLessThan(10);
});

it('three minutes of offers never use up the browser’s connections: a friend joins at their end', async () => {
  const story = await floodOnce([FAST_OFFERS, MANY_OFFERS], 180, 165);
  console.log(describeFlood(story));
  // A busy machine takes longer, with a flood and without.
  expect(story.joinedAfter).toBeLessThan(10 + 2 * story.joinedBefore);
  expect(Object.keys(story.refusals)).not.toContain('failed');
  expect(Object.keys(story.refusals)).not.toContain('too many connections');
});
