import type { BodyId } from '../core/base/ids.ts';
import { POSE_STRIDE, STRIDE } from '../core/base/state.ts';
import type { Peer } from '../core/peer/peer.ts';
import type { PeerView } from '../core/peer/shown/peer-view.ts';
import { peerView } from '../core/peer/shown/peer-view.ts';
import type { Joint } from '../core/world/joints/joint.ts';
import { jointError } from './joint-error.ts';
import type { RoomHarness } from './room.ts';

/** Lengths are counted to a tenth of a millimetre, up to a metre. */
const STEPS_PER_METRE = 10_000;

/** Counts lengths. */
export class Lengths {
  readonly #counts = new Uint32Array(STEPS_PER_METRE + 1);
  count = 0;
  /** Metres. */
  longest = 0;

  /** @param length in metres, not below 0. */
  add(length: number): void {
    this.#counts[Math.min(Math.round(length * STEPS_PER_METRE), STEPS_PER_METRE)]++;
    this.count++;
    this.longest = Math.max(this.longest, length);
  }

  /** @param share from 0 to 1. @returns metres: so great a share of all lengths is at most this; 0 without any. */
  percentile(share: number): number {
    let left = share * this.count;
    const at = this.#counts.findIndex((count) => (left -= count) <= 0);
    return Math.max(at, 0) / STEPS_PER_METRE;
  }
}

/** Metres by which the ends of a joint are apart when a player notices it. */
const NOTICED = 0.05;

/** Measures by how much the ends of joints that move are apart: as players draw others' islands, and in the engines. */
export class Screens {
  /** Metres, of each joint in each picture of a player that does not simulate it. */
  readonly drawn: Lengths;
  /** Metres, of each joint in each tick of the player that simulates it. */
  readonly simulated: Lengths;
  /** The longest time for which a player saw an error of more than 5 cm, in ticks. */
  longest = 0;
  /** Islands that came under another player. */
  changes = 0;
  readonly #room: RoomHarness;
  readonly #view: PeerView;
  readonly #lasts = new Map<string, number>();
  readonly #had: Int8Array;

  /** @param before counts go on from these; left out for the first room. */
  constructor(room: RoomHarness, before?: Pick<Screens, 'drawn' | 'simulated'>) {
    this.drawn = before?.drawn ?? new Lengths();
    this.simulated = before?.simulated ?? new Lengths();
    this.#room = room;
    this.#view = peerView(room.level.bodies.length);
    this.#had = new Int8Array(room.level.bodies.length).fill(-1);
  }

  /** Call it after each step of the room. */
  look(): void {
    const { records } = this.#room.peers[0].diagnostics.bodies;
    for (let body = 0 as BodyId; body < records.count; body++) {
      const has = records.authority[body];
      if (has >= 0 && has !== this.#had[body] && records.islands.rootOf(body) === body) this.changes++;
      this.#had[body] = has;
    }
    for (const peer of this.#room.peers) {
      peer.view(0.5, null, this.#view);
      this.#room.level.joints.forEach((joint, i) => this.#measure(peer, joint, i));
    }
  }

  #measure({ diagnostics }: Peer, joint: Joint, index: number): void {
    const body = joint.ends[1].body as BodyId;
    const { slot, bodies } = diagnostics;
    const key = `${slot} ${index}`;
    // Joints that rest or are this player's own are in the picture, too, and may be whole there after they were torn.
    const error = jointError(joint, { numbers: this.#view.poses, stride: POSE_STRIDE });
    const lasts = error > NOTICED ? (this.#lasts.get(key) ?? 0) + 1 : 0;
    this.#lasts.set(key, lasts);
    this.longest = Math.max(this.longest, lasts);
    if (bodies.records.resting[body] === 1) return;
    if (diagnostics.simulatorOf(body) !== slot) this.drawn.add(error);
    else this.simulated.add(jointError(joint, { numbers: bodies.motion, stride: STRIDE }));
  }
}
