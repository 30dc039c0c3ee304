import type { BrokerLimits } from '../../../src/server/broker/limits/limits.ts';
import { LIMITS } from '../../../src/server/broker/limits/limits.ts';
import type { Server } from '../../../src/server/server.ts';
import { startServer as start } from '../../../src/server/server.ts';
import type { Environment } from '../../../src/server/settings/settings.ts';
import { readSettings } from '../../../src/server/settings/settings.ts';

const OPEN = { atOnce: 1e9, anotherMs: 1 };

/** The broker's limits where all pages of all tests come from one machine, and some of them flood other pages. */
export const TEST_LIMITS: BrokerLimits = {
  ...LIMITS,
  upgrades: OPEN,
  doors: OPEN,
  offersOfClient: OPEN,
  offersOfNetwork: OPEN,
  offersOfNetworkInAll: OPEN,
  offersToId: OPEN,
};

/** The project's pages, broker and STUN, served as `npm start` serves them. */
export type PageServer = Server;

/**
 * Starts the server on free ports of this machine alone, by HTTP, and with no services of others. It does not
 * watch files: a page under test must not reload because somebody saved one.
 * @param environment settings as `npm start` reads them.
 */
export function startServer(environment: Environment = {}): Promise<PageServer> {
  const settings = readSettings('start', {
    HOST: '127.0.0.1',
    PORT: '0',
    HTTPS_PORT: 'off',
    STUN_PORT: '0',
    HANDOVER_STUN: 'off',
    HANDOVER_ROOMS_HOST: '127.0.0.1',
    ...environment,
  });
  return start(settings, { live: false, viteCache: 'node_modules/.vite/e2e', limits: TEST_LIMITS });
}

/** The same for the built pages, as `npm run serve` serves them: what players get. */
export function startBuiltServer(folder: string, environment: Environment = {}): Promise<PageServer> {
  const settings = readSettings('serve', {
    HOST: '127.0.0.1',
    PORT: '0',
    STUN_PORT: '0',
    HANDOVER_STUN: 'off',
    HANDOVER_ROOMS_HOST: '127.0.0.1',
    LOG: 'off',
    ...environment,
  });
  return start(settings, { built: folder, limits: TEST_LIMITS });
}
