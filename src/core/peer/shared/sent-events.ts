import { MAX_PLAYERS, SENT_PACKETS, ticksIn } from '../../base/constants.ts';
import type { AuthorEvents } from '../../shared/author-events.ts';
import { tickOfStamp } from '../../shared/author-events.ts';
import type { SharedPart } from '../../wire/shared/shared-part.ts';
import { bitsOfEvent, MAX_EVENT_AGE, MAX_PACKET_EVENTS } from '../../wire/shared/shared-part.ts';
import { isRepeatDue } from './repeat.ts';

/**
 * [E2.2] Seconds for which events are sent again to others, if packets can say that they are so old: longer than a room takes
 * for another host.
 */
const REPEATED_SECONDS = 10;
/** Authors with events in a packet, at most. */
const MOST_AUTHORS = 8;

/** [E2] The part of a link about events: which of each author the other end has, and what it was sent. */
export class SentEvents {
  /** For each author the stamp up to which the other end has all; -1: none. */
  readonly #had = new Float64Array(MAX_PLAYERS).fill(-1);
  /** For each author the stamp up to which events were sent, how often since one was new, and when. */
  readonly #sent = new Float64Array(MAX_PLAYERS).fill(-1);
  readonly #sends = new Uint8Array(MAX_PLAYERS);
  readonly #sentAt = new Int32Array(MAX_PLAYERS);
  /** For each author 1 if there was no room for all: until one is acked, the same ones are sent again, and no others. */
  readonly #isCut = new Uint8Array(MAX_PLAYERS);
  /** For each recent packet that is not acked the authors in it, and the stamp of the last event of each. */
  readonly #packets = new Int32Array(SENT_PACKETS).fill(-1);
  readonly #counts = new Uint8Array(SENT_PACKETS);
  readonly #authors = new Uint8Array(SENT_PACKETS * MOST_AUTHORS);
  readonly #stamps = new Float64Array(SENT_PACKETS * MOST_AUTHORS);
  readonly #rate: number;
  readonly #repeatedTicks: number;

  /** @param rate ticks a second. */
  constructor(rate: number) {
    this.#rate = rate;
    this.#repeatedTicks = Math.min(MAX_EVENT_AGE, ticksIn(REPEATED_SECONDS, rate));
  }

  /** A player has left: what was sent of it says nothing of the next one in its slot. */
  forgetPlayer(slot: number): void {
    this.#had[slot] = -1;
    this.#sent[slot] = -1;
    this.#isCut[slot] = 0;
    for (let i = 0; i < this.#authors.length; i++) if (this.#authors[i] === slot) this.#stamps[i] = -1;
  }

  /** The other end counts as one that has no events. */
  beginAnew(): void {
    this.#had.fill(-1);
    this.#sent.fill(-1);
    this.#isCut.fill(0);
    this.#packets.fill(-1);
  }

  /** True if an event of an author is due in this tick. @param newestTick of the author. */
  isDue(slot: number, events: AuthorEvents, newestTick: number, tick: number): boolean {
    const newest = events.newestKept;
    if (newest <= this.#had[slot] || newestTick - tickOfStamp(newest) > this.#repeatedTicks) return false;
    if (newest > this.#sent[slot] && this.#isCut[slot] === 0) return true;
    return isRepeatDue(this.#sends[slot], tick - this.#sentAt[slot], this.#rate);
  }

  /**
   * Fills a packet with the events of an author that the other end does not have, oldest first. Authors ascend.
   * @param authorTick the author's in the table of the packet.
   * @param room bits. An event that is longer goes in if it is alone and shorter than `most`.
   * @returns the bits that are left of the room.
   */
  fill(
    part: SharedPart,
    slot: number,
    events: AuthorEvents,
    authorTick: number,
    tick: number,
    room: number,
    most: number,
  ): number {
    const { layout } = part;
    const words = layout.mostEventWords;
    let left = room;
    let last = -1;
    let isCut = false;
    for (let i = events.begin; i < events.end; i++) {
      const stamp = events.stamp(i);
      const age = authorTick - tickOfStamp(stamp);
      if (stamp <= this.#had[slot] || age > this.#repeatedTicks) continue;
      // The event of a tick that is not over yet waits for it.
      if (age < 0) break;
      const bits = bitsOfEvent(layout, events.kind(i), events.values, events.wordOf(i));
      const isAlone = part.eventCount === 0 && part.entryCount === 0 && bits <= most;
      isCut = part.eventCount === MAX_PACKET_EVENTS || (bits > left && !isAlone);
      if (isCut) break;
      left -= bits;
      last = stamp;
      const at = part.eventCount++;
      part.authors[at] = slot;
      part.stamps[at] = stamp;
      part.kinds[at] = events.kind(i);
      for (let w = 0; w < words; w++) part.eventWords[at * words + w] = events.values[events.wordOf(i) + w];
    }
    if (last < 0) return left;
    this.#isCut[slot] = isCut ? 1 : 0;
    this.#sends[slot] = last > this.#sent[slot] ? 1 : Math.min(this.#sends[slot] + 1, 255);
    this.#sent[slot] = Math.max(last, this.#sent[slot]);
    this.#sentAt[slot] = tick;
    return left;
  }

  /** Keeps what the packet has. */
  put(part: SharedPart, packet: number): void {
    const place = packet % SENT_PACKETS;
    const first = place * MOST_AUTHORS;
    let count = 0;
    for (let i = 0; i < part.eventCount; i++) {
      const slot = part.authors[i];
      if (count === 0 || this.#authors[first + count - 1] !== slot) this.#authors[first + count++] = slot;
      this.#stamps[first + count - 1] = part.stamps[i];
    }
    this.#packets[place] = packet;
    this.#counts[place] = count;
  }

  /** True if one more author fits a packet. @param count of authors that have events in it. */
  static fits(count: number): boolean {
    return count < MOST_AUTHORS;
  }

  /** The other end has a packet. */
  acked(packet: number): void {
    const place = packet % SENT_PACKETS;
    if (this.#packets[place] !== packet) return;
    this.#packets[place] = -1;
    for (let i = 0; i < this.#counts[place]; i++) {
      const slot = this.#authors[place * MOST_AUTHORS + i];
      const stamp = this.#stamps[place * MOST_AUTHORS + i];
      if (stamp <= this.#had[slot]) continue;
      this.#had[slot] = stamp;
      this.#isCut[slot] = 0;
    }
  }
}
