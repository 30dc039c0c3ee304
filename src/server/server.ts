import type { RequestListener, Server as HttpServer } from 'node:http';
import { createServer as createHttp } from 'node:http';
import { createServer as createHttps } from 'node:https';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { DestinationStream } from 'pino';
import { isEverywhere, machineNames, networkAddresses, urlOf } from './addresses.ts';
import type { Ports } from './app.ts';
import { createApp, routeUpgrade } from './app.ts';
import type { Broker } from './broker/broker.ts';
import { BROKER_PATH, createBroker } from './broker/broker.ts';
import { House } from './broker/house.ts';
import type { BrokerLimits } from './broker/limits.ts';
import { LIMITS } from './broker/limits.ts';
import type { Certificate } from './certificate.ts';
import { ownCertificate, readCertificate } from './certificate.ts';
import { limitConnections } from './visitors/connections.ts';
import { startMetrics } from './operations/metrics-server.ts';
import { RoomsProcess } from '../dedicated/rooms-process.ts';
import type { SnapshotPlace } from '../dedicated/snapshots/snapshot-store.ts';
import { FolderStore } from '../dedicated/snapshots/folder-store.ts';
import type { HouseSettings } from '../dedicated/process-messages.ts';
import { Operations } from './operations/operations.ts';
import type { Pages } from './pages.ts';
import { builtPages, sourcePages } from './pages.ts';
import { takePort } from './ports.ts';
import { founderSecret } from './rooms/founder-secret.ts';
import { LivingRooms } from './rooms/living-rooms.ts';
import type { LineEndpoint } from './rooms/room-lines.ts';
import { RoomWatchers } from './rooms/room-watchers.ts';
import { RoomLines } from './rooms/room-lines.ts';
import type { RoomMaker, RoomsWatch } from './rooms/server-rooms.ts';
import { serverRooms } from './rooms/server-rooms.ts';
import type {
  OutsideBroker,
  PortWish,
  RoomsSettings,
  ServerSettings,
  SnapshotsSettings,
} from './settings.ts';
import { startStun } from './stun.ts';
import { Visitors } from './visitors/visitors.ts';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));

/** Folders and switches for tests; each has a default. */
export type ServerOptions = {
  /** Whether pages update by themselves when a file is saved; true by default. */
  readonly live?: boolean;
  /** The folder of vite's cache. */
  readonly viteCache?: string;
  /** The folder in which the server stores its certificate. */
  readonly certificates?: string;
  /** The folder of the built pages. */
  readonly built?: string;
  /** Takes the lines of the logs. */
  readonly logs?: DestinationStream;
  /** The broker's limits. */
  readonly limits?: BrokerLimits;
};

/** A running server. */
export type Server = {
  /** The pages' address on this machine, with a slash at its end. HTTPS if HTTP is off. */
  readonly url: string;
  /** The same with HTTPS; null if HTTPS is off. */
  readonly secureUrl: string | null;
  /** The UDP port of STUN; null if STUN is off. */
  readonly stunPort: number | null;
  /** The TCP port of /metrics; null if it is off. */
  readonly metricsPort: number | null;
  /** The path of the broker, for PeerJS; null if the broker is elsewhere. */
  readonly brokerPath: string | null;
  /** Ends the broker's connections and accepts no new ones, as if it had failed; the pages go on. */
  stopBroker(): Promise<void>;
  startBroker(): void;
  /** Ends everything. */
  close(): Promise<void>;
};

/**
 * Starts pages, broker and STUN. Prints nothing.
 * @throws SetupError with one sentence if a part can't start; the others are closed then.
 */
export async function startServer(settings: ServerSettings, options: ServerOptions = {}): Promise<Server> {
  const closers: Closers = [];
  const close = async (): Promise<void> => {
    await Promise.all(closers.splice(0).map(async (closer) => closer()));
  };
  try {
    return { ...(await startParts(settings, options, closers)), close };
  } catch (error) {
    await close();
    throw error;
  }
}

type Closers = (() => Promise<void> | void)[];

