/** Bytes, messages, and ids written to, that a client may need in a window: joining a full room takes a third. */
const MAX_BYTES = 1024 * 1024;
const MAX_MESSAGES = 1500;
const MAX_ADDRESSEES = 40;
const WINDOW_MS = 10_000;
/** What PeerJS in a page sends. The rest is the broker's own, and from a client would pass for the broker's word. */
const TYPES: readonly unknown[] = ['HEARTBEAT', 'OFFER', 'ANSWER', 'CANDIDATE'];

/**
 * How a client of the broker behaves. One that does what no page does is ended: it floods, speaks as the broker
 * would, or tries one id after the other to find rooms that nobody told it of.
 */
export class Conduct {
  #windowAt = -Infinity;
  #bytes = 0;
  #messages = 0;
  readonly #addressees = new Set<string>();
  readonly #mayAsk: (id: string, nowMs: number) => boolean;

  /** @param mayAsk whether the client's network may ask for this id. */
  constructor(mayAsk: (id: string, nowMs: number) => boolean = () => true) {
    this.#mayAsk = mayAsk;
  }

  /** Judges the next message. Never throws. */
  allows(text: string, nowMs: number): boolean {
    if (nowMs - this.#windowAt > WINDOW_MS) {
      this.#windowAt = nowMs;
      this.#bytes = 0;
      this.#messages = 0;
      this.#addressees.clear();
    }
    this.#bytes += text.length;
    if (++this.#messages > MAX_MESSAGES || this.#bytes > MAX_BYTES) return false;
    const { type, dst } = read(text);
    if (!TYPES.includes(type)) return false;
    if (type === 'HEARTBEAT') return true;
    if (typeof dst !== 'string') return false;
    this.#addressees.add(dst);
    return this.#addressees.size <= MAX_ADDRESSEES && this.#mayAsk(dst, nowMs);
  }
}

function read(text: string): { readonly type?: unknown; readonly dst?: unknown } {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null ? value : {};
  } catch {
    return {};
  }
}
