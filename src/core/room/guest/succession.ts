import type { Slot } from '../../base/ids.ts';
import type { Voter } from '../election.ts';
import { hostToFollow, isNextHost } from '../election.ts';
import type { Roster } from '../messages.ts';
import type { LineFailure } from '../line.ts';
import { AWAY_AFTER_MS } from '../silence.ts';
import type { StandbyLines } from './standby.ts';

/** Milliseconds that the player named by the leaving host has to become host. */
const NEXT_WITHIN_MS = 2500;
/** Milliseconds that a player in a lower slot, which may be there though it is not heard, has to become host first. */
const UNHEARD_WITHIN_MS = 2000;
/** Milliseconds of silence after which a guest that hears nobody and can't ask the broker plays on alone. */
const ALONE_AFTER_MS = 20_000;

/** The situation of a guest in one tick. */
export type Situation = {
  readonly self: Slot;
  /** The term of its host. */
  readonly term: number;
  readonly roster: Roster;
  /** It hears its host no more, if only for a while. */
  readonly hostIsLost: boolean;
  /** [F3] */
  readonly hostIsAbsent: boolean;
  /** Milliseconds since the host's last packet. */
  readonly silentMs: number;
  /** Why the last attempt to reach the host at the room's door failed. */
  readonly failure: LineFailure;
};

/** The host has said goodbye, and named the next host if it knew one. */
type Farewell = { readonly next: Slot | null; agoMs: number };

/** [F4] Decides what a guest does about its host's absence: it waits, follows another host, or becomes host. */
export class Succession {
  readonly #standby: StandbyLines;
  #farewell: Farewell | null = null;
  #absentMs = 0;

  constructor(standby: StandbyLines) {
    this.#standby = standby;
  }

  /** True once the host has said that it leaves. */
  get hasLeft(): boolean {
    return this.#farewell !== null;
  }

  /** The host has said goodbye. @param next the slot of the host that it named; null if it named nobody. */
  hostLeaves(next: Slot | null): void {
    this.#farewell = { next, agoMs: 0 };
  }

  /**
   * Call it once a tick.
   * @param step milliseconds since the last tick.
   * @returns the slot of the host to follow, which is this guest's own if it is to become host; null: nothing changes.
   */
  decide(step: number, at: Situation): Slot | null {
    const { self, term, roster } = at;
    const next = this.#named(step);
    const voters = this.#standby.voters();
    this.#absentMs = at.hostIsAbsent ? this.#absentMs + step : 0;
    const other = hostToFollow(term, at.hostIsLost, voters);
    if (other !== null && other !== self) return other;
    if (!at.hostIsAbsent || !this.#mayBecomeHost(at, next === self || voters.length > 0)) return null;
    const mayFollow = next !== self && this.#absentMs < UNHEARD_WITHIN_MS;
    if (mayFollow && this.#isAfterUnheard(roster, self, voters)) return null;
    return isNextHost({ self, term, next, voters }) ? self : null;
  }

  /** The player that the host has named, as long as its time lasts; else null. */
  #named(step: number): Slot | null {
    if (this.#farewell === null) return null;
    this.#farewell.agoMs += step;
    return this.#farewell.agoMs > NEXT_WITHIN_MS ? null : this.#farewell.next;
  }

  /** True if a player in a lower slot may be there, though nothing is heard of it. */
  #isAfterUnheard({ players, host }: Roster, self: Slot, voters: readonly Voter[]): boolean {
    return players.some((player) => {
      const { slot } = player;
      if (slot >= self || slot === host || !this.#standby.mayBeThere(player)) return false;
      return !voters.some((voter) => voter.slot === slot);
    });
  }

  /** True unless this guest may have lost the others, rather than the others their host. */
  #mayBecomeHost({ roster, self, failure, silentMs }: Situation, isWitnessed: boolean): boolean {
    if (isWitnessed) return true;
    const others = roster.players.filter(({ slot }) => slot !== self && slot !== roster.host);
    const isAlone = !others.some((player) => this.#standby.mayBeThere(player));
    const hasWaited = silentMs >= AWAY_AFTER_MS;
    // Without a broker it can't ask: in the end it plays on alone, and returns to the others if they are there.
    if (failure === 'no broker' && silentMs >= ALONE_AFTER_MS) return true;
    return failure === 'not found' ? isAlone || hasWaited : isAlone && hasWaited;
  }
}
