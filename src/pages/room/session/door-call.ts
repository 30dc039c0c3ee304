import type { LineFailure, LineId } from '../../../core/room/line.ts';
import type { RoomCode } from '../../../core/room/code.ts';
import type { Station } from '../../../transport/webrtc/station.ts';

type CallState =
  | { readonly kind: 'none' }
  /** A line is wanted as soon as the broker has answered this page. */
  | { readonly kind: 'wanted' }
  /** The line is being opened. A probe only asks which host answers: nobody waits for its failure. */
  | { readonly kind: 'dialling'; readonly line: LineId; readonly isProbe: boolean };

/** Opens lines to the host that answers at the room's door, one at a time. */
export class DoorCall {
  readonly #station: Station;
  readonly #onFailure: (why: LineFailure) => void;
  #state: CallState = { kind: 'none' };

  /** @param onFailure called when a line that was wanted can't be opened. */
  constructor(station: Station, onFailure: (why: LineFailure) => void) {
    this.#station = station;
    this.#onFailure = onFailure;
  }

  /** Dials at the next tick at which the broker can be asked, instead of anything that is under way. */
  want(): void {
    this.hangUp();
    this.#state = { kind: 'wanted' };
  }

  /** Dials at once, to find out which other host answers; nothing happens if the broker can't be asked. */
  probe(code: RoomCode): void {
    this.hangUp();
    this.#dial(code, true);
  }

  /** Closes the line that is being opened, and wants none. */
  hangUp(): void {
    if (this.#state.kind === 'dialling') this.#station.lines.close(this.#state.line);
    this.#state = { kind: 'none' };
  }

  /** Closes the line that is being opened if it is a probe. */
  hangUpProbe(): void {
    if (this.#isProbe) this.hangUp();
  }

  /** Call it once a tick, before the lines are polled. */
  tick(code: RoomCode): void {
    if (this.#state.kind === 'wanted' && this.#station.state !== 'opening') this.#dial(code, false);
    // Ask in every tick: the answer must not wait for a later call.
    if (!this.#station.isDoorMissing(code) || this.#state.kind !== 'dialling') return;
    this.#station.lines.close(this.#state.line);
    this.#fail('not found');
  }

  /** @returns true if the line that has opened is the one that was dialled; the caller owns it from now on. */
  opened(line: LineId): boolean {
    if (!this.#isDialling(line)) return false;
    this.#state = { kind: 'none' };
    return true;
  }

  /** A line was closed before it opened. */
  neverOpened(line: LineId): void {
    if (this.#isDialling(line)) this.#fail(this.#reason);
  }

  #dial(code: RoomCode, isProbe: boolean): void {
    const line = this.#station.dialDoor(code);
    this.#state = line === null ? { kind: 'none' } : { kind: 'dialling', line, isProbe };
    if (line === null && !isProbe) this.#onFailure(this.#reason);
  }

  #fail(why: LineFailure): void {
    const isProbe = this.#isProbe;
    this.#state = { kind: 'none' };
    if (!isProbe) this.#onFailure(why);
  }

  #isDialling(line: LineId): boolean {
    return this.#state.kind === 'dialling' && this.#state.line === line;
  }

  get #isProbe(): boolean {
    return this.#state.kind === 'dialling' && this.#state.isProbe;
  }

  /** Why a line did not open, when the broker has not said that nobody answers. */
  get #reason(): LineFailure {
    return this.#station.state === 'open' ? 'blocked' : 'no broker';
  }
}
