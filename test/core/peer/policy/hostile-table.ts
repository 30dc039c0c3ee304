import { BOUNDS_SLACK, FLAT_BOUNDS, isWithin } from '../../../../src/core/world/level.ts';
import { expect, onTestFinished } from 'vitest';
import type { BodyId, ConnectionId, Slot } from '../../../../src/core/base/ids.ts';
import { MAX_POSITION_METRES, MAX_PLAYERS, TICK_MS } from '../../../../src/core/base/constants.ts';
import { copyPose, setVector } from '../../../../src/core/base/math.ts';
import { poseIn } from '../../../../src/core/base/motion.ts';
import type { Random } from '../../../../src/core/base/random.ts';
import { STATE, STRIDE } from '../../../../src/core/base/state.ts';
import type { PlayerInput } from '../../../../src/core/hands/hand-input.ts';
import { playerInput } from '../../../../src/core/hands/hand-input.ts';
import { peerView } from '../../../../src/core/peer/shown/peer-view.ts';
import { Peer } from '../../../../src/core/peer/peer.ts';
import { createLevel } from '../../../../src/levels/levels.ts';
import { createRapierSimulation } from '../../../../src/physics/rapier-simulation.ts';
import type { PlainAuthor, PlainHand, PlainPacket, PlainUpdate } from '../../../support/packets.ts';
import { TURN_STEP } from '../../../../src/core/wire/bodies/quantise.ts';
import { encode, HIGH, LOW, NO_TICKS, snapped, plainHeader } from '../../../support/packets.ts';

export const HOST = 0 as Slot;
export const ONE = 1 as Slot;
export const TWO = 2 as Slot;
export const CUBES = 8;
export const HELD = 3 as BodyId;
const THROWN = 5 as BodyId;
export const CONNECTION = 9 as ConnectionId;

/** A host and two guests, with nothing but function calls between them. */
export class Table {
  readonly peers: readonly Peer[];
  readonly inputs: readonly PlayerInput[];
  /** Milliseconds. */
  now = 0;
  /** The last packets on each way, newest last. */
  readonly #sent = new Map<string, Uint8Array[]>();
  readonly #views = [0, 1, 2].map(() => peerView(CUBES));

  constructor() {
    const scene = createLevel({ id: 'grid', seed: 4, count: CUBES });
    this.peers = [HOST, ONE, TWO].map((slot) => {
      const simulation = createRapierSimulation(scene);
      onTestFinished(() => simulation.dispose());
      return new Peer({ slot, host: HOST, level: scene, simulation, name: `Player ${slot}` });
    });
    this.inputs = this.peers.map(() => playerInput());
    for (const guest of [ONE, TWO]) {
      this.host.connect(guest, CONNECTION);
      this.peers[guest].connect(HOST, CONNECTION);
    }
  }

  get host(): Peer {
    return this.peers[HOST];
  }

  /** Every peer ticks and receives the packets of all, except the lost ones. */
  pass(ticks: number, isLost: (from: Slot, to: Slot) => boolean = () => false): void {
    for (; ticks > 0; ticks--) {
      this.now += TICK_MS;
      for (const peer of this.peers) peer.tick(this.inputs[peer.state.self]);
      for (const peer of this.peers) {
        const from = peer.state.self;
        peer.poll(this.now, (to, bytes) => {
          this.#keep(`${from} to ${to}`, bytes);
          if (!isLost(from, to)) this.peers[to].receive(this.now, from, bytes);
        });
      }
    }
  }

