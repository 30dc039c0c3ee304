import type { Slot } from '../../../../src/core/base/ids.ts';
import { MAX_ROOM_PLAYERS, TICK_MS } from '../../../../src/core/base/constants.ts';
import { Random } from '../../../../src/core/base/random.ts';
import type { LevelReference } from '../../../../src/core/world/level-reference.ts';
import type { Tenure } from '../../../../src/core/room/host/host-options.ts';
import type { PublicKey } from '../../../../src/core/room/identity/key.ts';
import type { Roster } from '../../../../src/core/room/messages.ts';
import { keyOf } from '../../../support/keys.ts';
import { End } from './lines.ts';
import { check, GuestPage, HostPage } from './pages.ts';
import type { Dialling } from './pages.ts';
import { newProfile } from '../../../../src/core/room/profile.ts';
import { chooseLevel, gameLevels } from '../../../../src/levels/levels.ts';

export type HouseOptions = {
  readonly seed: number;
  /** Players at most (4). */
  readonly capacity?: number;
  readonly hostSlot?: Slot;
};

/** Milliseconds after a level within which a guest need not have begun it: it begins at most one a second. */
const SCENE_BEGINS_MS = 1500;
/** Milliseconds that a guest is here, undisturbed, before it must have the host's roster and level. */
const SETTLED_MS = 2000;

/** A line to the host from a page that is not a guest of the house: its messages are made up. */
export type Stranger = { readonly end: End; isOver: boolean };

/** The pages of a host and its guests, ticked together, with a network between; checks [F3] in every tick. */
export class House {
  readonly random: Random;
  readonly guests: GuestPage[] = [];
  readonly strangers: Stranger[] = [];
  host: HostPage;
  /** `open`: the host answers at the door; else the reason why no line to it can be opened. */
  door: 'open' | 'not found' | 'no broker' | 'blocked' = 'open';
  now = 0;
  readonly #options: HouseOptions;
  readonly #texts = new WeakMap<Roster, string>();
  readonly #doubled = new Set<string>();
  /** The host's level, and when it chose that. */
  #scene: LevelReference | null = null;
  #sceneAt = -Infinity;
  #names = 0;

  constructor(options: HouseOptions) {
    this.#options = options;
    this.random = new Random(options.seed);
    this.host = this.newHost();
  }

  /**
   * A new host's page.
   * @param before the tenure that it has kept through its reload; of its guests it knows nothing.
   */
  newHost(before?: Tenure): HostPage {
    const { capacity = 4, hostSlot = 0 as Slot } = this.#options;
    return new HostPage({
      slot: hostSlot,
      profile: newProfile('Host'),
      id: `host-${this.#names++}`,
      key: keyOf('the host'),
      level: chooseLevel({ id: 'pile', seed: 1 }),
      capacity,
      secret: () => `secret ${this.random.next()}`,
      ...(before === undefined ? {} : { tenure: before }),
    });
  }

  /** @param options `key`: of a page that was here before. */
  guest(options: { key?: PublicKey; colour?: number } = {}): GuestPage {
    const name = `Guest ${this.#names++}`;
    const { key = keyOf(name) } = options;
    const colour = options.colour === undefined ? null : (options.colour as Slot);
    const page = new GuestPage(
      {
        profile: newProfile(name),
        levels: gameLevels,
        colour,
        returns: options.key !== undefined,
        room: null,
      },
      key,
      (caller) => this.#dialDoor(caller, `id of ${name}`),
    );
    page.now = this.now;
    this.guests.push(page);
    return page;
  }

