import { beforeAll, expect, onTestFinished, test } from 'vitest';
import { DEDICATED_SLOT } from '../../src/core/base/constants.ts';
import { capacityOf } from '../../src/core/world/existence.ts';
import type { Level } from '../../src/core/world/level.ts';
import type { Simulation } from '../../src/core/world/simulation.ts';
import { DedicatedRoom } from '../../src/dedicated/dedicated-room.ts';
import { MOST_BODIES, roomLevels } from '../../src/dedicated/room-levels.ts';
import { loadPhysics } from '../../src/physics/rapier-simulation.ts';
import { TickClock } from '../../src/session/tick-clock.ts';
import { startBroker } from '../server/broker/broker-client.ts';
import { joinRoom } from './node-guest.ts';
import type { NodePlayer } from './node-player.ts';
import { GAME } from './node-player.ts';

const TOWER = { level: { id: 'tower', seed: 1 } } as const;
/** One of these in a process would leave its other rooms no time. */
const LARGE = { id: 'grid', seed: 1, count: MOST_BODIES + 1 };

beforeAll(() => loadPhysics());

async function until(isSo: () => boolean, what: string): Promise<void> {
  await expect.poll(isSo, { interval: 20, timeout: 60_000, message: what }).toBe(true);
}

test('[N1.5] a dedicated host that was away never makes the large level of the next host', async () => {
  const { url: site } = await startBroker();
  const url = `${site.replace('http', 'ws')}broker`;
  let largest = 0;
  const simulate = (level: Level): Simulation => {
    largest = Math.max(largest, capacityOf(level));
    return GAME.simulate(level);
  };
  const game = { levels: roomLevels(GAME.levels), simulate };
  const room = await DedicatedRoom.begin({ game, network: { broker: { url }, address: '127.0.0.1' } }, TOWER);
  onTestFinished(() => room.leave());
  let isAway = false;
  const clock = new TickClock(performance.now());
  const timer = setInterval(() => {
    if (!isAway)
      clock.advance(
        () => performance.now(),
        (dueMs) => room.tick(dueMs),
      );
  }, 8);
  onTestFinished(() => clearInterval(timer));
  await until(() => room.state.kind === 'open', 'the room is open');
  const guests = await Promise.all([0, 1].map((slot) => joinRoom(url, room.code, slot)));
  await until(() => guests.every(({ isIn }) => isIn), 'both are in');
  // Their standby line opens.
  await new Promise((resolve) => void setTimeout(resolve, 4000));
  isAway = true;
  const hostOf = ({ session }: NodePlayer): number => session.roster?.host ?? DEDICATED_SLOT;
  await until(
    () => hostOf(guests[0]) === hostOf(guests[1]) && hostOf(guests[0]) !== DEDICATED_SLOT,
    'one of them is the host of both',
  );
  guests[hostOf(guests[0])].session.hosting?.setScene(LARGE);
  await until(
    () => guests.every(({ session }) => session.world?.choice.count === LARGE.count),
    'they play on',
  );
  isAway = false;
  // As a guest it is shown the level of its host.
  await new Promise((resolve) => void setTimeout(resolve, 8000));
  expect(room.state.kind).not.toBe('open');
  expect(largest).toBeLessThanOrEqual(MOST_BODIES);
  expect(guests.every((guest) => guest.isIn && hostOf(guest) !== DEDICATED_SLOT)).toBe(true);
});
