import type { RoomCode } from '../core/room/code.ts';
import type { Tenure } from '../core/room/host/host-options.ts';
import type { Station } from '../transport/station.ts';
import type { SessionFailure } from './session.ts';

/** Milliseconds between two attempts at a door that is taken: perhaps by this page itself, before its reload. */
const TAKEN_RETRY_MS = 1000;
/** Attempts at a door that is taken, before the host gives up or looks for another host there. */
const TAKEN_TRIES = 4;
/** The same for a later host that has no guests: it is alone, and its room may go on under that other host. */
const TAKEN_TRIES_ALONE = 1;
/** Milliseconds between two attempts of a later host, at a door that is taken or a broker that does not answer. */
const AGAIN_MS = 3000;

/**
 * Why there can be no room; or 'look for another host': dial the door, because another host seems to have it; or
 * null.
 */
export type DoorResult = SessionFailure | 'look for another host' | null;

/**
 * Keeps a room's door open at the broker for its host. Each host has its own token there, so that a host that was
 * absent learns from the broker that another has the door. A new host knows the token of the host before, and may
 * use it to take the door from that host.
 */
export class HostDoor {
  #code: RoomCode;
  readonly #station: Station;
  #token: string;
  readonly #term: number;
  /** The token of the host before; null for the first host. */
  readonly #tokenBefore: string | null;
  readonly #anotherCode: (() => RoomCode) | null;
  #triedAt = Number.NaN;
  #evictedAt = -Infinity;
  #tries = 0;
  #wasOpen = false;
  #isEvicting = false;

  /**
   * Begins to open the door at once.
   * @param before the term of the host before; null for the first host.
   * @param anotherCode makes another code if the door is taken; null if the room has its code already.
   */
  constructor(
    station: Station,
    code: RoomCode,
    tenure: Tenure,
    before: number | null,
    anotherCode: (() => RoomCode) | null = null,
  ) {
    this.#station = station;
    this.#code = code;
    this.#term = tenure.term;
    this.#token = tokenOf(tenure.door, tenure.term);
    this.#tokenBefore = before === null ? null : tokenOf(tenure.door, before);
    this.#anotherCode = anotherCode;
    this.#open(this.#token);
  }

  /** The code of the room; it may change until the door has been open. */
  get code(): RoomCode {
    return this.#code;
  }

  /** True once the door has been open. */
  get wasOpen(): boolean {
    return this.#wasOpen;
  }

  /** Opens the door with another secret: a player that was removed knows the one before. */
  changeSecret(door: string): void {
    this.#token = tokenOf(door, this.#term);
    if (!this.#isEvicting) this.#open(this.#token);
  }

  /**
   * Looks after the door; call it once a tick.
   * @param nowMs milliseconds.
   * @param hasGuests a guest plays with this host.
   */
  tick(nowMs: number, hasGuests: boolean): DoorResult {
    const { doorState } = this.#station;
    const isFirstHost = this.#tokenBefore === null;
    // A new host waits at first: guests may still follow it.
    if (Number.isNaN(this.#triedAt)) this.#triedAt = isFirstHost ? -Infinity : nowMs;
    if (this.#isEvicting) return this.#finishEviction(doorState, nowMs);
    if (doorState === 'open') this.#wasOpen = true;
    else if (doorState === 'unreachable' && isFirstHost && !this.#wasOpen) return 'no broker';
    else if (doorState === 'unreachable' && nowMs - this.#triedAt > AGAIN_MS) this.#tryAgain(nowMs);
    else if (doorState === 'taken') return this.#onTaken(nowMs, hasGuests);
    return null;
  }

  #onTaken(nowMs: number, hasGuests: boolean): DoorResult {
    if (this.#anotherCode !== null && !this.#wasOpen) {
      this.#code = this.#anotherCode();
      this.#tryAgain(nowMs);
      return ++this.#tries > TAKEN_TRIES ? 'code taken' : null;
    }
    const isFirst = this.#tokenBefore === null && !this.#wasOpen;
    if (this.#tokenBefore !== null && !this.#wasOpen && hasGuests && nowMs - this.#evictedAt > AGAIN_MS) {
      this.#beginEviction(this.#tokenBefore, nowMs);
      return null;
    }
    if (nowMs - this.#triedAt < TAKEN_RETRY_MS) return null;
    if (++this.#tries > TAKEN_TRIES && isFirst) return 'code taken';
    const isAlone = this.#tokenBefore !== null && !this.#wasOpen && !hasGuests;
    if (!isFirst && this.#tries % ((isAlone ? TAKEN_TRIES_ALONE : TAKEN_TRIES) + 1) === 0)
      return this.#look(nowMs);
    this.#tryAgain(nowMs);
    return null;
  }

  #look(nowMs: number): DoorResult {
    // It does not try the door in the same tick: it would find itself there.
    this.#triedAt = nowMs + AGAIN_MS;
    return 'look for another host';
  }

  /** Opens the door for a moment with the token of the host before, which loses the door by that. */
  #beginEviction(tokenBefore: string, nowMs: number): void {
    this.#isEvicting = true;
    this.#evictedAt = nowMs;
    this.#open(tokenBefore);
  }

  /** Then opens the door with its own token. If the door is not that of the host before, there is yet another host. */
  #finishEviction(doorState: Station['doorState'], nowMs: number): DoorResult {
    const isOver = doorState === 'open' || doorState === 'taken';
    // Some brokers don't report that the door is open after they took this page for the host before.
    if (!isOver && nowMs - this.#evictedAt < AGAIN_MS) return null;
    this.#isEvicting = false;
    if (doorState === 'taken') return this.#look(nowMs);
    this.#tryAgain(nowMs);
    return null;
  }

  #tryAgain(nowMs: number): void {
    this.#triedAt = nowMs;
    this.#open(this.#token);
  }

  #open(token: string): void {
    this.#station.openDoor(this.#code, token);
  }
}

/** @returns the token under which a host of this term has the door with this secret. */
export function tokenOf(door: string, term: number): string {
  return `${door}-${term}`;
}

/** @returns the secret of the door, if the text is a token of a host; else some other text. */
export function doorSecretIn(token: string): string {
  return token.slice(0, Math.max(0, token.lastIndexOf('-')));
}
