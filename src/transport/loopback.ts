import { MAX_PLAYERS } from '../core/base/constants.ts';
import type { Slot } from '../core/base/ids.ts';
import { Random } from '../core/base/random.ts';
import type { LinkConditions } from '../netsim/network-simulator.ts';
import { NetworkSimulator, linkConditions } from '../netsim/network-simulator.ts';
import type { ConnectionState, Transport } from '../core/link/transport.ts';

const HOST = 0 as Slot;

/** How a loopback begins. */
export type LoopbackOptions = {
  /** Seed of all randomness in all links: the same seed and the same calls give the same deliveries. */
  readonly seed: number;
  /** How many peers, 2 to MAX_PLAYERS; the host, slot 0, is connected to every other peer. */
  readonly slots: number;
  /** The conditions of every direction at first; perfect where nothing is given. */
  readonly conditions?: Partial<LinkConditions>;
};

/**
 * Makes transports for peers in one process.
 *
 * @throws RangeError unless there are 2 to MAX_PLAYERS slots.
 */
export function createLoopback(options: LoopbackOptions): Loopback {
  return new Loopback(options);
}

/** Transports for peers in one process, with a simulated link in each direction between connected peers. */
export class Loopback {
  /**
   * The time of `send` and `ready`, in milliseconds. The owner sets it before it runs the peers; `receive` moves
   * it on, too. It never goes back.
   */
  now = 0;
  /** One transport for each slot. */
  readonly transports: readonly Transport[];
  readonly #random: Random;
  /** The conditions of each direction, at `directionOf(from, to)`. */
  readonly #conditions: readonly LinkConditions[];
  readonly #links: (NetworkSimulator | null)[] = [];
  readonly #states: ConnectionState[] = [];

  /** @throws RangeError unless there are 2 to MAX_PLAYERS slots. */
  constructor({ seed, slots, conditions }: LoopbackOptions) {
    this.#random = new Random(seed);
    this.#conditions = Array.from({ length: MAX_PLAYERS ** 2 }, () => linkConditions(conditions));
    if (!(slots >= 2 && slots <= MAX_PLAYERS)) {
      throw new RangeError(`a loopback has 2 to ${MAX_PLAYERS} slots, not ${slots}`);
    }
    this.transports = Array.from({ length: slots }, (_, slot) => new LoopbackEnd(this, slot as Slot, slots));
    for (let guest = 1; guest < slots; guest++) this.connect(HOST, guest as Slot);
  }

  /** The transport of a slot. @throws RangeError unless it is a slot of this loopback. */
  transportOf(slot: Slot): Transport {
    const transport = this.transports[slot];
    if (transport === undefined) throw new RangeError(`This loopback has no slot ${slot}.`);
    return transport;
  }

  /**
   * Connects two slots, or connects them anew: packets of an earlier connection no longer arrive; the conditions
   * stay.
   *
   * @throws RangeError unless they are two different slots of this loopback.
   */
  connect(a: Slot, b: Slot): void {
    if (a === b || !(a in this.transports && b in this.transports)) {
      throw new RangeError(`slots ${a} and ${b} can't be connected`);
    }
    for (const direction of [directionOf(a, b), directionOf(b, a)]) {
      this.#links[direction] = new NetworkSimulator(this.#random.fork(), this.#conditions[direction]);
      this.#states[direction] = 'open';
    }
  }

  /** Closes the connection between two slots at both ends, if there is one. */
  disconnect(a: Slot, b: Slot): void {
    if (this.link(a, b) === null) return;
    for (const direction of [directionOf(a, b), directionOf(b, a)]) {
      this.#links[direction] = null;
      this.#states[direction] = 'closed';
    }
  }

  /** How slot `self` is connected to slot `of`. */
  state(self: Slot, of: Slot): ConnectionState {
    return this.#states[directionOf(self, of)] ?? 'none';
  }

  /**
   * One direction of an open connection, to change its conditions, stall it or read its counts; null if the slots
   * are not connected. Its conditions are changed in place, so that a later connection has them, too.
   */
  link(from: Slot, to: Slot): NetworkSimulator | null {
    return this.#links[directionOf(from, to)] ?? null;
  }

  /** Changes these conditions in every direction, also between slots that are not connected. */
  setConditions(changes: Partial<LinkConditions>): void {
    for (const conditions of this.#conditions) Object.assign(conditions, changes);
  }
}

/** The index of a direction in a list of all directions; -1 if either number is no slot. */
function directionOf(from: Slot, to: Slot): number {
  const areSlots = from >= 0 && from < MAX_PLAYERS && to >= 0 && to < MAX_PLAYERS;
  return areSlots ? from * MAX_PLAYERS + to : -1;
}

/** One slot's end of a loopback. */
class LoopbackEnd implements Transport {
  readonly #loopback: Loopback;
  readonly #self: Slot;
  readonly #slots: number;

  constructor(loopback: Loopback, self: Slot, slots: number) {
    this.#loopback = loopback;
    this.#self = self;
    this.#slots = slots;
  }

  state(of: Slot): ConnectionState {
    return this.#loopback.state(this.#self, of);
  }

  ready(to: Slot): boolean {
    return this.#loopback.link(this.#self, to)?.ready(this.#loopback.now) ?? false;
  }

  send(to: Slot, bytes: Uint8Array): boolean {
    const link = this.#loopback.link(this.#self, to);
    link?.send(this.#loopback.now, bytes);
    return link !== null;
  }

  receive(nowMs: number, deliver: (from: Slot, bytes: Uint8Array) => void): void {
    this.#loopback.now = Math.max(this.#loopback.now, nowMs);
    for (let from = 0; from < this.#slots; from++) this.#receiveFrom(from as Slot, deliver);
  }

  #receiveFrom(from: Slot, deliver: (from: Slot, bytes: Uint8Array) => void): void {
    const link = this.#loopback.link(from, this.#self);
    if (link === null) return;
    const { now } = this.#loopback;
    for (let bytes = link.receive(now); bytes !== null; bytes = link.receive(now)) {
      deliver(from, bytes);
      // `deliver` may have closed the connection or made it anew: then the rest is dropped.
      if (this.#loopback.link(from, this.#self) !== link) return;
    }
  }

  close(to: Slot): void {
    this.#loopback.disconnect(this.#self, to);
  }
}
