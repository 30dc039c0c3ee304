import type { BodyId, ConnectionId, Slot } from '../../core/base/ids.ts';
import { copyPose } from '../../core/base/math.ts';
import { POSE_STRIDE, STRIDE } from '../../core/base/state.ts';
import type { PlayerInput } from '../../core/hands/hand-input.ts';
import { playerInput } from '../../core/hands/hand-input.ts';
import { Peer } from '../../core/peer/peer.ts';
import { peerView } from '../../core/peer/shown/peer-view.ts';
import { drive } from '../game/drive.ts';
import type { Hand } from '../game/hand.ts';
import { HAND_STEPS, sameHand } from '../game/hand.ts';
import type { GameSetup, LabModel, LabPeer } from '../lab-model.ts';
import { peerReport } from '../lab-model.ts';

const HOST = 0 as Slot;
const CONNECTION = 1 as ConnectionId;

/** Handover's own Peer. Its player pulls a cube of its own instead of grabbing others. */
class AuthorityPeer implements LabPeer {
  readonly report = peerReport();
  readonly peer: Peer;
  readonly #own: BodyId;
  readonly #input: PlayerInput = playerInput();
  readonly #view;
  /** The hand of the last tick; null before the first, in which the cube is grabbed. */
  #hand: Hand | null = null;

  constructor(setup: GameSetup, player: number) {
    const { level, homes } = setup.scene;
    const slot = player as Slot;
    this.peer = new Peer({ slot, host: HOST, level: level, simulation: setup.createSimulation(player) });
    this.peer.sendEvery = setup.sendEvery;
    this.#own = player as BodyId;
    this.#view = peerView(level.bodies.length);
    copyPose(level.bodies[player].start, this.#input.head);
    for (const other of homes.keys()) {
      const isLinked = other !== player && (player === HOST || other === HOST);
      if (isLinked) this.peer.connect(other as Slot, CONNECTION);
    }
    // Baselines of each direction, and the flights that were predicted.
    const said = 2 * (homes.length - 1) * BASELINES * level.bodies.length * (8 + STRIDE) * 4;
    this.report.kept = said + this.peer.diagnostics.flightBytes;
  }

  receive(nowMs: number, from: number, bytes: Uint8Array): void {
    this.peer.receive(nowMs, from as Slot, bytes);
  }

  tick(hand: Hand): void {
    this.#pull(hand);
    this.peer.tick(this.#input);
    this.report.worldTick = this.peer.diagnostics.tick;
  }

  poll(nowMs: number, send: (to: number, bytes: Uint8Array) => void): void {
    this.peer.poll(nowMs, send);
  }

  view(out: Float32Array): void {
    this.peer.view(1, null, this.#view);
    out.set(this.#view.poses);
  }

  /** The hand pulls the player's cube: it grabs it and releases it like any body [A6], [A7]. */
  #pull(hand: Hand): void {
    const { driver, bodies } = this.peer.diagnostics;
    const { motion } = driver;
    const own = this.#own;
    const moved = this.#hand === null || !sameHand(hand, this.#hand) || isAway(motion, own, hand);
    this.#hand = hand;
    if (!driver.has(own) && (!moved || !driver.grab(own))) return;
    if (bodies.records.resting[own] === 1) {
      // A cube that hangs still in a still hand rests, like any body.
      if (!moved) return;
      driver.wake(own);
    }
    drive(motion, own, hand);
    driver.record(own);
  }
}

/** Packets whose states are kept as baselines. */
const BASELINES = 64;
/** Metres from its hand at which a cube counts as pushed away. */
const AWAY = 0.02;

function isAway(motion: Float32Array, body: number, hand: Hand): boolean {
  const at = body * STRIDE;
  const x = motion[at] - hand.x / HAND_STEPS;
  const y = motion[at + 1] - hand.y / HAND_STEPS;
  const z = motion[at + 2] - hand.z / HAND_STEPS;
  return x * x + y * y + z * z > AWAY * AWAY;
}

/**
 * Distributed authority: Handover itself. Each player's machine simulates the bodies that the player touches,
 * and is believed; a host arbitrates. After Glenn Fiedler, "Networked Physics in Virtual Reality" (2018), and
 * PROTOCOL.md here.
 */
export const authority: LabModel = {
  id: 'authority',
  title: 'Distributed authority',
  look: 'Your cube, and all that it pushes, moves at once at any latency; what the other player moves is smooth, and 100 ms late. Two who push one cube share it by turns.',
  suits:
    'Friends who handle physics together: virtual reality, sandboxes, co-operative play. It trusts its players.',
  engine: 'fastest',
  rate: 60,
  create(setup) {
    const peers = setup.scene.homes.map((_, player) => new AuthorityPeer(setup, player));
    const count = setup.scene.level.bodies.length;
    const views = peers.map(() => new Float32Array(count * POSE_STRIDE));
    return {
      peers,
      simulator: (body) => peers[HOST].peer.diagnostics.bodies.records.authority[body],
      truth(out) {
        peers.forEach((peer, player) => peer.view(views[player]));
        for (let body = 0; body < count; body++) {
          const simulator = peers[HOST].peer.diagnostics.simulatorOf(body as BodyId);
          const [at, end] = [body * POSE_STRIDE, (body + 1) * POSE_STRIDE];
          out.set(views[simulator].subarray(at, end), at);
        }
      },
    };
  },
};
