import { describe, expect, test } from 'vitest';
import type { Slot } from '../../../src/core/base/ids.ts';
import { setVector } from '../../../src/core/base/math.ts';
import { peerView } from '../../../src/core/peer/shown/peer-view.ts';
import { apart, CUBES, RIGHT, setStage } from '../../support/stage.ts';

const [cube, other] = CUBES;
const HOST = 0 as Slot;

describe('[H6] a player that was made absent comes back with its world', () => {
  test('[H6.3] the cube that it held has fallen free at both ends; it learns what others have, and grabs it anew', async () => {
    const stage = await setStage({ guests: 2, cubes: apart(2), bodiless: true });
    stage.letPass(3);
    stage.guest(1).grabs(cube);
    stage.letPass(0.3);
    stage.guest(1).joins();
    expect(stage.host.says(cube)).toMatchObject({ authority: null, ownershipSequence: 2 });
    expect(stage.guest(1).holds(cube)).toBe(false);
    stage.guest(2).grabs(other);
    stage.letPass(0.5);
    for (const player of stage.present) {
      expect(player.says(cube)).toMatchObject({ authority: null, ownershipSequence: 2 });
      expect(player.says(other)).toMatchObject({ holder: { slot: 2 }, ownershipSequence: 1 });
    }
    stage.guest(1).releases();
    stage.tick();
    stage.guest(1).grabs(cube);
    stage.letPass(0.5);
    for (const player of stage.present) {
      expect(player.says(cube)).toMatchObject({ holder: { slot: 1 }, ownershipSequence: 3 });
    }
    stage.letAllRest();
    expect(stage).toAgree();
  });

  test('[H6.3] it claims nothing again that it did unheard, however far its sequences ran ahead', async () => {
    const stage = await setStage({ guests: 2, cubes: apart(2), bodiless: true });
    stage.guest(1).uplink.loss = 1;
    for (let times = 0; times < 4; times++) {
      stage.guest(1).grabs(cube);
      stage.letPass(0.3);
      stage.guest(1).moves([1, 0, 0], 0.2);
      stage.guest(1).releases();
      stage.letPass(0.3);
    }
    stage.guest(1).grabs(other);
    stage.letPass(0.3);
    const before = stage.host.says(cube);
    stage.guest(1).uplink.loss = 0;
    stage.guest(1).joins();
    stage.letPass(1);
    expect(stage.host.says(cube)).toEqual(before);
    expect(stage.guest(1).says(cube)).toEqual(before);
    expect(stage.host.says(other)).toMatchObject({ authority: null, ownershipSequence: 0 });
    stage.letAllRest();
    expect(stage).toAgree();
  });

  test('[H6.3] a cube that it takes before it has heard the host is its own', async () => {
    const stage = await setStage({ guests: 2, cubes: apart(2), bodiless: true });
    stage.guest(1).grabs(cube);
    stage.letPass(0.3);
    stage.guest(1).releases();
    stage.guest(1).joins();
    stage.tick();
    stage.guest(1).grabs(other);
    stage.letPass(0.5);
    for (const player of stage.present) {
      expect(player.says(cube).authority).toBe(null);
      expect(player.says(other)).toMatchObject({ holder: { slot: 1 } });
    }
    stage.letAllRest();
    expect(stage).toAgree();
  });
});

describe('[F3] the time at which a player was last heard', () => {
  test('[F3.2] is the time of its last packet that was read whole, and begins anew with a connection', async () => {
    const stage = await setStage({ guests: 2, cubes: apart(1), bodiless: true });
    const { host } = stage;
    const guest = stage.guest(1);
    const heard = (): number => host.peer.lastReceivedMs(guest.slot);
    // A moving hand is sent in every tick.
    guest.moves([1, 0, 0], 0.2);
    expect(heard()).toBe(stage.now);
    stage.host.moves([1, 0, 0], 0.2);
    expect(guest.peer.lastReceivedMs(HOST)).toBe(stage.now);
    guest.uplink.loss = 1;
    stage.letPass(0.5);
    const last = heard();
    expect(last).toBeLessThan(stage.now - 390);
    host.peer.receive(stage.now, guest.slot, Uint8Array.from([...guest.lastPacket, 0]));
    host.peer.receive(stage.now, guest.slot, new Uint8Array(3));
    expect(heard()).toBe(last);
    host.peer.receive(stage.now, guest.slot, guest.lastPacket);
    expect(heard()).toBe(stage.now);
    guest.leaves();
    expect(heard()).toBe(-Infinity);
    guest.returns();
    expect([heard(), guest.peer.lastReceivedMs(HOST), guest.peer.lastReceivedMs(guest.slot)]).toEqual([
      -Infinity,
      -Infinity,
      -Infinity,
    ]);
    guest.uplink.loss = 0;
    stage.letPass(0.2);
    expect(heard()).toBe(stage.now);
  });
});

