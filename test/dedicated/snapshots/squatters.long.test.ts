import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, expect, onTestFinished, test } from 'vitest';
import { RoomsProcess } from '../../../src/dedicated/rooms-process.ts';
import { loadPhysics } from '../../../src/physics/rapier-simulation.ts';
import { House } from '../../../src/server/broker/house.ts';
import { tokenOf } from '../../../src/session/host-door.ts';
import { doorId } from '../../../src/transport/station.ts';
import type { BrokerClient } from '../../server/broker/broker-client.ts';
import { connectBroker, startBroker } from '../../server/broker/broker-client.ts';
import { temporaryFolder } from '../../server/folders.ts';
import { joinRoom } from '../node-guest.ts';

beforeAll(() => loadPhysics());

test.each([true, false])(
  '[N6.3] a kept room whose door a player has, who answers nothing, is back in two minutes: our own broker %s',
  async (isOwn) => {
    const house = new House();
    const { url: site } = await startBroker({ house });
    const url = `${site.replace('http', 'ws')}broker`;
    const folder = temporaryFolder();
    const network = { broker: { url, headers: isOwn ? house.headers : {} }, address: '127.0.0.1' };
    const snapshots = { kind: 'folder', path: folder, keepMs: 3_600_000 } as const;
    const rooms = new RoomsProcess(
      () => ({ network, mostRooms: 1, emptyMs: 600_000, lineSecret: 'secret', snapshots }),
      (doors) => isOwn && house.doors.reserve(doors),
    );
    onTestFinished(() => rooms.stop());
    const opened = await rooms.open({ level: { id: 'tower', seed: 1 } });
    if (typeof opened === 'string') throw new Error(opened);
    const { code, room } = opened;
    const until = (isSo: () => boolean, message: string, timeout: number): Promise<void> =>
      expect.poll(isSo, { interval: 50, timeout, message }).toBe(true);
    await until(() => rooms.figures.rooms === 1, 'it is open', 10_000);
    process.kill(rooms.pid ?? NaN, 'SIGKILL');
    const { door } = JSON.parse(readFileSync(join(folder, `${code}.room.json`), 'utf8')) as { door: string };
    const player = await squat(() => connectBroker(site, doorId(code), tokenOf(door, 5)));
    await until(() => rooms.figures.returning === 1, 'the next process looks for it', 20_000);
    if (!isOwn) {
      await new Promise((resolve) => void setTimeout(resolve, 90_000));
      expect(rooms.figures.returning, 'it is not given up').toBe(1);
      player.socket.close();
    }
    await until(() => rooms.figures.rooms === 1 && rooms.figures.returning === 0, 'it is back', 150_000);
    const newcomer = await joinRoom(url, code, 6);
    await until(() => newcomer.isIn, 'a newcomer comes in by the code', 20_000);
    expect(newcomer.session.room).toBe(room);
  },
);

/** Asks for the door until the broker has noticed that the killed process has it no more. */
async function squat(ask: () => Promise<BrokerClient>): Promise<BrokerClient> {
  for (;;) {
    const player = await ask();
    if ((await player.next()).type === 'OPEN') return player;
    await new Promise((resolve) => void setTimeout(resolve, 20));
  }
}
