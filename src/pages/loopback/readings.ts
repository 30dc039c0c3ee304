import type { BodyId, Slot } from '../../core/base/ids.ts';
import { MAX_PLAYERS, TICK_MS } from '../../core/base/constants.ts';
import { POSE_STRIDE } from '../../core/base/state.ts';
import { inspectBody } from '../../core/peer/diagnostics/inspect.ts';
import type { Peer } from '../../core/peer/peer.ts';
import { TrafficMeter } from '../../core/peer/diagnostics/traffic-meter.ts';
import type { PanelFigures, PeerRecord, RecordLine } from '../panel/figures.ts';
import { decisionOf } from './panel/event-sentences.ts';
import type { LoopbackSession } from './session.ts';
import { GUEST, HOST } from './session.ts';

/** Most events of a cube that the record card lists. */
const LISTED_DECISIONS = 8;

/** Measures a session's traffic, tick by tick, and collects the panel's figures. */
export class Readings {
  readonly #session: LoopbackSession;
  readonly #down: TrafficMeter;
  readonly #up: TrafficMeter;

  constructor(session: LoopbackSession) {
    this.#session = session;
    this.#down = new TrafficMeter(session.peers[HOST].traffic(GUEST), session.level.rate);
    this.#up = new TrafficMeter(session.peers[GUEST].traffic(HOST), session.level.rate);
  }

  /** Call once after each tick of the session. */
  tick(): void {
    this.#down.tick();
    this.#up.tick();
  }

  /**
   * Returns the present figures.
   * @param tickRate ticks per second, which the panel shows.
   */
  figures(tickRate: number): PanelFigures {
    const [host, guest] = this.#session.peers;
    return {
      traffic: { hostToGuest: this.#down.lastSecond(), guestToHost: this.#up.lastSecond() },
      error: errorBetween(host, guest),
      roundTrip: host.roundTripMs(GUEST) || NaN,
      playoutDelay: { host: delayOf(host, GUEST), guest: delayOf(guest, HOST) },
      authority: countAuthority(host),
      tickRate,
      rejected: rejections([host, guest]),
    };
  }
}

function delayOf(peer: Peer, author: Slot): number {
  const clock = peer.diagnostics.playout(author);
  return clock.running ? clock.delay * TICK_MS : NaN;
}

/** Returns the distances between the two peers' drawn positions of each body, in metres. */
function errorBetween(a: Peer, b: Peer): PanelFigures['error'] {
  const [p, q] = [a.diagnostics.bodies.drawn, b.diagnostics.bodies.drawn];
  const distances: number[] = [];
  for (let at = 0; at < p.length; at += POSE_STRIDE) {
    distances.push(Math.hypot(p[at] - q[at], p[at + 1] - q[at + 1], p[at + 2] - q[at + 2]));
  }
  distances.sort((x, y) => x - y);
  const share = (part: number): number => distances[Math.ceil(part * distances.length) - 1] ?? 0;
  return { p50: share(0.5), p95: share(0.95), max: share(1) };
}

function countAuthority(peer: Peer): PanelFigures['authority'] {
  const slots = new Array<number>(MAX_PLAYERS).fill(0);
  let none = 0;
  for (const slot of peer.diagnostics.bodies.records.authority) {
    if (slot < 0) none++;
    else slots[slot]++;
  }
  return { slots, none };
}

function rejections(peers: readonly Peer[]): PanelFigures['rejected'] {
  const counts = new Map<string, number>();
  for (const peer of peers) {
    for (const [reason, count] of Object.entries(peer.diagnostics.rejections)) {
      counts.set(reason, (counts.get(reason) ?? 0) + count);
    }
  }
  return Array.from(counts, ([reason, count]) => ({ reason, count }));
}

/** Returns one cube's record on each peer, for the record card. */
export function recordsOf(session: LoopbackSession, body: BodyId): PeerRecord[] {
  return session.peers.map((peer) => ({
    peer: peer.isHost ? 'Host' : 'Guest',
    lines: linesOf(peer, body),
    decisions: peer.diagnostics.events
      .ofBody(body, LISTED_DECISIONS)
      .filter((event) => event.rule !== '')
      .map(decisionOf),
  }));
}

function linesOf(peer: Peer, body: BodyId): RecordLine[] {
  const record = inspectBody(peer, body);
  const yesNo = (value: boolean): string => (value ? 'yes' : 'no');
  return [
    ['Authority', record.authority === null ? 'none' : String(record.authority)],
    ['Holder', record.holder === null ? 'nobody' : `${record.holder.slot}, ${record.holder.hand} hand`],
    ['Ownership sequence', String(record.ownershipSequence)],
    ['Authority sequence', String(record.authoritySequence)],
    ['Confirmed', yesNo(record.confirmed)],
    ['Pending commit', yesNo(record.pendingCommit)],
    ['At rest', record.asleep ? 'yes, asleep' : yesNo(record.resting)],
    ['Position', record.position.map((x) => x.toFixed(3)).join(', ') + ' m'],
  ];
}
