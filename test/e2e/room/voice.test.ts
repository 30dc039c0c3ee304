import type { Browser, JSHandle } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { crash, nextHost } from '../../support/pages/room-faults.ts';
import { dropHand, grabCube, throwCube } from '../../support/pages/room-moves.ts';
import type { RoomPlayerPage } from '../../support/pages/room-page.ts';
import { inRoom, openPage, roomOf, startRoom, until } from '../../support/pages/room-page.ts';
import { tapSpeakers } from '../../support/pages/speakers.ts';
import type { Heard } from '../../support/pages/voices.ts';
import {
  heard,
  keepConnections,
  LISTENING_MS,
  LOUD,
  loudness,
  measure,
  QUIET,
  SILENCE,
  spoken,
  VOICE,
} from '../../support/pages/voices.ts';
import type { Site } from '../../support/run/stories.ts';
import { connectWholeBrowser, openSite } from '../../support/run/stories.ts';

/** How much louder a voice is in the ear that is turned to it, at the least. */
const ONE_SIDED = 1.3;

/** Runs in a page: how many connections with voices it has had so far. */
function callsMade(): number {
  const { connections = [] } = window;
  return connections.filter((connection) => connection.getTransceivers().length > 0).length;
}

async function press({ page }: RoomPlayerPage, name: string): Promise<void> {
  await page.getByRole('button', { name }).first().click();
}

/** Opens the menu for what is done in it, and closes it again. */
async function inMenu(player: RoomPlayerPage, act: () => Promise<void>): Promise<void> {
  await press(player, 'Menu (key M)');
  await act();
  await press(player, 'Close the menu');
}

/** The voice state of a player, as everybody is told. */
async function voiceOf(player: RoomPlayerPage, slot: number): Promise<string | undefined> {
  return (await roomOf(player)).players.find((other) => other.slot === slot)?.voice;
}

