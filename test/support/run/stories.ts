import type { Browser } from 'playwright-core';
import { chromium } from 'playwright-core';
import { inject } from 'vitest';

/** The server that all stories of a run share. */
export type Site = {
  /** The address of the built pages; ends with a slash. */
  readonly url: string;
  /** The folder that they are in, for a server of a story's own. */
  readonly folder: string;
  /** Ends the connections of the broker, and takes no new ones; the pages stay. */
  stopBroker(): Promise<void>;
  startBroker(): Promise<void>;
};

/** Connects to the browser of the run. To close it closes what this connection has opened, and nothing else. */
export function connectBrowser(): Promise<Browser> {
  return chromium.connect(inject('shared').browser);
}

/** The server of the run, with its broker running: a story that failed may have stopped it. */
export async function openSite(): Promise<Site> {
  const { pages, folder, broker } = inject('shared');
  const post = async (path: string): Promise<void> => {
    const { ok, status } = await fetch(broker + path, { method: 'POST' });
    if (!ok) throw new Error(`the switch of the broker answered ${status}`);
  };
  await post('/start');
  return { url: pages, folder, stopBroker: () => post('/stop'), startBroker: () => post('/start') };
}
