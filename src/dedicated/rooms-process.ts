import type { ChildProcess } from 'node:child_process';
import { fork } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import type { RoomCode } from '../core/room/code.ts';
import { Backoff } from '../transport/backoff.ts';
import type { RoomOrder } from './dedicated-room.ts';
import type { FromRooms, HouseSettings, ToRooms } from './process-messages.ts';
import type { PlayersHandler } from './told-players.ts';
import type { WatchedRoom } from './watch-state.ts';
import type { HouseFigures } from './house-figures.ts';
import { NO_FIGURES } from './house-figures.ts';
import type { OpenRoom } from './room-house.ts';
import type { KeptDoor } from './snapshots/kept-doors.ts';

const PROGRAM = fileURLToPath(new URL('./rooms-main.ts', import.meta.url));
/**
 * Milliseconds that a process has to open a room, its beginning included: it has taken more than 30 s on two cores that
 * six pages filled. And milliseconds that it has to end.
 */
const ANSWER_MS = 60_000;
const END_MS = 5000;
/** Milliseconds between two looks whether something has been told. */
const LOOK_MS = 50;

/** [N5] News of watched rooms. */
export type WatchNews = Extract<FromRooms, { readonly kind: 'watchable' | 'stream' }>;

const ignore = (): void => undefined;

/** Why no room was opened. */
export type NoRoom = 'full' | 'failed';

/** Milliseconds until a process that has died begins again, if the one before it had died soon, too; and at most. */
const AGAIN_MS = 1000;
const MOST_AGAIN_MS = 30_000;
/** Milliseconds after which a process has not died soon. */
const SOON_MS = 10_000;

/**
 * A process that has server rooms, as its parent sees it. It begins with the first room. If it dies, its rooms go on
 * under their players [F4], and the next room begins another one. Where rooms are kept [N6.1], it begins at once, and
 * again when it has died.
 */
export class RoomsProcess {
  readonly #settings: () => HouseSettings;
  readonly #kept: (doors: readonly KeptDoor[]) => void;
  readonly #answers = new Map<number, (answer: OpenRoom | NoRoom) => void>();
  /** By request, what is called when its room is no more. */
  readonly #ends = new Map<number, () => void>();
  #child: ChildProcess | null = null;
  #requests = 0;
  #isStopped = false;
  #beganMs = 0;
  readonly #backoff = new Backoff(AGAIN_MS, MOST_AGAIN_MS);
  #again: NodeJS.Timeout | undefined;
  #figures = NO_FIGURES;
  #toldKept = false;
  #linePort: number | null = null;
  #watched: (news: WatchNews) => void = ignore;
  #players: PlayersHandler = ignore;
  /** The large rooms of which it has told the players. */
  readonly #large = new Set<RoomCode>();

  /**
   * @param settings are asked for when a process begins.
   * @param kept [N6.3] is told the doors of all rooms that are kept, whenever one of them has changed. A process that
   * has died keeps those that it told last.
   */
  constructor(settings: () => HouseSettings, kept: (doors: readonly KeptDoor[]) => void = () => undefined) {
    this.#settings = settings;
    this.#kept = kept;
  }

  /** The last figures of the process, at most a second old; zeros while there is none. */
  get figures(): HouseFigures {
    return this.#figures;
  }

