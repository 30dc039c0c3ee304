import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { devNull } from 'node:os';
import type { NodeStationSettings } from '../../../src/transport/node/node-station.ts';
import { freePort } from '../../support/run/free-port.ts';

const RECIPE = fileURLToPath(new URL('../../../src/server/recipes/Caddyfile.cluster', import.meta.url));

/** A real Caddy with our recipe before some processes. */
export type Balancer = {
  /** The address of the site, with a slash at its end. */
  readonly url: string;
  /** How a player in Node comes in. */
  readonly place: NodeStationSettings;
  stop(): Promise<void>;
};

/** Starts one. @param sites the addresses of the processes. */
export async function balance(sites: readonly string[]): Promise<Balancer> {
  const port = await freePort();
  const caddy = spawn('caddy', ['run', '--config', RECIPE, '--adapter', 'caddyfile'], {
    stdio: 'ignore',
    env: {
      ...process.env,
      // It can keep nothing, so it leaves nothing behind, however it ends.
      HOME: devNull,
      XDG_CONFIG_HOME: devNull,
      XDG_DATA_HOME: devNull,
      CADDY_ADMIN: `127.0.0.1:${await freePort()}`,
      SITE: `http://127.0.0.1:${port}`,
      HANDOVER: sites.map((site) => new URL(site).host).join(' '),
    },
  });
  const exited = once(caddy, 'exit');
  const stop = async (): Promise<void> => {
    caddy.kill('SIGKILL');
    await exited;
  };
  const url = `http://127.0.0.1:${port}/`;
  for (let tries = 0; tries < 200; tries++) {
    const answer = await fetch(`${url}healthz`).catch(() => null);
    if (answer?.ok === true) return { url, place: placeAt(url), stop };
    await new Promise((resolve) => void setTimeout(resolve, 50));
  }
  await stop();
  throw new Error('Caddy does not answer.');
}

/** How a player in Node comes into the rooms of a site. */
export function placeAt(url: string): NodeStationSettings {
  const broker = { url: `${url.replace('http', 'ws')}broker` };
  return { broker, address: '127.0.0.1', rooms: `${url}rooms/` };
}
