import type { Browser } from 'playwright-core';
import { chromium } from 'playwright-core';
import { inject } from 'vitest';
import { PATIENCE } from './patience.ts';
import { startBuiltServer } from './server.ts';

/** The server that all stories of a run share. */
export type Site = {
  /** The address of the built pages; ends with a slash. */
  readonly url: string;
  /** The folder that they are in, for a server of a story's own. */
  readonly folder: string;
};

/** A server of a story's own, whose broker the story may stop: other rooms are in play at the same time. */
export type OwnSite = {
  /** The address of the built pages; ends with a slash. */
  readonly url: string;
  /** Ends the connections of the broker, and takes no new ones; the pages stay. */
  stopBroker(): Promise<void>;
  startBroker(): void;
  /** Ends the server. */
  close(): Promise<void>;
};

/** Connects to the browser of the run. To close it closes what this connection has opened, and nothing else. */
export function connectBrowser(): Promise<Browser> {
  return connect(inject('shared').browser);
}

/** The same for stories with a microphone, or with the question whether a page may use it. */
export function connectWholeBrowser(): Promise<Browser> {
  return connect(inject('shared').wholeBrowser);
}

async function connect(endpoint: string): Promise<Browser> {
  const browser = await chromium.connect(endpoint);
  browser.on('context', (context) => context.setDefaultTimeout(PATIENCE * 1000));
  return browser;
}

/** The server of the run. */
export function openSite(): Site {
  const { pages, folder } = inject('shared');
  return { url: pages, folder };
}

/** Starts a server with the pages of the run and a broker, for the stories of one file. */
export function openOwnSite(): Promise<OwnSite> {
  return startBuiltServer(inject('shared').folder);
}
