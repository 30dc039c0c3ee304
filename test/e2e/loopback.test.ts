import type { Browser, Page } from 'playwright-core';
import { Euler, PerspectiveCamera, Vector3 } from 'three';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import type { Inspection } from '../../src/core/peer/diagnostics/inspect.ts';
import { paneRectangles } from '../../src/input/panes.ts';
import { START_PLACES } from '../../src/pages/loopback/start-places.ts';
import { openPage } from '../support/pages/room-page.ts';
import type { Site } from '../support/run/stories.ts';
import { connectBrowser, openSite } from '../support/run/stories.ts';

const SIZE = { width: 1000, height: 600 };

describe('the loopback page', () => {
  let site: Site;
  let browser: Browser;
  let page: Page;
  let faults: string[] = [];

  beforeAll(async () => {
    site = openSite();
    browser = await connectBrowser();
  });
  afterAll(() => browser.close());
  afterEach(async () => {
    await page.context().close();
    expect(faults).toEqual([]);
  });

  async function open(query: string, viewport = SIZE): Promise<void> {
    const address = `${site.url}?view=loopback&${query.slice(1)}`;
    ({ page, faults } = await openPage(browser, address, { viewport }));
    await page.waitForFunction(() => (window.handover?.inspect()[1]?.tick ?? 0) > 30);
  }

  const inspect = (): Promise<Inspection[]> => page.evaluate(() => window.handover?.inspect() ?? []);

  /** Waits until a condition on both peers holds. */
  async function until(
    what: string,
    condition: (peers: Inspection[]) => boolean,
    seconds = 60,
  ): Promise<void> {
    const end = Date.now() + seconds * 1000;
    while (Date.now() < end) {
      if (condition(await inspect())) return;
      await page.waitForTimeout(100);
    }
    expect.fail(`within ${seconds} s: ${what}`);
  }

  const allAtRest = (peers: Inspection[]): boolean =>
    peers.every((peer) => peer.bodies.every((body) => body.resting && body.authority === null));

  /** Where a point of the world is on the screen, in a pane whose player stands where it started. */
  function onScreen(pane: 0 | 1, position: readonly [number, number, number]): { x: number; y: number } {
    const { x, y, width, height } = paneRectangles(SIZE.width, SIZE.height)[pane];
    const camera = new PerspectiveCamera(60, width / height, 0.05, 100);
    const start = START_PLACES[pane];
    camera.position.set(start.position.x, start.position.y, start.position.z);
    camera.setRotationFromEuler(new Euler(start.pitch, start.yaw, 0, 'YXZ'));
    camera.updateMatrixWorld();
    const point = new Vector3(...position).project(camera);
    return { x: x + ((point.x + 1) / 2) * width, y: y + ((1 - point.y) / 2) * height };
  }

  /**
   * Presses the mouse on a point until a player's hand holds something. A page with few frames may not have seen yet what the
   * pointer is at: then the press takes nothing, and another one follows.
   */
  async function pressUntilHeld(
    at: { x: number; y: number },
    isHeld: (peers: Inspection[]) => boolean,
  ): Promise<void> {
    const end = Date.now() + 60_000;
    for (;;) {
      await page.mouse.move(at.x, at.y);
      await page.mouse.down();
      for (let looks = 0; looks < 40; looks++) {
        if (isHeld(await inspect())) return;
        await page.waitForTimeout(100);
      }
      if (Date.now() > end) expect.fail('within 60 s: the mouse holds a cube');
      await page.mouse.up();
    }
  }

  it('[G2.1] a cube is grabbed, dragged and thrown with the mouse, and lies the same in both worlds', async () => {
    await open('?scene=pyramid&latency=30&jitter=20&loss=2&panel=closed&help=off');
    await until('the pyramid rests', allAtRest);
    const [host] = await inspect();
    const top = host.bodies.length - 1;
    const from = onScreen(0, [...host.bodies[top].position]);

    await pressUntilHeld(from, ([peer]) => peer.bodies[top].holder?.hand === 'right');
    const before = await page.evaluate((body) => window.handover?.drawn(0, body), top);

    // In one and the same frame: the pointer moves, and where the cube is drawn in it.
    const drawn = await page.evaluate(
      ({ body, x, y }) =>
        new Promise<{ x: number; y: number; z: number } | undefined>((resolve) => {
          requestAnimationFrame(() => {
            const stage = document.querySelector('#stage');
            const init = {
              pointerId: 1,
              pointerType: 'mouse',
              buttons: 1,
              clientX: x,
              clientY: y,
              bubbles: true,
            };
            stage?.dispatchEvent(new PointerEvent('pointermove', init));
            requestAnimationFrame(() => setTimeout(() => resolve(window.handover?.drawn(0, body))));
          });
        }),
      { body: top, x: from.x, y: from.y - 80 },
    );
    expect(before).toBeDefined();
    expect(drawn).toBeDefined();
    const moved = onScreen(0, [drawn?.x ?? 0, drawn?.y ?? 0, drawn?.z ?? 0]);
    expect(Math.hypot(moved.x - from.x, moved.y - (from.y - 80)), 'pixels off the pointer').toBeLessThan(12);

    await until('the guest sees it in that hand, in the host’s colour', ([, guest]) => {
      const body = guest.bodies[top];
      return body.authority === 0 && body.holder?.slot === 0;
    });
    for (let step = 1; step <= 8; step++)
      await page.mouse.move(from.x + step * 22, from.y - 80, { steps: 2 });
    await page.mouse.up();
    await until('it flies by itself', ([peer]) => peer.bodies[top].holder === null);
    await until('all rest again, under none, on both', allAtRest);
    const [a, b] = await inspect();
    expect(b.bodies.map((body) => body.position)).toEqual(a.bodies.map((body) => body.position));
    expect(b.bodies.map((body) => body.rotation)).toEqual(a.bodies.map((body) => body.rotation));
    const flown = Math.hypot(...a.bodies[top].position.map((p, i) => p - host.bodies[top].position[i]));
    expect(flown, 'metres that it flew').toBeGreaterThan(1);
  });

  it('the pane that the pointer is in has the hands, and space resets both worlds', async () => {
    await open('?scene=tower&panel=closed');
    await until('the tower rests', allAtRest);
    const [host] = await inspect();
    const at = onScreen(1, [...host.bodies[3].position]);
    await pressUntilHeld(at, (peers) => peers[1].bodies.some((body) => body.holder?.slot === 1));
    await page.mouse.up();
    await page.keyboard.press('Space');
    await until('both have the next reset', (peers) => peers.every((peer) => peer.reset === 1));
    await until(
      'the tower stands again',
      (peers) => allAtRest(peers) && peers[1].bodies[19].position[1] > 9.4,
    );
  });

  it('[T4.1] the simulation goes on without frames', async () => {
    await open('?bots=chaos&panel=closed');
    await page.evaluate(() => {
      window.requestAnimationFrame = () => 0;
    });
    await page.waitForTimeout(300);
    // A busy machine may stall a page for a while: one of several spans has the rate.
    let most = 0;
    for (let tries = 0; most <= 90 && tries < 10; tries++) {
      const [before] = await inspect();
      await page.waitForTimeout(2000);
      const [after] = await inspect();
      most = Math.max(most, after.tick - before.tick);
    }
    expect(most, 'ticks in two seconds').toBeGreaterThan(90);
  });

  it('a script moves a hand as a device would, and is told what is wrong', async () => {
    await open('?scene=grid&count=4&panel=closed');
    await until('the cubes rest', allAtRest);
    const [host] = await inspect();
    const [x, y, z] = host.bodies[3].position;
    await page.evaluate(
      ([px, py, pz]) => window.handover?.hand(1, 'left', { position: { x: px, y: py, z: pz } }),
      [x, y + 0.27, z],
    );
    await page.waitForTimeout(300);
    const grip = (rise: number): Promise<void> =>
      page.evaluate(
        ([px, py, pz]) => window.handover?.hand(1, 'left', { position: { x: px, y: py, z: pz }, grip: 1 }),
        [x, y + 0.27 + rise, z] as const,
      );
    await grip(0);
    await until('the left hand of the guest holds it', ([peer]) => peer.bodies[3].holder?.hand === 'left');
    await grip(0.5);
    await until('it has been lifted in the host’s world', ([peer]) => peer.bodies[3].position[1] > y + 0.4);
    const complaint = await page.evaluate(() => {
      try {
        window.handover?.hand(9, 'left', null);
        return 'nothing';
      } catch (error) {
        return String(error);
      }
    });
    expect(complaint).toContain('slot');
  });

  it('all settings stand in the URL, and a wrong one is named', async () => {
    await open('?scene=nowhere&latency=30');
    await expect
      .poll(() => page.getByRole('alert').allInnerTexts())
      .toContainEqual(expect.stringContaining('nowhere'));
    await page
      .getByRole('button', { name: 'Awful' })
      .or(page.getByText('Awful', { exact: true }))
      .first()
      .click();
    await expect.poll(() => page.url()).toContain('latency=125');
    await page.keyboard.press('g');
    await expect.poll(() => page.url()).toContain('ghosts=on');
  });

  it('alt-click reads a cube’s record on both peers, with the rules by which it changed hands', async () => {
    await open('?scene=pyramid&panel=closed&help=off');
    await until('the pyramid rests', allAtRest);
    const [host] = await inspect();
    const at = onScreen(0, [...host.bodies[host.bodies.length - 1].position]);
    await pressUntilHeld(at, ([peer]) => peer.bodies.at(-1)?.holder?.slot === 0);
    await page.mouse.up();
    const readRecord = async (): Promise<string> => {
      const [now] = await inspect();
      const place = onScreen(0, [...now.bodies[now.bodies.length - 1].position]);
      await page.keyboard.down('Alt');
      await page.mouse.click(place.x, place.y);
      await page.keyboard.up('Alt');
      return page.locator('body').innerText();
    };
    await expect.poll(readRecord, { interval: 500 }).toContain('A6');
  });

  it('fits a phone', async () => {
    await open('', { width: 390, height: 844 });
    const wide = await page.evaluate(() => document.documentElement.scrollWidth);
    expect(wide).toBeLessThanOrEqual(390);
  });
});
