import type { Bot, BotSeat, BotSight } from '../../../src/bots/bot.ts';
import type { BodyId } from '../../../src/core/base/ids.ts';
import { LEFT, RIGHT } from '../../../src/core/base/ids.ts';
import { lookAt, quaternion, setVector, vector } from '../../../src/core/base/math.ts';
import { MOTION, STRIDE } from '../../../src/core/base/state.ts';
import type { PlayerInput } from '../../../src/core/hands/hand-input.ts';
import type { Peer } from '../../../src/core/peer/peer.ts';
import type { Level, LevelBody, Template } from '../../../src/core/world/level.ts';
import { flatLevel, STANDARD_MATERIAL } from '../../../src/core/world/level.ts';
import type { Violation } from '../../../src/harness/referee/violation.ts';
import { Referee } from '../../../src/harness/referee/referee.ts';
import { RoomHarness } from '../../../src/harness/room.ts';
import { createRapierSimulation } from '../../../src/physics/rapier-simulation.ts';

/**
 * A game that is written down in seconds and metres, to be played at any rate: two towers settle, and each of three
 * players throws a cube, the last one at a tower. Two are guests over a network that delays and loses.
 */

/** By slot: when a player's hand begins to swing, in seconds, and how fast the cube leaves it, in metres a second along x. */
export const THROWS = [
  { at: 6, speed: 8 },
  { at: 3, speed: 4 },
  { at: 4, speed: 6 },
] as const;
/** Seconds of the game, and those in which the towers settle. */
const SECONDS = 16;
const SETTLING = 2.5;
/** Seconds from the beginning of a swing on: the hand closes, has lifted the cube, has its speed, opens. */
const CLOSES = 0.3;
const LIFTED = 1;
const SWINGS = 1.2;
const OPENS = 1.35;
/** Metres by which it lifts the cube. */
const LIFT = 1.2;
/** Seconds of flight after which places are compared: whole ticks at 30, 60, 90 and 120 a second. */
const FLIGHT = 0.2;

const CUBE: Template = { ...STANDARD_MATERIAL, shape: { kind: 'box', halfExtents: [0.25, 0.25, 0.25] } };
const TOWER = 6;

/** The result of a throw. */
export type ThrowReport = {
  /** Metres a second along x on the thrower's own peer, when the hand has opened. */
  speed: number;
  /** Metres along x, and upwards, from there in FLIGHT. */
  way: number;
  rise: number;
};

export type GameReport = {
  readonly violations: readonly Violation[];
  readonly convergedAfterMs: number | null;
  readonly throws: readonly ThrowReport[];
  /** Seconds until the towers rested on every peer, and from the last throw until everything did. */
  readonly towersRestAfter: number;
  readonly restsAfter: number;
  /** Millimetres: the 95th percentile of the errors of what guests draw. */
  readonly shownErrorMm: number;
  /** From the host to a guest. */
  readonly kbps: number;
  readonly packetsASecond: number;
};

/** Plays the game at a rate. */
export function playGame(rate: number, seed: number): GameReport {
  const room = new RoomHarness(
    {
      players: THROWS.length,
      scene: { id: 'throwing game', seed: 0 },
      levels: () => ({ ...throwingLevel(), rate }),
      bots: (seat) => new Thrower(seat),
      seed,
      conditions: { latencyMs: 40, jitterMs: 30, loss: 0.05 },
      quietFrom: SECONDS * rate,
    },
    createRapierSimulation,
  );
  const referee = new Referee(room, 140, true);
  const watches = THROWS.map((_, slot) => new ThrowWatch(slot, rate));
  const lastThrow = Math.max(...THROWS.map(({ at }) => at + OPENS));
  let [towersRestAfter, restsAt] = [NaN, NaN];
  for (let step = 1; step <= SECONDS * rate; step++) {
    room.step((peer) => referee.afterReceive(peer));
    referee.observe();
    for (const watch of watches) watch.look(step, room.peers);
    const now = step / rate;
    const isStill = room.peers.every(rests);
    if (Number.isNaN(towersRestAfter) && isStill && now < SETTLING) towersRestAfter = now;
    if (!isStill) restsAt = NaN;
    else if (Number.isNaN(restsAt)) restsAt = now;
  }
  const { convergedAfterMs } = referee.finish();
  const { bytesSent, packetsSent } = room.peers[0].traffic(room.peers[1].diagnostics.slot);
  const errors = Float64Array.from(referee.shownErrors).sort();
  room.dispose();
  return {
    violations: referee.violations,
    convergedAfterMs,
    throws: watches.map(({ report }) => report),
    towersRestAfter,
    restsAfter: restsAt - lastThrow,
    shownErrorMm: 1000 * errors[Math.floor(0.95 * errors.length)],
    kbps: (bytesSent * 8) / 1000 / SECONDS,
    packetsASecond: packetsSent / SECONDS,
  };
}

