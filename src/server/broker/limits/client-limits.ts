import type { Fields } from '../../../core/room/fields.ts';
import { parseFields } from '../../../core/room/fields.ts';
import { isPageId } from '../../../core/room/page-id.ts';
import type { Refusal } from './limits.ts';

/**
 * Most bytes, messages and different receivers of OFFERs of a client in one window. Joining a full room needs a third
 * of this.
 */
const MAX_BYTES = 1024 * 1024;
const MAX_MESSAGES = 1500;
const MAX_ADDRESSEES = 40;
const WINDOW_MS = 10_000;
/** Most characters of a HEARTBEAT, and of a CANDIDATE; PeerJS's have some 20 and 500. */
const MAX_HEARTBEAT = 100;
const MAX_CANDIDATE = 4096;

/**
 * The message types that PeerJS in a page sends. Other types come from the broker; from a client they would
 * look like the broker's own messages.
 */
export const TYPES = ['HEARTBEAT', 'OFFER', 'ANSWER', 'CANDIDATE'] as const;
export type ClientMessageType = (typeof TYPES)[number];

/** A client's message: its type and receiver ('' for a HEARTBEAT), or why the client's connection must end. */
export type ClientMessage =
  | { readonly refusal: null; readonly type: ClientMessageType; readonly to: string }
  | { readonly refusal: Refusal };

/** Returns true for an id that a client may register, or send to. No page of ours has spaces in its id. */
export function isId(text: unknown): text is string {
  return typeof text === 'string' && isPageId(text) && !text.includes(' ');
}

/**
 * Checks the messages of one client of the broker. A client breaks the limits if it floods the broker, sends
 * messages in the broker's name, or writes to many ids, as one does who looks for rooms.
 */
export class ClientLimits {
  #windowAt = -Infinity;
  #bytes = 0;
  #messages = 0;
  readonly #addressees = new Set<string>();

  /** Counts a message, ping or pong of so many bytes. Returns false if it is too much. */
  count(length: number, nowMs: number): boolean {
    if (nowMs - this.#windowAt > WINDOW_MS) {
      this.#windowAt = nowMs;
      this.#bytes = 0;
      this.#messages = 0;
      this.#addressees.clear();
    }
    this.#bytes += length;
    return ++this.#messages <= MAX_MESSAGES && this.#bytes <= MAX_BYTES;
  }

  /** Reads a message and counts it. Never throws. */
  read(text: string, nowMs: number): ClientMessage {
    if (!this.count(text.length, nowMs)) return { refusal: 'flood' };
    const { type, dst } = readMessage(text);
    const known = TYPES.find((name) => name === type);
    if (known === undefined) return { refusal: 'form' };
    if (known === 'HEARTBEAT') {
      return text.length > MAX_HEARTBEAT ? { refusal: 'form' } : { refusal: null, type: known, to: '' };
    }
    if (!isId(dst) || (known === 'CANDIDATE' && text.length > MAX_CANDIDATE)) return { refusal: 'form' };
    // Anybody may send it an OFFER, and it answers: that must not count against it.
    if (known === 'OFFER') this.#addressees.add(dst);
    if (this.#addressees.size > MAX_ADDRESSEES) return { refusal: 'flood' };
    return { refusal: null, type: known, to: dst };
  }
}

/** @returns the fields of a client's message; none if it is not an object in JSON. */
export function readMessage(text: string): Fields {
  return parseFields(text, MAX_BYTES) ?? {};
}