  #keep(way: string, bytes: Uint8Array): void {
    const kept = this.#sent.get(way) ?? [];
    kept.push(bytes.slice());
    if (kept.length > 80) kept.shift();
    this.#sent.set(way, kept);
  }

  /** The next few packets from one to another, which are lost. */
  lose(from: Slot, to: Slot, count: number): Uint8Array[] {
    this.pass(count, (sender, receiver) => sender === from && receiver === to);
    return this.#sent.get(`${from} to ${to}`)?.slice(-count) ?? [];
  }

  /** The last packet from one to another. */
  last(from: Slot, to: Slot): Uint8Array {
    return this.#sent.get(`${from} to ${to}`)?.at(-1) ?? new Uint8Array(0);
  }

  /** A packet that came long ago. */
  old(from: Slot, to: Slot): Uint8Array {
    return this.#sent.get(`${from} to ${to}`)?.[0] ?? new Uint8Array(0);
  }

  /** Guest 1 holds a cube, and has thrown another that is in flight. */
  play(): void {
    this.pass(40);
    const [left, right] = this.inputs[ONE].hands;
    for (const [hand, cube] of [
      [left, THROWN],
      [right, HELD],
    ] as const) {
      hand.tracked = true;
      copyPose(poseIn(this.peers[ONE].state.bodies.motion, cube, hand.pose), hand.pose);
      hand.grip = 1;
    }
    for (let tick = 0; tick < 12; tick++) {
      this.pass(1);
      for (const { pose } of [left, right])
        setVector(pose.position, pose.position.x, pose.position.y + 0.08, pose.position.z + 0.04);
    }
    left.grip = 0;
    this.pass(4);
    expect(this.host.state.bodies.records.authority[HELD]).toBe(ONE);
    expect(this.host.state.bodies.records.hold[HELD]).not.toBe(0);
    expect(this.host.state.bodies.records.authority[THROWN]).toBe(ONE);
  }

  /** [I5] Everything that a peer has, keeps and shows is finite and within bounds. */
  expectSound(): void {
    for (const peer of this.peers) {
      expectSoundRecords(peer);
      const view = this.#views[peer.state.self];
      peer.view(0.5, null, view);
      // An eased body is drawn up to a metre from its true place.
      expect(view.poses.every((n) => Math.abs(n) <= FLAT_BOUNDS.across + BOUNDS_SLACK + 1)).toBe(true);
      for (const avatar of view.avatars) {
        if (!avatar.present) continue;
        const poses = [avatar.head, ...avatar.hands.map((hand) => hand.pose)];
        const numbers = poses.flatMap(({ position, rotation }) => [
          ...Object.values(position),
          ...Object.values(rotation),
        ]);
        expect(numbers.every((n) => Math.abs(n) <= MAX_POSITION_METRES)).toBe(true);
      }
      for (const { stream } of peer.state.authors) {
        expect(Number.isFinite(stream.clock.position) && Number.isFinite(stream.clock.delay)).toBe(true);
      }
    }
  }
}

/** A table at which guest 1 holds a cube, and another is in flight. */
export function played(): Table {
  const table = new Table();
  table.play();
  table.expectSound();
  return table;
}

function expectSoundRecords(peer: Peer): void {
  const { records, motion } = peer.state.bodies;
  const faults: string[] = [];
  for (let body = 0; body < CUBES; body++) {
    const at = body * STRIDE;
    for (let i = 0; i < STRIDE; i++) {
      const n = records.state[at + i];
      if (n < LOW[i] || n > HIGH[i]) faults.push(`state ${i} of body ${body} is ${n}`);
      if (!Number.isFinite(motion[at + i])) faults.push(`motion ${i} of body ${body} is ${motion[at + i]}`);
    }
    const isIn = isWithin(FLAT_BOUNDS, BOUNDS_SLACK, motion, at);
    if (!isIn) faults.push(`body ${body} is at ${motion.slice(at, at + 3).join()}`);
    if (records.authority[body] < -1 || records.authority[body] >= MAX_PLAYERS) faults.push('authority');
    if (records.hold[body] > 2) faults.push('hold');
  }
  expect(faults, `slot ${peer.state.self}`).toEqual([]);
}

/** A liar: it sends well-formed packets with any content. */
export class Liar {
  tick = 1000;
  readonly #table: Table;
  readonly #slot: Slot;
  readonly #random: Random;
  readonly #accepted: readonly number[];
  #sequence: number;

  constructor(table: Table, slot: Slot, random: Random) {
    this.#table = table;
    this.#slot = slot;
    this.#random = random;
    const listeners = table.peers.map((peer) => peer.state.links[slot]);
    this.#sequence = 1 + Math.max(...listeners.map((link) => link?.acks.newestReceived ?? -1));
    this.#accepted = table.peers.map((peer) => peer.traffic(slot).packetsReceived);
  }

