import type { BodyId, Slot } from '../../../src/core/base/ids.ts';
import { Random } from '../../../src/core/base/random.ts';
import type { SharedViolation } from '../../../src/harness/referee/shared-referee.ts';
import { SharedRoom } from '../../support/shared-room.ts';

/** Ticks of play, and ticks in which nobody does anything and the network delivers. */
const PLAY = 600;
const QUIET = 300;
/** Ticks of a room: nothing is written in the last of them, nor is it under way. */
export const ALL_TICKS = PLAY + QUIET;
const SLOTS = 6;
const WORDS = ['', 'hello', 'ready?', 'über', '🎲 dice', 'a longer text than most'];

/** The outcome of a run: what was wrong, and what happened. */
export type SharedReport = {
  readonly violations: readonly SharedViolation[];
  readonly given: number;
  readonly changesOfHost: number;
  readonly joins: number;
};

/**
 * Plays a room of a seed, in which everybody writes and emits, comes and goes, under 20 % of loss each way.
 * @param meddle is called after each tick; a test shows with it that the referee notices.
 * @param gives a host gives the room away [F4.35], where it would vanish.
 */
export function playShared(
  seed: number,
  meddle: (room: SharedRoom, tick: number) => void = () => undefined,
  gives = false,
): SharedReport {
  const random = new Random(Math.imul(seed, 0x9e3779b1));
  const guests = 1 + random.below(SLOTS - 2);
  const room = new SharedRoom(
    SLOTS,
    guests,
    {
      loss: 0.2,
      latencyMs: random.between(5, 150),
      jitterMs: random.between(0, 100),
      duplicate: random.chance(0.5) ? 0.1 : 0,
      reorder: random.chance(0.5) ? 0.1 : 0,
      reorderMs: random.between(50, 800),
    },
    seed,
  );
  let changesOfHost = 0;
  let joins = 0;
  for (let tick = 0; tick < PLAY; tick++) {
    for (const { state } of room.peers) act(room, state.self, random);
    if (random.chance(0.006)) joins += comeOrGo(room, random);
    if (random.chance(0.0015) && room.peers.length > 2) {
      const others = room.peers.filter(({ isHost }) => !isHost);
      room.changesHost(others[random.below(others.length)].state.self, gives);
      changesOfHost++;
    }
    if (random.chance(0.002)) room.player(room.host).peer.reset();
    room.tick();
    meddle(room, tick);
  }
  room.network.setConditions({ loss: 0, duplicate: 0, reorder: 0 });
  for (let tick = PLAY; tick < ALL_TICKS; tick++) {
    room.tick();
    meddle(room, tick);
  }
  room.referee.finish(room.peers);
  const given = room.peers.reduce((sum, { state }) => sum + room.player(state.self).events.length, 0);
  room.clearAway();
  return { violations: room.referee.violations, given, changesOfHost, joins };
}

function act(room: SharedRoom, slot: Slot, random: Random): void {
  const { shared, peer } = room.player(slot);
  if (random.chance(0.03)) shared.room.set('round', 1 + random.below(99));
  if (random.chance(0.02)) shared.room.set('mode', random.chance(0.5) ? 'wild' : 'calm');
  if (random.chance(0.05)) shared.players.set(slot, 'motto', WORDS[random.below(WORDS.length)]);
  if (random.chance(0.02)) shared.players.set(slot, 'ready', random.chance(0.5));
  if (random.chance(0.05)) shared.players.set(random.below(SLOTS) as Slot, 'score', random.below(100));
  const { bodies } = peer.state;
  const body = random.below(bodies.count) as BodyId;
  if (random.chance(0.01)) room.spawns(slot);
  if (random.chance(0.01)) peer.despawn(body);
  if (random.chance(0.1)) shared.bodies.set(body, 'label', WORDS[random.below(WORDS.length)]);
  if (random.chance(0.05)) shared.bodies.set(body, 'worth', random.below(11) / 10);
  if (random.chance(0.04)) peer.act({ kind: 'keep', body, on: random.chance(0.5) });
  if (random.chance(0.04)) peer.act({ kind: 'take', body });
  for (let i = random.chance(0.1) ? 1 + random.below(3) : 0; i > 0; i--)
    room.emits(slot, random.chance(0.5) ? WORDS[random.below(WORDS.length)] : null);
}

/** @returns how many joined. */
function comeOrGo(room: SharedRoom, random: Random): number {
  const slot = random.below(SLOTS);
  if (slot === room.host) return 0;
  if (!room.has(slot)) {
    room.joins(slot);
    return 1;
  }
  if (random.chance(0.6)) room.leaves(slot);
  else room.connects(slot);
  return 0;
}
