import type { Browser, JSHandle, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Site } from '../support/run/stories.ts';
import { connectBrowser, openSite } from '../support/run/stories.ts';
import type { EffectsPage, Heard, Step } from './pages/effects.ts';

const PATH = 'test/e2e/pages/effects.html';
/** A sound is over soon. */
const WAIT = { interval: 20 };
/** Milliseconds after which the ears of the page have forgotten what they heard. */
const FORGOTTEN = 1200;

let site: Site;
let browser: Browser;
let page: Page;
let effects: JSHandle<EffectsPage>;
const faults: string[] = [];

beforeAll(async () => {
  site = openSite();
  browser = await connectBrowser();
  page = await open();
  effects = (await page.waitForFunction(() => window.effectsPage)) as JSHandle<EffectsPage>;
});
afterAll(async () => {
  await browser.close();
  expect(faults).toEqual([]);
});

async function open(query = ''): Promise<Page> {
  const opened = await browser.newPage();
  opened.on('pageerror', (error) => faults.push(error.message));
  await opened.goto(site.url + PATH + query);
  return opened;
}

function render(steps: readonly Step[], seconds?: number): Promise<Heard> {
  return effects.evaluate((e, [todo, length]) => e.render(todo, length), [steps, seconds] as const);
}

/** A contact at the beginning. */
function contact(x: number, strength = 1, more: Partial<Step> = {}): Step {
  return { seconds: 0, kind: 'contact', place: [x, 0, -1], strength, ...more };
}

const decibels = (ratio: number): number => 20 * Math.log10(ratio);

describe('a contact', () => {
  it('comes from the side on which it happens, as the head is turned, also where another has just been', async () => {
    const right = await render([contact(2)]);
    expect(decibels(right.right / right.left)).toBeGreaterThan(6);
    const left = await render([contact(-2)]);
    expect(decibels(left.left / left.right)).toBeGreaterThan(6);
    const ahead = await render([contact(0)]);
    expect(ahead.right / ahead.left).toBeCloseTo(1, 3);
    const turned = await render([contact(0, 1, { turn: Math.PI / 2 })]);
    expect(decibels(turned.right / turned.left)).toBeGreaterThan(6);
    const many = Array.from({ length: 30 }, (_, i) => contact(-20, 0.01, { seconds: i * 0.01 }));
    const after = await render([...many, contact(2, 1, { seconds: 0.4 })], 0.8);
    expect(decibels(after.right / after.left)).toBeGreaterThan(6);
  });

  it('is louder and brighter the stronger it is, and not heard without strength', async () => {
    const steps = [0.02, 0.2, 0.4, 0.6, 0.8, 1];
    const heard: Heard[] = [];
    for (const strength of steps) heard.push(await render([contact(0, strength)]));
    for (let i = 1; i < heard.length; i++) {
      expect(heard[i].left).toBeGreaterThan(heard[i - 1].left * 1.2);
      expect(heard[i].peak).toBeGreaterThan(heard[i - 1].peak * 1.2);
    }
    expect(heard[5].brightness).toBeGreaterThan(heard[0].brightness * 1.5);
    for (const strength of [0, -1, NaN]) expect((await render([contact(0, strength)])).started).toBe(0);
  });

  it('is softer from afar, and nothing from where it can not be heard, or from nowhere', async () => {
    const [near, far] = [await render([contact(0)]), await render([contact(0, 1, { place: [0, 0, -10] })])];
    expect(decibels(near.left / far.left)).toBeGreaterThan(15);
    expect((await render([contact(0, 0.1, { place: [0, 0, -60] })])).started).toBe(0);
    expect((await render([contact(0, 1, { place: [NaN, 0, 0] })])).started).toBe(0);
  });

  it('is over within a quarter of a second', async () => {
    const { last, peak } = await render([contact(0)]);
    expect(last).toBeGreaterThan(0.05);
    expect(last).toBeLessThan(0.25);
    expect(peak).toBeGreaterThan(0.1);
  });

  it('varies in pitch by a few percent, is higher with strength, and the same each time', async () => {
    const blows = (strength: number): Promise<Heard> =>
      render(
        Array.from({ length: 10 }, (_, i) => contact(0, strength, { seconds: i / 4 })),
        3,
      );
    const [soft, hard, again] = [await blows(0.2), await blows(1), await blows(1)];
    expect(new Set(hard.rates).size).toBe(10);
    const [lowest, highest] = [Math.min(...hard.rates), Math.max(...hard.rates)];
    expect(highest / lowest).toBeGreaterThan(1.02);
    expect(highest / lowest).toBeLessThan(1.2);
    hard.rates.forEach((rate, i) => expect(rate).toBeGreaterThan(soft.rates[i]));
    expect(again).toEqual(hard);
  });
});

