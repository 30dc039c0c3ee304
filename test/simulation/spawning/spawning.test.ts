import { describe, expect, test } from 'vitest';
import { TICK_MS } from '../../../src/core/base/constants.ts';
import type { BodyId } from '../../../src/core/base/ids.ts';
import { vector } from '../../../src/core/base/math.ts';
import { MOTION, POSE_STRIDE, STRIDE } from '../../../src/core/base/state.ts';
import { peerView } from '../../../src/core/peer/shown/peer-view.ts';
import { absenceOf, capacityOf } from '../../../src/core/world/existence.ts';
import type { Player } from '../../support/stage.ts';
import { SECRET } from '../../support/stage-levels.ts';
import { ballAt, existsFor, first, PER_PLAYER, spawned, stageOf } from './spawned.ts';

/** Ticks after which a refused body would be there for good. */
const PATIENCE = 120;

test('[S6.2] an id without a body costs nothing on the wire', async () => {
  const sentWith = async (perPlayer: number): Promise<number> => {
    const stage = await stageOf({ spawning: { perPlayer, perSecond: 20 } });
    const sent = (): number => stage.host.peer.traffic(stage.guest(1).slot).bytesSent;
    stage.letPass(2);
    const before = sent();
    stage.letPass(2);
    return sent() - before;
  };
  const few = await sentWith(1);
  expect(few).toBeGreaterThan(0);
  expect(await sentWith(200)).toBe(few);
});

describe('[S1.1] [S1.2] [S2] a body that a guest spawns', () => {
  test('[S2.1] is in its own picture at once, and in the others’ where it has it', async () => {
    const stage = await stageOf();
    const guest = stage.guest(1);
    const ball = spawned(guest, ballAt(stage, 1));
    const view = peerView(capacityOf(stage.level));
    guest.peer.view(1, null, view);
    expect(view.exists[ball]).toBe(1);
    expect([...view.poses.subarray(ball * POSE_STRIDE, ball * POSE_STRIDE + 2)]).toEqual([1, 2]);
    expect(existsFor(stage.host, ball)).toBe(false);
    stage.letPass(0.5);
    for (const player of stage.present) expect(existsFor(player, ball)).toBe(true);
    stage.letAllRest();
    expect(stage).toAgree();
    expect(stage.host.says(ball).position[1]).toBeCloseTo(0.25, 1);
  });

  test('[S4.2] is drawn at once where it begins on every page, not on its way from the body before it', async () => {
    const stage = await stageOf({ spawning: { perPlayer: 1, perSecond: 20 } });
    const guest = stage.guest(1);
    const view = peerView(capacityOf(stage.level));
    for (const x of [-3, 3]) {
      const ball = spawned(guest, ballAt(stage, x));
      const seen = new Set<Player>();
      for (let tick = 0; tick < 60; tick++) {
        for (const player of stage.present) {
          for (const alpha of [0, 0.5, 1]) {
            player.peer.view(alpha, null, view);
            if (view.exists[ball] === 0) continue;
            seen.add(player);
            expect(view.poses[ball * POSE_STRIDE]).toBeCloseTo(x, 1);
          }
        }
        stage.tick();
      }
      expect(seen.size).toBe(3);
      guest.peer.despawn(ball);
      stage.letPass(0.4);
    }
  });

  test('[A13.2] can be pushed without a hand', async () => {
    const stage = await stageOf();
    const guest = stage.guest(1);
    const ball = spawned(guest, ballAt(stage, 1, 0.3));
    const push = { kind: 'impulse', body: ball, push: vector(2, 0, 0), at: null } as const;
    expect(guest.peer.act(push)).toBeNull();
    stage.letPass(0.5);
    expect(stage.host.says(ball).position[0]).toBeGreaterThan(1.2);
  });

  test('[S2.2] has an id of its own player, so that two who spawn at once never share one', async () => {
    const stage = await stageOf();
    const bodies = stage.present.map((player, i) => spawned(player, ballAt(stage, 2 * i)));
    expect(new Set(bodies).size).toBe(3);
    stage.letPass(0.5);
    for (const player of stage.present) for (const body of bodies) expect(existsFor(player, body)).toBe(true);
    stage.letAllRest();
    expect(stage).toAgree();
  });

  test('[A13.3] may be pushed without a hand, by its own mass', async () => {
    const stage = await stageOf();
    const guest = stage.guest(1);
    const ball = spawned(guest, ballAt(stage, 1));
    expect(guest.peer.act({ kind: 'impulse', body: ball, push: vector(0, 3, 0), at: null })).toBeNull();
    stage.tick();
    const { motion } = guest.peer.state.bodies;
    // A tick of gravity is in it.
    expect(motion[ball * STRIDE + MOTION.linear + 1]).toBeCloseTo(3 - 9.8 / 60, 1);
    stage.letAllRest();
    expect(stage).toAgree();
  });

  test('[S2.1] may be taken into a hand before the first packet with it arrives, and is not lost', async () => {
    const stage = await stageOf();
    const guest = stage.guest(1);
    const ball = spawned(guest, ballAt(stage, 1));
    guest.uplink.loss = 1;
    guest.grabs(ball);
    stage.letPass(0.1);
    guest.uplink.loss = 0;
    stage.letPass(0.6);
    expect(guest.holds(ball)).toBe(true);
    expect(stage.host.says(ball).holder).toEqual({ slot: 1, hand: 'right' });
    expect(stage.host.counted('override')).toBe(0);
    guest.releases();
    stage.letAllRest();
    expect(stage).toAgree();
  });

  test('may be taken into a hand before the host knows it, and given to another', async () => {
    const stage = await stageOf({ latencyMs: 100 });
    const [, guest, other] = [0, 1, 2].map((slot) => stage.guest(slot));
    const ball = spawned(guest, ballAt(stage, 1));
    guest.grabs(ball);
    stage.letPass(0.6);
    expect(guest.holds(ball)).toBe(true);
    expect(stage.host.says(ball).holder).toEqual({ slot: 1, hand: 'right' });
    guest.releases();
    stage.letPass(0.3);
    other.grabs(ball);
    stage.letPass(0.5);
    expect(other.holds(ball)).toBe(true);
    stage.letAllRest();
    expect(stage).toAgree();
  });
});

