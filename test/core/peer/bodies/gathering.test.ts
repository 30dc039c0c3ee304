import { describe, expect, test } from 'vitest';
import type { BodyId, Sequence, Slot, Tick } from '../../../../src/core/base/ids.ts';
import { holdOf, NO_SLOT, NOT_HELD } from '../../../../src/core/base/ids.ts';
import { Gathering } from '../../../../src/core/peer/bodies/gathering.ts';
import type { PeerState } from '../../../../src/core/peer/peer-state.ts';
import { Peer } from '../../../../src/core/peer/peer.ts';
import { claim } from '../../../../src/core/world/record.ts';
import { createScene } from '../../../../src/core/world/scene.ts';
import { BodilessSimulation } from '../../../support/bodiless.ts';

const HOST = 0 as Slot;
const [FIRST, SECOND, THIRD, FAR] = [0, 1, 2, 3] as BodyId[];
const FIVE_SECONDS = 300;

/** A row of three awake bodies, of the host, a guest and another guest, that touch; and one apart. */
function setRow(): PeerState {
  const scene = createScene({ name: 'grid', seed: 1, count: 4 });
  const { state } = new Peer({ slot: HOST, host: HOST, scene, simulation: new BodilessSimulation(scene) });
  const { records, simulation } = state.bodies;
  records.authority.set([0, 1, 2, 2]);
  records.resting.fill(0);
  records.hold.fill(NOT_HELD);
  simulation.contacts.add(FIRST, SECOND);
  simulation.contacts.add(SECOND, THIRD);
  return state;
}

function run(gathering: Gathering, peer: PeerState, ticks: number): void {
  for (let tick = 0; tick < ticks; tick++) {
    peer.tick = (peer.tick + 1) as Tick;
    gathering.run(peer);
  }
}

describe('[A11] the host gathers bodies of guests', () => {
  test('that have kept each other and its own awake for five seconds', () => {
    const peer = setRow();
    const { records } = peer.bodies;
    records.ownershipSequence.fill(7);
    records.authoritySequence.fill(9);
    const gathering = new Gathering(4);
    run(gathering, peer, FIVE_SECONDS - 1);
    expect([...records.authority]).toEqual([0, 1, 2, 2]);
    run(gathering, peer, 1);
    expect([...records.authority]).toEqual([0, 0, 0, 2]);
    expect([records.ownershipSequence[SECOND], records.authoritySequence[SECOND]]).toEqual([8, 0]);
    expect([records.ownershipSequence[FIRST], records.authoritySequence[FIRST]]).toEqual([7, 9]);
    expect(peer.log.counts.take).toBe(2);
  });

  test.each([
    ['though they rest for half of the time', 2, HOST],
    ['not if they rest for three quarters of it', 4, 1],
  ] as const)('%s', (_, every, expected) => {
    const peer = setRow();
    const { records } = peer.bodies;
    const gathering = new Gathering(4);
    for (let time = 0; time < FIVE_SECONDS; time++) {
      records.resting.fill(time % every === 0 ? 0 : 1);
      run(gathering, peer, 10);
    }
    expect(records.authority[SECOND]).toBe(expected);
  });

  test('only while nobody who has a part of it holds anything', () => {
    const peer = setRow();
    const { records } = peer.bodies;
    const gathering = new Gathering(4);
    records.hold[FAR] = holdOf(0);
    run(gathering, peer, 2 * FIVE_SECONDS);
    expect([...records.authority]).toEqual([0, 1, 2, 2]);
    records.hold[FAR] = NOT_HELD;
    run(gathering, peer, 10);
    expect([...records.authority]).toEqual([0, 0, 0, 2]);
  });

  test('after five seconds anew when the hands that were at it are empty', () => {
    const peer = setRow();
    const { records } = peer.bodies;
    records.authority[FIRST] = NO_SLOT;
    const gathering = new Gathering(4);
    records.hold[FAR] = holdOf(0);
    run(gathering, peer, 2 * FIVE_SECONDS);
    records.hold[FAR] = NOT_HELD;
    run(gathering, peer, FIVE_SECONDS - 10);
    expect([...records.authority]).toEqual([NO_SLOT, 1, 2, 2]);
    run(gathering, peer, 10);
    expect([...records.authority]).toEqual([NO_SLOT, 0, 0, 2]);
  });

  test('not what lies still', () => {
    const peer = setRow();
    peer.bodies.records.resting.fill(1);
    run(new Gathering(4), peer, 2 * FIVE_SECONDS);
    expect([...peer.bodies.records.authority]).toEqual([0, 1, 2, 2]);
  });

  test('not what touches bodies of the same player, or of none', () => {
    const peer = setRow();
    const { authority } = peer.bodies.records;
    authority.set([NO_SLOT, 2, 2, 2]);
    run(new Gathering(4), peer, 2 * FIVE_SECONDS);
    expect([...authority]).toEqual([NO_SLOT, 2, 2, 2]);
  });

  test('not what is joined to it by a body of none alone', () => {
    const peer = setRow();
    const { records, simulation } = peer.bodies;
    records.authority.set([0, 1, NO_SLOT, 2]);
    simulation.contacts.add(THIRD, FAR);
    run(new Gathering(4), peer, 2 * FIVE_SECONDS);
    expect([...records.authority]).toEqual([0, 0, NO_SLOT, 2]);
  });

  test('not what was under none meanwhile', () => {
    const peer = setRow();
    const { authority } = peer.bodies.records;
    const gathering = new Gathering(4);
    run(gathering, peer, FIVE_SECONDS - 10);
    authority.fill(NO_SLOT);
    run(gathering, peer, 10);
    authority.set([0, 1, 2, 2]);
    run(gathering, peer, FIVE_SECONDS - 10);
    expect([...authority]).toEqual([0, 1, 2, 2]);
  });

  test('and passes over what their guests still say of them, and what it had of them to pass on', () => {
    const peer = setRow();
    peer.relay.author[SECOND] = 1;
    peer.bodies.records.ownershipSequence[SECOND] = 7;
    run(new Gathering(4), peer, FIVE_SECONDS);
    expect(peer.relay.author[SECOND]).toBe(NO_SLOT);
    const late = { ...claim(), ownershipSequence: 7 as Sequence };
    expect(peer.rejectedClaims.add(late, SECOND, 1 as Slot), 'it is known as rejected').toBe(false);
  });
});
