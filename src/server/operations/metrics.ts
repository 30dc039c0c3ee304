import { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from 'prom-client';
import type { BrokerFigures } from '../broker/broker.ts';
import type { ClientMessageType } from '../broker/client-limits.ts';
import type { ServerRefusal } from './refusals.ts';

/** The bounds of the histogram of request times, in seconds. */
const SECONDS = [0.001, 0.005, 0.02, 0.1, 0.5, 2, 10];

/** The figures of a server in Prometheus' form. No metric names a visitor or a room. */
export class Metrics {
  readonly registry = new Registry();
  readonly #refused: Counter<'why'>;
  readonly #messages: Counter<'type'>;
  readonly #requests: Histogram<'method' | 'status'>;

  /** @param figures returns what the broker holds at present; null if the broker is elsewhere. */
  constructor(figures: () => BrokerFigures | null) {
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
    for (const [key, name, help] of GAUGES) {
      new Gauge({
        name: `handover_broker_${name}`,
        help,
        registers,
        collect() {
          this.set(figures()?.[key] ?? 0);
        },
      });
    }
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
