import type { Simulation } from '../core/world/simulation.ts';
import type { Hand } from './game/hand.ts';
import type { LabScene } from './game/scenes.ts';
import type { LabSwitches } from './switches.ts';
import type { LabWorld } from './game/world.ts';

/**
 * One machine of a game: a player's, or a server. Like Handover's own Peer, it takes time and bytes in and gives
 * bytes and poses out. Its owner calls these four methods, in this order, once a tick.
 */
export interface LabPeer {
  /** Takes in a packet of another machine. Never throws on bad input. */
  receive(nowMs: number, from: number, bytes: Uint8Array): void;
  /** Advances by a tick. A server ignores the hand. */
  tick(hand: Hand): void;
  /** Hands out this tick's packets. The bytes are valid until `send` returns. */
  poll(nowMs: number, send: (to: number, bytes: Uint8Array) => void): void;
  /** Writes the drawn pose of each body after this tick: POSE_STRIDE numbers a body. */
  view(out: Float32Array): void;
  readonly report: Readonly<PeerReport>;
}

/** A machine's own figures. Everything that can be seen from outside belongs to the referee. */
export type PeerReport = {
  /** The tick that the world has reached. It stands while a model waits. */
  worldTick: number;
  /** Bytes of histories: hands, states and snapshots. */
  kept: number;
  /** Number of predictions that turned out wrong. */
  corrections: number;
  /** Hands of this player that the machine that decides has refused, because they came too late. */
  refused: number;
  /** A sentence for the player, or ''. */
  word: string;
};

/** A report in which nothing has happened yet. */
export function peerReport(): PeerReport {
  return { worldTick: 0, kept: 0, corrections: 0, refused: 0, word: '' };
}

/** The parts of a game. */
export type GameSetup = {
  /** Has one home for each player. */
  readonly scene: LabScene;
  readonly switches: LabSwitches;
  /** The tick at which a machine's clock begins. No two machines agree, and none knows another's. */
  firstTick(machine: number): number;
  /** Ticks between two packets with states of bodies. Hands travel in every tick. */
  readonly sendEvery: number;
  /** The most ticks that a packet takes, apart from strays; a lobby would have measured it before the game. */
  readonly pathTicks: number;
  /** Makes a world of the scene, in the engine build that the model needs. */
  createWorld(owner: number): LabWorld;
  /** Makes an engine of the scene for Handover's Peer, which has its own rules. */
  createSimulation(owner: number): Simulation;
};

/** How the ticks of players and of the machine that decides belong together. */
export interface Timeline {
  /** A player's present: the tick that its own simulation has reached; -1 before it has begun. It never falls. */
  present(player: number): number;
  /**
   * Writes where each body is in the state that the deciding machine keeps, in the end, for a player's tick.
   * @returns false while that is still open.
   */
  decided(player: number, tick: number, out: Float32Array): boolean;
}

/** All machines of a game. The players come first, then the server, if there is one. */
export type LabGame = {
  readonly peers: readonly LabPeer[];
  /** Writes where each body is at this instant on the machine that decides: POSE_STRIDE numbers a body. */
  truth(out: Float32Array): void;
  /**
   * For models whose players simulate in ticks that the deciding machine reaches sooner or later. Without it, a
   * player's present is this instant.
   */
  readonly timeline?: Timeline;
  /**
   * The player whose machine simulates a body for everyone; -1 if no single machine does. Without this method it
   * is -1 for all.
   */
  simulator?(body: number): number;
};

/** A network model. */
export type LabModel = {
  readonly id: string;
  readonly title: string;
  /** For the person who chooses: what to look at, and what the model is good for. */
  readonly look: string;
  readonly suits: string;
  /** `deterministic`: it needs every machine to compute the same, bit for bit. */
  readonly engine: 'fastest' | 'deterministic';
  /** The usual rate of packets with states of bodies, per second; 60 for models that send none. */
  readonly rate: number;
  create(setup: GameSetup): LabGame;
};