describe('voices in a room', () => {
  let site: Site;
  let browser: Browser;
  const players: RoomPlayerPage[] = [];
  let link = '';

  beforeAll(async () => {
    site = openSite();
    browser = await connectWholeBrowser();
    ({ link } = await startRoom(await open(site.url), 'Ada', 'pyramid'));
    await join();
    await join();
  });
  afterAll(() => browser.close());
  afterEach(() => {
    for (const { faults } of players) expect(faults).toEqual([]);
  });

  async function open(url: string, permissions: readonly string[] = ['microphone']): Promise<RoomPlayerPage> {
    const player = await openPage(browser, 'about:blank', { permissions: [...permissions] });
    players.push(player);
    await player.page.addInitScript(keepConnections);
    await player.page.addInitScript(tapSpeakers, 4096);
    await player.page.goto(url);
    return player;
  }

  async function join(permissions?: readonly string[]): Promise<RoomPlayerPage> {
    const player = await open(link, permissions);
    await inRoom(player);
    return player;
  }

  /** Presses the button beside the menu's, where the voice is not on yet. */
  async function speak(player: RoomPlayerPage): Promise<void> {
    const { kind } = (await roomOf(player)).voice;
    if (kind === 'off') await press(player, 'Turn my voice on');
    if (kind === 'muted') await press(player, 'Unmute my microphone');
    await until('the microphone is on', async () => (await roomOf(player)).voice.kind === 'on');
  }

  /** The first three have their voices on. */
  async function allSpeak(): Promise<void> {
    await Promise.all(players.slice(0, 3).map(speak));
  }

  /** They do, and hear one another. */
  async function talk(): Promise<readonly Heard[]> {
    await allSpeak();
    return heard('everybody hears the two others', players.slice(0, 3), (all) => {
      const { levels, avatars } = all;
      const speak = [0, 1, 2].every((slot) => levels[slot] > VOICE && avatars[slot] > VOICE);
      return speak && spoken(all) === 2 && loudness(all) > LOUD;
    });
  }

  it('each of three who press the button hears the two others, and sees them speak', async () => {
    const began = performance.now();
    const all = await talk();
    const rates = all.map(({ tracks }) => tracks.map((rate) => rate.toFixed(0)).join(' and '));
    console.log(`after ${((performance.now() - began) / 1000).toFixed(1)} s, at ${rates.join(', ')} kbit/s`);
    for (const player of players) expect(await voiceOf(player, 0)).toBe('on');
  });

  it('who mutes is silent on the track and on the avatar of everybody, until unmuted', async () => {
    await allSpeak();
    const [ada, red, green] = players;
    await press(red, 'Mute my microphone');
    await heard('Red is silent', [ada, green], (all) => {
      const { levels, avatars } = all;
      // Levels are of the sound as it arrives, whatever its sender says of itself.
      return [0, 2].every((slot) => levels[slot] > VOICE) && levels[1] < SILENCE && avatars[1] < SILENCE;
    });
    for (const player of [ada, green]) expect(await voiceOf(player, 1)).toBe('muted');
    await talk();
    for (const player of [ada, green]) expect(await voiceOf(player, 1)).toBe('on');
  });

  it('who does not want to hear somebody is the only one who does not', async () => {
    await allSpeak();
    const [ada, red, green] = players;
    await inMenu(ada, async () => {
      await press(ada, 'Mute Red for me');
      await press(ada, 'Mute Green for me');
    });
    const [here] = await heard('Ada hears nobody', [ada], (all) => loudness(all) < QUIET);
    expect(here.levels[1], 'they speak on').toBeGreaterThan(VOICE);
    await heard(
      'the others hear each other',
      [red, green],
      (all) => loudness(all) > LOUD && spoken(all) === 2,
    );
    expect((await roomOf(ada)).players.map(({ mutedHere }) => mutedHere)).toEqual([false, true, true]);
    expect((await roomOf(red)).players.map(({ mutedHere }) => mutedHere)).toEqual([false, false, false]);
    await inMenu(ada, async () => {
      await press(ada, 'Hear Red again');
      await press(ada, 'Hear Green again');
    });
    await heard('Ada hears them again', [ada], (all) => loudness(all) > LOUD);
  });

  it('[P8.3] that are off, as their page says, are not heard although they arrive, and can be muted', async () => {
    await allSpeak();
    const [ada, red, green] = players;
    await press(red, 'Mute my microphone');
    await press(green, 'Mute my microphone');
    const honest = await denyVoice(green);
    try {
      await press(green, 'Unmute my microphone');
      await until('the roster has it as off', async () => (await voiceOf(ada, 2)) === 'off');
      await heard('it arrives, and is not played', [ada], (all) => {
        return all.levels[2] > VOICE && loudness(all) < QUIET;
      });
      await inMenu(ada, () => ada.page.getByRole('button', { name: 'Mute Green for me' }).waitFor());
    } finally {
      await honest.evaluate((restore) => restore());
    }
    await press(green, 'Mute my microphone');
    await talk();
  });

  it('comes from where the other’s avatar stands, as the listener looks', async () => {
    await allSpeak();
    const [ada, , green] = players;
    await press(green, 'Mute my microphone');
    for (const direction of ['left', 'right'] as const) {
      await turn(ada, direction);
      // The picture turns with the next frame.
      await until('Red stands to one side', async () => Math.abs(await sideOf(ada, 1)) > 0.6);
      const side = await sideOf(ada, 1);
      await heard(`looking to the ${direction}, Ada hears Red from ${side}`, [ada], (all) => {
        const ratio = all.right / all.left;
        return loudness(all) > LOUD && (side > 0 ? ratio > ONE_SIDED : ratio < 1 / ONE_SIDED);
      });
    }
  });

  it('who comes later, and has no microphone, hears those who speak, is told why, and plays on', async () => {
    await allSpeak();
    const yellow = await join([]);
    await heard('Yellow hears three', [yellow], (all) => loudness(all) > LOUD && spoken(all) === 3);
    await press(yellow, 'Turn my voice on');
    await yellow.page.getByText('Microphone blocked. Allow it in the address bar.').first().waitFor();
    expect((await roomOf(yellow)).voice).toEqual({ kind: 'failed', failure: 'refused' });
    await throwCube(yellow, 'right', await grabCube(yellow, 'right', 35));
    await dropHand(yellow, 'right');
    await heard('and still', [yellow], (all) => loudness(all) > LOUD && spoken(all) === 3);
  });

  it('who turns the voice off calls nobody any more, and hears on', async () => {
    await allSpeak();
    const [ada, red, green] = players;
    await inMenu(green, () => press(green, 'Turn off'));
    await heard('one voice is gone', [ada, red], (all) => all.tracks.length === 1 && all.levels[2] === 0);
    await heard('Green hears on', [green], (all) => spoken(all) === 2 && loudness(all) > LOUD);
    for (const player of [ada, red]) expect(await voiceOf(player, 2)).toBe('off');
  });

  it('[F4.1] goes on while the host’s page is gone, and under the next host', async () => {
    await allSpeak();
    const [ada, red, green, yellow] = players;
    const left = [red, green];
    await heard('three speak', left, (all) => spoken(all) === 2);
    await crash(ada.page);
    let silences = 0;
    const listen = async (): Promise<void> => {
      const all = await Promise.all(left.map(({ page }) => page.evaluate(measure, LISTENING_MS)));
      for (const [i, { levels }] of all.entries()) silences += levels[i === 0 ? 2 : 1] > VOICE ? 0 : 1;
    };
    await nextHost([red, green, yellow], 0, 60, listen);
    for (let i = 0; i < 3; i++) await listen();
    expect(silences).toBe(0);
    for (const player of left) {
      // On a slow machine her place may have expired, or the next host's roster may still be on its way.
      await until('Ada’s voice is off', async () => ((await voiceOf(player, 0)) ?? 'off') === 'off');
      expect(await Promise.all([1, 2].map((slot) => voiceOf(player, slot)))).toEqual(['on', 'on']);
    }
    await heard('Yellow hears on', [yellow], (all) => spoken(all) === 2 && loudness(all) > LOUD);
  });

  it('[F4.15] goes on while a host stands still, and is a guest when it wakes', async () => {
    const [, red, green] = players;
    const left = players.slice(1);
    const former = await nextHost(left, 0);
    await heard('each hears the other', [red, green], ({ levels }) => Math.max(levels[1], levels[2]) > VOICE);
    const calls = await Promise.all([red, green].map(({ page }) => page.evaluate(callsMade)));
    const frozen = players[former].page.evaluate(() => {
      const end = performance.now() + 4000;
      while (performance.now() < end);
    });
    const next = await nextHost(
      left.filter((player) => player !== players[former]),
      former,
    );
    await frozen;
    await until(
      'the one that stood still is a guest',
      async () => (await roomOf(players[former])).host === next,
    );
    await heard('each hears the other', [red, green], ({ levels }) => Math.max(levels[1], levels[2]) > VOICE);
    const callsLater = await Promise.all([red, green].map(({ page }) => page.evaluate(callsMade)));
    // Only the one that stood still may have to be called again.
    for (const [i, made] of callsLater.entries()) expect(made - calls[i], 'calls made anew').toBeLessThan(2);
  });
});

