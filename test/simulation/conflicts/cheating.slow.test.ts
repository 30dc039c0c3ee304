import { describe, expect, test } from 'vitest';
import type { Sequence, Slot } from '../../../src/core/base/ids.ts';
import { NO_SLOT, NOT_HELD } from '../../../src/core/base/ids.ts';
import { MAX_SEQUENCE_LEAD, TICK_RATE } from '../../../src/core/base/constants.ts';
import { guestPolicy } from '../../../src/core/peer/policy/guest-policy.ts';
import type { Player } from '../../support/stage.ts';
import { apart, CUBES, setStage } from '../../support/stage.ts';

const [cube] = CUBES;

/** From now on every packet of a guest contains this claim on the cube, whatever is true. */
function pretends(cheat: Player, authority: number, ownership: number, sequence = 0): void {
  const { state } = cheat.peer;
  state.policy = {
    ...guestPolicy,
    describe(_peer, body, _to, out) {
      out.body = body;
      out.kind = 'record';
      out.claim.authority = authority as Slot;
      out.claim.hold = NOT_HELD;
      out.claim.ownershipSequence = ownership as Sequence;
      out.claim.authoritySequence = sequence as Sequence;
      return body === cube;
    },
    insists: () => true,
  };
}

/** A guest is honest again. */
function repents(cheat: Player): void {
  cheat.peer.state.policy = guestPolicy;
}

describe('[H1] a guest speaks for itself alone', () => {
  test('[H1.1] [F1.3] guest 1 gives the cube to guest 2, to the host, and to nobody: none of it counts', async () => {
    const stage = await setStage({ guests: 2, cubes: apart(1), bodiless: true });
    const before = stage.host.says(cube);
    for (const authority of [2, 0, NO_SLOT]) {
      const refused = stage.host.refused('H1');
      pretends(stage.guest(1), authority, 5);
      for (let tick = 0; tick < 20; tick++) {
        stage.tick();
        expect(stage.host.says(cube)).toEqual(before);
      }
      expect(stage.host.refused('H1')).toBeGreaterThan(refused);
    }
    repents(stage.guest(1));
    stage.letAllRest();
    expect(stage).toAgree();
  });

  test('[H1.1] [H2.1] guest 1 gives back a cube that guest 2 holds: guest 2 goes on holding it', async () => {
    const stage = await setStage({ guests: 2, cubes: apart(1), bodiless: true });
    stage.guest(2).grabs(cube);
    stage.letPass(0.3);
    pretends(stage.guest(1), NO_SLOT, 1, 1);
    stage.letPass(0.5);
    repents(stage.guest(1));
    for (const player of stage.present) expect(player.says(cube).holder).toEqual({ slot: 2, hand: 'right' });
    stage.letAllRest();
    expect(stage).toAgree();
  });

  test('[H1.2] guest 1 sends the packet of guest 2, avatar and all: nothing of guest 2 changes', async () => {
    const stage = await setStage({ guests: 2, cubes: apart(1), bodiless: true });
    stage.guest(1).uplink.loss = 1;
    stage.guest(2).grabs(cube);
    stage.letPass(0.5);
    const { authors } = stage.host.peer.state;
    const heardOfTwo = (): string => JSON.stringify([authors[2].avatar, authors[2].newestTick]);
    const before = heardOfTwo();
    stage.host.peer.receive(stage.now, 1 as Slot, stage.guest(2).lastPacket);
    expect(heardOfTwo()).toBe(before);
    for (const player of stage.present) expect(player.says(cube).holder).toEqual({ slot: 2, hand: 'right' });
    stage.guest(1).uplink.loss = 0;
    stage.letAllRest();
    expect(stage).toAgree();
  });
});

describe('a claim that is repeated in every packet is refused once', () => {
  test('and another as another, however alike their sequences are', async () => {
    const stage = await setStage({ guests: 1, cubes: apart(1), bodiless: true });
    const cheat = stage.guest(1);
    stage.windOn(2, 0);
    const claims = [
      [1, 0],
      [0, 0x8000],
      [1, 0x8000],
    ] as const;
    claims.forEach(([ownership, sequence], i) => {
      pretends(cheat, cheat.slot, ownership, sequence);
      stage.letPass(0.3);
      expect(stage.host.counted('refuse')).toBe(i + 1);
    });
  });

  test('and anew after a reset, and when another player makes it', async () => {
    const stage = await setStage({ guests: 1, cubes: apart(1), bodiless: true });
    const again = (times: number): void => {
      stage.windOn(2, 0);
      pretends(stage.guest(1), 1, 1);
      stage.letPass(0.3);
      expect(stage.host.counted('refuse')).toBe(times);
      repents(stage.guest(1));
    };
    again(1);
    stage.host.peer.reset();
    stage.letPass(0.3);
    again(2);
    stage.guest(1).leaves();
    stage.guest(1).returns();
    stage.letPass(0.3);
    again(3);
  });
});

