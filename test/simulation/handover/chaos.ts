import type { PublicKey } from '../../../src/core/room/identity/key.ts';
import type { BodyId } from '../../../src/core/base/ids.ts';
import { NO_BODY } from '../../../src/core/base/ids.ts';
import { quaternion, vector } from '../../../src/core/base/math.ts';
import { Random } from '../../../src/core/base/random.ts';
import { capacityOf } from '../../../src/core/world/existence.ts';
import { TICK_MS } from '../../../src/core/base/constants.ts';
import type { HandoverPage } from '../../support/handover/handover-page.ts';
import { HandoverRoom } from '../../support/handover/handover-room.ts';
import { CUBES } from '../../support/stage.ts';
import { randomLie } from './lies.ts';
import type { Fates } from './watch.ts';
import { Watch } from './watch.ts';

/** Milliseconds of mishaps, and between two of them on average; hands act more often. */
const CHAOS_MS = 45_000;
const BETWEEN_MS = 3000;
const ACT_MS = 300;
const MOST_PAGES = 5;

/** Milliseconds between two spawns or despawns on average, and the limits [S5]. */
const SPAWN_MS = 400;
const SPAWNING = { perPlayer: 3, perSecond: 10 } as const;
/** The source of chance for spawning is another than the room's. */
const SPAWN_SALT = 0x27d4eb85;

type Mishap = (room: HandoverRoom, page: HandoverPage) => void;

const stall: Mishap = (room, page) => (page.stalledUntil = room.now + room.random.between(500, 7500));
const sleep: Mishap = (room, page) => (page.stalledUntil = room.now + room.random.between(8500, 25_000));

/** The mishaps of a page: they hit the host as often as all others together. */
const MISHAPS: readonly Mishap[] = [
  (room, page) => room.close(page),
  (room, page) => room.crash(page),
  (room, page) => room.cut(page),
  stall,
  stall,
  sleep,
  (room, page) => {
    const { kept } = page;
    room.close(page);
    room.join(kept);
  },
  (room, page) => {
    const silentUntil = room.now + room.random.between(1000, 12_000);
    for (const end of page.ends.values()) end.silence(silentUntil);
  },
  (room, page) => {
    const [end] = page.ends.values();
    end?.break(room.now, room.random);
  },
  (room) => {
    room.isBrokerAlive = !room.isBrokerAlive;
  },
];

function mishap(room: HandoverRoom, hasLiar: boolean): void {
  const { random, pages } = room;
  if (random.chance(0.35) && pages.length < MOST_PAGES && room.isBrokerAlive) {
    room.join();
    return;
  }
  const players = pages.filter(({ peer }) => peer !== null);
  // A room that everybody has left is nobody's.
  if (players.length < 2) return;
  const hosts = players.filter(({ isHost }) => isHost);
  const from = random.chance(0.5) && hosts.length > 0 ? hosts : players;
  const mishaps = hasLiar ? [...MISHAPS, ...MORE_MISHAPS] : MISHAPS;
  mishaps[random.below(mishaps.length)](room, from[random.below(from.length)]);
}

function act(room: HandoverRoom): void {
  const { random, pages } = room;
  const page = pages[random.below(pages.length)];
  if (page.held !== NO_BODY || random.chance(0.3)) page.releases();
  else page.grabs(CUBES[random.below(4)]);
}

/**
 * [S2] [S3] A page spawns a body, half of the time into its hand, or despawns one; the host also one that is not its own.
 * @param random apart from the room's, so that rooms without spawning stay as they are.
 */
function spawnOrDespawn({ pages, level }: HandoverRoom, random: Random): void {
  const page = pages[random.below(pages.length)];
  if (page.peer === null) return;
  const body = (level.bodies.length + random.below(capacityOf(level) - level.bodies.length)) as BodyId;
  if (random.chance(0.4)) {
    page.peer.despawn(body);
    return;
  }
  const { templates } = level.spawning;
  const position = vector(random.between(-3, 3), 1, random.between(-3, 3));
  const spawned = page.peer.spawn({
    template: templates[random.below(templates.length)],
    pose: { position, rotation: quaternion() },
    linear: vector(),
    angular: vector(),
  });
  if (typeof spawned === 'number' && page.held === NO_BODY && random.chance(0.5)) page.grabs(spawned);
}

/** [F4.6] A host gives the room to any player that may be there. @param random apart from the room's, as for spawning. */
function give({ pages }: HandoverRoom, random: Random): void {
  const hosts = pages.filter(({ isHost }) => isHost);
  if (hosts.length === 0) return;
  const [{ member }] = hosts;
  const players = member.roster?.players ?? [];
  if (players.length > 1) member.giveTo(players[random.below(players.length)].slot);
}

