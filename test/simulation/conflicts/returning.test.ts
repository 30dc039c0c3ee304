import { describe, expect, test } from 'vitest';
import type { Sequence, Slot } from '../../../src/core/base/ids.ts';
import { NO_SLOT } from '../../../src/core/base/ids.ts';
import { RETURN_AFTER_SECONDS, TICK_RATE, ticksIn } from '../../../src/core/base/constants.ts';
import { guestPolicy } from '../../../src/core/peer/policy/guest-policy.ts';
import { hostPolicy } from '../../../src/core/peer/policy/host-policy.ts';
import { apart, CUBES, setStage } from '../../support/stage.ts';

const RETURN_AFTER_TICKS = ticksIn(RETURN_AFTER_SECONDS, TICK_RATE);

const [cube, other] = CUBES;
const HOST = 0 as Slot;
/** Longer than a dropped cube takes to rest and to be given back. */
const LONG = 3;

describe('[A7] letting go', () => {
  test('[A7.1] guest 1 releases: its next avatar tells it, and no sequence changes', async () => {
    const stage = await setStage({ guests: 2, cubes: apart(1) });
    stage.guest(1).grabs(cube);
    stage.letPass(0.3);
    stage.guest(1).releases();
    stage.letPass(0.3);
    for (const player of stage.present) {
      expect(player.says(cube)).toMatchObject({
        authority: 1,
        holder: null,
        ownershipSequence: 1,
        authoritySequence: 0,
      });
    }
    stage.letAllRest();
    expect(stage).toAgree();
  });

  test('[A7.2] guest 1 gives it back after a second at rest, not before: authority sequence + 1', async () => {
    const stage = await setStage({ guests: 2, cubes: apart(1) });
    stage.guest(1).grabs(cube);
    stage.letPass(0.3);
    stage.guest(1).releases();
    stage.waitFor(() => stage.guest(1).says(cube).resting);
    stage.letPass((RETURN_AFTER_TICKS - 2) / 60);
    expect(stage.guest(1).says(cube)).toMatchObject({ authority: 1, authoritySequence: 0 });
    stage.letPass(3 / 60);
    expect(stage.guest(1).says(cube)).toMatchObject({ authority: null, pendingCommit: true });
    stage.letAllRest();
    expect(stage.host.says(cube)).toMatchObject({
      authority: null,
      ownershipSequence: 1,
      authoritySequence: 1,
    });
    expect(stage).toAgree();
  });
});

describe('[A7] a guest does not give back what the host has not confirmed', () => {
  test('[A7.2] guest 1 drops a cube, and the host hears nothing of it: the cube stays its own until the host does', async () => {
    const stage = await setStage({ guests: 2, cubes: apart(1) });
    stage.guest(1).uplink.loss = 1;
    stage.guest(1).grabs(cube);
    stage.letPass(0.2);
    stage.guest(1).moves([0, 0.5, 0], 0.5);
    stage.guest(1).releases();
    stage.letPass(LONG);
    expect(stage.guest(1).says(cube)).toMatchObject({ authority: 1, resting: true, confirmed: false });
    expect(stage.host.says(cube)).toMatchObject({ authority: null, ownershipSequence: 0 });
    stage.guest(1).uplink.loss = 0;
    stage.waitFor(() => stage.guest(1).counted('confirm') > 0);
    expect(stage.host.says(cube)).toMatchObject({ authority: 1, ownershipSequence: 1 });
    stage.letAllRest();
    expect(stage).toAgree();
  });

  test('[A7.2] guest 1 drops a cube, and the host’s ruling does not arrive: the same', async () => {
    const stage = await setStage({ guests: 2, cubes: apart(1) });
    stage.guest(1).downlink.loss = 1;
    stage.guest(1).grabs(cube);
    stage.letPass(0.2);
    stage.guest(1).releases();
    stage.letPass(LONG);
    expect(stage.guest(1).says(cube)).toMatchObject({ authority: 1, resting: true, confirmed: false });
    expect(stage.host.says(cube).authority).toBe(1);
    stage.guest(1).downlink.loss = 0;
    stage.letAllRest();
    expect(stage).toAgree();
  });

  test('[A7.2] guests 1 and 2 drop one cube and receive nothing: guest 1, which the host heard first, keeps it', async () => {
    const stage = await setStage({ guests: 2, cubes: apart(1) });
    for (const guest of stage.guests) guest.downlink.loss = 1;
    stage.guest(2).uplink.latencyMs = 80;
    for (const guest of stage.guests) guest.grabs(cube);
    stage.letPass(0.3);
    stage.guest(2).moves([0, 0, 2], 0.5);
    stage.guest(1).moves([2, 0, 0], 0.5);
    for (const guest of stage.guests) guest.releases();
    stage.letPass(LONG);
    expect(stage.guests.map((guest) => guest.says(cube).authority)).toEqual([1, 2]);
    for (const guest of stage.guests) guest.downlink.loss = 0;
    stage.letAllRest();
    expect(stage).toAgree();
    expect(stage.guest(2).says(cube).position[0]).toBeGreaterThan(0.9);
    expect(stage.guest(2).says(cube).position[2]).toBeLessThan(0.1);
  });
});

