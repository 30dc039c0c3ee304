import { beforeEach, describe, expect, test } from 'vitest';
import type { BodyId, ConnectionId, Slot } from '../../../../src/core/base/ids.ts';
import { STRIDE } from '../../../../src/core/base/state.ts';
import { BodyVersions } from '../../../../src/core/peer/outgoing/body-versions.ts';
import { guestPolicy } from '../../../../src/core/peer/policy/guest-policy.ts';
import { Peer } from '../../../../src/core/peer/peer.ts';
import type { PeerState } from '../../../../src/core/peer/peer-state.ts';
import { bodyUpdate } from '../../../../src/core/wire/bodies/update.ts';
import { createLevel } from '../../../../src/levels/levels.ts';
import { floatingSimulation } from '../../../support/bodiless.ts';

const COUNT = 3;
const [HOST, GUEST] = [0, 1] as Slot[];
const B = 1 as BodyId;
let peer: PeerState;
let versions: BodyVersions;

/** The bodies whose versions have changed since the last call. */
function changed(): number[] {
  const before = versions.versions.slice();
  versions.update(peer);
  return Array.from(before.keys()).filter((body) => versions.versions[body] !== before[body]);
}

beforeEach(() => {
  const scene = createLevel({ id: 'grid', seed: 1, count: COUNT });
  const host = new Peer({ slot: HOST, host: HOST, level: scene, simulation: floatingSimulation(scene) });
  host.connect(GUEST, 1 as ConnectionId);
  peer = host.state;
  versions = new BodyVersions(peer);
  peer.bodies.records.resting.fill(1);
  changed();
  changed();
});

describe('the version of a body', () => {
  test('does not change while the body rests', () => {
    expect([changed(), changed()]).toEqual([[], []]);
  });

  test('changes when the body begins to move, and when it comes to rest anywhere, but not on the way', () => {
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

  test('changes with each number of the rest pose, but not when the same pose arrives again', () => {
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

  test('of a relayed body changes with the state of the guest, not with the record here', () => {
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

  test('of a relayed body changes when it has moved and come to rest between two updates', () => {
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

  test('of every body changes when a guest becomes the host', () => {
    peer.policy = guestPolicy;
    expect(changed()).toEqual([0, 1, 2]);
    expect(changed()).toEqual([]);
  });
});
