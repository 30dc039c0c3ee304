import type { RequestHandler } from 'express';
import type { DestinationStream, Logger } from 'pino';
import pino from 'pino';
import type { BrokerFigures } from '../broker/broker.ts';
import type { BrokerWatch } from '../broker/clients.ts';
import type { HouseFigures } from '../../dedicated/house-figures.ts';
import type { ClusterFigures } from '../cluster/cluster-figures.ts';
import type { LogWish } from '../settings/settings.ts';
import type { Visitors } from '../visitors/visitors.ts';
import type { VoiceFigures } from '../voice/room-voices.ts';
import { ClusterLog } from './cluster-log.ts';
import { Metrics } from './metrics.ts';
import type { ServerRefusal } from './refusals.ts';
import { SecurityLog } from './refusals.ts';
import { VoiceLog } from './voice-log.ts';

/** [N3.6] A room's code in a path: the log has none. */
const ROOM_IN_PATH = /^\/rooms\/[^/]+/;
/** Most characters of a path in the request log. */
const MOST_PATH = 200;
/** Bytes of the log that may wait where nobody takes them; more are lost. */
const MOST_WAITING = 1024 * 1024;

/** The logs and metrics by which an operator watches a server. */
export class Operations implements BrokerWatch {
  readonly metrics: Metrics;
  readonly #visitors: Visitors;
  readonly #security: SecurityLog | null;
  readonly #requests: Logger | null;
  readonly #cluster: ClusterLog | null;
  readonly #voices: VoiceLog | null;

  /**
   * @param figures returns what the broker holds at present; null if the broker is elsewhere.
   * @param rooms returns the figures of server rooms; null if there are none.
   * @param cluster returns those of the cluster; null if this is the only process of its site.
   * @param voices returns those of the voices of large rooms; null without a voice server.
   * @param destination takes the lines of the logs; standard error by default.
   */
  constructor(
    log: LogWish,
    visitors: Visitors,
    figures: () => BrokerFigures | null,
    rooms: () => HouseFigures | null,
    cluster: () => ClusterFigures | null,
    voices: () => VoiceFigures | null,
    destination?: DestinationStream,
  ) {
    this.metrics = new Metrics(figures, rooms, cluster, voices);
    this.#visitors = visitors;
    const logger = log === 'off' ? null : createLogger(destination);
    this.#security = logger && new SecurityLog(logger.child({ log: 'security' }));
    this.#cluster = logger && new ClusterLog(logger.child({ log: 'cluster' }), cluster);
    this.#voices = logger && new VoiceLog(logger.child({ log: 'voices' }), voices);
    this.#requests = log === 'requests' && logger !== null ? logger.child({ log: 'requests' }) : null;
  }

  /** Notes a refusal in the metrics and in the security log. */
  refused(why: ServerRefusal, network: string): void {
    this.metrics.refused(why);
    this.#security?.refused(why, network);
  }

  passed: BrokerWatch['passed'] = (type) => this.metrics.passed(type);

  /** Measures and logs each request. A path is logged without its query, because that contains a room's code. */
  readonly watchRequests: RequestHandler = (request, response, next) => {
    const began = performance.now();
    const { method, path } = request;
    const network = this.#visitors.networkOf(request);
    const isProxy = this.#visitors.isProxy(request.socket.remoteAddress ?? '');
    if (request.headers['x-forwarded-for'] !== undefined && !isProxy) this.refused('forwarded', network);
    response.once('close', () => {
      const ms = performance.now() - began;
      this.metrics.answered(method, response.statusCode, ms / 1000);
      this.#requests?.info(
        {
          method,
          path: path.replace(ROOM_IN_PATH, '/rooms/…').slice(0, MOST_PATH),
          status: response.statusCode,
          whole: response.writableFinished,
          ms: Math.round(ms),
          network,
        },
        'answered',
      );
    });
    next();
  };

  /** Writes what is left to write. */
  close(): void {
    this.#security?.close();
    this.#cluster?.close();
    this.#voices?.close();
  }
}

/** Lines of JSON with the time in words; the process and the machine are not named. */
function createLogger(destination?: DestinationStream): Logger {
  const options = { base: null, timestamp: pino.stdTimeFunctions.isoTime };
  return pino(options, destination ?? pino.destination({ dest: 2, sync: false, maxLength: MOST_WAITING }));
}
