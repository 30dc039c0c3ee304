import { MAX_ROOM_PLAYERS, TICK_RATE } from '../../core/base/constants.ts';
import type { Slot } from '../../core/base/ids.ts';
import { Random } from '../../core/base/random.ts';
import { drawAction } from './draw-action.ts';
import type { BotName } from '../../bots/bots.ts';
import type { LinkConditions } from '../../netsim/network-simulator.ts';
import { linkConditions } from '../../netsim/network-simulator.ts';
import { createLevel, CUBE_LEVEL_IDS } from '../../levels/levels.ts';
import type { Happening } from './happening.ts';
import type { SpawnLimits } from '../spawn-level.ts';
import { drawJoints } from './draw-joints.ts';
import { drawSpawning } from './draw-spawning.ts';
import type { LevelRecipe } from '../../core/world/level-reference.ts';

/** Everything that chance decides about a room before it begins. */
export type Mix = {
  readonly seed: number;
  /** Ticks a second. */
  readonly rate: number;
  readonly players: number;
  readonly scene: LevelRecipe;
  /** One entry for each slot. */
  readonly bots: readonly BotName[];
  readonly clocks: readonly number[];
  /** Sorted by step. */
  readonly happenings: readonly Happening[];
  /** [S5] The limits of spawning, and who breaks them; null if nobody spawns. */
  readonly spawning: SpawnLimits | null;
  readonly cheats: readonly Slot[];
  /** [J4] True if the level's joints can go. */
  readonly jointsGo: boolean;
  /** The step from which hands are still, and from which the network delivers. */
  readonly quietFrom: number;
  readonly calmFrom: number;
};

const HOST = 0 as Slot;
/** Steps of play at the usual rate, and of still hands on the same network. */
const PLAY = 13 * TICK_RATE;
const STILL = 1.5 * TICK_RATE;
/** The step before which nothing happens: cubes have landed, and hands begin. */
const BEGIN = 2.5 * TICK_RATE;
/** Steps for which a page may stand still, and milliseconds for which a direction may. */
const LONGEST_STALL = 5 * TICK_RATE;
const LONGEST_HOLD_UP = 3000;
/** Steps for which a line may be gone. */
const LONGEST_GAP = 4 * TICK_RATE;
/** Steps by which one end may learn of a new connection before the other. */
const LONGEST_LAG = 20;
/** Chance that a burst of loss ends with a packet, and chance of loss within it. */
const BURST_LEAVE = 0.08;
const BURST_LOSS = 0.9;
/** The fewest and the most cubes in a grid. There are few, so that many hands want the same ones. */
const FEWEST_CUBES = 4;
const MOST_CUBES = 48;

/** Bots that need nobody and can be mixed; and bots that play by turns, of which there should be few. */
const ALONE: readonly BotName[] = ['chaos', 'fight', 'heap'];
const BY_TURNS: readonly BotName[] = ['give', 'stack'];
const MOST_BY_TURNS = 4;

/** The share of rooms in which players also act without a hand, and how often they do. */
const ACTS_CHANCE = 0.3;
const MOST_ACTS = 60;
/** The share of rooms in which neighbours bat cubes back and forth; and what makes this draw another. */
const RALLY_CHANCE = 0.15;
const RALLY_SALT = 0x165667b1;

/** The part of all rooms that is not left to chance: the level of every room, how many play there, and the rate. */
export type Court = {
  readonly scene?: LevelRecipe;
  readonly players?: number;
  /** [J4] True if joints go in every room. */
  readonly jointsGo?: boolean;
  /** [B2] The usual one if left out. */
  readonly rate?: number;
};

/** Draws the room of a seed. @param court null to leave level and players to chance, at the usual rate. */
export function drawMix(seed: number, court: Court | null = null): Mix {
  return atRate(drawAtUsualRate(seed, court), court?.rate ?? TICK_RATE);
}

