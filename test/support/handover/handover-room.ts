import type { Slot } from '../../../src/core/base/ids.ts';
import { HAND_SIDES } from '../../../src/core/base/ids.ts';
import { MAX_ROOM_PLAYERS, TICK_MS } from '../../../src/core/base/constants.ts';
import { Random } from '../../../src/core/base/random.ts';
import type { MemberStart } from '../../../src/core/room/member.ts';
import type { Level } from '../../../src/core/world/level.ts';
import { End } from '../../core/room/simulated/lines.ts';
import type { Kept } from './handover-page.ts';
import { HandoverPage } from './handover-page.ts';
import { apart } from '../stage.ts';
import type { SpawningNumbers } from '../stage-levels.ts';
import { sceneOf, withSpawning } from '../stage-levels.ts';
import { chooseLevel } from '../../../src/levels/levels.ts';

/** Milliseconds for which the broker keeps the door of a page that is gone without a word. */
const DOOR_KEPT_MS = 20_000;

type Door = { readonly page: HandoverPage; readonly token: string; goneAt: number };

/** Pages of one room, each with a peer, a broker, and lines between them; no clock but the ticks. */
export class HandoverRoom {
  readonly random: Random;
  readonly level: Level;
  readonly pages: HandoverPage[] = [];
  now = 0;
  /** The share of the packets that is lost. */
  loss = 0;
  /** Milliseconds of every line that is opened from now on, one way; undefined: between 1 and 150 for each. */
  delayMs: number | undefined = undefined;
  isBrokerAlive = true;
  door: Door | null = null;
  #names = 0;
  /** The group of each page, until when nothing passes between two groups. */
  #parted: { readonly groups: ReadonlyMap<string, number>; readonly until: number } | null = null;

  /** @param spawning of the players; nobody spawns if it is not given. */
  constructor(seed: number, cubes = 4, spawning?: SpawningNumbers) {
    this.random = new Random(seed);
    const level = sceneOf(apart(cubes));
    this.level = spawning === undefined ? level : withSpawning(level, spawning);
    this.open({
      role: 'host',
      options: { slot: 0 as Slot, level: chooseLevel({ id: 'pile', seed: 1 }), capacity: MAX_ROOM_PLAYERS },
    });
  }

  /** Another page. */
  open(start: MemberStart, kept: Kept | null = null): HandoverPage {
    const page = new HandoverPage(this, `page ${this.#names++}`, start, kept?.key);
    this.pages.push(page);
    return page;
  }

  /** A friend follows the link; or a page is loaded again, and has kept its seat. */
  join(kept: Kept | null = null): HandoverPage {
    const options = { colour: null, returns: kept !== null, room: kept?.room ?? null };
    return this.open({ role: 'guest', options }, kept);
  }

  /** The page in a slot, as that page has it. */
  at(slot: number): HandoverPage {
    const page = this.pages.find((other) => other.slot === slot);
    if (page === undefined) throw new Error(`nobody is in slot ${slot}`);
    return page;
  }

  run(ms: number, each: () => void = () => undefined): void {
    for (const end = this.now + ms; this.now < end;) {
      this.now += TICK_MS;
      each();
      for (const page of [...this.pages]) page.tick();
    }
  }

  /** Returns after how many milliseconds it was so. */
  runUntil(what: string, isSo: () => boolean, within: number): number {
    const start = this.now;
    while (!isSo()) {
      this.run(TICK_MS);
      if (this.now - start > within) throw new Error(`not within ${within} ms: ${what}; ${this.describe()}`);
    }
    return this.now - start;
  }

  describe(): string {
    return this.pages.map((page) => page.describe()).join(', ');
  }

  /** The tab is closed: the browser says so on every line, and to the broker. */
  close(page: HandoverPage): void {
    page.member.leave(true);
    page.obey();
    this.#remove(page);
    for (const end of page.ends.values()) end.close(this.now);
    if (this.door?.page === page) this.door = null;
  }

  /** Power cut: nobody says anything, and nothing is closed. */
  cut(page: HandoverPage): void {
    this.#remove(page);
    for (const end of page.ends.values()) end.silence(Infinity);
    if (this.door?.page === page) this.door.goneAt = this.now;
  }

  /** The page has crashed: the browser closes its way to the broker; its lines break in their time. */
  crash(page: HandoverPage): void {
    this.#remove(page);
    for (const end of page.ends.values()) end.break(this.now, this.random);
    if (this.door?.page === page) this.door = null;
  }

  #remove(page: HandoverPage): void {
    this.pages.splice(this.pages.indexOf(page), 1);
  }

  /** Nothing passes between pages of different groups for so long, also on lines that they try to open; the broker answers everybody. */
  part(groups: readonly (readonly HandoverPage[])[], ms: number): void {
    const until = this.now + ms;
    this.#parted = { groups: new Map(groups.flatMap((group, i) => group.map(({ id }) => [id, i]))), until };
    for (const { id, ends } of this.pages) {
      for (const end of ends.values()) if (this.#isParted(id, end.page)) end.silence(until);
    }
  }

  #isParted(a: string, b: string): boolean {
    if (this.#parted === null || this.now >= this.#parted.until) return false;
    return this.#parted.groups.get(a) !== this.#parted.groups.get(b);
  }

  /** A line between two pages: a page that stands still answers nobody, nor does one that is parted from the other. */
  connect(from: HandoverPage, to: HandoverPage): End {
    const parted = this.#isParted(from.id, to.id) ? (this.#parted?.until ?? 0) : 0;
    const [near, far] = End.pair(Math.max(this.now, to.stalledUntil, parted), this.random, this.delayMs);
    near.page = to.id;
    far.page = from.id;
    to.ends.set(far.id, far);
    from.ends.set(near.id, near);
    return near;
  }

  /** The page that answers at the door; a page that is gone answers nobody. */
  doorkeeper(): HandoverPage | 'nobody' | 'silence' {
    if (this.door !== null && this.now - this.door.goneAt > DOOR_KEPT_MS) this.door = null;
    if (this.door === null) return 'nobody';
    return this.pages.includes(this.door.page) ? this.door.page : 'silence';
  }

  /** The differences that are left between the pages, or the things that they wait for. */
  differences(): string[] {
    const [host, ...others] = this.pages.filter(({ member }) => member.host !== null);
    if (host === undefined) return ['nobody is host'];
    const found = others.map((other) => `${other.id} is host, too`);
    for (const page of this.pages) {
      if (page.member.roster?.host !== host.slot) found.push(`${page.id} has another host`);
      if (page !== host && page.member.guest?.status.kind !== 'here') found.push(page.describe());
      found.push(...page.differsFrom(host));
    }
    return found;
  }

  /** All hands open, and time passes until all agree and all rests under nobody. */
  settle(withinMs = 90_000): void {
    for (const { input } of this.pages) for (const side of HAND_SIDES) input.hands[side].grip = 0;
    let calm = 0;
    for (const end = this.now + withinMs; this.now < end && calm < 60;) {
      this.run(TICK_MS);
      calm = this.differences().length === 0 ? calm + 1 : 0;
    }
  }
}
