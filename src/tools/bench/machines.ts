import { TICK_RATE } from '../../core/base/constants.ts';
import type { BodyId, Slot } from '../../core/base/ids.ts';
import { quaternion, vector } from '../../core/base/math.ts';
import type { Joint } from '../../core/world/joints/joint.ts';
import { jointEnd } from '../../core/world/joints/joint.ts';
import type { Level, LevelBody } from '../../core/world/level.ts';
import { flatLevel, STANDARD_MATERIAL } from '../../core/world/level.ts';
import { RoomHarness } from '../../harness/room.ts';
import { Lengths, Screens } from '../../harness/screens.ts';
import { createRapierSimulation, loadPhysics } from '../../physics/rapier-simulation.ts';

/** 100 ms one way, and 2 % loss. */
const CONDITIONS = { latencyMs: 100, jitterMs: 10, loss: 0.02 } as const;
const PLAYERS = 3;
/** Seconds of one room. */
const ROOM_SECONDS = 60;
/** The bodies of a chain whose cost is measured, and of as many that are loose. */
const LINKS = 8;
/** Metres: a link's length, and between two links. */
const LINK = 0.4;
const GAP = 0.05;
/** Seconds for which they are pushed, and then until the second that counts as rest. */
const PUSHED_SECONDS = 20;
const RESTS_SECONDS = 10;
/** Metres a second of a push, once a second. */
const PUSH = 2.5;
const GUEST = 1 as Slot;

/** How joints hold together while machines change hands; lengths in metres. */
export type AnchorRow = {
  readonly level: string;
  readonly handovers: number;
  /** As drawn by players that don't simulate them. */
  readonly drawn: Spread;
  /** In the engine of the player that simulates them. */
  readonly simulated: Spread;
  /** Seconds for which a player saw an error of more than 5 cm, at most. */
  readonly longest: number;
};

type Spread = { readonly p50: number; readonly p99: number; readonly worst: number };

/** kbit/s of bodies to one guest. */
export type MachineCost = { readonly what: string; readonly moving: number; readonly resting: number };

export type MachineFigures = {
  readonly seeds: readonly number[];
  readonly anchors: readonly AnchorRow[];
  readonly costs: readonly MachineCost[];
};

/**
 * Plays rooms of three players who pull at machines.
 * @param rooms of each level, from the first seed on.
 */
export async function benchMachines(firstSeed: number, rooms: number): Promise<MachineFigures> {
  await loadPhysics();
  const seeds = Array.from({ length: rooms }, (_, i) => firstSeed + i);
  const anchors = ['workshop', 'chains'].map((level) => anchorsOf(level, seeds));
  const costs = [costOf('a chain of eight', chain(LINKS)), costOf('eight loose bodies', loose(LINKS))];
  return { seeds, anchors, costs };
}

function anchorsOf(id: string, seeds: readonly number[]): AnchorRow {
  const lengths = { drawn: new Lengths(), simulated: new Lengths() };
  let [handovers, longest] = [0, 0];
  for (const seed of seeds) {
    const room = new RoomHarness(
      {
        players: PLAYERS,
        scene: { id, seed: 1 },
        ...(id === 'chains' ? { levels: chains } : {}),
        bots: 'machine',
        seed,
        conditions: CONDITIONS,
        quietFrom: Infinity,
      },
      createRapierSimulation,
    );
    const screens = new Screens(room, lengths);
    for (let step = 0; step < ROOM_SECONDS * TICK_RATE; step++) {
      room.step();
      screens.look();
    }
    room.dispose();
    handovers += screens.changes;
    longest = Math.max(longest, screens.longest / TICK_RATE);
  }
  const { drawn, simulated } = lengths;
  return { level: id, handovers, drawn: spreadOf(drawn), simulated: spreadOf(simulated), longest };
}

function spreadOf(lengths: Lengths): Spread {
  return { p50: lengths.percentile(0.5), p99: lengths.percentile(0.99), worst: lengths.longest };
}

