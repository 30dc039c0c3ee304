import type { Browser } from 'playwright-core';
import { afterAll, afterEach, beforeAll, expect } from 'vitest';
import type { Site } from '../run/stories.ts';
import { connectBrowser, openSite } from '../run/stories.ts';
import type { Display, RoomPlayerPage } from './room-page.ts';
import { openPage } from './room-page.ts';

/** The stage of a file's stories: the server and the browser of the run, and the pages of the present story. */
export class StoryStage {
  /** The players of the present story. */
  readonly players: RoomPlayerPage[] = [];
  #site: Site | null = null;
  #browser: Browser | null = null;

  /** Begins, before all stories. */
  async begin(): Promise<void> {
    this.#site = openSite();
    this.#browser = await connectBrowser();
  }

  /** The address of the lobby. */
  get url(): string {
    if (this.#site === null) throw new Error('the stories have not begun');
    return this.#site.url;
  }

  /** Opens a page for another player, who has never been there. */
  async open(
    url = this.url,
    options?: Parameters<typeof openPage>[2],
    display?: Display,
  ): Promise<RoomPlayerPage> {
    if (this.#browser === null) throw new Error('the stories have not begun');
    const player = await openPage(this.#browser, url, options, display);
    this.players.push(player);
    return player;
  }

  /** Closes the pages of a story, after which no page may have had a fault. */
  async clear(): Promise<void> {
    const players = this.players.splice(0);
    for (const { context } of players) await context.close();
    expect(players.flatMap(({ faults }) => faults)).toEqual([]);
  }

  /** Ends, after all stories. */
  async end(): Promise<void> {
    await this.#browser?.close();
  }
}

/** Sets the stage for the stories of a `describe`, and clears it away after each. */
export function storyStage(): StoryStage {
  const stage = new StoryStage();
  beforeAll(() => stage.begin());
  afterEach(() => stage.clear());
  afterAll(() => stage.end());
  return stage;
}
