import type { ConnectionId } from '../../../src/core/base/ids.ts';
import type { LineEnd, LineId } from '../../../src/core/room/line.ts';

/** Milliseconds of a step. Members count no longer time between two ticks, so a longer step would lose some. */
export const STEP_MS = 250;
/** Milliseconds of this many steps are a second. */
export const STEPS_A_SECOND = 4;

/** An event on its way to one end of a line, and the step in which it arrives. */
type Happening = { at: number } & (
  | { readonly kind: 'opened' }
  | { readonly kind: 'said'; readonly text: string }
  | { readonly kind: 'closed' }
);

/** The events that an end has for its page. */
export type EndEvents = {
  opened(end: End): void;
  message(end: End, text: string): void;
  closed(end: End): void;
};

/** One page's end of a line. Messages take a step and stay in order; packets take a step, or are lost. */
export class End {
  readonly id: LineId;
  readonly #network: Network;
  /** The player whose page has this end. */
  readonly here: number;
  /** The player at the other end, and its page's id at the broker. */
  readonly there: number;
  readonly page: string;
  readonly isCaller: boolean;
  readonly inbox: Happening[] = [];
  /** The packet that nobody has looked at yet; null if there is none. */
  packet: { readonly at: number; readonly connection: ConnectionId } | null = null;
  wasOpened = false;
  isClosed = false;
  #other: End = this;

  constructor(network: Network, id: LineId, here: number, there: Caller, isCaller: boolean) {
    this.#network = network;
    this.id = id;
    this.here = here;
    this.there = there.player;
    this.page = there.id;
    this.isCaller = isCaller;
  }

  /** The line as its owner describes it to a Member. */
  get end(): LineEnd {
    const { page, isCaller } = this;
    return { page, isCaller, binding: `line ${isCaller ? this.id : this.#other.id}` };
  }

  get other(): End {
    return this.#other;
  }

  /** True if both ends have it open. */
  get isOpen(): boolean {
    return this.wasOpened && this.#other.wasOpened && !this.isClosed && !this.#other.isClosed;
  }

  join(other: End): void {
    this.#other = other;
    other.#other = this;
  }

  say(text: string): void {
    if (!this.isClosed && this.wasOpened) this.#other.reach({ kind: 'said', text, at: this.#arrival });
  }

  sendPacket(connection: ConnectionId): void {
    const { now } = this.#network;
    if (this.isClosed || !this.wasOpened || this.#network.isCut(this.here, this.there)) return;
    // A packet that waits already tells the reader just as much.
    if (this.#other.packet?.connection !== connection) this.#other.packet = { at: now + 1, connection };
  }

  /** This page closes the line. */
  close(): void {
    if (this.isClosed) return;
    this.isClosed = true;
    this.inbox.splice(0);
    this.reach({ kind: 'closed', at: this.#network.now });
    this.#other.reach({ kind: 'closed', at: this.#arrival });
  }

  /** The network has lost the line; both ends notice at once. */
  break(): void {
    for (const end of [this, this.#other]) {
      end.inbox.splice(0);
      end.reach({ kind: 'closed', at: this.#network.now + 1 });
    }
  }

  /** The step in which what is said now arrives. */
  get #arrival(): number {
    return Math.max(this.#network.now, this.#network.cutUntil(this.here, this.there)) + 1;
  }

  /** An event is on its way to this end; nothing comes after the end of the line. */
  reach(happening: Happening): void {
    const last = this.inbox.at(-1);
    if (last?.kind === 'closed') return;
    this.inbox.push({ ...happening, at: Math.max(last?.at ?? 0, happening.at) });
  }

  /** Hands out the events that are due. @returns false when no further event will come. */
  poll(events: EndEvents): boolean {
    const { now } = this.#network;
    while (this.inbox.length > 0 && this.inbox[0].at <= now) {
      const happening = this.inbox[0];
      this.inbox.shift();
      if (happening.kind === 'said') events.message(this, happening.text);
      else if (happening.kind === 'opened') {
        this.wasOpened = true;
        events.opened(this);
      } else {
        this.isClosed = true;
        events.closed(this);
        return false;
      }
    }
    return true;
  }

  /** The connection of the packet that has come since the last call; null if none has. */
  takePacket(): ConnectionId | null {
    const { packet } = this;
    if (packet === null || packet.at > this.#network.now) return null;
    this.packet = null;
    return packet.connection;
  }
}

/** The ways between the players: whole, or cut for a while. Time goes in steps of STEP_MS. */
export class Network {
  now = 0;
  readonly #cutUntil = new Map<number, number>();
  readonly lines: End[] = [];
  #ids = 0;

  /** The step until which nothing passes between two players. */
  cutUntil(a: number, b: number): number {
    return this.#cutUntil.get(keyOf(a, b)) ?? 0;
  }

  isCut(a: number, b: number): boolean {
    return this.cutUntil(a, b) > this.now;
  }

  /** Nothing passes between two players until a step: packets are lost, messages wait. */
  cut(a: number, b: number, until: number): void {
    this.#cutUntil.set(keyOf(a, b), Math.max(until, this.cutUntil(a, b)));
    for (const { near, far } of this.between(a, b)) {
      for (const end of [near, far])
        for (const happening of end.inbox) happening.at = Math.max(happening.at, until + 1);
    }
  }

  /** The step in which the last way is whole again. */
  get wholeAt(): number {
    return Math.max(0, ...this.#cutUntil.values());
  }

  /** @returns a new line that opens as soon as both pages are awake, and the way is whole. */
  connect(from: Caller, to: Caller): End {
    const near = new End(this, this.#nextId(), from.player, to, true);
    const far = new End(this, this.#nextId(), to.player, from, false);
    near.join(far);
    const at = Math.max(this.now, this.cutUntil(from.player, to.player), to.stalledUntil) + 1;
    for (const end of [near, far]) end.reach({ kind: 'opened', at });
    this.lines.push(near);
    return near;
  }

  /** The lines between two players, the oldest first, each from the lower player's end. */
  between(a: number, b: number): { readonly near: End; readonly far: End }[] {
    const low = Math.min(a, b);
    const high = Math.max(a, b);
    return this.lines
      .filter((end) => keyOf(end.here, end.there) === keyOf(low, high))
      .map((end) => (end.here === low ? { near: end, far: end.other } : { near: end.other, far: end }));
  }

  /** Forgets the lines that are closed at both ends. */
  tidy(): void {
    for (let i = this.lines.length - 1; i >= 0; i--) {
      const end = this.lines[i];
      const isOver = end.isClosed && end.other.isClosed;
      if (isOver && end.inbox.length === 0 && end.other.inbox.length === 0) this.lines.splice(i, 1);
    }
  }

  #nextId(): LineId {
    return this.#ids++ as LineId;
  }
}

/** A page as its network knows it. */
export type Caller = { readonly player: number; readonly id: string; readonly stalledUntil: number };

function keyOf(a: number, b: number): number {
  return Math.min(a, b) * 16 + Math.max(a, b);
}
