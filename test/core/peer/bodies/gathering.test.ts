import { TICK_RATE } from '../../../../src/core/base/constants.ts';
import { describe, expect, test } from 'vitest';
import type { BodyId, Sequence, Slot, Tick } from '../../../../src/core/base/ids.ts';
import { holdOf, KEPT, NO_SLOT, NOT_HELD } from '../../../../src/core/base/ids.ts';
import { Gathering } from '../../../../src/core/peer/bodies/gathering.ts';
import type { PeerState } from '../../../../src/core/peer/peer-state.ts';
import { Peer } from '../../../../src/core/peer/peer.ts';
import { claim } from '../../../../src/core/world/record.ts';
import { createLevel } from '../../../../src/levels/levels.ts';
import { floatingSimulation } from '../../../support/bodiless.ts';

const HOST = 0 as Slot;
const [FIRST, SECOND, THIRD, FAR] = [0, 1, 2, 3] as BodyId[];
const FIVE_SECONDS = 300;

/** A row of three awake bodies, of the host, a guest and another guest, that touch; and one apart. */
function setRow(): PeerState {
  const scene = createLevel({ id: 'grid', seed: 1, count: 4 });
  const { state } = new Peer({
    slot: HOST,
    host: HOST,
    level: scene,
    simulation: floatingSimulation(scene),
  });
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
    peer.bodies.simulation.contacts.beginStep();
  }
}

/** Two bodies strike each other, and touch for a tick. */
function strike(gathering: Gathering, peer: PeerState, a: BodyId, b: BodyId): void {
  const { contacts } = peer.bodies.simulation;
  contacts.add(a, b);
  run(gathering, peer, 1);
  contacts.remove(a, b);
}

