import { MAX_ROOM_PLAYERS, MAX_SERVER_ROOM_PLAYERS } from '../core/base/constants.ts';
import { isIP } from 'node:net';
import { isEverywhere, isLoopback } from './addresses.ts';
import { resolve } from 'node:path';

/** `start` serves the sources to developers; `serve` serves a build. */
export type Mode = 'start' | 'serve';

/** A wanted port; 0 for any free one. */
export type PortWish = {
  readonly port: number;
  /** If the port is taken, the next free one may be used. */
  readonly movable: boolean;
};

/** The STUN and TURN services for the pages. */
export type IceSettings = {
  readonly stun: readonly string[];
  readonly turn: TurnSettings | null;
  /** Whether players connect only through TURN, so that they never see each other's addresses. */
  readonly relayOnly: boolean;
};

export type TurnSettings = {
  readonly urls: readonly string[];
  /** One login for all players, or the secret for logins that expire. */
  readonly login:
    | { readonly kind: 'fixed'; readonly username: string; readonly password: string }
    | { readonly kind: 'secret'; readonly secret: string };
};

/** A PeerJS broker elsewhere. */
export type OutsideBroker = {
  readonly host: string;
  readonly port: number;
  readonly path: string;
  readonly secure: boolean;
  readonly key?: string;
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
  /** Null without metrics. */
  readonly metrics: MetricsSettings | null;
};

/** The wanted logs: nothing, what was refused, or that and every request. */
export type LogWish = 'off' | 'security' | 'requests';

/** Where /metrics answers. */
export type MetricsSettings = { readonly port: PortWish; readonly host: string };

/** Where server rooms are kept, and for how many hours without their server. */
export type SnapshotsSettings = { readonly folder: string; readonly hours: number };

/** The rooms that the server itself is host of. */
export type RoomsSettings = {
  /** Rooms at a time: in all, and those that one network has opened. */
  readonly most: number;
  readonly mostOfNetwork: number;
  /** [N8.1] People in a room, at most. */
  readonly players: number;
  /** [N5] People who watch, in all rooms together, at most; 0 if nobody may. */
  readonly watchers: number;
  /** The address from which their packets go; null for all of this machine. */
  readonly host: string | null;
  /** Whether packets go to addresses in private networks, too, when players name them. */
  readonly privateNetworks: boolean;
};

/** The server was started in a wrong way; the message is one sentence for the person who started it. */
export class SetupError extends Error {}

export type Environment = Readonly<Record<string, string | undefined>>;

const HTTP_PORT = 5173;
const HTTPS_PORT = 5174;
/** The STUN port of RFC 5389. */
const STUN_PORT = 3478;
/** Server rooms unless the environment says otherwise, and at most: one process has all of them. */
const ROOMS = 8;
const MOST_ROOMS = 64;
/** People who watch server rooms, in all; and at most: a server takes 5000 connections. */
const WATCHERS = 1000;
const MOST_WATCHERS = 4000;
/** Hours for which a room is kept while its server is away: a weekend; and a year at most. */
const KEPT_HOURS = 72;
const MOST_KEPT_HOURS = 8760;
const PUBLIC_STUN = 'stun:stun.l.google.com:19302';

