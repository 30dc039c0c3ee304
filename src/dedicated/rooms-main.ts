import { CLOSE_AFTER_MS } from '../transport/station.ts';
import { gameLevels } from '../levels/levels.ts';
import { createRapierSimulation, loadPhysics } from '../physics/rapier-simulation.ts';
import { LineServer } from '../transport/node/line-server.ts';
import type { FromRooms, HouseSettings, ToRooms } from './process-messages.ts';
import type { RoomOrder } from './dedicated-room.ts';
import { RoomHouse } from './room-house.ts';
import { roomLevels } from './room-levels.ts';
import type { PlayersHandler } from './told-players.ts';
import type { WatchedHandlers } from './watched-rooms.ts';
import type { KeptDoor } from './snapshots/kept-doors.ts';
import { FolderStore } from './snapshots/folder-store.ts';
import { RedisStore } from './snapshots/redis-store.ts';
import type { SnapshotPlace, SnapshotStore } from './snapshots/snapshot-store.ts';
import { Redis } from '../cluster/redis.ts';

/** The program of a process with rooms: it does what its parent says, and ends with it. */

/** Milliseconds between two reports of figures. */
const FIGURES_MS = 1000;

let house: RoomHouse | null = null;
/** The house is there when this resolves; null before the parent has said how to begin. */
let begun: Promise<void> | null = null;
let isStopping = false;
const ready = loadPhysics();

process.on('message', (message: ToRooms) => {
  switch (message.kind) {
    case 'begin':
      begun = begin(message.settings);
      // The parent begins another process.
      begun.catch((error: unknown) => {
        console.error('The process of the rooms can’t begin:', error);
        process.exit(1);
      });
      break;
    case 'open':
      void open(message.request, message.order);
      break;
    case 'watch':
      house?.watch(message.ask, message.rooms);
      break;
    case 'taken':
      house?.lose(message.code);
      break;
    case 'stop':
      stop();
      break;
  }
});
process.on('disconnect', stop);
// A terminal sends its signal to this process, too; the parent says when it is to end.
for (const signal of ['SIGINT', 'SIGHUP'] as const) process.on(signal, () => undefined);
process.on('SIGTERM', stop);

async function begin({ network, mostRooms, emptyMs, lineSecret, snapshots }: HouseSettings): Promise<void> {
  await ready;
  const game = { levels: roomLevels(gameLevels), simulate: createRapierSimulation };
  const store = snapshots === undefined ? {} : { store: await storeAt(snapshots), keepMs: snapshots.keepMs };
  const kept = (doors: readonly KeptDoor[]): void => tell({ kind: 'kept', doors });
  const watched: WatchedHandlers = {
    streamed: (code, part) => tell({ kind: 'stream', code, part }),
    watchable: (ask, states) => tell({ kind: 'watchable', ask, states }),
  };
  const players: PlayersHandler = (code, pages) => tell({ kind: 'players', code, pages });
  house = new RoomHouse({ game, network, mostRooms, emptyMs, kept, watched, players, ...store });
  void house.restore();
  void takeLines(lineSecret);
  setInterval(() => house !== null && tell({ kind: 'figures', figures: house.figures }), FIGURES_MS);
}

/** @throws Error if Redis is to keep the rooms, and does not answer: the process ends, and begins again. */
async function storeAt(place: SnapshotPlace): Promise<SnapshotStore> {
  switch (place.kind) {
    case 'folder':
      return new FolderStore(place.path, place.keepMs);
    case 'redis': {
      const redis = await Redis.connect(place.url);
      redis.onAgain(() => house?.saveAnew());
      return new RedisStore(redis, place.process, place.keepMs);
    }
  }
}

/** [N2.3] Without a port there are no lines over WebSockets, and all else goes on. */
async function takeLines(secret: string): Promise<void> {
  const lines = new LineServer(
    secret,
    ({ code, page }, socket) => house?.takeSocket(code, page, socket) ?? false,
  );
  try {
    tell({ kind: 'lines', port: await lines.listen() });
  } catch (error) {
    console.error('Rooms take no lines over WebSockets:', error);
  }
}

async function open(request: number, order: RoomOrder): Promise<void> {
  try {
    await begun;
    const opened = (await house?.open(order, () => tell({ kind: 'ended', request }))) ?? 'full';
    if (opened === 'full') tell({ kind: 'refused', request, why: 'full' });
    else tell({ kind: 'opened', request, opened });
  } catch {
    tell({ kind: 'refused', request, why: 'failed' });
  }
}

function tell(message: FromRooms): void {
  // The parent may have died a moment ago: 'disconnect' says so soon.
  if (process.connected) process.send?.(message, undefined, undefined, () => undefined);
}

function stop(): void {
  // Parent and terminal may both ask: the second time must not cut the last snapshots.
  if (isStopping) return;
  isStopping = true;
  const written = house?.stop();
  house = null;
  // The rooms' last messages go out.
  setTimeout(() => void Promise.resolve(written).then(() => process.exit(0)), 2 * CLOSE_AFTER_MS);
}
