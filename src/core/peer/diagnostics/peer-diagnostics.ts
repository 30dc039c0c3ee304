import type { BodyId, HandSide, Slot, Tick } from '../../base/ids.ts';
import type { ReadonlyPose, ReadonlyVector } from '../../base/math.ts';
import type { PlayerInput } from '../../hands/hand-input.ts';
import type { PlayoutClock } from '../../link/playout-clock.ts';
import { isReachedFor } from '../hands/giving.ts';
import type { OwnPlayer } from '../hands/own-player.ts';
import type { PeerState } from '../peer-state.ts';
import { simulatorOf } from '../simulator.ts';
import { BodiesDiagnostics } from './bodies-diagnostics.ts';
import { BodyDriver } from './body-driver.ts';
import { SharedDiagnostics } from './shared-diagnostics.ts';
import type { EventLog } from './event-log.ts';
import type { PhaseWrapper, PhasedParts } from './phases.ts';
import { wrapPhases } from './phases.ts';

/** One hand of the peer's own player. */
export type HandDiagnostics = {
  readonly side: HandSide;
  /** The body that a grip would take, or NO_BODY. */
  readonly selected: BodyId;
  /** The body in the hand, or NO_BODY. */
  readonly held: BodyId;
  /** [A9] The body in another player's hand for which this hand reaches, or NO_BODY. */
  readonly reach: BodyId;
  /** The pose of the held body in the frame of the hand. */
  readonly offset: ReadonlyPose;
};

/** The events of a peer; see EventLog. */
export type EventsDiagnostics = Readonly<Pick<EventLog, 'total' | 'each' | 'ofBody'>> & {
  readonly counts: Readonly<EventLog['counts']>;
};

/** The playout of one author at this peer [T2]. */
export type PlayoutDiagnostics = Readonly<Pick<PlayoutClock, 'position' | 'running' | 'delay' | 'jumps'>>;

/** The last loss of a body from a hand: the peer's tick, the player that has the body, and the hand. */
export type LostBody = { readonly tick: number; readonly to: Slot; readonly side: HandSide };

/** The last giving of a body: the peer's tick, and the player that got it. */
export type GivenBody = { readonly tick: number; readonly to: Slot };

/** The parts of a peer that its diagnostics read. */
export type DiagnosedParts = Omit<PhasedParts, 'state'> & {
  readonly state: PeerState;
  readonly player: OwnPlayer;
};

/**
 * A read-only face of a peer for pages, tools and tests: what the peer believes, what has happened, and how it goes.
 * Objects that it returns belong to the peer and change with every tick; nothing here allocates, unless it says so.
 * Two members do more than read: `driver` moves bodies without a hand, and `wrapPhases` times methods.
 */
export class PeerDiagnostics {
  /** Records, motions and drawn poses. */
  readonly bodies: BodiesDiagnostics;
  /** For benches and the lab. @internal */
  readonly driver: BodyDriver;
  readonly #parts: DiagnosedParts;
  readonly #assertLives: () => void;

  /** [V], [E] Null without a schema. */
  readonly shared: SharedDiagnostics | null;

  /**
   * @param parts of one peer.
   * @param assertLives throws once the peer was disposed.
   * @internal
   */
  constructor(parts: DiagnosedParts, assertLives: () => void) {
    this.#parts = parts;
    this.#assertLives = assertLives;
    this.bodies = new BodiesDiagnostics(parts.state.bodies);
    this.driver = new BodyDriver(parts.state);
    const { shared, authors } = parts.state;
    this.shared = shared === null ? null : new SharedDiagnostics(shared, authors);
  }

  /** The slot of the peer's own player. */
  get slot(): Slot {
    return this.#parts.state.self;
  }

  /** The slot of the host, as far as this peer knows; its own if it is the host. */
  get host(): Slot {
    return this.#parts.state.host;
  }

  /** Ticks since the peer began. */
  get tick(): Tick {
    return this.#parts.state.tick;
  }

  /** [H8] The host's term; -1 on a guest before the first packet. */
  get term(): number {
    return this.#parts.state.term;
  }

  /** The number of resets of the level; -1 on a guest before the first packet. */
  get reset(): number {
    return this.#parts.state.reset;
  }

  /** The name of a player; empty if it is not known. */
  nameOf(slot: Slot): string {
    return this.#parts.state.authors[slot].name;
  }

  /** The slots of the peers with which this one exchanges packets, ascending; a new array. */
  linkedSlots(): Slot[] {
    return this.#parts.state.links.flatMap((link) => (link === null ? [] : [link.slot]));
  }

  /** The slot that simulates a body for everyone, by this peer's record. */
  simulatorOf(body: BodyId): Slot {
    return simulatorOf(this.#parts.state, body);
  }

  /** The left and the right hand of the peer's own player. */
  get hands(): readonly [HandDiagnostics, HandDiagnostics] {
    return this.#parts.player.hands;
  }

  /** The input of the last tick. */
  get input(): Readonly<PlayerInput> {
    return this.#parts.player.input;
  }

  /** [G4] The last loss or refusal of a body: the tick (-1: none yet), the hand, and the player that has the body. */
  get lost(): LostBody {
    return this.#parts.player.lost;
  }

  /** [A9] The last time a body was given to another player: the tick (-1: never), and that player. */
  get given(): GivenBody {
    return this.#parts.player.given;
  }

  /** [A9] True if a hand of another player reaches for a body of this player. */
  isReachedFor(body: BodyId): boolean {
    return isReachedFor(this.#parts.state, body);
  }

  /**
   * The nearest body that overlaps a sphere, or NO_BODY.
   * @param radius metres.
   * @throws once the peer was disposed: it asks the engine.
   */
  overlapSphere(position: ReadonlyVector, radius: number): BodyId {
    this.#assertLives();
    return this.#parts.state.bodies.simulation.overlapSphere(position, radius);
  }

  /** The last events, and how often each kind happened. */
  get events(): EventsDiagnostics {
    return this.#parts.state.log;
  }

  /** Rejected packets and claims by reason, counted from the beginning. */
  get rejections(): Readonly<Record<string, number>> {
    return this.#parts.state.rejections;
  }

  /** The playout clock of an author; times are in ticks. */
  playout(slot: Slot): PlayoutDiagnostics {
    return this.#parts.state.authors[slot].stream.clock;
  }

  /** Bytes of the cache of free flights, by which packets are coded. */
  get flightBytes(): number {
    return this.#parts.state.flights.bytes;
  }

  /** For benches: has the methods that make up the phases of a tick wrapped. Call it after all `connect`s. @internal */
  wrapPhases(wrap: PhaseWrapper): void {
    wrapPhases(this.#parts, wrap);
  }
}
