import { beforeEach, describe, expect, test } from 'vitest';
import type { BodyId, HandSide, Slot, Tick } from '../../src/core/base/ids.ts';
import { holdOf, LEFT, NO_BODY, NO_SLOT, RIGHT } from '../../src/core/base/ids.ts';
import { existing } from '../../src/core/world/existence.ts';
import { MOTION, STRIDE } from '../../src/core/base/state.ts';
import type { Peer } from '../../src/core/peer/peer.ts';
import type { Violation } from '../../src/harness/referee/violation.ts';
import { Referee } from '../../src/harness/referee/referee.ts';
import { RoomHarness } from '../../src/harness/room.ts';
import { floatingSimulation } from '../support/bodiless.ts';

const CUBE = 1 as BodyId;
const [HOST, GUEST] = [0, 1] as Slot[];

let room: RoomHarness;
let referee: Referee;
let host: Peer;
let guest: Peer;

/** A quiet room without faults. A test breaks something by hand. */
beforeEach(() => {
  room = new RoomHarness(
    {
      players: 2,
      scene: { id: 'grid', seed: 1, count: 4 },
      bots: 'idle',
      seed: 1,
      conditions: { latencyMs: 20 },
      quietFrom: 0,
    },
    floatingSimulation,
  );
  referee = new Referee(room, 40, false);
  [host, guest] = room.peers;
  step(120);
});

function step(count = 1): void {
  const received = (peer: Peer): void => {
    referee.afterReceive(peer);
  };
  for (let i = 0; i < count; i++) {
    room.step(received);
    referee.observe();
  }
}

/** The marks and bodies of the violations, and their peers. */
function found(): Pick<Violation, 'mark' | 'peer' | 'body'>[] {
  return referee.violations.map(({ mark, peer, body }) => ({ mark, peer, body }));
}

/** A peer's record says who has the cube, and who holds it. */
function say(peer: Peer, authority: Slot, side: HandSide | null): void {
  const { records } = peer.state.bodies;
  records.authority[CUBE] = authority;
  records.hold[CUBE] = side === null ? 0 : holdOf(side);
}

