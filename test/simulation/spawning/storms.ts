import type { BodyId, Existence } from '../../../src/core/base/ids.ts';
import { quaternion, vector } from '../../../src/core/base/math.ts';
import { Random } from '../../../src/core/base/random.ts';
import { lesseeOf } from '../../../src/core/world/existence.ts';
import type { Player } from '../../support/stage.ts';
import { Stage } from '../../support/stage.ts';

const GUESTS = 3;
/** Ticks of a storm: four seconds. */
const TICKS = 240;
type Storm = (stage: Stage, random: Random, tick: number) => void;

/** Somewhere in the air above the middle. */
function spawnAnywhere(stage: Stage, player: Player, random: Random, wide = 4): void {
  // Cubes: balls would roll on for long.
  const [template] = stage.level.spawning.templates;
  player.peer.spawn({
    template,
    pose: {
      position: vector(random.between(-wide, wide), random.between(0.5, 4), random.between(-wide, wide)),
      rotation: quaternion(),
    },
    linear: vector(random.between(-3, 3), 0, random.between(-3, 3)),
    angular: vector(),
  });
}

function despawnAny(player: Player, random: Random): void {
  player.peer.despawn(random.below(player.peer.state.bodies.count) as BodyId);
}

export const STORMS: Readonly<Record<string, Storm>> = {
  'everybody spawns at once': (stage, random, tick) => {
    if (tick % 30 === 0) for (const player of stage.present) spawnAnywhere(stage, player, random);
  },
  'spawn and despawn of the same place': (stage, random) => {
    for (const player of stage.present) {
      if (random.chance(0.1)) spawnAnywhere(stage, player, random, 0.5);
      if (random.chance(0.3)) despawnAny(player, random);
    }
  },
  'leavers and joiners amid spawns': (stage, random) => {
    for (const player of stage.present) {
      if (random.chance(0.08)) spawnAnywhere(stage, player, random);
      if (random.chance(0.1)) despawnAny(player, random);
    }
    for (const guest of stage.guests) {
      if (guest.isPresent && random.chance(0.01)) guest.leaves();
      else if (!guest.isPresent && random.chance(0.04)) guest.returns();
    }
  },
};

/** Plays a storm, and lets all come to rest. @returns what is wrong then: [I7], and [I8] by the host's log. */
export function weather(name: string, seed: number): string[] {
  const random = new Random(seed);
  const stage = new Stage({
    guests: GUESTS,
    cubes: [
      [3, 0.25, 0],
      [-3, 0.25, 0],
    ],
    latencyMs: 10 + random.below(120),
    spawning: { perPlayer: 4, perSecond: 8 },
  });
  const faults: string[] = [];
  for (const guest of stage.guests) {
    Object.assign(guest.uplink, { loss: 0.1, jitterMs: 30 });
    Object.assign(guest.downlink, { loss: 0.1, jitterMs: 30 });
  }
  for (let tick = 0; tick < TICKS; tick++) {
    STORMS[name](stage, random, tick);
    stage.tick();
  }
  for (const guest of stage.guests) if (!guest.isPresent) guest.returns();
  for (const guest of stage.guests) {
    Object.assign(guest.uplink, { loss: 0, jitterMs: 0 });
    Object.assign(guest.downlink, { loss: 0, jitterMs: 0 });
  }
  stage.letAllRest();
  faults.push(...stage.differences());
  const { log, bodies } = stage.host.peer.state;
  const here = Array.from({ length: bodies.count }, (_, body) => bodies.has(body as BodyId)).filter(
    Boolean,
  ).length;
  // [I8] None was lost or doubled: what is there is what began, was spawned, and was not despawned.
  const expected = stage.level.bodies.length + log.counts.spawn - log.counts.despawn;
  if (here !== expected) faults.push(`[I8] ${here} bodies, ${expected} by the host's log`);
  for (let body = 0 as BodyId; body < bodies.count; body++) {
    const isOdd = lesseeOf(stage.level, body) < 0 && (bodies.records.existence[body] as Existence) % 256 > 0;
    if (isOdd && bodies.has(body)) faults.push(`body ${body} of the level was spawned`);
  }
  stage.clearAway();
  return faults;
}
