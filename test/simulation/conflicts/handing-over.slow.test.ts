import { describe, expect, test } from 'vitest';
import { TICK_MS } from '../../../src/core/base/constants.ts';
import type { BodyId, ConnectionId, Slot } from '../../../src/core/base/ids.ts';
import { RIGHT } from '../../../src/core/base/ids.ts';
import { copyPose } from '../../../src/core/base/math.ts';
import { poseIn } from '../../../src/core/base/motion.ts';
import type { PlayerInput } from '../../../src/core/hands/hand-input.ts';
import { playerInput } from '../../../src/core/hands/hand-input.ts';
import { Peer } from '../../../src/core/peer/peer.ts';
import { nextTerm } from '../../../src/core/room/term.ts';
import { floatingSimulation } from '../../support/bodiless.ts';
import { apart } from '../../support/stage.ts';
import { sceneOf } from '../../support/stage-levels.ts';

const [OLD, NEW, OTHER] = [0, 1, 2] as Slot[];
const CUBE = 0 as BodyId;
/** Actions before the host vanishes: every sequence of this length. If it comes, too, the last one happens meanwhile. */
const DEEDS = 4;
/** Ticks for which two peers exchange packets when they meet, and within which they must agree in the end. */
const MEETING_TICKS = 4;
const AGREE_TICKS = 40;

/** A host and two guests with one cube. Hands close and open, and packets pass, only when the story says so. */
class Trio {
  readonly peers: readonly Peer[];
  readonly #inputs: readonly PlayerInput[];
  #now = 0;

