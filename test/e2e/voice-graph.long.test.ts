import type { Browser, JSHandle, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { launchBrowser, MICROPHONE } from '../support/run/browser.ts';
import type { Site } from '../support/run/stories.ts';
import { openSite } from '../support/run/stories.ts';
import type { VoicePage } from './pages/voice-graph.ts';

const PATH = 'test/e2e/pages/voice-graph.html';
/** Whoever asks for it gets it. */
const CONSENT = '--use-fake-ui-for-media-stream';

/** Milliseconds after which a change is all that is heard: the ears of the page hear the last 0.7 s. */
const SETTLED = 1000;
/** A sound that must be heard is heard within three seconds. */
const WAIT = { timeout: 3000, interval: 20 };
/** A peak that nobody hears. */
const SILENT = 1e-4;

let site: Site;
beforeAll(async () => {
  site = openSite();
});

async function ready(page: Page): Promise<JSHandle<VoicePage>> {
  await page.goto(site.url + PATH);
  return (await page.waitForFunction(() => window.voicePage)) as JSHandle<VoicePage>;
}

describe('a voice', () => {
  let browser: Browser;
  let page: Page;
  let voices: JSHandle<VoicePage>;
  const faults: string[] = [];

  beforeAll(async () => {
    browser = await launchBrowser([MICROPHONE, CONSENT]);
  });
  afterAll(() => browser.close());
  afterEach(async () => {
    await page.close();
    expect(faults.splice(0)).toEqual([]);
  });

  async function open(): Promise<void> {
    page = await browser.newPage();
    page.on('pageerror', (error) => faults.push(error.message));
    voices = await ready(page);
    expect(await voices.evaluate((v) => v.open())).toBe('open');
  }

  /** A friend is in a call, and heard. */
  async function talk(): Promise<void> {
    await open();
    expect(await voices.evaluate((v) => v.call(v.microphone.stream.getAudioTracks()))).toBe(true);
    await isHeard();
  }

  const arriving = (): Promise<number> => voices.evaluate((v) => v.space.level(v.friend));
  /** At any time within a second. */
  const loudest = (): Promise<number> => voices.evaluate((v) => v.highest(() => v.space.level(v.friend), 1));
  const output = (): Promise<{ left: number; right: number }> => voices.evaluate((v) => v.output);
  const loudness = async (): Promise<number> => {
    const { left, right } = await output();
    return Math.max(left, right);
  };
  /** It arrives, loud enough to be a voice. */
  const isHeard = (): Promise<void> => expect.poll(arriving, WAIT).toBeGreaterThan(0.1);

  async function stand(...at: Parameters<VoicePage['stand']>): Promise<void> {
    await voices.evaluate((v, to) => v.stand(...to), at);
    await page.waitForTimeout(SETTLED);
  }

  it('arrives within three seconds, with a level on both sides, and comes out of the speakers', async () => {
    await talk();
    await expect.poll(() => voices.evaluate((v) => v.microphone.level), WAIT).toBeGreaterThan(0.1);
    await expect.poll(loudness, WAIT).toBeGreaterThan(0.01);
    expect(await voices.evaluate((v) => v.space.blocked)).toBe(false);
  });

  it('that is muted where it is spoken is silence, there and here, and comes back', async () => {
    await talk();
    await voices.evaluate((v) => (v.microphone.muted = true));
    expect(await voices.evaluate((v) => v.microphone.level)).toBe(0);
    await page.waitForTimeout(SETTLED);
    expect(await loudest()).toBeLessThan(0.01);
    await voices.evaluate((v) => (v.microphone.muted = false));
    await isHeard();
  });

  it('that one does not want to hear arrives, but is not heard, in the next call either', async () => {
    await talk();
    await voices.evaluate((v) => v.space.setMuted(v.friend, true));
    await page.waitForTimeout(SETTLED);
    expect(await loudness()).toBeLessThan(SILENT);
    await isHeard();

    await voices.evaluate((v) => v.space.remove(v.friend));
    expect(await arriving()).toBe(0);
    await voices.evaluate((v) => v.call(v.microphone.stream.getAudioTracks()));
    await isHeard();
    expect(await loudness()).toBeLessThan(SILENT);

    await voices.evaluate((v) => v.space.setMuted(v.friend, false));
    await page.waitForTimeout(SETTLED);
    expect(await loudness()).toBeGreaterThan(0.01);
  });

  it('comes from the side on which the other stands, wherever one stands and looks', async () => {
    await talk();
    const rightOverLeft = async (...at: Parameters<VoicePage['stand']>): Promise<number> => {
      await stand(...at);
      const { left, right } = await output();
      return right / left;
    };
    expect(await rightOverLeft(2, 0)).toBeGreaterThan(1.3);
    expect(await rightOverLeft(-2, 0)).toBeLessThan(1 / 1.3);
    expect(await rightOverLeft(0, -2)).toBeCloseTo(1, 1);
    expect(await rightOverLeft(0, -2, 0, Math.PI / 2)).toBeGreaterThan(1.3);
    expect(await rightOverLeft(2, 0, 4)).toBeLessThan(1 / 1.3);
  });

  it('is softer from ten metres, and can still be understood', async () => {
    await talk();
    await stand(0, -1);
    const near = await loudness();
    await stand(0, -10);
    const far = await loudness();
    expect(far / near).toBeGreaterThan(0.25);
    expect(far / near).toBeLessThan(0.75);
  });

  it('is as loud as the slider says, down to nothing', async () => {
    await talk();
    const turnTo = async (volume: number): Promise<number> => {
      await voices.evaluate((v, to) => v.space.setVolume(to), volume);
      await page.waitForTimeout(SETTLED);
      return loudness();
    };
    const [full, half, none] = [await turnTo(1), await turnTo(0.5), await turnTo(0)];
    expect(half / full).toBeGreaterThan(0.2);
    expect(half / full).toBeLessThan(0.75);
    expect(none).toBeLessThan(SILENT);
    await expect(turnTo(1.5)).rejects.toThrow(/0 to 1/);
  });

  it('is gone with its call', async () => {
    await talk();
    await voices.evaluate((v) => v.space.remove(v.friend));
    await page.waitForTimeout(SETTLED);
    expect(await loudness()).toBeLessThan(SILENT);
    expect(await arriving()).toBe(0);
  });

  it('ends when the permission is withdrawn, and says so once', async () => {
    await talk();
    await page.context().grantPermissions([]);
    await expect.poll(() => voices.evaluate((v) => v.ended)).toBe(1);
    expect(await voices.evaluate((v) => v.microphone.level)).toBe(0);
    await voices.evaluate((v) => v.microphone.stop());
    expect(await voices.evaluate((v) => v.ended)).toBe(1);
  });

  it('leaves no audio behind when all have gone, and no room for late calls', async () => {
    await talk();
    await voices.evaluate((v) => v.space.dispose());
    expect(await arriving()).toBe(0);
    expect(await voices.evaluate((v) => v.audio)).toBe('running');
    const tracks = await voices.evaluate((v) => {
      v.microphone.stop();
      return v.microphone.stream.getTracks().map((track) => track.readyState);
    });
    expect(tracks).toEqual(['ended']);
    await expect.poll(() => voices.evaluate((v) => v.audio)).toBe('closed');
    await voices.evaluate((v) => v.call());
    expect(await voices.evaluate((v) => v.audio)).toBe('closed');
  });

  it('is not looked for in a stream without sound', async () => {
    await open();
    expect(await voices.evaluate((v) => v.space.add(v.friend, new MediaStream()))).toBe(false);
  });
});

describe('without a word from the player', () => {
  it('a page that was not touched says that it is kept silent, and a click ends that', async () => {
    const browser = await launchBrowser();
    try {
      const page = await browser.newPage();
      let said = '';
      page.on('console', (message) => (said = message.text()));
      await page.goto(`${site.url}${PATH}?untouched`);
      await expect.poll(() => said, { timeout: 5000 }).toBe('blocked');
      await page.mouse.click(5, 5);
      await expect.poll(() => said).toBe('free');
    } finally {
      await browser.close();
    }
  });

  it.each([
    ['refused', 'who may not have it', [MICROPHONE], (url: string) => url],
    ['missing', 'a machine without any', [CONSENT], (url: string) => url],
    ['insecure', 'a page by http', [MICROPHONE, CONSENT], () => 'http://handover.test/'],
  ])('there is no microphone, "%s", for %s', async (reason, _, args, addressOf) => {
    const browser = await launchBrowser(args);
    try {
      const page = await browser.newPage();
      const address = addressOf(site.url);
      // The same files, under a name that is not this machine's.
      await page.route('http://handover.test/**', async (route) => {
        const url = route.request().url().replace(address, site.url);
        await route.fulfill({ response: await route.fetch({ url }) });
      });
      await page.goto(address + PATH);
      const voices = await page.waitForFunction(() => window.voicePage);
      expect(await voices.evaluate((v) => v?.open())).toBe(reason);
    } finally {
      await browser.close();
    }
  });
});