/** Chains of 2 to 10 links on the floor, side by side. */
function chains(): Level {
  const plan = { bodies: [] as LevelBody[], joints: [] as Joint[] };
  for (let links = 2; links <= 10; links++) addChain(plan, links, (links - 6) * 1.2);
  return { ...flatLevel('chains', plan.bodies), joints: plan.joints };
}

function chain(links: number): Level {
  const plan = { bodies: [] as LevelBody[], joints: [] as Joint[] };
  addChain(plan, links, 0);
  return { ...flatLevel('chain', plan.bodies), joints: plan.joints };
}

function loose(links: number): Level {
  return { ...chain(links), id: 'loose', joints: [] };
}

function addChain(
  plan: { readonly bodies: LevelBody[]; readonly joints: Joint[] },
  links: number,
  z: number,
): void {
  const shape = { kind: 'box', halfExtents: [LINK / 2, LINK / 4, LINK / 4] } as const;
  const template = { ...STANDARD_MATERIAL, shape, mass: 1 };
  for (let link = 0; link < links; link++) {
    const x = (link - links / 2) * (LINK + GAP);
    const body =
      plan.bodies.push({ template, start: { position: vector(x, LINK / 4, z), rotation: quaternion() } }) - 1;
    if (link === 0) continue;
    const at = vector(x - (LINK + GAP) / 2, LINK / 4, z);
    const ends = [jointEnd(plan.bodies, body - 1, at), jointEnd(plan.bodies, body, at)] as const;
    plan.joints.push({ kind: 'ball', ends, collides: false });
  }
}

/** The host pushes all bodies once a second, each the same way. */
function costOf(what: string, level: Level): MachineCost {
  const levels = (): Level => level;
  const room = new RoomHarness(
    {
      players: 2,
      scene: { id: level.id, seed: 1 },
      levels,
      bots: 'idle',
      seed: 1,
      conditions: CONDITIONS,
      quietFrom: Infinity,
    },
    createRapierSimulation,
  );
  const [host] = room.peers;
  const play = (seconds: number, push: number): number => {
    const before = host.traffic(GUEST).bodies;
    for (let tick = 0; tick < seconds * TICK_RATE; tick++) {
      const direction = ((tick / TICK_RATE) * Math.PI) / 2;
      const linear = vector(push * Math.cos(direction), push, push * Math.sin(direction));
      if (push > 0 && tick % TICK_RATE === 0)
        for (let body = 0; body < LINKS; body++)
          host.act({ kind: 'velocity', body: body as BodyId, linear, angular: vector() });
      room.step();
    }
    return (host.traffic(GUEST).bodies - before) / seconds / 1000;
  };
  const moving = play(PUSHED_SECONDS, PUSH);
  play(RESTS_SECONDS, 0);
  const resting = play(RESTS_SECONDS, 0);
  room.dispose();
  return { what, moving, resting };
}

/** The figures as tables. */
export function describeMachines({ seeds, anchors, costs }: MachineFigures): string {
  const millimetres = (metres: number): string => (metres * 1000).toFixed(1).padStart(8);
  const spread = ({ p50, p99, worst }: Spread): string => [p50, p99, worst].map(millimetres).join('');
  return [
    `${PLAYERS} players pull at machines, ${CONDITIONS.latencyMs} ms one way, ${CONDITIONS.loss * 100} % loss, ${ROOM_SECONDS} s for each seed from ${seeds[0]} to ${seeds[seeds.length - 1]}`,
    'how far the ends of a joint are apart, in mm: p50, p99 and worst',
    '             handovers    as others draw them      where simulated      longest over 5 cm',
    ...anchors.map(
      ({ level, handovers, drawn, simulated, longest }) =>
        `${level.padEnd(12)}${String(handovers).padStart(10)}${spread(drawn)}${spread(simulated)}${longest.toFixed(2).padStart(10)} s`,
    ),
    'bodies to one guest, in kbit/s:    moving   resting',
    ...costs.map(
      ({ what, moving, resting }) =>
        `${what.padEnd(30)}${moving.toFixed(2).padStart(11)}${resting.toFixed(2).padStart(10)}`,
    ),
    '',
  ].join('\n');
}
