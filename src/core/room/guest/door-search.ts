import type { JoinStep, LineFailure, LineId, LineWay } from '../line.ts';
import { StepClock } from '../silence.ts';

/**
 * [F3.7] Milliseconds after which one more line is tried, beside those that are not open yet. Under loss a line opens
 * late because DTLS and SCTP wait twice as long after each lost message: a new line begins with short waits.
 */
const BESIDE_AFTER_MS = 2000;
/** Milliseconds between the failure of the only line and the next. */
const AGAIN_AFTER_MS = 1000;
/** [F3.7] Milliseconds that a line may take to open; so there are at most six at a time. */
export const OPEN_WITHIN_MS = 12_000;

/** [N2.3] One line in so many is tried over a WebSocket: the first after 4 s, so UDP comes first where it gets through. */
const SOCKET_EVERY = 3;

/** A line that is being opened. */
type Call = {
  readonly line: LineId;
  readonly way: LineWay;
  /** The host's page has answered. */
  readonly isAnswered: boolean;
  readonly takenMs: number;
};

/** The lines that are tried now, for how long, and how far any has come. */
export type SearchState =
  /** No line is wanted. */
  | { readonly kind: 'none' }
  /** The broker has not answered this page yet. */
  | { readonly kind: 'asking'; readonly takenMs: number }
  | {
      readonly kind: 'calling';
      /** The oldest comes first. Empty for a moment if all have failed. */
      readonly calls: readonly Call[];
      /** Lines that were tried, these included. */
      readonly tried: number;
      /** Milliseconds until one more is tried. */
      readonly nextInMs: number;
      /** Why it fails if it ends now: how far the best of the lines has come. */
      readonly failure: 'no answer' | 'blocked' | 'no relay';
      /** Lines that have opened, and may still bring something. */
      readonly open: readonly LineId[];
      /** A line has opened: if it ends now, the host has not answered on it. */
      readonly hasOpened: boolean;
    };

/** A task for the owner of a DoorSearch; `drain` hands them out in order. */
export type SearchEffect =
  /** Dial the room's door, then call `dialled`. */
  | { readonly kind: 'dial'; readonly way: LineWay }
  | { readonly kind: 'close'; readonly line: LineId }
  /** No line can be had at present, and the search is over. */
  | { readonly kind: 'failed'; readonly why: LineFailure };

/** The services that this page's lines may use. */
export type SearchMeans = {
  /** A TURN server is configured. */
  readonly hasRelay: boolean;
  /** Lines of WebRTC may take no other way. */
  readonly relayOnly: boolean;
  /** [N2.3] The site has server rooms, which are reached by its WebSocket, too. */
  readonly hasSocket: boolean;
};

/**
 * [F3.7] A page's search for a line to the host at a room's door. It tries lines beside each other, by every way,
 * until its owner stops it: under loss an open line may still bring nothing for seconds. It has no clock and no line:
 * its owner reports what happens, and carries out the effects that `drain` hands out.
 */
export class DoorSearch {
  readonly #means: SearchMeans;
  readonly #clock = new StepClock();
  readonly #effects: SearchEffect[] = [];
  #state: SearchState = { kind: 'none' };

  constructor(means: SearchMeans) {
    this.#means = means;
  }

  get state(): SearchState {
    return this.#state;
  }

  /** Null if no line is wanted. */
  get step(): Exclude<JoinStep, 'entering'> | null {
    const state = this.#state;
    if (state.kind === 'none') return null;
    if (state.kind === 'asking') return 'asking';
    const answered = state.calls.findLast(({ isAnswered }) => isAnswered);
    if (answered === undefined) return 'calling';
    return answered.way === 'relay' ? 'relay' : 'direct';
  }

  /** Why it fails if it ends now; null if no line is wanted. */
  get failure(): LineFailure | null {
    const state = this.#state;
    if (state.kind === 'none') return null;
    if (state.kind === 'asking') return 'no broker';
    return state.hasOpened ? 'no answer' : state.failure;
  }

