import { expect, onTestFinished } from 'vitest';
import type { BodyId, ConnectionId, HandSide, Slot } from '../../src/core/base/ids.ts';
import { HAND_SIDES, RIGHT } from '../../src/core/base/ids.ts';
import { TICK_MS, TICK_RATE, TICK_SECONDS } from '../../src/core/base/constants.ts';
import { copyPose, setVector } from '../../src/core/base/math.ts';
import { poseIn } from '../../src/core/base/motion.ts';
import { STRIDE } from '../../src/core/base/state.ts';
import type { PlayerInput } from '../../src/core/hands/hand-input.ts';
import { playerInput } from '../../src/core/hands/hand-input.ts';
import type { SendLimits } from '../../src/core/link/send-budget.ts';
import { SEND_LIMITS } from '../../src/core/link/send-budget.ts';
import type { LinkConditions } from '../../src/netsim/network-simulator.ts';
import type { EventKind } from '../../src/core/peer/diagnostics/event-log.ts';
import type { BodyInspection } from '../../src/core/peer/diagnostics/inspect.ts';
import { inspectBody } from '../../src/core/peer/diagnostics/inspect.ts';
import { Peer } from '../../src/core/peer/peer.ts';
import type { AvatarView } from '../../src/core/peer/shown/peer-view.ts';
import { peerView } from '../../src/core/peer/shown/peer-view.ts';
import type { GuestRights, Level } from '../../src/core/world/level.ts';
import type { Simulation } from '../../src/core/world/simulation.ts';
import { createRapierSimulation, loadPhysics } from '../../src/physics/rapier-simulation.ts';
import { createLoopback } from '../../src/transport/loopback.ts';
import type { Loopback } from '../../src/transport/loopback.ts';
import type { ChainOptions, SpawningNumbers } from './stage-levels.ts';
import { sceneOf, withBall, withChain, withRights, withSpawning } from './stage-levels.ts';
import { floatingSimulation } from './bodiless.ts';
import { capacityOf } from '../../src/core/world/existence.ts';

export { LEFT, RIGHT } from '../../src/core/base/ids.ts';
export { apart, sceneOf, SECRET, tower } from './stage-levels.ts';

/** Metres: x, y (up), z. */
export type Place = readonly [number, number, number];

export type StageOptions = {
  /** Guests, 1 to 31, in the slots from 1 on; the host is there anyway. */
  readonly guests: number;
  /** Where the middles of the cubes are at first; see `apart` and `tower`. */
  readonly cubes: readonly Place[];
  /** One way, in every direction; 50 if not given. */
  readonly latencyMs?: number;
  /** The first of them is a ball as wide as a cube. */
  readonly firstIsBall?: boolean;
  /** A simulation without an engine, for stories in which nothing touches. */
  readonly bodiless?: boolean;
  readonly spawning?: SpawningNumbers;
  /** The most that each peer sends; the usual if not given. */
  readonly limits?: SendLimits;
  /** The slot of a player without an avatar. */
  readonly avatarless?: number;
  /** [A15] The rights of guests on the cubes; all if not given. */
  readonly rights?: GuestRights;
  /** [J1] A ball joint ties each of the first so many cubes to the one before. */
  readonly chained?: number;
  /** [J1] How they are tied: see ChainOptions. */
  readonly chain?: ChainOptions;
  /** A level to play in place of the cubes. */
  readonly scene?: Level;
};

const HOST = 0 as Slot;
/** Seconds in which everything must have come to rest, and everybody to agree. */
const PATIENCE = 20;
/** Seconds that a story waits for something to happen. */
const WAIT = 5;
/** Ticks for which a hand swings before it lets go: more than the window of the throw. */
const SWING_TICKS = 8;

/** The first few cubes of a stage, for a test to give names to. */
export const CUBES: readonly BodyId[] = [0, 1, 2, 3, 4, 5, 6, 7].map((id) => id as BodyId);

/** Sets a stage and lets its cubes come to rest; it is cleared away when the test is over. */
export async function setStage(options: StageOptions): Promise<Stage> {
  if (options.bodiless !== true) await loadPhysics();
  const stage = new Stage(options);
  onTestFinished(() => stage.clearAway());
  stage.letAllRest();
  expect(stage).toAgree();
  return stage;
}

/**
 * Some players and a few cubes, for stories about who has what: real peers over a simulated network, each with
 * an engine of its own, and no clock but `letPass`.
 */
export class Stage {
  readonly level: Level;
  readonly network: Loopback;
  readonly limits: SendLimits;
  readonly avatarless: number;
  /** Milliseconds since the start. */
  now = 0;
  readonly #players: readonly Player[];

