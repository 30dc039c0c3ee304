import {
  HTTPS_PORT,
  HTTP_PORT,
  KEPT_HOURS,
  MOST_KEPT_HOURS,
  MOST_ROOMS,
  MOST_WATCHERS,
  PUBLIC_STUN,
  ROOMS,
  STUN_PORT,
  VARIABLES,
  WATCHERS,
} from './variables.ts';
import type { Variable } from './variables.ts';
import type { Read } from './reading.ts';
import { readCount, readPair, readSwitch, SetupError } from './reading.ts';
import type { IceSettings, OutsideBroker } from './services.ts';
import { readBroker, readIce } from './services.ts';
import { MAX_ROOM_PLAYERS, MAX_SERVER_ROOM_PLAYERS } from '../../core/base/constants.ts';
import { isIP } from 'node:net';
import { isEverywhere, isLoopback } from '../addresses.ts';
import { resolve } from 'node:path';
import type { JanusSettings } from '../voice/janus.ts';

/** `start` serves the sources to developers; `serve` serves a build. */
export type Mode = 'start' | 'serve';

/** A wanted port; 0 for any free one. */
export type PortWish = {
  readonly port: number;
  /** If the port is taken, the next free one may be used. */
  readonly movable: boolean;
};

export type ServerSettings = {
  readonly mode: Mode;
  /** The address to listen at; undefined for all addresses. */
  readonly host: string | undefined;
  readonly http: PortWish | null;
  readonly https: PortWish | null;
  /** The files of a certificate and its key; null if the server makes its own. */
  readonly tlsFiles: { readonly certificate: string; readonly key: string } | null;
  readonly stunPort: PortWish | null;
  readonly ice: IceSettings;
  /** Null for the server's own broker. */
  readonly broker: OutsideBroker | null;
  /** The addresses and networks of the proxies whose X-Forwarded headers are believed. */
  readonly proxies: readonly string[];
  readonly log: LogWish;
  /** Null if the server offers no rooms of its own. */
  readonly rooms: RoomsSettings | null;
  /** Where server rooms are kept; null if they end with their process. */
  readonly snapshots: SnapshotsSettings | null;
  /** The other processes of this site; null if this is the only one. */
  readonly cluster: ClusterSettings | null;
  /** Null without metrics. */
  readonly metrics: MetricsSettings | null;
};

/** The wanted logs: nothing, what was refused, or that and every request. */
export type LogWish = 'off' | 'security' | 'requests';

/** Where /metrics answers. */
export type MetricsSettings = { readonly port: PortWish; readonly host: string };

/** Where server rooms are kept, and for how many hours without their server. */
export type SnapshotsSettings = (
  | { readonly kind: 'folder'; readonly folder: string }
  | { readonly kind: 'redis'; readonly url: string }
) & { readonly hours: number };

/** How the processes of one site find each other. */
export type ClusterSettings = {
  /** The address of Redis. */
  readonly redis: string;
  /** The address of this process for the others, with a slash at its end; null to find one. */
  readonly url: string | null;
};

/** The rooms that the server itself is host of. */
export type RoomsSettings = {
  /** Rooms at a time: in all, and those that one network has opened. */
  readonly most: number;
  readonly mostOfNetwork: number;
  /** [N8.1] People in a room, at most. */
  readonly players: number;
  /** [N5] People who watch, in all rooms together, at most; 0 if nobody may. */
  readonly watchers: number;
  /** [N8.5] The Janus for the voices of large rooms; null if they have none. */
  readonly voices: JanusSettings | null;
  /** The address from which their packets go; null for all of this machine. */
  readonly host: string | null;
  /** Whether packets go to addresses in private networks, too, when players name them. */
  readonly privateNetworks: boolean;
};

export type Environment = Readonly<Record<string, string | undefined>>;

/**
 * Reads the settings.
 * @throws SetupError with one sentence about the first setting that is wrong.
 */
