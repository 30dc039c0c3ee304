import type { Peer as PeerJs } from 'peerjs';
import type { Signal } from '../guard/signals.ts';

/**
 * Puts a guard before PeerJS: what the broker brings reaches it only through `take`. PeerJS has no hook for that, so
 * this takes the place of the listener that it puts on its socket.
 * @param take returns what PeerJS may read; null for nothing.
 * @param failed is told when PeerJS throws on what it reads.
 * @returns hands PeerJS a message, past the guard.
 * @throws Error if this version of PeerJS reads the broker in another way: then nothing would be guarded.
 */
export function hookPeerJs(
  peer: PeerJs,
  take: (value: unknown) => Signal | null,
  failed: () => void,
): (signal: Signal) => void {
  const { socket } = peer;
  const [listener, ...others] = socket.listeners(MESSAGE);
  if (typeof listener !== 'function' || others.length > 0) {
    throw new Error('This version of PeerJS reads the broker in a way that can’t be guarded.');
  }
  const deliver = (signal: Signal): void => {
    try {
      listener(signal);
    } catch {
      // The browser refuses a connection, or PeerJS meets what it does not expect.
      failed();
    }
  };
  socket.removeAllListeners(MESSAGE);
  socket.on(MESSAGE, (value: unknown) => {
    const signal = take(value);
    if (signal !== null) deliver(signal);
  });
  return deliver;
}

/** The event of PeerJS's socket for a message of the broker. */
const MESSAGE = 'message';
