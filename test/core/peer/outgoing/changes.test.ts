import { beforeEach, describe, expect, test } from 'vitest';
import type { BodyId, ConnectionId, Slot } from '../../../../src/core/base/ids.ts';
import { STRIDE } from '../../../../src/core/base/state.ts';
import { Changes } from '../../../../src/core/peer/outgoing/changes.ts';
import { guestPolicy } from '../../../../src/core/peer/policy/guest-policy.ts';
import { Peer } from '../../../../src/core/peer/peer.ts';
import type { PeerState } from '../../../../src/core/peer/peer-state.ts';
import { bodyUpdate } from '../../../../src/core/wire/bodies/update.ts';
import { createScene } from '../../../../src/core/world/scene.ts';
import { BodilessSimulation } from '../../../support/bodiless.ts';

const COUNT = 3;
const [HOST, GUEST] = [0, 1] as Slot[];
const B = 1 as BodyId;
let peer: PeerState;
let changes: Changes;

/** The bodies that have changed since the last look. */
function changed(): number[] {
  const before = changes.counts.slice();
  changes.update(peer);
  return Array.from(before.keys()).filter((body) => changes.counts[body] !== before[body]);
}

beforeEach(() => {
  const scene = createScene({ name: 'grid', seed: 1, count: COUNT });
  const host = new Peer({ slot: HOST, host: HOST, scene, simulation: new BodilessSimulation(scene) });
  host.connect(GUEST, 1 as ConnectionId);
  peer = host.state;
  changes = new Changes(COUNT);
  peer.bodies.records.resting.fill(1);
  changed();
  changed();
});

describe('what there may be to say of a body', () => {
  test('has not changed while it rests as it was', () => {
    expect([changed(), changed()]).toEqual([[], []]);
  });

  test('changes when it begins to move, and when it has come to rest, wherever that is, but not on the way', () => {
    const { resting, state } = peer.bodies.records;
    for (const step of [0, 1]) {
      resting[B] = 0;
      expect(changed()).toEqual([B]);
      state[B * STRIDE] += step;
      expect(changed()).toEqual([]);
      resting[B] = 1;
      expect(changed()).toEqual([B]);
      expect([changed(), changed()]).toEqual([[], []]);
    }
  });

  test.each([
    'authority',
    'hold',
    'ownershipSequence',
    'authoritySequence',
    'confirmed',
    'pendingCommit',
    'resting',
  ] as const)('changes with %s', (field) => {
    peer.bodies.records[field][B] = 1 - peer.bodies.records[field][B];
    expect(changed()).toEqual([B]);
  });

  test('changes with each number of its rest pose, but not when that is heard of again', () => {
    const update = bodyUpdate();
    update.body = B;
    update.kind = 'rest';
    update.state.set(peer.bodies.records.state.subarray(B * STRIDE, (B + 1) * STRIDE));
    const hear = (): number[] => {
      update.tick++;
      peer.bodies.received.apply(update, GUEST);
      return changed();
    };
    expect(hear()).toEqual([]);
    for (let i = 0; i < 7; i++) {
      update.state[i]++;
      expect(hear()).toEqual([B]);
      expect(hear()).toEqual([]);
    }
    update.state[0]++;
    peer.bodies.received.applyReturned(update);
    expect(changed()).toEqual([B]);
  });

  test('of what is relayed, changes with what the guest has said, and not with what was recorded here', () => {
    const update = bodyUpdate();
    update.body = B;
    update.kind = 'rest';
    peer.bodies.records.authority[B] = GUEST;
    peer.relay.keep(update, GUEST);
    changed();
    changed();
    peer.bodies.records.restPlaces[B]++;
    expect(changed()).toEqual([]);
    update.tick = 1;
    peer.relay.keep(update, GUEST);
    expect(changed()).toEqual([]);
    update.tick = 2;
    update.state[0]++;
    peer.relay.keep(update, GUEST);
    expect(changed()).toEqual([B]);
    peer.relay.forget(GUEST);
    expect(changed()).toEqual([B]);
  });

  test('of what is relayed, changes when it has moved and come to rest between two looks', () => {
    const update = bodyUpdate();
    update.body = B;
    peer.bodies.records.authority[B] = GUEST;
    const hear = (kind: 'rest' | 'motion', tick: number): void => {
      peer.relay.keep(Object.assign(update, { kind, tick }), GUEST);
    };
    hear('rest', 0);
    changed();
    update.state[0]++;
    hear('motion', 1);
    hear('rest', 2);
    expect(changed()).toEqual([B]);
  });

  test('changes of every body when a guest becomes the host', () => {
    peer.policy = guestPolicy;
    expect(changed()).toEqual([0, 1, 2]);
    expect(changed()).toEqual([]);
  });
});
