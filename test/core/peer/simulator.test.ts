import { beforeEach, describe, expect, test } from 'vitest';
import type { Slot } from '../../../src/core/base/ids.ts';
import { NO_SLOT } from '../../../src/core/base/ids.ts';
import { vector } from '../../../src/core/base/math.ts';
import { STRIDE } from '../../../src/core/base/state.ts';
import { Peer } from '../../../src/core/peer/peer.ts';
import type { PeerState } from '../../../src/core/peer/peer-state.ts';
import { announce, applyDue } from '../../../src/core/peer/simulator.ts';
import { POSITION_STEPS } from '../../../src/core/wire/bodies/quantise.ts';
import { floatingSimulation } from '../../support/bodiless.ts';
import { A, GUEST, HOST, OTHER, sceneOf, update } from '../../support/bodies.ts';

describe('[T6] a due pose', () => {
  let peer: PeerState;

  beforeEach(() => {
    const scene = sceneOf(vector(0, 1, 0));
    peer = new Peer({ slot: OTHER, host: HOST, level: scene, simulation: floatingSimulation(scene) }).state;
  });

  /** A pose of an author, `x` metres along x, of its tick, is due. @returns where the body is then. */
  function afterPose(author: Slot, x: number, tick: number): number {
    applyDue(peer, author, update(A, vector(x, 1, 0), tick));
    return peer.bodies.records.state[A * STRIDE] / POSITION_STEPS;
  }

  test('[T6.1] shows if the record names its author as the simulator; the host simulates bodies under none', () => {
    expect(afterPose(GUEST, 1, 10)).toBe(0);
    peer.bodies.records.authority[A] = GUEST;
    expect(afterPose(HOST, 2, 10)).toBe(0);
    expect(afterPose(GUEST, 1, 11)).toBe(1);
    peer.bodies.records.authority[A] = NO_SLOT;
    expect(afterPose(HOST, 3, 11)).toBe(3);
  });

  test('[T6.2] of the simulator before still shows until the first pose of the new simulator is due', () => {
    peer.bodies.records.authority[A] = GUEST;
    expect(afterPose(GUEST, 1, 10)).toBe(1);
    peer.bodies.records.authority[A] = HOST;
    expect(afterPose(GUEST, 2, 11)).toBe(2);
    expect(afterPose(HOST, 5, 3)).toBe(5);
    expect(afterPose(GUEST, 3, 12)).toBe(5);
  });

  test('[T7.6] of the present simulator ends a curve to a state of the former one', () => {
    const { curves } = peer.bodies.received;
    peer.bodies.records.authority[A] = GUEST;
    afterPose(GUEST, 1, 10);
    afterPose(GUEST, 1.1, 11);
    peer.bodies.following.setCanEase(A, true);
    announce(peer, GUEST, update(A, vector(40, 1, 0), 31), 20, 6);
    expect(curves.leadsToAnother(A, HOST)).toBe(true);
    peer.bodies.records.authority[A] = HOST;
    expect(afterPose(HOST, 2, 5)).toBe(2);
    expect(curves.leadsToAnother(A, HOST)).toBe(false);
  });

  test('[T6.1] of another author does not show on the peer that simulates the body', () => {
    peer.bodies.records.authority[A] = GUEST;
    expect(afterPose(GUEST, 1, 10)).toBe(1);
    peer.bodies.records.authority[A] = OTHER;
    expect(afterPose(GUEST, 2, 11)).toBe(1);
  });
});
