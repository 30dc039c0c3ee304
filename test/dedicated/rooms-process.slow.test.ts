import { beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { RoomsProcess } from '../../src/dedicated/rooms-process.ts';
import { loadPhysics } from '../../src/physics/rapier-simulation.ts';
import { startBroker } from '../server/broker/broker-client.ts';
import { joinRoom } from './node-guest.ts';
import type { NodePlayer } from './node-player.ts';

const TOWER = { level: { id: 'tower', seed: 1 } } as const;

describe('a process with rooms', () => {
  beforeAll(() => loadPhysics());

  test('[F4.1] is killed: its room goes on under a player, and the next order begins another process', async () => {
    const { url: site } = await startBroker();
    const url = `${site.replace('http', 'ws')}broker`;
    const network = { broker: { url }, address: '127.0.0.1' };
    const rooms = new RoomsProcess(() => ({ network, mostRooms: 2, emptyMs: 60_000, lineSecret: 'secret' }));
    onTestFinished(() => rooms.stop());
    const opened = await rooms.open(TOWER);
    if (typeof opened === 'string') throw new Error(opened);
    const guests = await Promise.all([0, 1].map((slot) => joinRoom(url, opened.code, slot)));
    const both = (isSo: (guest: NodePlayer) => boolean): Promise<void> =>
      expect.poll(() => guests.every(isSo), { timeout: 40_000, interval: 20 }).toBe(true);
    await both((guest) => guest.isIn);
    // Their standby line opens.
    await new Promise((resolve) => void setTimeout(resolve, 4000));
    const { pid } = rooms;
    process.kill(pid ?? NaN, 'SIGKILL');
    const isTheirs = ({ session }: NodePlayer): boolean => (session.roster?.host ?? 31) < 2;
    // On a busy machine each may begin alone [F4.7], and one then comes to the other.
    const areTogether = (): boolean => new Set(guests.map(({ session }) => session.roster?.host)).size === 1;
    await both((guest) => guest.isIn && isTheirs(guest) && areTogether());
    expect(rooms.figures.rooms).toBe(0);
    expect(await rooms.open(TOWER)).toHaveProperty('code');
    expect(rooms.pid).not.toBe(pid);
    await rooms.stop();
    expect(await rooms.open(TOWER), 'after its end').toBe('failed');
  });
});
