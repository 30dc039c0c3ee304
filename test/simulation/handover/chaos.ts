import { NO_BODY } from '../../../src/core/base/ids.ts';
import { TICK_MS } from '../../../src/core/base/constants.ts';
import type { HandoverPage } from '../../support/pages/handover-page.ts';
import { HandoverRoom } from '../../support/pages/handover-room.ts';
import { CUBES } from '../../support/stage.ts';

/** Milliseconds of mishaps, and between two of them on average; hands act more often. */
const CHAOS_MS = 45_000;
const BETWEEN_MS = 3000;
const ACT_MS = 300;
const MOST_PAGES = 5;

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

function mishap(room: HandoverRoom): void {
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
  MISHAPS[random.below(MISHAPS.length)](room, from[random.below(from.length)]);
}

function act(room: HandoverRoom): void {
  const { random, pages } = room;
  const page = pages[random.below(pages.length)];
  if (page.held !== NO_BODY || random.chance(0.3)) page.releases();
  else page.grabs(CUBES[random.below(4)]);
}

/** A page that was told that the room is over goes; a friend may come instead. */
function tidy(room: HandoverRoom): void {
  for (const page of [...room.pages]) {
    if (page.member.guest?.status.kind === 'ended') room.close(page);
  }
}

/** A room in which pages come and go in all ways, hosts above all; then all is well, and time passes. */
export function handoverChaos(seed: number): HandoverRoom {
  const room = new HandoverRoom(seed);
  room.loss = [0, 0.05, 0.2][room.random.below(3)];
  room.run(1500);
  for (let i = 0; i < 3; i++) {
    room.join();
    room.run(1500);
  }
  room.run(CHAOS_MS, () => {
    tidy(room);
    if (room.random.chance(TICK_MS / BETWEEN_MS)) mishap(room);
    if (room.pages.length > 0 && room.random.chance(TICK_MS / ACT_MS)) act(room);
  });
  room.isBrokerAlive = true;
  room.loss = 0;
  for (const page of room.pages) page.stalledUntil = 0;
  room.run(60_000, () => tidy(room));
  room.settle();
  return room;
}