  /** Hands out the owner's tasks, in order, and forgets them. */
  drain(apply: (effect: SearchEffect) => void): void {
    for (const effect of this.#effects.splice(0)) apply(effect);
  }

  /** A line is wanted; a search that is under way begins anew. */
  begin(): void {
    this.stop();
    this.#state = { kind: 'asking', takenMs: 0 };
  }

  /** No line is wanted any more: those that are not open are closed. */
  stop(): void {
    if (this.#state.kind === 'calling')
      for (const { line } of this.#state.calls) this.#effects.push({ kind: 'close', line });
    this.#state = { kind: 'none' };
  }

  /** The answer to the effect `dial`. @param line null if the broker can't be asked at present. */
  dialled(line: LineId | null, way: LineWay): void {
    const state = this.#state;
    if (state.kind !== 'calling') {
      if (line !== null) this.#effects.push({ kind: 'close', line });
    } else if (line !== null) {
      const calls = [...state.calls, { line, way, isAnswered: false, takenMs: 0 }];
      this.#state = { ...state, calls, tried: state.tried + 1, nextInMs: BESIDE_AFTER_MS };
    } else if (state.calls.length === 0) this.#fail('no broker');
  }

  /** The host's page has answered the call on this line; it may be reported again and again. */
  answered(line: LineId): void {
    const state = this.#state;
    if (state.kind !== 'calling') return;
    const calls = state.calls.map((call) => (call.line === line ? { ...call, isAnswered: true } : call));
    this.#state = { ...state, calls, failure: this.#means.hasRelay ? 'no relay' : 'blocked' };
  }

  /** @returns true if the line that has opened is one of this search's; the caller owns it, and the search goes on. */
  opened(line: LineId): boolean {
    const state = this.#state;
    if (state.kind !== 'calling' || !state.calls.some((call) => call.line === line)) return false;
    const calls = state.calls.filter((call) => call.line !== line);
    this.#state = { ...state, calls, open: [...state.open, line], hasOpened: true };
    return true;
  }

  /** A line has closed, before it opened or later; lines of others are passed over. */
  closed(line: LineId): void {
    const state = this.#state;
    if (state.kind !== 'calling') return;
    const calls = state.calls.filter((call) => call.line !== line);
    const open = state.open.filter((other) => other !== line);
    const isLast = calls.length < state.calls.length && calls.length === 0;
    // [N2.3] The server says at once that it has no such room: the next way is tried at once.
    const isRefused = state.calls.some((call) => call.line === line && call.way === 'socket');
    const nextInMs = isRefused ? 0 : isLast ? Math.min(state.nextInMs, AGAIN_AFTER_MS) : state.nextInMs;
    this.#state = { ...state, calls, open, nextInMs };
  }

  /** The broker has said that nobody answers at the door: it is over, unless somebody has answered already. */
  missing(): void {
    const state = this.#state;
    if (state.kind !== 'calling' || state.open.length > 0) return;
    if (state.calls.some(({ isAnswered }) => isAnswered)) return;
    this.stop();
    this.#fail('not found');
  }

  /**
   * Call it once a tick.
   * @param nowMs milliseconds on the owner's clock.
   * @param isBrokerAsked the broker has not answered this page for the first time, but still may.
   */
  tick(nowMs: number, isBrokerAsked: boolean): void {
    const step = this.#clock.step(nowMs);
    const state = this.#state;
    if (state.kind === 'none') return;
    if (state.kind === 'asking') {
      if (isBrokerAsked) this.#state = { kind: 'asking', takenMs: state.takenMs + step };
      else
        this.#call({
          kind: 'calling',
          calls: [],
          tried: 0,
          nextInMs: 0,
          failure: 'no answer',
          open: [],
          hasOpened: false,
        });
      return;
    }
    const calls = state.calls.map((call) => ({ ...call, takenMs: call.takenMs + step }));
    const kept = calls.filter(({ takenMs }) => takenMs < OPEN_WITHIN_MS);
    for (const { line } of calls.slice(0, calls.length - kept.length))
      this.#effects.push({ kind: 'close', line });
    this.#call({ ...state, calls: kept, nextInMs: Math.max(0, state.nextInMs - step) });
  }

  /** Tries one more line, if it is time. */
  #call(state: Extract<SearchState, { kind: 'calling' }>): void {
    this.#state = state;
    if (state.nextInMs <= 0) this.#effects.push({ kind: 'dial', way: this.#way(state.tried) });
  }

  /** [F3.7] The ways take turns where there is a choice. */
  #way(tried: number): LineWay {
    const { hasRelay, relayOnly, hasSocket } = this.#means;
    if (hasSocket && tried % SOCKET_EVERY === SOCKET_EVERY - 1) return 'socket';
    return relayOnly || (hasRelay && tried % 2 === 1) ? 'relay' : 'any';
  }

  #fail(why: LineFailure): void {
    this.#state = { kind: 'none' };
    this.#effects.push({ kind: 'failed', why });
  }
}
