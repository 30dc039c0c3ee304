import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { dropHand, grabCube, throwCube } from '../../support/pages/room-moves.ts';
import { inspectOf, roomOf, until } from '../../support/pages/room-page.ts';
import { startOnServer } from '../../support/pages/server-room.ts';
import { storyStage } from '../../support/pages/story.ts';
import type { PageServer } from '../../support/run/server.ts';
import { startBuiltServer } from '../../support/run/server.ts';
import { openSite } from '../../support/run/stories.ts';

const CUBE = 56;

describe('a page that watches', () => {
  const stage = storyStage();
  let server: PageServer;
  beforeAll(async () => {
    server = await startBuiltServer(openSite().folder, { HANDOVER_ROOMS: '1' });
  });
  afterAll(() => server.close());

  it('[N5.2] [N5.6] [N5.7] sees a room of the server by its link, is counted there, and can play along', async () => {
    const [ada, eve] = await Promise.all([stage.open(server.url), stage.open(server.url)]);
    await startOnServer(ada, 'Ada', 'wall');
    const link = (await roomOf(ada)).watching?.link ?? '';
    await eve.page.goto(link);
    const bar = eve.page.getByRole('region', { name: 'The room' });
    await bar.getByText('Ada').waitFor();
    await until('Ada reads that somebody watches', async () => (await roomOf(ada)).watching?.count === 1);
    await ada.page.getByRole('button', { name: /1 watching/ }).waitFor();
    expect((await roomOf(ada)).players, 'a watcher has no slot').toHaveLength(1);

    const before = (await inspectOf(eve)).bodies[CUBE].position;
    await throwCube(ada, 'right', await grabCube(ada, 'right', CUBE));
    await dropHand(ada, 'right');
    await until('Eve sees where it came to rest', async () => {
      const [at, seen] = [(await inspectOf(ada)).bodies[CUBE], (await inspectOf(eve)).bodies[CUBE]];
      const way = Math.hypot(...seen.position.map((place, i) => place - before[i]));
      return way > 0.5 && at.resting && seen.resting && at.position.join() === seen.position.join();
    });

    await bar.getByRole('link', { name: 'Play along' }).click();
    await until('both play', async () => (await roomOf(eve)).players.length === 2);
    await until('nobody watches', async () => (await roomOf(ada)).watching?.count === 0);
  });

  it('[N5.6] [F5.1] reads why it sees nothing', async () => {
    const eve = await stage.open(server.url);
    await eve.page.goto(`${server.url}?watch=KQXMT`);
    await eve.page.getByText('There is nothing to watch.').waitFor({ timeout: 40_000 });
    await eve.page.goto(`${server.url}?watch=nonsense`);
    await eve.page.getByText('There is nothing to watch.').waitFor();
  });
});
