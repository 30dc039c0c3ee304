import { describe, expect, test } from 'vitest';
import type { Slot } from '../../../../src/core/base/ids.ts';
import { MAX_ROOM_PLAYERS, TICK_MS } from '../../../../src/core/base/constants.ts';
import { LEVEL_IDS, chooseLevel } from '../../../../src/levels/levels.ts';
import { ENDINGS, REFUSALS } from '../../../../src/core/room/messages.ts';
import { keyOf } from '../../../support/keys.ts';
import { House } from './house.ts';
import type { End } from './lines.ts';
import type { GuestPage } from './pages.ts';
import { VOICE_STATES, newProfile } from '../../../../src/core/room/profile.ts';

/** Milliseconds of mishaps, between two of them on average, and of the quiet after, in which seats are let go. */
const CHAOS_MS = 60_000;
const SEEDS = 60;
const BETWEEN_MS = 500;
const QUIET_MS = 120_000;

const pick = <T>(house: House, list: readonly T[]): T | undefined => list[house.random.below(list.length)];

function someEnd(house: House, guest: GuestPage | undefined): End | undefined {
  return guest === undefined ? undefined : pick(house, [...guest.ends.values()]);
}

/** The mishaps of a room. Each is as likely as it is often in this list. */
const MISHAPS: readonly ((house: House, guest: GuestPage | undefined) => void)[] = [
  (house) => void (house.guests.length < 10 && house.guest({ colour: house.random.below(MAX_ROOM_PLAYERS) })),
  (house) => void (house.guests.length < 10 && house.guest()),
  (house) => void (house.guests.length < 10 && house.guest({ key: keyOf(`guessed ${house.now}`) })),
  (house, guest) => void (guest !== undefined && house.reload(guest)),
  (house, guest) => void (guest !== undefined && house.vanish(guest)),
  (house, guest) => void (guest !== undefined && house.double(guest)),
  (house) => house.replaceHost(),
  (house, guest) => someEnd(house, guest)?.break(house.now, house.random),
  (house, guest) => someEnd(house, guest)?.silence(house.now + house.random.between(500, 12_000)),
  (house, guest) => someEnd(house, guest)?.silence(house.now + house.random.between(500, 4000)),
  (house, guest) => stall(house, guest, 10_000),
  (house, guest) => stall(house, guest, 60_000),
  (house) => stall(house, house.host, 10_000),
  (house) => stall(house, house.host, 60_000),
  (house) => stall(house, house.host, house.random.between(200, 5000)),
  (house) => house.host.room.lock(house.random.chance(0.3)),
  (house) => house.host.room.remove(house.random.below(MAX_ROOM_PLAYERS) as Slot, 'removed'),
  (house) => house.host.room.remove(house.random.below(MAX_ROOM_PLAYERS) as Slot, 'rules'),
  (house) => house.host.room.setCapacity(1 + house.random.below(MAX_ROOM_PLAYERS)),
  (house) => house.host.room.setProfile({ ...newProfile('Host'), voice: 'on' }),
  (house, guest) =>
    guest?.room.setProfile({ ...newProfile('A guest'), voice: pick(house, VOICE_STATES) ?? 'off' }),
  (house) =>
    house.host.setLevel(chooseLevel({ id: pick(house, LEVEL_IDS) ?? 'pile', seed: house.random.below(100) })),
  (house) =>
    void (house.door = pick(house, ['open', 'open', 'not found', 'no broker', 'blocked'] as const) ?? 'open'),
  (house) => void house.stranger(),
  (house) => flood(house),
];

function stall(house: House, page: { stalledUntil: number } | undefined, ms: number): void {
  if (page !== undefined) page.stalledUntil = house.now + ms;
}

function flood(house: House): void {
  const stranger = pick(house, house.strangers);
  const texts = [
    'x'.repeat(1 << 20),
    '{"kind":"bye"}',
    '{"kind":"hello","version":0}',
    '{"__proto__":{"kind":"bye"}}',
  ];
  for (let i = 0; i < 40; i++) stranger?.end.say(house.now, pick(house, texts) ?? '');
}

/** Whoever has been told that it is over goes, and is counted. */
function tidy(house: House): void {
  for (const guest of [...house.guests]) {
    const { status, claim: leads } = guest.room;
    if (!guest.isOver) continue;
    count(status.kind === 'ended' ? status.why : leads !== null ? 'led' : '');
    count('came in', guest.entered.anew);
    count('went on', guest.entered.goingOn);
    house.guests.splice(house.guests.indexOf(guest), 1);
  }
  house.strangers.splice(0, house.strangers.length, ...house.strangers.filter(({ isOver }) => !isOver));
}

/** How often guests came in, went on and ended in each way, in all seeds: mishaps that reach nothing test nothing. */
const fates = new Map<string, number>();

function count(fate: string, times = 1): void {
  fates.set(fate, (fates.get(fate) ?? 0) + times);
}

function chaos(seed: number): House {
  const capacity = 1 + (seed % MAX_ROOM_PLAYERS);
  const house = new House({ seed, capacity, hostSlot: ((seed * 3) % MAX_ROOM_PLAYERS) as Slot });
  house.run(CHAOS_MS, () => {
    if (!house.random.chance(TICK_MS / BETWEEN_MS)) return;
    tidy(house);
    pick(house, MISHAPS)?.(house, pick(house, house.guests));
  });
  house.door = 'open';
  house.run(QUIET_MS);
  tidy(house);
  return house;
}

describe('[F3] [H6] whatever happens to a room, every tick is sound, and in the end everyone plays or knows why not', () => {
  test.each(Array.from({ length: SEEDS }, (_, i) => i))('seed %d', (seed) => {
    const house = chaos(seed);
    house.checkQuiet();
    for (const [reason, count] of Object.entries(house.host.room.rejected)) {
      expect(['malformed', 'flood', 'second join', 'no join', 'second seat'], reason).toContain(reason);
      expect(count).toBeLessThan(10_000);
    }
  });

  test('and all of it has happened to someone', () => {
    const all = [
      'came in',
      'went on',
      ...REFUSALS.filter((reason) => reason !== 'version'),
      ...ENDINGS.filter((reason) => reason !== 'host left'),
      'led',
      'blocked',
    ];
    for (const fate of [...all, 'not found', 'no broker', 'lost'])
      expect(fates.get(fate), fate).toBeGreaterThan(0);
  });
});
