import type { RequestListener, Server as HttpServer } from 'node:http';
import { createServer as createHttp } from 'node:http';
import { createServer as createHttps } from 'node:https';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { DestinationStream } from 'pino';
import {
  addressForOthers,
  isEverywhere,
  machineNames,
  networkAddresses,
  stunAddress,
  urlOf,
} from './addresses.ts';
import type { Ports } from './app.ts';
import { createApp, routeUpgrade } from './app.ts';
import type { Broker } from './broker/broker.ts';
import { BROKER_PATH, createBroker } from './broker/broker.ts';
import { House } from './broker/house.ts';
import type { BrokerLimits } from './broker/limits/limits.ts';
import { LIMITS } from './broker/limits/limits.ts';
import type { Certificate } from './certificate.ts';
import { ownCertificate, readCertificate } from './certificate.ts';
import { limitConnections } from './visitors/connections.ts';
import { PROTOCOL_VERSION } from '../core/room/messages.ts';
import { startMetrics } from './operations/metrics-server.ts';
import type { RoomsProcess } from '../dedicated/rooms-process.ts';
import { Operations } from './operations/operations.ts';
import type { Pages } from './pages.ts';
import { builtPages, sourcePages } from './pages.ts';
import { takePort } from './ports.ts';
import type { RoomsParts } from './rooms/begin-rooms.ts';
import { livingRooms, roomsProcess } from './rooms/begin-rooms.ts';
import type { LivingRooms } from './rooms/living-rooms.ts';
import { Cluster } from './cluster/cluster.ts';
import { RoomWatchers } from './rooms/room-watchers.ts';
import type { LineEndpoint, LinesWatch } from './rooms/room-lines.ts';
import { RoomLines } from './rooms/room-lines.ts';
import type { RoomMaker, RoomsWatch } from './rooms/server-rooms.ts';
import { serverRooms } from './rooms/server-rooms.ts';
import type { ClusterSettings, PortWish, RoomsSettings, ServerSettings } from './settings/settings.ts';
import { startStun } from './stun.ts';
import { Visitors } from './visitors/visitors.ts';
import { RoomVoices } from './voice/room-voices.ts';

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
  const parts: LaterParts = { maker: null, broker: null, lines: null, voices: null, ended: null };
  const cluster = settings.cluster && (await clusterOf(settings, settings.cluster, { own, house, parts }));
  closers.push(() => endRooms(cluster, parts));
  const living = wished && (await livingRooms(settings, wished, cluster));
  const kept = living && { house, cluster, living };
  const maker = kept && (await roomsProcess(settings, wished, kept, () => own.url));
  const watched = watchedBroker(settings, options, maker, { house, cluster, parts });
  const { visitors, operations, broker } = watched;
  const lines = broker && maker && roomLines(maker, house, { broker, visitors, operations, cluster });
  const watchers = maker && wished.watchers > 0 ? roomWatchers(maker, wished, watched) : null;
  const voices = broker && maker && roomVoices(maker, wished, { broker, visitors, operations, cluster });
  Object.assign(parts, { maker, broker, lines, voices } satisfies Partial<LaterParts>);
  for (const part of [watchers, voices, broker]) closers.push(() => part?.stop());
  closers.push(() => operations.close());

  const ports: Ports = { stun: null, https: null };
  const isReady = (): boolean => broker?.isRunning() ?? true;
  const rooms = living && maker && serverRooms(maker, roomsWatch(wished, living, watched));
  const app = createApp(settings, { broker, pages, ports, visitors, rooms, operations, isReady });
  const takers = { broker, pages, lines, watchers, voices, cluster, visitors };
  const listen = async (server: HttpServer, wish: PortWish, setting: string): Promise<AddressInfo> => {
    limitConnections(server, visitors, (network) => operations.refused('connections', network));
    server.on('request', app as RequestListener);
    server.on('upgrade', (request, socket, head) => {
      const refusal = routeUpgrade(takers, request, socket, head);
      if (refusal !== null) operations.refused(refusal, visitors.networkOf(request));
    });
    const address = await takePort(wish, setting, (port) => bind(server, port, settings.host));
    // [N9.6] Meanwhile a cluster's proxy reads that this process is not ready.
    closers.push(async () => {
      await (cluster && endRooms(cluster, parts));
      await closeHttp(server);
    });
    return address;
  };
  const http = settings.http && (await listen(createHttp(), settings.http, 'PORT'));
  const https =
    settings.https &&
    (await listen(createHttps(await certificateFor(settings, options)), settings.https, 'HTTPS_PORT'));
  const first = http ?? https;
  ports.https = https && https.port;
  if (first === null) throw new Error('HTTP and HTTPS are both off, which readSettings refuses');
  ports.stun = await stunAt(settings, first.address, closers);
  const metrics = settings.metrics && (await startMetrics(settings.metrics, operations.metrics.registry));
  if (metrics !== null) closers.push(() => metrics.close());

  const host = hostOf(settings);
  own.url = urlOf(http === null ? 'wss' : 'ws', host, first.port);
  await cluster?.start();
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