/** Every setting and its meaning, with its default in brackets. */
const VARIABLES = [
  ['PORT', `port of HTTP, or off (${HTTP_PORT})`],
  ['HTTPS_PORT', `port of HTTPS, or off (${HTTPS_PORT}; with serve off, unless TLS_CERT is set)`],
  ['HOST', 'address to listen at (all of this machine)'],
  ['TLS_CERT', 'file of the certificate for HTTPS, PEM (the server makes its own)'],
  ['TLS_KEY', 'file of its private key, PEM'],
  ['TRUST_PROXY', 'addresses of your proxies, with commas between: their X-Forwarded headers count (off)'],
  [
    'LOG',
    'off, security (what was refused), or requests (also each request), as JSON (security; start: off)',
  ],
  ['METRICS_PORT', 'port of /metrics for Prometheus, or off (off)'],
  ['METRICS_HOST', 'its address (127.0.0.1)'],
  ['STUN_PORT', `UDP port of the server's own STUN, or off (${STUN_PORT})`],
  [
    'HANDOVER_STUN',
    `STUN services for the pages, with commas between, or off (off; with STUN_PORT=off ${PUBLIC_STUN})`,
  ],
  ['HANDOVER_TURN', 'TURN services for the pages, with commas between, or off (off)'],
  ['HANDOVER_TURN_USER', 'login at TURN'],
  ['HANDOVER_TURN_PASSWORD', 'and its password'],
  ['HANDOVER_TURN_SECRET', "or coturn's static-auth-secret: each page gets a login that expires"],
  ['HANDOVER_RELAY_ONLY', 'on: players connect through TURN alone (off)'],
  ['HANDOVER_ROOMS', `rooms that this server is host of, at most, or off (start: ${ROOMS}; serve: off)`],
  [
    'HANDOVER_ROOMS_PLAYERS',
    `people in one server room, at most (start: ${MAX_SERVER_ROOM_PLAYERS}; serve: ${MAX_ROOM_PLAYERS})`,
  ],
  ['HANDOVER_ROOMS_WATCHERS', `people who watch them, in all, at most, or off (${WATCHERS})`],
  ['HANDOVER_ROOMS_OF_NETWORK', 'rooms of these that one network has at a time (half of them)'],
  ['HANDOVER_ROOMS_HOST', 'their address (HOST; all of this machine if that is a loopback address)'],
  [
    'HANDOVER_ROOMS_PRIVATE',
    'on: they also send to addresses in private networks that players name (start: on; serve: off)',
  ],
  ['HANDOVER_SNAPSHOTS', 'folder that keeps server rooms over faults and restarts, or off (off)'],
  [
    'HANDOVER_SNAPSHOTS_HOURS',
    `hours after which a room that was kept, and did not come back, is removed (${KEPT_HOURS})`,
  ],
  ['HANDOVER_BROKER', 'URL of a PeerJS broker elsewhere, as https://host/path (our own, at /broker)'],
] as const;

type Variable = (typeof VARIABLES)[number][0];

/** The text of `--help`. */
export const USAGE = `Usage: npm start, or npm run build and npm run serve. Settings are read from the environment:
${VARIABLES.map(([name, meaning]) => `  ${name.padEnd(25)} ${meaning}`).join('\n')}
A port of 0 is any free one. Where a default port is taken, start uses the next free one.`;

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
    snapshots: readSnapshots(read),
    proxies: readProxies(read('TRUST_PROXY')),
    log: readLog(read('LOG'), mode),
    metrics: readMetrics(port('METRICS_PORT', null), read('METRICS_HOST')),
  };
  if (settings.http === null && settings.https === null) {
    throw new SetupError('PORT and HTTPS_PORT are both off; the pages need one of them.');
  }
  return settings;
}

type Read = (name: Variable) => string;

function readPort(name: Variable, text: string, fallback: PortWish | null): PortWish | null {
  if (text === '') return fallback;
  if (text === 'off') return null;
  if (/^\d{1,5}$/.test(text) && Number(text) <= 65_535) return { port: Number(text), movable: false };
  throw new SetupError(`${name} is a port from 0 to 65535, or off, not "${text}".`);
}

function readSwitch(name: Variable, text: string): boolean {
  if (text === 'on') return true;
  if (text === '' || text === 'off') return false;
  throw new SetupError(`${name} is on or off, not "${text}".`);
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
  return { most, mostOfNetwork, players, watchers, privateNetworks, host: readRoomsHost(read) };
}

/** Players come to a proxy that asks this server at a loopback address; the proxy passes no packets on. */
function readRoomsHost(read: Read): string | null {
  const own = read('HANDOVER_ROOMS_HOST');
  const host = own || read('HOST');
  if (own !== '' && isIP(own) === 0)
    throw new SetupError(`HANDOVER_ROOMS_HOST is an address like 192.0.2.7, not "${own}".`);
  if (host === '' || isEverywhere(host) || (own === '' && isLoopback(host))) return null;
  return host;
}

/** @returns the fallback for an empty text; null for what is no number from 1 to `most`. */
function readCount(text: string, fallback: number, most: number): number | null {
  if (text === '') return fallback;
  return /^[1-9]\d{0,3}$/.test(text) && Number(text) <= most ? Number(text) : null;
}