/** Starts the parts one by one, and adds a closing function for each. */
async function startParts(
  settings: ServerSettings,
  options: ServerOptions,
  closers: Closers,
): Promise<Omit<Server, 'close'>> {
  const pages = await pagesFor(settings, options);
  closers.push(() => pages.close());
  const own: { url: string | null } = { url: null };
  const wished = settings.rooms;
  const house = new House();
  const living = wished && (await livingRooms(settings, wished));
  const maker = wished && living && (await roomsProcess(settings, wished, { house, living }, () => own.url));
  const watched = watchedBroker(settings, options, maker, house);
  const { visitors, operations, broker } = watched;
  const lines = broker && maker && roomLines(maker, house, { broker, visitors, operations });
  const watchers = maker && wished.watchers > 0 ? roomWatchers(maker, wished, watched) : null;
  closers.push(() => watchers?.stop());
  // The rooms' last words go through before.
  closers.push(async () => maker?.stop().then(() => lines?.stop()));
  if (broker !== null) closers.push(() => broker.stop());
  closers.push(() => operations.close());

  const ports: Ports = { stun: null, https: null };
  const { watchRequests } = operations;
  const isReady = (): boolean => broker?.isRunning() ?? true;
  const rooms = living && maker && serverRooms(maker, roomsWatch(wished, living, watched));
  const app = createApp(settings, { broker, pages, ports, visitors, rooms, watchRequests, isReady });
  const listen = async (server: HttpServer, wish: PortWish, setting: string): Promise<AddressInfo> => {
    limitConnections(server, visitors, (network) => operations.refused('connections', network));
    server.on('request', app as RequestListener);
    server.on('upgrade', (request, socket, head) => {
      const network = visitors.networkOf(request);
      if (!routeUpgrade({ broker, pages, lines, watchers }, request, socket, head))
        operations.refused('path', network);
    });
    const address = await takePort(wish, setting, (port) => bind(server, port, settings.host));
    closers.push(() => closeHttp(server));
    return address;
  };
  const http = settings.http && (await listen(createHttp(), settings.http, 'PORT'));
  const https =
    settings.https &&
    (await listen(createHttps(await certificateFor(settings, options)), settings.https, 'HTTPS_PORT'));
  const first = http ?? https;
  ports.https = https && https.port;
  if (first === null) throw new Error('HTTP and HTTPS are both off, which readSettings refuses');
  if (settings.stunPort !== null) {
    const responder = await startStun(settings.stunPort, first.address);
    closers.push(() => responder.close());
    ports.stun = responder.port;
  }
  const metrics = settings.metrics && (await startMetrics(settings.metrics, operations.metrics.registry));
  if (metrics !== null) closers.push(() => metrics.close());

  const host = settings.host === undefined || isEverywhere(settings.host) ? 'localhost' : settings.host;
  own.url = urlOf(http === null ? 'wss' : 'ws', host, first.port);
  maker?.resume();
  return {
    url: urlOf(http === null ? 'https' : 'http', host, first.port),
    secureUrl: https && urlOf('https', host, https.port),
    stunPort: ports.stun,
    metricsPort: metrics && metrics.port,
    brokerPath: broker && BROKER_PATH,
    stopBroker: async () => broker?.stop(),
    startBroker: () => broker?.start(),
  };
}

/** The broker, null if it is elsewhere, and what watches it. */
type Watched = {
  readonly visitors: Visitors;
  readonly operations: Operations;
  readonly broker: Broker | null;
};

/** Creates the broker, if it is not elsewhere, and what watches it. */
function watchedBroker(
  settings: ServerSettings,
  options: ServerOptions,
  maker: RoomMaker | null,
  house: House,
): Watched {
  const visitors = new Visitors(settings.proxies);
  let broker: Broker | null = null;
  const operations = new Operations(
    settings.log,
    visitors,
    () => broker?.figures() ?? null,
    () => maker?.figures ?? null,
    options.logs,
  );
  const { limits = LIMITS } = options;
  if (settings.broker === null) broker = createBroker({ visitors, watch: operations, limits, house });
  return { visitors, operations, broker };
}

function roomsWatch(
  { players }: RoomsSettings,
  living: LivingRooms,
  { broker, visitors, operations }: Watched,
): RoomsWatch {
  return {
    living,
    players,
    mayLookFor: (network, code) => broker?.mayLookFor(network, code) ?? true,
    networkOf: (request) => visitors.networkOf(request),
    refused: (network) => operations.refused('rooms', network),
  };
}

/** [N2.3] Passes pages' lines over WebSockets on to the process with the rooms. */
function roomLines(
  maker: RoomsProcess,
  house: House,
  { broker, visitors, operations }: Watched & { readonly broker: Broker },
): RoomLines {
  const place: LineEndpoint = {
    get linePort() {
      return maker.linePort;
    },
    lineSecret: house.secret,
  };
  return new RoomLines(place, {
    networkOf: (request) => visitors.networkOf(request),
    refused: (network) => operations.refused('lines', network),
    mayLookFor: (network, code) => broker.mayLookFor(network, code),
    isAtBroker: (id, token) => broker.isHeldBy(id, token),
  });
}

