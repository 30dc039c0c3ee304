import type { ConnectionId, Slot } from '../core/base/ids.ts';
import { Random } from '../core/base/random.ts';
import type { Bot, BotSeat } from '../bots/bot.ts';
import type { BotName } from '../bots/bots.ts';
import { createBot } from '../bots/bots.ts';
import type { PlayerInput } from '../core/hands/hand-input.ts';
import { playerInput } from '../core/hands/hand-input.ts';
import type { SendLimits } from '../core/link/send-budget.ts';
import type { LinkConditions } from '../netsim/network-simulator.ts';
import { Peer } from '../core/peer/peer.ts';
import type { Recorder } from '../core/peer/recording/recorder.ts';
import type { SharedSchema } from '../core/shared/schema.ts';
import type { Level } from '../core/world/level.ts';
import { createLevel } from '../levels/levels.ts';
import type { SpawnLimits } from './spawn-level.ts';
import { withSpawning } from './spawn-level.ts';
import { withGoingJoints } from './going-joints.ts';
import type { Simulation } from '../core/world/simulation.ts';
import { createLoopback } from '../transport/loopback.ts';
import type { Loopback } from '../transport/loopback.ts';
import type { LevelRecipe, LevelReference, LevelSource } from '../core/world/level-reference.ts';
import { referTo } from '../core/world/level-reference.ts';

export type HarnessOptions = {
  readonly players: number;
  /** How the level is made. */
  readonly scene: LevelRecipe;
  /** Knows the level by `scene`; the game's own levels by default. */
  readonly levels?: LevelSource;
  /** [B2] Ticks a second, whatever the level says; the level's own by default. */
  readonly rate?: number;
  /** The bots of all slots, or of each slot: by name, or made by a function. */
  readonly bots: BotChoice | readonly BotChoice[];
  readonly seed: number;
  readonly conditions: Partial<LinkConditions>;
  /** The tick from which hands are still and hold nothing. */
  readonly quietFrom: number;
  /** For each slot the ticks that its peer makes in a step, which is how fast its clock runs; 1 by default. */
  readonly clocks?: readonly number[];
  /**
   * [S5] For the game's own levels: players spawn cubes, planks and balls within these limits. It replaces the level's
   * `spawning`, so leave it out with a level of your own: then that counts.
   */
  readonly spawning?: SpawnLimits | null;
  /**
   * [J4] For the game's own levels: players may remove the joints, some break, and players make others. It replaces the
   * level's `joints` and `making`, so leave it out with a level of your own: then those count.
   */
  readonly jointsGo?: boolean;
  /** Players with a level of their own, in which they may spawn more, and anything. */
  readonly cheats?: readonly Slot[];
  /** [V1] The schema of what players share besides bodies; none by default. */
  readonly schema?: SharedSchema | null;
  /** Records everything that peers receive and send. */
  readonly recorder?: Recorder;
  /** The players that it records; everybody by default. */
  readonly recorded?: readonly Slot[];
  /** [W9] The most that each peer sends; the usual limits by default. */
  readonly limits?: Partial<SendLimits>;
};

/** One of the game's bots, which play with cubes of half a metre, or a maker of others. */
export type BotChoice = BotName | ((seat: BotSeat) => Bot);

const HOST = 0 as Slot;

/** A place in the room. */
type Seat = {
  readonly slot: Slot;
  readonly bot: Bot;
  readonly input: PlayerInput;
  readonly clock: number;
  /** Ticks that are due by its clock. */
  due: number;
  /** Null while nobody is in this slot. */
  peer: Peer | null;
  connection: number;
  /** The step from which its page runs again. */
  stalledUntil: number;
};

/**
 * A whole room in one process: peers with an engine each, a network between them, bots for hands, and no clock
 * but the ticks. The same options and the same calls give the same run. Everybody is present from the start;
 * `chaos/` makes players leave, drop, stall and come back.
 */
export class RoomHarness {
  readonly level: Level;
  readonly loopback: Loopback;
  readonly inputs: readonly PlayerInput[];
  /** Steps made. In each step every peer ticks once, or as its clock says. */
  steps = 0;
  /** Bytes of the longest packet. */
  longestPacket = 0;
  readonly #createSimulation: (level: Level) => Simulation;
  readonly #seats: readonly Seat[];
  readonly #quietFrom: number;
  readonly #everybody: Peer[] = [];
  readonly #reference: LevelReference;
  readonly #recorder: Recorder | undefined;
  readonly #recorded: readonly Slot[] | undefined;
  readonly #limits: Partial<SendLimits>;
  readonly #cheats: readonly Slot[];
  readonly #schema: SharedSchema | null;
  readonly #lawless: Level;
  #peers: readonly Peer[] = [];

