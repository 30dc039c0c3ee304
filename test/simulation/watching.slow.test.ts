import { beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import type { BodyId, Slot } from '../../src/core/base/ids.ts';
import { vector } from '../../src/core/base/math.ts';
import { Random } from '../../src/core/base/random.ts';
import { runChaos } from '../../src/harness/chaos/run-chaos.ts';
import type { HarnessOptions } from '../../src/harness/room.ts';
import { RoomHarness } from '../../src/harness/room.ts';
import { createRapierSimulation, loadPhysics } from '../../src/physics/rapier-simulation.ts';
import { describeFailure } from '../../src/tools/chaos/summary.ts';
import { Watchers } from './watchers.ts';

beforeAll(loadPhysics);

const GUEST = 2 as Slot;
/** Steps in half a second. */
const KEYFRAMES_APART = 30;

function watched(options: Partial<HarnessOptions>, comes?: readonly number[]) {
  const room = new RoomHarness(
    {
      players: 3,
      scene: { id: 'pile', seed: 1 },
      bots: 'stack',
      seed: 1,
      conditions: { latencyMs: 40, loss: 0.05 },
      quietFrom: 600,
      ...options,
    },
    createRapierSimulation,
  );
  const watchers = new Watchers(room, 1, comes);
  onTestFinished(() => {
    watchers.dispose();
    room.dispose();
  });
  const pass = (steps: number, misses = 0): void => {
    for (let i = 0; i < steps; i++) {
      room.step();
      watchers.step(room, misses);
    }
  };
  return { room, watchers, pass };
}

describe('[N5.3] a keyframe', () => {
  test('comes first, and then only for those that wait for one, twice a second at most', () => {
    const { watchers, pass } = watched({}, [0, 100, 110]);
    pass(90);
    expect(watchers.keyframes).toEqual([1]);
    pass(110);
    expect(watchers.keyframes, 'the third one waits until half a second has passed').toEqual([1, 100, 130]);
    pass(200, 0.2);
    const apart = watchers.keyframes.slice(1).map((step, i) => step - watchers.keyframes[i]);
    expect(Math.min(...apart)).toBe(KEYFRAMES_APART);
    expect(watchers.keyframes.length).toBeGreaterThan(6);
  });

  test('comes when a tick was left out, when the level begins anew, and under a newer term', () => {
    const { room, watchers, pass } = watched({}, [0]);
    pass(50);
    room.step();
    pass(50);
    expect(watchers.keyframes).toEqual([1, 52]);
    room.peers[0].reset();
    pass(1);
    expect(watchers.keyframes).toEqual([1, 52, 102]);
    pass(400);
    room.peers[0].becomeHost(room.peers[0].diagnostics.term + 32, []);
    pass(1);
    expect(watchers.keyframes.slice(3)).toEqual([503]);
    pass(400);
    expect(watchers.differences(room).filter((what) => what.includes('baseline'))).toEqual([]);
  });
});

describe('[N5.2] watchers', () => {
  test('have everything as the host has it, to the bit, with what leaves and comes meanwhile', () => {
    const { room, watchers, pass } = watched({ players: 4 });
    pass(200, 0.01);
    room.exit(GUEST);
    pass(40, 0.01);
    room.miss(GUEST);
    pass(60, 0.01);
    room.enter(GUEST);
    room.join(GUEST);
    pass(350, 0.01);
    // The bots' hands are still; the pile comes to rest.
    pass(600);
    expect(watchers.differences(room)).toEqual([]);
    const [{ peer }] = watchers.watchers;
    expect([0, 1, 2, 3].map((slot) => peer.diagnostics.nameOf(slot as Slot))).toEqual([
      'Player 1',
      'Player 2',
      'Player 3',
      'Player 4',
    ]);
  });

  test('[H6] see a player go, and the next one in its slot, without a keyframe', () => {
    const { room, watchers, pass } = watched({}, [0]);
    pass(200);
    room.exit(GUEST);
    room.miss(GUEST);
    pass(30);
    const [{ peer }] = watchers.watchers;
    expect(peer.state.authors[GUEST].newestTick).toBe(-1);
    room.enter(GUEST);
    room.join(GUEST);
    pass(60);
    const { newestTick, avatarTime, name } = peer.state.authors[GUEST];
    expect(newestTick, 'its own count').toBeLessThan(65);
    expect(newestTick).toBeGreaterThan(40);
    expect(newestTick - avatarTime).toBeLessThan(12);
    expect(name).toBe('Player 3');
    expect(watchers.keyframes).toEqual([1]);
  });

  test('take half of what a player takes', () => {
    const { room } = watched({ players: 4, bots: 'chaos', quietFrom: Infinity }, []);
    let bytes = 0;
    const count = (packet: Uint8Array): void => void (bytes += packet.length);
    for (let step = 0; step < 600; step++) {
      room.step();
      room.peers[0].broadcast(room.now, false, count);
    }
    const { bytesSent } = room.peers[0].traffic(1 as Slot);
    expect(bytes).toBeLessThan(bytesSent / 2);
    expect(bytes).toBeGreaterThan(10_000);
  });

  test('take 128 kbit/s at most in each second, besides keyframes', () => {
    // The host pushes four hundred cubes about all the time: more than that.
    const { room } = watched({ scene: { id: 'grid', seed: 1, count: 400 } }, []);
    const random = new Random(1);
    const push = (body: number): void => {
      const linear = vector(random.between(-3, 3), random.between(0, 3), random.between(-3, 3));
      const action = { kind: 'velocity', body: body as BodyId, linear, angular: linear } as const;
      room.peers[0].act(action);
    };
    const bits: number[] = [];
    let isKeyframe = false;
    const count = (packet: Uint8Array, begins: boolean): void => {
      isKeyframe ||= begins;
      if (!isKeyframe) bits[bits.length - 1] += 8 * packet.length;
    };
    for (let step = 0; step < 180; step++) {
      for (let body = step % 8; body < 400; body += 8) push(body);
      room.step();
      if (step % 60 === 0) bits.push(0);
      isKeyframe = false;
      room.peers[0].broadcast(room.now, false, count);
    }
    expect(Math.max(...bits)).toBeLessThanOrEqual(128_000);
    expect(Math.max(...bits), 'it needs more').toBeGreaterThan(110_000);
  });

  test.each([3])('have it in the cruel room of seed %i, too', { timeout: 240_000 }, (seed) => {
    let watchers: Watchers | null = null;
    let differences: readonly string[] = ['nobody watched'];
    const report = runChaos(seed, createRapierSimulation, (room) => {
      watchers ??= new Watchers(room, seed);
      watchers.step(room, 0.01);
      differences = watchers.differences(room);
    });
    expect(report.faults, describeFailure(report)).toEqual([]);
    expect(differences, `seed ${seed}`).toEqual([]);
  });
});