/** Turns the head to one side of where it was at first, by a right angle, with the right button. */
async function turn({ page }: RoomPlayerPage, direction: 'left' | 'right'): Promise<void> {
  const drag = async (from: number, to: number): Promise<void> => {
    await page.mouse.move(from, 200);
    await page.mouse.down({ button: 'right' });
    await page.mouse.move(to, 200, { steps: 4 });
    await page.mouse.up({ button: 'right' });
  };
  if (direction === 'left') await drag(440, 50);
  else for (let i = 0; i < 2; i++) await drag(50, 440);
}

/** From now on a page says that its voice is off, while it speaks. @returns a function of the page that ends it. */
async function denyVoice({ page }: RoomPlayerPage): Promise<JSHandle<() => void>> {
  return page.evaluateHandle(() => {
    const channel: { send(data: string | ArrayBuffer): void } = RTCDataChannel.prototype;
    const { send } = channel;
    channel.send = function (data) {
      send.call(this, typeof data === 'string' ? data.replace('"voice":"on"', '"voice":"off"') : data);
    };
    return () => void (channel.send = send);
  });
}

/** How far to the right of its own head a player has another's: -1 to 1. */
async function sideOf({ page }: RoomPlayerPage, of: number): Promise<number> {
  return page.evaluate((of) => {
    const you = window.handover?.room?.().you ?? 0;
    const [own, other] = [you, of].map((slot) => window.handover?.avatar(you, slot)?.head);
    if (own === undefined || other === undefined) throw new Error('somebody is not seen');
    const [x, z] = [other.position.x - own.position.x, other.position.z - own.position.z];
    const { x: i, y: j, z: k, w } = own.rotation;
    // The first column of the rotation is where its right side points.
    return (x * (1 - 2 * (j * j + k * k)) + z * 2 * (i * k - j * w)) / Math.hypot(x, z);
  }, of);
}