  /**
   * @param createSimulation makes an engine that holds the scene.
   * @throws RangeError for a scene that `levels` does not know, and if there is not one bot for each player.
   */
  constructor(options: HarnessOptions, createSimulation: (level: Level) => Simulation) {
    const { players, bots, clocks, spawning = null } = options;
    if (isList(bots) && bots.length !== players)
      throw new RangeError(`There are ${players} players, and ${bots.length} bots.`);
    const found = (options.levels ?? createLevel)(options.scene);
    if (found === null) throw new RangeError(`There is no level "${options.scene.id}".`);
    const ofRate = options.rate === undefined ? found : { ...found, rate: options.rate };
    const level = options.jointsGo === true ? withGoingJoints(ofRate) : ofRate;
    this.level = spawning === null ? level : withSpawning(level, spawning);
    this.#lawless = spawning === null ? level : withSpawning(level, spawning, true);
    this.#cheats = options.cheats ?? [];
    this.#schema = options.schema ?? null;
    this.#reference = referTo(options.scene, this.level);
    this.#recorder = options.recorder;
    this.#recorded = options.recorded;
    this.#limits = options.limits ?? {};
    this.#createSimulation = createSimulation;
    const random = new Random(options.seed);
    const slots = Array.from({ length: players }, (_, slot) => slot as Slot);
    this.loopback = createLoopback({
      seed: random.below(2 ** 31),
      slots: players,
      conditions: options.conditions,
    });
    this.#seats = slots.map((slot) => ({
      slot,
      bot: seatBot(isList(bots) ? bots[slot] : bots, {
        slot,
        players,
        random: random.fork(),
        rate: level.rate,
      }),
      input: playerInput(),
      clock: clocks?.[slot] ?? 1,
      due: 0,
      peer: null,
      connection: 0,
      stalledUntil: 0,
    }));
    this.inputs = this.#seats.map((seat) => seat.input);
    this.#quietFrom = options.quietFrom;
    for (const slot of slots) this.enter(slot);
    for (const slot of slots.slice(1)) this.join(slot);
  }

  /** The peers that are present, by slot; the host first. */
  get peers(): readonly Peer[] {
    return this.#peers;
  }

  /** The level as a player has it: a cheat has its own. */
  levelOf(slot: Slot): Level {
    return this.#cheats.includes(slot) ? this.#lawless : this.level;
  }

  /** Every peer that was ever present. */
  get everybody(): readonly Peer[] {
    return this.#everybody;
  }

  /** Milliseconds since the start. */
  get now(): number {
    return this.steps * (1000 / this.level.rate);
  }

  /** One step of everybody: receive, tick, send. It calls `received` for each peer after it has received. */
  step(received?: (peer: Peer) => void): void {
    this.steps++;
    this.loopback.now = this.now;
    this.#recorder?.at(this.now);
    for (const seat of this.#seats) if (this.#runs(seat)) this.#receive(seat, received);
    const ticked = this.#seats.filter((seat) => this.#runs(seat) && this.#tick(seat));
    for (const seat of ticked) this.#poll(seat);
  }

  #runs(seat: Seat): boolean {
    return seat.peer !== null && this.steps >= seat.stalledUntil;
  }

  #receive({ slot, peer, clock }: Seat, received?: (peer: Peer) => void): void {
    if (peer === null) return;
    this.loopback.transports[slot].receive(this.now, (from, bytes) =>
      peer.receive(this.now * clock, from, bytes),
    );
    received?.(peer);
  }

  /** @returns true if a tick was due. */
  #tick(seat: Seat): boolean {
    let ticked = false;
    for (seat.due += seat.clock; seat.due >= 1; seat.due--) {
      this.#act(seat);
      seat.peer?.tick(seat.input);
      ticked = true;
    }
    return ticked;
  }

  #poll({ slot, peer, clock }: Seat): void {
    const transport = this.loopback.transports[slot];
    peer?.poll(
      this.now * clock,
      (to, bytes) => {
        this.longestPacket = Math.max(this.longestPacket, bytes.length);
        transport.send(to, bytes);
      },
      (to) => transport.ready(to),
    );
  }

  #act({ bot, input, peer }: Seat): void {
    if (peer !== null && this.steps < this.#quietFrom) bot.act(this.steps, peer.diagnostics.bodies, input);
    else
      for (const hand of input.hands) {
        hand.grip = 0;
        hand.trigger = 0;
      }
  }

  /** A player takes a slot, with a world at its start. The peer that had the slot is gone. */
  enter(slot: Slot): void {
    const seat = this.#seats[slot];
    seat.peer?.dispose();
    const name = `Player ${slot + 1}`;
    const level = this.levelOf(slot);
    const simulation = this.#createSimulation(level);
    const schema = this.#schema;
    const limits = this.#limits;
    const isRecorded = this.#recorded?.includes(slot) ?? true;
    const recordedPeer = { slot, host: HOST, name, level: this.#reference, schema };
    const recorder = isRecorded ? (this.#recorder?.begin(recordedPeer) ?? null) : null;
    seat.peer = new Peer({ slot, host: HOST, level, simulation, name, recorder, schema, limits });
    this.#everybody.push(seat.peer);
    this.#count();
  }

  /** Nobody has the slot any more. `miss` tells the host. */
  exit(slot: Slot): void {
    const seat = this.#seats[slot];
    seat.peer?.dispose();
    seat.peer = null;
    this.#count();
  }

  #count(): void {
    this.#peers = this.#seats.flatMap(({ peer }) => peer ?? []);
  }

  /** A guest and the host begin a new connection. */
  join(slot: Slot): void {
    this.admit(slot);
    this.greet(slot);
  }

  /** The host begins a new connection with a guest. */
  admit(slot: Slot): void {
    const seat = this.#seats[slot];
    seat.connection++;
    this.#seats[HOST].peer?.connect(slot, seat.connection as ConnectionId);
  }

  /** A guest begins the connection that the host has already begun. */
  greet(slot: Slot): void {
    const { peer, connection } = this.#seats[slot];
    peer?.connect(HOST, connection as ConnectionId);
  }

  /** [F3] The host makes a guest absent. */
  miss(slot: Slot): void {
    this.#seats[HOST].peer?.disconnect(slot);
  }

  /** A page does nothing for this many steps. */
  stall(slot: Slot, steps: number): void {
    this.#seats[slot].stalledUntil = this.steps + steps;
  }

  /** Frees the engines. */
  dispose(): void {
    for (const peer of this.#peers) peer.dispose();
  }
}

function isList(bots: HarnessOptions['bots']): bots is readonly BotChoice[] {
  return Array.isArray(bots);
}

function seatBot(choice: BotChoice, seat: BotSeat): Bot {
  return typeof choice === 'string' ? createBot(choice, seat) : choice(seat);
}
