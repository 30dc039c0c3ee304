import type { MediaConnection } from 'peerjs';
import { Refusals } from '../guard/refusals.ts';
import type { Address } from './address.ts';

/** Events of the calls that have come in; `poll` reports them. */
export type CallEvents = {
  /** The page with this id at the broker has begun to speak. */
  started(id: string, stream: MediaStream): void;
  /** The page has stopped. */
  ended(id: string): void;
};

/** Milliseconds after which a call that broke is made again. */
const CALL_AGAIN_MS = 3000;
/** Milliseconds after which a call that nobody answered is made again: no message says that it was not heard. */
const ANSWER_WITHIN_MS = 5000;
/** Milliseconds for which a call from an unknown page waits: the page may be in the next roster. */
const STRANGER_WAITS_MS = 10_000;
/** Calls that may wait so at once. */
const MOST_STRANGERS = 8;

/** A call that this page has made. Times are in milliseconds; `closedAt` is Infinity until it has closed. */
type OwnCall = { readonly call: MediaConnection; readonly madeAt: number; closedAt: number };

/**
 * The voices between pages. A page that speaks calls every other page, and nothing comes back on that call. So two
 * pages that both speak have two calls, and a page without a microphone still hears.
 */
export class Calls {
  readonly #address: Address;
  readonly #refusals: Refusals;
  readonly #out = new Map<string, OwnCall>();
  readonly #in = new Map<string, MediaConnection>();
  readonly #strangers = new Map<string, { readonly call: MediaConnection; readonly cameAt: number }>();
  readonly #news: ((events: CallEvents) => void)[] = [];
  #known: readonly string[] = [];
  #stream: MediaStream | null = null;

  /** @param refusals counts the calls that give way. */
  constructor(address: Address, refusals = new Refusals()) {
    this.#address = address;
    this.#refusals = refusals;
  }

  /**
   * Sends this stream to exactly these ids, and hears nobody else. Call it now and then: it also makes broken calls
   * again.
   * @param stream null: this page does not speak. The caller keeps it and stops its tracks.
   * @param present the ids that are called; to the others the calls that are there go on.
   */
  update(stream: MediaStream | null, ids: readonly string[], present = ids): void {
    this.#known = ids;
    if (stream !== this.#stream) this.#hangUp(() => true);
    this.#stream = stream;
    this.#hangUp((id) => !ids.includes(id));
    for (const [id, call] of this.#in) if (!ids.includes(id)) call.close();
    this.#admitStrangers();
    if (stream === null) return;
    for (const id of present) this.#call(id, stream);
  }

  /** Takes a call. A newcomer is called before it has a roster, so a call from an unknown page may wait. */
  answer(call: MediaConnection): void {
    const id = call.peer;
    if (!this.#known.includes(id)) {
      this.#letWait(call);
      return;
    }
    this.#in.get(id)?.close();
    this.#in.set(id, call);
    call.on('stream', (stream) => this.#news.push((events) => events.started(id, stream)));
    const end = (): void => {
      if (this.#in.get(id) !== call) return;
      this.#in.delete(id);
      this.#news.push((events) => events.ended(id));
    };
    call.on('close', end);
    call.on('error', end);
    this.#address.answer(call);
  }

  /** Reports what has happened since the last `poll`. */
  poll(events: CallEvents): void {
    for (const report of this.#news.splice(0)) report(events);
  }

  /** The WebRTC connections under the calls, for their statistics. */
  *connections(): Iterable<RTCPeerConnection> {
    for (const { call } of this.#out.values()) if (isAlive(call)) yield call.peerConnection;
    for (const call of this.#in.values()) if (isAlive(call)) yield call.peerConnection;
  }

  /** Ends every call. */
  close(): void {
    this.update(null, []);
    for (const { call } of this.#strangers.values()) call.close();
    this.#strangers.clear();
  }

  /** The oldest of too many calls gives way: the roster names a newcomer soon. */
  #letWait(call: MediaConnection): void {
    this.#strangers.get(call.peer)?.call.close();
    this.#strangers.delete(call.peer);
    this.#strangers.set(call.peer, { call, cameAt: performance.now() });
    for (const [id, oldest] of this.#strangers) {
      if (this.#strangers.size <= MOST_STRANGERS) break;
      this.#strangers.delete(id);
      oldest.call.close();
      this.#refusals.count('gave way');
    }
  }

  #admitStrangers(): void {
    for (const [id, { call, cameAt }] of this.#strangers) {
      const isKnown = this.#known.includes(id);
      if (!isKnown && performance.now() - cameAt < STRANGER_WAITS_MS) continue;
      this.#strangers.delete(id);
      if (isKnown) this.answer(call);
      else call.close();
    }
  }

  #call(id: string, stream: MediaStream): void {
    const before = this.#out.get(id);
    if (before !== undefined && !isRetryDue(before)) return;
    before?.call.close();
    const call = this.#address.call(id, stream);
    if (call === null) return;
    const entry: OwnCall = { call, madeAt: performance.now(), closedAt: Infinity };
    const end = (): void => {
      entry.closedAt = Math.min(entry.closedAt, performance.now());
    };
    call.on('close', end);
    call.on('error', end);
    this.#out.set(id, entry);
  }

  #hangUp(isOver: (id: string) => boolean): void {
    for (const [id, { call }] of this.#out) {
      if (!isOver(id)) continue;
      this.#out.delete(id);
      call.close();
    }
  }
}

/** True if it is time to call again. */
function isRetryDue({ call, madeAt, closedAt }: OwnCall): boolean {
  const now = performance.now();
  if (closedAt < now) return now - closedAt >= CALL_AGAIN_MS;
  return !call.open && now - madeAt >= ANSWER_WITHIN_MS;
}

/** PeerJS takes the connection out of a call that has ended, whatever its type says. */
function isAlive(call: MediaConnection): boolean {
  return (call.peerConnection as RTCPeerConnection | null) !== null;
}