  #dialDoor(guest: GuestPage, page: string): Dialling {
    if (this.door !== 'open') return { why: this.door, at: guest.now + this.random.between(50, 5500) };
    const [near, far] = End.pair(guest.now, this.random);
    far.page = page;
    far.key = guest.key;
    near.key = this.host.key;
    this.host.add(far);
    return { end: near };
  }

  /** The host's page is loaded again: the same door leads to a room without guests. */
  replaceHost(): void {
    for (const end of this.host.ends.values()) end.break(this.now, this.random);
    this.host = this.newHost(this.host.room.tenure);
  }

  /** A tab is doubled: two pages have one seat. */
  double(guest: GuestPage): GuestPage {
    this.#doubled.add(guest.key);
    return this.guest({ key: guest.key });
  }

  stranger(): Stranger {
    const [near, far] = End.pair(this.now, this.random);
    this.host.add(far);
    const stranger = { end: near, isOver: false };
    this.strangers.push(stranger);
    return stranger;
  }

  /** The guest's page is gone without a goodbye; its lines break after a while. */
  vanish(guest: GuestPage): void {
    this.guests.splice(this.guests.indexOf(guest), 1);
    for (const end of guest.ends.values()) end.break(this.now, this.random);
  }

  /** The guest's page is loaded again, with its seat. */
  reload(guest: GuestPage): GuestPage {
    this.vanish(guest);
    return this.guest({ key: guest.key });
  }

  run(ms: number, each: () => void = () => {}): void {
    for (const end = this.now + ms; this.now < end;) {
      this.now += TICK_MS;
      each();
      this.#tick();
    }
  }

  /** Runs until it is so. @throws Error if it is not so within that many milliseconds. */
  runUntil(isSo: () => boolean, within: number, what: string): void {
    const start = this.now;
    while (!isSo()) {
      this.run(TICK_MS);
      if (this.now - start > within) this.#fail(new Error(`not within ${within} ms: ${what}`));
    }
  }

  #tick(): void {
    try {
      this.host.tick(this.now);
      if (this.host.room.level !== this.#scene) this.#sceneAt = this.now;
      this.#scene = this.host.room.level;
      for (const guest of this.guests) guest.tick(this.now);
      for (const stranger of this.strangers) {
        const isAlive = stranger.end.poll(this.now, {
          opened: () => {},
          message: () => {},
          closed: () => {},
        });
        stranger.isOver ||= !isAlive;
      }
      if (this.host.now === this.now) this.#checkRoster();
      for (const guest of this.guests) this.#checkGuest(guest);
    } catch (error) {
      this.#fail(error);
    }
  }

  #fail(error: unknown): never {
    const what = error instanceof Error ? error.message : String(error);
    const at = `seed ${this.#options.seed}, ${(this.now / 1000).toFixed(2)} s`;
    throw new Error(`${at}: ${what}`, { cause: error });
  }

  #checkRoster(): void {
    const { roster } = this.host.room;
    const { capacity, players, host } = roster;
    const slots = players.map(({ slot }) => slot);
    check(players.length <= capacity && capacity <= MAX_ROOM_PLAYERS, 'there are more players than places');
    check(new Set(slots).size === slots.length, 'two players have one slot');
    check(
      slots.every((slot, i) => i === 0 || slots[i - 1] < slot),
      'the roster is not by slot',
    );
    check(slots.includes(host), 'the host is not in its own roster');
    for (const { slot, presence, roundTripMs } of players) {
      const isSeated = slot === host || this.host.places.has(slot);
      check((presence !== 'away') === isSeated, `the roster has ${slot} as ${presence}`);
      check(roundTripMs >= 0, 'a round trip is less than nothing');
    }
    for (const slot of this.host.places.keys()) check(slots.includes(slot), `${slot} plays, but is nobody`);
  }

  /** A guest that is here, and has taken in every message, has the host's roster, level and connection. */
  #checkGuest(guest: GuestPage): void {
    const { place, room } = guest;
    if (room.status.kind === 'ended' && room.status.why === 'opened elsewhere') {
      check(this.#doubled.has(guest.key), 'a guest is told of another that is not there');
    }
    if (place === null || place.end === null || this.now - guest.hereSince < SETTLED_MS) return;
    if (guest.now !== this.now || this.host.now !== this.now || place.end.isBusy) return;
    const seated = this.host.places.get(place.slot);
    if (seated === undefined || seated.end === null || seated.end !== place.end.other) return;
    const isNew = this.now - this.#sceneAt < SCENE_BEGINS_MS;
    check(isNew || seated.connection === place.connection, 'host and guest are in different connections');
    check(this.host.movedTo.has(seated.end) === place.goesOn, 'a connection goes on at one end alone');
    check(
      room.roster !== null && this.#text(room.roster) === this.#text(this.host.room.roster),
      'rosters differ',
    );
    check(JSON.stringify(room.level) === JSON.stringify(this.host.room.level), 'levels differ');
  }

  #text(roster: Roster): string {
    const known = this.#texts.get(roster);
    if (known !== undefined) return known;
    const text = JSON.stringify(roster);
    this.#texts.set(roster, text);
    return text;
  }

  /** After a long time without faults each guest plays or has ended, and each player has one guest. */
  checkQuiet(): void {
    try {
      const playing = this.guests.filter(({ room }) => room.status.kind === 'here');
      for (const { room } of this.guests) {
        check(room.status.kind === 'here' || room.status.kind === 'ended', `a guest is ${room.status.kind}`);
      }
      const slots = playing.map(({ place }) => place?.slot).sort();
      check(
        slots.join() === [...this.host.places.keys()].sort().join(),
        `${slots.join()} say that they are here`,
      );
      for (const { presence } of this.host.room.roster.players)
        check(presence === 'here', `someone is ${presence}`);
      check(this.host.ends.size === playing.length, `the host has ${this.host.ends.size} lines`);
    } catch (error) {
      this.#fail(error);
    }
  }
}
