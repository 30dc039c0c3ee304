import type { Slot } from '../../../core/base/ids.ts';
import { MAX_PLAYERS, TICK_MS } from '../../../core/base/constants.ts';
import type { Peer } from '../../../core/peer/peer.ts';
import type { CountedConnection, SocketStatistics } from '../../../transport/webrtc/statistics.ts';
import { socketStatistics } from '../../../transport/webrtc/statistics.ts';
import type { RoomFigures } from '../model.ts';
import type { GameSession, SessionConnection } from '../session/session.ts';

/** Milliseconds over which rates are measured: browsers update their statistics once a second. */
const INTERVAL_MS = 1000;

/** The counts at a moment: bytes, and packets that were skipped. */
type Totals = {
  readonly at: number;
  readonly payloadUp: number;
  readonly payloadDown: number;
  readonly socketUp: number;
  readonly socketDown: number;
  readonly skipped: number;
};

/** Measures the network figures of a room, once a second. */
export class Figures {
  readonly #session: GameSession;
  #peer: Peer | null = null;
  #before: Totals | null = null;
  #measuring = false;
  #measuredAt = -Infinity;
  #path: RoomFigures['path'] = 'unknown';
  #rates = { payloadUp: NaN, payloadDown: NaN, socketUp: NaN, socketDown: NaN, skipped: NaN };

  constructor(session: GameSession) {
    this.#session = session;
  }

  /** Call it at least once a second; it measures when a second has gone by. @param nowMs milliseconds. */
  update(nowMs: number): void {
    if (this.#measuring || nowMs - this.#measuredAt < INTERVAL_MS) return;
    this.#measuredAt = nowMs;
    this.#measuring = true;
    // A connection that ends while it is measured has no figures; the next second has some.
    void this.#measure(nowMs)
      .catch(() => undefined)
      .finally(() => (this.#measuring = false));
  }

  read(tickRate: number): RoomFigures {
    const peer = this.#session.world?.peer;
    const slots = peer === undefined ? [] : peer.diagnostics.linkedSlots();
    const trips = slots.map((slot) => peer?.roundTripMs(slot) ?? 0);
    const delays = slots.map((slot) => delayOf(peer, slot));
    return {
      roundTrip: Math.max(0, ...trips) || NaN,
      playoutDelay: slots.length === 0 ? NaN : Math.max(...delays),
      ...this.#rates,
      path: this.#path,
      tickRate,
    };
  }

  async #measure(nowMs: number): Promise<void> {
    const totals = await this.#totals(nowMs);
    const before = this.#before;
    this.#before = totals;
    // The counts of a new world begin at 0.
    const isNew = this.#peer !== (this.#session.world?.peer ?? null);
    this.#peer = this.#session.world?.peer ?? null;
    if (before === null || isNew) return;
    const seconds = (totals.at - before.at) / 1000;
    const kbps = (name: Exclude<keyof Totals, 'at'>): number =>
      Math.max(0, ((totals[name] - before[name]) * 8) / 1000 / seconds);
    this.#rates = {
      payloadUp: kbps('payloadUp'),
      payloadDown: kbps('payloadDown'),
      socketUp: kbps('socketUp'),
      socketDown: kbps('socketDown'),
      skipped: Math.max(0, (totals.skipped - before.skipped) / seconds),
    };
  }

  async #totals(at: number): Promise<Totals> {
    const { world, station } = this.#session;
    let [payloadUp, payloadDown, socketUp, socketDown] = [0, 0, 0, 0];
    const connections: CountedConnection[] = [
      ...station.calls.connections(),
      ...(station.serverCalls?.connections() ?? []),
    ];
    for (let slot = 0; slot < MAX_PLAYERS; slot++) {
      const traffic = world?.peer.traffic(slot as Slot);
      payloadUp += traffic?.bytesSent ?? 0;
      payloadDown += traffic?.bytesReceived ?? 0;
      const line = station.transport.lineTo(slot as Slot);
      if (line !== null) connections.push(countedOf(line.connection));
    }
    const counted = await Promise.all(connections.map(socketStatistics));
    for (const { bytesSent, bytesReceived } of counted) {
      socketUp += bytesSent;
      socketDown += bytesReceived;
    }
    this.#path = worstPath(counted);
    return { at, payloadUp, payloadDown, socketUp, socketDown, skipped: world?.skipped ?? 0 };
  }
}

/** The slowest path of any connection: the player is to know that. */
function worstPath(counted: readonly SocketStatistics[]): RoomFigures['path'] {
  const paths = ['websocket', 'relay', 'direct'] as const;
  return paths.find((one) => counted.some(({ path }) => path === one)) ?? 'unknown';
}

function countedOf(connection: SessionConnection): CountedConnection {
  return 'traffic' in connection ? connection : connection.peerConnection;
}

function delayOf(peer: Peer | undefined, slot: Slot): number {
  const clock = peer?.diagnostics.playout(slot);
  return clock?.running === true ? clock.delay * TICK_MS : NaN;
}
