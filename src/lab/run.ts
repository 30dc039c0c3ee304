import { TICK_MS, TICK_RATE } from '../core/base/constants.ts';
import { POSE_STRIDE } from '../core/base/state.ts';
import type { LinkConditions } from '../netsim/network-simulator.ts';
import type { Engine } from '../physics/engine-types.ts';
import { createRestorableSimulation } from '../physics/rapier-simulation.ts';
import type { LabFigures } from './judge/figures.ts';
import type { Hand } from './game/hand.ts';
import type { GameSetup, LabGame, LabModel } from './lab-model.ts';
import { LabNetwork } from './network/network.ts';
import type { Judgement } from './judge/referee.ts';
import { LabReferee } from './judge/referee.ts';
import type { LabScene, LabSceneName, PlayerCount } from './game/scenes.ts';
import { createLabScene } from './game/scenes.ts';
import { Random } from '../core/base/random.ts';
import { LabWorld } from './game/world.ts';
import type { LabSwitches } from './switches.ts';
import { BEST_SWITCHES } from './switches.ts';

/** The player who views and judges a game: never the host, who has the best view. */
export const VIEWER = 1;

/** Both builds of the engine, loaded. */
export type LabEngines = { readonly fastest: Engine; readonly deterministic: Engine };

export type RunOptions = {
  readonly scene: LabSceneName;
  /** The seed of the scene and of the network's chance. */
  readonly seed: number;
  readonly conditions: Partial<LinkConditions>;
  /** Packets a second with states of bodies: a divisor of the tick rate; null for each model's own. */
  readonly rate: number | null;
  readonly engines: LabEngines;
  /** Two, by default: the host, or the first player, and the viewer. A third is a guest like the viewer. */
  readonly players?: PlayerCount;
  /** Each model at its best, by default. */
  readonly switches?: LabSwitches;
  /** A clock in milliseconds; without it, work is not measured. */
  readonly clock?: () => number;
};

/** Ticks at the start that are not judged: the scene comes to rest, clocks and buffers settle. */
const SETTLES = 1.5 * TICK_RATE;

/** The most ticks that a moment waits for its truth: far longer than any decision takes. */
const MOST_WAITING = 10 * TICK_RATE;
/** Added to the seed for the clocks, so that they share no chance with anything else. */
const CLOCKS = 0x1db7;
/** The highest tick at which a machine's clock begins: no model may take clocks to agree. */
const LATEST_CLOCK = 600;

type Sums = {
  ticks: number;
  /** For each machine. */
  steps: readonly number[];
  up: number;
  down: number;
  worldTick: number;
  work: readonly number[];
  refused: number;
};

/** The viewer's hand and picture in a tick, and its present then. They wait for their truth. */
type Moment = { readonly hand: Hand; readonly drawn: Float32Array; readonly present: number };

/**
 * One game by one model: its machines, the network between them, and the referee. It has no clock but its ticks.
 * The same options and hands give the same run.
 */
export class LabRun {
  readonly model: LabModel;
  readonly scene: LabScene;
  readonly game: LabGame;
  /** The viewer's picture after the last tick and the one before, and the truth then. */
  readonly drawn: Float32Array;
  readonly drawnBefore: Float32Array;
  readonly truth: Float32Array;
  readonly truthBefore: Float32Array;
  ticks = 0;
  readonly #options: RunOptions;
  readonly #network: LabNetwork;
  readonly #referee: LabReferee;
  /** For each machine its worlds, its milliseconds of work, and the tick until which it stands still. */
  readonly #worlds = new Map<number, LabWorld>();
  readonly #disposers: (() => void)[] = [];
  readonly #work: Float64Array;
  readonly #stalledUntil: Float64Array;
  /** The player whose screen is compared with the viewer's: the third if there is one, so that both are guests. */
  readonly #other: number;
  readonly #drawnByOther: Float32Array;
  readonly #decided: Float32Array;
  readonly #waiting: Moment[] = [];
  /** Counters when it had settled, and when recent figures were last asked for. */
  #begin: Sums = { ticks: 0, steps: [], up: 0, down: 0, worldTick: 0, work: [], refused: 0 };
  #recent: Sums = this.#begin;

