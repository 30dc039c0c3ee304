import { FULL, LOCKED, NO_SUCH_ROOM } from './close-codes.ts';

/**
 * Why watching has ended. `no room`: the server has no such room, or no longer. `locked`: nobody new comes into the room.
 * `full`: too many watch there already, or this network has asked too often. `lost`: the connection broke.
 */
export type WatchEnd = 'no room' | 'locked' | 'full' | 'lost';

const ENDS: Readonly<Record<number, WatchEnd>> = {
  [NO_SUCH_ROOM]: 'no room',
  [LOCKED]: 'locked',
  [FULL]: 'full',
};

/** The part of a WebSocket that a watcher needs: that of a page, or of the library `ws` in Node. */
export interface ReadSocket {
  binaryType: string;
  close(): void;
  addEventListener(type: 'message', listener: (event: { readonly data: unknown }) => void): void;
  addEventListener(type: 'error', listener: () => void): void;
  addEventListener(type: 'close', listener: (event: { readonly code: number }) => void): void;
}

/** [N5] The connection of a watcher to its server. Nothing goes to the server. */
export class WatchSocket {
  readonly #socket: ReadSocket;
  #isClosed = false;

  /**
   * @param socket to the address of watchAddress; it becomes this connection's own.
   * @param deliver gets each text, and each bundle of packets.
   * @param ended is called once, unless this end closes it.
   */
  constructor(
    socket: ReadSocket,
    deliver: (message: string | Uint8Array) => void,
    ended: (why: WatchEnd) => void,
  ) {
    this.#socket = socket;
    this.#socket.binaryType = 'arraybuffer';
    this.#socket.addEventListener('message', ({ data }) => {
      if (this.#isClosed) return;
      if (typeof data === 'string') deliver(data);
      else if (data instanceof ArrayBuffer) deliver(new Uint8Array(data));
    });
    // The end of the socket follows; without a listener, `ws` would end the process.
    this.#socket.addEventListener('error', () => undefined);
    this.#socket.addEventListener('close', ({ code }) => {
      if (!this.#isClosed) ended(ENDS[code] ?? 'lost');
      this.#isClosed = true;
    });
  }

  close(): void {
    this.#isClosed = true;
    this.#socket.close();
  }
}
