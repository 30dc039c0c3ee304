import { beforeAll, describe, expect, it } from 'vitest';
import { TICK_MS } from '../../../src/core/base/constants.ts';
import type { Hand } from '../../../src/lab/game/hand.ts';
import { BufferedIntake, colyseus } from '../../../src/lab/models/colyseus.ts';
import { Easing } from '../../../src/lab/game/easing.ts';
import { PlayerLine } from '../../../src/lab/network/server-line.ts';
import type { LabEngines } from '../../../src/lab/run.ts';
import { createRun, loadEngines, play, setupOf } from '../play.ts';

/** The numbers are from the pages on netcode of Colyseus' documents, version 0.18. */
const hand = (x: number): Hand => ({ x, y: 90, z: 0 });

describe('the buffer of inputs', () => {
  it('gives one input a tick, in order, and repeats the latest in a tick without one', () => {
    const intake = new BufferedIntake(hand(0));
    for (const tick of [2, 1, 3]) intake.take(tick, hand(tick));
    expect([intake.next(), intake.next(), intake.next()].map(({ x }) => x)).toEqual([1, 2, 3]);
    expect([intake.next().x, intake.isGap, intake.applied]).toEqual([3, true, 3]);
    intake.take(4, hand(4));
    expect([intake.next().x, intake.isGap, intake.applied]).toEqual([4, false, 4]);
  });

  it('skips nothing to catch up: what came late stays late', () => {
    const intake = new BufferedIntake(hand(0));
    for (let tick = 1; tick <= 20; tick++) intake.take(tick, hand(tick));
    for (let i = 0; i < 10; i++) intake.next();
    expect(intake.applied).toBe(10);
  });

  it('holds 64 inputs, and drops the oldest beyond them', () => {
    const intake = new BufferedIntake(hand(0));
    for (let tick = 1; tick <= 70; tick++) intake.take(tick, hand(tick));
    expect(intake.next().x).toBe(7);
  });
});

describe('server prediction as Colyseus has it', () => {
  let engines: LabEngines;
  beforeAll(async () => {
    engines = await loadEngines();
  });

  it('sends states 20 times a second, and each input in four packets', () => {
    const setup = setupOf(engines);
    const { peers } = colyseus.create({ ...setup, sendEvery: 60 / colyseus.rate });
    const server = 2;
    const line = new PlayerLine(setup.scene.homes[0]);
    const counts: number[] = [];
    const sent = { states: 0 };
    const playTick = (tick: number): void => {
      const now = tick * TICK_MS;
      peers.forEach((peer) => peer.tick(setup.scene.homes[0]));
      peers[server].poll(now, (to) => (sent.states += to === 0 ? 1 : 0));
      peers[1].poll(now, (_to, bytes) => peers[server].receive(now, 1, bytes));
      peers[0].poll(now, (_to, bytes) => {
        peers[server].receive(now, 0, bytes);
        const hands: number[] = [];
        line.receive(bytes, (at) => hands.push(at));
        counts.push(hands.length);
      });
    };
    for (let tick = 1; tick <= 64; tick++) playTick(tick);
    expect(sent.states).toBe(21);
    expect(counts.slice(0, 6)).toEqual([1, 2, 3, 4, 4, 4]);
    expect(counts).toHaveLength(64);
  });

  it('adopts every state: it computes all ticks since then again, right or wrong', () => {
    const run = createRun('colyseus', engines, { conditions: { latencyMs: 100 } });
    play(run, 4);
    const { steps } = run.figures();
    run.dispose();
    // A state every third tick, and a round trip of 12 ticks.
    expect(steps).toBeGreaterThan(4);
    expect(steps).toBeLessThan(7);
  });

  it('takes 63 % of a correction back in 65 ms', () => {
    const easing = new Easing(1, 1 - Math.exp(-TICK_MS / 65));
    const at = (x: number): Float32Array => Float32Array.of(x, 0, 0, 0, 0, 0, 1);
    easing.correct(at(1), at(0));
    let drawn = at(0);
    for (let ms = TICK_MS; ms <= 65; ms += TICK_MS) {
      drawn = at(0);
      easing.apply(drawn);
    }
    // 65 ms are 3.9 ticks.
    expect(drawn[0]).toBeGreaterThan(Math.exp(-1));
    easing.apply((drawn = at(0)));
    expect(drawn[0]).toBeLessThan(Math.exp(-1));
  });
});
