import { MAX_PACKET_BYTES, TICK_RATE } from '../../core/base/constants.ts';
import type { BodyId, Slot } from '../../core/base/ids.ts';
import type { EventKind } from '../../core/peer/diagnostics/event-log.ts';
import { EVENT_KINDS } from '../../core/peer/diagnostics/event-log.ts';
import type { Level } from '../../core/world/level.ts';
import type { Simulation } from '../../core/world/simulation.ts';
import type { Violation } from '../referee/violation.ts';
import { Referee } from '../referee/referee.ts';
import { RoomHarness } from '../room.ts';
import { calm, endKeeping, endSwinging, happen } from './happen.ts';
import type { Happening } from './happening.ts';
import type { Court, Mix } from './mix.ts';
import { drawMix } from './mix.ts';

/** Seconds within which all must rest and agree once the network delivers: a pile falls for two seconds. */
const PATIENCE = 20;
/** Seconds more in a level with balls: one that is thrown at 5 m/s rolls for half a minute. */
const ROLLING = 20;
/** Seconds after which what swings is braked. */
const SWINGING = 6;
/** Seconds for which it is braked. It ends, since a heap of tied bodies rests only once nobody acts upon it [R1.5]. */
const BRAKING = 5;
/** Seconds between two times that it is braked. */
const BRAKES = 0.1;
/** Seconds in which all must agree about machines that the engine keeps trembling. */
const EXCUSED = 5;
/** Seconds for which agreement must last: longer than anything is still under way. */
const SETTLED = 1.5;

/**
 * Seconds for which a data channel waits before it counts as held up: its timeout grows to seconds after losses.
 */
const HELD_UP = 0.5;

/** The result of one room. */
export type ChaosReport = {
  readonly seed: number;
  /** A few words: how many played what, and where. */
  readonly room: string;
  readonly seconds: number;
  /** Faults; empty if all is well. */
  readonly faults: readonly string[];
  /** The bodies of machines that the engine kept trembling, and of what lay on them. All players drew them alike. */
  readonly restless: readonly BodyId[];
  /** Milliseconds from calm (the network delivers, all rest) until all agreed; null if they never did. */
  readonly convergedAfterMs: number | null;
  /** How often each event happened, to bodies on all peers and to the room. */
  readonly events: Readonly<Partial<Record<EventKind | Happening['kind'], number>>>;
  readonly packets: { readonly sent: number; readonly lost: number; readonly longest: number };
};

/** Plays a seed's room to its end. An exception in it is a fault of that seed. */
export function runChaos(
  seed: number,
  createSimulation: (level: Level) => Simulation,
  watch: (room: RoomHarness) => void = () => undefined,
  court: Court | null = null,
): ChaosReport {
  const mix = drawMix(seed, court);
  const room = new RoomHarness({ ...mix, conditions: {} }, createSimulation);
  const referee = new Referee(room, 0, false, false);
  let thrown: string | null = null;
  let restless: readonly BodyId[] = [];
  try {
    restless = play(room, mix, referee, watch, court?.scene === undefined ? PATIENCE : PATIENCE + ROLLING);
  } catch (error) {
    thrown = error instanceof Error ? (error.stack ?? error.message) : String(error);
  }
  const { convergedAfterMs } = referee.finish();
  const faults = referee.violations.map(say);
  if (convergedAfterMs === null) faults.push('did not come to rest');
  if (room.longestPacket > MAX_PACKET_BYTES) faults.push(`[W5] a packet of ${room.longestPacket} bytes`);
  if (thrown !== null) faults.unshift(`[F1] step ${room.steps}: ${thrown}`);
  const report = {
    seed,
    room: `${mix.players} players (${[...new Set(mix.bots)].join(', ')}), ${mix.scene.id} of ${room.level.bodies.length}${mix.rate === TICK_RATE ? '' : `, ${mix.rate} ticks a second`}`,
    seconds: Math.round(room.now / 1000),
    faults,
    restless,
    convergedAfterMs,
    events: countEvents(room, mix),
    packets: countPackets(room, mix),
  };
  room.dispose();
  return report;
}

