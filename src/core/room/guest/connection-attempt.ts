import type { Slot } from '../../base/ids.ts';
import type { LineFailure, LineId } from '../line.ts';
import type { GuestRoomOptions } from './guest-options.ts';

/** [F3.6] Milliseconds for which a guest tries to get a line to its host. */
export const JOIN_WITHIN_MS = 30_000;
/** Milliseconds for which the host may be silent after a join: under loss both messages are sent several times. */
const WELCOME_WITHIN_MS = 12_000;
/** [F3.9] Milliseconds after which the welcome is late: two messages of which one is lost once need less. */
const LATE_MS = 3000;
/** Milliseconds between two attempts. */
const RETRY_EVERY_MS = 2000;
/** [F3.12] Milliseconds for which a page looks for the room in which it was. */
const FIND_WITHIN_MS = 10_000;

type AttemptState =
  | { readonly kind: 'none' }
  /** The owner has been asked for a line. `failure`: why it fails if it ends now. */
  | { readonly kind: 'opening'; takenMs: number; failure: LineFailure }
  /** The guest has asked to come in on this line. `isBeside`: the owner opens others beside it. */
  | { readonly kind: 'greeted'; readonly line: LineId; takenMs: number; isBeside: boolean };

/** A guest's attempts to come in: one at a time, each with a deadline, and a pause after a failure. */
export class ConnectionAttempt {
  #state: AttemptState = { kind: 'none' };
  /** Milliseconds without an attempt since the last failure; attempts that succeed don't set it back. */
  #pausedMs = 0;
  #lastFailure: LineFailure = 'blocked';
  #hasMissedBroker = false;
  #awaited: { readonly line: LineId | null; readonly heir: Slot } | null = null;

  get isUnderWay(): boolean {
    return this.#state.kind !== 'none';
  }

  /** The line on which the guest has asked to come in; null if there is none yet, or no attempt. */
  get line(): LineId | null {
    return this.#state.kind === 'greeted' ? this.#state.line : null;
  }

  /** True while the owner opens lines, perhaps beside the one on which the guest has asked to come in. */
  get isOpening(): boolean {
    return this.#state.kind === 'opening' || this.#isBeside;
  }

  get #isBeside(): boolean {
    return this.#state.kind === 'greeted' && this.#state.isBeside;
  }

  /** [F3.9] True if the guest asks to come in on the next line that is there: it has asked on none, or long ago. */
  get takesLine(): boolean {
    const state = this.#state;
    return (
      state.kind === 'opening' || (this.#isBeside && state.kind === 'greeted' && state.takenMs >= LATE_MS)
    );
  }

  /** True if an attempt since the last success has failed for want of a broker. */
  get hasMissedBroker(): boolean {
    return this.#hasMissedBroker;
  }

  /** Why the attempt fails if it ends now, or why the last one failed. */
  get failureNow(): LineFailure {
    return this.#state.kind === 'opening' ? this.#state.failure : this.#lastFailure;
  }

  /** Why the attempt fails if its time is over: the host has not answered, or no line has opened. */
  get failureInTime(): LineFailure {
    return this.line === null ? this.failureNow : 'no answer';
  }

  /** True if no attempt is under way, and the last failure is long enough ago. */
  get isDue(): boolean {
    return this.#state.kind === 'none' && this.#pausedMs >= RETRY_EVERY_MS;
  }

  /**
   * [F3.6] Call it once a tick while the guest joins.
   * @param joiningMs milliseconds since it began to join.
   * @returns `end`: its time is over. `open`: the owner is to open a line. Null: there is nothing to do.
   */
  joinOn(joiningMs: number): 'end' | 'open' | null {
    if (joiningMs >= JOIN_WITHIN_MS) return this.keepGreeted() ? null : 'end';
    if (!this.isDue) return null;
    this.begin();
    return 'open';
  }

  /** No line is opened any more. @returns true if the guest still waits for the welcome on the line that it has. */
  keepGreeted(): boolean {
    if (this.#state.kind !== 'greeted') return false;
    this.#state.isBeside = false;
    return true;
  }

  /**
   * The line on which the guest has asked to come in is of no use any more.
   * @returns true if the attempt goes on with the lines that are opened beside it.
   */
  goesOnBeside(): boolean {
    if (!this.#isBeside) return false;
    this.#state = { kind: 'opening', takenMs: 0, failure: 'no answer' };
    return true;
  }

  /** [F4.33] The guest is to ask on this line once the heir is host. It opens another only after RETRY_EVERY_MS. */
  awaitOn(line: LineId | null, heir: Slot): void {
    this.#awaited = { line, heir };
  }

  /** [F4.33] True for that line until the guest has asked on one. @param host the slot that its player takes for the host. */
  awaitsOn(line: LineId, host: Slot): boolean {
    const awaited = this.#awaited;
    return awaited?.line === line && awaited.heir === host && this.#state.kind !== 'greeted';
  }

  /** A line has been asked for. */
  begin(): void {
    this.#state = { kind: 'opening', takenMs: 0, failure: 'blocked' };
  }

  /** The line is not open yet. @param failure why it fails if it ends now. */
  stands(failure: LineFailure): void {
    if (this.#state.kind === 'opening') this.#state.failure = failure;
  }

  /** The guest has asked to come in on a line. @param isBeside the owner goes on to open others. */
  greet(line: LineId, isBeside: boolean): void {
    this.#awaited = null;
    this.#state = { kind: 'greeted', line, takenMs: 0, isBeside };
  }

  fail(why: LineFailure): void {
    this.#lastFailure = why;
    this.#hasMissedBroker ||= why === 'no broker';
    this.#state = { kind: 'none' };
    this.#pausedMs = 0;
  }

  /**
   * [F3.6] True if a guest that joins tries again after a failure.
   * @param joiningMs milliseconds since it began to join.
   */
  mayGoOn(why: LineFailure, joiningMs: number, { returns, back }: GuestRoomOptions): boolean {
    if (joiningMs >= JOIN_WITHIN_MS) return false;
    // A host that has lost the broker, too, opens its door again a little later.
    if (why !== 'not found' || back !== undefined || this.#hasMissedBroker) return true;
    return returns && joiningMs < FIND_WITHIN_MS;
  }

  /** The host is heard: what was found at the door before says nothing about its next absence. */
  forgetFailure(): void {
    this.#lastFailure = 'blocked';
  }

  succeed(): void {
    this.#awaited = null;
    this.forgetFailure();
    this.#hasMissedBroker = false;
    this.#state = { kind: 'none' };
  }

  /** Gives up the attempt that is under way, which does not count as a failure. */
  drop(): void {
    this.#awaited = null;
    this.#state = { kind: 'none' };
  }

  /**
   * Call it once a tick.
   * @param step milliseconds since the last tick.
   * @returns true if the attempt has taken too long; the caller then calls `fail`.
   */
  tick(step: number): boolean {
    if (this.#state.kind === 'none') {
      this.#pausedMs += step;
      return false;
    }
    this.#state.takenMs += step;
    return this.#state.takenMs >= (this.#state.kind === 'opening' ? JOIN_WITHIN_MS : WELCOME_WITHIN_MS);
  }
}
