import type { Slot } from '../../core/base/ids.ts';
import { MAX_PLAYERS } from '../../core/base/constants.ts';
import type { Peer } from '../../core/peer/peer.ts';
import { EVENTS_A_TICK, stampOf } from '../../core/shared/author-events.ts';

/** A broken invariant of shared state or of events. */
export type SharedViolation = { readonly mark: 'I10' | 'I11'; readonly peer: number; readonly what: string };

/** An event that a peer emitted: its tick, and a number that no other event of the run has. */
type Emission = { readonly tick: number; readonly number: number };

/** The referee's knowledge of a peer. */
type Watched = {
  readonly emitted: Emission[];
  /** For each other peer the numbers that it was given of it, in order. */
  readonly given: Map<Peer, number[]>;
  /** For each slot the playout position and the newest stamp, as of the last step. */
  readonly positions: Float64Array;
  readonly newest: Float64Array;
};

/**
 * [I10], [I11] The part of the referee that judges shared state and events. It sees all peers at the same instant. Each
 * event of the run has a number as its first value, by which the referee knows it again.
 */
export class SharedReferee {
  readonly violations: SharedViolation[] = [];
  readonly #watched = new Map<Peer, Watched>();
  /** For each number who emitted it, and in which tick. */
  readonly #sources = new Map<number, { readonly peer: Peer; readonly tick: number }>();

  #of(peer: Peer): Watched {
    const known = this.#watched.get(peer);
    if (known !== undefined) return known;
    const made: Watched = {
      emitted: [],
      given: new Map(),
      positions: new Float64Array(MAX_PLAYERS).fill(-1),
      newest: new Float64Array(MAX_PLAYERS).fill(-1),
    };
    this.#watched.set(peer, made);
    return made;
  }

  /** A peer has emitted an event, which was not refused. */
  emitted(peer: Peer, number: number): void {
    const tick = peer.diagnostics.tick + 1;
    this.#of(peer).emitted.push({ tick, number });
    this.#sources.set(number, { peer, tick });
  }

  /** Call it for each peer after its tick. @param peers that are present. */
  observe(peer: Peer, peers: readonly Peer[]): void {
    const { shared, slot: self } = peer.diagnostics;
    if (shared === null) return;
    const watched = this.#of(peer);
    for (const { author, tick, words } of shared.given) {
      const source = this.#checkOrder(peer, watched, words[0], tick);
      // [E2.3] The rest of a player that has left is given out at once.
      if (author === self || source === null || !peers.includes(source)) continue;
      const { running, position } = peer.diagnostics.playout(author);
      const isShown = running && tick <= Math.floor(position);
      // It is late only if it came late.
      const isNews = stampOf(tick, EVENTS_A_TICK - 1) >= watched.newest[author];
      const isDue = tick > Math.floor(watched.positions[author]) || watched.positions[author] < 0;
      // A player whose line was cut is given out like one that has left; its clock does not run then.
      if (running && !(isShown && (isDue || isNews)))
        this.#violate('I11', peer, `gives out event ${words[0]} of ${author} in another tick than ${tick}`);
    }
    for (let i = 0; i < MAX_PLAYERS; i++) {
      const { running, position } = peer.diagnostics.playout(i as Slot);
      watched.positions[i] = running ? position : -1;
      watched.newest[i] = shared.newestEvent(i as Slot);
    }
  }

  /** @returns the peer that emitted the event; null if none did so. */
  #checkOrder(peer: Peer, watched: Watched, number: number, tick: number): Peer | null {
    const source = this.#sources.get(number);
    if (source === undefined || source.tick !== tick) {
      this.#violate('I11', peer, `gives out event ${number}, which was never emitted so`);
      return null;
    }
    const given = watched.given.get(source.peer) ?? [];
    watched.given.set(source.peer, given);
    if (given.includes(number)) this.#violate('I11', peer, `gives out event ${number} twice`);
    if (given.some((each) => each > number)) this.#violate('I11', peer, `gives out event ${number} late`);
    given.push(number);
    return source.peer;
  }

  /** Call it at the end, once nobody writes or emits any more, and the network has delivered. */
  finish(peers: readonly Peer[]): void {
    const host = peers.find(({ isHost }) => isHost);
    if (host === undefined) throw new Error('there is no host');
    for (const peer of peers) {
      if (peer !== host) this.#checkValues(host, peer);
      for (const source of peers) this.#checkComplete(peer, source, host);
    }
  }

  /** [I10] */
  #checkValues(host: Peer, peer: Peer): void {
    const [right, has] = [host.diagnostics.shared, peer.diagnostics.shared];
    if (right === null || has === null) return;
    for (const entry of right.differences(has))
      this.#violate('I10', peer, `has other values of ${entry} than the host`);
  }

  /** [I11] Each event from the tick on in which the peer, and the host, first heard of its author. */
  #checkComplete(peer: Peer, source: Peer, host: Peer): void {
    const { slot } = source.diagnostics;
    const given = this.#of(peer).given.get(source) ?? [];
    const heard = (by: Peer): number => (by === source ? 0 : (by.diagnostics.shared?.firstTickOf(slot) ?? 0));
    for (const { tick, number } of this.#of(source).emitted)
      if (tick >= Math.max(heard(peer), heard(host)) && !given.includes(number))
        this.#violate('I11', peer, `was never given event ${number} of ${slot}, of tick ${tick}`);
  }

  #violate(mark: SharedViolation['mark'], { diagnostics }: Peer, what: string): void {
    this.violations.push({ mark, peer: diagnostics.slot, what });
  }
}
