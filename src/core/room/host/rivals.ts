import type { Slot } from '../../base/ids.ts';
import type { PublicKey } from '../identity/key.ts';
import type { Lineage } from '../identity/lineage.ts';
import { hasPlayer, relationOf } from '../identity/lineage.ts';
import type { LineId } from '../line.ts';
import type { Outbox } from '../outbox.ts';
import type { RemovedPlayers } from './admission.ts';
import type { HostLines } from './host-lines.ts';
import type { HostEffect, Tenure } from './host-options.ts';
import type { Seats } from './seats.ts';

/** [F4] A host's dealings with other hosts of its room: what it tells them, and what it learns of them. */
export class Rivals {
  readonly #seats: Seats;
  readonly #lines: HostLines;
  readonly #outbox: Outbox<HostEffect>;
  #stepsDownFor: Slot | null = null;
  readonly #removed: RemovedPlayers;
  #goesOnElsewhere = false;

  constructor(seats: Seats, lines: HostLines, removed: RemovedPlayers, outbox: Outbox<HostEffect>) {
    this.#removed = removed;
    this.#seats = seats;
    this.#lines = lines;
    this.#outbox = outbox;
  }

  /** The slot of the other host for which this host has to step down; null if there is none. */
  get stepsDownFor(): Slot | null {
    return this.#stepsDownFor;
  }

  /** True for a host without guests, once it knows that the room goes on under another host. */
  get goesOnElsewhere(): boolean {
    return this.#goesOnElsewhere && !this.#seats.hasPlayers;
  }

  /** Sends this host's standing to a player of the room that is not with this host yet. */
  announce(line: LineId, { term, home }: Tenure): void {
    const other = this.#lines.otherOf(line);
    if (other === null || this.#seats.ofKey(other.key)?.line !== null) return;
    const { host, hasPlayers: hears } = this.#seats;
    const vote = this.#seats.homeOf(home)?.host ?? null;
    this.#outbox.send(line, { kind: 'standing', host, term, hears, vote, ballot: null });
  }

  /** Another host is at the room's door, on this line: it learns that the room is here, if guests are here. */
  foundAtDoor(line: LineId, { lineage }: Tenure): void {
    if (this.#seats.here().length > 0) this.#outbox.send(line, { kind: 'elsewhere', lineage });
    this.#outbox.close(line);
  }

  /** A page says that it is another host, with guests; it counts if it belongs to the room. */
  learnOf(line: LineId, lineage: Lineage, own: Tenure): void {
    const { key } = this.#lines.otherOf(line) ?? {};
    const relation = relationOf(lineage, own.lineage);
    const isPlayer = key !== undefined && this.#isPlayer(key, own);
    if (relation !== 'successor' && (relation === 'other room' || !isPlayer)) return;
    const hasGuests = this.#seats.hasPlayers;
    this.#goesOnElsewhere ||= !hasGuests;
    const page = hasGuests ? this.#lines.pageToCall(line, this.#seats) : null;
    if (page !== null) this.#outbox.push({ kind: 'dial', page });
  }

  /** True for a player of the room, also for one whose seat has not waited, as far as this host has evidence. */
  #isPlayer(key: PublicKey, { lineage }: Tenure): boolean {
    if (this.#removed.has(key)) return false;
    return this.#seats.ofKey(key) !== null || hasPlayer(lineage, key);
  }

  /** Call it once a tick. */
  tick(tenure: Tenure): void {
    this.#stepsDownFor = this.#lines.stepsDownFor(tenure, this.#seats);
  }
}