export function readSettings(mode: Mode, environment: Environment): ServerSettings {
  const unknown = Object.keys(environment).find(
    (name) => name.startsWith('HANDOVER_') && !VARIABLES.some(([known]) => known === name),
  );
  if (unknown !== undefined) throw new SetupError(`There is no setting ${unknown}; see --help.`);
  const read = (name: Variable): string => environment[name]?.trim() ?? '';
  const movable = mode === 'start';
  const port = (name: Variable, fallback: number | null): PortWish | null =>
    readPort(name, read(name), fallback === null ? null : { port: fallback, movable });
  const tlsFiles = readPair(read, 'TLS_CERT', 'TLS_KEY');
  // Pages learn this port from the server, so it may move in both modes.
  const stunPort = readPort('STUN_PORT', read('STUN_PORT'), { port: STUN_PORT, movable: true });
  const cluster = readCluster(read);
  const settings: ServerSettings = {
    mode,
    host: read('HOST') || undefined,
    http: port('PORT', HTTP_PORT),
    https: port('HTTPS_PORT', mode === 'start' || tlsFiles !== null ? HTTPS_PORT : null),
    tlsFiles: tlsFiles === null ? null : { certificate: tlsFiles[0], key: tlsFiles[1] },
    stunPort,
    ice: readIce(read, stunPort === null ? PUBLIC_STUN : 'off'),
    broker: readBroker(read('HANDOVER_BROKER')),
    rooms: readRooms(read, mode),
    snapshots: readSnapshots(read, cluster),
    cluster,
    proxies: readProxies(read('TRUST_PROXY')),
    log: readLog(read('LOG'), mode),
    metrics: readMetrics(port('METRICS_PORT', null), read('METRICS_HOST')),
  };
  if (settings.http === null && settings.https === null) {
    throw new SetupError('PORT and HTTPS_PORT are both off; the pages need one of them.');
  }
  return settings;
}

function readPort(name: Variable, text: string, fallback: PortWish | null): PortWish | null {
  if (text === '') return fallback;
  if (text === 'off') return null;
  if (/^\d{1,5}$/.test(text) && Number(text) <= 65_535) return { port: Number(text), movable: false };
  throw new SetupError(`${name} is a port from 0 to 65535, or off, not "${text}".`);
}

function readProxies(text: string): readonly string[] {
  if (text === '' || text === 'off') return [];
  const proxies = text.split(',').map((proxy) => proxy.trim());
  const wrong = proxies.find((proxy) => !isAddressOrNetwork(proxy));
  if (wrong === undefined) return proxies;
  throw new SetupError(
    `TRUST_PROXY lists the addresses of your proxies, like 127.0.0.1 or 10.1.0.0/24, or is off; "${wrong}" is not an address.`,
  );
}

/** Returns true for one address, or a network that is smaller than everything. */
function isAddressOrNetwork(text: string): boolean {
  const [address, bits, ...rest] = text.split('/');
  const family = isIP(address);
  if (family === 0 || rest.length > 0) return false;
  return bits === undefined || (/^[1-9]\d{0,2}$/.test(bits) && Number(bits) <= (family === 4 ? 32 : 128));
}

function readRooms(read: Read, mode: Mode): RoomsSettings | null {
  const text = read('HANDOVER_ROOMS');
  if (text === 'off' || (text === '' && mode === 'serve')) return null;
  const most = readCount(text, ROOMS, MOST_ROOMS);
  if (most === null)
    throw new SetupError(`HANDOVER_ROOMS is a number from 1 to ${MOST_ROOMS}, or off, not "${text}".`);
  const ofNetwork = read('HANDOVER_ROOMS_OF_NETWORK');
  const mostOfNetwork = readCount(ofNetwork, Math.ceil(most / 2), most);
  if (mostOfNetwork === null) {
    throw new SetupError(
      `HANDOVER_ROOMS_OF_NETWORK is a number from 1 to ${most}, the rooms in all, not "${ofNetwork}".`,
    );
  }
  const wished = read('HANDOVER_ROOMS_PLAYERS');
  const usual = mode === 'start' ? MAX_SERVER_ROOM_PLAYERS : MAX_ROOM_PLAYERS;
  const players = readCount(wished, usual, MAX_SERVER_ROOM_PLAYERS);
  if (players === null) {
    throw new SetupError(
      `HANDOVER_ROOMS_PLAYERS is a number from 1 to ${MAX_SERVER_ROOM_PLAYERS}, not "${wished}".`,
    );
  }
  const watching = read('HANDOVER_ROOMS_WATCHERS');
  const watchers = watching === 'off' ? 0 : readCount(watching, WATCHERS, MOST_WATCHERS);
  if (watchers === null) {
    throw new SetupError(
      `HANDOVER_ROOMS_WATCHERS is a number from 1 to ${MOST_WATCHERS}, or off, not "${watching}".`,
    );
  }
  const isPrivate = read('HANDOVER_ROOMS_PRIVATE');
  const privateNetworks =
    isPrivate === '' ? mode === 'start' : readSwitch('HANDOVER_ROOMS_PRIVATE', isPrivate);
  const voices = readVoices(read);
  return { most, mostOfNetwork, players, watchers, voices, privateNetworks, host: readRoomsHost(read) };
}

