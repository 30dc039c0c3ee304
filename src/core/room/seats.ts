import type { ConnectionId, Slot } from '../base/ids.ts';
import { MAX_PLAYERS } from '../base/constants.ts';
import type { Presence, RosterPlayer, Seat, VoiceState } from './messages.ts';

declare const brand: unique symbol;
/** The number that a page gives to one of its lines to another page. */
export type LineId = number & { readonly [brand]: 'LineId' };

/** Milliseconds of silence after which a player is shown as lost, and after which it is away [F3]. */
export const LOST_AFTER_MS = 1500;
export const AWAY_AFTER_MS = 8000;
/** Milliseconds for which a slot waits for the one who was away [F3]. */
export const SEAT_KEPT_MS = 30_000;

/** A guest as the host keeps it: in its slot, there or away. */
export type Guest = {
  readonly slot: Slot;
  readonly secret: string;
  name: string;
  id: string;
  /** Null while away. */
  line: LineId | null;
  connection: ConnectionId;
  presence: Presence;
  voice: VoiceState;
  roundTripMs: number;
  /** When it was last heard, on the owner's clock, and how long the host has listened in vain since. */
  heardAt: number;
  silentMs: number;
};

export function rosterPlayer(guest: Readonly<Guest>): RosterPlayer {
  const { slot, name, id, presence, voice, roundTripMs } = guest;
  return { slot, name, id, presence, voice, roundTripMs };
}

/** Who sits in which slot; the host's own is taken. */
export class Seats {
  readonly #guests: (Guest | null)[] = Array.from({ length: MAX_PLAYERS }, () => null);
  readonly #host: Slot;

  constructor(host: Slot) {
    this.#host = host;
  }

  get(slot: Slot): Guest | null {
    return this.#guests[slot] ?? null;
  }

  onLine(line: LineId): Guest | null {
    return this.#guests.find((guest) => guest?.line === line) ?? null;
  }

  /** Guests, those who are away included. */
  get count(): number {
    return this.#guests.reduce((sum, guest) => sum + (guest === null ? 0 : 1), 0);
  }

  /** By slot. */
  all(): Guest[] {
    return this.#guests.filter((guest) => guest !== null);
  }

  /** The guest whose seat this is; null if the secret is not right, or the slot waits no more. */
  provenBy(seat: Seat | null): Guest | null {
    const guest = seat === null ? null : this.get(seat.slot);
    return guest !== null && guest.secret === seat?.secret ? guest : null;
  }

  /** The slot that was asked for, if it is free; else the first that is. There must be one. */
  freeSlot(wish: Slot | null): Slot {
    const isFree = (slot: number): boolean => slot !== this.#host && this.#guests[slot] === null;
    if (wish !== null && isFree(wish)) return wish;
    const slot = this.#guests.findIndex((_, other) => isFree(other));
    if (slot < 0) throw new Error('no slot is free');
    return slot as Slot;
  }

  put(guest: Guest): void {
    this.#guests[guest.slot] = guest;
  }

  clear(slot: Slot): void {
    this.#guests[slot] = null;
  }
}