describe('[A7] a guest repeats that it gave a cube back until the host has taken it', () => {
  test('[A7.4] guest 1 gives it back, and no packet arrives: it repeats the return', async () => {
    const stage = await setStage({ guests: 2, cubes: apart(1) });
    stage.guest(1).grabs(cube);
    stage.letPass(0.3);
    stage.guest(1).releases();
    stage.waitFor(() => stage.guest(1).says(cube).resting);
    stage.letPass(0.8);
    stage.guest(1).uplink.loss = 1;
    stage.letPass(LONG);
    expect(stage.guest(1).says(cube)).toMatchObject({ authority: null, pendingCommit: true });
    expect(stage.host.says(cube).authority).toBe(1);
    stage.guest(1).uplink.loss = 0;
    stage.waitFor(() => stage.host.says(cube).authority === null);
    expect(stage.guest(1).says(cube).pendingCommit).toBe(true);
    stage.letAllRest();
    expect(stage.guest(1).says(cube).pendingCommit).toBe(false);
    expect(stage).toAgree();
  });

  test('[A7.4] the host has taken it, and guest 1 does not hear of it: its late returns disturb nobody', async () => {
    const stage = await setStage({ guests: 2, cubes: apart(1) });
    stage.guest(1).grabs(cube);
    stage.letPass(0.3);
    stage.guest(1).releases();
    stage.waitFor(() => stage.guest(1).says(cube).pendingCommit);
    stage.guest(1).downlink.loss = 1;
    stage.letPass(LONG);
    expect(stage.guest(1).says(cube).pendingCommit).toBe(true);
    stage.guest(2).grabs(cube);
    stage.letPass(0.5);
    expect(stage.host.says(cube).holder).toEqual({ slot: 2, hand: 'right' });
    stage.guest(1).downlink.loss = 0;
    stage.letPass(0.5);
    expect(stage.guest(1).says(cube)).toMatchObject({ holder: { slot: 2 }, pendingCommit: false });
    stage.letAllRest();
    expect(stage).toAgree();
  });

  test('[A7.4] the host receives it, but has no room to answer: guest 1 repeats it until it has an answer', async () => {
    const stage = await setStage({ guests: 2, cubes: apart(1) });
    stage.guest(1).grabs(cube);
    stage.letPass(0.3);
    stage.guest(1).releases();
    stage.waitFor(() => stage.guest(1).says(cube).resting);
    stage.letPass(0.8);
    stage.host.peer.state.policy = { ...hostPolicy, describe: () => false };
    stage.letPass(LONG);
    expect(stage.guest(1).says(cube).pendingCommit).toBe(true);
    const said = stage.guest(1).peer.traffic(HOST).bodies;
    stage.letPass(0.5);
    expect(stage.guest(1).peer.traffic(HOST).bodies).toBeGreaterThan(said);
    stage.host.peer.state.policy = hostPolicy;
    stage.letAllRest();
    expect(stage.guest(1).says(cube).pendingCommit).toBe(false);
    expect(stage).toAgree();
  });

  test('[A7.4] guest 1 gives it back and grabs it again before the host has taken it: it holds it', async () => {
    const stage = await setStage({ guests: 2, cubes: apart(1) });
    stage.guest(1).grabs(cube);
    stage.letPass(0.3);
    stage.guest(1).releases();
    stage.waitFor(() => stage.guest(1).says(cube).pendingCommit);
    stage.guest(1).grabs(cube);
    stage.letPass(0.5);
    for (const player of stage.present) {
      expect(player.says(cube)).toMatchObject({
        holder: { slot: 1 },
        pendingCommit: false,
        ownershipSequence: 2,
      });
    }
    stage.letAllRest();
    expect(stage).toAgree();
  });

  test('[H2.1] guest 2 grabs what guest 1 is giving back: the late return of guest 1 takes nothing from it', async () => {
    const stage = await setStage({ guests: 2, cubes: apart(1) });
    stage.guest(1).grabs(cube);
    stage.letPass(0.3);
    stage.guest(1).releases();
    stage.waitFor(() => stage.guest(1).says(cube).pendingCommit);
    stage.guest(1).uplink.latencyMs = 400;
    stage.guest(2).grabs(cube);
    stage.letPass(1);
    for (const player of stage.present) expect(player.says(cube).holder).toEqual({ slot: 2, hand: 'right' });
    stage.letAllRest();
    expect(stage).toAgree();
  });
});

