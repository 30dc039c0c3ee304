import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { PROTOCOL_VERSION } from '../../src/core/room/messages.ts';
import { MAX_ROOM_PLAYERS } from '../../src/core/base/constants.ts';
import type { RoomCode } from '../../src/core/room/code.ts';
import { readRoomCode } from '../../src/core/room/code.ts';
import type { Server } from '../../src/server/server.ts';
import { startServer } from '../../src/server/server.ts';
import type { Environment } from '../../src/server/settings/settings.ts';
import { readSettings } from '../../src/server/settings/settings.ts';

/**
 * Starts a server with one room to give, in this process; the room gets a process of its own.
 * @param folder an empty one, for its page.
 * @param built the built pages; an empty page if left out.
 */
export function startSite(folder: string, environment: Environment = {}, built?: string): Promise<Server> {
  if (built === undefined) writeEmptyPage(folder);
  const settings = readSettings('serve', {
    HOST: '127.0.0.1',
    PORT: '0',
    STUN_PORT: 'off',
    HANDOVER_STUN: 'off',
    HANDOVER_ROOMS: '1',
    HANDOVER_ROOMS_HOST: '127.0.0.1',
    LOG: 'off',
    ...environment,
  });
  return startServer(settings, { built: built ?? folder, certificates: join(folder, '.certificates') });
}

function writeEmptyPage(folder: string): void {
  mkdirSync(join(folder, '.vite'));
  writeFileSync(join(folder, '.vite/manifest.json'), '{}');
  writeFileSync(join(folder, 'index.html'), '<!doctype html>');
}

/** Asks a server for a room as a page does. @param capacity people at most. @param headers besides those of a page. */
export async function openRoom(
  url: string,
  {
    level = 'pile',
    capacity = MAX_ROOM_PLAYERS,
  }: { readonly level?: string; readonly capacity?: number } = {},
  headers: Readonly<Record<string, string>> = {},
): Promise<RoomCode> {
  const response = await fetch(`${url}rooms`, {
    method: 'POST',
    body: JSON.stringify({ level: { id: level, seed: 1 }, capacity, protocol: PROTOCOL_VERSION }),
    headers: { 'Content-Type': 'application/json', ...headers },
  });
  const { code } = (await response.json()) as { readonly code?: string };
  const read = readRoomCode(code ?? '');
  if (read === null) throw new Error('The server opened no room.');
  return read;
}
