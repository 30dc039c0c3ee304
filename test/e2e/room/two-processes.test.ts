import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { DEDICATED_SLOT } from '../../../src/core/base/constants.ts';
import { RedisServer } from '../../cluster/redis-server.ts';
import type { Balancer } from '../../server/cluster/balancer.ts';
import { balance } from '../../server/cluster/balancer.ts';
import { areAgreed, inspectOf, joinByCode, roomOf, until } from '../../support/pages/room-page.ts';
import { startOnServer, throwFromWall, WALL_CUBE } from '../../support/pages/server-room.ts';
import { storyStage } from '../../support/pages/story.ts';
import type { PageServer } from '../../support/run/server.ts';
import { startBuiltServer } from '../../support/run/server.ts';
import { openSite } from '../../support/run/stories.ts';

describe('a site in two processes', () => {
  const stage = storyStage();
  let redis: RedisServer;
  let servers: readonly PageServer[];
  let caddy: Balancer;
  beforeAll(async () => {
    redis = await RedisServer.start();
    const { folder } = openSite();
    const settings = {
      REDIS_URL: redis.url,
      TRUST_PROXY: '127.0.0.1',
      HANDOVER_ROOMS: '2',
      METRICS_PORT: '0',
    };
    servers = [await startBuiltServer(folder, settings), await startBuiltServer(folder, settings)];
    caddy = await balance(servers.map(({ url }) => url));
  });
  afterAll(async () => {
    await Promise.all(servers.map((server) => server.close()));
    await caddy.stop();
    await redis.stop();
  });

  it('[N9.2] [N9.6] two pages meet in a room of the server, and keep it when its process ends', async () => {
    const [ada, bo] = await Promise.all([stage.open(caddy.url), stage.open(caddy.url)]);
    await startOnServer(ada, 'Ada', 'wall');
    await ada.page.getByText('Waiting for a friend…').waitFor();
    const { code } = await roomOf(ada);
    await joinByCode(bo, 'Bo', code);
    const players = [ada, bo];
    const areTwo = async (): Promise<boolean> => {
      const rooms = await Promise.all(players.map(roomOf));
      return rooms.every(({ host, players: seen }) => {
        return host === DEDICATED_SLOT && seen.filter(({ presence }) => presence === 'here').length === 2;
      });
    };
    await until('both see two people', areTwo);
    expect(await throwFromWall(ada, players), 'Bo saw the throw').toBeGreaterThan(0.5);

    const counts = await Promise.all(servers.map(roomsOf));
    expect([...counts].sort()).toEqual([0, 1]);
    const [ending, other] = counts[0] === 1 ? servers : [...servers].reverse();
    await ending.close();
    await until(
      'the other process has the room',
      async () => (await roomsOf(other)) === 1 && (await areTwo()),
    );
    await until('both agree on every cube', () => areAgreed(players));
    const [adas, bos] = await Promise.all(players.map(inspectOf));
    expect(bos.bodies[WALL_CUBE].position).toEqual(adas.bodies[WALL_CUBE].position);
    // A page whose socket ends asks again; a browser writes down each time that it is refused.
    for (const { faults } of players)
      for (const fault of faults.splice(0)) expect(fault).toContain('WebSocket');
  });
});

/** Rooms of a process that are open. */
async function roomsOf({ metricsPort }: PageServer): Promise<number> {
  const text = await (await fetch(`http://127.0.0.1:${metricsPort}/metrics`)).text();
  const [rooms, returning] = ['handover_rooms', 'handover_rooms_returning'].map((name) =>
    Number(new RegExp(`^${name} (.*)$`, 'm').exec(text)?.[1]),
  );
  return rooms - returning;
}