function readVoices(read: Read): JanusSettings | null {
  const url = read('HANDOVER_JANUS');
  const secret = read('HANDOVER_JANUS_SECRET');
  if (url === '' || url === 'off') {
    if (secret === '') return null;
    throw new SetupError('HANDOVER_JANUS_SECRET is set, but HANDOVER_JANUS is not.');
  }
  if (read('HANDOVER_BROKER') !== '')
    throw new SetupError(
      'HANDOVER_JANUS is for players at this server’s own broker; leave out HANDOVER_BROKER.',
    );
  if (!isUrl(url, /^wss?:$/))
    throw new SetupError(`HANDOVER_JANUS is an address like ws://127.0.0.1:8188, or off, not "${url}".`);
  return { url, secret: secret || null };
}

/**
 * Reads the address that rooms send packets from. A loopback HOST does not count: it means that a proxy is in front of
 * this server, and a proxy forwards no packets.
 * @returns null for all addresses of this machine.
 */
function readRoomsHost(read: Read): string | null {
  const own = read('HANDOVER_ROOMS_HOST');
  const host = own || read('HOST');
  if (own !== '' && isIP(own) === 0)
    throw new SetupError(`HANDOVER_ROOMS_HOST is an address like 192.0.2.7, not "${own}".`);
  if (host === '' || isEverywhere(host) || (own === '' && isLoopback(host))) return null;
  return host;
}

function readSnapshots(read: Read, cluster: ClusterSettings | null): SnapshotsSettings | null {
  const text = read('HANDOVER_SNAPSHOTS');
  const hours = readCount(read('HANDOVER_SNAPSHOTS_HOURS'), KEPT_HOURS, MOST_KEPT_HOURS);
  if (hours === null)
    throw new SetupError(`HANDOVER_SNAPSHOTS_HOURS is a number from 1 to ${MOST_KEPT_HOURS}.`);
  const isOff = text === '' || text === 'off';
  if (cluster === null) return isOff ? null : { kind: 'folder', folder: resolve(text), hours };
  if (!isOff) throw new SetupError('With REDIS_URL rooms are kept in Redis; leave out HANDOVER_SNAPSHOTS.');
  return { kind: 'redis', url: cluster.redis, hours };
}

function readCluster(read: Read): ClusterSettings | null {
  const redis = read('REDIS_URL');
  const url = read('HANDOVER_PROCESS_URL');
  if (redis === '' || redis === 'off') {
    if (url !== '') throw new SetupError('HANDOVER_PROCESS_URL is set, but REDIS_URL is not.');
    return null;
  }
  if (!isUrl(redis, /^rediss?:$/))
    throw new SetupError('REDIS_URL is an address like redis://127.0.0.1:6379, or off.');
  if (url !== '' && !isUrl(url, /^https?:$/))
    throw new SetupError(`HANDOVER_PROCESS_URL is an address like http://10.0.0.7:5173, not "${url}".`);
  if (read('HANDOVER_BROKER') !== '')
    throw new SetupError('REDIS_URL spreads this server’s own broker; leave out HANDOVER_BROKER.');
  if (readProxies(read('TRUST_PROXY')).length === 0) {
    throw new SetupError(
      'REDIS_URL needs TRUST_PROXY: the processes of a site pass visitors to one another, as proxies do.',
    );
  }
  return { redis, url: url === '' ? null : new URL('/', url).href };
}

function isUrl(text: string, protocol: RegExp): boolean {
  return URL.canParse(text) && protocol.test(new URL(text).protocol);
}

const LOGS: readonly LogWish[] = ['off', 'security', 'requests'];

function readLog(text: string, mode: Mode): LogWish {
  // The terminal of `start` has the addresses of the pages, for a person to read.
  if (text === '') return mode === 'start' ? 'off' : 'security';
  const wish = LOGS.find((name) => name === text);
  if (wish !== undefined) return wish;
  throw new SetupError(`LOG is off, security or requests, not "${text}".`);
}

function readMetrics(port: PortWish | null, host: string): MetricsSettings | null {
  return port && { port, host: host || '127.0.0.1' };
}
