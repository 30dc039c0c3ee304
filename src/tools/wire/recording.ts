import type { BodyId, Slot } from '../../core/base/ids.ts';
import { LEFT } from '../../core/base/ids.ts';
import { RETURN_AFTER_SECONDS, TICK_RATE, ticksIn } from '../../core/base/constants.ts';
import { Random } from '../../core/base/random.ts';
import { MOTION, STRIDE } from '../../core/base/state.ts';
import { Bodies } from '../../core/peer/bodies/bodies.ts';
import { FlightLaws } from '../../core/wire/bodies/flight-law.ts';
import { AuthoritySpread, giveBack, grab, mayReturn, release } from '../../core/world/authority.ts';
import type { Claim } from '../../core/world/record.ts';
import { claim, readClaim, sameClaim } from '../../core/world/record.ts';
import type { Level } from '../../core/world/level.ts';
import type { Simulation } from '../../core/world/simulation.ts';

/** Ticks between two throws: 2 s. */
const THROW_EVERY = 2 * TICK_RATE;
/** Metres from the place of the throw to the middle of the scene, and the speed in m/s. */
const THROW_FROM = 7;
const THROW_SPEED = { least: 10, most: 16 } as const;
/** The greatest spin in radians a second about each axis. */
const THROW_SPIN = 8;

/** Every body after each tick of a run: what a host would have had to send. */
export type RecordedScene = {
  readonly count: number;
  /** For each body the law of its free flight. */
  readonly laws: FlightLaws;
  readonly ticks: number;
  /** STRIDE whole numbers a body, all bodies of a tick after one another. */
  readonly states: Int32Array;
  /** For each tick and body 1 if it rests. */
  readonly resting: Uint8Array;
  /** The record of each body, the same object for as long as it does not change. */
  readonly claims: readonly Readonly<Claim>[];
};

/**
 * Runs a scene as a live host does, with the quantised state written back in every tick [W2], while a player
 * throws one of its cubes at the others every 2 s. The same scene and seed give the same recording.
 */
export function record(scene: Level, simulation: Simulation, ticks: number, seed: number): RecordedScene {
  const thrower = new Thrower(scene, simulation, seed);
  const { count } = thrower.bodies;
  const states = new Int32Array(ticks * count * STRIDE);
  const resting = new Uint8Array(ticks * count);
  const claims: Readonly<Claim>[] = [];
  for (let tick = 0; tick < ticks; tick++) {
    thrower.tick(tick);
    const { records } = thrower.bodies;
    states.set(records.state, tick * count * STRIDE);
    resting.set(records.resting, tick * count);
    for (let body = 0; body < count; body++) {
      readClaim(records, body as BodyId, said);
      const before = tick === 0 ? undefined : claims[(tick - 1) * count + body];
      claims.push(before !== undefined && sameClaim(before, said) ? before : { ...said });
    }
  }
  simulation.dispose();
  return { count, laws: new FlightLaws(scene), ticks, states, resting, claims };
}

/** A host whose player throws. The order of a tick is the peer's. */
class Thrower {
  readonly bodies: Bodies;
  readonly #random: Random;
  readonly #spread: AuthoritySpread;

  constructor(scene: Level, simulation: Simulation, seed: number) {
    this.bodies = new Bodies(scene, simulation);
    this.#random = new Random(seed);
    this.#spread = new AuthoritySpread(this.bodies.count);
  }

  tick(tick: number): void {
    const { bodies } = this;
    bodies.writeReceived();
    if (tick > 0 && tick % THROW_EVERY === 0) this.#throw();
    bodies.updateRest();
    this.#returnRested();
    bodies.writeBack();
    bodies.step(() => undefined);
    this.#spread.run(bodies.records, bodies.simulation.contacts, HOST, true, (body) =>
      bodies.startSimulating(body),
    );
    bodies.updateRecords();
  }

  /** Throws one cube, wherever it is, at the middle of the others from the edge of the scene. */
  #throw(): void {
    const random = this.#random;
    const body = random.below(this.bodies.count) as BodyId;
    const { motion, records, simulation } = this.bodies;
    for (const other of simulation.contacts.neighbours[body]) this.bodies.rest.disturb(other);
    this.bodies.rest.disturb(body);
    grab(records, body, HOST, LEFT, true);
    release(records, body);
    const angle = random.between(-1, 1);
    const [toX, toZ] = direction(random);
    const speed = random.between(THROW_SPEED.least, THROW_SPEED.most);
    const at = body * STRIDE;
    motion.fill(0, at, at + STRIDE);
    motion[at] = -toX * THROW_FROM;
    motion[at + 1] = random.between(0.8, 2);
    motion[at + 2] = -toZ * THROW_FROM;
    motion[at + MOTION.rotation + 1] = angle;
    motion[at + MOTION.rotation + 3] = Math.sqrt(1 - angle * angle);
    motion[at + MOTION.linear] = toX * speed;
    motion[at + MOTION.linear + 1] = random.between(0, 3);
    motion[at + MOTION.linear + 2] = toZ * speed;
    for (let i = 0; i < 3; i++) motion[at + MOTION.angular + i] = random.between(-THROW_SPIN, THROW_SPIN);
    this.bodies.rest.wakeRecord(body);
    this.bodies.engine.writeRecorded(body);
  }

  /** [A7] */
  #returnRested(): void {
    const { records, level } = this.bodies;
    const after = ticksIn(RETURN_AFTER_SECONDS, level.rate);
    for (let body = 0; body < records.count; body++) {
      if (records.authority[body] === HOST && mayReturn(records, body as BodyId, after))
        giveBack(records, body as BodyId, true);
    }
  }
}

/** A direction along the floor, of unit length. */
function direction(random: Random): readonly [number, number] {
  const x = random.between(-1, 1);
  const z = random.between(-1, 1);
  const size = Math.max(1e-6, Math.sqrt(x * x + z * z));
  return [x / size, z / size];
}

const HOST = 0 as Slot;
const said = claim();