describe('[H5] a sequence that runs ahead by more than 256', () => {
  test('[H5.2] in 130 claims in one tick, each 256 ahead of the last: no further than one claim; guest 2 goes on', async () => {
    const stage = await setStage({ guests: 2, cubes: apart(1), bodiless: true });
    stage.letPass(2);
    const cheat = stage.guest(1);
    for (let claims = 1; claims <= 130; claims++) {
      pretends(cheat, cheat.slot, (claims * MAX_SEQUENCE_LEAD) % 65536);
      cheat.peer.poll(stage.now, (_to, bytes) => stage.host.peer.receive(stage.now, cheat.slot, bytes));
    }
    expect(stage.host.says(cube).ownershipSequence).toBe(MAX_SEQUENCE_LEAD);
    expect(stage.host.refused('H5')).toBeGreaterThan(0);
    repents(cheat);
    stage.letPass(0.5);
    expect(stage.guest(2).says(cube)).toMatchObject({ authority: 1, ownershipSequence: MAX_SEQUENCE_LEAD });
    stage.guest(2).grabs(cube);
    stage.letPass(0.5);
    for (const player of stage.present) expect(player.says(cube).holder).toEqual({ slot: 2, hand: 'right' });
    stage.letAllRest();
    expect(stage).toAgree();
  });

  test('[H5.2] [H3.2] in claims on a held cube, which the host moves past: the same', async () => {
    const stage = await setStage({ guests: 2, cubes: apart(1), bodiless: true });
    stage.guest(2).grabs(cube);
    stage.letPass(2);
    const cheat = stage.guest(1);
    for (let claims = 1; claims <= 600; claims++) {
      const { ownershipSequence } = stage.host.says(cube);
      pretends(cheat, cheat.slot, (ownershipSequence + MAX_SEQUENCE_LEAD) % 65536);
      cheat.peer.poll(stage.now, (_to, bytes) => stage.host.peer.receive(stage.now, cheat.slot, bytes));
      if (claims % 10 === 0) stage.tick();
    }
    const seconds = 2;
    expect(stage.host.says(cube).ownershipSequence).toBeLessThan(seconds * (MAX_SEQUENCE_LEAD + 2));
    expect(stage.host.says(cube).holder).toEqual({ slot: 2, hand: 'right' });
    repents(cheat);
    stage.letAllRest();
    expect(stage).toAgree();
  });

  test('[H5.3] grabbing every cube again and again: all of them once, forty more, and then twenty a second', async () => {
    const stage = await setStage({ guests: 2, cubes: apart(8), bodiless: true });
    stage.letPass(2);
    const cheat = stage.guest(1);
    const { records } = stage.host.peer.state.bodies;
    const grabs = (): number => records.ownershipSequence.reduce((sum, sequence) => sum + sequence, 0);
    cheat.peer.state.policy = {
      ...guestPolicy,
      describe(_peer, body, _to, out) {
        out.body = body;
        out.kind = 'record';
        out.claim.authority = cheat.slot;
        out.claim.hold = NOT_HELD;
        out.claim.ownershipSequence = (records.ownershipSequence[body] + 1) as Sequence;
        out.claim.authoritySequence = 0 as Sequence;
        return true;
      },
      insists: () => true,
    };
    stage.letPass(3);
    expect(grabs()).toBeGreaterThan(60);
    expect(grabs()).toBeLessThan(8 + 40 + 3 * 20 + 8);
    expect(stage.host.peer.offences(cheat.slot)).toBeGreaterThan(300);
    expect(stage.host.peer.offences(stage.guest(2).slot)).toBe(0);
    repents(cheat);
    stage.letPass(0.5);
    stage.guest(2).grabs(cube);
    stage.letPass(0.5);
    expect(stage.host.says(cube).holder).toEqual({ slot: 2, hand: 'right' });
    stage.letAllRest();
    expect(stage).toAgree();
  });

  test('[H5.3] does not come from grabs in turn: a guest that grabs thirty times is heard each time', async () => {
    const stage = await setStage({ guests: 1, cubes: apart(1), bodiless: true });
    for (let times = 1; times <= 30; times++) {
      stage.guest(1).grabs(cube);
      stage.letPass(0.2);
      stage.guest(1).releases();
      stage.letPass(0.3);
      expect(stage.host.says(cube)).toMatchObject({ authority: 1, ownershipSequence: times });
    }
    expect(stage.host.refused('H5')).toBe(0);
  });

  test.each([
    ['ownership', MAX_SEQUENCE_LEAD + 1, 0],
    ['authority', 0, MAX_SEQUENCE_LEAD + 1],
    ['authority, under a new ownership', 1, MAX_SEQUENCE_LEAD + 1],
    ['ownership, half the numbers ahead', 0x7fff, 0],
  ])(
    '[H5.1] of %s is rejected and counted, and guest 2 can still grab the cube',
    async (_, ownership, sequence) => {
      const stage = await setStage({ guests: 2, cubes: apart(1), bodiless: true });
      const before = stage.host.says(cube);
      pretends(stage.guest(1), 1, ownership, sequence);
      stage.letPass(20 / 60);
      expect(stage.host.says(cube)).toEqual(before);
      expect(stage.host.refused('H5')).toBeGreaterThanOrEqual(15);
      stage.guest(2).grabs(cube);
      stage.letPass(0.5);
      expect(stage.host.says(cube).holder).toEqual({ slot: 2, hand: 'right' });
      repents(stage.guest(1));
      stage.letAllRest();
      expect(stage).toAgree();
    },
  );

  test('[H5.1] in the hand of an avatar is rejected alike', async () => {
    const stage = await setStage({ guests: 2, cubes: apart(1), bodiless: true });
    stage.guest(1).grabs(cube);
    stage.guest(1).uplink.loss = 1;
    stage.tick();
    stage.guest(1).uplink.loss = 0;
    stage.guest(1).peer.state.bodies.records.ownershipSequence[cube] = MAX_SEQUENCE_LEAD + 1;
    stage.letPass(0.3);
    expect(stage.guest(1).holds(cube)).toBe(true);
    expect(stage.host.says(cube)).toMatchObject({ authority: null, ownershipSequence: 0 });
    expect(stage.host.refused('H5')).toBeGreaterThan(0);
    stage.guest(1).leaves();
    stage.letAllRest();
    expect(stage).toAgree();
  });

  test('[H5.1] by exactly 256 is accepted: an honest guest may have been alone for long', async () => {
    const stage = await setStage({ guests: 2, cubes: apart(1), bodiless: true });
    stage.guest(1).peer.state.bodies.records.ownershipSequence[cube] = MAX_SEQUENCE_LEAD - 1;
    stage.guest(1).grabs(cube);
    stage.letPass(0.3);
    for (const player of stage.present)
      expect(player.says(cube)).toMatchObject({ holder: { slot: 1 }, ownershipSequence: MAX_SEQUENCE_LEAD });
    stage.letAllRest();
    expect(stage).toAgree();
  });
});