/** Starts STUN. @param address of HTTP. @returns its port; null if it is off. */
async function stunAt(settings: ServerSettings, address: string, closers: Closers): Promise<number | null> {
  if (settings.stunPort === null) return null;
  const responder = await startStun(settings.stunPort, stunAddress(address, settings.proxies.length > 0));
  closers.push(() => responder.close());
  return responder.port;
}

/** The name or address by which this machine reaches the server. */
function hostOf({ host }: ServerSettings): string {
  return host === undefined || isEverywhere(host) ? 'localhost' : host;
}

/** The broker, null if it is elsewhere, and what watches it. */
type Watched = {
  readonly visitors: Visitors;
  readonly operations: Operations;
  readonly broker: Broker | null;
  readonly cluster: Cluster | null;
};

type WatchedBroker = Watched & { readonly broker: Broker };

/** Creates the broker, if it is not elsewhere, and what watches it. */
function watchedBroker(
  settings: ServerSettings,
  options: ServerOptions,
  maker: RoomMaker | null,
  { house, cluster, parts }: RoomsParts & { readonly parts: LaterParts },
): Watched {
  const visitors = new Visitors(settings.proxies);
  let broker: Broker | null = null;
  const operations = new Operations(
    settings.log,
    visitors,
    () => broker?.figures() ?? null,
    () => maker?.figures ?? null,
    () => cluster?.figures ?? null,
    () => parts.voices?.figures ?? null,
    options.logs,
  );
  const { limits = LIMITS } = options;
  if (settings.broker === null) {
    const others = cluster === null ? {} : { others: cluster };
    broker = createBroker({ visitors, watch: operations, limits, house, ...others });
  }
  return { visitors, operations, broker, cluster };
}

function roomsWatch(
  { players }: RoomsSettings,
  living: LivingRooms,
  { broker, visitors, operations, cluster }: Watched,
): RoomsWatch {
  return {
    living,
    players,
    others: cluster,
    mayLookFor: (network, code) => broker?.mayLookFor(network, code) ?? true,
    networkOf: (request) => visitors.networkOf(request),
    refused: (network) => operations.refused('rooms', network),
  };
}

/** The parts that are created after the cluster; null until then, and if there are none. */
type LaterParts = {
  maker: RoomsProcess | null;
  broker: Broker | null;
  lines: RoomLines | null;
  voices: RoomVoices | null;
  /** Resolves when the rooms have ended; null before they are to end. */
  ended: Promise<void> | null;
};

/** Connects to the other processes of this site; what they may ask of this one comes a moment later. */
function clusterOf(
  { rooms, host }: ServerSettings,
  { redis, url }: ClusterSettings,
  {
    own,
    house,
    parts,
  }: {
    readonly own: { readonly url: string | null };
    readonly house: House;
    readonly parts: LaterParts;
  },
): Promise<Cluster> {
  return Cluster.connect(redis, {
    broker: () => parts.broker,
    keeps: (id) => house.doors.isReserved(id),
    taken: (code) => parts.maker?.lose(code),
    describe: () => {
      const [count, tickMs] = [parts.maker?.rooms ?? 0, parts.maker?.figures.tickP90Ms ?? 0];
      const at = url ?? addressForOthers(own.url ?? '', host);
      const most = rooms?.most ?? 0;
      return { url: at, rooms: count, most, tickMs: Math.round(tickMs), protocol: PROTOCOL_VERSION };
    },
  });
}

/** Ends the rooms; their last words go through before their lines end. [N9.6] Then the cluster takes them. */
function endRooms(cluster: Cluster | null, parts: LaterParts): Promise<void> {
  parts.ended ??= (async () => {
    await cluster?.drain();
    await parts.maker?.stop();
    parts.lines?.stop();
    await cluster?.leave();
  })();
  return parts.ended;
}

/** [N2.3] Passes pages' lines over WebSockets on to the process with the rooms. */
function roomLines(maker: RoomsProcess, house: House, watched: WatchedBroker): RoomLines {
  const place: LineEndpoint = {
    get linePort() {
      return maker.linePort;
    },
    lineSecret: house.secret,
  };
  return new RoomLines(place, linesWatch(watched));
}

/** [N8.6] Lets pages of large rooms speak and listen through the voice server; null if there is none. */
function roomVoices(
  maker: RoomsProcess,
  { voices: settings }: RoomsSettings,
  watched: WatchedBroker,
): RoomVoices | null {
  if (settings === null) return null;
  const voices = new RoomVoices(settings, linesWatch(watched));
  maker.onPlayers((code, pages) => voices.setPlayers(code, pages));
  return voices;
}

/** The parts of the server for sockets of pages that show an id at the broker. */
function linesWatch({ broker, visitors, operations, cluster }: WatchedBroker): LinesWatch {
  return {
    networkOf: (request) => visitors.networkOf(request),
    refused: (network) => operations.refused('lines', network),
    mayLookFor: (network, code) => broker.mayLookFor(network, code),
    isAtBroker: async (id, token) => cluster?.isHeldBy(id, token) ?? broker.isHeldBy(id, token),
  };
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
