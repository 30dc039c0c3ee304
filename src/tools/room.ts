import type { ConnectionId, Slot } from '../core/base/ids.ts';
import { TICK_MS } from '../core/base/constants.ts';
import { Random } from '../core/base/random.ts';
import type { Bot } from '../core/hands/bot.ts';
import type { BotName } from '../core/hands/bots.ts';
import { createBot } from '../core/hands/bots.ts';
import type { PlayerInput } from '../core/hands/hand-input.ts';
import { playerInput } from '../core/hands/hand-input.ts';
import type { LinkConditions } from '../core/link/network-simulator.ts';
import { Peer } from '../core/peer/peer.ts';
import type { Recorder } from '../core/peer/recorder.ts';
import type { Scene, SceneChoice } from '../core/world/scene.ts';
import { createScene } from '../core/world/scene.ts';
import type { Simulation } from '../core/world/simulation.ts';
import { createLoopback } from '../transport/loopback.ts';
import type { Loopback } from '../transport/loopback.ts';

export type RoomOptions = {
  readonly players: number;
  readonly scene: SceneChoice;
  readonly bots: BotName;
  readonly seed: number;
  readonly conditions: Partial<LinkConditions>;
  /** The tick from which on hands are still, and hold nothing. */
  readonly quietFrom: number;
  /** Hears what all peers are told, and send. */
  readonly recorder?: Recorder;
};

const HOST = 0 as Slot;
const FIRST_CONNECTION = 1 as ConnectionId;

/**
 * A whole room in one process: peers with an engine each, a network between them, bots at the hands, and
 * no clock but the ticks. The same options give the same run.
 */
export class Room {
  readonly peers: readonly Peer[];
  readonly scene: Scene;
  readonly loopback: Loopback;
  readonly inputs: readonly PlayerInput[];
  /** Steps made: every peer ticks once in each. */
  steps = 0;
  readonly #bots: readonly Bot[];
  readonly #quietFrom: number;
  readonly #recorder: Recorder | undefined;

  /** @param createSimulation makes an engine that holds the scene. */
  constructor(options: RoomOptions, createSimulation: (scene: Scene) => Simulation) {
    this.scene = createScene(options.scene);
    const random = new Random(options.seed);
    const slots = Array.from({ length: options.players }, (_, slot) => slot as Slot);
    this.loopback = createLoopback({
      seed: random.below(2 ** 31),
      slots: options.players,
      conditions: options.conditions,
    });
    this.peers = slots.map((slot) => {
      const name = `Player ${slot + 1}`;
      const simulation = createSimulation(this.scene);
      const recorder = options.recorder?.begin({ slot, host: HOST, name, scene: options.scene }) ?? null;
      return new Peer({ slot, host: HOST, scene: this.scene, simulation, name, recorder });
    });
    for (const slot of slots.slice(1)) {
      this.peers[HOST].connect(slot, FIRST_CONNECTION);
      this.peers[slot].connect(HOST, FIRST_CONNECTION);
    }
    this.inputs = slots.map(() => playerInput());
    this.#bots = slots.map((slot) =>
      createBot(options.bots, { slot, players: options.players, random: random.fork() }),
    );
    this.#quietFrom = options.quietFrom;
    this.#recorder = options.recorder;
  }

  /** Milliseconds since the start. */
  get now(): number {
    return this.steps * TICK_MS;
  }

  /** One step of everybody: receive, tick, send. `received` is called for each peer after it has received. */
  step(received?: (peer: Peer) => void): void {
    this.steps++;
    this.loopback.now = this.now;
    this.#recorder?.at(this.now);
    for (const peer of this.peers) this.#receive(peer, received);
    for (const peer of this.peers) {
      this.#act(peer);
      peer.tick(this.inputs[peer.state.self]);
    }
    for (const peer of this.peers) {
      const transport = this.loopback.transports[peer.state.self];
      peer.poll(
        this.now,
        (to, bytes) => transport.send(to, bytes),
        (to) => transport.ready(to),
      );
    }
  }

  #receive(peer: Peer, received?: (peer: Peer) => void): void {
    const now = this.now;
    this.loopback.transports[peer.state.self].receive(now, (from, bytes) => peer.receive(now, from, bytes));
    received?.(peer);
  }

  #act(peer: Peer): void {
    const slot = peer.state.self;
    const input = this.inputs[slot];
    const { records, motion } = peer.state.bodies;
    if (this.steps < this.#quietFrom) this.#bots[slot].act(this.steps, { records, motion }, input);
    else
      for (const hand of input.hands) {
        hand.grip = 0;
        hand.trigger = 0;
      }
  }

  /** Frees the engines. */
  dispose(): void {
    for (const peer of this.peers) peer.state.bodies.simulation.dispose();
  }
}