  constructor(model: LabModel, options: RunOptions) {
    this.model = model;
    this.#options = options;
    this.scene = createLabScene(options.scene, options.seed, options.players);
    this.game = model.create(this.#setup());
    const machines = this.game.peers.length;
    this.#network = new LabNetwork(machines, options.seed, options.conditions);
    const size = this.scene.level.bodies.length * POSE_STRIDE;
    this.drawn = new Float32Array(size);
    this.drawnBefore = new Float32Array(size);
    this.truth = new Float32Array(size);
    this.truthBefore = new Float32Array(size);
    this.#drawnByOther = new Float32Array(size);
    this.#decided = new Float32Array(size);
    const players = this.scene.homes.length;
    this.#other = players > 2 ? players - 1 : 0;
    const halves = this.scene.level.bodies.map(({ template: { shape } }) =>
      shape.kind === 'box' ? shape.halfExtents[0] : 0,
    );
    this.#referee = new LabReferee({ halves, players }, VIEWER);
    this.#work = new Float64Array(machines);
    this.#stalledUntil = new Float64Array(machines);
    this.#look();
  }

  #setup(): GameSetup {
    const { conditions, rate, engines } = this.#options;
    const engine = engines[this.model.engine];
    const createSimulation = (): ReturnType<typeof createRestorableSimulation> => {
      const simulation = createRestorableSimulation(this.scene.level, engine);
      this.#disposers.push(() => simulation.dispose());
      return simulation;
    };
    const clocks = new Random(this.#options.seed + CLOCKS);
    const firstTicks = this.scene.homes.concat(this.scene.homes).map(() => 1 + clocks.below(LATEST_CLOCK));
    return {
      scene: this.scene,
      switches: this.#options.switches ?? BEST_SWITCHES,
      firstTick: (machine) => firstTicks[machine],
      sendEvery: TICK_RATE / (rate ?? this.model.rate),
      pathTicks: ((conditions.latencyMs ?? 0) + (conditions.jitterMs ?? 0)) / TICK_MS,
      createSimulation,
      createWorld: (owner) => {
        const world = new LabWorld(createSimulation());
        this.#worlds.set(owner, world);
        return world;
      },
    };
  }

  /** One tick of everybody. `hands` has one for each player. */
  step(hands: readonly Hand[]): void {
    const now = ++this.ticks * TICK_MS;
    const { peers } = this.game;
    const awake = peers
      .map((peer, machine) => ({ peer, machine }))
      .filter(({ machine }) => this.#isAwake(machine));
    for (const { peer, machine } of awake) {
      this.#measure(machine, () =>
        this.#network.receive(now, machine, (from, bytes) => peer.receive(now, from, bytes)),
      );
    }
    for (const { peer, machine } of awake)
      this.#measure(machine, () => peer.tick(hands[machine] ?? hands[0]));
    for (const { peer, machine } of awake) {
      this.#measure(machine, () =>
        peer.poll(now, (to, bytes) => this.#network.send(now, machine, to, bytes)),
      );
    }
    this.#look();
    if (this.ticks === SETTLES) this.#begin = this.#recent = this.#sums();
    if (this.ticks > SETTLES) this.#judge(hands[VIEWER]);
  }

  /** Judges this moment, or those before it whose truth has been decided by now. */
  #judge(hand: Hand): void {
    const { timeline } = this.game;
    this.game.peers[this.#other].view(this.#drawnByOther);
    this.#referee.compare(this.drawn, this.#drawnByOther);
    if (timeline === undefined) {
      this.#referee.observe(hand, this.drawn, this.truth);
      return;
    }
    const present = timeline.present(VIEWER);
    if (present >= 0) this.#waiting.push({ hand, drawn: this.drawn.slice(), present });
    for (let first = this.#waiting[0]; first !== undefined; first = this.#waiting[0]) {
      const isDecided = timeline.decided(VIEWER, first.present, this.#decided);
      if (isDecided) this.#referee.observe(first.hand, first.drawn, this.#decided);
      else if (this.#waiting.length < MOST_WAITING) return;
      this.#waiting.shift();
    }
  }

  /**
   * A machine stands still for some ticks, as a page in the background does. Nothing comes in, nothing goes out.
   */
  stall(machine: number, ticks: number): void {
    this.#stalledUntil[machine] = this.ticks + ticks;
  }

  #isAwake(machine: number): boolean {
    return this.ticks > this.#stalledUntil[machine];
  }

  #measure(machine: number, work: () => void): void {
    const { clock } = this.#options;
    const begun = clock?.() ?? 0;
    work();
    this.#work[machine] += (clock?.() ?? 0) - begun;
  }

  #look(): void {
    this.drawnBefore.set(this.drawn);
    this.truthBefore.set(this.truth);
    this.game.peers[VIEWER].view(this.drawn);
    this.game.truth(this.truth);
  }

