/** From this many connections that are not freed, this page makes the browser collect its garbage sooner. */
const COLLECT_FROM = 100;
/** From this many connections that are not freed, this page makes none for others. Chromium makes 500 at the most. */
const MOST_UNFREED = 350;
/** Bytes that are allocated and dropped at once. Nobody writes to them, so they take no memory. */
const LET_GO_BYTES = 16 * 1024 * 1024;

/**
 * Counts the WebRTC connections that the browser has not freed. Chromium counts a connection until its garbage is
 * collected, also one that was closed long ago, and a page at rest may never collect.
 */
export class Unfreed {
  readonly #known = new WeakSet<RTCPeerConnection>();
  readonly #registry = new FinalizationRegistry<null>(() => void this.#count--);
  #count = 0;

  get count(): number {
    return this.#count;
  }

  /** True if the page should make no more connections for others. */
  get isExhausted(): boolean {
    return this.#count >= MOST_UNFREED;
  }

  /** Counts a connection until it is freed; it may be told of again. */
  watch(connection: RTCPeerConnection): void {
    if (this.#known.has(connection)) return;
    this.#known.add(connection);
    this.#registry.register(connection, null);
    this.#count++;
    this.collectSoon();
  }

  /** If many connections wait to be freed, allocates and drops so much that the browser collects its garbage soon. */
  collectSoon(): void {
    if (this.#count < COLLECT_FROM) return;
    try {
      void new ArrayBuffer(LET_GO_BYTES);
    } catch {
      // A browser that has no room for the bytes collects its garbage, too.
    }
  }
}