describe('of many sounds', () => {
  it('24 at once, each as loud as can be, stay below full scale', async () => {
    const kinds = ['contact', 'grab', 'lose'] as const;
    const steps = Array.from({ length: 24 }, (_, i) => contact(0, 1, { kind: kinds[i % 3] }));
    const { peak, atOnce } = await render(steps);
    expect(atOnce).toBe(24);
    expect(peak).toBeGreaterThan(0.5);
    expect(peak).toBeLessThan(0.9);
  });

  it('at most 24 sound at once, of a thousand in a second', async () => {
    const kinds = ['contact', 'grab', 'release', 'lose', 'teleport'] as const;
    const steps = Array.from({ length: 1000 }, (_, i) =>
      contact(i % 7, 0.3 + (i % 11) * 0.05, { kind: kinds[i % 5], seconds: i / 1000 }),
    );
    const { atOnce, peak } = await render(steps, 1.3);
    expect(atOnce).toBe(24);
    expect(peak).toBeLessThan(0.9);
  });

  it('at most 8 contacts begin within 50 ms and go on, the strongest', async () => {
    const pile = Array.from({ length: 40 }, (_, i) => contact(0, 0.1 + i * 0.02));
    const faint = await render(pile.slice(0, 8));
    const all = await render(pile);
    expect(faint.atOnce).toBe(8);
    expect(all.atOnce).toBe(8);
    expect(all.left).toBeGreaterThan(faint.left * 2);
    expect((await render([...pile].reverse())).started).toBe(8);
  });

  it('one contact of a pair is heard within 50 ms, the stronger, and the next after that', async () => {
    const rattle = (seconds: number, strength: number, pair = 7): Step =>
      contact(0, strength, { seconds, pair });
    expect((await render([rattle(0, 1), rattle(0.02, 0.9), rattle(0.04, 0.9)])).started).toBe(1);
    const louder = await render([rattle(0, 0.3), rattle(0.02, 1)]);
    expect(louder).toMatchObject({ started: 2, atOnce: 1 });
    expect((await render([rattle(0, 1), rattle(0.06, 0.9)])).atOnce).toBe(2);
    expect((await render([rattle(0, 1), rattle(0, 0.9, 8)])).atOnce).toBe(2);
  });

  it('a letting go is softer than a grab, and both softer than a blow', async () => {
    const heard: number[] = [];
    for (const kind of ['release', 'grab', 'contact'] as const)
      heard.push((await render([contact(0, 1, { kind })])).left);
    expect(heard[1]).toBeGreaterThan(heard[0] * 1.2);
    expect(heard[2]).toBeGreaterThan(heard[1] * 1.2);
  });

  it('a page is not held up by making them', async () => {
    expect(await effects.evaluate((e) => e.preparing())).toBeLessThan(200);
  });
});

describe('effects in a page', () => {
  const loudness = async (): Promise<number> => {
    const { left, right } = await effects.evaluate((e) => e.output);
    return Math.max(left, right);
  };
  const hit = (...how: Parameters<EffectsPage['hit']>): Promise<void> =>
    effects.evaluate((e, args) => e.hit(...args), how);

  it('open nothing before the player has touched it, and then sound by themselves', async () => {
    const untouched = await open('?untouched');
    let said = '';
    untouched.on('console', (message) => (said = message.text()));
    await expect.poll(() => said, WAIT).toBe('none');
    await untouched.waitForTimeout(300);
    expect(said).toBe('none');
    await untouched.mouse.click(5, 5);
    await expect.poll(() => said, WAIT).toBe('running');
    await untouched.close();
  });

  it('are silent while they are muted, sound again afterwards, and end with their context', async () => {
    await effects.evaluate((e) => (e.effects.muted = true));
    await hit(2, 6);
    expect(await effects.evaluate((e) => e.state)).toBeUndefined();

    await effects.evaluate((e) => (e.effects.muted = false));
    await hit(2, 6);
    await expect.poll(() => effects.evaluate((e) => e.state), WAIT).toBe('running');
    await hit(2, 6);
    await expect.poll(loudness, WAIT).toBeGreaterThan(0.01);
    const { left, right } = await effects.evaluate((e) => e.output);
    expect(decibels(right / left)).toBeGreaterThan(6);

    await effects.evaluate((e) => (e.effects.muted = true));
    await page.waitForTimeout(FORGOTTEN);
    await hit(2, 6);
    await page.waitForTimeout(100);
    expect(await loudness()).toBe(0);

    await effects.evaluate((e) => {
      e.effects.muted = false;
      e.effects.volume = 0.5;
    });
    await page.waitForTimeout(200);
    await hit(2, 6);
    await expect.poll(loudness, WAIT).toBeGreaterThan(0.005);
    await expect(effects.evaluate((e) => (e.effects.volume = 1.5))).rejects.toThrow(/0 to 1/);

    await effects.evaluate((e) => e.effects.dispose());
    await expect.poll(() => effects.evaluate((e) => e.state), WAIT).toBe('closed');
    await hit(2, 6);
    expect(await effects.evaluate((e) => e.state)).toBe('closed');
  });
});
