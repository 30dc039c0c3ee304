import { DOOR_PREFIX } from '../../core/room/code.ts';
import type { KeptDoor } from '../../dedicated/snapshots/kept-doors.ts';
import { doorSecretIn } from '../../session/host-door.ts';

/**
 * [N6.3] Milliseconds that somebody else has a kept door before a room of the server may take it. A player who became
 * host in the moment in which the room came back is found there, and has the newer world.
 */
const OTHERS_MS = 2000;

/** A client that asks for an id; `isOwn`: it is a room of this broker's own server. */
export type Applicant = { readonly id: string; readonly token: string; readonly isOwn: boolean };

/** The client that has an id now. */
export type Holder = 'nobody' | 'own room' | 'somebody else';

/**
 * `free`: the id is not reserved, or this applicant may have it. `taken`: it is kept for another. `take`: whoever has it
 * loses it to the applicant.
 */
export type Answer = 'free' | 'taken' | 'take';

/** A door that waits for its room. */
type Reservation = {
  /** Null if nobody but the room may have the door. */
  readonly secret: string | null;
  /** Since when others have had it, in milliseconds; null if its room has had it since. */
  othersSinceMs: number | null;
  /** When its room last took it from somebody else. */
  takenAtMs: number;
};

/**
 * [N6.3] The doors of the rooms that this server keeps. A stranger who had one while the room's process is dead would
 * keep the room from coming back.
 */
export class ReservedDoors {
  #reservations: ReadonlyMap<string, Reservation> = new Map();

  /** Reserves these doors, instead of those before. */
  reserve(doors: readonly KeptDoor[]): void {
    const before = this.#reservations;
    this.#reservations = new Map(
      doors.map(({ code, secret }) => {
        const id = DOOR_PREFIX + code;
        const { othersSinceMs = null, takenAtMs = -Infinity } = before.get(id) ?? {};
        return [id, { secret, othersSinceMs, takenAtMs }];
      }),
    );
  }

  /** True if the door with this id is reserved. */
  isReserved(id: string): boolean {
    return this.#reservations.has(id);
  }

  /** Judges who asks for an id. @param holder of the id. @param nowMs milliseconds. */
  judge({ id, token, isOwn }: Applicant, holder: Holder, nowMs: number): Answer {
    const reservation = this.#reservations.get(id);
    if (reservation === undefined) return 'free';
    if (isOwn) return this.#judgeOwn(reservation, holder, nowMs);
    const { secret, takenAtMs } = reservation;
    // A client that has just lost the door must not get it back before the room has it.
    if (holder === 'own room' || nowMs - takenAtMs < OTHERS_MS) return 'taken';
    // Whoever knows the secret is, or was, a player of the room.
    if (secret === null || doorSecretIn(token) !== secret) return 'taken';
    reservation.othersSinceMs ??= nowMs;
    return 'free';
  }

  #judgeOwn(reservation: Reservation, holder: Holder, nowMs: number): Answer {
    if (holder !== 'somebody else') {
      reservation.othersSinceMs = null;
      return 'free';
    }
    // Somebody may have had the door before it was reserved.
    const sinceMs = (reservation.othersSinceMs ??= nowMs);
    if (nowMs - sinceMs < OTHERS_MS) return 'taken';
    reservation.othersSinceMs = null;
    reservation.takenAtMs = nowMs;
    return 'take';
  }
}
