import type { SearchEffect } from '../core/room/guest/door-search.ts';
import { DoorSearch } from '../core/room/guest/door-search.ts';
import type { RoomCode } from '../core/room/code.ts';
import type { JoinStep, LineFailure, LineId } from '../core/room/line.ts';
import type { Station } from '../transport/station.ts';

/** The reports of a DoorCall on a line that is wanted. */
export type DoorCallHandlers = {
  /** The line is not open yet. @param why the failure to report if the attempt ends now. */
  onStanding(why: LineFailure): void;
  /** It can't be opened. */
  onFailure(why: LineFailure): void;
};

/** Opens lines to the host at the room's door: it searches until a wanted line is open, and dials once for a probe. */
export class DoorCall {
  readonly #station: Station;
  readonly #handlers: DoorCallHandlers;
  readonly #search: DoorSearch;
  /** A line that only asks which host answers: nobody waits for its failure. Null if there is none. */
  #probe: LineId | null = null;
  #probes = 0;
  #lastStep: Exclude<JoinStep, 'entering'> = 'asking';

  constructor(station: Station, handlers: DoorCallHandlers) {
    this.#station = station;
    this.#handlers = handlers;
    this.#search = new DoorSearch(station.means);
  }

  /** The step towards the line that is wanted; the last step while none is. */
  get step(): Exclude<JoinStep, 'entering'> {
    return this.#lastStep;
  }

  /** Searches from the next tick on, instead of anything that is under way. */
  want(): void {
    this.hangUp();
    this.#search.begin();
  }

  /** Dials at once, to find out which other host answers; nothing happens if the broker can't be asked. */
  probe(code: RoomCode): void {
    this.hangUp();
    // [N2.3] The dedicated host may be out of reach of UDP.
    const isSocket = this.#station.means.hasSocket && this.#probes++ % 2 === 1;
    this.#probe = this.#station.dialDoor(code, isSocket ? 'socket' : 'any');
  }

  /** Closes the lines that are being opened, and wants none. */
  hangUp(): void {
    this.hangUpProbe();
    this.#search.stop();
    this.#search.drain((effect) => this.#close(effect));
  }

  /** Closes the line that is being opened if it is a probe. */
  hangUpProbe(): void {
    if (this.#probe !== null) this.#station.lines.close(this.#probe);
    this.#probe = null;
  }

  /**
   * Call it once a tick, before the lines are polled.
   * @param nowMs milliseconds.
   * @param wantsLine false: the member wants no line any more.
   */
  tick(nowMs: number, code: RoomCode, wantsLine: boolean): void {
    if (!wantsLine && this.#search.state.kind !== 'none') {
      this.#search.stop();
      this.#search.drain((effect) => this.#close(effect));
    }
    const { state } = this.#search;
    if (state.kind === 'calling')
      for (const { line } of state.calls)
        if (this.#station.lines.get(line)?.hasAnswer === true) this.#search.answered(line);
    this.#search.tick(nowMs, this.#station.state === 'opening');
    // Ask in every tick: the answer must not wait for a later call.
    if (this.#station.isDoorMissing(code)) {
      this.#search.missing();
      this.hangUpProbe();
    }
    this.#search.drain((effect) => this.#apply(effect, code));
    this.#lastStep = this.#search.step ?? this.#lastStep;
    const { failure } = this.#search;
    if (failure !== null) this.#handlers.onStanding(failure);
  }

  /** @returns true if the line that has opened was dialled here; the caller owns it from now on. */
  opened(line: LineId): boolean {
    const isProbe = line === this.#probe;
    if (isProbe) this.#probe = null;
    const isFound = this.#search.opened(line);
    this.#search.drain((effect) => this.#close(effect));
    return isProbe || isFound;
  }

  /** A line was closed, by either end; lines of others are passed over. */
  closed(line: LineId): void {
    if (line === this.#probe) this.#probe = null;
    this.#search.closed(line);
  }

  #apply(effect: SearchEffect, code: RoomCode): void {
    if (effect.kind === 'dial') {
      this.#search.dialled(this.#station.dialDoor(code, effect.way), effect.way);
      this.#search.drain((next) => this.#apply(next, code));
    } else if (effect.kind === 'failed') {
      if (effect.why === 'no broker') this.#lastStep = 'asking';
      this.#handlers.onFailure(effect.why);
    } else this.#close(effect);
  }

  #close(effect: SearchEffect): void {
    if (effect.kind === 'close') this.#station.lines.close(effect.line);
  }
}
