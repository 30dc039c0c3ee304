import { beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest';
import { createBot } from '../../src/bots/bots.ts';
import type { Bot } from '../../src/bots/bot.ts';
import { DEDICATED_SLOT } from '../../src/core/base/constants.ts';
import type { Slot } from '../../src/core/base/ids.ts';
import { Random } from '../../src/core/base/random.ts';
import { inspect } from '../../src/core/peer/diagnostics/inspect.ts';
import type { HouseOptions, OpenRoom } from '../../src/dedicated/room-house.ts';
import { RoomHouse } from '../../src/dedicated/room-house.ts';
import type { Level } from '../../src/core/world/level.ts';
import type { Simulation } from '../../src/core/world/simulation.ts';
import { loadPhysics } from '../../src/physics/rapier-simulation.ts';
import { startBroker } from '../server/broker/broker-client.ts';
import { joinRoom } from './node-guest.ts';
import type { NodePlayer } from './node-player.ts';
import { GAME } from './node-player.ts';

const TOWER = { level: { id: 'tower', seed: 1 } } as const;

/** A house with our own broker. */
async function house(options: Partial<HouseOptions> = {}) {
  const { url: site } = await startBroker();
  const url = `${site.replace('http', 'ws')}broker`;
  const network = { broker: { url }, address: '127.0.0.1' };
  const rooms = new RoomHouse({ game: GAME, network, mostRooms: 4, emptyMs: 60_000, ...options });
  onTestFinished(() => rooms.stop());
  return { rooms, url };
}

async function opened(rooms: RoomHouse): Promise<OpenRoom> {
  const room = await rooms.open(TOWER);
  if (room === 'full') throw new Error('the house is full');
  return room;
}

async function until(isSo: () => boolean, what: string, timeout = 30_000): Promise<void> {
  await expect.poll(isSo, { interval: 20, timeout, message: what }).toBe(true);
}

/** The bodies of a peer, without what only that peer knows of them. */
function restOf({ session }: NodePlayer): unknown {
  const { world } = session;
  if (world === null) return null;
  return inspect(world.peer).bodies.map(({ id, position, rotation, authority, resting, ...record }) => {
    const { ownershipSequence, authoritySequence } = record;
    return { id, position, rotation, authority, resting, ownershipSequence, authoritySequence };
  });
}

function isAtRest({ session }: NodePlayer): boolean {
  const bodies = session.world === null ? [] : inspect(session.world.peer).bodies;
  return bodies.length > 0 && bodies.every(({ resting, authority }) => resting && authority === null);
}

describe('a room with a dedicated host', () => {
  beforeAll(() => loadPhysics());

  test('[N1.1] [N1.2] [N1.3] two players meet in it, and see the same once all rests', async () => {
    const { rooms, url } = await house();
    const { code, room } = await opened(rooms);
    let calmAt = Infinity;
    const play = (slot: number): ((guest: NodePlayer) => void) => {
      const bot: Bot = createBot('chaos', { slot: slot as Slot, players: 2, random: new Random(slot + 1) });
      let tick = 0;
      return (guest) => {
        const { world } = guest.session;
        if (performance.now() > calmAt) for (const hand of guest.input.hands) hand.grip = hand.trigger = 0;
        else if (world?.peer.hasWorld === true) bot.act(tick++, world.peer.diagnostics.bodies, guest.input);
      };
    };
    const guests = await Promise.all([0, 1].map((slot) => joinRoom(url, code, slot, play(slot))));
    await until(() => guests.every((guest) => guest.isIn), 'both are in');
    for (const { session } of guests) {
      expect(session.room).toBe(room);
      expect(session.roster).toMatchObject({ host: DEDICATED_SLOT });
      expect(session.roster?.players.map(({ slot }) => slot)).toEqual([0, 1]);
      expect(session.world?.peer.diagnostics.host).toBe(DEDICATED_SLOT);
    }
    expect(guests.map(({ session }) => session.slot)).toEqual([0, 1]);
    await until(() => rooms.figures.people === 2, 'the house counts them');
    await new Promise((resolve) => void setTimeout(resolve, 6000));
    calmAt = performance.now();
    const [a, b] = guests;
    const touched = (guest: NodePlayer): number =>
      inspect(guest.session.world!.peer).bodies.filter((body) => body.ownershipSequence > 0).length;
    expect(touched(a)).toBeGreaterThan(0);
    await until(() => guests.every(isAtRest), 'all rests');
    expect(restOf(a)).toEqual(restOf(b));
    const view = a.session.world!.view;
    a.session.world!.peer.view(1, null, view);
    expect(view.avatars[DEDICATED_SLOT]).toMatchObject({ avatarless: true, present: false });
  });

  test('[N3.1] that ends leaves the room to one of its players, who has the world as it was', async () => {
    const { rooms, url } = await house();
    const { code } = await opened(rooms);
    const guests = await Promise.all([0, 1].map((slot) => joinRoom(url, code, slot)));
    await until(() => guests.every((guest) => guest.isIn), 'both are in');
    const worlds = guests.map(({ session }) => session.world);
    await new Promise((resolve) => void setTimeout(resolve, 1500));
    void rooms.stop();
    await until(() => guests.some(({ session }) => session.hosting !== null), 'one is the host');
    const host = guests.findIndex(({ session }) => session.hosting !== null);
    await until(() => guests.every(({ session }) => session.roster?.host === host), 'both have that host');
    await until(() => guests.every(({ session }) => session.status.kind === 'here'), 'both are in the room');
    guests.forEach(({ session }, i) => expect(session.world).toBe(worlds[i]));
    expect(guests[0].session.roster?.players.map(({ slot }) => slot)).toEqual([0, 1]);
  });

  test('[N1.4] ends when nobody has been in it for as long as the house says', async () => {
    const { rooms, url } = await house({ emptyMs: 8000 });
    const { code } = await opened(rooms);
    const guest = await joinRoom(url, code, 3);
    await until(() => guest.isIn, 'it is in');
    await new Promise((resolve) => void setTimeout(resolve, 9000));
    expect(rooms.figures).toMatchObject({ rooms: 1, people: 1 });
    guest.stop();
    await until(() => rooms.figures.rooms === 0, 'the room has ended');
  });

  test('[N4.3] ends by a fault of its own, and the other rooms of its process go on', async () => {
    let made = 0;
    let isFaulty = false;
    const simulate = (level: Level): Simulation => {
      const simulation = GAME.simulate(level);
      if (made++ > 0) return simulation;
      const step = simulation.step.bind(simulation);
      simulation.step = (...args) => {
        if (isFaulty) throw new Error('a fault of the engine');
        step(...args);
      };
      simulation.dispose = () => {
        throw new Error('another one');
      };
      return simulation;
    };
    const { rooms, url } = await house({ game: { ...GAME, simulate } });
    const ended: string[] = [];
    const codes = [];
    for (const name of ['first', 'second']) {
      const room = await rooms.open(TOWER, () => void ended.push(name));
      if (room === 'full') throw new Error('the house is full');
      codes.push(room.code);
    }
    const written = vi.spyOn(console, 'error').mockImplementation(() => undefined);
    onTestFinished(() => written.mockRestore());
    isFaulty = true;
    await until(() => rooms.figures.rooms === 1, 'one room has ended');
    expect(ended).toEqual(['first']);
    const fault = [`Room ${codes[0]} has ended by a fault:`, expect.any(Error)];
    expect(written.mock.calls).toEqual([fault, fault]);
    const guest = await joinRoom(url, codes[1], 0);
    await until(() => guest.isIn, 'a guest is in the other room');
    await rooms.stop();
    expect(ended).toEqual(['first', 'second']);
  });

  test('is refused by a full house, and for a level that the game does not have', async () => {
    const { rooms } = await house({ mostRooms: 1 });
    await expect(rooms.open({ level: { id: 'no such level', seed: 1 } })).rejects.toThrow(RangeError);
    await opened(rooms);
    expect(await rooms.open(TOWER)).toBe('full');
  });
});
