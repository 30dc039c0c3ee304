import type { Slot } from '../../../src/core/base/ids.ts';
import type { RoomId } from '../../../src/core/room/identity/key.ts';
import { Network, STEPS_A_SECOND } from './network.ts';
import type { Door, Surroundings } from './page.ts';
import { Page } from './page.ts';
import { LiarPage } from './liar.ts';
import { chooseLevel } from '../../../src/levels/levels.ts';

/** The level of every room. It takes a while to make. */
const LEVEL = chooseLevel({ id: 'pile', seed: 1 });
/** Host and guests. */
export const PLAYERS = 4;
/** Steps after which a new room's door is open. */
const DOOR_OPEN_AFTER = STEPS_A_SECOND + 1;
/** Steps in which everybody comes in and has a line to everybody. */
const MET_AFTER = 5 * STEPS_A_SECOND;
/** Steps for which the broker keeps the door of a page that is gone without a word. */
const DOOR_KEPT = 20 * STEPS_A_SECOND;

/** A host and three guests, one of whom may lie; the ways between them; the broker. */
export class Room implements Surroundings {
  readonly network = new Network();
  /** By player; null while it has no page. */
  readonly pages: (Page | null)[] = [];
  brokerDownUntil = 0;
  door: Door | null = null;
  /** The liar; -1 if all are honest. */
  readonly liar: number;
  /** The error that a member has thrown, in words; null if none has. */
  thrown: string | null = null;
  /** By player: the room that its page was in, for when it comes back. */
  readonly #rooms = new Map<number, RoomId>();
  #secrets = 0;
  #ids = 0;

  /** @param liar the player that may lie, 1 to 3; -1: nobody. */
  constructor(liar: number) {
    this.liar = liar;
    const options = { slot: 0 as Slot, level: LEVEL, capacity: PLAYERS };
    this.pages.push(new Page(this, 0, this.#nextId(0), { role: 'host', options }));
    this.#tick(DOOR_OPEN_AFTER);
    for (let player = 1; player < PLAYERS; player++) this.#comeIn(player);
    this.#tick(MET_AFTER);
    const isMet = this.present.every(
      ({ member }) => member.host !== null || member.guest?.lines().length === PLAYERS - 1,
    );
    if (!isMet) throw new Error('a room begins in which not all have met');
  }

  /** The pages that are there. */
  get present(): Page[] {
    return this.pages.filter((page) => page !== null);
  }

  /** The pages that are there and honest. */
  get honest(): Page[] {
    return this.present.filter(({ player }) => player !== this.liar);
  }

  playing(player: number): Page | null {
    return this.pages[player] ?? null;
  }

  pageOf(id: string): Page | null {
    return this.present.find((page) => page.id === id) ?? null;
  }

  nextSecret(): string {
    return `a text that nobody guesses ${this.#secrets++}`;
  }

  #nextId(player: number): string {
    return `page ${player} ${this.#ids++}`;
  }

  doorkeeper(): Page | 'nobody' | 'silence' {
    if (this.door !== null && this.network.now - this.door.goneAt > DOOR_KEPT) this.door = null;
    if (this.door === null) return 'nobody';
    return this.present.includes(this.door.page) ? this.door.page : 'silence';
  }

  /** The step from which on every way is whole, every page awake and the broker up, if nothing else happens. */
  get quietAt(): number {
    const stalls = this.honest.map(({ stalledUntil }) => stalledUntil);
    return Math.max(this.network.wholeAt, this.brokerDownUntil, ...stalls);
  }

  #tick(steps: number): void {
    for (let i = 0; i < steps; i++) this.tick();
  }

  /** One step. */
  tick(): void {
    const { network } = this;
    network.now++;
    for (const page of this.present) {
      try {
        page.tick();
      } catch (error) {
        this.thrown ??= `the page of ${page.player} throws: ${String(error)}`;
      }
    }
    network.tidy();
  }

  // --- What may happen ---

  #comeIn(player: number): void {
    const room = this.#rooms.get(player) ?? null;
    const Kind = player === this.liar ? LiarPage : Page;
    const options = { colour: player as Slot, returns: room !== null, room };
    this.pages[player] = new Kind(this, player, this.#nextId(player), { role: 'guest', options });
    this.pages[player].obey();
  }

  /** The page of a player that is gone comes back, with its seat. */
  comesBack(player: number): void {
    if (this.pages[player] === null) this.#comeIn(player);
  }

  /** The page is gone at once, and its lines break; the broker knows it. */
  crash(player: number): void {
    const page = this.#remove(player);
    if (this.door?.page === page) this.door = null;
    for (const end of page?.ends.values() ?? []) end.break();
  }

  /** The page is gone without a word: nothing is closed, and the broker knows nothing. */
  powerCut(player: number): void {
    const page = this.#remove(player);
    if (page !== null && this.door?.page === page) this.door.goneAt = this.network.now;
  }

  /** The page says goodbye. @param returns it is loaded again at once. */
  leave(player: number, returns: boolean): void {
    const page = this.playing(player);
    page?.member.leave(returns);
    page?.obey();
    this.#remove(player);
    for (const end of page?.ends.values() ?? []) end.close();
    if (this.door?.page === page) this.door = null;
    if (returns) this.#comeIn(player);
  }

  #remove(player: number): Page | null {
    const page = this.playing(player);
    this.pages[player] = null;
    if (page === null) return null;
    const { room } = page.member;
    if (room !== null) this.#rooms.set(player, room);
    return page;
  }

  stall(player: number, steps: number): void {
    const page = this.playing(player);
    if (page !== null) page.stalledUntil = this.network.now + steps;
  }

  /** Nothing passes between two players for a while. */
  cut(a: number, b: number, steps: number): void {
    this.network.cut(a, b, this.network.now + steps);
  }

  /** Every line between two players breaks. */
  breakLines(a: number, b: number): void {
    for (const { near } of this.network.between(a, b)) near.break();
  }

  brokerDown(steps: number): void {
    this.brokerDownUntil = this.network.now + steps;
  }
}
