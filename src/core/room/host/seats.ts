import type { ConnectionId, Slot } from '../../base/ids.ts';
import { DEDICATED_SLOT, MAX_PLAYERS, MAX_ROOM_PLAYERS } from '../../base/constants.ts';
import { DOOR_PREFIX } from '../code.ts';
import type { Other } from '../identity/authenticated-lines.ts';
import type { PublicKey } from '../identity/key.ts';
import type { LineId } from '../line.ts';
import type { Home, Presence, Roster, RosterPlayer } from '../messages.ts';
import type { Profile } from '../profile.ts';
import { MAX_ROUND_TRIP_MS } from '../messages.ts';
import { isPerson, slotsOfPeople } from '../people.ts';
import { isSameProfile, newProfile, profileOf } from '../profile.ts';
import {
  AWAY_AFTER_MS,
  LOST_AFTER_MS,
  SEAT_KEPT_MS,
  SEAT_YIELDS_MS,
  SETTLES_MS,
  Silence,
} from '../silence.ts';

/** A guest as the host keeps it: in its slot, there or away. The Seats own it; the HostRoom changes it in place. */
export type Guest = {
  readonly slot: Slot;
  readonly key: PublicKey;
  profile: Profile;
  /** Its page's id at the broker. */
  id: string;
  /** Null while the guest is away, and until it has followed a new host. */
  line: LineId | null;
  /** [F4] It was there under the host before; if it follows this host in time, it keeps its world and its bodies. */
  isAwaited: boolean;
  connection: ConnectionId;
  presence: Presence;
  /** Milliseconds to the host and back; 0 where it is not known. */
  roundTripMs: number;
  /** Milliseconds since its last packet; while it is away, since it went. */
  readonly silence: Silence;
  /** Milliseconds for which its page may still be loading; not above 0 once it has settled. */
  loadsMs: number;
};

function rosterPlayer(guest: Readonly<Guest>): RosterPlayer {
  const { slot, profile, id, presence, roundTripMs, key } = guest;
  return { slot, ...profile, id, presence, roundTripMs, key };
}

/**
 * A guest plays on this line from now on.
 * @param keepsWorld it goes on in its world; else its page has to load one first.
 */
export function takePlace(
  guest: Guest,
  on: Pick<Guest, 'line' | 'profile' | 'id'>,
  keepsWorld: boolean,
): void {
  Object.assign(guest, on);
  guest.isAwaited = false;
  guest.silence.end();
  guest.presence = 'here';
  if (!keepsWorld) guest.loadsMs = SETTLES_MS;
}

/** [P8] @returns true if the guest said something else until now. */
export function changeProfile(guest: Guest, profile: Profile): boolean {
  const before = guest.profile;
  guest.profile = profileOf(profile);
  return !isSameProfile(before, profile);
}

/** [F3] Marks a guest as away; its slot waits for it. */
export function markAway(guest: Guest): void {
  guest.line = null;
  guest.isAwaited = false;
  guest.presence = 'away';
  guest.profile = { ...guest.profile, voice: 'off', wantsReset: undefined };
  guest.roundTripMs = 0;
  guest.silence.end();
}

/**
 * [F3] Counts a guest's silence on.
 * @param step milliseconds since the last tick.
 * @param packetMs when its last packet came, on the owner's clock.
 * @returns what it is now: `absent` if that is new, `away` if it is not, `gone` if its slot is free from now on.
 */
export function judgeSilence(guest: Guest, step: number, packetMs: number): Presence | 'absent' | 'gone' {
  const { silence, line, isAwaited } = guest;
  silence.tick(step, packetMs, line !== null);
  guest.loadsMs -= step;
  if (line === null && !isAwaited) return silence.ms >= SEAT_KEPT_MS ? 'gone' : 'away';
  if (silence.ms >= AWAY_AFTER_MS) return 'absent';
  return isHeard(guest) || guest.loadsMs > 0 ? 'here' : 'lost';
}

function isHeard({ silence }: Guest): boolean {
  return silence.ms < LOST_AFTER_MS;
}

