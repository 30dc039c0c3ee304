import { WATCHER_SLOT } from '../../core/base/constants.ts';
import type { Slot } from '../../core/base/ids.ts';
import { playerInput } from '../../core/hands/hand-input.ts';
import type { Transport } from '../../core/link/transport.ts';
import { BROADCAST_CONNECTION } from '../../core/peer/outgoing/broadcast.ts';
import { PROTOCOL_VERSION } from '../../core/room/messages.ts';
import { obstacleTo } from '../../core/world/level-reference.ts';
import type { Game } from '../world.ts';
import { World } from '../world.ts';
import { readBundle } from './bundles.ts';
import { Lag } from './lag.ts';
import type { WatchBegin } from './watch-messages.ts';
import { readWatchMessage } from './watch-messages.ts';

/** Bundles that wait at most, ten seconds of them, for the next tick: a page that sleeps gets more. */
const MOST_BUNDLES = 100;
/** Worlds that begin within a second, at most: a hostile server can ask for one after the other. */
const BEGIN_EVERY_MS = 1000;

/** Why this watcher can't see the room: its game, or its build, is another one. */
export type WatchFault = 'version' | 'other level' | 'other rate';

/**
 * `waiting`: for a world, over a new connection; the world of the one before stays meanwhile. `along`: every bundle so far
 * has been taken in. `behind`: what comes is too old, or a part is missing, so the connection is of no use [N5.5].
 */
export type WatchStatus = 'waiting' | 'along' | 'behind';

/**
 * [N5] One that watches a room: a guest without a slot, that gets the stream of the room's host and sends nothing. The
 * owner brings texts and bundles from the network, and ticks.
 */
export class Watching {
  readonly #game: Game;
  readonly #bundles: Uint8Array[] = [];
  readonly #input = playerInput();
  readonly #lag = new Lag();
  #status: WatchStatus = 'waiting';
  #world: World | null = null;
  /** The world that is to begin next, and when the last one began. */
  #next: WatchBegin | null = null;
  #begunMs = -Infinity;
  #nowMs = 0;
  #host = 0 as Slot;
  #fault: WatchFault | null = null;
  #watchers = 0;
  #rejected = 0;

  /** Its engine must have been loaded. */
  constructor(game: Game) {
    this.#game = game;
  }

  get status(): WatchStatus {
    return this.#status;
  }

  /** Null before the first world begins; another object whenever one does. The watcher disposes of it. */
  get world(): World | null {
    return this.#world;
  }

  /** Null while the room can be seen. */
  get fault(): WatchFault | null {
    return this.#fault;
  }

  /** How many watch the room, as its server said last; this one is among them. */
  get watchers(): number {
    return this.#watchers;
  }

  /** Texts and bundles that made no sense. */
  get rejected(): number {
    return this.#rejected;
  }

  /** Takes in a message of the server: a text, or a bundle. Never throws. */
  receive(message: string | Uint8Array): void {
    if (typeof message !== 'string') {
      if (this.#bundles.length < MOST_BUNDLES) this.#bundles.push(message);
      else this.#status = 'behind';
      return;
    }
    const read = readWatchMessage(message);
    if (read === null) this.#rejected++;
    else if (read.kind === 'watchers') this.#watchers = read.count;
    else {
      this.#bundles.length = 0;
      this.#next = read;
    }
  }

  /** A new connection begins: what waits counts no more. The world that is there stays until the next one begins. */
  restart(): void {
    this.#bundles.length = 0;
    this.#next = null;
    this.#status = 'waiting';
  }

  /** Takes in what has come, and runs one tick of the world, if there is one. @param nowMs when it is due. */
  tick(nowMs: number): void {
    this.#nowMs = nowMs;
    if (this.#next !== null && nowMs - this.#begunMs >= BEGIN_EVERY_MS) this.#begin(this.#next, nowMs);
    if (this.#world === null || this.#next !== null) return;
    if (this.#status !== 'waiting') this.#world.receive(nowMs);
    this.#world.tick(nowMs, this.#input);
    if (this.#status === 'along' && !this.#isAlong(this.#world)) this.#status = 'behind';
  }

  /** False if bundles come too late, or if a packet builds on one that is missing. */
  #isAlong({ peer }: World): boolean {
    return !this.#lag.isTooLong(this.#nowMs) && !('unknown baseline' in peer.diagnostics.rejections);
  }

  #begin({ version, host, level }: WatchBegin, nowMs: number): void {
    this.#next = null;
    this.#begunMs = nowMs;
    this.dispose();
    this.#fault = version === PROTOCOL_VERSION ? obstacleTo(level, this.#game.levels) : 'version';
    if (this.#fault !== null) return;
    // Too much may have come since.
    if (this.#status === 'waiting') this.#status = 'along';
    this.#lag.restart(nowMs);
    this.#host = host;
    const place = { slot: WATCHER_SLOT as Slot, host, name: '' };
    this.#world = new World(this.#game, level, place, this.#transport, { avatar: false });
    this.#world.peer.connect(host, BROADCAST_CONNECTION);
  }

  /** The packets of the bundles come from the host; nothing goes back. */
  readonly #transport: Transport = {
    state: () => 'open',
    ready: () => false,
    send: () => false,
    receive: (_, deliver) => {
      for (const bundle of this.#bundles) {
        const hostMs = readBundle(bundle, (packet) => deliver(this.#host, packet));
        if (hostMs === null) this.#rejected++;
        else this.#lag.heard(this.#nowMs, hostMs);
      }
      this.#bundles.length = 0;
    },
    close: () => undefined,
  };

  /** Frees the world; the watcher may go on with another one. */
  dispose(): void {
    this.#world?.dispose();
    this.#world = null;
  }
}
