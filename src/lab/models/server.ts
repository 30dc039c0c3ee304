import { POSE_STRIDE, STRIDE } from '../../core/base/state.ts';
import type { Hand } from '../game/hand.ts';
import type { Intake } from '../game/intake.ts';
import { NewestIntake } from '../game/intake.ts';
import type { GameSetup, LabGame, LabModel, LabPeer, PeerReport } from '../lab-model.ts';
import { peerReport } from '../lab-model.ts';
import type { LabPlayback } from '../network/playback.ts';
import { Latest } from '../network/playback.ts';
import { posesOf } from '../game/poses.ts';
import { DecidedPoses } from '../game/decided-poses.ts';
import { PlayerLine, ServerLine } from '../network/server-line.ts';
import { motionsOf, SnapshotRing, startMotions } from '../network/snapshots.ts';
import type { LabWorld } from '../game/world.ts';

/** The number of the machine that is no player's. */
export function serverOf({ scene }: GameSetup): number {
  return scene.homes.length;
}

/** A server at a fixed rate. It alone simulates, with the hands that have arrived, and sends the result. */
export class StateServer implements LabPeer {
  readonly report = peerReport();
  readonly #world: LabWorld;
  readonly #intakes: readonly Intake[];
  readonly #lines: readonly PlayerLine[];
  /** The snapshots that each player was sent, with how each was coded. */
  readonly #snapshots: readonly SnapshotRing[];
  readonly #bodies: readonly number[];
  readonly #sendEvery: number;
  readonly #gap: GameSetup['switches']['gap'];
  /** Poses by the server's ticks; and for each player, by the player's ticks, those that have its hand of that tick. */
  readonly #poses: Float32Array;
  readonly #decided: readonly DecidedPoses[];
  readonly #decidedUpTo: number[];
  #hands: readonly Hand[];
  #tick = 0;

  constructor(setup: GameSetup, createIntake: (home: Hand) => Intake) {
    const { scene } = setup;
    this.#world = setup.createWorld(serverOf(setup));
    this.#gap = setup.switches.gap;
    this.#poses = new Float32Array(scene.level.bodies.length * POSE_STRIDE);
    this.#decided = scene.homes.map(() => new DecidedPoses(scene.level.bodies.length));
    this.#decidedUpTo = scene.homes.map(() => 0);
    this.#intakes = scene.homes.map(createIntake);
    this.#lines = scene.homes.map((home) => new PlayerLine(home));
    this.#snapshots = scene.homes.map(() => new SnapshotRing(scene.level, scene.homes));
    this.#bodies = scene.level.bodies.map((_, body) => body);
    this.#sendEvery = setup.sendEvery;
    this.#hands = scene.homes;
    this.report.kept = this.#snapshots.reduce((bytes, ring) => bytes + ring.bytes, 0);
  }

  receive(_nowMs: number, from: number, bytes: Uint8Array): void {
    this.#lines[from]?.receive(bytes, (tick, hand) => this.#intakes[from].take(tick, hand));
  }

  tick(): void {
    // It starts when everybody is present, as a match does.
    if (!this.#intakes.every(({ hasBegun }) => hasBegun)) return;
    this.#hands = this.#intakes.map((intake) => intake.next());
    const stands = (player: number): boolean => this.#gap === 'stand' && this.#intakes[player].isGap;
    this.#world.step(this.#hands.map((hand, player) => (stands(player) ? 'stand' : hand)));
    this.report.worldTick = ++this.#tick;
    this.#decide();
  }

  /** The first state that has a player's hand of a tick is the one that the player's picture of it is judged by. */
  #decide(): void {
    posesOf(this.#world.motion, this.#poses);
    this.#intakes.forEach(({ applied }, player) => {
      while (this.#decidedUpTo[player] < applied)
        this.#decided[player].put(++this.#decidedUpTo[player], this.#poses);
    });
  }

  /** Writes the poses of the first state that has a player's hand of one of its ticks. @returns false if there is none. */
  decided(player: number, tick: number, out: Float32Array): boolean {
    return this.#decided[player].read(tick, out);
  }

  poll(_nowMs: number, send: (to: number, bytes: Uint8Array) => void): void {
    if (this.#tick === 0 || this.#tick % this.#sendEvery !== 0) return;
    this.#lines.forEach((line, player) => {
      const snapshots = this.#snapshots[player];
      snapshots.keep(this.#tick, this.#world.motion, this.#hands);
      send(player, line.write(snapshots, this.#tick, this.#intakes[player].applied, this.#bodies));
    });
  }

  view(out: Float32Array): void {
    posesOf(this.#world.motion, out);
  }
}

/** A client that draws what arrives, and simulates nothing. */
class DrawingClient implements LabPeer {
  readonly report: PeerReport = peerReport();
  readonly #line: ServerLine;
  readonly #playback: LabPlayback;
  readonly #drawn: Float32Array;
  readonly #count: number;
  readonly #server: number;

  constructor(setup: GameSetup, player: number, playback: LabPlayback) {
    this.#line = new ServerLine(setup.scene, player);
    this.#playback = playback;
    this.#server = serverOf(setup);
    this.#count = setup.scene.level.bodies.length;
    this.#drawn = new Float32Array(this.#count * POSE_STRIDE);
    posesOf(startMotions(setup.scene.level), this.#drawn);
    this.report.kept = this.#line.snapshots.bytes;
  }

  receive(_nowMs: number, _from: number, bytes: Uint8Array): void {
    const snapshot = this.#line.receive(bytes);
    if (snapshot === null) return;
    const motion = new Float32Array(this.#count * STRIDE);
    motionsOf(snapshot, motion);
    this.report.worldTick = snapshot.worldTick;
    this.#playback.add({ tick: snapshot.worldTick, motion }, this.#line.tick + 1);
  }

  tick(hand: Hand): void {
    this.#line.note(hand);
    this.#playback.advance(this.#line.tick, this.#drawn);
  }

  poll(_nowMs: number, send: (to: number, bytes: Uint8Array) => void): void {
    send(this.#server, this.#line.write(false));
  }

  view(out: Float32Array): void {
    out.set(this.#drawn);
  }
}

/** A server and clients that draw by a playback each. */
export function createDrawnGame(setup: GameSetup, createPlayback: (bodies: number) => LabPlayback): LabGame {
  const server = new StateServer(setup, (home) => new NewestIntake(home));
  const bodies = setup.scene.level.bodies.length;
  const clients = setup.scene.homes.map(
    (_, player) => new DrawingClient(setup, player, createPlayback(bodies)),
  );
  return { peers: [...clients, server], truth: (out) => server.view(out) };
}

/**
 * Server authority, the simplest model. Clients send their hands; a server simulates at a fixed rate and sends
 * the result; clients draw it as it arrives. Everybody sees the same, nobody can cheat, and own hands are a
 * round trip late. Gabriel Gambetta, "Client-Server Game Architecture",
 * explains it.
 */
export const simpleServer: LabModel = {
  id: 'server',
  title: 'Server authority',
  look: 'Your own cube starts a whole round trip after your hand. All else is simple: everybody sees the same, only late.',
  suits: 'Turn-based and slow games, tools, local networks; whatever must not be cheated at and can wait.',
  engine: 'fastest',
  rate: 60,
  create: (setup) => createDrawnGame(setup, () => new Latest()),
};
