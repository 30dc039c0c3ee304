import { loadavg } from 'node:os';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { JoinEnd } from '../support/pages/lossy-room.ts';
import { joinOnce, openLossyRoom } from '../support/pages/lossy-room.ts';
import { connectBrowser } from '../support/run/stories.ts';
import { hasTurn } from '../support/run/turn.ts';

/** Joins for each network, one after the other in each of so many rooms. */
const JOINS = Number(process.env.JOINS ?? 50);
const ROOMS = Number(process.env.ROOMS ?? 1);

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
    const inside = ends.filter(({ failure }) => failure === null);
    const failures = ends.filter(({ failure }) => failure !== null);
    const slowest = inside.toSorted((a, b) => b.seconds - a.seconds).slice(0, 3);
    const load = loadavg()[0].toFixed(0);
    console.log(
      `${100 * loss} % loss: ${inside.length} of ${ends.length} in; the load of this machine was ${load}\n` +
        `since the page was opened: ${distribution(inside.map(({ seconds }) => seconds))}\n` +
        `since it began to ask: ${distribution(inside.map(({ seconds, steps }) => seconds - Math.min(seconds, ...Object.values(steps))))}`,
      ...failures,
      '\nthe slowest:',
      ...slowest,
    );
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

function distribution(seconds: readonly number[]): string {
  return [0.1, 0.25, 0.5, 0.75, 0.9, 0.95, 1]
    .map((part) => `${100 * part} % ${quantile(seconds, part).toFixed(1)} s`)
    .join(', ');
}

function quantile(values: readonly number[], part: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(part * sorted.length))] ?? Number.NaN;
}