function rests({ diagnostics: { bodies } }: Peer): boolean {
  for (let body = 0; body < bodies.count; body++) if (bodies.records.resting[body] === 0) return false;
  return true;
}

/** The cubes to throw, by slot, and two towers; the second one stands in the way of the host's throw. */
function throwingLevel(): Level {
  const cube = (x: number, y: number, z: number): LevelBody => ({
    template: CUBE,
    start: { position: vector(x, y, z), rotation: quaternion() },
  });
  const tower = (x: number, z: number): LevelBody[] =>
    Array.from({ length: TOWER }, (_, i) => cube(x, 0.25 + 0.51 * i, z));
  return flatLevel('throwing game', [
    ...THROWS.map((_, slot) => cube(0, 0.25, 3 * slot)),
    ...tower(-3, 3),
    ...tower(5.5, 0),
  ]);
}

/** Throws the cube of its slot once, by a hand whose place is a function of time. */
class Thrower implements Bot {
  readonly #slot: number;
  readonly #rate: number;

  constructor({ slot, rate = NaN }: BotSeat) {
    this.#slot = slot;
    this.#rate = rate;
  }

  act(tick: number, _: BotSight, out: PlayerInput): void {
    const { at, speed } = THROWS[this.#slot];
    const since = tick / this.#rate - at;
    const hand = out.hands[RIGHT];
    const z = 3 * this.#slot;
    setVector(out.head.position, -1, 1.6, z);
    out.hands[LEFT].tracked = false;
    hand.tracked = true;
    hand.grip = since >= CLOSES && since < OPENS ? 1 : 0;
    const lifted = Math.min(1, Math.max(0, (since - CLOSES) / (LIFTED - CLOSES)));
    // The speed grows evenly, and then stays.
    const gains = Math.min(SWINGS - LIFTED, Math.max(0, since - LIFTED));
    const x = ((speed / (SWINGS - LIFTED)) * gains * gains) / 2 + speed * Math.max(0, since - SWINGS);
    setVector(hand.pose.position, since > OPENS + FLIGHT ? -1 : x, 0.3 + LIFT * lifted, z);
    lookAt(hand.pose.position, vector(hand.pose.position.x + 1, hand.pose.position.y, z), hand.pose.rotation);
  }
}

/** Watches what comes of one player's throw. */
class ThrowWatch {
  readonly report: ThrowReport = { speed: NaN, way: NaN, rise: NaN };
  readonly #slot: number;
  readonly #body: BodyId;
  readonly #rate: number;
  #wasHeld = false;
  #thrownIn = NaN;
  #from: readonly [number, number] = [NaN, NaN];

  constructor(slot: number, rate: number) {
    this.#slot = slot;
    this.#body = slot as BodyId;
    this.#rate = rate;
  }

  /** Call after each step, which are counted from 1. */
  look(step: number, peers: readonly Peer[]): void {
    const { hands, bodies } = peers[this.#slot].diagnostics;
    const at = this.#body * STRIDE;
    const isHeld = hands[RIGHT].held === this.#body;
    if (this.#wasHeld && !isHeld) {
      this.#thrownIn = step;
      this.#from = [bodies.motion[at], bodies.motion[at + 1]];
      this.report.speed = bodies.motion[at + MOTION.linear];
    }
    this.#wasHeld = isHeld;
    if (step !== this.#thrownIn + Math.round(FLIGHT * this.#rate)) return;
    this.report.way = bodies.motion[at] - this.#from[0];
    this.report.rise = bodies.motion[at + 1] - this.#from[1];
  }
}
