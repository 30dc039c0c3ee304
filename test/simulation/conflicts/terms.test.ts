import { describe, expect, test } from 'vitest';
import type { Slot } from '../../../src/core/base/ids.ts';
import { NO_SLOT } from '../../../src/core/base/ids.ts';
import type { Stage } from '../../support/stage.ts';
import { apart, CUBES, setStage } from '../../support/stage.ts';

const [cube, other, third] = CUBES;
const HOST = 0 as Slot;
const GUEST_1 = 1 as Slot;

/**
 * A new host takes the place of the old one, under a newer term. It has the oldest news of all: that nobody has
 * anything, by these sequences.
 */
function aNewHostComes(stage: Stage, ownership = 0, sequence = 0): void {
  const { state } = stage.host.peer;
  const { records } = state.bodies;
  state.term++;
  records.authority.fill(NO_SLOT);
  records.hold.fill(0);
  records.ownershipSequence.fill(ownership);
  records.acceptedOwnership.fill(ownership);
  records.authoritySequence.fill(sequence);
}

describe('[H8] a new host', () => {
  test('[H8.2] is believed whole, though its rulings are older than the guests’ records', async () => {
    const stage = await setStage({ guests: 2, cubes: apart(2), bodiless: true });
    stage.windOn(40, 50);
    stage.letPass(0.2);
    aNewHostComes(stage, 3, 4);
    stage.letPass(0.3);
    for (const guest of stage.guests) {
      expect(guest.says(cube)).toMatchObject({ authority: null, ownershipSequence: 3, authoritySequence: 4 });
    }
    stage.letAllRest();
    expect(stage).toAgree();
  });

  test('[H8.2] gets claims on what guests hold and have, past both sequences, and on nothing else', async () => {
    const stage = await setStage({ guests: 2, cubes: apart(3), bodiless: true });
    stage.windOn(40, 50);
    stage.guest(1).grabs(cube);
    stage.guest(2).grabs(other);
    stage.letPass(0.3);
    stage.guest(2).releases();
    stage.letPass(0.3);
    expect(stage.host.says(other)).toMatchObject({ authority: 2, holder: null, ownershipSequence: 41 });
    aNewHostComes(stage);
    for (let tick = 0; tick < 30; tick++) {
      stage.tick();
      expect(stage.guest(1).holds(cube)).toBe(true);
    }
    for (const player of stage.present) {
      expect(player.says(cube)).toMatchObject({ holder: { slot: 1 }, ownershipSequence: 42 });
      expect(player.says(other)).toMatchObject({ authority: 2, holder: null, ownershipSequence: 42 });
      expect(player.says(third)).toMatchObject({ authority: null, ownershipSequence: 0 });
    }
    stage.letAllRest();
    expect(stage).toAgree();
  });

  test('[H8.2] that is ahead of guest 1 gets its claim past the host’s sequences', async () => {
    const stage = await setStage({ guests: 2, cubes: apart(1), bodiless: true });
    stage.guest(1).grabs(cube);
    stage.letPass(0.3);
    aNewHostComes(stage, 70, 9);
    stage.letPass(0.5);
    for (const player of stage.present) {
      expect(player.says(cube)).toMatchObject({ holder: { slot: 1 }, ownershipSequence: 71 });
    }
    stage.letAllRest();
    expect(stage).toAgree();
  });

  test('[H7.1] that believed that guest 2 holds it decides by what arrives, and both hear it', async () => {
    const stage = await setStage({ guests: 2, cubes: apart(1), bodiless: true });
    stage.guest(1).grabs(cube);
    stage.letPass(0.3);
    aNewHostComes(stage, 5, 0);
    const { records } = stage.host.peer.state.bodies;
    records.authority[cube] = 2;
    stage.letPass(0.5);
    for (const player of stage.present) {
      expect(player.says(cube)).toMatchObject({ holder: { slot: 1 }, ownershipSequence: 6 });
    }
    stage.letAllRest();
    expect(stage).toAgree();
  });

  test('[H8.2] gets no claim on a cube that guest 1 only had to commit', async () => {
    const stage = await setStage({ guests: 2, cubes: apart(1), bodiless: true });
    stage.guest(1).grabs(cube);
    stage.letPass(0.3);
    stage.guest(1).releases();
    stage.waitFor(() => stage.guest(1).says(cube).pendingCommit);
    aNewHostComes(stage);
    stage.letPass(0.5);
    for (const player of stage.present) {
      expect(player.says(cube)).toMatchObject({
        authority: null,
        ownershipSequence: 0,
        authoritySequence: 0,
        pendingCommit: false,
      });
    }
    stage.letAllRest();
    expect(stage).toAgree();
  });

  test('[H8.5] may have missed the last reset: the guests take over its reset number', async () => {
    const stage = await setStage({ guests: 2, cubes: apart(1), bodiless: true });
    stage.host.peer.reset();
    stage.letPass(0.3);
    expect(stage.guests.map(({ peer }) => peer.state.reset)).toEqual([1, 1]);
    aNewHostComes(stage);
    stage.host.peer.state.reset = 0;
    stage.host.grabs(cube);
    stage.letPass(0.5);
    for (const guest of stage.guests) {
      expect([guest.peer.state.reset, guest.refused('old reset')]).toEqual([0, 0]);
      expect(guest.says(cube)).toMatchObject({ holder: { slot: 0 } });
    }
    stage.letAllRest();
    expect(stage).toAgree();
  });

  test('[H8.1] may come after the last number of terms', async () => {
    const stage = await setStage({ guests: 2, cubes: apart(1), bodiless: true });
    stage.host.peer.state.term = 65535;
    for (const { peer } of stage.guests) peer.state.term = 65535;
    stage.windOn(40, 50);
    stage.letPass(0.2);
    aNewHostComes(stage);
    stage.letPass(0.3);
    for (const guest of stage.guests) {
      expect(guest.peer.state.term).toBe(0);
      expect(guest.says(cube)).toMatchObject({ ownershipSequence: 0, authoritySequence: 0 });
    }
    stage.letAllRest();
    expect(stage).toAgree();
  });
});

