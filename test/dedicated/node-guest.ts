import { onTestFinished } from 'vitest';
import type { RoomCode } from '../../src/core/room/code.ts';
import type { NodeStationSettings } from '../../src/transport/node/node-station.ts';
import { NodePlayer } from './node-player.ts';

/** @returns a player that comes into a room by its code; it plays until the test ends. @param act as of NodePlayer. */
export async function joinRoom(
  place: string | NodeStationSettings,
  code: RoomCode,
  colour: number,
  act?: (player: NodePlayer) => void,
): Promise<NodePlayer> {
  const player = await NodePlayer.enter(place, code, colour, act);
  onTestFinished(() => player.stop());
  return player;
}