describe('[I3] where a body that was given back rests, it rests', () => {
  test('[H7.3] a packet of the host that was overtaken long ago does not wake it on guest 1', async () => {
    const stage = await setStage({ guests: 1, cubes: apart(1), bodiless: true });
    const { host } = stage;
    const guest = stage.guest(1);
    // Slow enough that a packet from before all this still counts.
    host.peer.sendEvery = 6;
    host.grabs(cube);
    stage.letPass(0.5);
    guest.downlink.loss = 1;
    host.throws([3, 0, 0]);
    stage.letPass(0.1);
    expect(host.says(cube)).toMatchObject({ authority: 0, holder: null, resting: false });
    const overtaken = host.lastPacket;
    guest.downlink.loss = 0;
    stage.letPass(0.3);
    guest.grabs(cube);
    stage.letPass(0.3);
    guest.moves([0, 1, 0], 0.2);
    guest.releases();
    stage.waitFor(() => guest.says(cube).pendingCommit);
    const rested = guest.says(cube);
    const heard = guest.peer.traffic(HOST).packetsReceived;
    guest.peer.receive(stage.now, HOST, overtaken);
    expect(guest.peer.traffic(HOST).packetsReceived).toBe(heard + 1);
    for (let tick = 0; tick < 20; tick++) {
      stage.tick();
      expect(guest.says(cube)).toMatchObject({ position: rested.position, resting: true });
    }
    stage.letAllRest();
    expect(stage).toAgree();
    expect(host.says(cube).position).toEqual(rested.position);
  });

  test('[A7.5] the host takes back nothing that still moves', async () => {
    const stage = await setStage({ guests: 1, cubes: apart(1), bodiless: true });
    const guest = stage.guest(1);
    guest.grabs(cube);
    stage.letPass(0.3);
    guest.throws([2, 0, 0]);
    const { describe: say } = guestPolicy;
    guest.peer.state.policy = {
      ...guestPolicy,
      describe(peer, body, to, out) {
        const says = say(peer, body, to, out);
        out.claim.authority = NO_SLOT;
        out.claim.authoritySequence = 1 as Sequence;
        return says;
      },
    };
    stage.letPass(0.2);
    expect(guest.says(cube).resting).toBe(false);
    expect(stage.host.says(cube)).toMatchObject({ authority: 1, authoritySequence: 0 });
    expect(stage.host.refused('A7')).toBeGreaterThan(0);
    guest.peer.state.policy = guestPolicy;
    stage.letAllRest();
    expect(stage).toAgree();
  });
});

describe('[I3] under loss', () => {
  test('half of all packets are lost: what guest 1 throws comes to rest where guest 1 saw it, five times', async () => {
    const stage = await setStage({ guests: 2, cubes: apart(2) });
    stage.network.setConditions({ loss: 0.5, jitterMs: 40 });
    for (let round = 0; round < 5; round++) {
      const away = round % 2 === 0 ? 4 : -4;
      stage.guest(1).grabs(cube);
      stage.guest(2).grabs(other);
      stage.letPass(0.1);
      stage.guest(1).throws([away, 3, 0]);
      stage.guest(2).releases();
      stage.waitFor(() => stage.guest(1).says(cube).resting);
      const seen = stage.guest(1).says(cube).position;
      stage.letAllRest();
      expect(stage).toAgree();
      expect(stage.host.says(cube).position).toEqual(seen);
    }
  });
});
