import { beforeAll, describe, expect, test } from 'vitest';
import type { BodyId, Slot } from '../../../src/core/base/ids.ts';
import { NO_BODY, NOT_HELD, RIGHT } from '../../../src/core/base/ids.ts';
import { TICK_MS, TICK_RATE } from '../../../src/core/base/constants.ts';
import type { Vector } from '../../../src/core/base/math.ts';
import {
  copyVector,
  distance,
  fromAxisAngle,
  lookAt,
  multiply,
  nlerp,
  quaternion,
  rotate,
  setVector,
  vector,
} from '../../../src/core/base/math.ts';
import { POSE_STRIDE } from '../../../src/core/base/state.ts';
import type { PlayerInput } from '../../../src/core/hands/hand-input.ts';
import { playerInput } from '../../../src/core/hands/hand-input.ts';
import { LEVEL_IDS } from '../../../src/levels/levels.ts';
import { PracticeSession } from '../../../src/pages/practice/practice-session.ts';
import { buildingPlace, startPlaceOf } from '../../../src/pages/start-places.ts';
import { loadPhysics } from '../../../src/physics/rapier-simulation.ts';

const YOU = 2 as Slot;
const HELPER = 0 as Slot;
const ALONG = vector(0, 0, 1);

beforeAll(() => loadPhysics());

/** A player who practises, with one hand. */
class Practice {
  readonly session = new PracticeSession('Ada', YOU);
  readonly input: PlayerInput = playerInput();
  #now = 0;

  constructor() {
    const { position } = startPlaceOf(1, this.session.world.level);
    copyVector(position, this.input.head.position);
    const hand = this.input.hands[RIGHT];
    hand.tracked = true;
    setVector(hand.pose.position, position.x, 1.2, position.z - 0.4);
  }