describe('[S2.1] a body that a guest spawns into its hand', () => {
  test.each([1, 4])('is known to all, although its first %i packets are lost', async (packets) => {
    const stage = await stageOf();
    const guest = stage.guest(1);
    const ball = spawned(guest, ballAt(stage, 1));
    guest.grabs(ball);
    guest.uplink.loss = 1;
    for (let packet = 0; packet < packets; packet++) stage.tick();
    guest.uplink.loss = 0;
    stage.letPass(0.5);
    expect(guest.holds(ball)).toBe(true);
    expect(stage.present.map((player) => existsFor(player, ball))).toEqual([true, true, true]);
    expect(stage.host.says(ball).holder).toEqual({ slot: 1, hand: 'right' });
    stage.letAllRest();
    expect(stage).toAgree();
  });
});

describe('[S2] a spawn is refused', () => {
  test('[S5.1] at once, if the player has too many, spawns too fast, or something that the level does not allow', async () => {
    const stage = await stageOf({ spawning: { perPlayer: PER_PLAYER, perSecond: 2 } });
    const { peer } = stage.guest(1);
    expect(peer.spawn({ ...ballAt(stage, 0), template: SECRET })).toBe('no template');
    expect(peer.spawn(ballAt(stage, NaN))).toBe('bounds');
    expect(peer.spawn(ballAt(stage, 0))).toBeTypeOf('number');
    expect(peer.spawn(ballAt(stage, 2))).toBeTypeOf('number');
    expect(peer.spawn(ballAt(stage, 4))).toBe('too fast');
    stage.letPass(0.5);
    expect(peer.spawn(ballAt(stage, 4))).toBeTypeOf('number');
    stage.letPass(0.5);
    expect(peer.spawn(ballAt(stage, 6))).toBe('too many');
  });

  test.each([0, 50, 100, 200])(
    '[S2.3] by the host, if the guest cheats, %i ms apart: gone within a round trip, and its player reads why',
    async (latencyMs) => {
      const stage = await stageOf({ latencyMs });
      const guest = stage.guest(1);
      const { level } = guest.peer.state.bodies;
      // A page that has changed its own rules.
      Object.assign(level.spawning.templates, [SECRET, SECRET]);
      const body = spawned(guest, { ...ballAt(stage, 0), template: SECRET });
      Object.assign(level.spawning.templates, level.templates.slice(0, 2));
      let ticks = 0;
      for (; existsFor(guest, body) && ticks < PATIENCE; ticks++) stage.tick();
      expect(ticks * TICK_MS).toBeLessThanOrEqual(2 * latencyMs + 100);
      expect(absenceOf(guest.peer.state.bodies.records.existence[body] as never)).toBe('not allowed');
      expect(guest.counted('refuse')).toBe(1);
      expect(existsFor(stage.guest(2), body)).toBe(false);
      stage.letAllRest();
      expect(stage).toAgree();
    },
  );

  test('[S2.2] by the host, if the id is another player’s', async () => {
    const stage = await stageOf();
    const guest = stage.guest(1);
    const body = spawned(guest, ballAt(stage, 0));
    const { records } = guest.peer.state.bodies;
    const foreign = (body + PER_PLAYER) as BodyId;
    records.authority[foreign] = 1;
    records.ownershipSequence[foreign] = 1;
    records.existence[foreign] = records.existence[body];
    guest.peer.state.bodies.become(foreign, records.state.slice(0, 13));
    stage.letPass(0.5);
    expect(existsFor(stage.host, foreign)).toBe(false);
    expect(existsFor(guest, foreign)).toBe(false);
    stage.letAllRest();
    expect(stage).toAgree();
  });
});

