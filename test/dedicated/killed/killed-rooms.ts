import type { BodyId } from '../../../src/core/base/ids.ts';
import { DEDICATED_SLOT } from '../../../src/core/base/constants.ts';
import { inspect } from '../../../src/core/peer/diagnostics/inspect.ts';
import type { RoomCode } from '../../../src/core/room/code.ts';
import type { NodeStationSettings } from '../../../src/transport/node/node-station.ts';
import { NodePlayer } from '../node-player.ts';
import { pause } from '../tool.ts';

/** The outcome for the rooms of a process that was killed. Times are milliseconds since the kill. */
export type Killing = {
  /** Until all rooms were led by the next process, and open. */
  readonly backMs: number;
  /** Until all players played there. */
  readonly playedMs: number;
  /** Players that came back to another slot, or not at all. */
  readonly misplaced: number;
  /** Rooms in which a cube was no longer where it had been put more than SAVED_MS before the kill. */
  readonly lost: number;
};

/** A place in metres. */
export type Place = readonly [x: number, y: number, z: number];

/** A room, and the players in it. */
export type PlayedRoom = { readonly code: RoomCode; readonly players: readonly NodePlayer[] };

/** How to kill the process of some rooms, and how to know that they are back. */
export type Killer = {
  kill(): void;
  isBack(): boolean | Promise<boolean>;
};

const CUBE = 3 as BodyId;
/** Milliseconds after which a snapshot must have what was built: ten seconds, and the time to write it. */
export const SAVED_MS = 11_000;
/** Milliseconds after which rooms that are not back count as lost. */
const GIVE_UP_MS = 60_000;

/** Brings so many players into a room. */
export async function playedRoom(
  code: RoomCode,
  place: string | NodeStationSettings,
  count: number,
): Promise<PlayedRoom> {
  const colours = Array.from({ length: count }, (_, colour) => colour);
  const players = await Promise.all(colours.map((colour) => NodePlayer.enter(place, code, colour)));
  await until(() => players.every(({ isIn }) => isIn), GIVE_UP_MS);
  return { code, players };
}

/** Moves a cube of a room by a metre. Nothing happens in a room without players. */
export function build(room: Pick<PlayedRoom, 'players'>): void {
  const place = placeOf(room);
  if (place === null) return;
  const position = { x: place[0] + 1, y: 0.5, z: place[2] };
  const pose = { position, rotation: { x: 0, y: 0, z: 0, w: 1 } };
  room.players[0].session.world?.peer.act({ kind: 'teleport', body: CUBE, pose });
}

/** Where that cube is; null in a room without players. */
export function placeOf({ players }: Pick<PlayedRoom, 'players'>): Place | null {
  const world = players.at(0)?.session.world ?? null;
  return world === null ? null : inspect(world.peer).bodies[CUBE].position;
}

/** Kills the process of some rooms, and waits until all are back, or a minute has passed. */
export async function kill(killer: Killer, played: readonly PlayedRoom[]): Promise<Killing> {
  const places = played.map(placeOf);
  const slots = played.map(({ players }) => players.map(({ session }) => session.slot));
  killer.kill();
  const killedAt = performance.now();
  await until(() => killer.isBack(), GIVE_UP_MS);
  const backMs = performance.now() - killedAt;
  const all = played.flatMap(({ players }) => players);
  await until(() => all.every((player) => player.isIn && isOnServer(player)), GIVE_UP_MS);
  const playedMs = performance.now() - killedAt;
  const misplaced = played.flatMap(({ players }, room) =>
    players.filter((player, i) => !isOnServer(player) || player.session.slot !== slots[room][i]),
  ).length;
  const isLost = (room: PlayedRoom, i: number): boolean => !isAt(placeOf(room), places[i]);
  await until(() => !played.some(isLost), 5000);
  const lost = played.filter(isLost).length;
  return { backMs, playedMs, misplaced, lost };
}

/** Within a few centimetres: what still moved may have come to rest. */
function isAt(a: Place | null, b: Place | null): boolean {
  return a === b || (a !== null && b !== null && a.every((at, i) => Math.abs(at - b[i]) < 0.05));
}

function isOnServer({ session }: NodePlayer): boolean {
  return session.roster?.host === DEDICATED_SLOT;
}

/** Waits until something is so, or a time is over; whoever asks looks again. */
export async function until(isSo: () => boolean | Promise<boolean>, withinMs: number): Promise<void> {
  const end = performance.now() + withinMs;
  while (!(await isSo()) && performance.now() < end) await pause(20);
}
