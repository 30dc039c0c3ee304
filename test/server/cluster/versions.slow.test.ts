import { beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { DEDICATED_SLOT } from '../../../src/core/base/constants.ts';
import type { RoomCode } from '../../../src/core/room/code.ts';
import { PROTOCOL_VERSION } from '../../../src/core/room/messages.ts';
import { loadPhysics } from '../../../src/physics/rapier-simulation.ts';
import { startRedis } from '../../cluster/start-redis.ts';
import { joinRoom } from '../../dedicated/node-guest.ts';
import { placeAt } from './balancer.ts';
import { copyWithNextVersion, NEXT_VERSION } from './next-version.ts';
import { SiteProcess } from './site-process.ts';

const ROOMS = { HANDOVER_ROOMS: '4', HANDOVER_ROOMS_HOST: '' };

async function startOne(redis: string, project?: string): Promise<SiteProcess> {
  const site = await SiteProcess.start(redis, ROOMS, project);
  onTestFinished(() => site.kill());
  return site;
}

/** Asks for a room as a page of this version does; again while no process has a place: a slow machine takes none for a while. */
async function order({ url }: SiteProcess, protocol: number): Promise<{ status: number; code: RoomCode }> {
  for (;;) {
    const response = await fetch(`${url}rooms`, {
      method: 'POST',
      body: JSON.stringify({ level: { id: 'pile', seed: 1 }, protocol }),
      headers: { 'Content-Type': 'application/json' },
    });
    const { code } = (await response.json()) as { code: RoomCode };
    if (response.status !== 503) return { status: response.status, code };
    await new Promise((resolve) => void setTimeout(resolve, 200));
  }
}

async function look({ url }: SiteProcess, code: RoomCode): Promise<{ key: unknown; protocol: unknown }> {
  const response = await fetch(`${url}rooms/${code}`);
  return (await response.json()) as { key: unknown; protocol: unknown };
}

async function roomsOf({ metricsUrl }: SiteProcess): Promise<number> {
  const text = await (await fetch(metricsUrl)).text();
  return Number(/^handover_rooms (.*)$/m.exec(text)?.[1]);
}

const WAIT = { timeout: 60_000, interval: 100 };

describe('two versions of one site', () => {
  beforeAll(() => loadPhysics());

  test('[N9.9] [N9.10] a room begins, and comes back, where its players can go on', async () => {
    const redis = await startRedis();
    const old = [await startOne(redis.url), await startOne(redis.url)];
    const next = await startOne(redis.url, copyWithNextVersion());
    expect((await order(next, NEXT_VERSION + 1)).status).toBe(409);
    // Whichever process is asked, the room is at one that has the page's version.
    await order(old[0], NEXT_VERSION);
    await expect.poll(() => roomsOf(next), WAIT).toBe(1);
    const { code } = await order(next, PROTOCOL_VERSION);
    const { key, protocol } = await look(next, code);
    expect([typeof key, protocol]).toEqual(['string', PROTOCOL_VERSION]);
    await expect.poll(async () => (await Promise.all(old.map(roomsOf))).toSorted(), WAIT).toEqual([0, 1]);
    const [first, other] = (await roomsOf(old[0])) === 1 ? old : old.toReversed();
    const player = await joinRoom(placeAt(next.url), code, 0);
    await expect.poll(() => player.isIn, WAIT).toBe(true);
    // It is kept from its first second on.
    await expect.poll(() => player.session.roster?.players.length, WAIT).toBe(1);

    first.kill();
    await expect.poll(() => roomsOf(other), WAIT).toBe(1);
    expect(await roomsOf(next)).toBe(1);
    await expect.poll(() => player.isIn && player.session.roster?.host, WAIT).toBe(DEDICATED_SLOT);

    // The last process of the old version: better a room that its players must reload for than none.
    other.kill();
    await expect.poll(() => roomsOf(next), WAIT).toBe(2);
    await expect.poll(async () => (await look(next, code)).protocol, WAIT).toBe(NEXT_VERSION);
  });
});