describe('[H3] a flood of claims on a held cube', () => {
  /** In this tick each cheater claims the cube by one sequence more than the host has. */
  function flood(host: Player, cheats: readonly Player[]): void {
    for (const cheat of cheats) pretends(cheat, cheat.slot, host.says(cube).ownershipSequence + 1);
  }

  test('[H3.2] moves the host’s sequence once a second for each claimant, and takes nothing out of the hand', async () => {
    const stage = await setStage({ guests: 3, cubes: apart(1), bodiless: true });
    stage.guest(1).grabs(cube);
    stage.letPass(0.3);
    const seconds = 4;
    for (let tick = 0; tick < seconds * TICK_RATE; tick++) {
      flood(stage.host, [stage.guest(2), stage.guest(3)]);
      stage.tick();
      expect(stage.guest(1).holds(cube)).toBe(true);
    }
    expect(stage.host.counted('override')).toBeGreaterThanOrEqual(2 * (seconds - 1));
    expect(stage.host.counted('override')).toBeLessThanOrEqual(2 * seconds);
    expect(stage.host.says(cube).holder).toEqual({ slot: 1, hand: 'right' });
    stage.guests.forEach(repents);
    stage.letAllRest();
    expect(stage).toAgree();
  });

  test('[H3.3] guest 1 does not hear how far the host has moved: its release and the flight of the cube still count', async () => {
    const stage = await setStage({ guests: 2, cubes: apart(1), bodiless: true });
    stage.guest(1).grabs(cube);
    stage.letPass(0.3);
    stage.guest(1).downlink.loss = 1;
    for (let tick = 0; tick < 3 * TICK_RATE; tick++) {
      flood(stage.host, [stage.guest(2)]);
      stage.tick();
    }
    expect(stage.host.says(cube).ownershipSequence).toBeGreaterThan(4);
    expect(stage.guest(1).says(cube).ownershipSequence).toBe(1);
    repents(stage.guest(2));
    stage.guest(2).uplink.loss = 1;
    stage.letPass(0.1);
    stage.guest(1).throws([5, 4, 0]);
    stage.letPass(0.5);
    expect(stage.host.says(cube)).toMatchObject({ authority: 1, holder: null });
    expect(stage.host.says(cube).position[0]).toBeGreaterThan(1);
    stage.waitFor(() => stage.guest(1).says(cube).authority === null);
    stage.waitFor(() => stage.host.says(cube).authority === null);
    expect(stage.host.says(cube).position).toEqual(stage.guest(1).says(cube).position);
    stage.guest(1).downlink.loss = 0;
    stage.guest(2).uplink.loss = 0;
    stage.letAllRest();
    expect(stage).toAgree();
  });

  test('[H10.1] ends, and the guest that flooded learns which player holds the cube', async () => {
    const stage = await setStage({ guests: 2, cubes: apart(1), bodiless: true });
    stage.host.grabs(cube);
    stage.letPass(0.3);
    for (let tick = 0; tick < TICK_RATE; tick++) {
      flood(stage.host, [stage.guest(2)]);
      stage.tick();
    }
    repents(stage.guest(2));
    stage.waitFor(() => stage.guest(2).says(cube).holder !== null);
    expect(stage.guest(2).says(cube).holder).toEqual({ slot: 0, hand: 'right' });
    stage.letAllRest();
    expect(stage).toAgree();
  });
});
