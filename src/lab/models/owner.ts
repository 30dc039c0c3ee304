import { GRAVITY, TICK_SECONDS } from '../../core/base/constants.ts';
import { MOTION, POSE_STRIDE, STRIDE } from '../../core/base/state.ts';
import type { Hand } from '../game/hand.ts';
import { posesOf } from '../game/poses.ts';
import type { LabWorld } from '../game/world.ts';
import type { GameSetup, LabModel, LabPeer } from '../lab-model.ts';
import { peerReport } from '../lab-model.ts';
import type { ClockStamp } from '../network/clock-estimate.ts';
import { ClockEstimate, codeStamp } from '../network/clock-estimate.ts';
import type { Compensation } from '../network/lag-compensation.ts';
import { RemoteBody } from '../network/lag-compensation.ts';
import { motionsOf, SnapshotRing, startMotions } from '../network/snapshots.ts';
import { codeSnapshot, codeTick, readPacket, writePacket } from '../network/wire.ts';

/**
 * Owner-authoritative state with lag compensation. Each player simulates its own bodies and sends position,
 * rotation, velocities and the time; receivers make up for the age. Photon's PUN and many engines' network
 * transforms do so (Photon, "Lag Compensation for PUN"). Nobody arbitrates; a body has one owner for good.
 */

/** Bodies that belong to nobody are simulated by the first player, like the master client of such games. */
const MASTER = 0;

/** One of the other players: what was sent to it, what came from it, and its clock. */
class Remote {
  readonly sent: SnapshotRing;
  readonly got: SnapshotRing;
  readonly clock = new ClockEstimate();
  readonly bodies: readonly number[];
  /** The newest of our ticks that it has, and the newest of its ticks that we have. */
  acked = 0;
  newest = 0;

  constructor({ scene }: GameSetup, bodies: readonly number[]) {
    this.sent = new SnapshotRing(scene.level, scene.homes);
    this.got = new SnapshotRing(scene.level, scene.homes);
    this.bodies = bodies;
  }
}

/** A peer that simulates its own bodies, and receives all others from their owners. */
class OwnerPeer implements LabPeer {
  readonly report = peerReport();
  readonly #self: number;
  readonly #world: LabWorld;
  readonly #sendEvery: number;
  readonly #compensation: Compensation;
  readonly #own: readonly number[];
  /** One entry for each player; null at this player's own place. */
  readonly #remotes: readonly (Remote | null)[];
  readonly #bodies: readonly RemoteBody[];
  readonly #homes: readonly Hand[];
  readonly #heard: Float32Array;
  /** Bodies for which an update has come since the last tick. */
  readonly #isNew: Uint8Array;
  readonly #firstTick: number;
  #tick: number;

