import { describe, expect, test } from 'vitest';
import { TICK_MS } from '../../../src/core/base/constants.ts';
import type { BodyId, ConnectionId, Slot } from '../../../src/core/base/ids.ts';
import { vector } from '../../../src/core/base/math.ts';
import { playerInput } from '../../../src/core/hands/hand-input.ts';
import { Peer } from '../../../src/core/peer/peer.ts';
import { nextTerm } from '../../../src/core/room/term.ts';
import { isOneClaim } from '../../../src/core/world/authority.ts';
import { floatingSimulation } from '../../support/bodiless.ts';
import { apart } from '../../support/stage.ts';
import { sceneOf, withChain } from '../../support/stage-levels.ts';

const [OLD, NEW, OTHER] = [0, 1, 2] as Slot[];
const [A, B] = [0, 1] as BodyId[];
const MAKING = {
  perPlayer: 1,
  slots: 3,
  kinds: [{ kind: 'rope', length: 4, collides: true }],
} as const;
/** Deeds before the host vanishes: every sequence of this length. */
const DEEDS = 3;
/** Ticks for which two peers exchange packets when they meet, and within which they must agree in the end. */
const MEETING_TICKS = 4;
const AGREE_TICKS = 45;
/** Ticks after which bodies that rest are under nobody, so that both guests may take them. */
const RETURN_TICKS = 80;

/** A host and two guests with two bodies that float. Packets pass only when the story says so. */
class Trio {
  readonly peers: readonly Peer[];
  #now = 0;

  constructor() {
    const level = withChain(sceneOf(apart(2)), 0, { making: MAKING });
    this.peers = [OLD, NEW, OTHER].map(
      (slot) => new Peer({ slot, host: OLD, level, simulation: floatingSimulation(level) }),
    );
    for (const guest of [NEW, OTHER]) {
      this.peers[OLD].connect(guest, guest as number as ConnectionId);
      this.peers[guest].connect(OLD, guest as number as ConnectionId);
    }
    for (const guest of [NEW, OTHER]) this.meet(OLD, guest, 20);
  }

  meet(a: Slot, b: Slot, ticks = MEETING_TICKS): void {
    for (let i = 0; i < ticks; i++) {
      this.#now += TICK_MS;
      for (const slot of [a, b]) this.peers[slot].tick(playerInput());
      this.#say(a, b);
      this.#say(b, a);
    }
  }

  #say(from: Slot, to: Slot): void {
    this.peers[from].poll(
      this.#now,
      (_, bytes) => this.peers[to].receive(this.#now, from, bytes.slice()),
      (other) => other === to,
    );
  }

  take(slot: Slot, bodies = [A, B]): void {
    for (const body of bodies) this.peers[slot].act({ kind: 'take', body });
    this.peers[slot].tick(playerInput());
  }

  make(slot: Slot): void {
    const { motion } = this.peers[slot].state.bodies;
    const [at, to] = [0, 1].map((body) => {
      const from = body * (motion.length / this.peers[slot].state.bodies.count);
      return vector(motion[from], motion[from + 1], motion[from + 2]);
    });
    this.peers[slot].joints.make({ kind: 0, a: A, b: B, at, to });
  }

  remove(slot: Slot): void {
    for (let joint = 0; joint < MAKING.slots; joint++)
      if (this.peers[slot].joints.has(joint)) this.peers[slot].joints.remove(joint);
  }

  /** [F4] The first host is gone: one guest becomes host, the other follows. */
  handOver(): void {
    this.peers[NEW].becomeHost(nextTerm(0, NEW), [OTHER]);
    this.peers[NEW].connect(OTHER, 1 as ConnectionId);
    this.peers[OTHER].follow(NEW, 1 as ConnectionId);
  }

  /** [F4.35] The first host gives the room away: both others follow. */
  giveAway(): void {
    this.peers[NEW].becomeHost(nextTerm(0, NEW), [OLD, OTHER]);
    for (const slot of [OLD, OTHER]) {
      const connection = (10 + slot) as ConnectionId;
      this.peers[NEW].connect(slot, connection);
      this.peers[slot].follow(NEW, connection);
    }
  }

  joints(slot: Slot): readonly boolean[] {
    return [0, 1, 2].map((joint) => this.peers[slot].joints.has(joint));
  }

  says(slot: Slot): string {
    const { records } = this.peers[slot].state.bodies;
    const claims = [A, B].map((body) => [
      records.authority[body],
      records.ownershipSequence[body],
      records.authoritySequence[body],
    ]);
    return JSON.stringify([claims, this.joints(slot)]);
  }
}

/** Another guest has a rope between the bodies, which the old host and the guest that leads next know. */
function setTied(): Trio {
  const trio = new Trio();
  trio.take(OTHER);
  trio.meet(OLD, OTHER, 20);
  trio.make(OTHER);
  trio.meet(OLD, OTHER, 20);
  trio.meet(OLD, NEW, 20);
  expect(trio.joints(NEW)).toEqual([false, false, true]);
  return trio;
}

