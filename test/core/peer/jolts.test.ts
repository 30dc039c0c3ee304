import { beforeEach, describe, expect, test } from 'vitest';
import { GRAVITY, TICK_RATE } from '../../../src/core/base/constants.ts';
import type { BodyId, Slot } from '../../../src/core/base/ids.ts';
import { STATE, STRIDE } from '../../../src/core/base/state.ts';
import { Jolts } from '../../../src/core/peer/jolts.ts';
import { Peer } from '../../../src/core/peer/peer.ts';
import { VELOCITY_STEPS } from '../../../src/core/wire/quantise.ts';
import { BodilessSimulation } from '../../support/bodiless.ts';
import { apart, sceneOf } from '../../support/stage.ts';

const [HOST, GUEST] = [0, 1] as Slot[];
const [A, B] = [0, 1] as BodyId[];
const FALL = (GRAVITY / TICK_RATE) * VELOCITY_STEPS;

describe('[W5] a jolt', () => {
  let peer: Peer;
  let jolts: Jolts;

  beforeEach(() => {
    const scene = sceneOf(apart(2));
    peer = new Peer({ slot: HOST, host: HOST, scene, simulation: new BodilessSimulation(scene) });
    jolts = new Jolts(2);
    jolts.update(peer.state);
  });

  /** A body goes at so many steps of velocity: x, y, z, and its turning about x. */
  function goes(state: Int32Array, body: BodyId, x: number, y: number, z = 0, turning = 0): void {
    state.set([x, y, z, turning, 0, 0], body * STRIDE + STATE.linear);
  }

  test('is not what falls, nor what stands', () => {
    const { state } = peer.state.bodies.records;
    for (let tick = 1; tick < 60; tick++) {
      goes(state, A, 0, Math.round(-FALL * tick));
      jolts.update(peer.state);
      expect([...jolts.counts], `tick ${tick}`).toEqual([0, 0]);
    }
  });

  test('is the greater the more of the velocity changes, up to a limit', () => {
    const { state } = peer.state.bodies.records;
    goes(state, A, 0, -FALL, 350);
    jolts.update(peer.state);
    expect(jolts.counts[A]).toBe(3);
    goes(state, A, 0, 2 * -FALL, 350, 5000);
    jolts.update(peer.state);
    expect(jolts.counts[A]).toBe(5);
    goes(state, A, 9000, 0);
    jolts.update(peer.state);
    expect(jolts.counts[A]).toBe(20);
    expect(jolts.counts[B]).toBe(0);
  });

  test('is over in the next tick, and none of what rests', () => {
    const { state, resting } = peer.state.bodies.records;
    goes(state, A, 3000, 0);
    goes(state, B, 3000, 0);
    resting[B] = 1;
    jolts.update(peer.state);
    expect([...jolts.counts]).toEqual([20, 0]);
    jolts.update(peer.state);
    expect([...jolts.counts]).toEqual([0, 0]);
  });

  test('of what another player has is in what the host passes on', () => {
    const { bodies, relay } = peer.state;
    bodies.records.authority[A] = GUEST;
    relay.resting[A] = 0;
    goes(bodies.records.state, A, 3000, 0);
    jolts.update(peer.state);
    expect(jolts.counts[A]).toBe(0);
    goes(relay.state, A, 3000, 0);
    jolts.update(peer.state);
    expect(jolts.counts[A]).toBe(20);
  });
});