describe('the referee', () => {
  test('finds nothing in a room in which all is well', () => {
    expect(referee.finish()).toMatchObject({ converged: true });
    expect(found()).toEqual([]);
  });

  test.each(['authority', 'hold', 'ownershipSequence', 'authoritySequence', 'resting'] as const)(
    '[I1] sees a guest that disagrees at the end about %s',
    (field) => {
      guest.state.bodies.records[field][CUBE]++;
      expect(referee.finish()).toEqual({ converged: false, convergedAfterMs: null });
      expect(found()).toEqual([{ mark: 'I1', peer: GUEST, body: CUBE }]);
    },
  );

  test('[I1] sees a guest whose rest pose differs by the smallest step', () => {
    guest.state.bodies.records.state[CUBE * STRIDE + 6]++;
    expect(referee.finish().converged).toBe(false);
    expect(found()).toEqual([{ mark: 'I1', peer: GUEST, body: CUBE }]);
  });

  test('[I1] does not call it converged while something moves, though all agree', () => {
    for (const peer of room.peers) peer.state.bodies.records.resting[CUBE] = 0;
    referee.observe();
    expect(referee.finish()).toEqual({ converged: false, convergedAfterMs: null });
  });

  test('[I2] sees a body in both hands of a player', () => {
    say(guest, GUEST, LEFT);
    for (const hand of guest.player.hands) hand.held = CUBE;
    referee.observe();
    expect(found()).toContainEqual({ mark: 'I2', peer: GUEST, body: CUBE });
  });

  test('[I2] sees a body in a hand of one that does not have it', () => {
    guest.player.hands[RIGHT].held = CUBE;
    referee.observe();
    expect(found()).toEqual([{ mark: 'I2', peer: GUEST, body: CUBE }]);
  });

  test('[I2] sees the host take a body out of one hand into another', () => {
    say(host, HOST, LEFT);
    referee.observe();
    expect(found()).toEqual([]);
    say(host, GUEST, RIGHT);
    referee.observe();
    expect(found()).toEqual([{ mark: 'I2', peer: HOST, body: CUBE }]);
  });

  test('[I2] lets it change hands after a release', () => {
    say(host, HOST, LEFT);
    referee.observe();
    host.state.log.add(host.state.tick, 'release', 'A7', CUBE, HOST);
    say(host, GUEST, RIGHT);
    referee.observe();
    expect(found()).toEqual([]);
  });

  test('[I3] sees a rest pose that is not the one that its authority saw, though all agree', () => {
    for (const { state } of room.peers) state.bodies.records.state[CUBE * STRIDE]++;
    expect(referee.finish().converged).toBe(true);
    expect(found()).toEqual([{ mark: 'I3', peer: HOST, body: CUBE }]);
  });

  test('[I4] sees a body that rests for long and is not back under none, and says so once', () => {
    say(host, GUEST, null);
    guest.state.bodies.records.restTicks[CUBE] = 120;
    referee.observe();
    expect(found()).toEqual([]);
    guest.state.bodies.records.restTicks[CUBE] = 123;
    referee.observe();
    referee.observe();
    expect(found()).toEqual([{ mark: 'I4', peer: GUEST, body: CUBE }]);
  });

  test('[I4] gives a network that loses packets a second more', () => {
    const patient = new Referee(room, 40, true);
    say(host, GUEST, null);
    guest.state.bodies.records.restTicks[CUBE] = 180;
    patient.observe();
    expect(patient.violations).toEqual([]);
    guest.state.bodies.records.restTicks[CUBE] = 183;
    patient.observe();
    expect(patient.violations).toHaveLength(1);
  });

  test.each([
    [MOTION.position, 64.6],
    [MOTION.position + 1, -2.1],
    [MOTION.position + 1, 62.6],
    [MOTION.position + 2, -64.6],
    [MOTION.rotation + 2, NaN],
    [MOTION.linear + 1, Infinity],
    [MOTION.angular, -Infinity],
  ])('[I5] sees number %i of a motion at %f', (at, value) => {
    guest.state.bodies.motion[CUBE * STRIDE + at] = value;
    referee.observe();
    expect(found()).toEqual([{ mark: 'I5', peer: GUEST, body: CUBE }]);
  });

  test('[I6] sees a hand lose what the host agrees it holds', () => {
    guest.player.hands[RIGHT].held = CUBE;
    say(host, GUEST, RIGHT);
    guest.state.log.add(room.steps as Tick, 'lose', 'A1', CUBE, GUEST);
    referee.afterReceive(guest);
    expect(found()).toEqual([{ mark: 'I6', peer: GUEST, body: CUBE }]);
  });

  test('[I6] finds nothing in a hand that loses what the host gave to another, or that held nothing', () => {
    guest.player.hands[RIGHT].held = CUBE;
    for (const [authority, side] of [
      [HOST, RIGHT],
      [NO_SLOT, null],
      [GUEST, null],
    ] as const) {
      say(host, authority, side);
      guest.state.log.add(room.steps as Tick, 'lose', 'A1', CUBE, GUEST);
      referee.afterReceive(guest);
    }
    guest.player.hands[RIGHT].held = NO_BODY;
    say(host, GUEST, RIGHT);
    guest.state.log.add(room.steps as Tick, 'lose', 'A1', CUBE, GUEST);
    referee.afterReceive(guest);
    expect(found()).toEqual([]);
  });

  test('[I7] sees a guest that has another body, or none, where the host has one', () => {
    guest.state.bodies.records.existence[CUBE] = existing(1, 0);
    expect(referee.finish().converged).toBe(false);
    expect(found()).toEqual([{ mark: 'I7', peer: GUEST, body: CUBE }]);
  });

  test('[I7] sees a body that is there against its peer’s own record', () => {
    guest.state.bodies.templates[CUBE] = null;
    expect(referee.finish().converged).toBe(false);
    expect(found()).toEqual([{ mark: 'I7', peer: GUEST, body: CUBE }]);
  });

  test('[I8] sees a body that is lost on the host', () => {
    host.state.bodies.templates[CUBE] = null;
    referee.observe();
    expect(found()).toEqual([{ mark: 'I8', peer: HOST, body: CUBE }]);
  });

  test('[I8] sees a body that is there though no spawn was accepted, and one that is another', () => {
    const { records, templates } = host.state.bodies;
    [templates[CUBE]] = [null];
    host.state.log.add(host.state.tick, 'despawn', 'S3', CUBE, HOST);
    referee.observe();
    expect(found()).toEqual([]);
    [templates[CUBE]] = room.level.templates;
    referee.observe();
    records.existence[CUBE] = existing(7, 0);
    referee.observe();
    expect(found()).toEqual([
      { mark: 'I8', peer: HOST, body: CUBE },
      { mark: 'I8', peer: HOST, body: CUBE },
    ]);
  });

  test('[I8] sees a spawn that is accepted twice, and lets one begin after a despawn', () => {
    const { records } = host.state.bodies;
    const say = (kind: 'spawn' | 'despawn'): void =>
      host.state.log.add(host.state.tick, kind, 'S2', CUBE, GUEST);
    for (const generation of [1, 2]) {
      records.existence[CUBE] = existing(generation, 0);
      say('despawn');
      say('spawn');
      referee.observe();
    }
    expect(found()).toEqual([]);
    say('despawn');
    say('spawn');
    referee.observe();
    expect(found()).toEqual([{ mark: 'I8', peer: HOST, body: CUBE }]);
    say('spawn');
    records.existence[CUBE] = existing(3, 0);
    referee.observe();
    expect(found()).toHaveLength(2);
  });

  test('keeps fifty of all that it finds', () => {
    guest.state.bodies.motion.fill(NaN);
    for (let i = 0; i < 100; i++) referee.observe();
    expect(referee.violations).toHaveLength(50);
  });
});

describe('the errors that a referee measures', () => {
  test('are of what a guest shows against what was true when it was so, and now', () => {
    const before = referee.nowErrors.length;
    const { bodies } = host.state;
    for (let i = 0; i < 60; i++) {
      bodies.motion[CUBE * STRIDE + MOTION.linear] = 1.2;
      bodies.simulation.write(CUBE, bodies.motion);
      bodies.rest.wakeRecord(CUBE);
      step();
    }
    const shown = referee.shownErrors.slice(-20);
    const now = referee.nowErrors.slice(before).slice(-20);
    // At 1.2 m/s, and some 140 ms behind.
    for (const metres of shown) expect(metres).toBeLessThan(0.03);
    for (const metres of now) {
      expect(metres).toBeGreaterThan(0.1);
      expect(metres).toBeLessThan(0.25);
    }
  });
});
