import { describe, expect, test } from 'vitest';
import type { Slot } from '../../../../src/core/base/ids.ts';
import { NO_BODY, RIGHT } from '../../../../src/core/base/ids.ts';
import { PLAYOUT_DELAY_SECONDS, TICK_RATE, ticksIn } from '../../../../src/core/base/constants.ts';
import { vector } from '../../../../src/core/base/math.ts';
import { MOTION, POSE_STRIDE, STRIDE } from '../../../../src/core/base/state.ts';
import type { PeerPhase } from '../../../../src/core/peer/diagnostics/phases.ts';
import type { Stage } from '../../../support/stage.ts';
import { apart, CUBES, setStage } from '../../../support/stage.ts';

const PLAYOUT_DELAY_TICKS = ticksIn(PLAYOUT_DELAY_SECONDS, TICK_RATE);

const [cube, other] = CUBES;
const HOST = 0 as Slot;

function stage(): Promise<Stage> {
  return setStage({ guests: 2, cubes: apart(3), bodiless: true });
}

describe('the diagnostics of a peer', () => {
  test('name the peer, its room and its moment', async () => {
    const { host, guests } = await stage();
    const { diagnostics } = guests[0].peer;
    expect(diagnostics).toMatchObject({ slot: 1, host: 0, reset: 0, term: host.peer.diagnostics.term });
    expect([HOST, 1 as Slot].map((slot) => diagnostics.nameOf(slot))).toEqual(['Player 0', 'Player 1']);
    const { tick } = diagnostics;
    guests[0].peer.tick(guests[0].input);
    expect(diagnostics.tick).toBe(tick + 1);
    expect(diagnostics.linkedSlots()).toEqual([0]);
    expect(host.peer.diagnostics.linkedSlots()).toEqual([1, 2]);
  });

  test('show records, hands, events and playout as they change', async () => {
    const players = await stage();
    const { diagnostics } = players.guest(1).peer;
    const { bodies } = diagnostics;
    expect(bodies.count).toBe(3);
    expect([bodies.records.authority[cube], diagnostics.simulatorOf(cube)]).toEqual([-1, 0]);
    expect([bodies.isKinematic(cube), bodies.isAsleep(cube)]).toEqual([false, true]);
    const { total } = diagnostics.events;
    players.guest(1).grabs(cube);
    players.tick();
    expect([bodies.records.authority[cube], diagnostics.simulatorOf(cube)]).toEqual([1, 1]);
    expect([bodies.isKinematic(cube), bodies.isAsleep(cube)]).toEqual([true, false]);
    expect(diagnostics.hands.map(({ side, held }) => [side, held])).toEqual([
      [0, NO_BODY],
      [1, cube],
    ]);
    expect(diagnostics.input.hands[RIGHT].grip).toBe(players.guest(1).input.hands[RIGHT].grip);
    const kinds: string[] = [];
    diagnostics.events.each(total, ({ kind }) => kinds.push(kind));
    expect(kinds).toContain('grab');
    expect(diagnostics.events.counts.grab).toBe(1);
    expect(diagnostics.playout(HOST)).toMatchObject({ running: true, delay: PLAYOUT_DELAY_TICKS, jumps: 0 });
    expect(diagnostics.lost.tick).toBe(-1);
    expect(diagnostics.given.tick).toBe(-1);
  });

  test('show motions and drawn poses of all bodies', async () => {
    const { bodies } = (await stage()).host.peer.diagnostics;
    expect([bodies.motion.length, bodies.drawn.length]).toEqual([3 * STRIDE, 3 * POSE_STRIDE]);
    for (let i = 0; i < POSE_STRIDE; i++)
      expect(bodies.drawn[other * POSE_STRIDE + i]).toBeCloseTo(bodies.motion[other * STRIDE + i], 3);
  });

  test('count rejections by reason', async () => {
    const { host } = await stage();
    host.peer.receive(0, HOST, new Uint8Array(3));
    expect(host.peer.diagnostics.rejections).toEqual({ 'unknown sender': 1 });
  });

  test('let a driver take and move bodies without a hand', async () => {
    const players = await stage();
    const { driver, bodies } = players.guest(1).peer.diagnostics;
    driver.take(other);
    expect(driver.grab(cube)).toBe(true);
    expect([cube, other].map((body) => driver.has(body))).toEqual([true, true]);
    driver.wake(cube);
    driver.motion[cube * STRIDE + MOTION.linear] = 1;
    const before = [...bodies.records.state];
    driver.record(cube);
    expect([...bodies.records.state]).not.toEqual(before);
    players.guest(2).grabs(CUBES[2]);
    players.letPass(1);
    expect(driver.grab(CUBES[2])).toBe(false);
    expect(players.host.peer.diagnostics.bodies.records.authority[cube]).toBe(1);
  });

  test('have the methods of every phase wrapped', async () => {
    const players = await stage();
    const seen = new Set<PeerPhase>();
    players.guest(1).peer.diagnostics.wrapPhases((phase, method) => (...args) => {
      seen.add(phase);
      return method(...args);
    });
    players.guest(1).moves([0.5, 0, 0], 0.2);
    expect([...seen].sort()).toEqual(['apply', 'authority', 'capture', 'decode', 'encode', 'step', 'write']);
  });
});

describe('a peer that was disposed', () => {
  test('has freed its engine, once', async () => {
    const { peer } = (await stage()).guest(1);
    const { simulation } = peer.state.bodies;
    let freed = 0;
    simulation.dispose = () => void freed++;
    peer.dispose();
    peer.dispose();
    expect(freed).toBe(1);
  });

  test('neither receives, ticks nor polls: that is a fault of its owner', async () => {
    const { peer, input } = (await stage()).guest(1);
    peer.dispose();
    expect(() => peer.tick(input)).toThrow('disposed');
    expect(() => peer.poll(0, () => {})).toThrow('disposed');
    expect(() => peer.receive(0, HOST, new Uint8Array(3))).toThrow('disposed');
  });

  test('neither acts, spawns, despawns nor begins anew', async () => {
    const { host } = await stage();
    const { peer } = host;
    const { level } = peer.state.bodies;
    const at = { pose: level.bodies[0].start, linear: vector(), angular: vector() };
    peer.dispose();
    expect(() => peer.act({ kind: 'take', body: cube })).toThrow('This peer was disposed');
    expect(() => peer.spawn({ template: level.templates[0], ...at })).toThrow('disposed');
    expect(() => peer.despawn(cube)).toThrow('disposed');
    expect(() => peer.reset()).toThrow('disposed');
  });

  test('looks for no bodies in its engine', async () => {
    const { peer } = (await stage()).guest(1);
    peer.dispose();
    expect(() => peer.diagnostics.overlapSphere(vector(), 1)).toThrow(
      'This peer was disposed: its engine is freed.',
    );
  });
});
