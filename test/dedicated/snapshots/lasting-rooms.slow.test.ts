import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import type { Slot } from '../../../src/core/base/ids.ts';
import { DEDICATED_SLOT } from '../../../src/core/base/constants.ts';
import { Random } from '../../../src/core/base/random.ts';
import type { RoomCode } from '../../../src/core/room/code.ts';
import { randomRoomCode } from '../../../src/core/room/code.ts';
import type { LineId } from '../../../src/core/room/line.ts';
import type { RoomId } from '../../../src/core/room/identity/key.ts';
import type { OpenRoom } from '../../../src/dedicated/room-house.ts';
import { RoomsProcess } from '../../../src/dedicated/rooms-process.ts';
import type { KeptDoor } from '../../../src/dedicated/snapshots/kept-doors.ts';
import { loadPhysics } from '../../../src/physics/rapier-simulation.ts';
import { House } from '../../../src/server/broker/house.ts';
import { doorId } from '../../../src/transport/station.ts';
import { connectBroker, startBroker } from '../../server/broker/broker-client.ts';
import { severableWay } from '../../server/broker/severable.ts';
import { temporaryFolder } from '../../server/folders.ts';
import type { Place } from '../killed/killed-rooms.ts';
import { build, placeOf as cubeOf } from '../killed/killed-rooms.ts';
import { pause } from '../tool.ts';
import { joinRoom } from '../node-guest.ts';
import { NodePlayer } from '../node-player.ts';

const TOWER = { level: { id: 'tower', seed: 1 } } as const;
/** Milliseconds within which a room is back; a busy machine may need a few times as long. */
const BACK_MS = 40_000;
/** A player in one of these tests has fewer lines than this, one after the other. */
const MOST_LINES = 100;

describe('a room that is kept', () => {
  beforeAll(() => loadPhysics());

  test('[N6.1] [N6.2] [N3.2] [N6.3] is there again after its process was killed, with its players in their places', async () => {
    const { rooms, site, url, folder } = await keptRooms();
    const built = await Promise.all([0, 1, 2].map((count) => builtRoom(rooms, url, folder, count)));
    // A snapshot has what was built.
    await pause(11_000);
    const { pid } = rooms;
    process.kill(pid ?? NaN, 'SIGKILL');
    const answers = strangersAskFor(
      site,
      built.map(({ code }) => code),
    );
    await until(() => rooms.pid !== null && rooms.pid !== pid, 'another process begins');
    const { length } = built;
    await until(() => rooms.figures.rooms === length && rooms.figures.returning === 0, 'the rooms are back');
    await Promise.all(built.map((room) => isBack(room, url)));
    expect([...answers]).toEqual(['ID-TAKEN']);
  });

  test.each([
    ['', 0],
    [', though somebody has come to it meanwhile', 1],
  ])(
    '[N3.7] [F4.23] gives way to the host that its players chose after it began without them%s',
    async (_, newcomers) => {
      const { rooms, url, folder } = await keptRooms();
      const way = await severableWay(url);
      const { code, room, guests, slots } = await builtRoom(rooms, way.url, folder, 2);
      await until(() => hasLineTo(guests[0], guests[1]), 'they have a line to one another');
      // Each proves to the other who it is.
      await pause(2000);
      const { pid } = rooms;
      // The guests hear of no door, and the room at the door hears of no guests.
      way.isCut = true;
      process.kill(pid ?? NaN, 'SIGKILL');
      await until(() => rooms.pid !== null && rooms.pid !== pid, 'another process begins');
      await until(() => rooms.figures.rooms === 1 && rooms.figures.returning === 0, 'the room is open');
      const others = await Promise.all([5].slice(0, newcomers).map((slot) => joinRoom(url, code, slot)));
      await until(() => others.every((other) => other.isIn && isOnServer(other)), 'somebody comes to it');
      await until(() => guests.some(({ session }) => session.hosting !== null), 'a player is host');
      way.isCut = false;
      // The restored room does not have this.
      await moved(guests[0]);
      await isBack({ code, room, place: placeOf(guests[0]), guests, slots }, url);
      const keys = ({ session }: NodePlayer): string =>
        (session.roster?.players ?? [])
          .map(({ key }) => key)
          .sort()
          .join();
      await until(() => new Set([...guests, ...others].map(keys)).size === 1, 'all are in one room');
      expect(rooms.figures.rooms).toBe(1);
    },
  );

  test('[N3.4] [N3.6] is there again, too, if it had moved there from a player’s page', async () => {
    const { rooms, url, doors } = await keptRooms();
    const code = randomRoomCode(new Random(8));
    const founder = await NodePlayer.open(url, code, TOWER.level);
    onTestFinished(() => founder.stop());
    await until(() => founder.isIn && founder.session.status.kind === 'here', 'the room is open');
    const guest = await joinRoom(url, code, 1);
    await until(() => guest.isIn, 'the guest is in');
    const room = founder.session.room!;
    const answer = await rooms.open({ ...TOWER, moves: { code, room } });
    if (typeof answer === 'string') throw new Error(answer);
    founder.session.hosting?.invite(answer.key);
    const players = [founder, guest];
    await until(() => players.every((player) => player.isIn && isOnServer(player)), 'the server is host');
    await moved(guest);
    await pause(11_000);
    const place = placeOf(guest);
    const { pid } = rooms;
    process.kill(pid ?? NaN, 'SIGKILL');
    await until(() => players.some(({ session }) => session.hosting !== null), 'a player is host');
    // As a page asks its site.
    const invite = (): void => {
      const key = doors().find((door) => door.code === code)?.key ?? null;
      for (const { session } of players) if (key !== null) session.hosting?.invite(key);
    };
    const timer = setInterval(invite, 1000);
    onTestFinished(() => clearInterval(timer));
    await isBack({ code, room, place, guests: players, slots: [0, 1] as Slot[] }, url);
  });
});

