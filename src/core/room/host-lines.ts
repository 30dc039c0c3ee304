import type { Voter } from './election.ts';
import type { Standing } from './messages.ts';
import type { LineId } from './line.ts';
import type { Seats } from './seats.ts';

/** Milliseconds in which a line has to say hello. */
const HELLO_WITHIN_MS = 10_000;
/** Messages that a line may send within a second: a person can't, a flood does. */
const MAX_MESSAGES_A_SECOND = 20;
/** Milliseconds for which counts what a player has said of another host. */
const COUNTS_FOR_MS = 2500;

/** The page at a line's other end; how long it has waited with its hello; its messages in the running second. */
type LineState = {
  readonly page: string;
  waitedMs: number;
  messages: number;
  /** [F4] What its player said last of who is host, and how long ago. */
  standing: Standing | null;
  saidMs: number;
};

/** The lines of a host, and how those at their other ends behave. */
export class HostLines {
  readonly #lines = new Map<LineId, LineState>();

  add(line: LineId, page: string): void {
    this.#lines.set(line, { page, waitedMs: 0, messages: 0, standing: null, saidMs: 0 });
  }

  delete(line: LineId): void {
    this.#lines.delete(line);
  }

  has(line: LineId): boolean {
    return this.#lines.has(line);
  }

  /** By age, the oldest first; may be changed meanwhile. */
  get all(): readonly LineId[] {
    return [...this.#lines.keys()];
  }

  pageOf(line: LineId): string {
    return this.#lines.get(line)?.page ?? '';
  }

  /** Those who have not said hello, and no hello is to be expected any more. */
  overdue(seats: Seats): readonly LineId[] {
    return this.all.filter(
      (line) => seats.onLine(line) === null && (this.#lines.get(line)?.waitedMs ?? 0) > HELLO_WITHIN_MS,
    );
  }

  /** Counts a message; true if there are more than anybody needs. */
  isFlooded(line: LineId): boolean {
    const state = this.#lines.get(line);
    return state !== undefined && ++state.messages > MAX_MESSAGES_A_SECOND;
  }

  tick(step: number): void {
    for (const state of this.#lines.values()) {
      state.waitedMs += step;
      state.saidMs += step;
    }
  }

  /** Another second for messages. */
  beginSecond(): void {
    for (const state of this.#lines.values()) state.messages = 0;
  }

  receiveStanding(line: LineId, standing: Standing): void {
    const state = this.#lines.get(line);
    if (state === undefined) return;
    state.standing = standing;
    state.saidMs = 0;
  }

  /** [F4] Which players have spoken of who is host just now; those who follow this one have nothing to say. */
  voters(seats: Seats): Voter[] {
    const voters: Voter[] = [];
    for (const [line, { page, standing, saidMs }] of this.#lines) {
      const slot = (seats.onLine(line) ?? seats.ofPage(page))?.slot;
      if (slot !== undefined && standing !== null && saidMs <= COUNTS_FOR_MS) voters.push({ slot, standing });
    }
    return voters;
  }
}
