import { POSE_STRIDE, STRIDE } from '../../core/base/state.ts';
import type { Hand } from '../game/hand.ts';
import type { Compensation } from '../network/lag-compensation.ts';
import { RemoteBody } from '../network/lag-compensation.ts';
import type { GameSetup, LabModel, LabPeer } from '../lab-model.ts';
import { peerReport } from '../lab-model.ts';
import { posesOf } from '../game/poses.ts';
import { PLAYERS } from '../game/scenes.ts';
import { motionsOf, SnapshotRing, startMotions } from '../network/snapshots.ts';
import { codeSnapshot, codeTick, readPacket, writePacket } from '../network/wire.ts';
import type { LabWorld } from '../game/world.ts';

/** Bodies that belong to nobody are simulated by the first player, like the master client of such games. */
const MASTER = 0;

/** The player that owns a body, for good. */
function ownerOf(body: number): number {
  return body < PLAYERS ? body : MASTER;
}

/** A peer that simulates its own bodies, and receives all others from their owners. */
class OwnerPeer implements LabPeer {
  readonly report = peerReport();
  readonly #self: number;
  readonly #world: LabWorld;
  readonly #sendEvery: number;
  readonly #compensation: Compensation;
  readonly #own: readonly number[];
  readonly #theirs: readonly number[];
  readonly #remote: readonly RemoteBody[];
  readonly #sent: SnapshotRing;
  readonly #got: SnapshotRing;
  readonly #homes: readonly Hand[];
  readonly #heard: Float32Array;
  #acked = 0;
  #newest = 0;
  #tick = 0;

  constructor(setup: GameSetup, self: number, compensation: Compensation) {
    const { scene } = setup;
    this.#self = self;
    this.#compensation = compensation;
    this.#world = setup.createWorld(self);
    this.#sendEvery = setup.sendEvery;
    const bodies = scene.bodies.bodies.map((_, body) => body);
    this.#own = bodies.filter((body) => ownerOf(body) === self);
    this.#theirs = bodies.filter((body) => ownerOf(body) !== self);
    const start = startMotions(scene.bodies);
    this.#remote = bodies.map((body) => new RemoteBody(start.subarray(body * STRIDE, (body + 1) * STRIDE)));
    this.#sent = new SnapshotRing(scene.bodies, scene.homes);
    this.#got = new SnapshotRing(scene.bodies, scene.homes);
    this.#homes = scene.homes;
    this.#heard = new Float32Array(bodies.length * STRIDE);
    this.report.kept = this.#sent.bytes + this.#got.bytes;
  }

  receive(_nowMs: number, _from: number, bytes: Uint8Array): void {
    readPacket(bytes, (c) => {
      const acked = codeTick(c, 0);
      const snapshot = codeSnapshot(c, this.#got, 0, 0, this.#theirs);
      if (snapshot === null) return;
      this.#acked = Math.max(this.#acked, acked);
      if (snapshot.tick <= this.#newest) return;
      this.#newest = snapshot.tick;
      motionsOf(snapshot, this.#heard);
      for (const body of this.#theirs) this.#remote[body].hear(snapshot.tick, this.#heard, body * STRIDE);
    });
  }

  tick(hand: Hand): void {
    this.report.worldTick = ++this.#tick;
    for (const body of this.#theirs) {
      this.#remote[body].advance(this.#tick, this.#compensation);
      this.#place(this.#remote[body], body);
    }
    this.#world.step(this.#homes.map((_, player) => (player === this.#self ? hand : null)));
    this.#sent.keep(this.#tick, this.#world.motion, this.#homes);
  }

  /** Goes into the engine with its velocity, so that it pushes this peer's bodies. */
  #place({ drawn, motion }: RemoteBody, body: number): void {
    placed.set(motion);
    placed.set(drawn);
    this.#world.set(body, placed, 0);
  }

  poll(_nowMs: number, send: (to: number, bytes: Uint8Array) => void): void {
    if (this.#tick % this.#sendEvery !== 0) return;
    const bytes = writePacket((c) => {
      codeTick(c, this.#newest);
      codeSnapshot(c, this.#sent, this.#tick, this.#acked, this.#own);
    });
    send(this.#self === 0 ? 1 : 0, bytes);
  }

  view(out: Float32Array): void {
    posesOf(this.#world.motion, out);
    for (const body of this.#theirs) out.set(this.#remote[body].drawn, body * POSE_STRIDE);
  }
}

const placed = new Float32Array(STRIDE);

function createOwnerGame(setup: GameSetup, compensation: Compensation): ReturnType<LabModel['create']> {
  const peers = setup.scene.homes.map((_, player) => new OwnerPeer(setup, player, compensation));
  const count = setup.scene.bodies.bodies.length;
  const views = peers.map(() => new Float32Array(count * POSE_STRIDE));
  return {
    peers,
    simulator: ownerOf,
    truth(out) {
      peers.forEach((peer, player) => peer.view(views[player]));
      for (let body = 0; body < count; body++) {
        const [at, end] = [body * POSE_STRIDE, (body + 1) * POSE_STRIDE];
        out.set(views[ownerOf(body)].subarray(at, end), at);
      }
    },
  };
}

/**
 * Owner-authoritative state with lag compensation. Each player simulates its own bodies and sends position,
 * rotation, velocities and the time; receivers compensate for the age. Photon's PUN and many engines' network
 * transforms do so (Photon, "Lag Compensation for PUN"). Nobody arbitrates; a body has one owner for good.
 */
const SUITS =
  'Vehicles and avatars that seldom touch; co-operative games among friends, where each has its own things.';

export const ownerAdding: LabModel = {
  id: 'owner-add',
  title: 'Owner’s state, velocity times lag',
  look: 'What moves evenly is where it truly is, whatever the latency; at each turn and blow it overshoots and jumps back.',
  suits: SUITS,
  engine: 'fastest',
  rate: 60,
  create: (setup) => createOwnerGame(setup, 'add'),
};

export const ownerMoving: LabModel = {
  id: 'owner-move',
  title: 'Owner’s state, bounded rate',
  look: 'As with velocity times lag, but drawn there no faster than a body goes: smoother, and a little later after each blow.',
  suits: SUITS,
  engine: 'fastest',
  rate: 60,
  create: (setup) => createOwnerGame(setup, 'move'),
};

export const ownerDisplacing: LabModel = {
  id: 'owner-displace',
  title: 'Owner’s state, by displacement',
  look: 'No velocity is known here: a body goes on by as much as it went between two updates. The fewer come, the wilder.',
  suits: 'Things without a rigid body, moved by animation or by hand.',
  engine: 'fastest',
  rate: 60,
  create: (setup) => createOwnerGame(setup, 'displace'),
};
