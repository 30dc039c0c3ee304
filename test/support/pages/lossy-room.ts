import type { Browser } from 'playwright-core';
import { openSite } from '../run/stories.ts';
import type { PageServer } from '../run/server.ts';
import { startBuiltServer } from '../run/server.ts';
import type { Forwarder, TurnServer } from '../run/turn.ts';
import { startForwarder, startTurn, TURN_PASSWORD, TURN_USER } from '../run/turn.ts';
import { leaveByMenu, openMenu } from './room-faults.ts';
import type { RoomPlayerPage } from './room-page.ts';
import { openPage, startRoom } from './room-page.ts';

/** Milliseconds that a datagram takes from a page to the relay, or back. */
const DELAY = { delayMs: 30, jitterMs: 30 } as const;

/** A room whose players reach each other only through a relay, over a network that loses datagrams. */
export type LossyRoom = {
  /** The host's page. */
  readonly host: RoomPlayerPage;
  readonly link: string;
  close(): Promise<void>;
};

/** Opens a room. @param loss the chance of a datagram to be lost between a page and the relay, in each direction. */
export async function openLossyRoom(browser: Browser, loss: number, seed: number): Promise<LossyRoom> {
  const turn: TurnServer = await startTurn();
  const forwarder: Forwarder = await startForwarder(turn.port, { loss, ...DELAY, seed });
  const { folder } = openSite();
  const server: PageServer = await startBuiltServer(folder, {
    HANDOVER_TURN: `turn:127.0.0.1:${forwarder.port}?transport=udp`,
    HANDOVER_TURN_USER: TURN_USER,
    HANDOVER_TURN_PASSWORD: TURN_PASSWORD,
    HANDOVER_RELAY_ONLY: 'on',
  });
  const host = await openPage(browser, server.url);
  const { link } = await startRoom(host, 'Ada', 'pyramid');
  // A goodbye may be lost, too: then the seat of one who has left waits for half a minute.
  await (await openMenu(host)).getByLabel('Room size').selectOption('8');
  return {
    host,
    link,
    close: async () => {
      await host.context.close();
      await server.close();
      forwarder.close();
      await turn.close();
    },
  };
}

/** The end of a join, in seconds since the page was opened. */
export type JoinEnd = {
  /** The title of the sentence that the lobby showed; null if the page is in the room. */
  readonly failure: string | null;
  readonly seconds: number;
  /** When the lobby first showed each of its steps. */
  readonly steps: Readonly<Record<string, number>>;
};

declare global {
  interface Window {
    joinSteps?: Record<string, number>;
  }
}

/** Has somebody new open the link, and waits until the page is in the room, or says why it is not. Nobody presses anything. */
export async function joinOnce(browser: Browser, link: string): Promise<JoinEnd> {
  const guest = await openPage(browser, link);
  try {
    const end = await guest.page.waitForFunction(
      () => {
        const seconds = performance.now() / 1000;
        const steps = (window.joinSteps ??= {});
        const step = document.querySelector<HTMLElement>('.lobby .trying:not([hidden]) [role=status]');
        if (step !== null) steps[step.innerText] ??= Math.round(10 * seconds) / 10;
        if (window.handover?.room !== undefined) return { failure: null, seconds, steps };
        const title = document.querySelector<HTMLElement>('.lobby .failure:not([hidden]) h2');
        return title === null ? null : { failure: title.innerText, seconds, steps };
      },
      null,
      { polling: 50 },
    );
    const done = await end.jsonValue();
    if (done === null) throw new Error('the join has no end');
    // A seat would wait for a page that goes without a word.
    if (done.failure === null) await leaveByMenu(guest);
    return done;
  } finally {
    await guest.context.close();
  }
}
