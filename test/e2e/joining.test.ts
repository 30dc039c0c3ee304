import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { joinOnce, openLossyRoom } from '../support/pages/lossy-room.ts';
import { connectBrowser } from '../support/run/stories.ts';
import { hasTurn } from '../support/run/turn.ts';

/** Long: a busy machine takes its time to load a page, and the network is as bad as it gets. */
const PATIENCE_MS = 240_000;

describe.skipIf(!hasTurn())('a relay that loses one datagram in five', () => {
  let browser: Browser;

  beforeAll(async () => {
    browser = await connectBrowser();
  });
  afterAll(() => browser.close());

  it(
    '[F3.6] [F3.7] lets three friends in, one after the other, and nobody presses anything',
    async () => {
      const room = await openLossyRoom(browser, 0.2, 7);
      for (const friend of [1, 2, 3]) {
        const { failure, seconds, steps } = await joinOnce(browser, room.link);
        console.log(`friend ${friend}: in after ${seconds.toFixed(1)} s`, steps);
        expect(failure).toBeNull();
        expect(Object.keys(steps)).toContain('Trying the relay…');
      }
      expect(room.host.faults).toEqual([]);
      await room.close();
    },
    PATIENCE_MS,
  );
});