  /** The measures since the run settled. */
  figures(): LabFigures {
    return this.#figuresSince(this.#begin, this.#referee.judgement, this.#sums());
  }

  /** The measures since the last call, for figures over time. */
  takeRecentFigures(): LabFigures {
    const sums = this.#sums();
    const figures = this.#figuresSince(this.#recent, this.#referee.takeRecent(), sums);
    this.#recent = sums;
    return figures;
  }

  #figuresSince(before: Sums, judgement: Judgement, sums: Sums): LabFigures {
    const { delays, pushes, errors, turns, screens, contested, jumps } = judgement;
    // Moments are judged late, but machines work and send all the time.
    const ticks = sums.ticks - before.ticks;
    const kbits = (bytes: number): number => (bytes * 8 * TICK_RATE) / ticks / 1000;
    return {
      delay: median(delays),
      push: median(pushes),
      pushes: pushes.length,
      errorMean: errors.mean,
      error95: errors.below(0.95),
      errorWorst: errors.count === 0 ? NaN : errors.worst,
      turn95: turns.below(0.95),
      screens95: screens.below(0.95),
      contested95: contested.below(0.95),
      jumps: (jumps * 60 * TICK_RATE) / judgement.ticks,
      up: kbits(sums.up - before.up),
      down: kbits(sums.down - before.down),
      steps: mostOf(sums.steps, before.steps) / ticks,
      work: this.#options.clock === undefined ? NaN : mostOf(sums.work, before.work) / ticks,
      memory: Math.max(...this.game.peers.map(({ report }) => report.kept)) / 1e6,
      speed: ((sums.worldTick - before.worldTick) * 100) / ticks,
      refused: Math.min(100, ((sums.refused - before.refused) * 100) / ticks),
    };
  }

  /** All counters from the beginning. */
  #sums(): Sums {
    const { up, down } = this.#network.bytes(VIEWER);
    const { peers } = this.game;
    // Handover's own peers have no world of the lab: they make a step in each tick.
    const steps = this.game.peers.map((_, machine) => this.#worlds.get(machine)?.steps ?? 0);
    return {
      up,
      down,
      steps: this.#worlds.size === 0 ? [this.ticks] : steps,
      worldTick: peers[VIEWER].report.worldTick,
      refused: peers[VIEWER].report.refused,
      ticks: this.ticks,
      work: [...this.#work],
    };
  }

  /** Frees the engines. */
  dispose(): void {
    for (const dispose of this.#disposers) dispose();
  }
}

/** The most that a machine's counter has grown. */
function mostOf(now: readonly number[], before: readonly number[]): number {
  return Math.max(...now.map((count, machine) => count - (before[machine] ?? 0)));
}

/** NaN if there are none. */
function median(values: readonly number[]): number {
  const sorted = Float64Array.from(values).sort();
  return sorted.length === 0 ? NaN : sorted[(sorted.length - 1) >> 1];
}
