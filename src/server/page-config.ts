import { createHmac } from 'node:crypto';
import type { IceSettings, OutsideBroker, TurnSettings } from './settings/services.ts';

/**
 * The contents of /config.json: the broker at which a page finds other players, and the ways to connect to
 * them.
 */
export type ServedConfig = {
  /** Null for the server from which the page came. */
  readonly broker: OutsideBroker | null;
  readonly iceServers: readonly IceServer[];
  readonly relayOnly: boolean;
  /** True if the server itself is host of rooms, for pages that ask. */
  readonly serverRooms?: boolean;
  /** [N8.1] People in such a room, at most. */
  readonly roomPlayers?: number;
  /** [N5] True if people may watch such rooms. */
  readonly watching?: boolean;
  /** [N8.5] True if there is a voice server for large rooms. */
  readonly voices?: boolean;
  /** The pages' address for other machines on the network; only for a page that was opened as `localhost`. */
  readonly networkUrl?: string;
  /** True if the server has made the certificate of that address, or of this page, itself: browsers warn of it. */
  readonly ownCertificate?: boolean;
};

type IceServer = {
  readonly urls: readonly string[];
  readonly username?: string;
  readonly credential?: string;
};

/**
 * Seconds that a login made from a TURN secret is valid: a whole evening, also for a page that stays open.
 */
export const TURN_LOGIN_SECONDS = 12 * 3600;
/** Letters of a network's name in a login: so many that hardly ever two networks get the same name. */
const USER_LETTERS = 16;

/**
 * Returns the configuration for a page.
 * @param ownStun the URL of the server's own STUN as the page can reach it; null without STUN.
 * @param now seconds since 1970.
 * @param network of the page: a TURN service that counts by login can limit each network.
 */
export function pageConfig(
  ice: IceSettings,
  broker: OutsideBroker | null,
  ownStun: string | null,
  now: number,
  network: string,
): ServedConfig {
  const stun = [...(ownStun === null ? [] : [ownStun]), ...ice.stun];
  return {
    broker,
    iceServers: [
      ...(stun.length === 0 ? [] : [{ urls: stun }]),
      ...(ice.turn === null ? [] : [turnServer(ice.turn, now, network)]),
    ],
    relayOnly: ice.relayOnly,
  };
}

/**
 * Returns the STUN URL for a page that was opened at `host`. Null without STUN, or if the host is not valid:
 * a client wrote it.
 * @param host without a port, IPv6 in brackets.
 */
export function stunUrl(host: string | undefined, port: number | null): string | null {
  if (port === null || host === undefined || !/^(?:[a-z\d.-]+|\[[\da-f:.]+\])$/i.test(host)) return null;
  return `stun:${host}:${port}`;
}

/**
 * Returns the TURN service and its login. A login from a secret is what coturn's `use-auth-secret` expects: the user
 * name is the time at which the login expires, and a name of the network that does not reveal its address; the password
 * signs the user name.
 */
function turnServer({ urls, login }: TurnSettings, now: number, network: string): IceServer {
  if (login.kind === 'fixed') return { urls, username: login.username, credential: login.password };
  const user = createHmac('sha256', login.secret).update(network).digest('hex').slice(0, USER_LETTERS);
  const username = `${Math.floor(now) + TURN_LOGIN_SECONDS}:${user}`;
  const credential = createHmac('sha1', login.secret).update(username).digest('base64');
  return { urls, username, credential };
}
