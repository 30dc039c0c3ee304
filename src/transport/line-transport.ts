import { MAX_PLAYERS } from '../core/base/constants.ts';
import type { Slot } from '../core/base/ids.ts';
import type { ConnectionState, Transport } from '../core/link/transport.ts';
import type { Line } from './line.ts';
import type { LineConnection } from './line-connection.ts';

/** Packets over lines. It knows which slot is at the end of which line; it does not own the lines. */
export class LineTransport<C extends LineConnection = LineConnection> implements Transport {
  readonly #lines: (Line<C> | null)[] = Array.from({ length: MAX_PLAYERS }, () => null);

  /** Reaches a slot over this line from now on; null: the slot is no longer reached. The line before stays open. */
  bind(slot: Slot, line: Line<C> | null): void {
    this.#lines[slot] = line;
  }

  /** No slot is reached any more; the lines stay open. */
  unbindAll(): void {
    this.#lines.fill(null);
  }

  /** The line over which a slot is reached; null if it is not. */
  lineTo(slot: Slot): Line<C> | null {
    return this.#lines[slot] ?? null;
  }

  state(of: Slot): ConnectionState {
    return this.lineTo(of)?.state ?? 'none';
  }

  ready(to: Slot): boolean {
    return this.lineTo(to)?.isReady ?? false;
  }

  send(to: Slot, bytes: Uint8Array): boolean {
    return this.lineTo(to)?.sendPacket(bytes) ?? false;
  }

  receive(_nowMs: number, deliver: (from: Slot, bytes: Uint8Array) => void): void {
    for (let slot = 0; slot < MAX_PLAYERS; slot++) {
      this.#lines[slot]?.receivePackets((bytes) => deliver(slot as Slot, bytes));
    }
  }

  close(to: Slot): void {
    this.lineTo(to)?.close();
  }
}