  /** Rooms that it has, or is about to have. */
  get rooms(): number {
    return Math.max(this.#figures.rooms, this.#ends.size);
  }

  /**
   * [N4.1] Waits until the first process has read which rooms are kept; not at all where none are. Never rejects.
   * @returns false if that takes longer than an order may.
   */
  async knowsKept(): Promise<boolean> {
    if (this.#settings().snapshots === undefined) return true;
    for (let ms = 0; !this.#toldKept && ms < ANSWER_MS; ms += LOOK_MS)
      await new Promise((resolve) => void setTimeout(resolve, LOOK_MS));
    return this.#toldKept;
  }

  /** [N5] From now on this function gets what the process says of watched rooms. */
  onWatched(watched: (news: WatchNews) => void): void {
    this.#watched = watched;
  }

  /** [N8.6] From now on this function gets who plays in large rooms. */
  onPlayers(players: PlayersHandler): void {
    this.#players = players;
  }

  /**
   * [N5] Tells the process which rooms are watched, and asks whether they may be.
   * @param ask the number of this question, which the answer has.
   */
  watch(ask: number, rooms: readonly WatchedRoom[]): void {
    if (this.#child !== null) tell(this.#child, { kind: 'watch', ask, rooms });
  }

  /** [N9.5] Another process of the site has this room: it ends here. */
  lose(code: RoomCode): void {
    if (this.#child !== null) tell(this.#child, { kind: 'taken', code });
  }

  /** [N2.3] The port of this machine at which the process takes lines; null while there is none. */
  get linePort(): number | null {
    return this.#linePort;
  }

  /** The id of the process at the system; null while there is none. */
  get pid(): number | null {
    return this.#child?.pid ?? null;
  }

  /** Begins the process now, if rooms are kept: the kept ones go on. */
  resume(): void {
    if (this.#settings().snapshots === undefined || this.#isStopped) return;
    this.#child ??= this.#begin();
  }

  /**
   * Opens a room. Never rejects.
   * @param ended called once: when the room has ended, or if it was not opened. A room that opens too late for its
   * answer counts until it ends.
   */
  open(order: RoomOrder, ended: () => void = () => undefined): Promise<OpenRoom | NoRoom> {
    if (this.#isStopped) return Promise.resolve('failed');
    const child = (this.#child ??= this.#begin());
    const request = ++this.#requests;
    this.#ends.set(request, ended);
    return new Promise((resolve) => {
      const answer = (found: OpenRoom | NoRoom): void => {
        clearTimeout(timer);
        this.#answers.delete(request);
        resolve(found);
      };
      const timer = setTimeout(() => answer('failed'), ANSWER_MS);
      this.#answers.set(request, answer);
      tell(child, { kind: 'open', request, order });
    });
  }

  /** Ends the process; its rooms go on under their players. */
  async stop(): Promise<void> {
    this.#isStopped = true;
    clearTimeout(this.#again);
    const child = this.#child;
    if (child === null) return;
    const ended = new Promise((resolve) => void child.once('exit', resolve));
    tell(child, { kind: 'stop' });
    const timer = setTimeout(() => child.kill('SIGKILL'), END_MS);
    await ended;
    clearTimeout(timer);
  }

  #begin(): ChildProcess {
    clearTimeout(this.#again);
    this.#beganMs = performance.now();
    const child = fork(PROGRAM, {
      // The sources are TypeScript.
      execArgv: ['--import', 'tsx'],
      stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
      // Bundles for watchers are bytes, which JSON can't carry.
      serialization: 'advanced',
    });
    child.on('message', (message: FromRooms) => this.#take(message));
    child.on('error', () => this.#ended(child));
    child.on('exit', () => this.#ended(child));
    tell(child, { kind: 'begin', settings: this.#settings() });
    return child;
  }

  #take(message: FromRooms): void {
    switch (message.kind) {
      case 'opened':
        this.#answers.get(message.request)?.(message.opened);
        break;
      case 'refused':
        this.#answers.get(message.request)?.(message.why);
        this.#end(message.request);
        break;
      case 'ended':
        this.#end(message.request);
        break;
      case 'kept':
        this.#toldKept = true;
        this.#kept(message.doors);
        break;
      case 'watchable':
      case 'stream':
        this.#watched(message);
        break;
      case 'players':
        this.#setPlayers(message.code, message.pages);
        break;
      case 'lines':
        this.#linePort = message.port;
        break;
      case 'figures':
        this.#figures = message.figures;
        break;
    }
  }

  #setPlayers(code: RoomCode, pages: readonly string[]): void {
    if (pages.length === 0) this.#large.delete(code);
    else this.#large.add(code);
    this.#players(code, pages);
  }

  #end(request: number): void {
    const ended = this.#ends.get(request);
    this.#ends.delete(request);
    ended?.();
  }

  #ended(child: ChildProcess): void {
    if (this.#child !== child) return;
    this.#child = null;
    this.#linePort = null;
    this.#figures = NO_FIGURES;
    for (const code of [...this.#large]) this.#setPlayers(code, []);
    for (const answer of [...this.#answers.values()]) answer('failed');
    for (const request of [...this.#ends.keys()]) this.#end(request);
    const diedSoon = performance.now() - this.#beganMs < SOON_MS;
    if (!diedSoon) this.#backoff.reset();
    const againMs = diedSoon ? this.#backoff.next() : 0;
    if (!this.#isStopped) this.#again = setTimeout(() => this.resume(), againMs);
  }
}

function tell(child: ChildProcess, message: ToRooms): void {
  if (child.connected) child.send(message, () => undefined);
}
