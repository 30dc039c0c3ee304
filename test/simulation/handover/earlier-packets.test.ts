import { describe, expect, test } from 'vitest';
import { TICK_MS } from '../../../src/core/base/constants.ts';
import type { BodyId, ConnectionId, Slot } from '../../../src/core/base/ids.ts';
import { RIGHT } from '../../../src/core/base/ids.ts';
import { copyPose } from '../../../src/core/base/math.ts';
import { poseIn } from '../../../src/core/base/motion.ts';
import { playerInput } from '../../../src/core/hands/hand-input.ts';
import { Peer } from '../../../src/core/peer/peer.ts';
import { newLineage } from '../../../src/core/room/identity/lineage.ts';
import { nextTerm } from '../../../src/core/room/term.ts';
import { HandoverRoom } from '../../support/handover/handover-room.ts';
import { floatingSimulation } from '../../support/bodiless.ts';
import { apart } from '../../support/stage.ts';
import { sceneOf } from '../../support/stage-levels.ts';
import { HOST_KEY, HostDesk } from '../../core/room/host/host-desk.ts';

const [HOST, GUEST] = [0, 1] as Slot[];
const CUBE = 0 as BodyId;
/** Packets that the host sent under its first term, while its guest followed somebody else and read none. */
const UNREAD = 170;
/** Ticks after which it grabs the cube: it comes to rest just before the numbers of the unread packets are through. */
const GRABBED = 62;

/** The number that a host gives to the first guest of this term. */
function connectionIn(term: number): ConnectionId {
  const tenure = { term, lineage: newLineage(HOST_KEY, 'a salt', term), door: 'a secret', home: null };
  return new HostDesk({ tenure }).admit(1).connection;
}

/** The host of a term and its guest, on a line that they had before. */
class Pair {
  readonly host: Peer;
  readonly guest: Peer;
  readonly #input = playerInput();
  readonly #guestInput = playerInput();
  #now = 0;

  constructor(term: number) {
    const scene = sceneOf(apart(1));
    const peer = (slot: Slot, host: Slot): Peer =>
      new Peer({ slot, host, level: scene, simulation: floatingSimulation(scene) });
    this.host = peer(HOST, GUEST);
    this.guest = peer(GUEST, HOST);
    this.host.becomeHost(term, []);
    const connection = connectionIn(term);
    this.host.connect(GUEST, connection);
    this.guest.follow(HOST, connection);
    this.#input.hands[RIGHT].tracked = true;
  }

  /** The host ticks; no head stands still, so that packets leave in every tick. @returns the packets that it sends. */
  tickHost(): Uint8Array[] {
    const sent: Uint8Array[] = [];
    this.#now += TICK_MS;
    this.#input.head.position.y = this.#guestInput.head.position.y = 1.6 + 0.1 * Math.sin(this.#now / 100);
    this.host.tick(this.#input);
    this.host.poll(this.#now, (_, bytes) => sent.push(bytes.slice()));
    return sent;
  }

  /** These packets reach the guest, and it answers. */
  tickGuest(packets: readonly Uint8Array[]): void {
    for (const bytes of packets) this.guest.receive(this.#now, HOST, bytes);
    this.guest.tick(this.#guestInput);
    this.guest.poll(this.#now, (_, bytes) => this.host.receive(this.#now, GUEST, bytes.slice()));
  }

  /** The host's hand closes on the cube, or opens. */
  grip(): void {
    const hand = this.#input.hands[RIGHT];
    copyPose(poseIn(this.host.state.bodies.motion, CUBE, hand.pose), hand.pose);
    hand.grip = 1 - hand.grip;
  }
}

describe('[H6.2] [H6.5] a page is host, gives way, and is host again; its guest still has a line to it', () => {
  test('and packets of its first term there, which nobody read: it is not wrong about what its guest has', () => {
    const first = new Pair(nextTerm(0, HOST));
    const unread = Array.from({ length: UNREAD }, () => first.tickHost()).flat();
    expect(unread).toHaveLength(UNREAD);
    const again = new Pair(nextTerm(nextTerm(0, HOST), HOST));
    again.tickGuest(unread);
    for (let tick = 0; tick < 4 * UNREAD; tick++) {
      if (tick === GRABBED || tick === GRABBED + 10) again.grip();
      again.tickGuest(again.tickHost());
    }
    const [mine, theirs] = [again.guest, again.host].map(({ state }) => state.bodies.records);
    for (const field of ['authority', 'hold', 'ownershipSequence', 'authoritySequence', 'state'] as const)
      expect(mine[field], field).toEqual(theirs[field]);
    expect(again.guest.diagnostics.rejections).toEqual({ 'other connection': unread.length });
  });

  test('no number comes twice in thirty rounds of hosts', () => {
    const seen = new Set<number>();
    let term = 0;
    for (let round = 0; round < 30; round++, term = nextTerm(term, HOST)) {
      const tenure = { term, lineage: newLineage(HOST_KEY, 'a salt', term), door: 'a secret', home: null };
      const desk = new HostDesk({ tenure, capacity: 8 });
      for (let guest = 1; guest < 8; guest++) seen.add(desk.admit(guest).connection & 0xffff);
    }
    expect(seen.size).toBe(30 * 7);
  });

  test('in a room whose host was cut off for a while, and then outlived the next host', () => {
    const room = new HandoverRoom(3);
    room.run(1500);
    for (let i = 0; i < 3; i++) {
      room.join();
      room.run(1000);
    }
    room.run(6000);
    const first = room.at(0);
    for (const end of first.ends.values()) end.silence(room.now + 3000);
    room.run(15_000);
    expect([first.yielded, room.at(1).isHost]).toEqual([1, true]);
    room.close(room.at(1));
    room.runUntil('it is host again', () => first.isHost, 4000);
    room.run(4000);
    // Its last packet under its first term waited for the guest that it has again now.
    const rejections = room.pages.map(({ peer }) => peer?.diagnostics.rejections);
    expect(rejections).toContainEqual({ 'other connection': 1 });
    for (const counts of rejections) expect(Object.keys(counts ?? {})).not.toContain('unknown baseline');
    room.settle();
    expect(room.differences(), room.describe()).toEqual([]);
  });
});
