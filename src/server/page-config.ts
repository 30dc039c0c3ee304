import { createHmac } from 'node:crypto';
import type { IceSettings, OutsideBroker, TurnSettings } from './settings.ts';

/** What /config.json says: with whom a page finds the others, and how they connect. */
export type ServedConfig = {
  /** Null for the server that the page came from. */
  readonly broker: OutsideBroker | null;
  readonly iceServers: readonly IceServer[];
  readonly relayOnly: boolean;
  /** Where others on the network find the pages, for one that was asked for as `localhost`. */
  readonly networkUrl?: string;
};

type IceServer = {
  readonly urls: readonly string[];
  readonly username?: string;
  readonly credential?: string;
};

/** Seconds for which a login made from a TURN secret holds: an evening, also for a page left open. */
export const TURN_LOGIN_SECONDS = 12 * 3600;

/**
 * The configuration for a page.
 * @param ownStun the server's own STUN as the page can reach it, null without one.
 * @param now seconds since 1970.
 */
export function pageConfig(
  ice: IceSettings,
  broker: OutsideBroker | null,
  ownStun: string | null,
  now: number,
): ServedConfig {
  const stun = [...(ownStun === null ? [] : [ownStun]), ...ice.stun];
  return {
    broker,
    iceServers: [
      ...(stun.length === 0 ? [] : [{ urls: stun }]),
      ...(ice.turn === null ? [] : [turnServer(ice.turn, now)]),
    ],
    relayOnly: ice.relayOnly,
  };
}

/**
 * The STUN address for a page that was asked for at `host`; null if there is none, or if the host, which the
 * asker wrote, is not one.
 * @param host without a port, IPv6 in brackets.
 */
export function stunUrl(host: string | undefined, port: number | null): string | null {
  if (port === null || host === undefined || !/^(?:[a-z\d.-]+|\[[\da-f:.]+\])$/i.test(host)) return null;
  return `stun:${host}:${port}`;
}

/** With a secret, as coturn's `use-auth-secret`: the name is when it expires, the password signs the name. */
function turnServer({ urls, login }: TurnSettings, now: number): IceServer {
  if (login.kind === 'fixed') return { urls, username: login.username, credential: login.password };
  const username = String(Math.floor(now) + TURN_LOGIN_SECONDS);
  const credential = createHmac('sha1', login.secret).update(username).digest('base64');
  return { urls, username, credential };
}
