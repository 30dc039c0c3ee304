import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { PROTOCOL_VERSION } from '../../../src/core/room/messages.ts';
import type { LivingRooms } from '../../../src/server/rooms/living-rooms.ts';
import type { RoomsWatch } from '../../../src/server/rooms/server-rooms.ts';
import type { Server } from '../../../src/server/server.ts';
import { startServer } from '../../../src/server/server.ts';
import type { Environment } from '../../../src/server/settings/settings.ts';
import { readSettings } from '../../../src/server/settings/settings.ts';
import { temporaryFolder } from '../folders.ts';

export const PILE = { level: { id: 'pile', seed: 1 }, protocol: PROTOCOL_VERSION };

/** Starts a server with rooms on this machine; it ends with the test. */
export async function serve(environment: Environment): Promise<Server> {
  const folder = temporaryFolder({ 'index.html': '<!doctype html>', '.vite/manifest.json': '{}' });
  const settings = readSettings('serve', {
    HOST: '127.0.0.1',
    PORT: '0',
    STUN_PORT: 'off',
    HANDOVER_ROOMS_HOST: '127.0.0.1',
    TRUST_PROXY: '127.0.0.1',
    HANDOVER_STUN: 'off',
    LOG: 'off',
    METRICS_PORT: '0',
    ...environment,
  });
  const server = await startServer(settings, { built: folder, certificates: join(folder, '.certificates') });
  onTestFinished(() => server.close());
  return server;
}

export type Answer = { readonly code?: string; readonly room?: string; readonly why?: string };

/** Asks for a level that nobody has. */
export const NOWHERE: Asked = { body: JSON.stringify({ ...PILE, level: { id: 'nowhere', seed: 1 } }) };

export type Asked = { readonly body?: string; readonly headers?: Readonly<Record<string, string>> };

/** Asks for a room as a page does, unless told otherwise. */
export async function ask(
  { url }: { readonly url: string },
  { body = JSON.stringify(PILE), headers = {} }: Asked = {},
): Promise<{ readonly status: number; readonly answer: Answer }> {
  const type = { 'Content-Type': 'application/json' };
  const response = await fetch(`${url}rooms`, { method: 'POST', body, headers: { ...type, ...headers } });
  const text = await response.text();
  return { status: response.status, answer: text.startsWith('{') ? (JSON.parse(text) as Answer) : {} };
}

/** Headers of a request from the network with this number, as a proxy passes it on. */
export function from(network: number): Asked {
  return { headers: { 'X-Forwarded-For': `203.0.113.${network}` } };
}

/** For the answers to orders of one network, without a server: it may look for every room. */
export function watchOf(living: LivingRooms): RoomsWatch {
  const network = { networkOf: () => 'a network', refused: () => undefined };
  return { ...network, players: 31, mayLookFor: () => true, living, others: null };
}