  constructor() {
    const scene = sceneOf(apart(1));
    this.peers = [OLD, NEW, OTHER].map(
      (slot) => new Peer({ slot, host: OLD, level: scene, simulation: floatingSimulation(scene) }),
    );
    this.#inputs = this.peers.map(() => playerInput());
    for (const { hands } of this.#inputs) hands[RIGHT].tracked = true;
    for (const guest of [NEW, OTHER]) {
      this.peers[OLD].connect(guest, guest as number as ConnectionId);
      this.peers[guest].connect(OLD, guest as number as ConnectionId);
    }
    for (const guest of [NEW, OTHER]) this.meet(OLD, guest, 20);
  }

  /** A hand at the cube closes, or opens. */
  grip(slot: Slot): void {
    const hand = this.#inputs[slot].hands[RIGHT];
    copyPose(poseIn(this.peers[slot].state.bodies.motion, CUBE, hand.pose), hand.pose);
    hand.grip = 1 - hand.grip;
    this.#tick(slot);
  }

  openAll(): void {
    for (const { hands } of this.#inputs) hands[RIGHT].grip = 0;
  }

  meet(a: Slot, b: Slot, ticks = MEETING_TICKS): void {
    for (let i = 0; i < ticks; i++) {
      this.#now += TICK_MS;
      for (const slot of [a, b]) this.#tick(slot);
      this.#say(a, b);
      this.#say(b, a);
    }
  }

  #tick(slot: Slot): void {
    this.peers[slot].tick(this.#inputs[slot]);
  }

  #say(from: Slot, to: Slot): void {
    this.peers[from].poll(
      this.#now,
      (_, bytes) => this.peers[to].receive(this.#now, from, bytes.slice()),
      (other) => other === to,
    );
  }

  /** [F4] The first host is gone: one guest becomes host, the other follows. */
  handOver(): void {
    this.peers[NEW].becomeHost(nextTerm(0, NEW), [OTHER]);
    this.#follow(OTHER);
  }

  /** [F4.35] The first host has given the room away, and follows, too. @param meanwhile while it still is host to others. */
  giveAway(meanwhile: () => void): void {
    this.peers[NEW].becomeHost(nextTerm(0, NEW), [OLD, OTHER]);
    meanwhile();
    for (const slot of [OTHER, OLD]) this.#follow(slot);
  }

  #follow(slot: Slot): void {
    const connection = (10 + slot) as ConnectionId;
    this.peers[NEW].connect(slot, connection);
    this.peers[slot].follow(NEW, connection);
  }

  says(slot: Slot): Record<string, number> {
    const { records } = this.peers[slot].state.bodies;
    const { authority, hold, ownershipSequence, authoritySequence } = records;
    return {
      authority: authority[CUBE],
      hold: hold[CUBE],
      ownership: ownershipSequence[CUBE],
      sequence: authoritySequence[CUBE],
    };
  }
}

const ALPHABET: readonly (readonly [string, (trio: Trio) => void])[] = [
  ['the host grips', (trio) => trio.grip(OLD)],
  ['guest 1 grips', (trio) => trio.grip(NEW)],
  ['guest 2 grips', (trio) => trio.grip(OTHER)],
  ['guest 1 is heard', (trio) => trio.meet(OLD, NEW)],
  ['guest 2 is heard', (trio) => trio.meet(OLD, OTHER)],
];

/** The fault after one sequence of actions and a host migration; null if there is none. */
function tell(deeds: readonly number[], spoil: (trio: Trio) => void): string | null {
  const trio = new Trio();
  for (const deed of deeds) ALPHABET[deed][1](trio);
  const before = trio.peers[NEW].player.hands[RIGHT].held;
  trio.handOver();
  spoil(trio);
  if (trio.peers[NEW].player.hands[RIGHT].held !== before)
    return 'the cube has left the hand of the new host';
  trio.meet(NEW, OTHER);
  trio.openAll();
  trio.meet(NEW, OTHER, AGREE_TICKS);
  const [mine, theirs] = [trio.says(NEW), trio.says(OTHER)];
  if (mine.authority === OLD) return 'the cube is one’s who is gone';
  return JSON.stringify(mine) === JSON.stringify(theirs)
    ? null
    : `${JSON.stringify(mine)}, ${JSON.stringify(theirs)}`;
}

/** The same where the host gives the room away. The new host hears nobody meanwhile. */
function tellGiven(deeds: readonly number[], spoil: (trio: Trio) => void): string | null {
  const trio = new Trio();
  for (const deed of deeds.slice(0, -1)) ALPHABET[deed][1](trio);
  trio.giveAway(() => ALPHABET[deeds[deeds.length - 1]][1](trio));
  spoil(trio);
  const before = trio.peers[OLD].player.hands[RIGHT].held;
  const meetAll = (): void => {
    for (const slot of [OTHER, OLD]) trio.meet(NEW, slot, 1);
  };
  for (let i = 0; i < MEETING_TICKS; i++) meetAll();
  const isWithNobodyElse = [NEW, OTHER].every((slot) => trio.peers[slot].player.hands[RIGHT].held !== CUBE);
  if (before === CUBE && isWithNobodyElse && trio.peers[OLD].player.hands[RIGHT].held !== CUBE)
    return 'the cube has left the hand of the host before';
  trio.openAll();
  for (let i = 0; i < AGREE_TICKS; i++) meetAll();
  const all = [OLD, NEW, OTHER].map((slot) => JSON.stringify(trio.says(slot)));
  return all.every((says) => says === all[0]) ? null : all.join(', ');
}

/** The first sequence that ends badly, in words; null if none does. */
function explore(
  depth: number,
  spoil: (trio: Trio) => void = () => undefined,
  tellOne = tell,
): string | null {
  for (let story = 0; story < ALPHABET.length ** depth; story++) {
    const deeds = Array.from(
      { length: depth },
      (_, i) => Math.floor(story / ALPHABET.length ** i) % ALPHABET.length,
    );
    const wrong = tellOne(deeds, spoil);
    if (wrong !== null) return `${deeds.map((deed) => ALPHABET[deed][0]).join('; ')}: ${wrong}`;
  }
  return null;
}

describe('[F4] [H8] whatever a host and two guests did before the host vanished', () => {
  test(`in every order of ${DEEDS} deeds: the guest that leads and the one that follows agree`, () => {
    expect(explore(DEEDS)).toBeNull();
  });

  test('without [H8], that the word of a new term is adopted whole, some order ends in disagreement', () => {
    const noTerm = (trio: Trio): void => void trio.peers[OTHER].state.bodies.records.stale.fill(0);
    expect(explore(DEEDS, noTerm)).not.toBeNull();
  });
});

describe('[F4.35] [F4.36] whatever a host and two guests did before and while the host gave the room away', () => {
  test(`in every order of ${DEEDS} deeds: all three agree, and the host before keeps what it holds`, () => {
    expect(explore(DEEDS, undefined, tellGiven)).toBeNull();
  });

  test('without [H8], that the host before adopts the word of the new term whole, some order ends badly', () => {
    const noTerm = (trio: Trio): void => void trio.peers[OLD].state.bodies.records.stale.fill(0);
    expect(explore(DEEDS, noTerm, tellGiven)).not.toBeNull();
  });
});
