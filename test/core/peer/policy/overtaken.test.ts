import { describe, expect, test } from 'vitest';
import { TICK_MS, TICK_RATE } from '../../../../src/core/base/constants.ts';
import type { ConnectionId, Slot } from '../../../../src/core/base/ids.ts';
import { vector } from '../../../../src/core/base/math.ts';
import { playerInput } from '../../../../src/core/hands/hand-input.ts';
import { Peer } from '../../../../src/core/peer/peer.ts';
import { floatingSimulation } from '../../../support/bodiless.ts';
import { CUBES, setStage, tower } from '../../../support/stage.ts';
import { sceneOf, withChain } from '../../../support/stage-levels.ts';

const [HOST, GUEST] = [0, 1] as Slot[];
const GOODS = ['A1', 'A2', 'A3'];

describe('[W4] a packet that was overtaken by so many others that its base is gone', () => {
  test('[W6.1] is rejected, and not read without its base: the result might look valid', async () => {
    const stage = await setStage({ guests: 1, cubes: tower(8) });
    const guest = stage.guest(1);
    stage.host.grabs(CUBES[2]);
    for (let round = 1; round <= 5; round++) {
      stage.host.moves([0.3, 0, 0.2], 0.2);
      guest.downlink.loss = 1;
      stage.tick();
      const held = stage.host.lastPacket;
      guest.downlink.loss = 0;
      // A moving hand is sent in every tick: the base's place is taken.
      stage.host.moves([-0.3, 0, -0.2], 1.05);
      guest.peer.receive(stage.now, HOST, held);
      expect(guest.refused('unknown baseline'), `round ${round}`).toBe(round);
    }
    // All else that was refused was refused by the rules of authority.
    const { rejections } = guest.peer.state;
    expect(Object.keys(rejections).filter((reason) => !GOODS.includes(reason))).toEqual(['unknown baseline']);
  });

  test('[W4.3] is read if its base is still kept', async () => {
    const stage = await setStage({ guests: 1, cubes: tower(8) });
    const guest = stage.guest(1);
    stage.host.grabs(CUBES[2]);
    stage.host.moves([0.3, 0, 0.2], 0.2);
    guest.downlink.loss = 1;
    stage.tick();
    const held = stage.host.lastPacket;
    guest.downlink.loss = 0;
    stage.letPass(0.25);
    const read = guest.peer.traffic(HOST).packetsReceived;
    guest.peer.receive(stage.now, HOST, held);
    expect(guest.refused('unknown baseline')).toBe(0);
    expect(guest.peer.traffic(HOST).packetsReceived).toBe(read + 1);
  });
});

/** A host, and a guest that keeps a chain of two cubes and pushes it. */
class KeptChain {
  readonly #peers: readonly Peer[];
  #now = 0;

  constructor() {
    const level = withChain(sceneOf(tower(2)), 2, {});
    this.#peers = [HOST, GUEST].map(
      (slot) => new Peer({ slot, host: HOST, level, simulation: floatingSimulation(level) }),
    );
    const [host, guest] = this.#peers;
    host.connect(GUEST, 1 as ConnectionId);
    guest.connect(HOST, 1 as ConnectionId);
    this.run(1);
    guest.act({ kind: 'keep', body: CUBES[0], on: true });
    this.run(1);
    guest.act({ kind: 'velocity', body: CUBES[0], linear: vector(1), angular: vector() });
    this.tick();
  }

  /** True if the guest's body is at rest. */
  get rests(): boolean {
    return this.#peers[GUEST].diagnostics.bodies.records.resting[CUBES[0]] === 1;
  }

  /** The players that have the two cubes, by the host's word. */
  get authority(): number[] {
    return [...this.#peers[HOST].diagnostics.bodies.records.authority];
  }

  /** @returns the guest's packets, which have arrived unless `held`. */
  tick(held = false): readonly Uint8Array[] {
    this.#now += TICK_MS;
    const [fromHost, fromGuest] = this.#peers.map((peer) => {
      const sent: Uint8Array[] = [];
      peer.tick(playerInput());
      peer.poll(this.#now, (_, bytes) => sent.push(bytes.slice()));
      return sent;
    });
    if (!held) this.arrive(fromGuest);
    for (const bytes of fromHost) this.#peers[GUEST].receive(this.#now, HOST, bytes);
    return fromGuest;
  }

  arrive(packets: readonly Uint8Array[]): void {
    for (const bytes of packets) this.#peers[HOST].receive(this.#now, GUEST, bytes);
  }

  run(seconds: number): void {
    for (let tick = 0; tick < seconds * TICK_RATE; tick++) this.tick();
  }

  /** Runs until the guest's next packet is the first at rest. @returns that packet, which is held back. */
  untilRest(): readonly Uint8Array[] {
    for (let tick = 0; tick < 10 * TICK_RATE; tick++) {
      const packets = this.tick(true);
      if (this.rests) return packets;
      this.arrive(packets);
    }
    throw new Error('it never rests');
  }
}

test('[A11.7] a player keeps its chain, also if its first packet at rest is overtaken by the next one', () => {
  const chain = new KeptChain();
  const late = chain.untilRest();
  expect(late).not.toEqual([]);
  chain.tick();
  chain.arrive(late);
  chain.run(8);
  expect(chain.authority).toEqual([GUEST, GUEST]);
});
