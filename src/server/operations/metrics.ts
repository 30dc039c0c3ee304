import { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from 'prom-client';
import type { BrokerFigures } from '../broker/broker.ts';
import type { ClientMessageType } from '../broker/limits/client-limits.ts';
import type { HouseFigures } from '../../dedicated/house-figures.ts';
import type { ClusterFigures } from '../cluster/cluster-figures.ts';
import type { VoiceFigures } from '../voice/room-voices.ts';
import type { ServerRefusal } from './refusals.ts';

/** The bounds of the histogram of request times, in seconds. */
const SECONDS = [0.001, 0.005, 0.02, 0.1, 0.5, 2, 10];

/** The figures of a server in Prometheus' form. No metric names a visitor or a room. */
export class Metrics {
  readonly registry = new Registry();
  readonly #refused: Counter<'why'>;
  readonly #messages: Counter<'type'>;
  readonly #requests: Histogram<'method' | 'status'>;

  /**
   * @param figures returns what the broker holds at present; null if the broker is elsewhere.
   * @param rooms returns the figures of server rooms; null if there are none.
   * @param cluster returns those of the cluster; null if this is the only process of its site.
   * @param voices returns those of the voices of large rooms; null without a voice server.
   */
  constructor(
    figures: () => BrokerFigures | null,
    rooms: () => HouseFigures | null = () => null,
    cluster: () => ClusterFigures | null = () => null,
    voices: () => VoiceFigures | null = () => null,
  ) {
    const registers = [this.registry];
    collectDefaultMetrics({ register: this.registry });
    this.#refused = new Counter({
      name: 'handover_refused_total',
      help: 'What the server has refused, by reason.',
      labelNames: ['why'],
      registers,
    });
    this.#messages = new Counter({
      name: 'handover_broker_messages_total',
      help: 'Messages of clients that the broker has passed on, by type.',
      labelNames: ['type'],
      registers,
    });
    this.#requests = new Histogram({
      name: 'handover_http_request_seconds',
      help: 'Time until a request was answered.',
      labelNames: ['method', 'status'],
      buckets: SECONDS,
      registers,
    });
    for (const [key, name, help] of CLUSTER_COUNTS)
      new Counter({
        name: `handover_cluster_${name}_total`,
        help,
        registers,
        collect() {
          this.reset();
          this.inc(cluster()?.[key] ?? 0);
        },
      });
    const gauge = (name: string, help: string, value: () => number): Gauge =>
      new Gauge({
        name,
        help,
        registers,
        collect() {
          this.set(value());
        },
      });
    for (const [key, name, help] of GAUGES)
      gauge(`handover_broker_${name}`, help, () => figures()?.[key] ?? 0);
    for (const [key, name, help] of CLUSTER_GAUGES)
      gauge(`handover_cluster_${name}`, help, () => cluster()?.[key] ?? 0);
    for (const [key, name, help] of VOICE_GAUGES)
      gauge(`handover_voice_${name}`, help, () => Number(voices()?.[key] ?? 0));
    for (const [key, name, help, unit] of ROOM_GAUGES)
      gauge(`handover_rooms${name}`, help, () => (rooms()?.[key] ?? 0) * unit);
  }

  /** Counts a refusal. */
  refused(why: ServerRefusal): void {
    this.#refused.inc({ why });
  }

  /** Counts a message that the broker has passed on. */
  passed(type: ClientMessageType): void {
    this.#messages.inc({ type });
  }

  /** Counts a request that was answered after so many seconds. */
  answered(method: string, status: number, seconds: number): void {
    this.#requests.observe(
      { method: method === 'GET' || method === 'HEAD' ? method : 'other', status },
      seconds,
    );
  }
}

const GAUGES: readonly (readonly [key: keyof BrokerFigures, name: string, help: string])[] = [
  ['sockets', 'sockets', 'Open sockets of the broker.'],
  ['networks', 'networks', 'Networks that have an open socket.'],
  ['ids', 'ids', 'Registered ids: pages and doors.'],
  ['unreadBytes', 'unread_bytes', 'Bytes that wait for clients that have not read them yet.'],
  ['waitingBytes', 'waiting_bytes', 'Bytes that wait for ids that nobody has.'],
];

type ClusterMetric = readonly (readonly [key: keyof ClusterFigures, name: string, help: string])[];

const CLUSTER_GAUGES: ClusterMetric = [
  ['processes', 'processes', 'Processes of this site that live, this one among them.'],
  ['redis', 'redis', '1 while Redis is there.'],
];

const CLUSTER_COUNTS: ClusterMetric = [
  ['passed', 'passed', 'Requests and WebSockets that were passed on to other processes.'],
  ['relayed', 'relayed', 'Messages of signalling that were passed on to other processes.'],
];

const VOICE_GAUGES: readonly (readonly [key: keyof VoiceFigures, name: string, help: string])[] = [
  ['isUp', 'server', '1 while the voice server of large rooms answers.'],
  ['speakers', 'speakers', 'Players whose voices reach it.'],
  ['listeners', 'listeners', 'Players who hear a voice from it.'],
];

const ROOM_GAUGES: readonly (readonly [key: keyof HouseFigures, name: string, help: string, unit: number])[] =
  [
    ['rooms', '', 'Rooms that this server is host of.', 1],
    ['returning', '_returning', 'Rooms that are on their way back to this server.', 1],
    ['people', '_people', 'People in them.', 1],
    ['watchers', '_watchers', 'People who watch them.', 1],
    [
      'tickP99Ms',
      '_tick_p99_seconds',
      'Time of a tick of all rooms: 99 of 100 of the last ten seconds.',
      0.001,
    ],
    ['ticks', '_ticks', 'Ticks since their process began.', 1],
    ['lateTicks', '_late_ticks', 'Those of them that began a tick’s time late, or later.', 1],
    ['skippedTicks', '_skipped_ticks', 'Ticks that were left out.', 1],
    ['snapshotFailures', '_snapshot_failures', 'Snapshots that could not be written or read.', 1],
  ];
