import { createHmac } from 'node:crypto';
import type { RoomCode } from '../../core/room/code.ts';
import type { PublicKey } from '../../core/room/identity/key.ts';
import type { KeptDoor } from '../../dedicated/snapshots/kept-doors.ts';

/** A room that a network has asked for. Its owner says what becomes of it; both may be called again. */
export type LivingRoom = {
  /** The room is open under this code, or moves here. @param key of its dedicated host. */
  opened(code: RoomCode, key: PublicKey): void;
  /** It has ended, or was not opened. */
  ended(): void;
};

/** An order: code and key are null until it is open. */
type Order = { readonly founder: string; code: RoomCode | null; key: PublicKey | null };

/**
 * [N4.1] Counts the rooms that each network has opened and that have not ended: those that were ordered here, and those
 * that are kept, also while their process is dead. The name of a network is a keyed hash: without the server's secret
 * nobody finds its address by it.
 */
export class LivingRooms {
  readonly #mostOfNetwork: number;
  readonly #secret: string;
  readonly #orders = new Set<Order>();
  #kept: readonly KeptDoor[] = [];

  /**
   * @param mostOfNetwork rooms that one network has at a time.
   * @param secret of the server: with the same one a network has the same name again.
   */
  constructor(mostOfNetwork: number, secret: string) {
    this.#mostOfNetwork = mostOfNetwork;
    this.#secret = secret;
  }

  /** @returns the name under which a network's rooms are kept: 128 bits of a keyed hash. */
  nameOf(network: string): string {
    return createHmac('sha256', this.#secret).update(network).digest('hex').slice(0, 32);
  }

  /** These rooms are kept now, and no others. */
  keep(rooms: readonly KeptDoor[]): void {
    this.#kept = rooms;
  }

  /** @returns the key of the dedicated host of a room here; null if no room here has this code. */
  keyOf(code: RoomCode): PublicKey | null {
    return [...this.#kept, ...this.#orders].find((room) => room.code === code)?.key ?? null;
  }

  /** A network asks for one more room. @returns null if it has too many. */
  begin(network: string): LivingRoom | null {
    const founder = this.nameOf(network);
    if (this.#count(founder) >= this.#mostOfNetwork) return null;
    const order: Order = { founder, code: null, key: null };
    this.#orders.add(order);
    return {
      opened: (code, key) => void Object.assign(order, { code, key }),
      ended: () => void this.#orders.delete(order),
    };
  }

  #count(founder: string): number {
    const kept = this.#kept.filter((room) => room.founder === founder);
    // A room that was ordered here is kept a moment later, and counts once.
    const isKept = ({ code }: Order): boolean => kept.some((room) => room.code === code);
    const orders = [...this.#orders].filter((order) => order.founder === founder && !isKept(order));
    return kept.length + orders.length;
  }
}
