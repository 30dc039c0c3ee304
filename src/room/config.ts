import { MAX_ROOM_PLAYERS, MAX_SERVER_ROOM_PLAYERS } from '../core/base/constants.ts';
import { asFields, whole } from '../core/room/fields.ts';
import { iceKindOf } from '../transport/ice-url.ts';
import { ROOMS_PATH } from '../transport/socket/line-address.ts';
import type { BrokerSettings } from '../transport/webrtc/address.ts';

/** How this page finds its players and how they connect, as read from config.json beside the page. */
export type PageConfig = {
  readonly broker: BrokerSettings;
  readonly friends: FriendsAddress;
  readonly asked: AskedServices;
  /** True if the page's own server is host of rooms, for pages that ask. */
  readonly serverRooms: boolean;
  /** [N8.1] People in such a room at most, 1 to MAX_SERVER_ROOM_PLAYERS. */
  readonly roomPlayers: number;
  /** [N5] True if people may watch those rooms. */
  readonly watching: boolean;
  /** [N8.5] True if those of them that are large have voices. */
  readonly voices: boolean;
  /** [N2.3] The address of those rooms, for lines over WebSockets; null if there are none, or the broker is elsewhere. */
  readonly rooms: URL | null;
};

/** The address that friends open. */
export type FriendsAddress = {
  /** The address of this page, or the server's address on its network when this page was opened as `localhost`. */
  readonly url: URL;
  /** True if the server has made its certificate itself: browsers warn of it. */
  readonly ownCertificate: boolean;
};

/** The services of others that a page asks, besides the server from which it came. They see the player's address. */
export type AskedServices = {
  /** The host of the broker; null for the page's own server. */
  readonly broker: string | null;
  /** The hosts of STUN services, which tell the player's address. */
  readonly stun: readonly string[];
  /** The hosts of TURN services, which relay what players send. */
  readonly turn: readonly string[];
  /** True if players never connect directly, so that they don't learn each other's address. */
  readonly relayOnly: boolean;
};

/** The path of the broker on our own server. */
const OWN_BROKER_PATH = '/broker';

/**
 * Reads config.json. If the file or a part of it is missing or invalid, that part gets its default.
 * @returns the settings, and one sentence per problem for the operator of the site. Never rejects.
 */
export async function loadConfig(base: URL): Promise<{ config: PageConfig; complaints: readonly string[] }> {
  const complaints: string[] = [];
  const given = await fetchConfig(new URL('config.json', base), complaints);
  return { config: readConfig(given, base, complaints), complaints };
}

/** Milliseconds that a server has to send its config.json: as long as a slow connection takes to bring a page. */
const CONFIG_WITHIN_MS = 10_000;

async function fetchConfig(url: URL, complaints: string[]): Promise<unknown> {
  try {
    const response = await fetch(url, { cache: 'no-cache', signal: AbortSignal.timeout(CONFIG_WITHIN_MS) });
    if (response.ok) return await response.json();
    complaints.push(`config.json can’t be loaded (${response.status}), so the defaults are used.`);
  } catch {
    complaints.push('config.json is missing or is not JSON, so the defaults are used.');
  }
  return {};
}

/**
 * Builds the configuration from the parsed config.json. Never throws.
 * @param given any JSON value.
 * @param complaints receives one sentence for each invalid part; such a part gets its default.
 */
export function readConfig(given: unknown, base: URL, complaints: string[]): PageConfig {
  const fields = asFields(given) ?? {};
  const iceServers = readIceServers(fields.iceServers, complaints);
  const relayOnly = fields.relayOnly === true;
  const url = readUrl(fields.networkUrl) ?? base;
  const broker =
    (fields.broker ?? null) === null ? ownBroker(base) : readBroker(fields.broker, base, complaints);
  const own = [base.hostname, url.hostname];
  return {
    broker: { ...broker, rtc: { iceServers, iceTransportPolicy: relayOnly ? 'relay' : 'all' } },
    friends: { url, ownCertificate: fields.ownCertificate === true },
    asked: {
      broker: own.includes(broker.host) ? null : broker.host,
      stun: relayOnly ? [] : hostsOf(iceServers, 'stun', own),
      turn: hostsOf(iceServers, 'turn', own),
      relayOnly,
    },
    serverRooms: fields.serverRooms === true,
    roomPlayers: whole(fields.roomPlayers, 1, MAX_SERVER_ROOM_PLAYERS) ?? MAX_ROOM_PLAYERS,
    watching: fields.serverRooms === true && fields.watching === true,
    voices: fields.serverRooms === true && fields.voices === true && (fields.broker ?? null) === null,
    // [N2.6] Another broker does not vouch to this server.
    rooms:
      fields.serverRooms === true && (fields.broker ?? null) === null
        ? new URL(`${ROOMS_PATH}/`, base)
        : null,
  };
}

function readUrl(given: unknown): URL | null {
  return typeof given === 'string' && URL.canParse(given) ? new URL(given) : null;
}

type BrokerPlace = Omit<BrokerSettings, 'rtc'>;

/**
 * A broker by its address, with no STUN and no TURN service: enough on one network.
 * @param address as http://host:port/path or with https, ws or wss.
 * @throws RangeError if it is no such address.
 */
