import type { Browser } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import type { RoomPlayerPage } from '../../support/pages/room-page.ts';
import { joinByCode, openPage, roomOf, until } from '../../support/pages/room-page.ts';
import { startOnServer } from '../../support/pages/server-room.ts';
import { tapSpeakers } from '../../support/pages/speakers.ts';
import { heard, keepConnections, LOUD, loudness, QUIET, SILENCE, VOICE } from '../../support/pages/voices.ts';
import type { JanusServer } from '../../support/run/janus.ts';
import { hasJanus, JANUS_SECRET, startJanus } from '../../support/run/janus.ts';
import type { PageServer } from '../../support/run/server.ts';
import { startBuiltServer } from '../../support/run/server.ts';
import { connectWholeBrowser, openSite } from '../../support/run/stories.ts';

/** People whom a large room may have. */
const CAPACITY = '16';

describe.skipIf(!hasJanus())('voices in a large room', () => {
  let browser: Browser;
  let janus: JanusServer;
  let server: PageServer;
  const players: RoomPlayerPage[] = [];

  beforeAll(async () => {
    janus = await startJanus();
    server = await startBuiltServer(openSite().folder, {
      HANDOVER_ROOMS: '2',
      HANDOVER_ROOMS_PLAYERS: CAPACITY,
      HANDOVER_JANUS: janus.url,
      HANDOVER_JANUS_SECRET: JANUS_SECRET,
    });
    browser = await connectWholeBrowser();
    const [ada, bo, cy] = [await open(), await open(), await open()];
    await startOnServer(ada, 'Ada', 'pyramid', CAPACITY);
    const { code } = await roomOf(ada);
    await joinByCode(bo, 'Bo', code);
    await joinByCode(cy, 'Cy', code);
  });
  afterAll(async () => {
    await browser.close();
    await server.close();
    await janus.close();
  });
  afterEach(() => {
    for (const { faults } of players) expect(faults).toEqual([]);
  });

  async function open(): Promise<RoomPlayerPage> {
    const player = await openPage(browser, 'about:blank', { permissions: ['microphone'] });
    players.push(player);
    await player.page.addInitScript(keepConnections);
    await player.page.addInitScript(tapSpeakers, 4096);
    await player.page.goto(server.url);
    return player;
  }

  async function press({ page }: RoomPlayerPage, name: string): Promise<void> {
    await page.getByRole('button', { name }).first().click();
  }

  /** Connections that play voices or send them, in each page. */
  function connections(): Promise<number[]> {
    const count = (): number =>
      (window.connections ?? []).filter(
        (one) => one.connectionState === 'connected' && one.getTransceivers().length > 0,
      ).length;
    return Promise.all(players.map(({ page }) => page.evaluate(count)));
  }

  it('[N8.5] [N8.6] one who presses the button is heard by all, through the site; nobody else asks the site', async () => {
    const [ada, bo, cy] = players;
    expect(await connections(), '[N8.7] nobody speaks').toEqual([0, 0, 0]);
    await press(ada, 'Turn my voice on');
    await heard('both hear Ada', [bo, cy], (all) => all.levels[0] > VOICE && loudness(all) > LOUD);
    expect((await roomOf(bo)).players.map(({ voice }) => voice)).toEqual(['on', 'off', 'off']);
    expect(await connections(), 'one each, to the voice server').toEqual([1, 1, 1]);
  });

  it('a second voice comes, is muted for one alone, and goes again, while the first one is heard', async () => {
    const [ada, bo, cy] = players;
    await press(bo, 'Turn my voice on');
    await heard('Cy hears both', [cy], ({ levels }) => levels[0] > VOICE && levels[1] > VOICE);
    await heard('Ada hears Bo', [ada], ({ levels }) => levels[1] > VOICE);
    expect(await connections(), 'one more for each who hears and speaks').toEqual([2, 2, 1]);

    await press(ada, 'Menu (key M)');
    await press(ada, 'Mute Bo for me');
    await heard('Ada does not hear Bo', [ada], (all) => loudness(all) < QUIET && all.levels[1] > VOICE);
    await press(ada, 'Hear Bo again');
    await press(ada, 'Close the menu');

    await press(bo, 'Mute my microphone');
    await heard('Bo is silent', [cy], ({ levels }) => levels[1] < SILENCE && levels[0] > VOICE);
    await press(bo, 'Menu (key M)');
    await press(bo, 'Turn off');
    await press(bo, 'Close the menu');
    await heard('Cy hears Ada', [cy], ({ levels }) => levels[1] < SILENCE && levels[0] > VOICE);
    await until('Bo has only what he hears', async () => (await connections())[1] === 1);
    // Janus gives the line that Bo had to the next who speaks.
    await press(cy, 'Turn my voice on');
    await heard(
      'Ada hears Cy, and not Bo',
      [ada],
      ({ levels }) => levels[2] > VOICE && !(levels[1] > SILENCE),
    );
    await heard('Bo hears Ada and Cy', [bo], ({ levels }) => levels[0] > VOICE && levels[2] > VOICE);
  });

  it('come back by themselves when the voice server has begun anew', async () => {
    const [ada, bo, cy] = players;
    const { port } = janus;
    await janus.close();
    await heard('silence', [bo], (all) => loudness(all) < QUIET);
    expect((await roomOf(ada)).voice.kind, 'Ada’s microphone stays').toBe('connecting');
    janus = await startJanus(port);
    await heard('both hear Ada again', [bo, cy], (all) => all.levels[0] > VOICE && loudness(all) > LOUD);
    expect((await roomOf(ada)).voice.kind).toBe('on');
  });

  it('who has left the room closes its connections', async () => {
    const [ada, , cy] = players;
    await press(cy, 'Menu (key M)');
    await press(cy, 'Leave the room');
    await cy.page.getByRole('button', { name: 'Leave', exact: true }).click();
    await until('Cy has left', async () => (await roomOf(ada)).players.every(({ name }) => name !== 'Cy'));
    await until('its connections are closed', async () => (await connections())[2] === 0);
  });
});