/** @returns a player that has just come in, without name, page, line and connection: the caller fills them in. */
function newGuest(slot: Slot, key: PublicKey): Guest {
  return {
    slot,
    key,
    profile: newProfile(''),
    id: '',
    line: null,
    isAwaited: false,
    connection: 0 as ConnectionId,
    presence: 'here',
    roundTripMs: 0,
    silence: new Silence(),
    loadsMs: 0,
  };
}

/** A player of the roster under the host before, as its new host has it: awaited, or away. */
function inheritedGuest(player: Readonly<RosterPlayer>): Guest {
  const { slot, key, id, presence, name, voice, hands, roundTripMs } = player;
  const isAwaited = presence !== 'away';
  return {
    slot,
    key,
    profile: { name, voice: isAwaited ? voice : 'off', hands },
    id,
    line: null,
    isAwaited,
    connection: 0 as ConnectionId,
    presence: isAwaited ? 'here' : 'away',
    roundTripMs,
    silence: new Silence(),
    loadsMs: 0,
  };
}

/**
 * A decision to give a seat. `slot`: that of a dedicated host; null for a person. `yielding`: the guest that loses its
 * seat for it; null if none does.
 */
export type NewSeat = { readonly slot: Slot | null; readonly yielding: Guest | null };

/** The guests of a host, by slot; the host's own slot is taken. */
export class Seats {
  readonly #guests: (Guest | null)[] = Array.from({ length: MAX_PLAYERS }, () => null);
  /** The host's own slot. */
  readonly host: Slot;
  /** The number of slots that people may have. */
  readonly #slots: number;

  /** @param capacity people at most. A large room stays large, and a small one small. */
  constructor(host: Slot, capacity: number) {
    this.host = host;
    this.#slots = slotsOfPeople({ capacity });
  }

  /**
   * [F4] Takes over the roster of the host before: all others that were there may follow. [N3.3] A former host may have
   * listed a second page of its own in the slot of a dedicated host.
   * @param awaitsHost [F4.35] false: the host before is away from now on.
   */
  inherit({ host, players }: Roster, founder: PublicKey, awaitsHost: boolean): void {
    for (const player of players) {
      if (player.slot === DEDICATED_SLOT && player.key !== founder) continue;
      const presence = player.slot === host && !awaitsHost ? 'away' : player.presence;
      if (player.slot !== this.host) this.put(inheritedGuest({ ...player, presence }));
    }
  }

  /** @returns null if no guest has this slot. */
  get(slot: Slot): Guest | null {
    return this.#guests[slot] ?? null;
  }

  /** The guest that plays on this line; null if none does. */
  onLine(line: LineId): Guest | null {
    return this.#guests.find((guest) => guest?.line === line) ?? null;
  }

  /** [N1] How many people have a slot, those away and the host included. */
  get people(): number {
    return [{ slot: this.host }, ...this.all()].filter(isPerson).length;
  }

  /** True if a guest has a line. */
  get hasPlayers(): boolean {
    return this.#guests.some((guest) => guest !== null && guest.line !== null);
  }

  /** The slots of the guests that play now: with a line, and heard of late. */
  here(): Slot[] {
    return this.all().flatMap((guest) => (guest.line !== null && isHeard(guest) ? [guest.slot] : []));
  }

  /** [F3] The guest whose slot a newcomer may have in a full room: it has been away longest. Null if there is none. */
  yielding(): Guest | null {
    const away = this.all().filter(({ line, isAwaited, silence }) => {
      return line === null && !isAwaited && silence.ms >= SEAT_YIELDS_MS;
    });
    return away.reduce<Guest | null>(
      (most, guest) => (most === null || guest.silence.ms > most.silence.ms ? guest : most),
      null,
    );
  }

  /** [N3.4] True while no dedicated host plays or is awaited, and this host is none. */
  get hasPlaceOfDedicated(): boolean {
    if (this.host === DEDICATED_SLOT) return false;
    const there = this.get(DEDICATED_SLOT as Slot);
    return there === null || (there.line === null && !there.isAwaited);
  }

  /** [F4] The slot that is to be host next, if its guest is there; null for the lowest slot. */
  heirWish: Slot | null = null;