/** [B2] The same room with its steps at another rate: everything happens at the same times. */
function atRate(mix: Mix, rate: number): Mix {
  if (rate === TICK_RATE) return mix;
  const at = (step: number): number => Math.round((step * rate) / TICK_RATE);
  return {
    ...mix,
    rate,
    happenings: mix.happenings.map((happening) => ({
      ...happening,
      step: at(happening.step),
      ...(happening.kind === 'stall' ? { steps: at(happening.steps) } : {}),
    })),
    quietFrom: at(mix.quietFrom),
    calmFrom: at(mix.calmFrom),
  };
}

function drawAtUsualRate(seed: number, court: Court | null): Mix {
  // Without this, neighbouring seeds would begin alike.
  const random = new Random(Math.imul(seed, 0x9e3779b1));
  const together = random.chance(0.2) ? BY_TURNS : ALONE;
  const anyPlayers = 2 + random.below((together === BY_TURNS ? MOST_BY_TURNS : MAX_ROOM_PLAYERS) - 1);
  const players = court?.players ?? anyPlayers;
  const slots = Array.from({ length: players }, (_, slot) => slot as Slot);
  const all = together[random.below(together.length)];
  // Drawn apart, so that the rooms of other seeds stay as they are.
  const apart = new Random(Math.imul(seed, RALLY_SALT));
  const isRally = apart.chance(RALLY_CHANCE);
  const isMixed = together === ALONE && random.chance(0.7);
  const acts = apart.chance(ACTS_CHANCE) ? drawActs(apart, players) : [];
  const anyScene = drawScene(random, all === 'stack' && !isMixed);
  const scene = court?.scene ?? anyScene;
  const level = createLevel(scene);
  const spawns = drawSpawning(seed, players, level.bodies.length, BEGIN, PLAY);
  const joints = drawJoints(seed, players, level, {
    begin: BEGIN,
    end: PLAY,
    always: court?.jointsGo === true,
  });
  return {
    seed,
    rate: TICK_RATE,
    players,
    scene,
    bots: slots
      .map(() => (isMixed ? ALONE[random.below(ALONE.length)] : all))
      .map((bot) => (isRally ? 'rally' : bot)),
    clocks: slots.map(() => (random.chance(0.4) ? 1 : random.between(0.99, 1.01))),
    happenings: [
      ...drawHappenings(random, slots),
      ...acts,
      ...(spawns?.happenings ?? []),
      ...(joints ?? []),
    ].sort((a, b) => a.step - b.step),
    spawning: spawns?.spawning ?? null,
    cheats: spawns?.cheats ?? [],
    jointsGo: joints !== null,
    quietFrom: PLAY,
    calmFrom: PLAY + STILL,
  };
}

/** Actions of players on bodies, spread over the play. */
function drawActs(random: Random, players: number): readonly Happening[] {
  return Array.from({ length: MOST_ACTS }, () => ({
    kind: 'act',
    step: stepIn(random, BEGIN, PLAY),
    slot: random.below(players) as Slot,
    action: drawAction(random, FEWEST_CUBES),
  }));
}

/** @param loose true for cubes that lie about, so that there is something to build with. */
function drawScene(random: Random, loose: boolean): LevelRecipe {
  const id = loose || random.chance(0.3) ? 'grid' : CUBE_LEVEL_IDS[random.below(CUBE_LEVEL_IDS.length)];
  const count = FEWEST_CUBES + random.below(MOST_CUBES - FEWEST_CUBES + 1);
  return { id, seed: random.below(1000), ...(id === 'grid' ? { count } : {}) };
}

