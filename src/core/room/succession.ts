import type { Slot } from '../base/ids.ts';
import type { Voter } from './election.ts';
import { hostToFollow, isNextHost } from './election.ts';
import type { Roster } from './messages.ts';
import type { LineFailure } from './line.ts';
import { AWAY_AFTER_MS } from './silence.ts';
import type { StandbyLines } from './standby.ts';

/** Milliseconds that whom the host has named as it left has to take the lead. */
const NEXT_WITHIN_MS = 2500;
/** Milliseconds that one who is not heard, but may be there and would lead before this guest, has to do so. */
const UNHEARD_WITHIN_MS = 2000;
/** Milliseconds after which a guest that hears nobody, and can't ask the broker, plays on alone. */
const ALONE_AFTER_MS = 20_000;

/** What a guest in a room knows at a moment. */
export type Situation = {
  readonly self: Slot;
  readonly term: number;
  readonly roster: Roster;
  /** It hears its host no more, if only for a while; and its host is absent [F3]. */
  readonly hostIsLost: boolean;
  readonly hostIsAbsent: boolean;
  readonly silentMs: number;
  /** Why the room's door could not be asked last. */
  readonly failure: LineFailure;
};

/** The host has said that it leaves, and who is next. */
type Farewell = { readonly next: Slot | null; agoMs: number };

/** [F4] What a guest does about its host's absence: it waits, follows another, or leads. */
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

  hostLeaves(next: Slot | null): void {
    this.#farewell = { next, agoMs: 0 };
  }

  /** Call once a tick. @returns the host to follow, this guest's own slot if it is to lead, or null: nothing changes. */
  decide(step: number, at: Situation): Slot | null {
    const { self, term, roster } = at;
    const next = this.#named(step);
    const voters = this.#standby.voters();
    this.#absentMs = at.hostIsAbsent ? this.#absentMs + step : 0;
    const other = hostToFollow(term, at.hostIsLost, voters);
    if (other !== null && other !== self) return other;
    if (!at.hostIsAbsent || !this.#mayLead(at, next === self || voters.length > 0)) return null;
    const mayBeLed = next !== self && this.#absentMs < UNHEARD_WITHIN_MS;
    if (mayBeLed && this.#isAfterUnheard(roster, self, voters)) return null;
    return isNextHost({ self, term, next, voters }) ? self : null;
  }

  /** Whom the host has named, as long as that has time. */
  #named(step: number): Slot | null {
    if (this.#farewell === null) return null;
    this.#farewell.agoMs += step;
    return this.#farewell.agoMs > NEXT_WITHIN_MS ? null : this.#farewell.next;
  }

  /** True if one of a lower slot may be there, though nothing is heard of it. */
  #isAfterUnheard({ players, host }: Roster, self: Slot, voters: readonly Voter[]): boolean {
    return players.some((player) => {
      const { slot } = player;
      if (slot >= self || slot === host || !this.#standby.mayBeThere(player)) return false;
      return !voters.some((voter) => voter.slot === slot);
    });
  }

  /** One who hears nobody at all may have lost the others, not they their host. */
  #mayLead({ roster, self, failure, silentMs }: Situation, isWitnessed: boolean): boolean {
    if (isWitnessed) return true;
    const others = roster.players.filter(({ slot }) => slot !== self && slot !== roster.host);
    const isAlone = !others.some((player) => this.#standby.mayBeThere(player));
    const hasWaited = silentMs >= AWAY_AFTER_MS;
    // Without a broker it can't ask: in the end it plays on alone, and goes back to the others if they are there.
    if (failure === 'no broker' && silentMs >= ALONE_AFTER_MS) return true;
    return failure === 'not found' ? isAlone || hasWaited : isAlone && hasWaited;
  }
}