/** [N5] Gives what rooms send to those that watch them. */
function roomWatchers(
  maker: RoomsProcess,
  { watchers: most }: RoomsSettings,
  { broker, visitors, operations }: Watched,
): RoomWatchers {
  const watchers = new RoomWatchers(maker, {
    most,
    networkOf: (request) => visitors.networkOf(request),
    refused: (network) => operations.refused('watchers', network),
    mayLookFor: (network, code) => broker?.mayLookFor(network, code) ?? true,
  });
  maker.onWatched((news) => watchers.take(news));
  return watchers;
}

async function certificateFor(settings: ServerSettings, options: ServerOptions): Promise<Certificate> {
  if (settings.tlsFiles !== null) return readCertificate(settings.tlsFiles);
  const folder = options.certificates ?? join(ROOT, 'node_modules/.cache/handover');
  return ownCertificate(folder, [...machineNames(), '127.0.0.1', '::1', ...networkAddresses()]);
}

async function pagesFor(settings: ServerSettings, options: ServerOptions): Promise<Pages> {
  if (settings.mode === 'serve') return builtPages(options.built ?? join(ROOT, 'dist'), settings.broker);
  const source = { root: ROOT, live: options.live ?? true, cache: options.viteCache };
  return sourcePages(source, settings.broker);
}

function bind(server: HttpServer, port: number, host: string | undefined): Promise<AddressInfo> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen({ port, host }, () => {
      server.off('error', reject);
      resolve(server.address() as AddressInfo);
    });
  });
}

function closeHttp(server: HttpServer): Promise<void> {
  return new Promise((resolve) => {
    server.close(() => {
      resolve();
    });
    server.closeAllConnections();
  });
}

/** Milliseconds after which a server room ends in which nobody is: a reload, or a lunch. */
const EMPTY_ROOM_MS = 5 * 60_000;

async function livingRooms({ snapshots }: ServerSettings, rooms: RoomsSettings): Promise<LivingRooms> {
  return new LivingRooms(rooms.mostOfNetwork, await founderSecret(snapshots?.folder ?? null));
}

/** Creates the process with the rooms, which begins later. [N6.3] The doors of the kept ones are reserved at once. */
async function roomsProcess(
  settings: ServerSettings,
  rooms: RoomsSettings,
  { house, living }: { readonly house: House; readonly living: LivingRooms },
  own: () => string | null,
): Promise<RoomsProcess> {
  if (settings.snapshots !== null) {
    // Their secrets are read later, by that process.
    const codes = await new FolderStore(settings.snapshots.folder).codes();
    house.doors.reserve(codes.map((code) => ({ code, secret: null, founder: null, key: null })));
  }
  return new RoomsProcess(
    () => houseSettings(settings, rooms, house, own()),
    (doors) => {
      house.doors.reserve(doors);
      living.keep(doors);
    },
  );
}

/** @param own the address of this server's own WebSockets, with a slash at its end. */
function houseSettings(
  { broker, ice, snapshots }: ServerSettings,
  { most, host, privateNetworks }: RoomsSettings,
  house: House,
  own: string | null,
): HouseSettings {
  const url = broker === null ? `${own}${BROKER_PATH.slice(1)}` : brokerUrl(broker);
  // Its own certificate has no signature that another process would believe.
  const trustsAny = broker === null;
  const address = host === null ? {} : { address: host };
  const key = broker?.key === undefined ? {} : { key: broker.key };
  // No other server learns the secret of this one.
  const headers = broker === null ? house.headers : {};
  return {
    network: { broker: { url, trustsAny, headers, ...key }, stun: ice.stun, privateNetworks, ...address },
    mostRooms: most,
    emptyMs: EMPTY_ROOM_MS,
    lineSecret: house.secret,
    ...(snapshots === null ? {} : { snapshots: placeOf(snapshots) }),
  };
}

function placeOf({ folder, hours }: SnapshotsSettings): SnapshotPlace {
  return { kind: 'folder', path: folder, keepMs: 3_600_000 * hours };
}

function brokerUrl({ host, port, path, secure }: OutsideBroker): string {
  return `${secure ? 'wss' : 'ws'}://${host}:${port}${path}`;
}