/** A page that was told that the room is over goes; a friend may come instead. */
function tidy(room: HandoverRoom): void {
  for (const page of [...room.pages]) {
    if (page.member.guest?.status.kind === 'ended') room.close(page);
  }
}

/** Milliseconds between two gifts on average. */
const GIVE_MS = 2000;
const GIVE_SALT = 0x1b873593;

/** Milliseconds between two lies on average. */
const LIE_MS = 150;

/** The mishaps of rooms with a liar, besides the others. */
const MORE_MISHAPS: readonly Mishap[] = [
  (room, page) => (page.stalledUntil = room.now + 5000),
  (room, page) => {
    const { kept } = page;
    room.crash(page);
    room.join(kept).isLiar = page.isLiar;
  },
  (room) => {
    const half = new Set(room.pages.filter(() => room.random.chance(0.5)).map(({ id }) => id));
    const silentUntil = room.now + room.random.between(2000, 12_000);
    for (const { id, ends } of room.pages) {
      for (const end of ends.values()) if (half.has(id) !== half.has(end.page)) end.silence(silentUntil);
    }
  },
];

/**
 * One page of a room lies to everybody, and another takes its place when it is gone.
 * @param liars collects the keys of the liars.
 */
function lie(room: HandoverRoom, liars: Set<PublicKey>): void {
  const liar = room.pages.find(({ isLiar }) => isLiar);
  if (liar !== undefined) {
    liars.add(liar.key);
    liar.saysToAll(randomLie(room.random, liar));
  } else {
    const guests = room.pages.filter(({ isHost, slot }) => !isHost && slot !== null);
    if (guests.length > 1) guests[room.random.below(guests.length)].isLiar = true;
  }
}

/** The settings of chaos besides the mishaps of every room. */
type ChaosOptions = {
  /** One page lies, and there are splits, stalls of 5 s and pages that come back. */
  readonly hasLiar?: boolean;
  /** [S2] [S3] Pages spawn and despawn bodies. */
  readonly spawns?: boolean;
  /** [F4.35] Hosts give the room away. */
  readonly gives?: boolean;
  /** Counts what happens to the honest pages. */
  readonly fates?: Fates;
};

/** A room in which pages come and go in all ways, hosts above all; then all is well, and time passes. */
export function handoverChaos(seed: number, options: ChaosOptions = {}): HandoverRoom {
  const { hasLiar = false, spawns = false, gives = false } = options;
  const room = new HandoverRoom(seed, 4, spawns ? SPAWNING : undefined);
  const spawner = new Random(Math.imul(seed, SPAWN_SALT));
  const giver = new Random(Math.imul(seed, GIVE_SALT));
  const watch = options.fates === undefined ? null : new Watch(room, options.fates);
  room.loss = [0, 0.05, 0.2][room.random.below(3)];
  room.run(1500);
  for (let i = 0; i < 3; i++) {
    room.join();
    room.run(1500);
  }
  const liars = new Set<PublicKey>();
  const lies = (): void => {
    if (hasLiar && room.random.chance(TICK_MS / LIE_MS)) lie(room, liars);
  };
  room.run(CHAOS_MS, () => {
    watch?.step();
    tidy(room);
    if (room.random.chance(TICK_MS / BETWEEN_MS)) mishap(room, hasLiar);
    if (room.pages.length > 0 && room.random.chance(TICK_MS / ACT_MS)) act(room);
    if (spawns && room.pages.length > 0 && spawner.chance(TICK_MS / SPAWN_MS)) spawnOrDespawn(room, spawner);
    if (gives && giver.chance(TICK_MS / GIVE_MS)) give(room, giver);
    lies();
  });
  room.isBrokerAlive = true;
  room.loss = 0;
  for (const page of room.pages) page.stalledUntil = 0;
  room.run(60_000, () => {
    watch?.step();
    tidy(room);
    lies();
  });
  // A liar is no friend whose world is compared: it is shown the door.
  for (const page of room.pages.filter(({ isLiar }) => isLiar)) room.close(page);
  // [P3] Nor is who came by the code alone while a liar had the door: it is in a room that the liar has founded.
  for (const page of room.pages.filter(({ founder }) => founder !== null && liars.has(founder)))
    room.close(page);
  if (hasLiar) room.run(40_000, () => tidy(room));
  room.settle();
  return room;
}
