import type { ConnectionId, Slot } from '../base/ids.ts';
import { MAX_PLAYERS } from '../base/constants.ts';
import { sha256 } from '../base/sha256.ts';
import type { LineId } from './line.ts';
import type { Presence, Roster, RosterPlayer, SeatProof, VoiceState } from './messages.ts';
import { MAX_ROUND_TRIP_MS } from './messages.ts';
import { Silence } from './silence.ts';

/** A guest as the host keeps it: in its slot, there or away. */
export type Guest = {
  readonly slot: Slot;
  /** What its secret hashes to. */
  readonly proof: string;
  name: string;
  id: string;
  /** Null while away, and until it has followed a new host. */
  line: LineId | null;
  /** [F4] It was there under the host before, and may still follow with all that it has. */
  isAwaited: boolean;
  connection: ConnectionId;
  presence: Presence;
  voice: VoiceState;
  roundTripMs: number;
  /** How long nothing has come from it, or since when it is away. */
  readonly silence: Silence;
};

function rosterPlayer(guest: Readonly<Guest>): RosterPlayer {
  const { slot, name, id, presence, voice, roundTripMs, proof } = guest;
  return { slot, name, id, presence, voice, roundTripMs, proof };
}

/** [F3] A guest is gone; its slot waits for it. */
export function markAway(guest: Guest): void {
  guest.line = null;
  guest.isAwaited = false;
  guest.presence = 'away';
  guest.voice = 'off';
  guest.roundTripMs = 0;
  guest.silence.end();
}

/** Somebody who has just come in. */
export function newGuest(slot: Slot, proof: string): Guest {
  return {
    slot,
    proof,
    name: '',
    id: '',
    line: null,
    isAwaited: false,
    connection: 0 as ConnectionId,
    presence: 'here',
    voice: 'off',
    roundTripMs: 0,
    silence: new Silence(),
  };
}

/** A player as one who becomes host finds it in the roster: there, but yet to come; or away. */
function inheritedGuest(player: Readonly<RosterPlayer>): Guest {
  const { presence, voice } = player;
  const isAwaited = presence !== 'away';
  return {
    ...player,
    line: null,
    isAwaited,
    connection: 0 as ConnectionId,
    presence: isAwaited ? 'here' : 'away',
    voice: isAwaited ? voice : 'off',
    silence: new Silence(),
  };
}

/** What tells that a player knows its secret, and tells nobody the secret. */
export function proofOf(secret: string): string {
  return sha256(secret);
}

/** Who sits in which slot; the host's own is taken. */
export class Seats {
  readonly #guests: (Guest | null)[] = Array.from({ length: MAX_PLAYERS }, () => null);
  readonly #host: Slot;

  constructor(host: Slot) {
    this.#host = host;
  }

  /**
   * [F4] The host before is away, as of now; all others who were there may follow.
   * @returns the voice of the one whose seats these are.
   */
  inherit({ host, players }: Roster): VoiceState {
    let voice: VoiceState = 'off';
    for (const player of players) {
      const presence = player.slot === host ? 'away' : player.presence;
      if (player.slot === this.#host) voice = player.voice;
      else this.put(inheritedGuest({ ...player, presence }));
    }
    return voice;
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

  /** The slots of those who play now. */
  here(): Slot[] {
    return this.all().flatMap(({ slot, line, presence }) =>
      line !== null && presence === 'here' ? [slot] : [],
    );
  }

  /** [F4] The slots of those who may still follow. */
  awaited(): Slot[] {
    return this.all().flatMap(({ slot, isAwaited }) => (isAwaited ? [slot] : []));
  }

  /** Everybody in the roster, by slot. */
  playersWith(host: RosterPlayer): RosterPlayer[] {
    return [host, ...this.all().map(rosterPlayer)].sort((a, b) => a.slot - b.slot);
  }

  /** Takes over how far away everybody is; true if that has changed. */
  measure(roundTripOf: (slot: Slot) => number): boolean {
    let hasChanged = false;
    for (const guest of this.all()) {
      const measured = guest.line === null ? 0 : Math.round(roundTripOf(guest.slot));
      const roundTripMs = Math.min(MAX_ROUND_TRIP_MS, measured);
      hasChanged ||= roundTripMs !== guest.roundTripMs;
      guest.roundTripMs = roundTripMs;
    }
    return hasChanged;
  }

  /** By slot. */
  all(): Guest[] {
    return this.#guests.filter((guest) => guest !== null);
  }

  ofPage(page: string): Guest | null {
    return this.#guests.find((guest) => guest?.id === page) ?? null;
  }

  /** The guest whose seat this is; null if the secret is not right, or the slot waits no more. */
  provenBy(seat: SeatProof | null): Guest | null {
    const guest = seat === null ? null : this.get(seat.slot);
    return guest !== null && seat !== null && guest.proof === proofOf(seat.secret) ? guest : null;
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