export function brokerAt(address: string): BrokerSettings {
  const url = URL.canParse(address) ? new URL(address) : null;
  const secure = url === null ? undefined : IS_SECURE.get(url.protocol);
  if (url === null || secure === undefined)
    throw new RangeError('The address of a broker begins with http://, https://, ws:// or wss://.');
  const { hostname: host, port, pathname: path } = url;
  return {
    ...brokerIn({ host, ...(port === '' ? {} : { port: Number(port) }), path, secure }),
    rtc: { iceServers: [] },
  };
}

/** The protocols of a broker's address, and whether they are secure. */
const IS_SECURE: ReadonlyMap<string, boolean> = new Map([
  ['http:', false],
  ['ws:', false],
  ['https:', true],
  ['wss:', true],
]);

/**
 * A broker by its settings, as a project gives them.
 * @throws RangeError if no socket can have its address.
 */
export function brokerIn<Settings extends Partial<BrokerPlace>>(given: Settings): Settings & BrokerPlace {
  const place = placeIn(given);
  if (place === null) throw new RangeError('The settings of the broker have no host, or make no address.');
  return { ...given, ...place };
}

/**
 * @param urls of STUN and TURN services, as a project gives them.
 * @throws RangeError for one that is no such address: browsers refuse every line then, without a word.
 */
export function checkServices(urls: readonly unknown[]): void {
  for (const url of urls) {
    if (iceKindOf(url) !== null) continue;
    const given = JSON.stringify(url);
    throw new RangeError(`${given} is no address of a STUN or TURN service, such as stun:host:3478.`);
  }
}

/** The address of a broker's sockets, as ws://host:port/path or with wss. */
export function socketAddress({ host, port, path, secure }: BrokerPlace): string {
  return `${secure ? 'wss' : 'ws'}://${host}:${port}${path}`;
}

function ownBroker(base: URL): BrokerPlace {
  const { host, port, path, secure } = brokerAt(new URL(OWN_BROKER_PATH, base).href);
  return { host, port, path, secure };
}

function readBroker(given: unknown, base: URL, complaints: string[]): BrokerPlace {
  const fields = asFields(given) ?? {};
  const place = placeIn(fields);
  if (place !== null) return place;
  complaints.push(
    typeof fields.host === 'string' && fields.host !== ''
      ? '“broker” in config.json makes no address: this page’s own server is used instead.'
      : '“broker” in config.json needs a “host”: this page’s own server is used instead.',
  );
  return ownBroker(base);
}

/**
 * Reads the place of a broker; null if it has no host, or if no socket can have its address: sockets throw then, and much
 * later. What is missing gets its default.
 */
function placeIn(fields: Readonly<Record<string, unknown>>): BrokerPlace | null {
  const { host, port: givenPort, path, key } = fields;
  const secure = fields.secure !== false;
  const port = typeof givenPort === 'number' && Number.isInteger(givenPort) ? givenPort : secure ? 443 : 80;
  if (typeof host !== 'string' || host === '' || NOT_IN_HOST.test(host)) return null;
  if (key !== undefined && (typeof key !== 'string' || encodeURIComponent(key) !== key)) return null;
  const text = `http://${host}:${port}/`;
  const from = `/${typeof path === 'string' ? path.replace(/^\//, '') : ''}`;
  if (!URL.canParse(text) || NOT_IN_PATH.test(from)) return null;
  const { hostname } = new URL(text);
  return {
    host: hostname,
    port,
    path: new URL(from, text).pathname,
    secure,
    ...(key === undefined ? {} : { key }),
  };
}

/** Characters that end the host in an address, and those that end the path. */
const NOT_IN_HOST = /[/\\?#@]/;
const NOT_IN_PATH = /[?#]/;

function readIceServers(given: unknown, complaints: string[]): RTCIceServer[] {
  if (!Array.isArray(given)) return [];
  const servers: RTCIceServer[] = [];
  for (const entry of given) {
    const { urls, username, credential } = asFields(entry) ?? {};
    const list = Array.isArray(urls) ? urls : [urls];
    const kinds = list.map(iceKindOf);
    if (kinds.includes(null)) {
      complaints.push(
        'An entry of “iceServers” in config.json has no “urls” with stun: or turn:, so it is ignored.',
      );
      continue;
    }
    if (kinds.includes('turn') && !(typeof username === 'string' && typeof credential === 'string')) {
      complaints.push(
        'A TURN entry of “iceServers” in config.json has no “username” and “credential”, so it is ignored.',
      );
      continue;
    }
    servers.push({
      urls: list as string[],
      ...(typeof username === 'string' ? { username } : {}),
      ...(typeof credential === 'string' ? { credential } : {}),
    });
  }
  return servers;
}

/** Returns the hosts of services of a kind that are not in `own`, each once. */
function hostsOf(servers: readonly RTCIceServer[], kind: 'stun' | 'turn', own: readonly string[]): string[] {
  const urls = servers.flatMap(({ urls }) => urls).filter((url) => url.startsWith(kind));
  // An IPv6 address is in brackets, as in other URLs.
  const hosts = urls.map((url) => /^(?:stun|turn)s?:(\[[^\]]*\]|[^:?]*)/.exec(url)?.[1] ?? url);
  return [...new Set(hosts)].filter((host) => !own.includes(host));
}