function readSnapshots(read: Read): SnapshotsSettings | null {
  const text = read('HANDOVER_SNAPSHOTS');
  const hours = readCount(read('HANDOVER_SNAPSHOTS_HOURS'), KEPT_HOURS, MOST_KEPT_HOURS);
  if (hours === null)
    throw new SetupError(`HANDOVER_SNAPSHOTS_HOURS is a number from 1 to ${MOST_KEPT_HOURS}.`);
  return text === '' || text === 'off' ? null : { folder: resolve(text), hours };
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

/** Returns two settings that only make sense together; null if both are empty. */
function readPair(read: Read, one: Variable, other: Variable): [string, string] | null {
  const values: [string, string] = [read(one), read(other)];
  if (values[0] === '' && values[1] === '') return null;
  if (values.includes('')) {
    const [set, missing] = values[0] === '' ? [other, one] : [one, other];
    throw new SetupError(`${set} is set, but ${missing} is not; they go together.`);
  }
  return values;
}

/** @param stunElse the STUN services if none are set: a service of others is asked only where our own does not answer. */
function readIce(read: Read, stunElse: string): IceSettings {
  const turn = readTurn(read);
  const relayOnly = readSwitch('HANDOVER_RELAY_ONLY', read('HANDOVER_RELAY_ONLY'));
  if (relayOnly && turn === null) {
    throw new SetupError('HANDOVER_RELAY_ONLY is on, but there is no HANDOVER_TURN to relay.');
  }
  return {
    stun: readServices('HANDOVER_STUN', read('HANDOVER_STUN') || stunElse, STUN_URL, 'stun:host:3478'),
    turn,
    relayOnly,
  };
}

function readTurn(read: Read): TurnSettings | null {
  const urls = readServices('HANDOVER_TURN', read('HANDOVER_TURN') || 'off', TURN_URL, 'turn:host:3478');
  const login = readPair(read, 'HANDOVER_TURN_USER', 'HANDOVER_TURN_PASSWORD');
  const secret = read('HANDOVER_TURN_SECRET');
  const logins = Number(login !== null) + Number(secret !== '');
  if (urls.length === 0) {
    if (logins === 0) return null;
    throw new SetupError('There is a login for TURN, but no HANDOVER_TURN.');
  }
  if (logins !== 1) {
    throw new SetupError(
      'HANDOVER_TURN needs a login: HANDOVER_TURN_USER and HANDOVER_TURN_PASSWORD, or HANDOVER_TURN_SECRET.',
    );
  }
  return login === null
    ? { urls, login: { kind: 'secret', secret } }
    : { urls, login: { kind: 'fixed', username: login[0], password: login[1] } };
}

// A browser refuses the whole connection if it can't read one address, so these patterns are strict.
const HOST_AND_PORT = String.raw`(?:[\w-]+(?:\.[\w-]+)*|\[[\da-f:.]+\])(?::\d{1,5})?`;
const STUN_URL = new RegExp(`^stuns?:${HOST_AND_PORT}$`, 'i');
const TURN_URL = new RegExp(String.raw`^turns?:${HOST_AND_PORT}(?:\?transport=(?:udp|tcp))?$`, 'i');

function readServices(name: Variable, text: string, form: RegExp, example: string): readonly string[] {
  if (text === 'off') return [];
  const urls = text.split(',').map((url) => url.trim());
  const wrong = urls.find((url) => !form.test(url));
  if (wrong === undefined) return urls;
  throw new SetupError(
    `${name} lists addresses like ${example}, or is off; "${wrong}" is not such an address.`,
  );
}

function readBroker(text: string): OutsideBroker | null {
  if (text === '') return null;
  const url = URL.canParse(text) ? new URL(text) : null;
  if (url === null || !/^(?:http|ws)s?:$/.test(url.protocol)) {
    throw new SetupError(`HANDOVER_BROKER is an address like https://host/path, not "${text}".`);
  }
  const secure = /s:$/.test(url.protocol);
  const key = url.searchParams.get('key');
  return {
    host: url.hostname,
    port: url.port === '' ? (secure ? 443 : 80) : Number(url.port),
    path: url.pathname,
    secure,
    ...(key === null ? {} : { key }),
  };
}
