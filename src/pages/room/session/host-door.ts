import type { RoomCode } from '../../../core/room/code.ts';
import type { Tenure } from '../../../core/room/host-options.ts';
import type { Station } from '../../../transport/webrtc/station.ts';
import type { Failure } from '../sentences.ts';

/** Milliseconds between two attempts at a door that is taken: a reloaded page may still stand in it itself. */
const TAKEN_RETRY_MS = 1000;
const TAKEN_TRIES = 4;
/** Milliseconds between two attempts of one who became host, at a door that can't be had, or a broker that is away. */
const AGAIN_MS = 3000;

/**
 * A host's stay at the door of its room. Each host has a token of its own there, so that one who was away learns
 * from the broker that another has it; a new host knows the token of the one before, and may send that away.
 */
export class HostDoor {
  #code: RoomCode;
  readonly #station: Station;
  readonly #token: string;
  /** Of the host before; null for the first. */
  readonly #before: string | null;
  readonly #anotherCode: (() => RoomCode) | null;
  #triedAt = Number.NaN;
  #sentAwayAt = -Infinity;
  #tries = 0;
  #wasOpen = false;
  #sendsAway = false;

  /** @param before the term of the host before; null for the first. */
  constructor(
    station: Station,
    code: RoomCode,
    tenure: Tenure,
    before: number | null,
    anotherCode: (() => RoomCode) | null = null,
  ) {
    this.#station = station;
    this.#code = code;
    this.#token = tokenOf(tenure.door, tenure.term);
    this.#before = before === null ? null : tokenOf(tenure.door, before);
    this.#anotherCode = anotherCode;
    this.#open(this.#token);
  }

  get code(): RoomCode {
    return this.#code;
  }

  /** True once it has answered at the door. */
  get wasOpen(): boolean {
    return this.#wasOpen;
  }

  /** Looks after the door; call it in every tick. Returns why there can be no room, or whom to look for there. */
  tick(nowMs: number, hasGuests: boolean): Failure | 'look who is there' | null {
    const { doorState: door } = this.#station;
    // A new host waits at first: others may follow it yet.
    if (Number.isNaN(this.#triedAt)) this.#triedAt = this.#before === null ? -Infinity : nowMs;
    if (this.#sendsAway) this.#sendAway(door === 'open', nowMs);
    else if (door === 'open') this.#wasOpen = true;
    else if (door === 'unreachable' && this.#before === null && !this.#wasOpen) return 'no broker';
    else if (door === 'unreachable' && nowMs - this.#triedAt > AGAIN_MS) this.#tryAgain(nowMs);
    else if (door === 'taken') return this.#besiege(nowMs, hasGuests);
    return null;
  }

  #besiege(nowMs: number, hasGuests: boolean): Failure | 'look who is there' | null {
    if (this.#anotherCode !== null && !this.#wasOpen) {
      this.#code = this.#anotherCode();
      this.#tryAgain(nowMs);
      return ++this.#tries > TAKEN_TRIES ? 'code taken' : null;
    }
    const isFirst = this.#before === null && !this.#wasOpen;
    if (this.#before !== null && !this.#wasOpen && hasGuests && nowMs - this.#sentAwayAt > AGAIN_MS) {
      this.#sendsAway = true;
      this.#sentAwayAt = nowMs;
      this.#station.openDoor(this.#code, this.#before);
      return null;
    }
    if (nowMs - this.#triedAt < TAKEN_RETRY_MS) return null;
    if (++this.#tries > TAKEN_TRIES && isFirst) return 'code taken';
    // Never both at once: it would find itself there.
    if (!isFirst && this.#tries % (TAKEN_TRIES + 1) === 0) {
      this.#triedAt = nowMs + AGAIN_MS;
      return 'look who is there';
    }
    this.#tryAgain(nowMs);
    return null;
  }

  /** For a moment it stands there as the one before, who loses the door by that; then as itself. */
  #sendAway(isOpen: boolean, nowMs: number): void {
    // Some brokers don't say that they have taken a page for the other.
    if (!isOpen && nowMs - this.#sentAwayAt < AGAIN_MS) return;
    this.#sendsAway = false;
    this.#tryAgain(nowMs);
  }

  #tryAgain(nowMs: number): void {
    this.#triedAt = nowMs;
    this.#open(this.#token);
  }

  #open(token: string): void {
    this.#station.openDoor(this.#code, token);
  }
}

function tokenOf(door: string, term: number): string {
  return `${door}-${term}`;
}
