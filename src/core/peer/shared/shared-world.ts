import type { Slot } from '../../base/ids.ts';
import { MAX_PLAYERS } from '../../base/constants.ts';
import { TokenBucket } from '../../link/token-bucket.ts';
import { AuthorEvents, tickOfStamp } from '../../shared/author-events.ts';
import { SharedLayout } from '../../shared/layout.ts';
import type { SharedSchema } from '../../shared/schema.ts';
import { JOINT_GROUP, NO_SCHEMA } from '../../shared/schema.ts';
import { SharedStore } from '../../shared/store.ts';
import { capacityOf } from '../../world/existence.ts';
import { canGo } from '../../world/joints/joint.ts';
import { madeIn, makingOf } from '../../world/joints/making.ts';
import type { Level } from '../../world/level.ts';
import type { Author } from '../author.ts';
import { madeGroup } from '../joints/made-joints.ts';

/** [E3.1] Events that a player may emit in a second, and at once. */
const EMITS_A_SECOND = 20;
const EMITS_AT_ONCE = 32;

/** An event that was given out. */
export type GivenEvent = {
  readonly author: Slot;
  /** In its author's count. */
  readonly tick: number;
  readonly kind: number;
  readonly words: Int32Array;
};

/** The layout of what players share in a level besides bodies; null if that is nothing: no schema, and no joint that can go. */
export function sharedLayout(level: Level, schema: SharedSchema | null): SharedLayout | null {
  const made = madeIn(level);
  const isAny = made > 0 || level.joints.some(canGo);
  if (schema === null && !isAny) return null;
  const joints = [
    { group: JOINT_GROUP, count: level.joints.length },
    { group: madeGroup(capacityOf(level), makingOf(level).kinds.length), count: made },
  ].filter(({ count }) => count > 0);
  return new SharedLayout(schema ?? NO_SCHEMA, capacityOf(level), isAny ? joints : []);
}

/** The words of all joints in a layout, which are the first. */
export function jointWordsIn({ groups }: SharedLayout): number {
  return groups.reduce((sum, { scope, count, set }) => sum + (scope === 'joint' ? count * set.words : 0), 0);
}

/** The shared state and the events of a peer. */
export class SharedWorld {
  readonly layout: SharedLayout;
  /** Ticks a second. */
  readonly rate: number;
  readonly store: SharedStore;
  /** The events that are given out in the present tick. */
  readonly given: GivenEvent[] = [];
  /** [E2.3] Events of players that have left, to be given out in the next tick. */
  readonly #left: GivenEvent[] = [];
  /** [E3.1] */
  readonly emits: TokenBucket;
  /** The peer's tick. */
  tick = 0;
  readonly #events: (AuthorEvents | null)[] = Array.from({ length: MAX_PLAYERS }, () => null);
  readonly #authors: readonly Author[];

  /**
   * @param authors of the peer, by slot.
   * @param rate ticks a second.
   */
  constructor(layout: SharedLayout, authors: readonly Author[], rate: number) {
    this.rate = rate;
    this.emits = new TokenBucket(EMITS_AT_ONCE, EMITS_A_SECOND, rate);
    this.layout = layout;
    this.store = new SharedStore(this.layout);
    this.#authors = authors;
  }

  /** The events of an author; null before the first. */
  eventsOf(slot: number): AuthorEvents | null {
    return this.#events[slot];
  }

  /** The same; they are made if there were none. */
  makeEventsOf(slot: number): AuthorEvents {
    return (this.#events[slot] ??= new AuthorEvents(this.layout.mostEventWords));
  }

  /** The newest tick of an author that has arrived. */
  newestTickOf(slot: number): number {
    return this.#authors[slot].newestTick;
  }

  /** [E1.2] Gives out the events that are due in this tick. */
  giveOut(self: Slot, tick: number): void {
    this.tick = tick;
    this.given.length = 0;
    for (const event of this.#left) this.given.push(event);
    this.#left.length = 0;
    for (let slot = 0; slot < MAX_PLAYERS; slot++) {
      const events = this.#events[slot];
      if (events === null) continue;
      const { clock } = this.#authors[slot].stream;
      const due = slot === self ? tick : clock.running ? Math.floor(clock.position) : -1;
      this.#take(slot as Slot, events, due, this.given);
    }
  }

  /** [E2.3] A player has left. */
  forgetPlayer(slot: Slot): void {
    const events = this.#events[slot];
    if (events === null) return;
    this.#take(slot, events, Infinity, this.#left);
    events.clear();
  }

  #take(author: Slot, events: AuthorEvents, due: number, into: GivenEvent[]): void {
    for (let i = events.takeDue(due); i >= 0; i = events.takeDue(due)) {
      const from = events.wordOf(i);
      const words = events.values.slice(from, from + this.layout.mostEventWords);
      into.push({ author, tick: tickOfStamp(events.stamp(i)), kind: events.kind(i), words });
    }
  }
}