describe('[S6] who joins', () => {
  test('[S6.1] hears of every body that exists, and of those that are no more', async () => {
    const stage = await stageOf();
    stage.guest(2).leaves();
    const [here, gone] = [
      spawned(stage.guest(1), ballAt(stage, 0)),
      spawned(stage.guest(1), ballAt(stage, 2)),
    ];
    stage.letPass(0.4);
    stage.guest(1).peer.despawn(gone);
    stage.host.peer.despawn(first);
    stage.letPass(0.4);
    const newcomer = stage.guest(2);
    newcomer.returns();
    stage.letPass(1);
    expect([here, gone, first].map((body) => existsFor(newcomer, body))).toEqual([true, false, false]);
    expect(newcomer.peer.hasWorld).toBe(true);
    stage.letAllRest();
    expect(stage).toAgree();
  });
});

describe('[S7] [S8]', () => {
  test('[S7.1] what a player that left has spawned stays, and who comes after it may use its other ids', async () => {
    const stage = await stageOf();
    const ball = spawned(stage.guest(2), ballAt(stage, 0));
    stage.letPass(0.4);
    stage.guest(2).leaves();
    stage.letPass(0.4);
    expect(existsFor(stage.host, ball)).toBe(true);
    stage.guest(2).returns('another');
    stage.letPass(1);
    expect(spawned(stage.guest(2), ballAt(stage, 3))).toBe(ball + 1);
    stage.letAllRest();
    expect(stage).toAgree();
  });

  test('[S8.1] a reset brings the level’s bodies back, and takes all others', async () => {
    const stage = await stageOf();
    const ball = spawned(stage.guest(1), ballAt(stage, 0));
    stage.host.peer.despawn(first);
    stage.letPass(0.4);
    stage.host.peer.reset();
    stage.letPass(0.4);
    for (const player of stage.present)
      expect([existsFor(player, ball), existsFor(player, first)]).toEqual([false, true]);
    stage.letAllRest();
    expect(stage).toAgree();
  });

  test('[S8.2] a saved world has the bodies that were spawned', async () => {
    const stage = await stageOf();
    const ball = spawned(stage.guest(1), ballAt(stage, 0));
    stage.host.peer.despawn(first);
    stage.letAllRest();
    const saved = stage.host.peer.saveWorld({ id: 'a stage', seed: 1, hash: '' }, 0);
    stage.host.peer.reset();
    stage.letPass(0.4);
    stage.host.peer.reset(saved);
    stage.letPass(1);
    for (const player of stage.present)
      expect([existsFor(player, ball), existsFor(player, first)]).toEqual([true, false]);
    stage.letAllRest();
    expect(stage).toAgree();
  });
});