function expectNone(trio: Trio): void {
  expect(trio.joints(OTHER)).toEqual([false, false, false]);
  trio.handOver();
  trio.meet(NEW, OTHER, AGREE_TICKS);
  for (const slot of [NEW, OTHER]) expect(trio.joints(slot)).toEqual([false, false, false]);
  expect(trio.says(NEW)).toBe(trio.says(OTHER));
}

describe('[J4.8] the word of a guest on joints of its bodies goes on under the next host', () => {
  test('a removal of which the old host has not heard', () => {
    const trio = setTied();
    trio.remove(OTHER);
    expectNone(trio);
  });

  test('one that the old host has confirmed, but not told the next one', () => {
    const trio = setTied();
    trio.remove(OTHER);
    trio.meet(OLD, OTHER, 10);
    expect(trio.joints(OLD)).toEqual([false, false, false]);
    expectNone(trio);
  });

  test('a joint that it has made', () => {
    const trio = new Trio();
    trio.take(OTHER);
    for (const guest of [OTHER, NEW]) trio.meet(OLD, guest, 20);
    trio.make(OTHER);
    trio.handOver();
    trio.meet(NEW, OTHER, AGREE_TICKS);
    for (const slot of [NEW, OTHER]) expect(trio.joints(slot)).toEqual([false, false, true]);
    expect(trio.says(NEW)).toBe(trio.says(OTHER));
  });

  test('not the removal by a guest that has lost the bodies: it takes back what it removed', () => {
    const trio = setTied();
    trio.remove(OTHER);
    trio.take(NEW);
    trio.meet(OLD, NEW, 20);
    trio.handOver();
    trio.meet(NEW, OTHER, AGREE_TICKS);
    expect(trio.says(NEW)).toBe(trio.says(OTHER));
  });
});

type Deeds = readonly (readonly [string, (trio: Trio) => void])[];

const ALPHABET: Deeds = [
  ['guest 1 takes', (trio) => trio.take(NEW)],
  ['guest 2 takes', (trio) => trio.take(OTHER)],
  ['guest 1 ties or unties', (trio) => tieOrUntie(trio, NEW)],
  ['guest 2 ties or unties', (trio) => tieOrUntie(trio, OTHER)],
  ['guest 2 takes the first body', (trio) => trio.take(OTHER, [A])],
  ['guest 1 is heard', (trio) => trio.meet(OLD, NEW)],
  ['guest 2 is heard', (trio) => trio.meet(OLD, OTHER)],
];
/** The same with what a host does that gives its room away. */
const HOST_ALPHABET: Deeds = [
  ['the host takes', (trio) => trio.take(OLD)],
  ['the host ties or unties', (trio) => tieOrUntie(trio, OLD)],
  ...ALPHABET,
];

function tieOrUntie(trio: Trio, slot: Slot): void {
  if (trio.joints(slot).includes(true)) trio.remove(slot);
  else trio.make(slot);
}

/** The fault after one sequence of deeds and a change of host; null if there is none. */
function tell(deeds: readonly number[]): string | null {
  const trio = setTied();
  for (const guest of [OTHER, NEW]) trio.meet(OLD, guest, RETURN_TICKS);
  for (const deed of deeds) ALPHABET[deed][1](trio);
  trio.handOver();
  trio.meet(NEW, OTHER, AGREE_TICKS);
  const [mine, theirs] = [trio.says(NEW), trio.says(OTHER)];
  if (mine !== theirs) return `${mine}, ${theirs}`;
  const { records } = trio.peers[NEW].state.bodies;
  return isOneClaim(records, A) ? null : 'the island is not one claim';
}

/** The same where the host gives the room away: all three agree. */
function tellGiven(deeds: readonly number[]): string | null {
  const trio = setTied();
  for (const guest of [OTHER, NEW]) trio.meet(OLD, guest, RETURN_TICKS);
  for (const deed of deeds) HOST_ALPHABET[deed][1](trio);
  trio.giveAway();
  for (let i = 0; i < AGREE_TICKS; i++) for (const slot of [OTHER, OLD]) trio.meet(NEW, slot, 1);
  const all = [OLD, NEW, OTHER].map((slot) => trio.says(slot));
  if (all.some((says) => says !== all[0])) return all.join(', ');
  const { records } = trio.peers[NEW].state.bodies;
  return isOneClaim(records, A) ? null : 'the island is not one claim';
}

/** All sequences that end badly, in words. */
function explore(alphabet: Deeds, tellOne: (deeds: readonly number[]) => string | null): string[] {
  const wrong: string[] = [];
  for (let story = 0; story < alphabet.length ** DEEDS; story++) {
    const deeds = Array.from(
      { length: DEEDS },
      (_, i) => Math.floor(story / alphabet.length ** i) % alphabet.length,
    );
    const fault = tellOne(deeds);
    if (fault !== null) wrong.push(`${deeds.map((deed) => alphabet[deed][0]).join('; ')}: ${fault}`);
  }
  return wrong;
}

test(`[F4] [J4.8] whatever ${DEEDS} deeds with joints came before, the next host and its guest agree`, () => {
  expect(explore(ALPHABET, tell)).toEqual([]);
});

test(`[F4.35] [J4.8] and whatever a host did that gives its room away, all three agree`, () => {
  expect(explore(HOST_ALPHABET, tellGiven)).toEqual([]);
});
