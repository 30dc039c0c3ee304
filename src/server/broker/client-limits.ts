/**
 * Most bytes, messages and different receivers of a client in one window. Joining a full room needs a third
 * of this.
 */
const MAX_BYTES = 1024 * 1024;
const MAX_MESSAGES = 1500;
const MAX_ADDRESSEES = 40;
const WINDOW_MS = 10_000;
/**
 * The message types that PeerJS in a page sends. Other types come from the broker; from a client they would
 * look like the broker's own messages.
 */
const TYPES: readonly unknown[] = ['HEARTBEAT', 'OFFER', 'ANSWER', 'CANDIDATE'];

/**
 * Checks the messages of one client of the broker. A client breaks the limits if it floods the broker, sends
 * messages in the broker's name, or tries many ids to find rooms whose code it does not know.
 */
export class ClientLimits {
  #windowAt = -Infinity;
  #bytes = 0;
  #messages = 0;
  readonly #addressees = new Set<string>();
  readonly #mayAsk: (id: string, nowMs: number) => boolean;

  /** @param mayAsk returns whether the client's network may use this id. */
  constructor(mayAsk: (id: string, nowMs: number) => boolean = () => true) {
    this.#mayAsk = mayAsk;
  }

  /** Returns true if the client may send this message; otherwise its connection must end. Never throws. */
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