  constructor(setup: GameSetup, self: number, compensation: Compensation) {
    const { scene } = setup;
    this.#self = self;
    this.#compensation = compensation;
    this.#world = setup.createWorld(self);
    this.#sendEvery = setup.sendEvery;
    this.#homes = scene.homes;
    const bodies = scene.level.bodies.map((_, body) => body);
    const bodiesOf = (player: number): number[] => bodies.filter((body) => this.#ownerOf(body) === player);
    this.#own = bodiesOf(self);
    this.#remotes = scene.homes.map((_, player) =>
      player === self ? null : new Remote(setup, bodiesOf(player)),
    );
    const start = startMotions(scene.level);
    this.#bodies = bodies.map(
      (body) => new RemoteBody(start.subarray(body * STRIDE, (body + 1) * STRIDE), compensation),
    );
    this.#heard = new Float32Array(bodies.length * STRIDE);
    this.#isNew = new Uint8Array(bodies.length);
    this.#firstTick = setup.firstTick(self);
    this.#tick = this.#firstTick;
    this.report.kept = this.#remotes.reduce((n, r) => n + (r === null ? 0 : r.sent.bytes + r.got.bytes), 0);
  }

  receive(_nowMs: number, from: number, bytes: Uint8Array): void {
    const remote = this.#remotes[from];
    if (remote === null || remote === undefined) return;
    readPacket(bytes, (c) => {
      const stamp: ClockStamp = codeStamp(c, remote.clock.stamp(0));
      const acked = codeTick(c, 0);
      const snapshot = codeSnapshot(c, remote.got, 0, 0, remote.bodies);
      if (snapshot === null || c.failed) return;
      remote.clock.take(stamp, this.#tick);
      remote.acked = Math.max(remote.acked, acked);
      if (snapshot.tick <= remote.newest) return;
      remote.newest = snapshot.tick;
      motionsOf(snapshot, this.#heard);
      // The age before the engine steps, which adds a tick; by displacement no engine adds it.
      const shown = this.#tick + (this.#compensation === 'displace' ? 1 : 0);
      const age = (shown + remote.clock.ahead - snapshot.tick) * TICK_SECONDS;
      for (const body of remote.bodies) {
        this.#bodies[body].hear(this.#heard, body * STRIDE, age);
        this.#isNew[body] = 1;
      }
    });
  }

  tick(hand: Hand): void {
    this.#tick++;
    this.report.worldTick = this.#tick - this.#firstTick;
    for (const remote of this.#remotes) remote?.bodies.forEach((body) => this.#place(body));
    this.#world.step(this.#homes.map((_, player) => (player === this.#self ? hand : null)));
    for (const remote of this.#remotes) {
      remote?.sent.keep(this.#tick, this.#world.motion, this.#homes);
      remote?.bodies.forEach((body) => this.#follow(body));
    }
  }

  /** Puts a body of another player into the engine, where it pushes this player's bodies. */
  #place(body: number): void {
    const remote = this.#bodies[body];
    remote.pull();
    if (this.#compensation === 'add' && this.#isNew[body] === 0 && !this.#isHeld(body)) return;
    this.#isNew[body] = 0;
    // A hand holds it there, so it does not fall here.
    if (this.#isHeld(body)) remote.motion[MOTION.linear + 1] += GRAVITY * TICK_SECONDS;
    this.#world.set(body, remote.motion, 0);
  }

  /** Takes over where the engine has carried a body. Without an engine's body it stays where it was drawn. */
  #follow(body: number): void {
    if (this.#compensation === 'displace') {
      this.#bodies[body].motion.fill(0, MOTION.linear);
      return;
    }
    const { motion } = this.#world;
    this.#bodies[body].motion.set(motion.subarray(body * STRIDE, (body + 1) * STRIDE));
  }

  #ownerOf(body: number): number {
    return ownerOf(body, this.#homes.length);
  }

  #isHeld(body: number): boolean {
    return body < this.#homes.length;
  }

  poll(_nowMs: number, send: (to: number, bytes: Uint8Array) => void): void {
    if (this.#tick % this.#sendEvery !== 0) return;
    this.#remotes.forEach((remote, player) => {
      if (remote === null) return;
      const bytes = writePacket((c) => {
        codeStamp(c, remote.clock.stamp(this.#tick));
        codeTick(c, remote.newest);
        codeSnapshot(c, remote.sent, this.#tick, remote.acked, this.#own);
      });
      send(player, bytes);
    });
  }

  view(out: Float32Array): void {
    posesOf(this.#world.motion, out);
    if (this.#compensation !== 'displace') return;
    for (const remote of this.#remotes)
      remote?.bodies.forEach((body) =>
        out.set(this.#bodies[body].motion.subarray(0, POSE_STRIDE), body * POSE_STRIDE),
      );
  }
}

/** The player that owns a body, for good. */
function ownerOf(body: number, players: number): number {
  return body < players ? body : MASTER;
}

function createOwnerGame(setup: GameSetup, compensation: Compensation): ReturnType<LabModel['create']> {
  const { homes, level } = setup.scene;
  const peers = homes.map((_, player) => new OwnerPeer(setup, player, compensation));
  const count = level.bodies.length;
  const views = peers.map(() => new Float32Array(count * POSE_STRIDE));
  return {
    peers,
    simulator: (body) => ownerOf(body, homes.length),
    truth(out) {
      peers.forEach((peer, player) => peer.view(views[player]));
      for (let body = 0; body < count; body++) {
        const [at, end] = [body * POSE_STRIDE, (body + 1) * POSE_STRIDE];
        out.set(views[ownerOf(body, homes.length)].subarray(at, end), at);
      }
    },
  };
}

const SUITS =
  'Vehicles and avatars that seldom touch; co-operative games among friends, where each has its own things.';

export const ownerAdding: LabModel = {
  id: 'owner-add',
  title: 'Owner’s state, velocity times lag',
  look: 'What moves evenly is where it truly is, whatever the latency; at each turn and blow it overshoots and jumps back. The engine carries on from update to update.',
  suits: SUITS,
  engine: 'fastest',
  rate: 60,
  create: (setup) => createOwnerGame(setup, 'add'),
};

export const ownerMoving: LabModel = {
  id: 'owner-move',
  title: 'Owner’s state, bounded rate',
  look: 'The engine carries each body on with its sent velocity, and a pull of one metre a second takes the rest of the error back: smooth, and late after each blow.',
  suits: SUITS,
  engine: 'fastest',
  rate: 60,
  create: (setup) => createOwnerGame(setup, 'move'),
};

export const ownerDisplacing: LabModel = {
  id: 'owner-displace',
  title: 'Owner’s state, by displacement',
  look: 'For things without a rigid body: each goes to where its last movement leads, a little faster than it moved.',
  suits: 'Things without a rigid body, moved by animation or by hand.',
  engine: 'fastest',
  rate: 60,
  create: (setup) => createOwnerGame(setup, 'displace'),
};
