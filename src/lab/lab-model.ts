import type { Simulation } from '../core/world/simulation.ts';
import type { Hand } from './game/hand.ts';
import type { LabScene } from './game/scenes.ts';
import type { LabWorld } from './game/world.ts';

/**
 * One machine of a game: a player's, or a server. As with Handover's own Peer, time and bytes go in, bytes and
 * poses come out, and its owner calls these four, in this order, once a tick.
 */
export interface LabPeer {
  /** Takes in a packet of another machine. Never throws on what it is given. */
  receive(nowMs: number, from: number, bytes: Uint8Array): void;
  /** Advances by a tick; a server takes no notice of the hand. */
  tick(hand: Hand): void;
  /** Hands out this tick's packets; the bytes are valid until `send` returns. */
  poll(nowMs: number, send: (to: number, bytes: Uint8Array) => void): void;
  /** Where each body is drawn after this tick: POSE_STRIDE numbers a body. */
  view(out: Float32Array): void;
  readonly report: Readonly<PeerReport>;
}

/** What a machine says of itself; what can be seen from outside is for the referee. */
export type PeerReport = {
  /** The tick of the world that it has come to: it stands while a model waits. */
  worldTick: number;
  /** Bytes of what it keeps beside the world: histories of hands, states and snapshots. */
  kept: number;
  /** Times that it found that what it had predicted was wrong. */
  corrections: number;
  /** What a player should be told now, or ''. */
  word: string;
};

export function peerReport(): PeerReport {
  return { worldTick: 0, kept: 0, corrections: 0, word: '' };
}

/** What a game is made of. */
export type GameSetup = {
  readonly scene: LabScene;
  /** Ticks between two packets that say what became of bodies. Hands travel in every tick. */
  readonly sendEvery: number;
  /** Ticks that a packet takes at the most, but for strays: what a lobby would have measured before the game. */
  readonly pathTicks: number;
  /** A world of the scene, in the build that the model needs. */
  createWorld(owner: number): LabWorld;
  /** An engine of the scene, for Handover's Peer, which has its own rules for it. */
  createSimulation(owner: number): Simulation;
};

/** All machines of a game. The players come first, then the server, if there is one. */
export type LabGame = {
  readonly peers: readonly LabPeer[];
  /** Where each body is at this instant on the machine that simulates it: POSE_STRIDE numbers a body. */
  truth(out: Float32Array): void;
  /** The player whose machine simulates a body for all; -1 for nobody's alone, which goes for all where this is not. */
  simulator?(body: number): number;
};

/** A way to network physics. */
export type LabModel = {
  readonly id: string;
  readonly title: string;
  /** What to look at, and what it is good for: for whoever chooses. */
  readonly look: string;
  readonly suits: string;
  /** `deterministic`: it relies on every machine computing the same, bit for bit. */
  readonly engine: 'fastest' | 'deterministic';
  /** Packets a second that say what became of bodies, at its best; 60 where none do. */
  readonly rate: number;
  create(setup: GameSetup): LabGame;
};
