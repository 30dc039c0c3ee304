import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { JoinEnd } from '../support/pages/lossy-room.ts';
import { joinOnce, openLossyRoom } from '../support/pages/lossy-room.ts';
import { connectBrowser } from '../support/run/stories.ts';
import { hasTurn } from '../support/run/turn.ts';

/** Joins for each network, one after the other in each of so many rooms. */
const JOINS = Number(process.env.JOINS ?? 50);
const ROOMS = 2;

describe.skipIf(!hasTurn())('joins through a relay that loses datagrams', () => {
  let browser: Browser;

  beforeAll(async () => {
    browser = await connectBrowser();
  });
  afterAll(() => browser.close());

  async function joins(loss: number): Promise<JoinEnd[]> {
    const ends: JoinEnd[] = [];
    await Promise.all(
      Array.from({ length: ROOMS }, async (_, i) => {
        const room = await openLossyRoom(browser, loss, 100 + i);
        while (ends.length < JOINS) ends.push(await joinOnce(browser, room.link));
        await room.close();
      }),
    );
    const times = ends.filter(({ failure }) => failure === null).map(({ seconds }) => seconds);
    const share = [0.1, 0.25, 0.5, 0.75, 0.9, 0.95, 1].map(
      (part) => `${(100 * part).toFixed(0)} % ${quantile(times, part).toFixed(1)} s`,
    );
    const failures = ends.flatMap(({ failure }) => (failure === null ? [] : [failure]));
    console.log(`${100 * loss} % loss: ${times.length} of ${ends.length} in: ${share.join(', ')}`, failures);
    return ends;
  }

  it('at 20 % all are in within 30 s, without a press', async () => {
    const ends = await joins(0.2);
    expect(ends.filter(({ failure, seconds }) => failure !== null || seconds > 30)).toEqual([]);
  });

  it('at 10 % 95 of 100 are in within 12 s', async () => {
    const ends = await joins(0.1);
    const quick = ends.filter(({ failure, seconds }) => failure === null && seconds <= 12).length;
    expect(quick / ends.length).toBeGreaterThanOrEqual(0.95);
  });
});

function quantile(values: readonly number[], part: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(part * sorted.length))] ?? Number.NaN;
}