describe('[H8] an older term', () => {
  test('[H8.1] a late packet of the host before is rejected, and changes nothing', async () => {
    const stage = await setStage({ guests: 1, cubes: apart(1), bodiless: true });
    stage.host.grabs(cube);
    stage.letPass(0.3);
    stage.guest(1).downlink.loss = 1;
    stage.letPass(0.1);
    const late = stage.host.lastPacket;
    aNewHostComes(stage, 7, 7);
    stage.guest(1).downlink.loss = 0;
    stage.host.releases();
    stage.letPass(0.5);
    const known = stage.guest(1).says(cube);
    stage.guest(1).peer.receive(stage.now, HOST, late);
    expect(stage.guest(1).refused('old term')).toBe(1);
    expect(stage.guest(1).says(cube)).toEqual(known);
    stage.letAllRest();
    expect(stage).toAgree();
  });

  test('[H8.1] a packet that guest 1 sent to the host before is rejected by the new one', async () => {
    const stage = await setStage({ guests: 1, cubes: apart(1), bodiless: true });
    stage.guest(1).grabs(cube);
    stage.guest(1).uplink.loss = 1;
    stage.letPass(0.1);
    const late = stage.guest(1).lastPacket;
    stage.guest(1).releases();
    stage.letPass(0.1);
    aNewHostComes(stage);
    stage.host.peer.receive(stage.now, GUEST_1, late);
    expect(stage.host.refused('other term')).toBe(1);
    expect(stage.host.says(cube)).toMatchObject({ authority: null, ownershipSequence: 0 });
    stage.guest(1).uplink.loss = 0;
    stage.letAllRest();
    expect(stage).toAgree();
  });
});

describe('[H8] a guest that joins', () => {
  test('[H8.3] adopts the record and the place of every cube', async () => {
    const stage = await setStage({ guests: 2, cubes: apart(3), bodiless: true });
    stage.guest(1).leaves();
    stage.windOn(300, 400);
    stage.host.grabs(cube);
    stage.guest(2).grabs(other);
    stage.letPass(0.2);
    stage.host.moves([0, 1, 0], 0.5);
    stage.guest(2).throws([0, 2, 4]);
    stage.letPass(0.1);
    stage.guest(1).returns();
    stage.letPass(0.5);
    expect(stage.guest(1).says(cube)).toMatchObject({ holder: { slot: 0 }, ownershipSequence: 301 });
    expect(stage.guest(1).says(cube).position[1]).toBeCloseTo(stage.host.says(cube).position[1], 2);
    expect(stage.guest(1).says(other)).toMatchObject({ authority: 2, ownershipSequence: 301 });
    expect(stage.guest(1).says(third)).toMatchObject({ authority: null, ownershipSequence: 300 });
    stage.letAllRest();
    expect(stage).toAgree();
  });

  test('[H8.3] [H8.2] grabs before it has heard anything: it claims past the ruling that then comes, and holds the cube', async () => {
    const stage = await setStage({ guests: 2, cubes: apart(1), bodiless: true, latencyMs: 100 });
    stage.guest(1).leaves();
    stage.windOn(300, 400);
    stage.guest(1).returns();
    stage.guest(1).grabs(cube);
    stage.tick();
    expect(stage.guest(1).says(cube)).toMatchObject({ holder: { slot: 1 }, ownershipSequence: 1 });
    stage.letPass(0.5);
    for (const player of stage.present) {
      expect(player.says(cube)).toMatchObject({ holder: { slot: 1 }, ownershipSequence: 301 });
    }
    stage.letAllRest();
    expect(stage).toAgree();
  });
});