describe('[H6] a player that nobody missed comes back', () => {
  test('[H6.4] after five seconds on the same connection: nothing is lost, and what it did meanwhile counts', async () => {
    const stage = await setStage({ guests: 2, cubes: apart(2), bodiless: true });
    const guest = stage.guest(1);
    guest.grabs(cube);
    stage.letPass(0.3);
    guest.uplink.loss = 1;
    guest.downlink.loss = 1;
    stage.letPass(4);
    guest.moves([0, 1, 0], 1);
    guest.uplink.loss = 0;
    guest.downlink.loss = 0;
    stage.host.peer.connect(guest.slot, guest.connection);
    guest.peer.connect(HOST, guest.connection);
    stage.letPass(0.5);
    expect(guest.holds(cube)).toBe(true);
    for (const player of stage.present) {
      expect(player.says(cube)).toMatchObject({ holder: { slot: 1 }, ownershipSequence: 1 });
      expect(player.says(cube).position[1]).toBeCloseTo(1.25, 2);
    }
    stage.letAllRest();
    expect(stage).toAgree();
  });
});

describe('[T3] the players that are present', () => {
  test('[T3.4] guest 2 sees guest 1 go, and another come in its slot, with a name, a hand and ticks of its own', async () => {
    const stage = await setStage({ guests: 2, cubes: apart(1), bodiless: true });
    stage.letPass(6);
    expect(stage.guest(2).sees(1)).toMatchObject({ present: true, name: 'Player 1' });
    stage.guest(1).leaves();
    stage.letPass(0.2);
    expect(stage.guest(2).sees(1).present).toBe(false);
    expect(stage.guest(2).sees(0)).toMatchObject({ present: true, name: 'Player 0' });
    stage.guest(1).returns('Another');
    setVector(stage.guest(1).input.hands[RIGHT].pose.position, 3, 1, 2);
    stage.letPass(0.5);
    for (const player of [stage.host, stage.guest(2)]) {
      expect(player.sees(1)).toMatchObject({ present: true, name: 'Another' });
      expect(player.sees(1).hands[RIGHT].pose.position.x).toBeCloseTo(3, 2);
    }
  });

  test('[T3.4] guest 2, which received nothing of that, tells the new player from the old by its ticks', async () => {
    const stage = await setStage({ guests: 2, cubes: apart(1), bodiless: true });
    stage.letPass(6);
    stage.guest(2).downlink.loss = 1;
    stage.guest(1).leaves();
    stage.tick();
    stage.guest(1).returns('Another');
    setVector(stage.guest(1).input.hands[RIGHT].pose.position, 3, 1, 2);
    stage.letPass(0.5);
    stage.guest(2).downlink.loss = 0;
    stage.letPass(0.5);
    expect(stage.guest(2).sees(1)).toMatchObject({ present: true, name: 'Another' });
    expect(stage.guest(2).sees(1).hands[RIGHT].pose.position.x).toBeCloseTo(3, 2);
  });

  test('an avatar that comes is drawn where it is from the first tick on', async () => {
    const stage = await setStage({ guests: 2, cubes: apart(1), bodiless: true });
    stage.guest(1).leaves();
    stage.letPass(0.2);
    stage.guest(1).returns();
    setVector(stage.guest(1).input.head.position, 3, 1, 2);
    const view = peerView(1);
    stage.waitFor(() => stage.guest(2).sees(1).present);
    stage.guest(2).peer.view(0, null, view);
    expect(view.avatars[1].head.position.x).toBeCloseTo(3, 2);
  });

  test('[T3.5] under loss and reordering nobody flickers: present until it leaves, and gone until it returns', async () => {
    const stage = await setStage({ guests: 2, cubes: apart(1), bodiless: true });
    stage.network.setConditions({ loss: 0.3, jitterMs: 500 });
    const isSeen = (): boolean => stage.guest(2).sees(1).present;
    for (let round = 0; round < 8; round++) {
      stage.waitFor(isSeen);
      for (let tick = 0; tick < 90; tick++) {
        stage.tick();
        expect(isSeen(), `round ${round}, ${tick} ticks after it came`).toBe(true);
      }
      stage.guest(1).leaves();
      stage.waitFor(() => !isSeen());
      for (let tick = 0; tick < 40; tick++) {
        stage.tick();
        expect(isSeen(), `round ${round}, ${tick} ticks after it went`).toBe(false);
      }
      stage.guest(1).returns(`Player of round ${round}`);
      stage.waitFor(isSeen);
      expect(stage.guest(2).sees(1).name).toBe(`Player of round ${round}`);
    }
  });

  test('[T6.1] a player with fewer ticks than the one before throws the cube: guest 2 sees it fly', async () => {
    const stage = await setStage({ guests: 2, cubes: apart(1) });
    stage.host.grabs(cube);
    stage.letPass(0.3);
    stage.host.releases();
    stage.letAllRest();
    stage.guest(1).leaves();
    stage.letPass(0.3);
    stage.guest(1).returns();
    stage.letPass(0.5);
    stage.guest(1).grabs(cube);
    stage.letPass(0.3);
    stage.guest(1).throws([0, 6, 0]);
    const heights = (slot: number): number => stage.guest(slot).says(cube).position[1];
    const highest = [0, 0];
    for (let tick = 0; tick < 80; tick++) {
      stage.tick();
      highest[0] = Math.max(highest[0], heights(1));
      highest[1] = Math.max(highest[1], heights(2));
    }
    expect(highest[0]).toBeGreaterThan(2);
    expect(highest[1]).toBeCloseTo(highest[0], 2);
    stage.letAllRest();
    expect(stage).toAgree();
  });
});