describe('[A11] the host gathers bodies of guests', () => {
  test('[A11.1] [A11.2] [A11.3] that have kept each other and its own awake for five seconds', () => {
    const peer = setRow();
    const { records } = peer.bodies;
    records.ownershipSequence.fill(7);
    records.authoritySequence.fill(9);
    const gathering = new Gathering(4, TICK_RATE);
    run(gathering, peer, FIVE_SECONDS - 1);
    expect([...records.authority]).toEqual([0, 1, 2, 2]);
    run(gathering, peer, 1);
    expect([...records.authority]).toEqual([0, 0, 0, 2]);
    expect([records.ownershipSequence[SECOND], records.authoritySequence[SECOND]]).toEqual([8, 0]);
    expect([records.ownershipSequence[FIRST], records.authoritySequence[FIRST]]).toEqual([7, 9]);
    expect(peer.log.counts.take).toBe(2);
  });

  test.each([
    ['that strike each other once a second', 60, HOST],
    ['not if it is once in six seconds', 360, 1],
  ] as const)('[A11.1] %s', (_, every, expected) => {
    const peer = setRow();
    const { contacts } = peer.bodies.simulation;
    contacts.remove(FIRST, SECOND);
    contacts.remove(SECOND, THIRD);
    const gathering = new Gathering(4, TICK_RATE);
    for (let ticks = 0; ticks < 12 * FIVE_SECONDS; ticks += every) {
      strike(gathering, peer, FIRST, SECOND);
      run(gathering, peer, every - 1);
    }
    expect(peer.bodies.records.authority[SECOND]).toBe(expected);
  });

  test.each<readonly [string, (peer: PeerState) => void]>([
    ['the other body is kept', ({ bodies }) => void (bodies.records.hold[FIRST] = KEPT)],
    ['the other player holds something', ({ bodies }) => void (bodies.records.hold[FAR] = holdOf(0))],
  ])('[A11.1] [A11.5] not bodies that strike each other once a second if %s', (_, change) => {
    const peer = setRow();
    const { contacts } = peer.bodies.simulation;
    const { authority } = peer.bodies.records;
    contacts.remove(FIRST, SECOND);
    contacts.remove(SECOND, THIRD);
    authority.set([2, 1, 0, 2]);
    change(peer);
    const gathering = new Gathering(4, TICK_RATE);
    for (let second = 0; second < 30; second++) {
      strike(gathering, peer, FIRST, SECOND);
      run(gathering, peer, TICK_RATE - 1);
    }
    expect(authority[SECOND]).toBe(1);
  });

  test.each([
    ['though they rest for half of the time', 2, HOST],
    ['not if they rest for three quarters of it', 4, 1],
  ] as const)('[A11.4] %s', (_, every, expected) => {
    const peer = setRow();
    const { records } = peer.bodies;
    const gathering = new Gathering(4, TICK_RATE);
    for (let time = 0; time < FIVE_SECONDS; time++) {
      records.resting.fill(time % every === 0 ? 0 : 1);
      run(gathering, peer, 10);
    }
    expect(records.authority[SECOND]).toBe(expected);
  });

  test('[A11.5] only while no player with a body in the heap holds anything', () => {
    const peer = setRow();
    const { records } = peer.bodies;
    const gathering = new Gathering(4, TICK_RATE);
    records.hold[FAR] = holdOf(0);
    run(gathering, peer, 2 * FIVE_SECONDS);
    expect([...records.authority]).toEqual([0, 1, 2, 2]);
    records.hold[FAR] = NOT_HELD;
    run(gathering, peer, 10);
    expect([...records.authority]).toEqual([0, 0, 0, 2]);
  });

  test('[A11.5] five seconds after the players of the heap have empty hands', () => {
    const peer = setRow();
    const { records } = peer.bodies;
    records.authority[FIRST] = NO_SLOT;
    const gathering = new Gathering(4, TICK_RATE);
    records.hold[FAR] = holdOf(0);
    run(gathering, peer, 2 * FIVE_SECONDS);
    records.hold[FAR] = NOT_HELD;
    run(gathering, peer, FIVE_SECONDS - 10);
    expect([...records.authority]).toEqual([NO_SLOT, 1, 2, 2]);
    run(gathering, peer, 10);
    expect([...records.authority]).toEqual([NO_SLOT, 0, 0, 2]);
  });

  test('[A11.1] not bodies that all rest', () => {
    const peer = setRow();
    peer.bodies.records.resting.fill(1);
    run(new Gathering(4, TICK_RATE), peer, 2 * FIVE_SECONDS);
    expect([...peer.bodies.records.authority]).toEqual([0, 1, 2, 2]);
  });

  test('[A11.1] not bodies that touch only bodies of the same player, or of none', () => {
    const peer = setRow();
    const { authority } = peer.bodies.records;
    authority.set([NO_SLOT, 2, 2, 2]);
    run(new Gathering(4, TICK_RATE), peer, 2 * FIVE_SECONDS);
    expect([...authority]).toEqual([NO_SLOT, 2, 2, 2]);
  });

  test('[A11.2] not a body that only a body under none connects with it', () => {
    const peer = setRow();
    const { records, simulation } = peer.bodies;
    records.authority.set([0, 1, NO_SLOT, 2]);
    simulation.contacts.add(THIRD, FAR);
    run(new Gathering(4, TICK_RATE), peer, 2 * FIVE_SECONDS);
    expect([...records.authority]).toEqual([0, 0, NO_SLOT, 2]);
  });

  test('[A11.4] not bodies that were under none in the meantime', () => {
    const peer = setRow();
    const { authority } = peer.bodies.records;
    const gathering = new Gathering(4, TICK_RATE);
    run(gathering, peer, FIVE_SECONDS - 10);
    authority.fill(NO_SLOT);
    run(gathering, peer, 10);
    authority.set([0, 1, 2, 2]);
    run(gathering, peer, FIVE_SECONDS - 10);
    expect([...authority]).toEqual([0, 1, 2, 2]);
  });

  test('[A11.3] and logs no late claims on them, and drops their states that it had to relay', () => {
    const peer = setRow();
    peer.relay.author[SECOND] = 1;
    peer.bodies.records.ownershipSequence[SECOND] = 7;
    run(new Gathering(4, TICK_RATE), peer, FIVE_SECONDS);
    expect(peer.relay.author[SECOND]).toBe(NO_SLOT);
    const late = { ...claim(), ownershipSequence: 7 as Sequence };
    expect(peer.rejectedClaims.add(late, SECOND, 1 as Slot), 'it is known as rejected').toBe(false);
  });
});