/** Somebody asks for these doors twice a second, until the test ends. @returns all answers of the broker. */
function strangersAskFor(site: string, codes: readonly RoomCode[]): ReadonlySet<string> {
  const answers = new Set<string>();
  const ask = async (code: RoomCode): Promise<void> => {
    const stranger = await connectBroker(site, doorId(code));
    answers.add((await stranger.next()).type);
  };
  const timer = setInterval(() => void Promise.all(codes.map(ask)), 500);
  onTestFinished(() => clearInterval(timer));
  return answers;
}

/** A room in which a cube was moved, and whose builder has left. */
type BuiltRoom = {
  readonly code: RoomCode;
  readonly room: RoomId | null;
  /** Where the cube is. */
  readonly place: Place;
  readonly guests: readonly NodePlayer[];
  readonly slots: readonly (Slot | null)[];
};

/** @param count so many guests stay in the room. */
async function builtRoom(
  rooms: RoomsProcess,
  url: string,
  folder: string,
  count: number,
): Promise<BuiltRoom> {
  const { code, room } = await opened(rooms);
  const builder = await joinRoom(url, code, 5);
  await until(() => builder.isIn, 'the builder is in');
  await moved(builder);
  await until(() => readdirSync(folder).includes(`${code}.room.json`), 'the room is kept');
  const place = placeOf(builder);
  const guests = await Promise.all([0, 3].slice(0, count).map((slot) => joinRoom(url, code, slot)));
  await until(() => guests.every((guest) => guest.isIn), 'all are in');
  builder.stop();
  return { code, room, place, guests, slots: guests.map(({ session }) => session.slot) };
}

/** Checks a room after it was restored: its players, its door, and what was built. */
async function isBack({ code, room, place, guests, slots }: BuiltRoom, url: string): Promise<void> {
  await until(() => guests.every((guest) => guest.isIn && isOnServer(guest)), 'all play on the server');
  expect(guests.map(({ session }) => session.slot)).toEqual(slots);
  const newcomer = await joinRoom(url, code, 6);
  await until(() => newcomer.isIn && isOnServer(newcomer), 'a newcomer comes in by the code');
  expect(newcomer.session.room).toBe(room);
  await until(() => isNear(placeOf(newcomer), place), 'what was built is there');
}

/** A process with rooms that are kept, and the broker of its server. */
async function keptRooms(): Promise<{
  rooms: RoomsProcess;
  site: string;
  url: string;
  folder: string;
  doors: () => readonly KeptDoor[];
}> {
  const house = new House();
  const { url: site } = await startBroker({ house });
  const url = `${site.replace('http', 'ws')}broker`;
  const folder = join(temporaryFolder(), 'rooms');
  const network = { broker: { url, headers: house.headers }, address: '127.0.0.1' };
  const snapshots = { kind: 'folder', path: folder, keepMs: 3_600_000 } as const;
  let kept: readonly KeptDoor[] = [];
  const rooms = new RoomsProcess(
    () => ({ network, mostRooms: 4, emptyMs: 60_000, lineSecret: 'secret', snapshots }),
    (doors) => {
      kept = doors;
      house.doors.reserve(doors);
    },
  );
  onTestFinished(() => rooms.stop());
  return { rooms, site, url, folder, doors: () => kept };
}

async function opened(rooms: RoomsProcess): Promise<OpenRoom> {
  const room = await rooms.open(TOWER);
  if (typeof room === 'string') throw new Error(room);
  return room;
}

/** Moves a cube by a metre, and waits until all rests. */
async function moved(builder: NodePlayer): Promise<void> {
  const before = placeOf(builder);
  build({ players: [builder] });
  await pause(3000);
  expect(Math.abs(placeOf(builder)[0] - before[0])).toBeGreaterThan(0.5);
}

function placeOf(player: NodePlayer): Place {
  return cubeOf({ players: [player] }) ?? [NaN, NaN, NaN];
}

function isOnServer({ session }: NodePlayer): boolean {
  return session.roster?.host === DEDICATED_SLOT;
}

/** @returns whether a line between two players is open. */
function hasLineTo({ session }: NodePlayer, other: NodePlayer): boolean {
  const { lines } = session.station;
  return Array.from({ length: MOST_LINES }, (_, id) => lines.get(id as LineId)).some(
    (line) => line?.state === 'open' && line.page === other.session.station.id,
  );
}

async function until(isSo: () => boolean, message: string): Promise<void> {
  await expect.poll(isSo, { interval: 20, timeout: BACK_MS, message }).toBe(true);
}

/** Within a few centimetres: a heap of cubes may still have settled. */
function isNear(a: Place, b: Place): boolean {
  return a.every((at, i) => Math.abs(at - b[i]) < 0.05);
}
