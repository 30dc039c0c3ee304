import { beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { loadPhysics } from '../../../src/physics/rapier-simulation.ts';
import type { Server } from '../../../src/server/server.ts';
import { RedisServer } from '../../cluster/redis-server.ts';
import { joinRoom } from '../../dedicated/node-guest.ts';
import { openRoom, startSite } from '../../dedicated/site.ts';
import { temporaryFolder } from '../folders.ts';

async function site(redis: RedisServer): Promise<Server> {
  const server = await startSite(temporaryFolder(), {
    REDIS_URL: redis.url,
    TRUST_PROXY: '127.0.0.1',
    HANDOVER_ROOMS: '4',
  });
  onTestFinished(() => server.close());
  return server;
}

function placeOf({ url }: Server) {
  return { broker: { url: `${url.replace('http', 'ws')}broker` }, address: '127.0.0.1' };
}

describe('two processes of one site', () => {
  beforeAll(() => loadPhysics());

  test('[N9.2] [N9.3] players meet in a room, whichever process each of them asks', async () => {
    const redis = await RedisServer.start();
    const sites = [await site(redis), await site(redis)];
    const code = await openRoom(sites[0].url);
    const other = await openRoom(sites[0].url);
    console.log(code, other);
    const players = await Promise.all(sites.map((one, i) => joinRoom(placeOf(one), code, i)));
    await expect.poll(() => players.map(({ isIn }) => isIn), { timeout: 20_000 }).toEqual([true, true]);
    expect(players[0].session.roster?.players.map(({ presence }) => presence)).toEqual(['here', 'here', 'here']);
  });
});
