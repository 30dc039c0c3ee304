import { beforeEach, describe, expect, test } from 'vitest';
import { GRAVITY, PRIORITY_BASE, PRIORITY_THROWN, TICK_RATE } from '../../../../src/core/base/constants.ts';
import type { BodyId, Slot, Tick } from '../../../../src/core/base/ids.ts';
import { STATE, STRIDE } from '../../../../src/core/base/state.ts';
import { Peer } from '../../../../src/core/peer/peer.ts';
import { BodyVersions } from '../../../../src/core/peer/outgoing/body-versions.ts';
import { MOST_JOLT, Urgency } from '../../../../src/core/peer/outgoing/urgency.ts';
import { VELOCITY_STEPS } from '../../../../src/core/wire/bodies/quantise.ts';
import { floatingSimulation } from '../../../support/bodiless.ts';
import { apart } from '../../../support/stage.ts';
import { sceneOf } from '../../../support/stage-levels.ts';

const [HOST, GUEST] = [0, 1] as Slot[];
const [A, B] = [0, 1] as BodyId[];
const FALL = Math.round((GRAVITY / TICK_RATE) * VELOCITY_STEPS);

describe('[W5] the urgency of a body', () => {
  let peer: Peer;
  let urgency: Urgency;
  let versions: BodyVersions;

  beforeEach(() => {
    const scene = sceneOf(apart(2));
    peer = new Peer({ slot: HOST, host: HOST, level: scene, simulation: floatingSimulation(scene) });
    urgency = new Urgency(peer.state);
    versions = new BodyVersions(peer.state);
    tick();
  });

  /** One tick; returns the urgency of A and B above PRIORITY_BASE. */
  function tick(): number[] {
    peer.state.tick = (peer.state.tick + 1) as Tick;
    versions.update(peer.state);
    urgency.update(versions);
    return [A, B].map((body) => urgency.of(body) - PRIORITY_BASE);
  }

  /** Sets the velocity of a body, in steps: x, y, z, and the angular velocity about x. */
  function goes(body: BodyId, x: number, y: number, z = 0, turning = 0, state = records().state): void {
    state.set([x, y, z, turning, 0, 0], body * STRIDE + STATE.linear);
  }

  /** Has the host relay A for a guest. */
  function passOnA(): Peer['state']['relay'] {
    const { relay } = peer.state;
    records().authority[A] = GUEST;
    relay.author[A] = GUEST;
    relay.resting[A] = 0;
    return relay;
  }

  const records = (): Peer['state']['bodies']['records'] => peer.state.bodies.records;

  test('[W5.5] does not grow while it falls or slides evenly', () => {
    for (let n = 1; n < 60; n++) {
      goes(A, 0, -FALL * (n + 3));
      goes(B, 3000, 0);
      expect(tick(), `tick ${n}`).toEqual(n === 1 ? [expect.any(Number), MOST_JOLT] : [0, 0]);
    }
  });

  test('[W5.5] grows with any other change of velocity, up to a limit', () => {
    goes(A, 0, -FALL, 400);
    expect(tick()[A]).toBe(3);
    goes(A, 0, 2 * -FALL, 400, 5200);
    expect(tick()[A]).toBe(5);
    goes(A, 9000, 0);
    expect(tick()[A]).toBe(MOST_JOLT);
  });

  test('[W5.5] [W5.8] grows when it stops, though it then creeps; from the next tick on it waits', () => {
    goes(A, 3000, 0);
    tick();
    goes(A, 0, 0);
    expect(tick()[A]).toBe(MOST_JOLT);
    const after = [tick(), tick(), tick(), tick()].map(([of]) => of);
    expect(after.sort()).toEqual([-PRIORITY_BASE, -PRIORITY_BASE, -PRIORITY_BASE, 0].sort());
  });

  test('[W5.5] grows when it wakes with a jolt, however fast it was before it rested', () => {
    goes(A, 3000, 0);
    tick();
    records().resting[A] = 1;
    goes(A, 0, 0);
    tick();
    expect(tick()[A]).toBe(0);
    records().resting[A] = 0;
    goes(A, 150, 0);
    expect(tick()[A]).toBe(1);
  });

  test('[W5.5] comes from the relayed state if another player has authority', () => {
    const relay = passOnA();
    goes(A, 3000, 0);
    tick();
    goes(A, 3000, 0, 0, 0, relay.state);
    relay.tick[A]++;
    expect(tick()[A]).toBe(MOST_JOLT);
    relay.tick[A]++;
    expect(tick()[A]).toBe(0);
  });

  test('[W5.9] waits while there is no newer relayed state, but for three ticks at most', () => {
    const relay = passOnA();
    goes(A, 3000, 0, 0, 0, relay.state);
    tick();
    const silent = Array.from({ length: 8 }, () => tick()[A] === -PRIORITY_BASE);
    expect(silent.filter((waits) => !waits)).toHaveLength(2);
    expect(silent.indexOf(false, silent.indexOf(false) + 1) - silent.indexOf(false)).toBe(4);
    relay.tick[A]++;
    expect(tick()[A]).toBe(0);
  });

  test('[W5.4] is greatest after a throw', () => {
    peer.state.thrownUntil[B] = peer.state.tick + 10;
    goes(A, 9000, 0);
    expect(tick()).toEqual([MOST_JOLT, PRIORITY_THROWN - PRIORITY_BASE]);
  });
});