  /**
   * [F4] The guest that becomes host if this one leaves: the wished one, or else the lowest slot here. Null if none.
   * [N8.2] Nobody does in a large room.
   */
  get heir(): Guest | null {
    if (this.#slots > MAX_ROOM_PLAYERS) return null;
    const here = this.here();
    const slot = here.find((other) => other === this.heirWish) ?? here.at(0);
    return slot === undefined ? null : this.get(slot);
  }

  /** [F4] The slots of the guests that may still follow. */
  awaited(): Slot[] {
    return this.all().flatMap(({ slot, isAwaited }) => (isAwaited ? [slot] : []));
  }

  /** [F4] The last host with a majority, as long as its slot waits for it: else somebody else may have the slot. */
  homeOf(home: Home | null): Home | null {
    return home !== null && this.get(home.host)?.presence === 'away' ? home : null;
  }

  /** Every player for the roster, by slot, the host included. */
  playersWith(host: RosterPlayer): RosterPlayer[] {
    return [host, ...this.all().map(rosterPlayer)].sort((a, b) => a.slot - b.slot);
  }

  /**
   * Takes over the round trips.
   * @param roundTripOf milliseconds.
   * @returns true if any has changed.
   */
  measure(roundTripOf: (slot: Slot) => number): boolean {
    let hasChanged = false;
    for (const guest of this.all()) {
      const measured = guest.line === null ? 0 : Math.round(roundTripOf(guest.slot));
      const roundTripMs = Math.max(0, Math.min(MAX_ROUND_TRIP_MS, measured)) || 0;
      hasChanged ||= roundTripMs !== guest.roundTripMs;
      guest.roundTripMs = roundTripMs;
    }
    return hasChanged;
  }

  /** Every guest, by slot; a new array. */
  all(): Guest[] {
    return this.#guests.filter((guest) => guest !== null);
  }

  /** The guest whose page has this id at the broker; null if there is none. */
  ofPage(page: string): Guest | null {
    return this.#guests.find((guest) => guest?.id === page) ?? null;
  }

  /** [P1] The guest with this key; null if there is none. */
  ofKey(key: PublicKey): Guest | null {
    return this.#guests.find((guest) => guest?.key === key) ?? null;
  }

  /**
   * @param wish the slot that is asked for; null for any.
   * @returns `wish` if it is a person's and free, else the lowest free slot of a person.
   * @throws Error if no slot is free.
   */
  freeSlot(wish: Slot | null): Slot {
    const isFree = (slot: number): boolean =>
      slot < this.#slots && slot !== this.host && this.#guests[slot] === null;
    if (wish !== null && isFree(wish)) return wish;
    const slot = this.#guests.findIndex((_, other) => isFree(other));
    if (slot < 0) throw new Error('no slot is free');
    return slot as Slot;
  }

  /** A new guest has a seat from now on: in the slot that was decided, or as `freeSlot` says; somebody may lose one. */
  begin(key: PublicKey, { slot, yielding }: NewSeat, wish: Slot | null): Guest {
    if (yielding !== null) this.clear(yielding.slot);
    const guest = newGuest(slot ?? this.freeSlot(wish), key);
    this.put(guest);
    return guest;
  }

  /**
   * [F4.23] Has a slot wait for another host of the room, as for a player that is away.
   * @param wish the slot that it gets if that slot is free; null for any.
   * @returns false if no slot is free.
   */
  expect({ key, page }: Other, wish: Slot | null): boolean {
    if (this.people >= this.#slots) return false;
    const guest = newGuest(this.freeSlot(wish), key);
    markAway(guest);
    guest.id = page;
    this.put(guest);
    return true;
  }

  /**
   * [F4.34] Notes the page of a guest that is away.
   * @param page its id at the broker; that of a door is no page's.
   * @returns true if it has changed.
   */
  notePage(guest: Guest, page: string): boolean {
    if (guest.line !== null || guest.id === page || page.startsWith(DOOR_PREFIX)) return false;
    if (this.ofPage(page) !== null) return false;
    guest.id = page;
    return true;
  }

  /** Gives a guest its slot, instead of any other guest there. */
  put(guest: Guest): void {
    this.#guests[guest.slot] = guest;
  }

  /** Frees a slot. */
  clear(slot: Slot): void {
    this.#guests[slot] = null;
  }
}