  /** Runs until it is so. @returns the seconds that it took. @throws Error if it takes longer than `within` seconds. */
  until(what: string, isSo: () => boolean, within: number, each: () => void = () => undefined): number {
    const began = this.#now;
    while (!isSo()) {
      each();
      this.#now += TICK_MS;
      this.session.tick(this.#now, this.input);
      if (this.#now - began > within * 1000) throw new Error(`not within ${within} s: ${what}`);
    }
    return (this.#now - began) / 1000;
  }

  run(seconds: number, each: () => void = () => undefined): void {
    let ticks = 0;
    this.until('time', () => ticks++ >= seconds * TICK_RATE, seconds + 1, each);
  }

  get #records() {
    return this.session.world.peer.diagnostics.bodies.records;
  }

  /** The body that a slot holds; NO_BODY if none. */
  heldBy(slot: Slot): BodyId {
    const { authority, hold, count } = this.#records;
    for (let body = 0; body < count; body++)
      if (authority[body] === slot && hold[body] !== NOT_HELD) return body as BodyId;
    return NO_BODY;
  }

  at(body: BodyId): Vector {
    const { drawn } = this.session.world.peer.diagnostics.bodies;
    const from = body * POSE_STRIDE;
    return vector(drawn[from], drawn[from + 1], drawn[from + 2]);
  }

  /** Degrees by which a body lies on no face. */
  tiltOf(body: BodyId): number {
    const { drawn } = this.session.world.peer.diagnostics.bodies;
    const from = body * POSE_STRIDE + 3;
    const turn = quaternion(drawn[from], drawn[from + 1], drawn[from + 2], drawn[from + 3]);
    const ups = [vector(1, 0, 0), vector(0, 1, 0), ALONG].map((axis) =>
      Math.abs(rotate(turn, axis, vector()).y),
    );
    return (Math.acos(Math.min(1, Math.max(...ups))) * 180) / Math.PI;
  }

  /** The cubes of the tower that stand still. */
  get tower(): number {
    const { x, z } = buildingPlace(this.session.world.level);
    let count = 0;
    for (let body = 0; body < this.#records.count; body++) {
      const at = this.at(body as BodyId);
      const isIn = Math.max(Math.abs(at.x - x), Math.abs(at.z - z)) < 0.2;
      if (isIn && this.#records.hold[body] === NOT_HELD) count++;
    }
    return count;
  }

  /** The helper holds a cube before the player: a hand reaches for one whose side is within 3 m [A9]. */
  get isOffered(): boolean {
    const body = this.heldBy(HELPER);
    return body !== NO_BODY && distance(this.at(body), this.input.head.position) < 3.2;
  }

  /** The player takes the cube that the helper holds out. @returns the cube. */
  takesOffered(): BodyId {
    this.until('a cube is held out', () => this.isOffered, 15);
    const body = this.heldBy(HELPER);
    this.run(1, () => this.point(this.at(body)));
    this.input.hands[RIGHT].grip = 1;
    this.until('the player has it', () => this.heldBy(YOU) === body, 5);
    return body;
  }

  point(at: Vector): void {
    const { pose } = this.input.hands[RIGHT];
    lookAt(pose.position, at, pose.rotation);
  }
}

describe('practice', () => {
  test('begins with two players in one place: this page’s player is the host, and nothing is asked of a network', () => {
    const { session } = new Practice();
    expect(session.roster.players.map(({ slot, name }) => [slot, name])).toEqual([
      [HELPER, 'Robo'],
      [YOU, 'Ada'],
    ]);
    expect(session).toMatchObject({ code: null, room: null, slot: YOU, status: { kind: 'here' } });
    session.leave();
    expect(session.status).toEqual({ kind: 'left' });
  });

  test('[A9] the helper holds a cube out, and lets go when the player reaches for it', () => {
    const practice = new Practice();
    const hand = practice.input.hands[RIGHT];
    const tookS = practice.until('a cube is held out', () => practice.isOffered, 15);
    const body = practice.heldBy(HELPER);
    practice.run(1.5, () => practice.point(practice.at(body)));
    hand.grip = 1;
    const gaveS = practice.until('the player has it', () => practice.heldBy(YOU) === body, 5);
    console.log(`held out after ${tookS.toFixed(1)} s, given ${gaveS.toFixed(1)} s after the reach`);
    expect(practice.session.world.peer.diagnostics.hands[RIGHT].held).toBe(body);
    practice.session.leave();
  });

  test('the helper does not take back at once what it gave, but after a while', () => {
    const practice = new Practice();
    practice.until('a cube is held out', () => practice.isOffered, 15);
    const body = practice.heldBy(HELPER);
    practice.run(1.5, () => practice.point(practice.at(body)));
    practice.input.hands[RIGHT].grip = 1;
    practice.until('the player has it', () => practice.heldBy(YOU) === body, 5);
    const keptS = practice.until('the helper reaches for it', () => reachOf(practice) === body, 30);
    console.log(`the helper reaches for it after ${keptS.toFixed(1)} s`);
    expect(keptS).toBeGreaterThan(7);
    practice.session.leave();
  });

  test('the helper builds a tower of four, and goes on handing out', () => {
    const practice = new Practice();
    const tookS = practice.until('the tower has four cubes', () => practice.tower === 4, 180);
    console.log(`a tower of four after ${tookS.toFixed(0)} s`);
    practice.run(20);
    expect(practice.tower).toBe(4);
    practice.until('a cube is held out', () => practice.isOffered, 30);
    practice.session.leave();
  });

  test('[A9] the helper drops what it holds out if the player holds something out, and takes that', () => {
    const practice = new Practice();
    const hand = practice.input.hands[RIGHT];
    const given = practice.takesOffered();
    practice.until('another cube is held out', () => practice.isOffered, 60);
    const offered = practice.heldBy(HELPER);
    expect(offered).not.toBe(given);
    // The player comes near with its own cube.
    const bring = (): void => {
      const [own, to] = [practice.at(given), practice.at(offered)];
      const { position } = hand.pose;
      const step = (from: number, until: number): number => Math.max(-0.02, Math.min(0.02, until - from));
      position.x += step(own.x, to.x);
      position.z += step(own.z, to.z + 0.5);
    };
    practice.until('the helper reaches for it', () => reachOf(practice) === given, 6, bring);
    expect(practice.heldBy(HELPER)).toBe(NO_BODY);
    practice.run(0.5);
    hand.grip = 0;
    practice.until('the helper has it', () => practice.heldBy(HELPER) === given, 3);
    practice.session.leave();
  });

  test('[A9] the helper takes what is held out to it, and builds with it', () => {
    const practice = new Practice();
    const hand = practice.input.hands[RIGHT];
    const body = practice.takesOffered();
    const home = startPlaceOf(0, practice.session.world.level).position;
    const heldOut = vector(home.x, 1.3, home.z);
    // The hand goes to the helper, as a player does who walks there.
    let [x, z] = [hand.pose.position.x, hand.pose.position.z];
    const tilted = multiply(fromAxisAngle(ALONG, 0.6, quaternion()), hand.pose.rotation, quaternion());
    const bring = (): void => {
      nlerp(hand.pose.rotation, tilted, 0.1, hand.pose.rotation);
      const at = practice.at(body);
      x += Math.max(-0.02, Math.min(0.02, heldOut.x + 1.1 - at.x));
      z += Math.max(-0.02, Math.min(0.02, heldOut.z - at.z));
      setVector(hand.pose.position, x, hand.pose.position.y, z);
    };
    practice.until('the helper reaches for it', () => reachOf(practice) === body, 20, bring);
    practice.run(0.5);
    const before = practice.tower;
    hand.grip = 0;
    practice.until('the helper has it', () => practice.heldBy(HELPER) === body, 3);
    expect(practice.tiltOf(body), 'degrees as it is given').toBeGreaterThan(20);
    let tilt = NaN;
    practice.until(
      'it is on the tower',
      () => practice.tower === before + 1,
      30,
      () => {
        if (practice.heldBy(HELPER) === body) tilt = practice.tiltOf(body);
      },
    );
    expect(tilt, 'degrees as it is set down').toBeLessThan(3);
    practice.session.leave();
  });

  test.each(LEVEL_IDS)('goes on in another scene: %s', (name) => {
    const practice = new Practice();
    practice.run(1);
    practice.session.hosting.setScene({ id: name, seed: 3 });
    const { position } = startPlaceOf(1, practice.session.world.level);
    copyVector(position, practice.input.head.position);
    // The only free cube of the tower is too high to be pointed at.
    if (name !== 'tower') practice.until('a cube is held out', () => practice.isOffered, 40);
    practice.session.hosting.reset();
    practice.run(5);
    practice.session.leave();
  });
});

/** The body for which the helper reaches, as the player sees it. */
function reachOf({ session }: Practice): BodyId {
  const { peer, view } = session.world;
  peer.view(1, null, view);
  return view.avatars[HELPER].hands[RIGHT].reach;
}
