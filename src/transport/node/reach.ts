import { connect, isIP } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';

/** Milliseconds between two tries. */
const NEXT_TRY_MS = 400;

/**
 * Tries to reach a server, again and again, since one that has just begun may not listen yet.
 * @param address as ws://host:port/path, or with wss.
 * @param withinMs milliseconds after which it gives up.
 * @param signal aborted to give up at once.
 * @returns true if something listens there.
 */
export async function isReached(address: string, withinMs: number, signal?: AbortSignal): Promise<boolean> {
  const until = performance.now() + withinMs;
  for (let left = withinMs; left > 0; left = until - performance.now()) {
    if (signal?.aborted === true) return false;
    if (await opens(address, left, signal)) return true;
    const pause = Math.min(NEXT_TRY_MS, Math.max(0, until - performance.now()));
    await wait(pause, undefined, { signal }).catch(() => undefined);
  }
  return false;
}

/** True for the address of a network interface: its host in numbers. */
export function isNetworkAddress(address: string): boolean {
  return isIP(address) !== 0;
}

/** One try. @returns true if a connection opens, which is closed at once. */
function opens(address: string, withinMs: number, signal?: AbortSignal): Promise<boolean> {
  const { hostname, port, protocol } = new URL(address);
  // An address of version 6 is in brackets.
  const host = hostname.replace(/^\[|\]$/g, '');
  const socket = connect({ host, port: Number(port) || (protocol === 'wss:' ? 443 : 80) });
  socket.setTimeout(withinMs);
  return new Promise((answer) => {
    const end = (isOpen: boolean) => (): void => {
      signal?.removeEventListener('abort', giveUp);
      socket.destroy();
      answer(isOpen);
    };
    const giveUp = end(false);
    signal?.addEventListener('abort', giveUp);
    socket.once('connect', end(true));
    socket.once('error', giveUp);
    socket.once('timeout', giveUp);
  });
}