  /** Packets of this liar that a peer took for good. */
  accepted(by: Slot = HOST): number {
    return this.#table.peers[by].traffic(this.#slot).packetsReceived - this.#accepted[by];
  }

  write(authors: readonly PlainAuthor[], updates: readonly PlainUpdate[]): Uint8Array {
    const packet: PlainPacket = {
      header: plainHeader({ connection: CONNECTION, sequence: this.#sequence++ & 0xffff }),
      authors,
      base: 0,
      updates,
    };
    const circumstances = {
      bodies: CUBES,
      speaker: this.#slot,
      packet: 0,
      newestTicks: NO_TICKS,
      before: [],
    };
    return encode(circumstances, packet);
  }

  /** Anything: mostly for itself, or as a host for anybody, about any cubes, at any time. */
  lie(): Uint8Array {
    const random = this.#random;
    this.tick = Math.max(200, this.tick + (random.chance(0.9) ? 1 : random.below(60_000) - 30_000));
    const slots =
      this.#slot === HOST ? [0, 1, 2, 5].filter((slot) => slot === 0 || random.chance(0.7)) : [this.#slot];
    const authors = slots.map((slot) => ({
      slot,
      tick: this.tick & 0xffff,
      avatar: random.chance(0.7) ? this.avatar() : null,
    }));
    const cubes = Array.from({ length: CUBES }, (_, body) => body as BodyId).filter(() => random.chance(0.4));
    return this.write(
      authors,
      cubes.map((body) => this.claiming(body, this.#claim(body, slots))),
    );
  }

  claiming(body: BodyId, claim: readonly number[]): PlainUpdate {
    const kind = (['record', 'rest', 'motion', 'motion'] as const)[this.#random.below(4)];
    const state = LOW.map((low, i) => {
      if (this.#random.chance(0.3)) return this.#random.chance(0.5) ? low : HIGH[i];
      return low + this.#random.below(HIGH[i] - low + 1);
    });
    if (kind === 'rest') state.fill(0, STATE.linear);
    return { body, baselineAge: 0, claim, kind, tick: this.tick & 0xffff, state: snapped(state) };
  }

  /** Newer than the listener's by a little, older, or far off. */
  #claim(body: BodyId, slots: readonly number[]): number[] {
    const random = this.#random;
    const { ownershipSequence, authoritySequence } = this.#table.host.state.bodies.records;
    const near = (sequence: number): number =>
      random.chance(0.9) ? (sequence + random.below(4) - 1) & 0xffff : random.below(65536);
    const who = random.chance(0.8) ? [slots[random.below(slots.length)], random.below(3)] : [-1, 0];
    return [...who, near(ownershipSequence[body]), near(authoritySequence[body])];
  }

  avatar(): NonNullable<PlainAuthor['avatar']> {
    const random = this.#random;
    const pose = (): number[] =>
      LOW.slice(0, 7).map((low, i) => {
        const value = random.chance(0.2) ? low : low + random.below(HIGH[i] - low + 1);
        // On the avatar's grid.
        return i === 3 ? value : Math.trunc(value / TURN_STEP) * TURN_STEP;
      });
    const held = random.below(CUBES);
    const hand = (body: number): PlainHand => {
      const [, , ownership, authority] = this.#claim(body as BodyId, [this.#slot]);
      const offset = [...[0, 1, 2].map(() => random.below(262143) - 131071), ...pose().slice(3)];
      const flags = { pointing: random.chance(0.5), thumbUp: random.chance(0.5) };
      const grips = { grip: random.below(64), trigger: random.below(64) };
      const holds = random.chance(0.7);
      return {
        pose: pose(),
        ...grips,
        ...flags,
        held: holds ? { body, ownership, authority, offset } : null,
        reach: !holds && random.chance(0.7) ? random.below(CUBES) : -1,
      };
    };
    const hands = [hand(held), random.chance(0.3) ? null : hand((held + 1) % CUBES)];
    const name = Array.from({ length: random.below(33) }, () => random.below(256));
    return { age: random.below(4096), head: pose(), hands, voice: random.below(16), name };
  }
}