  constructor({
    guests,
    cubes,
    latencyMs = 50,
    bodiless = false,
    firstIsBall = false,
    spawning,
    limits = SEND_LIMITS,
    avatarless = -1,
    rights,
    chained = 0,
    chain = {},
    scene,
  }: StageOptions) {
    this.limits = limits;
    this.avatarless = avatarless;
    const plain = firstIsBall ? withBall(sceneOf(cubes)) : sceneOf(cubes);
    const granted = rights === undefined ? plain : withRights(plain, rights);
    const level = scene ?? withChain(granted, chained, chain);
    this.level = spawning === undefined ? level : withSpawning(level, spawning);
    const create = bodiless ? floatingSimulation : createRapierSimulation;
    this.network = createLoopback({ seed: 1, slots: guests + 1, conditions: { latencyMs } });
    this.#players = Array.from({ length: guests + 1 }, (_, slot) => new Player(this, slot as Slot, create));
    for (const guest of this.guests) guest.joins();
  }

  get host(): Player {
    return this.#players[HOST];
  }

  guest(slot: number): Player {
    return this.#players[slot];
  }

  get guests(): readonly Player[] {
    return this.#players.slice(1);
  }

  /** Everybody who has not left. */
  get present(): readonly Player[] {
    return this.#players.filter((player) => player.isPresent);
  }

  /** Lets time pass for everybody. */
  letPass(seconds: number): void {
    for (let tick = Math.round(seconds * TICK_RATE); tick > 0; tick--) this.tick();
  }

  /** Lets time pass until something is so; five seconds at the most. */
  waitFor(isSo: () => boolean): void {
    for (let tick = 0; !isSo(); tick++) {
      if (tick > WAIT * TICK_RATE) throw new Error(`waited ${WAIT} s in vain for ${isSo.toString()}`);
      this.tick();
    }
  }

  /** One tick of everybody: receive, tick, send. */
  tick(): void {
    this.now += TICK_MS;
    this.network.now = this.now;
    const awake = this.present.filter((player) => !player.standsStill);
    for (const player of awake) player.receive();
    for (const player of awake) player.peer.tick(player.input);
    for (const player of awake) player.send();
  }