/** @param patience seconds from calm on. @returns see ChaosReport.restless. */
function play(
  room: RoomHarness,
  mix: Mix,
  referee: Referee,
  watch: (room: RoomHarness) => void,
  patience: number,
): readonly BodyId[] {
  const { happenings, calmFrom, rate } = mix;
  const settled = SETTLED * rate;
  let until = calmFrom + patience * rate;
  let restless: readonly BodyId[] = [];
  const brakes = Math.round(BRAKES * rate);
  const waiting = new Array<number>(mix.players).fill(0);
  let next = 0;
  referee.calmFrom = Infinity;
  while (room.steps < until && (room.steps <= calmFrom || referee.settledFor < settled)) {
    for (; next < happenings.length && happenings[next].step <= room.steps; next++)
      happen(room, happenings[next]);
    if (room.steps === calmFrom) {
      referee.patienceMs += roundTripMs(room, mix);
      referee.calmFrom = calmFrom;
      calm(room);
    }
    if (room.steps >= calmFrom) endKeeping(room);
    const calmFor = (room.steps - calmFrom) / rate;
    if (calmFor > SWINGING && calmFor <= SWINGING + BRAKING && room.steps % brakes === 0) endSwinging(room);
    room.step((peer) => {
      referee.afterReceive(peer);
    });
    noticeHeldUp(room, referee, waiting);
    referee.observe();
    watch(room);
    if (room.steps === calmFrom + patience * rate && referee.settledFor < settled) {
      restless = referee.excuseMachines();
      if (restless.length > 0) until += EXCUSED * rate;
    }
  }
  return restless;
}

/** @param waiting for each slot, the steps for which its channel to the host has taken nothing. */
function noticeHeldUp(room: RoomHarness, referee: Referee, waiting: number[]): void {
  for (let slot = 1; slot < waiting.length; slot++) {
    const link = room.loopback.link(slot as Slot, 0 as Slot);
    waiting[slot] = link === null || link.ready(room.now) ? 0 : waiting[slot] + 1;
    if (waiting[slot] > HELD_UP * room.level.rate) referee.heldUp(slot as Slot);
  }
}

/** Milliseconds: the longest round trip to a guest. */
function roundTripMs(room: RoomHarness, mix: Mix): number {
  let longest = 0;
  for (let slot = 1; slot < mix.players; slot++) {
    const ways = [room.loopback.link(0 as Slot, slot as Slot), room.loopback.link(slot as Slot, 0 as Slot)];
    const ms = ways.map((way) => (way === null ? 0 : way.conditions.latencyMs + way.conditions.jitterMs));
    longest = Math.max(longest, ms[0] + ms[1]);
  }
  return longest;
}

function say({ mark, step, peer, body, what }: Violation): string {
  return `[${mark}] step ${step}, peer ${peer}, body ${body}: ${what}`;
}

function countEvents(room: RoomHarness, mix: Mix): ChaosReport['events'] {
  const events: Partial<Record<EventKind | Happening['kind'], number>> = {};
  for (const kind of EVENT_KINDS)
    events[kind] = room.everybody.reduce((sum, peer) => sum + peer.diagnostics.events.counts[kind], 0);
  for (const { kind } of mix.happenings) if (kind !== 'reset') events[kind] = (events[kind] ?? 0) + 1;
  return events;
}

function countPackets(room: RoomHarness, mix: Mix): ChaosReport['packets'] {
  let [sent, lost] = [0, 0];
  for (let slot = 1; slot < mix.players; slot++) {
    for (const way of [
      room.loopback.link(0 as Slot, slot as Slot),
      room.loopback.link(slot as Slot, 0 as Slot),
    ]) {
      sent += way?.stats.sent ?? 0;
      lost += way?.stats.lost ?? 0;
    }
  }
  return { sent, lost, longest: room.longestPacket };
}
