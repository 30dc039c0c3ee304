import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import type { JanusServer } from '../../support/run/janus.ts';
import { hasJanus, startJanus } from '../../support/run/janus.ts';
import { NodeTalker } from './node-talker.ts';
import { VOICE_ROOM, voiceSite } from './voice-site.ts';

/** Milliseconds for what a class does at once: a busy machine takes long for its 900 voices. */
const PATIENCE_MS = 90_000;

describe.skipIf(!hasJanus())('a class of 31 at a real Janus', () => {
  let janus: JanusServer;
  beforeAll(async () => void (janus = await startJanus()));
  afterAll(() => janus.close());

  test('[N8.5] all begin to speak at once, each hears all others and each from its own line, and all cease', async () => {
    const { voices, come } = await voiceSite(janus.url);
    const pages = Array.from({ length: 31 }, (_, i) => `page ${i}`);
    voices.setPlayers(VOICE_ROOM, pages);
    await expect.poll(() => voices.figures.isUp).toBe(true);
    const talkers: NodeTalker[] = [];
    for (const [i, page] of pages.entries()) talkers.push(new NodeTalker(i, (await come(page)).socket));
    onTestFinished(() => {
      for (const talker of talkers) talker.close();
    });

    await Promise.all(talkers.map((talker) => talker.speak()));
    const heard = (): number[] => talkers.map((talker) => talker.heard.size);
    await expect.poll(heard, { timeout: PATIENCE_MS }).toEqual(pages.map(() => 30));
    for (const talker of talkers)
      for (const [page, speakers] of talker.heard) expect([...speakers], page).toEqual([pages.indexOf(page)]);
    expect(voices.figures).toEqual({ isUp: true, speakers: 31, listeners: 31 });
    const offers = talkers.map((talker) => talker.offers);
    expect(Math.max(...offers), 'one look for many').toBeLessThan(31);

    for (const talker of talkers.slice(1)) talker.hush();
    await expect
      .poll(() => voices.figures, { timeout: PATIENCE_MS })
      .toEqual({ isUp: true, speakers: 1, listeners: 30 });
  }, 240_000);
});
