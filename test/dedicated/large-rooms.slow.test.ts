import { beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { DEDICATED_SLOT } from '../../src/core/base/constants.ts';
import { RIGHT } from '../../src/core/base/ids.ts';
import { inspect } from '../../src/core/peer/diagnostics/inspect.ts';
import type { RoomSnapshot } from '../../src/dedicated/snapshots/snapshot.ts';
import { DedicatedRoom } from '../../src/dedicated/dedicated-room.ts';
import { runTicks, TickClock } from '../../src/session/tick-clock.ts';
import { loadPhysics } from '../../src/physics/rapier-simulation.ts';
import { startBroker } from '../server/broker/broker-client.ts';
import { joinRoom } from './node-guest.ts';
import type { NodePlayer } from './node-player.ts';
import { GAME } from './node-player.ts';

const LEVEL = { id: 'pile', seed: 1 } as const;
/** More than a room of a browser holds. */
const COUNT = 12;

async function until(isSo: () => boolean, what: string, timeout = 60_000): Promise<void> {
  await expect.poll(isSo, { interval: 50, timeout, message: what }).toBe(true);
}

/** Runs a room in this process until it is left, or the test ends. @returns ends it as a crash does. */
function run(room: DedicatedRoom): () => void {
  const stop = runTicks(new TickClock(performance.now()), (dueMs) => room.tick(dueMs));
  onTestFinished(() => {
    stop();
    room.leave();
  });
  return stop;
}

function slotsSeenBy({ session }: NodePlayer): number[] {
  const { world, roster } = session;
  if (world === null || roster === null) return [];
  world.peer.view(1, null, world.view);
  const here = roster.players.filter(({ presence }) => presence === 'here').map(({ slot }) => slot);
  return here.filter((slot) => slot === session.slot || world.view.avatars[slot].present);
}

function restOf({ session }: NodePlayer): string {
  const bodies = inspect(session.world!.peer).bodies.map(({ position, rotation, resting, authority }) => {
    return { position, rotation, resting, authority };
  });
  return bodies.every(({ resting, authority }) => resting && authority === null)
    ? JSON.stringify(bodies)
    : '';
}

function haveTheSameRest(players: readonly NodePlayer[]): boolean {
  const rests = new Set(players.map(restOf));
  return rests.size === 1 && !rests.has('');
}

describe('a large room', () => {
  beforeAll(() => loadPhysics());

  test(`[N8.1] [N8.2] ${COUNT} play in it, lose the server, wait for it, and go on in their slots`, async () => {
    const { url: site } = await startBroker();
    const url = `${site.replace('http', 'ws')}broker`;
    const surroundings = { game: GAME, network: { broker: { url }, address: '127.0.0.1' } };
    const room = await DedicatedRoom.begin(surroundings, { level: LEVEL, capacity: 31 });
    const crash = run(room);
    await until(() => room.state.kind === 'open', 'the room is open');
    const players = await Promise.all(
      Array.from({ length: COUNT }, (_, i) => joinRoom(url, room.code, i, showHands)),
    );
    await until(() => players.every(({ isIn }) => isIn), 'all are in');
    await until(() => players.every((player) => slotsSeenBy(player).length === COUNT), 'all see all hands');
    expect(room.people).toBe(COUNT);
    const slots = players.map(({ session }) => session.slot);
    expect([...slots].sort((a, b) => a! - b!)).toEqual(Array.from({ length: COUNT }, (_, i) => i));
    for (const { session } of players)
      expect(slots.filter((slot) => session.station.transport.lineTo(slot!) !== null)).toEqual([]);

    const last = players[slots.indexOf(slots.reduce((most, slot) => (slot! > most! ? slot : most)))];
    await carry(last);
    // A slow machine may show the rest of before to one player, while another already sees the rest of after.
    await until(() => haveTheSameRest(players), 'all rests, the same for all');

    const snapshot = room.snapshot(1);
    expect(snapshot).toMatchObject({ capacity: 31 });
    crash();
    room.leave();
    await until(() => players.every(({ session }) => session.status.kind === 'lost'), 'all miss the host');
    const again = await DedicatedRoom.restore(surroundings, snapshot as RoomSnapshot);
    run(again!);
    await until(() => players.every(({ isIn }) => isIn), 'all are in again', 30_000);
    await until(() => players.every((player) => slotsSeenBy(player).length === COUNT), 'all see all hands');
    expect(players.map(({ session }) => session.slot)).toEqual(slots);
    expect(players.map(({ session }) => session.roster?.host)).toEqual(players.map(() => DEDICATED_SLOT));
  });
});

/** Holds both hands where everybody can see them. */
function showHands({ input, session }: NodePlayer): void {
  if (input.hands[RIGHT].tracked || session.slot === null) return;
  for (const hand of input.hands) {
    hand.tracked = true;
    Object.assign(hand.pose.position, { x: 3, y: 1, z: session.slot / 4 });
  }
}

/** Takes the highest body, and lets it fall elsewhere. */
async function carry({ input, session }: NodePlayer): Promise<void> {
  const hand = input.hands[RIGHT];
  const [x, y, z] = inspect(session.world!.peer).bodies.at(-1)!.position;
  Object.assign(hand.pose.position, { x, y, z });
  hand.grip = 1;
  const holder = (): number | undefined => inspect(session.world!.peer).bodies.at(-1)!.holder?.slot;
  await until(() => holder() === session.slot, 'it holds the body');
  hand.pose.position.x += 1;
  await until(() => Math.abs(inspect(session.world!.peer).bodies.at(-1)!.position[0] - x) > 0.5, 'it moves');
  hand.grip = 0;
}