  /** All hands open, and time passes until everything rests under nobody and all agree; or patience ends. */
  letAllRest(): void {
    for (const player of this.#players) for (const side of HAND_SIDES) player.releases(side);
    const quiet = TICK_RATE / 2;
    for (let tick = 0, calm = 0; tick < PATIENCE * TICK_RATE && calm < quiet; tick++) {
      this.tick();
      calm = this.differences().length === 0 ? calm + 1 : 0;
    }
  }

  /** Sets the sequences of every cube on every peer, as if the cubes had been handled so often. */
  windOn(ownershipSequence: number, authoritySequence: number): void {
    for (const { peer } of this.present) {
      peer.state.bodies.records.ownershipSequence.fill(ownershipSequence);
      peer.state.bodies.records.authoritySequence.fill(authoritySequence);
      peer.state.bodies.records.acceptedOwnership.fill(ownershipSequence);
    }
  }

  /** [I1] and [I4]: what is not at rest under nobody on the host, and in what others differ from the host. */
  differences(): string[] {
    const found: string[] = [];
    const host = this.host.peer.state.bodies.records;
    for (let body = 0; body < host.count; body++) {
      if (host.authority[body] >= 0) found.push(`the host has cube ${body} under ${host.authority[body]}`);
      if (host.resting[body] === 0) found.push(`the host has cube ${body} awake`);
    }
    for (const { slot, peer } of this.present) {
      const { bodies } = peer.state;
      for (let body = 0; body < bodies.count; body++) {
        if (bodies.kinematic.has(body as BodyId))
          found.push(`cube ${body} stands in the air at player ${slot}`);
      }
    }
    for (const { slot, peer } of this.present.slice(1)) {
      const guest = peer.state.bodies.records;
      for (const { what, field, size } of AGREED) {
        for (let i = 0; i < guest.count * size; i++) {
          if (guest[field][i] === host[field][i]) continue;
          const says = `guest ${slot} says ${guest[field][i]}, the host ${host[field][i]}`;
          found.push(`${what} of cube ${Math.floor(i / size)}: ${says}`);
        }
      }
    }
    return found;
  }

  clearAway(): void {
    for (const player of this.#players) player.clearAway();
  }
}

/** One player of a stage: what it does, what it knows, and its two directions of the network. */
export class Player {
  readonly slot: Slot;
  readonly input: PlayerInput = playerInput();
  peer: Peer;
  isPresent = true;
  /** True while its page stands still: it hears, does and says nothing. */
  standsStill = false;
  /** The bytes of the last packet that it sent. */
  lastPacket = new Uint8Array(0);
  readonly #stage: Stage;
  readonly #createSimulation: (level: Level) => Simulation;
  #connection = 0;

  constructor(stage: Stage, slot: Slot, createSimulation: (level: Level) => Simulation) {
    this.#stage = stage;
    this.slot = slot;
    this.#createSimulation = createSimulation;
    this.peer = this.#createPeer();
    for (const hand of this.input.hands) hand.tracked = true;
  }

  #createPeer(name = `Player ${this.slot}`): Peer {
    const { level: scene, limits, avatarless } = this.#stage;
    const simulation = this.#createSimulation(scene);
    const avatar = this.slot !== avatarless;
    return new Peer({ slot: this.slot, host: HOST, level: scene, simulation, name, limits, avatar });
  }

  // --- What it does ---

  /** In the next tick its hand, wherever it was, is at the cube and closes. */
  grabs(cube: BodyId, side: HandSide = RIGHT): void {
    const hand = this.input.hands[side];
    copyPose(poseIn(this.peer.state.bodies.motion, cube, hand.pose), hand.pose);
    hand.grip = 1;
  }

  /** In the next tick its hand opens. */
  releases(side: HandSide = RIGHT): void {
    this.input.hands[side].grip = 0;
  }

  /** Moves its hand at this velocity in metres a second, while time passes. */
  moves([x, y, z]: Place, seconds: number, side: HandSide = RIGHT): void {
    const { position } = this.input.hands[side].pose;
    for (let tick = Math.round(seconds * TICK_RATE); tick > 0; tick--) {
      const step = TICK_SECONDS;
      setVector(position, position.x + x * step, position.y + y * step, position.z + z * step);
      this.#stage.tick();
    }
  }

  /** Swings its hand at this velocity and lets go in motion; it takes nine ticks. */
  throws(velocity: Place, side: HandSide = RIGHT): void {
    this.moves(velocity, SWING_TICKS / TICK_RATE, side);
    this.releases(side);
    this.moves(velocity, 1 / TICK_RATE, side);
  }

  /** A guest connects to the host, or does so anew, with its world: the host has made it absent. */
  joins(): void {
    const { network, host } = this.#stage;
    this.isPresent = true;
    this.#connection++;
    network.connect(HOST, this.slot);
    host.peer.connect(this.slot, this.#connection as ConnectionId);
    this.peer.connect(HOST, this.#connection as ConnectionId);
  }

  /** The number of its connection. */
  get connection(): ConnectionId {
    return this.#connection as ConnectionId;
  }

  /** A guest is gone, and the host knows it. */
  leaves(): void {
    this.isPresent = false;
    this.#stage.network.disconnect(HOST, this.slot);
    this.#stage.host.peer.disconnect(this.slot);
  }

  /** A guest that has left comes back, and knows nothing; or another comes in its place. */
  returns(name?: string): void {
    this.clearAway();
    this.peer = this.#createPeer(name);
    for (const side of HAND_SIDES) this.releases(side);
    this.joins();
  }

  // --- What it knows ---

  /** A peer's record of a cube. */
  says(cube: BodyId): BodyInspection {
    return inspectBody(this.peer, cube);
  }

  /** True if the cube is in one of its hands. */
  holds(cube: BodyId): boolean {
    return this.peer.player.hands.some((hand) => hand.held === cube);
  }

  /** A player as it is drawn here. */
  sees(slot: number): AvatarView {
    const view = peerView(capacityOf(this.#stage.level));
    this.peer.view(1, null, view);
    return view.avatars[slot];
  }

  /** How often something happened, as its log has it. */
  counted(kind: EventKind): number {
    return this.peer.state.log.counts[kind];
  }

  /** How often it refused something for a reason. */
  refused(reason: string): number {
    return this.peer.state.rejections[reason] ?? 0;
  }

  // --- Its network ---

  /** The way from a guest to the host; to be changed at will. */
  get uplink(): LinkConditions {
    return conditionsOf(this.#stage, this.slot, HOST);
  }

  /** The way from the host to a guest. */
  get downlink(): LinkConditions {
    return conditionsOf(this.#stage, HOST, this.slot);
  }

  receive(): void {
    const { now, network } = this.#stage;
    network.transports[this.slot].receive(now, (from, bytes) => this.peer.receive(now, from, bytes));
  }

  send(): void {
    const transport = this.#stage.network.transports[this.slot];
    this.peer.poll(this.#stage.now, (to, bytes) => {
      this.lastPacket = bytes.slice();
      transport.send(to, bytes);
    });
  }

  clearAway(): void {
    this.peer.dispose();
  }
}

function conditionsOf(stage: Stage, from: Slot, to: Slot): LinkConditions {
  const link = stage.network.link(from, to);
  if (link === null) throw new Error(`no connection from ${from} to ${to}`);
  return link.conditions;
}

/** [I1] The values on which all must agree. */
const AGREED = [
  { what: 'authority', field: 'authority', size: 1 },
  { what: 'hold', field: 'hold', size: 1 },
  { what: 'ownership sequence', field: 'ownershipSequence', size: 1 },
  { what: 'authority sequence', field: 'authoritySequence', size: 1 },
  { what: 'existence', field: 'existence', size: 1 },
  { what: 'rest', field: 'resting', size: 1 },
  { what: 'state', field: 'state', size: STRIDE },
] as const;

declare module 'vitest' {
  interface Matchers<T> {
    /** [I1], [I4]: everything rests under nobody, and every guest has the same as the host, bit for bit. */
    toAgree(): T;
  }
}

expect.extend({
  toAgree(stage: Stage) {
    const differences = stage.differences();
    return {
      pass: differences.length === 0,
      message: () => `they don't agree:\n${differences.slice(0, 12).join('\n')}`,
    };
  },
});