function drawHappenings(random: Random, slots: readonly Slot[]): readonly Happening[] {
  const happenings: Happening[] = [];
  const guests = slots.slice(1);
  const channel = random.chance(0.75) ? 'datagram' : 'dataChannel';
  const weather = (step: number, from: Slot, to: Slot): Happening => {
    return { kind: 'weather', step, from, to, conditions: drawConditions(random, channel) };
  };
  for (const guest of guests) {
    happenings.push(weather(0, guest, HOST), weather(0, HOST, guest));
    if (random.chance(0.7)) drawLife(random, guest, happenings);
  }
  for (let times = random.below(4); times > 0; times--) {
    const guest = guests[random.below(guests.length)];
    const [from, to] = random.chance(0.5) ? [HOST, guest] : [guest, HOST];
    happenings.push(weather(stepIn(random, BEGIN, PLAY), from, to));
  }
  if (random.chance(0.3)) happenings.push({ kind: 'reset', step: stepIn(random, BEGIN, PLAY) });
  if (random.chance(0.3)) {
    const steps = 1 + random.below(LONGEST_STALL);
    happenings.push({ kind: 'stall', step: stepIn(random, BEGIN, PLAY - steps), slot: HOST, steps });
  }
  return happenings.sort((a, b) => a.step - b.step);
}

function stepIn(random: Random, from: number, to: number): number {
  return Math.floor(random.between(from, to));
}

/** Draws a guest's happenings, one after the other, until hands are still. */
function drawLife(random: Random, slot: Slot, out: Happening[]): void {
  for (let step = stepIn(random, BEGIN, PLAY / 2); ;) {
    const part = drawPart(random, slot, step);
    const last = Math.max(...part.map((h) => h.step + (h.kind === 'stall' ? h.steps : 0)));
    if (last >= PLAY) return;
    out.push(...part);
    step = last + 1 + random.below(3 * TICK_RATE);
  }
}

function drawPart(random: Random, slot: Slot, step: number): Happening[] {
  const gap = 1 + random.below(LONGEST_GAP);
  const back = step + gap;
  switch (random.below(6)) {
    case 0:
      return [{ kind: 'stall', step, slot, steps: 1 + random.below(LONGEST_STALL) }];
    case 1: {
      const [from, to] = random.chance(0.5) ? [slot, HOST] : [HOST, slot];
      return [{ kind: 'hold up', step, from, to, ms: random.between(100, LONGEST_HOLD_UP) }];
    }
    case 2:
      return [
        { kind: 'leave', step, slot },
        { kind: 'come', step: back, slot },
      ];
    case 3:
      return [{ kind: 'reload', step, slot }];
    case 4:
      return [
        { kind: 'lose line', step, slot },
        { kind: 'find line', step: back, slot },
      ];
    default:
      return drawReturn(random, slot, step, back);
  }
}

/** A guest drops out, is made absent or not, and comes back with its world over a new connection. */
function drawReturn(random: Random, slot: Slot, step: number, back: number): Happening[] {
  const part: Happening[] = [{ kind: 'lose line', step, slot }];
  if (random.chance(0.7)) part.push({ kind: 'miss', step: stepIn(random, step, back), slot });
  // Packets that are still under way arrive over the new line, too.
  if (random.chance(0.3)) part[0] = { kind: 'hold up', step, from: slot, to: HOST, ms: 1000 };
  const lag = random.below(LONGEST_LAG);
  part.push({ kind: 'find line', step: back, slot }, { kind: 'admit', step: back, slot });
  part.push({ kind: 'greet', step: back + lag, slot });
  return part;
}

/** One direction of a link. Each direction has its own conditions, so links are asymmetric. */
function drawConditions(random: Random, channel: LinkConditions['channel']): LinkConditions {
  const loss = random.chance(0.3) ? 0 : random.between(0, 0.3);
  const inBursts = random.chance(0.5);
  // The share of packets that meet the bad state, chosen so that the total loss stays the same.
  const bad = loss / BURST_LOSS;
  return linkConditions({
    latencyMs: random.between(2, 150),
    jitterMs: random.chance(0.3) ? 0 : random.between(0, 250),
    loss: inBursts ? 0 : loss,
    burst: inBursts ? { enter: (BURST_LEAVE * bad) / (1 - bad), leave: BURST_LEAVE, loss: BURST_LOSS } : null,
    duplicate: random.chance(0.5) ? 0 : random.between(0, 0.3),
    reorder: random.chance(0.6) ? 0 : random.between(0, 0.1),
    reorderMs: random.between(100, 3000),
    bandwidthKbps: random.chance(0.85) ? 0 : random.between(150, 1000),
    channel,
  });
}
