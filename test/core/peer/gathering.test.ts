import { describe, expect, test } from 'vitest';
import type { BodyId, Slot, Tick } from '../../../src/core/base/ids.ts';
import { holdOf, NO_SLOT, NOT_HELD } from '../../../src/core/base/ids.ts';
import { Gathering } from '../../../src/core/peer/gathering.ts';
import type { PeerState } from '../../../src/core/peer/peer-state.ts';
import { Peer } from '../../../src/core/peer/peer.ts';
import { createScene } from '../../../src/core/world/scene.ts';
import { BodilessSimulation } from '../../support/bodiless.ts';

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

  test('not what is in a hand, nor while a hand is in it', () => {
    const peer = setRow();
    const { records } = peer.bodies;
    const gathering = new Gathering(4);
    records.hold[THIRD] = holdOf(0);
    run(gathering, peer, 2 * FIVE_SECONDS);
    expect([...records.authority]).toEqual([0, 1, 2, 2]);
    records.hold[THIRD] = NOT_HELD;
    run(gathering, peer, 10);
    expect([...records.authority]).toEqual([0, 0, 0, 2]);
  });

  test('not what lies still, touches one player only, or nobody', () => {
    const peer = setRow();
    const { records } = peer.bodies;
    const gathering = new Gathering(4);
    records.authority[FIRST] = NO_SLOT;
    records.authority[SECOND] = 2;
    run(gathering, peer, 2 * FIVE_SECONDS);
    records.authority.set([0, 1, 2, 2]);
    records.resting.fill(1);
    run(gathering, peer, 2 * FIVE_SECONDS);
    expect([...records.authority]).toEqual([0, 1, 2, 2]);
    expect(records.authority[FAR]).toBe(2);
  });
});
