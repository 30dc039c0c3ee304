import { WATCHER_SLOT } from '../../src/core/base/constants.ts';
import type { BodyId, Slot } from '../../src/core/base/ids.ts';
import { Random } from '../../src/core/base/random.ts';
import { STRIDE } from '../../src/core/base/state.ts';
import { playerInput } from '../../src/core/hands/hand-input.ts';
import { BROADCAST_CONNECTION } from '../../src/core/peer/outgoing/broadcast.ts';
import { Peer } from '../../src/core/peer/peer.ts';
import type { RoomHarness } from '../../src/harness/room.ts';
import { createRapierSimulation } from '../../src/physics/rapier-simulation.ts';

const HOST = 0 as Slot;

type Watcher = {
  readonly peer: Peer;
  /** The step in which it comes. */
  readonly comes: number;
  /** Steps between two bundles. */
  readonly bundle: number;
  waits: Uint8Array[];
  /** It has every packet since its last keyframe. */
  isAlong: boolean;
};

/**
 * People who watch the host of a simulated room: one from the first step on, others that come later. Each gets packets in
 * bundles, and misses some of them now and then, up to the next keyframe, as one whose connection is too slow.
 */
export class Watchers {
  /** Keys so far, and the steps in which they came. */
  readonly keyframes: number[] = [];
  readonly watchers: readonly Watcher[];
  readonly #random: Random;
  readonly #input = playerInput();
  #hostTick = 0;

  constructor({ level }: RoomHarness, seed: number, comes: readonly number[] = [0, 100, 333]) {
    this.#random = new Random(seed);
    this.watchers = comes.map((step, i) => {
      const simulation = createRapierSimulation(level);
      const slot = WATCHER_SLOT as Slot;
      const peer = new Peer({ slot, host: HOST, level, simulation, avatar: false });
      peer.connect(HOST, BROADCAST_CONNECTION);
      return { peer, comes: step, bundle: 1 + 3 * i, waits: [], isAlong: false };
    });
  }

  /** Call it after each step of the room. @param misses the chance that a watcher misses packets, in each step. */
  step(room: RoomHarness, misses: number): void {
    const present = this.watchers.filter(({ comes }) => room.steps >= comes);
    for (const watcher of present)
      if (this.#random.chance(misses)) Object.assign(watcher, { isAlong: false, waits: [] });
    const [host] = room.peers;
    // A host whose clock is slow does not tick in every step.
    const hasTicked = host.state.tick !== this.#hostTick;
    this.#hostTick = host.state.tick;
    const wantsKeyframe = present.some(({ isAlong }) => !isAlong);
    if (hasTicked)
      host.broadcast(room.now, wantsKeyframe, (bytes, isKeyframe) => {
        if (isKeyframe) this.keyframes.push(room.steps);
        for (const watcher of present) {
          watcher.isAlong ||= isKeyframe;
          if (watcher.isAlong) watcher.waits.push(bytes.slice());
        }
      });
    for (const { peer, bundle, waits } of present) {
      if (room.steps % bundle === 0) for (const bytes of waits.splice(0)) peer.receive(room.now, HOST, bytes);
      peer.tick(this.#input);
    }
  }

  /** Lists in words everything that a watcher has otherwise than the host; empty if all agree to the bit. */
  differences({ peers: [host] }: RoomHarness): string[] {
    return this.watchers.flatMap(({ peer, comes }) => {
      const found = Object.entries(peer.diagnostics.rejections).map(([why, count]) => `${count} ${why}`);
      for (let i = 0; i < host.state.bodies.count; i++)
        if (stateOf(host, i as BodyId) !== stateOf(peer, i as BodyId))
          found.push(`body ${i}: ${stateOf(peer, i as BodyId)}, not ${stateOf(host, i as BodyId)}`);
      return found.map((what) => `the watcher of step ${comes}: ${what}`);
    });
  }

  dispose(): void {
    for (const { peer } of this.watchers) peer.dispose();
  }
}

function stateOf({ state: { bodies } }: Peer, body: BodyId): string {
  const { existence, authority, resting, state } = bodies.records;
  if (!bodies.exists(body)) return `existence ${existence[body]}`;
  const numbers = state.subarray(body * STRIDE, (body + 1) * STRIDE).join(' ');
  return `existence ${existence[body]}, authority ${authority[body]}, resting ${resting[body]}, ${numbers}`;
}
